"""INV-7 broken: the days that the settings name do not count."""

from honest import within

BREAKS = "INV-7"
EXPECTS = "INV-7: expired before its time"

within(
    {
        "companion.lifecycle.leave_buffer": """
        if not callable(_go_back):
            raise LookupError("_go_back")
        _go_back = lambda moment, days: moment
    """,
    }
)
