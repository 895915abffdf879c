"""LED-12 broken: where one note of a page falls, everything that links to the page is flagged."""

from honest import within

BREAKS = "LED-12"
EXPECTS = "LED-12: not the notes that rest on it are flagged"

within(
    {
        "companion.ledger.dependents.index": """
        class DependentsIndex(honest.DependentsIndex):
            def _on_statement(self, capture):
                entry = find_entry_of_capture(self.db, capture)
                return self.on(Node("entry", entry))
    """,
    }
)
