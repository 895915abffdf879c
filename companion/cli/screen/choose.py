"""Ask on a terminal: yes or no, or which of a few."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.cli.output import Ui
from companion.cli.screen.keys import can_ask, read_key, single_keys
from companion.cli.spec import Arguments
from companion.errors import CompanionError

_MOST = 9  # that one key tells apart


def confirm(ui: Ui, question: str) -> bool:
    """Ask *question*; only the key `y` is a yes."""
    ui.line(f"{question} [y/N]")
    ui.flush()
    with single_keys():
        return read_key() == "y"


def choose(ui: Ui, question: str, choices: Sequence[str]) -> str | None:
    """Ask which of *choices* is meant, at most nine of them; None where no number is pressed."""
    shown = choices[:_MOST]
    ui.line(question)
    for number, choice in enumerate(shown, 1):
        ui.line(f"  {number}  {choice}")
    ui.line("Press its number, or any other key to leave.")
    ui.flush()
    with single_keys():
        key = read_key()
    if not key.isdigit() or not 1 <= int(key) <= len(shown):
        return None
    return shown[int(key) - 1]


def choose_meaning(
    ui: Ui, arguments: Mapping[str, Any], error: CompanionError
) -> Arguments | None:
    """Ask which of several things is meant; return *arguments* with its name for the words that
    were ambiguous.

    None where nobody can be asked, or chooses none.
    """
    words = error.named
    if ui.json or not can_ask():
        return None
    names = [name for name, value in arguments.items() if _say(value) == words]
    if not names:
        return None
    chosen = choose(ui, f"{error}. Which one?", error.choices)
    if chosen is None:
        return None
    is_list = isinstance(arguments[names[0]], list)
    return {**arguments, names[0]: [chosen] if is_list else chosen}


def _say(value: object) -> str | None:
    """Return the words of an argument; None of one that is no words."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, str) else None
