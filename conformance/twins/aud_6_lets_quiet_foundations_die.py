"""AUD-6 broken: what only the page states, and others need, is no reason to keep it."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: the quay rests on what only the page states"

within(
    {
        "companion.operations.audit.observe": """
        _honest = _matter

        def _matter(*args):
            matter = _honest(*args)
            return None if matter and matter.kind == "needed" else matter
    """,
    }
)
