"""The signs that a sentence of a note contests a sentence of a page.

Each rule looks for one sign: a denial, another number, another name, other words in the same place,
an opposite. The strongest one counts.
"""

from collections.abc import Collection, Iterable, Iterator
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from companion.language.detect import WordSet
from companion.language.relations.compare_sentences import (
    opposites_in,
    rivals_in,
    say_the_same,
    share_value,
    states_change,
    words_in_place,
)
from companion.language.relations.opposition import count_opposites
from companion.language.relations.topic_sentence import (
    NumberRange,
    TopicSentence,
)

_MAX_BARE_KEYS = 6  # words beside a bare number that shares none with the page
# a bare number of so many digits is a name: a port, a room, an account
_MIN_DIGITS = 3
# what instruments measure, each time a little differently
_SIZES = ("length", "mass", "volume", "energy", "power", "volts", "frequency")
_MEASURED = (*_SIZES, "celsius", "fahrenheit", "degrees")
# what differs by a greater share was measured anew
_MEASURED_WITHIN = Decimal("0.03")
_TEMPORAL = ("date", "year", "nth ", "clock", "time", "duration")


class Contest(NamedTuple):
    """The sign that a note has against one sentence of a page."""

    strength: float  # in [0, 1]; 0 where it has nothing
    reason: str
    # words that the note puts in the place; empty where it only denies
    note_value: WordSet = frozenset()
    page_value: WordSet = frozenset()  # words that the page has there


SILENT = Contest(0.0, "it contests nothing that the page states")


class _OtherValues(NamedTuple):
    values: WordSet
    needs_matter: bool  # they only count beside words of the matter


