"""A page in memory on which rich draws: nothing about the terminal is guessed."""

from io import StringIO

from rich.console import Console


def open_page(width: int, *, colour: bool) -> tuple[StringIO, Console]:
    """Return an empty page and the console that draws on it, *width* columns wide.

    Without *colour* no escape sequence is written.
    """
    page = StringIO()
    console = Console(
        file=page,
        width=width,
        force_terminal=True,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    return page, console
