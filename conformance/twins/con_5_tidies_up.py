"""CON-5 broken: a branch that did not grow for a while is no longer there."""

from honest import within

BREAKS = "CON-5"
EXPECTS = "CON-5: a minority hypothesis is gone"

within(
    {
        "companion.storage.index.tables.minority": """
        def list_branches(db):
            found = honest.list_branches(db)
            return [branch for branch in found if branch.cycles_open < 5]


        def list_members(db, branch=None):
            left = {one.name for one in list_branches(db)}
            found = honest.list_members(db, branch)
            return [member for member in found if member.branch in left]
    """,
    }
)
