"""DEC-6 broken: six days of use are enough."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: not on the seventh day of use"

within(
    {
        "companion.operations.decay.vitality": """
        PRESENT = 6
    """,
    }
)
