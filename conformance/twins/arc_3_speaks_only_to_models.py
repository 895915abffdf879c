"""ARC-3 broken: a night can only be asked for by an assistant."""

from honest import within

BREAKS = "ARC-3"
EXPECTS = "ARC-3: consolidate is no command"

within(
    {
        "companion.operations.consolidate.run": """
        from companion.errors import CompanionError

        def consolidate(ws, *args, **options):
            raise CompanionError("Ask by the Model Context Protocol.")
    """,
    }
)
