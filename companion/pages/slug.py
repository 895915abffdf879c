"""Names of branches: readable, and safe in git and in the name of a folder."""

import re
from unicodedata import category, normalize

from companion.pages.links import fold

MAX_BYTES = 80

# Names Windows keeps for devices (superscript digits too). Pages had such names once, and those
# called readme, agents or claude are no entries in a wiki.
_RESERVED = re.compile(
    r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]|readme|agents|claude"
)
# Letters and marks that show nothing: two names could look alike, and git's protections ignore
# some.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_APOSTROPHE = re.compile("(?<=\\w)['\u2019\u02bc](?=\\w)")


def slugify(title: str) -> str:
    """Return *title* as the name of a branch: lowercase NFC, words joined by `-`.

    It has 1 to 80 bytes. Letters, digits and combining marks of any script stay; everything else
    (dots, slashes, controls) separates words, and invisible characters vanish. Never empty and
    never a reserved name.
    """
    visible = _INVISIBLE.sub("", _APOSTROPHE.sub("", title)).lower()
    kept = normalize("NFC", "".join(map(_letter, visible)))
    words = [word.lstrip(_marks(word)) for word in kept.split()]
    slug = _cut("-".join(filter(None, words)), MAX_BYTES) or "note"
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


def _marks(word: str) -> str:
    """Return the marks of *word*: at its start they have nothing to stand on."""
    return "".join(char for char in word if category(char)[0] == "M")


def _cut(slug: str, limit: int) -> str:
    """Return at most *limit* bytes of *slug*.

    It is cut between words where that costs less than half, else between graphemes.
    """
    raw = slug.encode("utf-8")
    if len(raw) <= limit:
        return slug
    short = raw[:limit].decode("utf-8", "ignore")
    following = slug[len(short)]
    if following == "-":
        return short.rstrip("-")
    words = short.rpartition("-")[0]
    if len(words) * 2 > len(short):
        return words
    return _whole(short, following) or short


def _whole(short: str, following: str) -> str:
    """Return *short* without a last letter whose marks the cut would take away."""
    if category(following)[0] != "M":
        return short
    return short.rstrip(_marks(short) or "\0")[:-1].rstrip("-")
