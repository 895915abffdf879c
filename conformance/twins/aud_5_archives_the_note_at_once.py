"""AUD-5 broken: a note goes to cold memory without having decayed."""

from honest import within

BREAKS = "AUD-5"
EXPECTS = "AUD-5: the note that leads astray is not decaying"

within(
    {
        "companion.operations.audit.settle_statements": """
        def _find_text(changes, page):
            return honest._find_text(changes, page)

        def retire_statement(text, id, until, link, reason):
            from companion.pages.statement_edits import remove_statement
            return remove_statement(text, id)
    """,
    }
)
