"""AUD-8 broken: a note is archived by an audit that was taken back since."""

from honest import within

BREAKS = "AUD-8"
EXPECTS = "AUD-8: the note goes by an audit that was taken back"

within(
    {
        "companion.storage.index.tables.audits": """
        def list_newest_statement_results(db):
            where = "a.state = ? AND a.statement IS NOT NULL"
            return _by_statement(_select(db, where, "closed"))

        def list_condemned_statements(db):
            where = "a.outcome = ? AND a.statement IS NOT NULL"
            return {str(record.statement) for record in _select(db, where, "archived")}
    """,
    }
)
