"""ROW-2 broken: what was bad from its first day never degrades."""

from honest import within

BREAKS = "ROW-2"
EXPECTS = "ROW-2: a word that served badly from the first night"

within(
    {
        "companion.routing.matrix": """
        LOW = -1
    """,
    }
)
