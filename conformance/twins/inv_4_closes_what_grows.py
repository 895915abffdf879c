"""INV-4 broken: cycles are counted since the branch was opened, however often it has grown
since.
"""

from honest import within

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed that has grown within the six cycles"

within(
    {
        "companion.operations.audit.settle": """
        _QUIET = (
            "SELECT ?2, (SELECT count(*) FROM runs r WHERE r.operation = 'consolidate' "
            "AND instr(r.counts, '\\"consumed\\"') AND r.time > ?2) WHERE ?1 <> ''"
        )
    """,
    }
)
