"""INV-7 broken: what waits too long goes, and no record says so."""

from honest import within

BREAKS = "INV-7"
EXPECTS = "INV-7: what expired is not on record"

within(
    {
        "companion.lifecycle.leave_buffer": """
        if not callable(list_lines):
            raise LookupError("list_lines")
        list_lines = lambda expired: []
    """,
    }
)
