"""CON-10 broken: reads show both sides where a page fell, and no other side of a statement."""

from honest import within

BREAKS = "CON-10"
EXPECTS = "CON-10: the statement that lost vanished overnight"

within(
    {
        "companion.lookup.shifts": """
        def describe_side(ws, db, side):
            if side is not None and side.statement is not None:
                return None
            return honest.describe_side(ws, db, side)
    """,
    }
)
