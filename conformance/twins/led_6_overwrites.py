"""LED-6 broken: a new value goes where the old one was, as in a table that is updated in place."""

from honest import within

BREAKS = "LED-6 LED-8"
EXPECTS = (
    "(LED-6: the resolution wrote no audit row|LED-8: what was overwritten)"
)

within(
    {
        "companion.storage.claim_lines": """
        def build_claim_rows(run, event):
            for row in honest.build_claim_rows(run, event):
                key = f"one value {row.subject_key} {row.predicate_key}"
                yield row._replace(id=key)
    """,
        "companion.storage.index.tables.claims": """
        INSERT = INSERT.replace("INSERT INTO", "INSERT OR REPLACE INTO").replace("ON CONFLICT(id) DO NOTHING", "")
    """,
    }
)
