"""Rules that find where two statements cannot both be so.

Negation, opposites, words that exclude each other, numbers, one slot.
"""

from itertools import product
from typing import NamedTuple

from companion.language.detect import WordSet
from companion.language.lexicon import Lexicon
from companion.language.relations.statement import Reading

MAX_SLOT = 4  # words that a slot holds at most
_TIMES = frozenset(("date", "year"))
# two that differ in more than what opposes may both be so; lower costs SICK more than it saves
_APART = 0.85


class _Weights(NamedTuple):
    """The weight of a rule, by whether both statements begin with something in particular."""

    definite: float
    other: float


_OPPOSITES = _Weights(0.9, 0.65)
_EXCLUSIVE = _Weights(0.75, 0.4)
_NUMBERS = _Weights(0.8, 0.5)


class Finding(NamedTuple):
    """One rule that fired."""

    rule: str
    strength: float  # in [0, 1]
    reason: str  # words and numbers, never a quote


class Frame(NamedTuple):
    """The words that two statements share around the one place where they differ."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def share_in_common(a: Reading, b: Reading, matched: int = 0) -> float:
    """Return the share of content words that two statements have in common, in [0, 1].

    By the mean of their counts. *matched* words of each that differ count as common: those that a
    rule has set against each other.
    """
    total = len(a.content) + len(b.content)
    if not total:
        return float(a.values == b.values)
    return min(1.0, 2 * (len(a.content & b.content) + matched) / total)


def is_same_matter(a: Reading, b: Reading) -> bool:
    """Tell whether two statements have the same content words and the same values."""
    return a.content == b.content and a.values == b.values


def find_opposition(
    a: Reading, b: Reading, lexicon: Lexicon, similarity: float
) -> list[Finding]:
    """Return what speaks for opposition, the strongest first, for two statements in any order."""
    opposites = count_opposites(a, b, lexicon)
    rivals = _count_rivals_of_one(a, b, lexicon)
    near = nearness(share_in_common(a, b), similarity)
    near_with_opposites = nearness(share_in_common(a, b, opposites), similarity)
    near_with_rivals = nearness(share_in_common(a, b, rivals), similarity)
    findings = [
        _find_negation(a, b, lexicon, opposites, near),
        _find_opposites(a, b, lexicon, opposites, near_with_opposites),
        _find_exclusion(a, b, rivals, near_with_rivals),
        _find_numbers(a, b, near),
        _find_slot(a, b, lexicon, similarity),
    ]
    fired = [finding for finding in findings if finding is not None]
    return sorted(fired, key=lambda finding: (-finding.strength, finding.rule))


def nearness(overlap: float, similarity: float) -> float:
    """Return how surely two statements are on one matter, in [0, 1].

    Where it is 0 no difference between them means anything.
    """
    near = (0.5 * overlap + 0.5 * max(similarity, 0.0) - 0.15) / 0.7
    return min(1.0, max(0.0, near))


def count_opposites(a: Reading, b: Reading, lexicon: Lexicon) -> int:
    """Return how many words of one statement have an opposite that only the other says."""
    left = (a.content | a.pairs) - b.content - b.pairs
    right = (b.content | b.pairs) - a.content - a.pairs
    # "before lunch", "after lunch": the little words are all that differs
    if a.content == b.content:
        left = _own_stems(a, b, lexicon)
        right = _own_stems(b, a, lexicon)
    count = sum(_has_opposite(stem, right, lexicon) for stem in left)
    return (
        count
        + _count_prefixed(left, right, lexicon)
        + _count_prefixed(right, left, lexicon)
    )


def frame_of(a: tuple[str, ...], b: tuple[str, ...]) -> Frame | None:
    """Return the frame of two word sequences that differ in one short place, else None."""
    short = min(len(a), len(b))
    start = 0
    while start < short and a[start] == b[start]:
        start += 1
    end = 0
    while end < short - start and a[-1 - end] == b[-1 - end]:
        end += 1
    common = start + end
    longest = max(len(a), len(b)) - common
    if common < 2 or common == short or longest > MAX_SLOT:
        return None
    return Frame(a[:start], a[len(a) - end :])


def is_single(frame: Frame, lexicon: Lexicon) -> bool:
    """Tell whether what stands before the slot has one value at a time.

    "Lives in" has, "likes" has not.
    """
    if not frame.before or frame.after:
        return False
    before = " " + " ".join(frame.before)
    if _ends_with_any(before, lexicon.multiple):
        return False
    *others, last = frame.before
    if last in lexicon.copula and not lexicon.owned.isdisjoint(others):
        return True
    return _ends_with_any(before, lexicon.single)


def counted(count: int, noun: str) -> str:
    """Return "1 pair", "2 pairs"."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun}s"


