"""ROW-1 broken: what a person took back comes again by itself."""

from honest import within

BREAKS = "ROW-1"
EXPECTS = "ROW-1: what a person took back is done again"

within(
    {
        "companion.routing.adopt_words": """
        if not callable(_was_adopted):
            raise LookupError("_was_adopted")
        _was_adopted = lambda run, marker: False
    """,
    }
)
