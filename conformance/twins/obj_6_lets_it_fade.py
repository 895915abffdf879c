"""OBJ-6 broken: DECAY takes it like any other page."""

from honest import within

BREAKS = "OBJ-6"
EXPECTS = "OBJ-6: what says who I am fades"

within(
    {
        "companion.operations.decay.plan": """
        protected = find_protection

        def find_protection(each, floor):
            return protected(each._replace(myself=False), floor)
    """,
    }
)
