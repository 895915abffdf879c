"""CON-16 broken: the numbers are shown as if the paper had them so."""

from honest import within

BREAKS = "CON-16"
EXPECTS = "CON-16: the program does not say"

within(
    {
        "companion.cli.commands.branches": """
        _DEVIATIONS = ()
    """,
    }
)