def differ_in_denial(a: Reading, b: Reading) -> bool:
    """Tell whether one of two statements denies something and the other nothing."""
    return bool(a.denials) != bool(b.denials)


def differing_kinds(a: Reading, b: Reading) -> list[str]:
    """Return the kinds of value that both statements give, and differently."""
    kinds = a.values.keys() & b.values.keys()
    return [kind for kind in kinds if a.values[kind].isdisjoint(b.values[kind])]


def _ends_with_any(before: str, phrases: tuple[str, ...]) -> bool:
    return any(before.endswith(" " + phrase) for phrase in phrases)


def _find_negation(
    a: Reading, b: Reading, lexicon: Lexicon, opposites: int, closeness: float
) -> Finding | None:
    if not differ_in_denial(a, b):
        return None
    if opposites:  # "not open" against "closed" agrees
        return None
    reach = max(*_reaches(a, b), *_reaches(b, a), 0.0)
    strength = closeness * (0.55 + 0.4 * reach) * _apart(a, b, lexicon)
    percent = round(100 * reach)
    reason = (
        "one denies what the other says; "
        f"{percent} % of what it denies is in the other"
    )
    return Finding("negation", strength, reason)


def _reaches(denying: Reading, other: Reading) -> list[float]:
    """Return of each denial the share of its words that *other* says, 0.5 where it has no words."""
    shares: list[float] = []
    for stems in denying.denials:
        if stems:
            shares.append(len(stems & other.stems) / len(stems))
        else:
            shares.append(0.5)
    return shares


def _own_stems(a: Reading, b: Reading, lexicon: Lexicon) -> WordSet:
    """Return the stems of the words that only *a* has."""
    return frozenset(lexicon.stem(word) for word in set(a.words) - set(b.words))


def _has_opposite(stem: str, others: WordSet, lexicon: Lexicon) -> bool:
    return not lexicon.opposites.get(stem, frozenset()).isdisjoint(others)


def _count_prefixed(left: WordSet, right: WordSet, lexicon: Lexicon) -> int:
    """Return how many of *left* stand in *right* with a negative prefix: "comfortable"."""
    count = 0
    for stem in left:
        if len(stem) > 3 and _has_prefixed(stem, right, lexicon):
            count += 1
    return count


def _has_prefixed(stem: str, others: WordSet, lexicon: Lexicon) -> bool:
    return any(prefix + stem in others for prefix in lexicon.prefixes)


def _weigh(weights: _Weights, a: Reading, b: Reading) -> float:
    if a.definite and b.definite:
        return weights.definite
    return weights.other


def _find_opposites(
    a: Reading, b: Reading, lexicon: Lexicon, opposites: int, closeness: float
) -> Finding | None:
    if not opposites or differ_in_denial(a, b):
        return None
    if _tell_things_apart(a, b, lexicon):
        return None
    weight = _weigh(_OPPOSITES, a, b)
    strength = weight * closeness * _apart(a, b, lexicon)
    reason = f"opposite words; {counted(opposites, 'pair')} of them"
    return Finding("opposites", strength, reason)


def _tell_things_apart(a: Reading, b: Reading, lexicon: Lexicon) -> bool:
    """Tell whether opposite sizes say of what each statement is: of big dogs, and of small ones."""
    mine, theirs = _sized_subject(a, lexicon), _sized_subject(b, lexicon)
    if not mine or mine[1:] != theirs[1:]:
        return False
    return _has_opposite(mine[0], frozenset(theirs[:1]), lexicon)


