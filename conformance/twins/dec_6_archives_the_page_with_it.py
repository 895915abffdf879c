"""DEC-6 broken: every statement of a page leaves it with the one that lost."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: the page went with the statement that lost"

within(
    {
        "companion.lifecycle.shelve": """
        def shelve_statement(text, id, day):
            return text.partition("\\n## ")[0] + "\\n"
    """,
    }
)
