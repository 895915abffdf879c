"""Names of branches: readable, and safe in git and in the name of a folder."""

import re
from unicodedata import category, normalize

from companion.pages.links import fold
from companion.pages.names.name_parts import (
    cut_name,
    list_words,
    without_invisible,
)

MAX_BYTES = 80

# Names Windows keeps for devices (superscript digits too). Pages had such names once, and those
# called readme, agents or claude are no entries in a wiki.
_RESERVED = re.compile(
    r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|readme|agents|claude"
)
_APOSTROPHE = re.compile("(?<=\\w)['\u2019\u02bc](?=\\w)")


def slugify(title: str) -> str:
    """Return *title* as the name of a branch: lowercase NFC, words joined by `-`.

    It has 1 to 80 bytes. Letters, digits and combining marks of any script stay; everything else
    (dots, slashes, controls) separates words, and invisible characters vanish. Never empty and
    never a reserved name.
    """
    visible = without_invisible(_APOSTROPHE.sub("", title)).lower()
    kept = normalize("NFC", "".join(map(_letter, visible)))
    joined = "-".join(list_words(kept))
    slug = cut_name(joined, MAX_BYTES, separator="-", ends="-") or "note"
    if _RESERVED.fullmatch(fold(slug)):
        return f"{slug}-note"
    return slug


def _letter(char: str) -> str:
    kind = category(char)
    if kind[0] in "LNM":
        return char
    if kind == "Cf":
        return ""
    return " "
