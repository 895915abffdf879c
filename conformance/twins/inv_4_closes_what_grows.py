"""INV-4 broken: cycles are counted since the branch was opened, however often it has grown
since.
"""

from honest import within

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed that has grown within the six cycles"

within(
    {
        "companion.operations.audit.settle": """
        def measure_quiet(db, branch):
            query = (
                "SELECT count(*) FROM runs WHERE operation = 'consolidate' "
                "AND instr(counts, '\\"consumed\\"') AND time > ?"
            )
            return branch.opened, db.execute(query, (branch.opened,)).fetchone()[0]
    """,
    }
)
