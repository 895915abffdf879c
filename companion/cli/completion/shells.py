"""The protocol between bash, zsh or fish and the scripts that `--install-completion` writes.

Titles may hold anything. Nothing of them is ever run: each shell gets them escaped, and names with
control characters are left out.
"""

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.lookup.complete import Name
from companion.values.captures import has_controls

_BASH_SPECIAL = frozenset(" \t\\\"'`$&|;<>()*?[]{}!#~%^")


class Line(NamedTuple):
    """A command line up to the cursor."""

    words: list[str]  # whole ones, without the program's name
    last: str  # the word that is being typed, without quotation marks
    is_quoted: bool = False  # it began with a quotation mark


def read_line(shell: str, environment: Mapping[str, str]) -> Line | None:
    """Return what *shell* asks about; None for a shell of another protocol."""
    if shell == "bash":
        return _read_bash(environment)
    if shell in ("zsh", "fish"):
        return _split(environment.get("_TYPER_COMPLETE_ARGS", ""))
    return None


def write_names(
    shell: str,
    names: Sequence[Name],
    line: Line,
    environment: Mapping[str, str],
) -> tuple[str, int]:
    """Return what to print for *names*, and the exit code."""
    names = [name for name in names if not has_controls(name.text)]
    if shell == "bash":
        return "\n".join(_for_bash(name.text, line) for name in names), 0
    if shell == "zsh":
        return _for_zsh(names), 0
    if environment.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return "", 0 if names else 1
    return "\n".join(_for_fish(name) for name in names), 0


def _read_bash(environment: Mapping[str, str]) -> Line:
    text = environment.get("COMP_WORDS", "")
    # the script joins the words by the end of a line; a person who tries it, by spaces
    words = text.split("\n") if "\n" in text else text.split(" ")
    place = environment.get("COMP_CWORD", "")
    at = int(place) if place.isdigit() else len(words) - 1
    last = words[at] if 0 < at < len(words) else ""
    before = [_plain(word) for word in words[1:at]]
    # of `--state=de` bash makes three words
    if last == "=":
        last = ""
    elif before and before[-1] == "=":
        del before[-1]
    return Line(before, _plain(last), _is_quoted(last))


def _split(text: str) -> Line:
    words = _split_words(text)
    if not text or text[-1].isspace():
        words.append("")
    last = words[-1] if len(words) > 1 else ""
    raw = text.rsplit(" ", 1)[-1]
    return Line(words[1:-1], last, _is_quoted(raw))


def _split_words(text: str) -> list[str]:
    """Return the words of *text*; an open quotation mark ends where the text does."""
    for end in ("", '"', "'"):
        try:
            return shlex.split(text + end)
        except ValueError:
            continue
    return text.split()


def _plain(word: str) -> str:
    return " ".join(_split_words(word)) if word else ""


def _is_quoted(word: str) -> bool:
    return word[:1] in ("'", '"')


def _for_bash(text: str, line: Line) -> str:
    if line.is_quoted:
        return text
    escaped = ("\\" + char if char in _BASH_SPECIAL else char for char in text)
    return "".join(escaped)


def _for_zsh(names: Sequence[Name]) -> str:
    if not names:
        return "_files"
    items = []
    for name in names:
        about = "" if has_controls(name.about) else name.about
        parts = [_quote_zsh(name.text)]
        if about:
            parts.append(_quote_zsh(about))
        items.append(":".join(parts))
    return "_arguments '*: :((" + " ".join(items) + "))'"


def _quote_zsh(text: str) -> str:
    """Quote *text* for two readings: of the argument, and of the list in it."""
    text = text.replace("\\", "\\\\").replace(":", "\\:")
    for char in '\\"$`':
        text = text.replace(char, "\\" + char)
    # a parenthesis would end the list of `_arguments`
    return '"' + text.replace("'", "'\\''") + '"'


def _for_fish(name: Name) -> str:
    about = "" if has_controls(name.about) else name.about
    return f"{name.text}\t{about}" if about else name.text
