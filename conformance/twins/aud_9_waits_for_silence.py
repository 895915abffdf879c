"""AUD-9 broken: an entry that was audited again is not archived."""

from honest import within

BREAKS = "AUD-9"
EXPECTS = "AUD-9: it is never archived"

within(
    {
        "companion.operations.audit.due": """
        def list_archivable(db, since, now):
            again = {record.entry for record in audits.list_unsettled_audits(db)}
            found = honest.list_archivable(db, since, now)
            return [record for record in found if record.entry not in again]
    """,
    }
)
