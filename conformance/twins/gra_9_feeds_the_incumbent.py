"""GRA-9 broken: every link counts, also that of a page in quarantine."""

from honest import within

BREAKS = "GRA-9"
EXPECTS = "GRA-9: a challenger feeds its incumbent"

within(
    {
        "companion.storage.index.tables.gravity": """
        _VERTICES = honest._VERTICES.replace(", quarantined", ", 0")
    """,
    }
)