def _sized_subject(reading: Reading, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the stems of a size and its noun that begin a statement before a finite verb: of "the
    big gate is open"; nothing where they do not.
    """
    words = reading.words
    start = 0
    while start < len(words) and words[start] in lexicon.articles:
        start += 1
    size_noun_verb = words[start : start + 3]
    if len(size_noun_verb) < 3:
        return ()
    size, noun, verb = size_noun_verb
    if size not in lexicon.sizes or verb not in lexicon.finite:
        return ()
    return lexicon.stem(size), lexicon.stem(noun)


def _apart(a: Reading, b: Reading, lexicon: Lexicon) -> float:
    """Return a factor below 1 where both sides have matter of their own.

    "On in production", "off in staging".
    """
    if _has_own_matter(a, b, lexicon) and _has_own_matter(b, a, lexicon):
        return _APART
    return 1.0


def _has_own_matter(a: Reading, b: Reading, lexicon: Lexicon) -> bool:
    own = a.content - b.content
    return any(not _has_opposite(stem, b.content, lexicon) for stem in own)


def _count_rivals_of_one(a: Reading, b: Reading, lexicon: Lexicon) -> int:
    """Return how many sets of words that exclude each other have one in each, said of one thing.

    The pads come on Friday, and the bike is back on Saturday: each clause says something that the
    other does not, so that both may be so.
    """
    left = _rival_sets(a.content - b.content, lexicon)
    right = _rival_sets(b.content - a.content, lexicon)
    common = left & right
    return sum(_is_of_one(number, a, b, lexicon) for number in common)


def _is_of_one(number: int, a: Reading, b: Reading, lexicon: Lexicon) -> bool:
    """Tell whether a clause of each with a word of set *number* says nothing that the other's does
    not.
    """
    pairs = product(
        _list_matters(number, a, lexicon), _list_matters(number, b, lexicon)
    )
    return any(one <= other or other <= one for one, other in pairs)


def _list_matters(
    number: int, reading: Reading, lexicon: Lexicon
) -> list[WordSet]:
    """Return the matter of each clause that has a word of set *number*, without these words."""
    matters = []
    for clause in reading.clauses:
        rivals = {stem for stem in clause if number in _sets_of(stem, lexicon)}
        if rivals:
            matters.append(clause - rivals)
    return matters


def _rival_sets(stems: WordSet, lexicon: Lexicon) -> frozenset[int]:
    sets = [_sets_of(stem, lexicon) for stem in stems]
    return frozenset[int]().union(*sets)


def _sets_of(stem: str, lexicon: Lexicon) -> frozenset[int]:
    return lexicon.rivals.get(stem, frozenset())


def _find_exclusion(
    a: Reading, b: Reading, rivals: int, closeness: float
) -> Finding | None:
    if not rivals or a.denials or b.denials:
        return None
    strength = _weigh(_EXCLUSIVE, a, b) * closeness
    reason = f"words that exclude each other; {counted(rivals, 'pair')} of them"
    return Finding("exclusive", strength, reason)


def _find_numbers(a: Reading, b: Reading, closeness: float) -> Finding | None:
    kinds = differing_kinds(a, b)
    if not kinds or a.denials or b.denials:
        return None
    weight = _weigh(_NUMBERS, a, b)
    # two measurements at two times are a series
    if len(kinds) > 1 and not _TIMES.isdisjoint(kinds):
        weight = 0.4
    count = counted(len(kinds), "kind")
    reason = f"same matter, different number or date; {count} of value"
    return Finding("number", weight * closeness, reason)


def _find_slot(
    a: Reading, b: Reading, lexicon: Lexicon, similarity: float
) -> Finding | None:
    frame = frame_of(a.words, b.words)
    if frame is None or differ_in_denial(a, b):
        return None
    if a.values and is_same_matter(a, b):
        return None
    if not a.definite or not is_single(frame, lexicon):
        strength = 0.25 * nearness(share_in_common(a, b), similarity)
        reason = "same sentence, another value"
        return Finding("slot", strength, reason)
    filled = min(len(a.content - b.content), len(b.content - a.content))
    strength = 0.75 * nearness(share_in_common(a, b, filled), similarity)
    reason = "same sentence, another value; only one can be so"
    return Finding("slot", strength, reason)
