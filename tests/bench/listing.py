"""`python -m tests.bench.listing`: write the list of all benches into docs/quality/benches.md.

What a bench is for, its own docstring says; where its figures are shown, the files of results say.
"""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.bench import __main__ as benches
from tests.made import QUALITY, write_table

PAGE = QUALITY / "benches.md"
_BEGIN, _END = "<!-- benches -->\n", "<!-- end -->\n"
# functions that are not called as their bench is
_CALLED = {"undo": "undoing", "use": "recording"}
# how a docstring begins that names its command first
_COMMANDS = re.compile(r"^(?:`[^`]*`[:.,]?\s*(?:and\s+)?)+")


class Bench(NamedTuple):
    """One bench, and where its figures are shown."""

    name: str
    purpose: str
    pages: list[str]


def list_benches() -> list[Bench]:
    """Return all benches by their names."""
    shown = {
        page.stem: _list_commands(page.read_text("utf-8"))
        for page in _find_results()
    }
    found = []
    for name, do in sorted(_list_functions()):
        pages = [
            page
            for page, commands in shown.items()
            if _is_among(name, commands)
        ]
        found.append(Bench(name, _read_purpose(do), sorted(pages)))
    return found


def _find_results() -> Iterator[Any]:
    return (QUALITY / "results").glob("*.json")


def _list_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    for name in (*benches.OWN, *benches.APART):
        yield name, getattr(benches, _CALLED.get(name, name.replace("-", "_")))
    yield from benches.ALONE.items()
    yield from benches.ON_DATA.items()


def _read_purpose(do: Callable[..., object]) -> str:
    """Return the first paragraph of what *do* or its module says of itself."""
    module = inspect.getmodule(do)
    own = module in (None, benches)
    text = inspect.getdoc(do if own else module) or inspect.getdoc(do) or ""
    for paragraph in text.split("\n\n"):
        # the first may name the command alone
        words = _COMMANDS.sub("", " ".join(paragraph.split()))
        if words:
            return words[:1].upper() + words[1:]
    return ""


def _list_commands(text: str) -> set[str]:
    """Return every command in a file of results."""
    commands: set[str] = set()
    _collect_commands(json.loads(text), commands)
    return commands


def _collect_commands(value: Any, commands: set[str]) -> None:
    if isinstance(value, dict):
        command = value.get("command")
        if isinstance(command, str):
            commands.add(command)
        for inner in value.values():
            _collect_commands(inner, commands)
    elif isinstance(value, list):
        for inner in value:
            _collect_commands(inner, commands)


def _is_among(name: str, commands: set[str]) -> bool:
    words = re.compile(rf"tests\.bench[ .]{name.replace('-', '[-_]')}(?![\w-])")
    return any(words.search(command) for command in commands)


def write_list(page: str) -> str:
    """Return *page* with the present list in it."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    assert begin and end, f"{PAGE} has no place for the list"
    rows = [
        (
            f"`{bench.name}`",
            bench.purpose.replace("|", "\\|"),
            ", ".join(f"[{one}]({one}.md)" for one in bench.pages),
        )
        for bench in list_benches()
    ]
    table = "\n".join(write_table(("bench", "what it is for", "figures"), rows))
    return f"{before}{begin}\n{table}\n\n{end}{after}"


def strip_list(page: str) -> str:
    """Return *page* without the list of benches, if it has one."""
    before, _, rest = page.partition(_BEGIN)
    return before + rest.partition(_END)[2]


def main() -> int:
    """Write the list."""
    PAGE.write_text(write_list(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
