"""AUD-6 broken: what is asked again counts again."""

from honest import within

BREAKS = "AUD-6"
EXPECTS = "AUD-6: one question asked twelve times has decided"

within(
    {
        "companion.operations.audit.questions.query_set": """
        class _Groups(_Groups):
            def group_of(self, words):
                self._known[str(len(self._known))] = words
                return str(len(self._known))
    """,
    }
)