def strongest_sign(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the strongest sign that *note* contests *belief*, `SILENT` where there is none."""
    if say_the_same(belief, note) or states_change(note, belief):
        return SILENT
    signs = [
        _contest_by_denial(belief, note),
        _contest_by_number(belief, note),
        _contest_by_name(belief, note),
        _contest_by_place(belief, note),
        _contest_by_opposite(belief, note),
    ]
    return max(signs, key=_strength)


def _strength(sign: Contest) -> float:
    return sign.strength


# -- denial ---------------------------------------------------------------------------------------


def _contest_by_denial(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the sign that it denies what the page states, or calls it wrong."""
    if note.denies == belief.denies or not belief.all_keys & note.all_keys:
        return SILENT
    if note.denies:
        covered = _denied_share(note, belief)
        note_value = WordSet()
    else:
        covered = _denied_share(belief, note)
        note_value = note.value
    if covered is None:
        return SILENT
    strength = round(0.7 + 0.25 * min(1.0, covered), 6)
    reason = f"it denies {round(100 * covered)} % of what the page states"
    return Contest(strength, reason, note_value, belief.value)


def _denied_share(denying: TopicSentence, other: TopicSentence) -> float | None:
    """Return the share of what *other* states that *denying* denies, None if it is too little."""
    matter = other.keys | other.value
    if not matter:
        return None
    reach = denying.denied_keys
    if reach & (other.verbs | other.topic.keys):
        reach = denying.all_keys
    covered = len(reach & matter) / len(matter)
    value_denied = bool(other.value) and other.value <= reach
    if covered < 0.5 and not value_denied:
        return None
    if _denies_another_value(denying, other, reach):
        return None
    return covered


def _denies_another_value(
    denying: TopicSentence, other: TopicSentence, reach: WordSet
) -> bool:
    """Tell whether a denial is of another value than *other* states: "not allergic to milk"."""
    if other.value and not other.value & reach:
        in_place = words_in_place(denying, other)
        if in_place - other.all_keys:
            return True
    if not denying.denied_numbers or not other.bare_numbers:
        return False
    return other.bare_numbers.isdisjoint(denying.denied_numbers)


# -- numbers --------------------------------------------------------------------------------------


def _contest_by_number(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the sign that a number, date or code of one kind has another value."""
    if belief.denies or belief.bare_numbers & note.bare_numbers:
        return SILENT
    if _any_within(belief.bare_numbers, note.ranges):
        return SILENT
    exchanged = _is_exchanged(belief, note)
    if note.denies and not exchanged:
        return SILENT
    best = SILENT
    for kind, values in belief.values.items():
        for other in _other_values(kind, belief, note):
            if other.needs_matter and not exchanged:
                sign = _sign_with_matter(values, other.values, belief, note)
            else:
                sign = _number_sign(values, other.values, belief, note)
            best = max(best, sign, key=_strength)
    return best


def _is_exchanged(belief: TopicSentence, note: TopicSentence) -> bool:
    """Tell whether the note denies the number of the page: "443, not 440"."""
    return not belief.bare_numbers.isdisjoint(note.denied_numbers)


def _any_within(
    numbers: Collection[str], ranges: Iterable[NumberRange]
) -> bool:
    for number, stretch in product(numbers, ranges):
        if stretch.low <= float(number) <= stretch.high:
            return True
    return False


def _other_values(
    kind: str, belief: TopicSentence, note: TopicSentence
) -> Iterator[_OtherValues]:
    """Yield the values that *note* has in the place of those of one *kind* of *belief*."""
    values = belief.values[kind]
    exchanged = _is_exchanged(belief, note)
    for other, theirs in note.values.items():
        stated = theirs - note.denied_numbers
        if not stated:
            continue
        comparable = _is_comparable(kind, other, belief, note)
        if comparable and not _is_same_value(kind, stated, belief, note):
            beside = note.values_beside(stated, belief.beside_numbers)
            yield _OtherValues(beside, kind.startswith(_TEMPORAL))
        elif exchanged and other.startswith("number"):
            converted = belief.in_unit_of(stated, values)
            yield _OtherValues(converted, needs_matter=False)
    if _counts_one_instead(kind, belief, note):
        yield _OtherValues(frozenset("1"), needs_matter=True)


def _is_same_value(
    kind: str, stated: WordSet, belief: TopicSentence, note: TopicSentence
) -> bool:
    """Tell whether the note has *stated* a value of the page, or one measures the other more
    closely: 28.1 is 28.
    """
    values = belief.values[kind]
    if not values.isdisjoint(stated):
        return True
    if kind not in _MEASURED:
        return False
    # as they are written: what is converted has other decimals than who measured wrote
    pairs = product(values & belief.bare_numbers, stated & note.bare_numbers)
    return any(_is_closer(one, other) for one, other in pairs)


def _is_closer(one: str, other: str) -> bool:
    """Tell whether one of two numbers has more decimals, and differs from the other by less than
    half of its last place and 3 percent of it.
    """
    rough, close = sorted((Decimal(one), Decimal(other)), key=_places)
    if _places(rough) == _places(close):
        return False
    half = Decimal(5).scaleb(-_places(rough) - 1)
    apart = abs(close - rough)
    return apart < half and apart <= _MEASURED_WITHIN * abs(rough)


def _places(number: Decimal) -> int:
    """Return how many decimals *number* has; 1000 has none."""
    return max(0, -int(number.as_tuple().exponent))


def _counts_one_instead(
    kind: str, belief: TopicSentence, note: TopicSentence
) -> bool:
    """Tell whether the page counts several of what the note says to be one."""
    if not kind.startswith("number") or "1" in belief.values[kind]:
        return False
    if not belief.verbs <= note.keys:
        return False
    return note.says_one_of(belief.counted_nouns)


def _number_sign(
    values: WordSet,
    others: WordSet,
    belief: TopicSentence,
    note: TopicSentence,
) -> Contest:
    sign = _sign_with_matter(values, others, belief, note)
    if sign.strength:
        return sign
    if note.bounds or len(note.keys) > _MAX_BARE_KEYS:
        return SILENT
    return Contest(0.62, "another value of one kind", others, values)


def _sign_with_matter(
    values: WordSet,
    others: WordSet,
    belief: TopicSentence,
    note: TopicSentence,
) -> Contest:
    shared = len(belief.keys & note.keys)
    if not shared:
        return SILENT
    reason = f"another value of one kind, {shared} words of the matter shared"
    return Contest(0.75, reason, others, values)


def _is_comparable(
    kind: str, other: str, belief: TopicSentence, note: TopicSentence
) -> bool:
    """Tell whether a value of one *kind* and one of an *other* kind may be of one matter."""
    if kind == other and kind not in ("number ", "nth "):
        return True
    if not kind.startswith("number") or not other.startswith("number"):
        return False
    if belief.beside_numbers & note.beside_numbers:
        return True
    if not _is_bare(belief, kind) or not _is_bare(note, other):
        return False
    return _are_names_alike(belief.values[kind], note.values[other])


def _is_bare(sentence: TopicSentence, kind: str) -> bool:
    return kind == "number " or bool(sentence.beside_numbers)


def _are_names_alike(numbers: WordSet, others: WordSet) -> bool:
    """Tell whether numbers are long enough for names, and have the same lengths."""
    lengths = {len(number) for number in numbers}
    if lengths != {len(number) for number in others}:
        return False
    return min(lengths, default=0) >= _MIN_DIGITS


# -- names, places, opposites ---------------------------------------------------------------------


def _contest_by_name(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the sign that another name stands in the place of a name."""
    if note.denies or belief.denies:
        return SILENT
    if not belief.names or belief.names & note.all_keys:
        return SILENT
    rivals = note.names
    shared = belief.predicate & note.keys
    # "the database is PostgreSQL"
    if not belief.predicate and belief.identified_as():
        rivals = note.names & note.identified_as()
    elif not shared:
        return SILENT
    if not rivals:
        return SILENT
    reason = f"another name, {len(shared)} words of the matter shared"
    return Contest(0.7, reason, rivals, belief.names)


def _contest_by_place(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the sign that other words stand in the place of the page's.

    After the same predicate, before it turned around, or before its noun.
    """
    if note.denies or belief.denies or note.adds:
        return SILENT
    missing = belief.value - note.all_keys
    if not missing or not belief.predicate & note.keys:
        return SILENT
    if share_value(note, belief):
        return SILENT
    others = words_in_place(note, belief) - belief.all_keys
    if not others:
        return SILENT
    return Contest(0.65, "other words in the same place", others, missing)


def _contest_by_opposite(belief: TopicSentence, note: TopicSentence) -> Contest:
    """Return the sign that it says the opposite, or another of words that exclude each other."""
    if note.denies or belief.denies:
        return SILENT
    opposites = opposites_in(note, belief)
    shared = belief.predicate & note.keys
    if opposites and count_opposites(
        belief.reading, note.reading, belief.lexicon
    ):
        reason = "the opposite of what the page states"
        return Contest(0.65, reason, opposites, belief.value)
    if not shared:
        return SILENT
    rivals = rivals_in(note, belief)
    if not rivals:
        return SILENT
    reason = "one of words that exclude each other"
    return Contest(0.7, reason, rivals, belief.value)
