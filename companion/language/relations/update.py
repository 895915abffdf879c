"""Does the later of two statements give another value for the same matter? Likeness, another value,
words of change.
"""

from companion.language.lexicon import Lexicon
from companion.language.relations.opposition import (
    Finding,
    counted,
    frame_of,
    is_single,
    opposed,
    same_matter,
    shared,
)
from companion.language.relations.statement import Reading

_HALF = 1.0  # evidence at which the score is one half
# of the score where nothing but likeness speaks for it, so that it stays below one half
_MERELY_ALIKE = 0.7


def update(earlier: Reading, later: Reading, words: Lexicon, similarity: float) -> Finding:
    """Return how surely *later* replaces a value that *earlier* gave, as a score in [0, 1] with its
    grounds.

    Evidence is likeness, multiplied for words of change in the later statement and for each sign
    that the value is another: it denies or leaves what the earlier one said, a number, date or code
    of one kind differs, or one slot of the same frame does. Without likeness nothing is evidence:
    two changes in one talk are mostly about two matters.
    """
    # "no longer"; a mere denial is opposition
    ended = bool(earlier.denied) != bool(later.denied) and later.changes
    turned = (
        later.changes
        and bool(earlier.denied) == bool(later.denied)
        and opposed(earlier, later, words)
    )
    if not (ended or turned) and (
        same_matter(earlier, later) or not (later.said - earlier.said or later.changes)
    ):
        return Finding("update", 0.0, "the later one says nothing new")
    likeness = max(0.0, similarity) + 0.5 * shared(earlier, later)
    signs = _signs(earlier, later, words)
    if turned:
        signs.append((1.0, "it states a change to the opposite"))
    strength = sum(weight for weight, _ in signs)
    evidence = likeness * (1 + 0.6 * min(2, later.changes)) * (1 + strength)
    grounds = [reason for _, reason in signs]
    if later.changes:
        grounds.append(counted(later.changes, "word") + " of change")
    score = evidence / (evidence + _HALF)
    if not grounds:
        return Finding("update", _MERELY_ALIKE * score, "alike, no sign of another value")
    return Finding("update", score, "; ".join(grounds))


def _signs(earlier: Reading, later: Reading, words: Lexicon) -> list[tuple[float, str]]:
    found = []
    # "No longer", or "not this but that": whatever else is said beside a mere denial, it is opposed
    # and no update.
    instead = later.changes or (
        later.said - earlier.said and not words.instead.isdisjoint(later.words)
    )
    if instead and any(_reached(reach, earlier.said) for reach in later.denied):
        found.append((1.0, "it denies what the earlier one says"))
    if _reached(later.left, earlier.said):
        found.append((1.0, "it leaves what the earlier one says"))
    kinds = earlier.values.keys() & later.values.keys()
    other = [kind for kind in kinds if earlier.values[kind].isdisjoint(later.values[kind])]
    if other:
        coded = any(kind.startswith(("code", "address", "nth")) for kind in other)
        found.append((1.5 if coded else 0.8, counted(len(other), "kind") + " of value differs"))
    frame = frame_of(earlier.words, later.words)
    if frame is not None and earlier.definite and is_single(frame, words):
        found.append((1.0, "one slot of a single-valued frame differs"))
    return found


def _reached(reach: frozenset[str], said: frozenset[str]) -> bool:
    return bool(reach) and 2 * len(reach & said) >= len(reach)
