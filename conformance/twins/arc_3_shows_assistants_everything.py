"""ARC-3 broken: the server finds every note, whoever told it in private."""

from honest import within

BREAKS = "ARC-3"
EXPECTS = "ARC-3: an assistant finds something else than a command"

within(
    {
        "companion.assistants.calls": """
        def search(ws, given):
            ws.who = "scribe"
            return honest.search(ws, given)
    """,
    }
)
