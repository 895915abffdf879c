"""Words that share a part: forms of one word, and compounds of it ("Milbenfall", "Milben")."""

from collections.abc import Sequence
from functools import lru_cache

from companion.language.names.name_forms import name_forms, without_umlaut

# letters of a word that another may begin with, and of one that it may end with
_MODIFIER = 4
_HEAD = 5
# letters by which one word is longer than its part: less is an ending
_REST = 3
# letters that two words begin with alike, and the part of the shorter that this is
_ALIKE = 5
_SHARE = 0.7


@lru_cache(maxsize=65536)
def word_likeness(one: str, other: str) -> float:
    """Return how much two folded words have in common, in [0, 1].

    1 for the same word, less for forms of one, then for a compound and its last part, a compound
    and its first, and words of one stem.
    """
    if one == other:
        return 0.5 if one.isdigit() else 1.0
    if one.isdigit() or other.isdigit():
        return 0.0
    ours, theirs = name_forms(one), name_forms(other)
    if not set(ours).isdisjoint(theirs):
        return 0.95
    stems = (_shortest(ours), _shortest(theirs))
    short, long = sorted(stems, key=len)
    if len(short) >= _HEAD and long.endswith(short):
        return 0.8
    if len(short) >= _MODIFIER and long.startswith(short):
        return 0.7
    alike = _count_alike(short, long)
    if alike >= _ALIKE and alike >= _SHARE * len(short):
        return 0.6
    return 0.0


def is_compound_of(word: str, part: str) -> bool:
    """Tell whether the folded *word* is a compound that begins or ends with *part*."""
    if len(word) < len(part) + _REST:
        return False
    if len(part) >= _HEAD and word.endswith(part):
        return True
    # "Schule", "Schulfest": the last letter may go
    stem = part.removesuffix("e")
    return len(stem) >= _MODIFIER and word.startswith(stem)


def list_modifiers(word: str) -> list[str]:
    """Return what the folded *word* begins with and may be a compound of, longest first."""
    ends = range(len(word) - _REST, _MODIFIER - 1, -1)
    modifiers: list[str] = []
    for end in ends:
        modifiers += [word[:end], f"{word[:end]}e"]
    return modifiers


def _shortest(forms: Sequence[str]) -> str:
    return without_umlaut(min(forms, key=len))


def _count_alike(one: str, other: str) -> int:
    count = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        count += 1
    return count
