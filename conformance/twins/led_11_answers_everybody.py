"""LED-11 broken: whoever reads is answered as the scribe would be."""

from honest import within

BREAKS = "LED-11"
EXPECTS = "LED-11: a peer saw"

within(
    {
        "companion.workspace": """
        def open_workspace(wiki=None, agent=None):
            return honest.open_workspace(wiki, "scribe")
    """,
    }
)
