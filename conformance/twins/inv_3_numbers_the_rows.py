"""INV-3 broken: the id depends on the row, and so exists only once the buffer is written."""

from honest import within

BREAKS = "INV-3"
EXPECTS = r"- d986222c\w+\n\+ (?!d986222c)\w+"

within(
    {
        "companion.values.captures": """
        def make_capture(draft, ingested_at):
            made = honest.make_capture(draft, ingested_at)
            row = sha256()
            row.update(f"{ingested_at} {made.id}".encode())
            return made._replace(id=row.hexdigest())
    """,
    }
)
