"""Rules that find where two statements cannot both be so: negation, opposites, exclusive words,
numbers, one slot.
"""

from typing import NamedTuple

from companion.language.lexicon import Lexicon
from companion.language.relations.statement import Reading

_TIMES = frozenset(("date", "year"))
# two that differ in more than what opposes may both be so; lower costs SICK more than it saves
_APART = 0.85


class Finding(NamedTuple):
    """One rule that fired."""

    rule: str
    strength: float  # in [0, 1]
    reason: str  # words and numbers, never a quote


def shared(a: Reading, b: Reading, matched: int = 0) -> float:
    """Return the share of content words that two statements have in common, by the mean of their
    counts, in [0, 1].

    *matched* words of each that differ count as common: those that a rule has set against each
    other.
    """
    total = len(a.content) + len(b.content)
    return (
        min(1.0, 2 * (len(a.content & b.content) + matched) / total)
        if total
        else float(a.values == b.values)
    )


def same_matter(a: Reading, b: Reading) -> bool:
    """Tell whether two statements have the same content words and the same values."""
    return a.content == b.content and a.values == b.values


def findings(a: Reading, b: Reading, words: Lexicon, similarity: float) -> list[Finding]:
    """Return what speaks for opposition, the strongest first; the order of *a* and *b* does not
    matter.
    """
    closeness = nearness(shared(a, b), similarity)
    opposites, rival = opposed(a, b, words), _rivals(a, b, words)
    found = [_negation(a, b, words, opposites, closeness)]
    found += [_opposite(a, b, words, opposites, nearness(shared(a, b, opposites), similarity))]
    found += [
        _exclusive(a, b, rival, nearness(shared(a, b, rival), similarity)),
        _number(a, b, closeness),
    ]
    found += [_slot(a, b, words, similarity)]
    return sorted((f for f in found if f is not None), key=lambda f: (-f.strength, f.rule))


def nearness(overlap: float, similarity: float) -> float:
    """Return how surely two statements are on one matter, in [0, 1]; below it no difference means
    anything.
    """
    near = (0.5 * overlap + 0.5 * max(similarity, 0.0) - 0.15) / 0.7
    return min(1.0, max(0.0, near))


def _negation(
    a: Reading, b: Reading, words: Lexicon, opposites: int, closeness: float
) -> Finding | None:
    if bool(a.denied) == bool(b.denied):
        return None
    denying, other = (a, b) if a.denied else (b, a)
    reach = max(_covered(reach, other.said) for reach in denying.denied)
    if opposites:  # "not open" against "closed" agrees
        return None
    strength = closeness * (0.55 + 0.4 * reach) * _apart(a, b, words)
    return Finding(
        "negation",
        strength,
        f"negation in one only, {round(100 * reach)} % of what it reaches is in the other",
    )


def _covered(reach: frozenset[str], said: frozenset[str]) -> float:
    return len(reach & said) / len(reach) if reach else 0.5


def opposed(a: Reading, b: Reading, words: Lexicon) -> int:
    """Return how many words of one statement have an opposite in the other that it does not say
    itself.
    """
    left = (a.content | a.pairs) - b.content - b.pairs
    right = (b.content | b.pairs) - a.content - a.pairs
    # "before lunch", "after lunch": the little words are all that differs
    if a.content == b.content:
        left, right = (
            frozenset(words.stem(word) for word in set(one.words) - set(other.words))
            for one, other in ((a, b), (b, a))
        )
    count = sum(not words.opposites.get(stem, frozenset()).isdisjoint(right) for stem in left)
    return count + _prefixed(left, right, words) + _prefixed(right, left, words)


def _prefixed(left: frozenset[str], right: frozenset[str], words: Lexicon) -> int:
    return sum(
        len(stem) > 3 and any(prefix + stem in right for prefix in words.prefixes) for stem in left
    )


