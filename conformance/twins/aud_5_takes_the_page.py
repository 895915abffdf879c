"""AUD-5 broken: a page falls with the one note that leads astray."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: the note that answers need fell with the other"

within(
    {
        "companion.operations.audit.settle_statements": """
        def _find_text(changes, page):
            text = honest._find_text(changes, page)
            for one in page.standing:
                text = retire_statement(text, statement_id(one.capture), "2026-04-06", "", "")
            return text
    """,
    }
)
