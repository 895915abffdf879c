"""INV-4 broken: a branch that was open for a year is closed, whatever anybody found of its
incumbent.
"""

from honest import within

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed by the passing of time"

within(
    {
        "companion.operations.audit.settle": """
        def _closures(run):
            from companion.values.time import days_between
            last = run.db.execute("SELECT max(time) FROM runs").fetchone()[0]
            for branch in minority.list_branches(run.db):
                if branch.state == "open" and days_between(branch.opened, last) > 365:
                    line = {"e": "closed", "branch": branch.name, "entry": branch.incumbent, "audit": ""}
                    yield Step(branch.name, "closed", [line | {"reason": "old"}], "old")
    """,
    }
)
