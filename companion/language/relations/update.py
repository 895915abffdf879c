"""Find whether the later of two statements gives another value for the same matter.

Likeness, another value, words of change.
"""

from typing import NamedTuple

from companion.language.detect import WordSet
from companion.language.lexicon import Lexicon
from companion.language.relations.opposition import (
    Finding,
    count_opposites,
    counted,
    differ_in_denial,
    differing_kinds,
    frame_of,
    is_same_matter,
    is_single,
    share_in_common,
)
from companion.language.relations.statement import Reading

_HALF = 1.0  # evidence at which the score is one half
# of the score where nothing but likeness speaks for it, so that it stays below one half
_MERELY_ALIKE = 0.7


class _Sign(NamedTuple):
    weight: float
    reason: str


def find_update(
    earlier: Reading, later: Reading, lexicon: Lexicon, similarity: float
) -> Finding:
    """Return how surely *later* replaces a value that *earlier* gave, in [0, 1], with its grounds.

    Evidence is likeness, multiplied for words of change in the later statement and for each sign
    that the value is another: it denies or leaves what the earlier one said, a number, date or code
    of one kind differs, or one slot of the same frame does. Without likeness nothing is evidence:
    two changes in one talk are mostly about two matters.
    """
    turned = _turns_to_opposite(earlier, later, lexicon)
    replaces = turned or _ends_state(earlier, later)
    replaces = replaces or has_come_about(earlier, later)
    if not replaces and not _says_something_new(earlier, later):
        return Finding("update", 0.0, "the later one says nothing new")
    signs = _signs(earlier, later, lexicon)
    if turned:
        signs.append(_Sign(1.0, "it states a change to the opposite"))
    score = _score(earlier, later, signs, similarity)
    grounds = [sign.reason for sign in signs]
    if later.changes:
        grounds.append(counted(later.changes, "word") + " of change")
    if not grounds:
        score = _MERELY_ALIKE * score
        grounds = ["alike, no sign of another value"]
    return Finding("update", score, "; ".join(grounds))


def _score(
    earlier: Reading, later: Reading, signs: list[_Sign], similarity: float
) -> float:
    """Return the evidence for an update as a number in [0, 1)."""
    likeness = max(0.0, similarity) + 0.5 * share_in_common(earlier, later)
    strength = sum(sign.weight for sign in signs)
    evidence = likeness * (1 + 0.6 * min(2, later.changes)) * (1 + strength)
    return evidence / (evidence + _HALF)


def has_come_about(earlier: Reading, later: Reading) -> bool:
    """Tell whether the later one denies nothing, and what the earlier one denies was waited for:
    "not paid yet".
    """
    return earlier.awaits and not later.denials


def _ends_state(earlier: Reading, later: Reading) -> bool:
    """Tell whether the later one says "no longer"; a mere denial is opposition."""
    return bool(later.changes) and differ_in_denial(earlier, later)


def _turns_to_opposite(
    earlier: Reading, later: Reading, lexicon: Lexicon
) -> bool:
    if not later.changes or differ_in_denial(earlier, later):
        return False
    return count_opposites(earlier, later, lexicon) > 0


def _says_something_new(earlier: Reading, later: Reading) -> bool:
    if is_same_matter(earlier, later):
        return False
    return bool(later.stems - earlier.stems) or bool(later.changes)


def _signs(earlier: Reading, later: Reading, lexicon: Lexicon) -> list[_Sign]:
    """Return the signs that the later one gives another value."""
    signs: list[_Sign] = []
    if _denies_earlier(earlier, later, lexicon):
        signs.append(_Sign(1.0, "it denies what the earlier one says"))
    if has_come_about(earlier, later) and any(
        _reaches(stems, later.stems) for stems in earlier.denials
    ):
        signs.append(_Sign(1.0, "what was not yet so has come about"))
    if _reaches(later.left, earlier.stems):
        signs.append(_Sign(1.0, "it leaves what the earlier one says"))
    kinds = differing_kinds(earlier, later)
    if kinds:
        reason = counted(len(kinds), "kind") + " of value differs"
        signs.append(_Sign(_weight_of_kinds(kinds), reason))
    frame = frame_of(earlier.words, later.words)
    if frame is not None and earlier.definite and is_single(frame, lexicon):
        signs.append(_Sign(1.0, "another value where only one can be so"))
    return signs


def _weight_of_kinds(kinds: list[str]) -> float:
    """Return more for a code or a rank, which names its thing, than for a number."""
    if any(kind.startswith(("code", "address", "nth")) for kind in kinds):
        return 1.5
    return 0.8


def _denies_earlier(earlier: Reading, later: Reading, lexicon: Lexicon) -> bool:
    """Tell whether it says "no longer", or "not this but that".

    Whatever else is said beside a mere denial, it is opposed and no update.
    """
    if not later.changes:
        says_more = bool(later.stems - earlier.stems)
        if not says_more or lexicon.instead.isdisjoint(later.words):
            return False
    return any(_reaches(stems, earlier.stems) for stems in later.denials)


def _reaches(stems: WordSet, others: WordSet) -> bool:
    """Tell whether at least half of *stems* are among *others*."""
    return bool(stems) and 2 * len(stems & others) >= len(stems)
