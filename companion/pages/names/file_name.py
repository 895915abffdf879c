"""File names of pages: a page is called what people link to, so that every editor finds it.

Obsidian resolves a link by file name only, and knows neither titles nor aliases there.
"""

import re
from collections.abc import Callable
from unicodedata import category, normalize

from companion.pages.links import fold, is_page_target
from companion.pages.names.name_parts import (
    cut_name,
    list_words,
    without_invisible,
)

MAX_BYTES = 80

_NONE = "note"  # the name of a page whose title has nothing that a file name may hold
# What a file system forbids (Windows: \ : * ? " < > |), and what ends or cuts a link in Obsidian.
_FORBIDDEN = re.compile(r'[/\\:*?"<>|#^\[\]]|%%')
# Names that Windows keeps for devices (superscript digits too), whatever ending follows.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?=\.|$)"
)
# files that are no entries in a wiki
_NO_ENTRY = re.compile(r"readme|agents|claude")


def make_file_name(title: str) -> str:
    """Return *title* as a file name without ending: NFC, 1 to 80 bytes, as close as it may be.

    Characters that a file system or a link in Obsidian forbids separate words, invisible ones
    vanish, and the ends have no dots, spaces or leading hyphens. It is never a reserved name.
    """
    visible = _FORBIDDEN.sub(" ", without_invisible(title))
    kept = normalize("NFC", "".join(map(_select_character, visible)))
    name = _cut(_settle(" ".join(list_words(kept))), MAX_BYTES)
    return _settle(name) or _NONE


def find_free(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return *name*, or `name (2)`, `name (3)` … where taken, within 80 bytes.

    *is_taken* is asked with the folded basename (`links.key`). It is asked logarithmically often,
    so that 10,000 pages of one title do not cost 50 million questions; where numbers in use leave
    gaps, the number found is free but need not be the smallest.
    """
    if not is_taken(fold(name)):
        return name
    low = 1
    high = 2
    while is_taken(fold(_number(name, high))):
        low = high
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        if is_taken(fold(_number(name, middle))):
            low = middle
        else:
            high = middle
    return _number(name, high)


def _settle(name: str) -> str:
    """Return *name* without what its own link would not resolve to, and not reserved."""
    settled = _settle_once(name)
    while settled != name:
        name = settled
        settled = _settle_once(name)
    return name


def _settle_once(name: str) -> str:
    name = " ".join(name.lstrip(" .-").rstrip(" .").split())
    if not name:
        return ""
    if name.lower().endswith(".md"):
        return name[:-3]
    if not is_page_target(name):  # `report.pdf` is the file, and not its page
        return " ".join(name.rpartition(".")[::2])
    folded = fold(name)
    if _DEVICE.match(folded) and "." in name:
        return name.replace(".", " ", 1)
    if _DEVICE.match(folded) or _NO_ENTRY.fullmatch(folded):
        return f"{name} (note)"
    return name


def _number(name: str, number: int) -> str:
    suffix = f" ({number})"
    return _cut(name, MAX_BYTES - len(suffix)) + suffix


def _select_character(char: str) -> str:
    """Return a character of a title as it may stand in a name: itself, a space or nothing."""
    kind = category(char)
    if kind[0] in "LNMPS":
        return char
    if kind == "Cf":
        return ""
    return " "


def _cut(name: str, limit: int) -> str:
    return cut_name(name, limit, separator=" ", ends=" .")
