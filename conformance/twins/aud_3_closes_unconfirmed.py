"""AUD-3 broken: a branch is closed after six cycles, whatever the audit of its incumbent found."""

from honest import within

BREAKS = "AUD-3"
EXPECTS = "AUD-3: a branch was closed although no audit confirmed its incumbent"

within(
    {
        "companion.operations.audit.settle": """
        def _closures(run):
            known = audits.list_newest_audits(run.db)
            for branch in minority.list_branches(run.db):
                _, cycles = measure_quiet(run.db, branch)
                if branch.state == "open" and branch.incumbent in known and cycles >= 6:
                    yield _closed(branch, known[branch.incumbent], cycles)
    """,
    }
)
