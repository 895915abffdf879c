"""OBJ-4 broken: the record of a note names nothing but its page."""

from honest import within

BREAKS = "OBJ-4"
EXPECTS = "OBJ-4: no record names the note"

within(
    {
        "companion.operations.audit.record.ledger_lines": """
        def _lines_of_statement(chosen, finding, now):
            lines = honest._lines_of_statement(chosen, finding, now)
            return [
                {name: value for name, value in line.items() if name != "statement"}
                for line in lines
            ]
    """,
    }
)
