"""The rules shared by names of files and of branches: no invisible letters, and a fair cut."""

import re
from unicodedata import category

# Letters and marks that show nothing: two names could look alike, and git's protections ignore
# some.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def without_invisible(text: str) -> str:
    """Return *text* without letters and marks that show nothing."""
    return _INVISIBLE.sub("", text)


def list_words(text: str) -> list[str]:
    """Return the words of *text*; none begins with a mark, which would have nothing to stand on."""
    words = [word.lstrip(_marks(word)) for word in text.split()]
    return [word for word in words if word]


def cut_name(name: str, limit: int, *, separator: str, ends: str) -> str:
    """Return at most *limit* bytes of *name*, without characters of *ends* where it was cut.

    It is cut between words, which *separator* joins, where that costs less than half, else between
    graphemes.
    """
    raw = name.encode("utf-8")
    if len(raw) <= limit:
        return name
    short = raw[:limit].decode("utf-8", "ignore")
    following = name[len(short)]
    if following == separator:
        return short.rstrip(ends)
    words = short.rpartition(separator)[0].rstrip(ends)
    if len(words) * 2 > len(short):
        return words
    return _drop_cut_letter(short, following).rstrip(ends) or short


def _marks(word: str) -> str:
    return "".join(char for char in word if category(char)[0] == "M")


def _drop_cut_letter(short: str, following: str) -> str:
    """Return *short* without a last letter whose marks the cut would take away."""
    if category(following)[0] != "M":
        return short
    return short.rstrip(_marks(short) or "\0")[:-1]