def _opposite(
    a: Reading, b: Reading, words: Lexicon, opposites: int, closeness: float
) -> Finding | None:
    if not opposites or bool(a.denied) != bool(b.denied):
        return None
    weight = 0.9 if a.definite and b.definite else 0.65
    return Finding(
        "opposites",
        weight * closeness * _apart(a, b, words),
        counted(opposites, "pair") + " of opposites",
    )


def _apart(a: Reading, b: Reading, words: Lexicon) -> float:
    """Return a factor below 1 where either side has matter of its own: "on in production", "off in
    staging".
    """
    return _APART if _own(a, b, words) and _own(b, a, words) else 1.0


def _own(a: Reading, b: Reading, words: Lexicon) -> bool:
    return any(
        words.opposites.get(stem, frozenset()).isdisjoint(b.content)
        for stem in a.content - b.content
    )


def _rivals(a: Reading, b: Reading, words: Lexicon) -> int:
    left, right = (_sets(one.content - other.content, words) for one, other in ((a, b), (b, a)))
    return len(left & right)


def _exclusive(a: Reading, b: Reading, count: int, closeness: float) -> Finding | None:
    if not count or a.denied or b.denied:
        return None
    weight = 0.75 if a.definite and b.definite else 0.4
    return Finding(
        "exclusive",
        weight * closeness,
        f"{counted(count, 'pair')} of words that exclude each other",
    )


def _sets(stems: frozenset[str], words: Lexicon) -> frozenset[int]:
    return frozenset(number for stem in stems for number in words.rivals.get(stem, ()))


def _number(a: Reading, b: Reading, closeness: float) -> Finding | None:
    kinds = [
        kind
        for kind in a.values.keys() & b.values.keys()
        if a.values[kind].isdisjoint(b.values[kind])
    ]
    if not kinds or a.denied or b.denied:
        return None
    weight = 0.8 if a.definite and b.definite else 0.5
    # two measurements at two times are a series
    if len(kinds) > 1 and not _TIMES.isdisjoint(kinds):
        weight = 0.4
    return Finding(
        "number",
        weight * closeness,
        counted(len(kinds), "kind") + " of number or date with other values",
    )


def _slot(a: Reading, b: Reading, words: Lexicon, similarity: float) -> Finding | None:
    frame = frame_of(a.words, b.words)
    if frame is None or bool(a.denied) != bool(b.denied) or (same_matter(a, b) and a.values):
        return None
    if a.definite and is_single(frame, words):
        filled = min(len(a.content - b.content), len(b.content - a.content))
        return Finding(
            "slot",
            0.75 * nearness(shared(a, b, filled), similarity),
            "one slot of a single-valued frame differs",
        )
    return Finding(
        "slot",
        0.25 * nearness(shared(a, b), similarity),
        "one slot of the same frame has another value",
    )


def counted(count: int, noun: str) -> str:
    """Return "1 pair", "2 pairs"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


SLOT = 4  # words that a slot holds at most


class Frame(NamedTuple):
    """What two statements have in common around the one place where they differ."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def frame_of(a: tuple[str, ...], b: tuple[str, ...]) -> Frame | None:
    """Return the frame of two word sequences that differ in one short place; None when there is no
    such frame.
    """
    short = min(len(a), len(b))
    start = next((n for n in range(short) if a[n] != b[n]), short)
    end = next((n for n in range(short - start) if a[-1 - n] != b[-1 - n]), short - start)
    left, right = len(a) - start - end, len(b) - start - end
    if not (0 < left <= SLOT and 0 < right <= SLOT) or start + end < 2:
        return None
    return Frame(a[:start], a[len(a) - end :])


def is_single(frame: Frame, words: Lexicon) -> bool:
    """Tell whether what stands before the slot has one value at a time: "lives in" has, "likes" has
    not.
    """
    if not frame.before:
        return False
    before = " " + " ".join(frame.before)
    if frame.after or any(before.endswith(" " + phrase) for phrase in words.multiple):
        return False
    owned = frame.before[-1] in words.copula and not words.owned.isdisjoint(frame.before[:-1])
    return owned or any(before.endswith(" " + phrase) for phrase in words.single)
