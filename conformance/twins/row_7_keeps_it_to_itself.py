"""ROW-7 broken: the night after an update does not know of its objections."""

from honest import within

BREAKS = "ROW-7"
EXPECTS = "ROW-7: the next cycle does not know of it"

within(
    {
        "companion.ledger.person_answers": """
        def list_model_contradictions(db, log):
            return []
    """,
    }
)
