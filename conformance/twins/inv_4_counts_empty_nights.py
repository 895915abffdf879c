"""INV-4 broken: nights count, whether anybody told anything or not."""

from honest import within

BREAKS = "INV-4"
EXPECTS = "INV-4: a branch was closed after nights in which nobody told anything"

within(
    {
        "companion.operations.audit.settle": """
        def _closures(db):
            known = audits.newest(db)
            for branch in minority.branches(db):
                record = known.get(branch.incumbent)
                if branch.state == "open" and record is not None and record.state == "closed":
                    grown, _ = db.execute(_QUIET, (branch.name, branch.opened)).fetchone()
                    nights = int(times.days(grown, record.since))
                    if auditing.may_close(record.result, record.since, grown, nights):
                        yield _closed(branch, record, nights)
    """,
    }
)
