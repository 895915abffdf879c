"""ROW-2 broken: what pleased once is mirrored for good."""

from honest import within

BREAKS = "ROW-2"
EXPECTS = "ROW-2: the word is mirrored although it serves worse"

within(
    {
        "companion.routing.matrix": """
        def is_degrading(utility):
            return False
    """,
    }
)
