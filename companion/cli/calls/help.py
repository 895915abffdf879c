"""The help of one command, without Typer, whose import costs as much as twenty helps.

It looks as Typer's own does (a test holds the two together at several widths).
"""

import textwrap
from collections.abc import Iterator

from companion.cli.fast_lane import GLOBALS
from companion.cli.spec import Argument, Command, Option, Verb

_INDENT = "  "
_LABEL = 30  # columns of the options' names, at most
_ROOM = 20  # columns beside the command's name that its words need, at least
_WIDTHS = (52, 80)  # columns of a screen that are used, at least and at most
_HELP_ROW = ("-h, --help", "Show this message and exit.")


def describe_command(verb: Verb, columns: int) -> str:
    """Return the help of *verb* for a screen of *columns*."""
    least, most = _WIDTHS
    width = max(min(columns, most), least) - 2
    parts = [
        _write_usage(verb.name, verb.spec.argument, width),
        *_write_text(verb.spec, width),
        "",
        "Options:",
        *_write_options((*verb.spec.options, *GLOBALS), width),
    ]
    return "\n".join(parts)


def _write_usage(name: str, argument: Argument | None, width: int) -> str:
    head = f"Usage: companion {name} "
    words = ["[OPTIONS]"]
    if argument is not None:
        bare = argument.metavar
        word = f"{{{bare}}}" if argument.required else f"[{bare}]"
        words.append(word + "..." * argument.many)
    rest = " ".join(words)
    if width < len(head) + _ROOM:
        indent = " " * (len("Usage: ") + 4)
        return f"{head}\n{_fill(rest, width, indent, indent)}"
    return _fill(rest, width, head, " " * len(head))


def _write_text(spec: Command, width: int) -> Iterator[str]:
    """Yield the lines of what the command does, and of what its argument is."""
    paragraphs = spec.help.split("\n\n")
    if spec.argument is not None:
        paragraphs.append(f"{spec.argument.metavar}: {spec.argument.help}")
    for paragraph in paragraphs:
        yield ""
        text = " ".join(paragraph.split("\n"))
        yield _fill(text, width, _INDENT, _INDENT)


def _write_options(options: tuple[Option, ...], width: int) -> Iterator[str]:
    rows = [(_name(option), _explain(option)) for option in options]
    rows.append(_HELP_ROW)
    label = min(max(len(name) for name, _ in rows), _LABEL) + len(_INDENT)
    for name, text in rows:
        room = max(width - label - 2, 10)
        lines = _fill(text, room).split("\n")
        if len(name) > label - len(_INDENT):
            yield _INDENT + name
            name = ""
        yield _INDENT + name.ljust(label) + lines[0]
        for line in lines[1:]:
            yield " " * (label + len(_INDENT)) + line


def _name(option: Option) -> str:
    flags = ", ".join(sorted(option.flags, key=_count_dashes))
    if option.kind == "choice" and not option.metavar:
        return f"{flags} <{'|'.join(option.choices)}>"
    return f"{flags} {option.metavar}".rstrip()


def _count_dashes(flag: str) -> int:
    return len(flag) - len(flag.lstrip("-"))


def _explain(option: Option) -> str:
    if option.default in (None, False):
        return option.help
    return f"{option.help}  [default: {option.default}]"


def _fill(text: str, width: int, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        replace_whitespace=False,
    )
