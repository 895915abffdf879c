"""Change single keys in the frontmatter of a page, and leave every other byte as it is."""

import re
from collections.abc import Mapping

from companion.pages.frontmatter import read_front
from companion.pages.lines import eol_of, lines_of


def set_frontmatter_keys(
    text: str, values: Mapping[str, str | None]
) -> str | None:
    """Return *text* with the keys of *values* in its frontmatter; None as a value removes a key.

    Return None where the frontmatter cannot be read, or where a key stands there twice or with a
    value of more than one line.
    """
    front = read_front(text)
    if front.problem:
        return None
    block = text[: len(text) - len(front.body)]
    if not block.startswith("---"):
        return _new_frontmatter(values, eol_of(text)) + text
    lines = lines_of(block)
    for key, value in values.items():
        if not _set_key(lines, key, value, eol_of(block)):
            return None
    changed = "".join(lines) + front.body
    if read_front(changed).problem:
        return None
    return changed


def _new_frontmatter(values: Mapping[str, str | None], eol: str) -> str:
    lines: list[str] = []
    for key, value in values.items():
        lines += _key_line(key, value, eol)
    if not lines:
        return ""
    return f"---{eol}{''.join(lines)}---{eol}"


def _set_key(lines: list[str], key: str, value: str | None, eol: str) -> bool:
    """Set *key* in the *lines* of a frontmatter; return False where that is not safe."""
    name = re.compile(rf"{re.escape(key)}[ \t]*:")
    numbers = [number for number, line in enumerate(lines) if name.match(line)]
    if len(numbers) > 1:
        return False
    new = _key_line(key, value, eol)
    if not numbers:
        end = _closing_line(lines)
        lines[end:end] = new
        return True
    (number,) = numbers
    rest = lines[number].partition(":")[2]
    if not rest.strip():
        return False
    lines[number : number + 1] = new
    return True


def _key_line(key: str, value: str | None, eol: str) -> list[str]:
    """Return the line of a key with its *value*; none for None."""
    if value is None:
        return []
    return [f"{key}: {value}{eol}"]


def _closing_line(lines: list[str]) -> int:
    return max(
        number for number, line in enumerate(lines) if line.startswith("---")
    )
