"""Does a note contest what a page states?

A lower bar than the relater's, for pages that others depend on (MaM §5.5). A belief that much rests
on is rarely contradicted in its own words. So a page is asked about as a whole, with its title:
which of its sentences is the note about, and does the note deny it, or give another value in the
same place? What the note puts in that place is its *position*: others that take it support it,
others that take a third one are its rivals. A change that is stated contests nothing; it is an
update.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.detect import tally
from companion.language.lexicon import fingerprint, language_of_pair
from companion.language.protocols import Identity
from companion.language.relations.opposition import count_opposites
from companion.language.relations.topic_sentence import (
    NumberRange,
    TopicSentence,
    narrow_topic,
    read_sentence,
)
from companion.language.relations.topics import topic_of
from companion.language.times.calendar import parse_moment
from companion.language.times.phrases import time_reader
from companion.values.relations import Relation, Statement

VERSION = "contest-2"
CONTESTED = 0.6  # strength of a sign that alone is enough

_MAX_SENTENCES = 12  # of either text, the first that are looked at
_MAX_WORDS = 30  # of a sentence: what is said in more is no plain statement
_BRIEF = 4  # sentences of a note that names its topic but once
_MAX_BARE_KEYS = 6  # words beside a bare number that shares none with the page
# what stands before a comma in so many is a statement of its own
_MIN_CLAUSE_WORDS = 4
# a bare number of so many digits is a name: a port, a room, an account
_MIN_DIGITS = 3
# of the way from the page's number to another one: so near to each other two measurements are one
_CLOSE = 0.15
_TEMPORAL = ("date", "year", "nth ", "clock", "time", "duration")
_DATED = ("year", "month", "day", "quarter", "week", "decade")
_COMMA = re.compile(r"[,;:] ")
_CLOSING = "\"'\u201d\u2019)]* "  # what may stand behind a question mark
# only whether a time is named counts
_ANY_MOMENT = parse_moment("2000-01-01T00:00:00Z")


class Contest(NamedTuple):
    """What a note has against one sentence of a page."""

    strength: float  # in [0, 1]; 0 where it has nothing
    reason: str
    # what it puts in the place; empty where it only denies
    taken: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()  # what the page has there


SILENT = Contest(0.0, "it contests nothing that the page states")


class LightContest:
    """Relater for a whole page (the earlier side, with its title) and a whole note."""

    @property
    def identity(self) -> Identity:
        return Identity(
            "light", VERSION, parameters=f'{{"lexicon":"{fingerprint()}"}}'
        )

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (page, note), whose lines are sentences.

        A note is never said to support a page.
        """
        return [_relation(find_contest(page, note)) for page, note in pairs]


def find_contest(page: Statement, note: Statement) -> Contest:
    """Return what *note* has against *page*, by the sentences where it has most.

    Each line is a sentence.
    """
    beliefs = page.text.splitlines()[:_MAX_SENTENCES]
    best = SILENT
    for belief in _with_first_clauses(beliefs):
        for contest in _contests_of_belief(belief, page.title or "", note):
            best = max(best, contest, key=_rank)
    return best


def says_since_when(sentence: str, beside: str = "") -> bool:
    """Tell whether a sentence says since which day, month or year it is so.

    That is a stated change, and no contest. *beside* is another text in its language, where it may
    be too short to show its own.
    """
    language = _language_of(beside, sentence)
    return language is not None and _says_since_when(sentence, language)


def is_same_position(one: Contest, other: Contest) -> bool:
    """Tell whether two positions put the same in the place.

    A common word, or numbers as near as measurements are.
    """
    if not one.taken.isdisjoint(other.taken):
        return True
    return _is_close(one, other.taken) or _is_close(other, one.taken)


def are_rivals(one: Contest, other: Contest, text: str, beside: str) -> bool:
    """Tell whether two positions exclude each other.

    They do where neither text says what the other puts in the place.
    """
    return not _says_any(text, other.taken) and not _says_any(beside, one.taken)


def takes_position(position: Contest, note: Statement, page: Statement) -> bool:
    """Tell whether a *note* about *page* takes a position.

    It gives all that the position puts in the place, and nothing that stood there.
    """
    if position.strength < CONTESTED or not position.taken:
        return False
    language = _language_of(page.text, note.text)
    if language is None:
        return False
    topic = topic_of(page.title or "", language)
    lines = note.text.splitlines()[:_MAX_SENTENCES]
    return any(
        _gives(position, read_sentence(line, topic, language)) for line in lines
    )


def _gives(position: Contest, sentence: TopicSentence) -> bool:
    words = sentence.all_keys | sentence.numbers
    if sentence.topic.head not in words or sentence.is_of_another:
        return False
    if sentence.denies or sentence.changes(sentence) or position.given & words:
        return False
    return position.taken <= words or _is_close(position, sentence.bare_numbers)


def _relation(contest: Contest) -> Relation:
    if contest.strength < CONTESTED:
        return Relation(
            "neutral", round(1.0 - contest.strength, 6), contest.reason
        )
    return Relation(
        "contradicts",
        contest.strength,
        contest.reason,
        opposition=contest.strength,
    )


def _rank(contest: Contest) -> tuple[float, list[str]]:
    return contest.strength, sorted(contest.taken)


def _with_first_clauses(beliefs: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of a page, and by itself what one says before its first comma."""
    for belief in beliefs:
        yield belief
        first = _COMMA.split(belief, maxsplit=1)[0]
        if first != belief and len(first.split()) >= _MIN_CLAUSE_WORDS:
            yield first


def _contests_of_belief(
    belief: str, title: str, note: Statement
) -> Iterator[Contest]:
    """Yield what each sentence of *note* has against one sentence of a page."""
    language = _language_of(belief, note.text)
    if language is None:
        return
    topic = narrow_topic(topic_of(title, language), belief, language)
    held = read_sentence(belief, topic, language)
    if not held.states_something:
        return
    lines = note.text.splitlines()[:_MAX_SENTENCES]
    context = " ".join(
        (note.title or "", *(lines if len(lines) <= _BRIEF else ()))
    )
    whole = read_sentence(context, topic, language)
    for line in lines:
        if _is_open(line, language):
            continue
        sentence = read_sentence(line, topic, language)
        if not _is_about(held, sentence, whole):
            continue
        sign = _strongest_sign(held, sentence)
        if sign.strength and not _says_since_when(line, language):
            yield sign


def _is_open(sentence: str, language: str) -> bool:
    """Tell whether a sentence asks or weighs, and states nothing."""
    if sentence.rstrip(_CLOSING).endswith("?"):
        return True
    return grammar_of(language).matches("mood.tentative", sentence)


def _says_since_when(sentence: str, language: str) -> bool:
    return any(
        mention.role in ("since", "onward", "as_of")
        and mention.found.precision in _DATED
        for mention in time_reader(language).mentions(sentence, _ANY_MOMENT)
    )


def _strongest_sign(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the strongest sign that *said* contests the belief *held*."""
    if held.says_the_same(said) or said.changes(held):
        return SILENT
    signs = [
        _contest_by_denial(held, said),
        _contest_by_number(held, said),
        _contest_by_name(held, said),
        _contest_by_place(held, said),
        _contest_by_opposite(held, said),
    ]
    return max(signs, key=lambda sign: sign.strength)


def _is_about(
    held: TopicSentence, said: TopicSentence, whole: TopicSentence
) -> bool:
    """Tell whether a sentence is about what a page states.

    Both name the topic, and most of the matter is common. *whole* is the note that it stands in.
    """
    topic = held.topic
    mentioned = topic.keys & held.all_keys
    if not mentioned or max(len(said.order), len(held.order)) > _MAX_WORDS:
        return False
    frame = held.all_keys - held.value
    known = said.all_keys | (topic.keys & whole.all_keys)
    if 2 * len(frame & known) < len(frame):
        return False
    if topic.keys <= said.all_keys:
        return True
    if topic.head in said.all_keys:
        return not said.is_of_another
    if topic.keys <= whole.all_keys:
        return True
    if topic.head in mentioned or held.first_key not in said.all_keys:
        return False
    return len(held.all_keys & said.all_keys) >= 2


def _contest_by_denial(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the sign that it denies what the page states, or calls it wrong."""
    if held.denies == said.denies or not (held.all_keys & said.all_keys):
        return SILENT
    denying, other = (said, held) if said.denies else (held, said)
    matter = other.keys | other.value
    if not matter:
        return SILENT
    reach = denying.denied_keys
    if reach & (other.verbs | other.topic.keys):
        reach = denying.all_keys
    covered = len(reach & matter) / len(matter)
    value_denied = bool(other.value) and other.value <= reach
    if (covered < 0.5 and not value_denied) or _denies_another_value(
        denying, other, reach
    ):
        return SILENT
    strength = round(0.7 + 0.25 * min(1.0, covered), 6)
    reason = f"it denies {round(100 * covered)} % of what the page states"
    taken = frozenset() if said.denies else said.value
    return Contest(strength, reason, taken, held.value)


def _denies_another_value(
    denying: TopicSentence, other: TopicSentence, reach: frozenset[str]
) -> bool:
    """Tell whether a denial is of another value than *other* states: "not allergic to milk"."""
    if other.value and not other.value & reach:
        in_place = denying.in_place_of_value(other)
        if in_place - other.all_keys:
            return True
    numbers = denying.denied_numbers
    return bool(
        numbers and other.bare_numbers
    ) and other.bare_numbers.isdisjoint(numbers)


def _contest_by_number(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the sign that a number, date or code of one kind has another value."""
    if held.denies or held.bare_numbers & said.bare_numbers:
        return SILENT
    if _any_within(held.bare_numbers, said.ranges):
        return SILENT
    exchanged = bool(held.bare_numbers & said.denied_numbers)  # "443, not 440"
    if said.denies and not exchanged:
        return SILENT
    best = SILENT
    for kind, values in held.values.items():
        for other in _other_values(kind, values, held, said):
            needs_matter = other.needs_matter and not exchanged
            sign = _number_sign(values, other.values, held, said, needs_matter)
            best = max(best, sign, key=lambda each: each.strength)
    return best


def _any_within(
    numbers: Collection[str], ranges: Iterable[NumberRange]
) -> bool:
    pairs = product(numbers, ranges)
    return any(
        stretch.low <= float(number) <= stretch.high
        for number, stretch in pairs
    )


class _OtherValues(NamedTuple):
    values: frozenset[str]
    needs_matter: bool  # they only count beside words of the matter


def _other_values(
    kind: str, values: frozenset[str], held: TopicSentence, said: TopicSentence
) -> Iterator[_OtherValues]:
    """Yield the values that *said* has in the place of the *values* of one *kind*."""
    exchanged = bool(held.bare_numbers & said.denied_numbers)
    for other, theirs in said.values.items():
        stated = theirs - said.denied_numbers
        if not stated:
            continue
        if values.isdisjoint(stated) and _is_comparable(
            kind, other, held, said
        ):
            beside = said.values_beside(stated, held.beside_numbers)
            yield _OtherValues(beside, kind.startswith(_TEMPORAL))
        elif exchanged and other.startswith("number"):
            yield _OtherValues(
                held.in_unit_of(stated, values), needs_matter=False
            )
    counts_more = kind.startswith("number") and "1" not in values
    if (
        counts_more
        and held.verbs <= said.keys
        and said.says_one_of(held.counted_nouns)
    ):
        yield _OtherValues(frozenset("1"), needs_matter=True)


def _number_sign(
    values: frozenset[str],
    taken: frozenset[str],
    held: TopicSentence,
    said: TopicSentence,
    needs_matter: bool,
) -> Contest:
    shared = len(held.keys & said.keys)
    reason = "another value of one kind"
    if shared:
        return Contest(
            0.75,
            f"{reason}, {shared} words of the matter shared",
            taken,
            values,
        )
    if needs_matter or said.bounds or len(said.keys) > _MAX_BARE_KEYS:
        return SILENT
    return Contest(0.62, reason, taken, values)


def _is_comparable(
    kind: str, other: str, held: TopicSentence, said: TopicSentence
) -> bool:
    """Tell whether a value of one *kind* and one of an *other* kind may be of one matter."""
    if kind == other and kind not in ("number ", "nth "):
        return True
    if not (kind.startswith("number") and other.startswith("number")):
        return False
    if held.beside_numbers & said.beside_numbers:
        return True
    if not (_is_bare(held, kind) and _is_bare(said, other)):
        return False
    return _are_names_alike(held.values[kind], said.values[other])


def _is_bare(sentence: TopicSentence, kind: str) -> bool:
    return kind == "number " or bool(sentence.beside_numbers)


def _are_names_alike(numbers: frozenset[str], others: frozenset[str]) -> bool:
    """Tell whether numbers are long enough for names, and have the same lengths."""
    lengths = {len(number) for number in numbers}
    if lengths != {len(number) for number in others}:
        return False
    return min(lengths, default=0) >= _MIN_DIGITS


def _contest_by_name(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the sign that another name stands in the place of a name."""
    if (
        not held.names
        or said.denies
        or held.denies
        or held.names & said.all_keys
    ):
        return SILENT
    rivals = said.names
    shared = held.predicate & said.keys
    # "the database is PostgreSQL"
    if not held.predicate and held.identified_as():
        rivals = said.names & said.identified_as()
    elif not shared:
        return SILENT
    if not rivals:
        return SILENT
    reason = f"another name, {len(shared)} words of the matter shared"
    return Contest(0.7, reason, rivals, held.names)


def _contest_by_place(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the sign that other words stand in the place of the page's.

    After the same predicate, before it turned around, or before its noun.
    """
    missing = held.value - said.all_keys
    if said.denies or held.denies or not missing:
        return SILENT
    if not held.predicate & said.keys or said.adds or held.shares_value(said):
        return SILENT
    taken = said.in_place_of_value(held) - held.all_keys
    if not taken:
        return SILENT
    return Contest(0.65, "other words in the same place", taken, missing)


def _contest_by_opposite(held: TopicSentence, said: TopicSentence) -> Contest:
    """Return the sign that it says the opposite, or another of words that exclude each other."""
    if said.denies or held.denies:
        return SILENT
    opposites = said.opposites_in(held)
    shared = held.predicate & said.keys
    if not (shared or held.value & said.keys or opposites):
        return SILENT
    if opposites and count_opposites(held.reading, said.reading, held.lexicon):
        return Contest(
            0.65, "the opposite of what the page states", opposites, held.value
        )
    rivals = said.rivals_in(held)
    if rivals and shared:
        return Contest(
            0.7, "one of words that exclude each other", rivals, held.value
        )
    return SILENT


def _is_close(position: Contest, numbers: Collection[str]) -> bool:
    """Tell whether one of *numbers* is near to the position's, seen from the page's.

    7.1 and 7.2 are one against 5. Whole numbers are counts or names, and are near to none.
    """
    triples = product(
        _numbers(position.taken), _numbers(numbers), _numbers(position.given)
    )
    return any(_is_near(one, other, given) for one, other, given in triples)


def _is_near(one: float, other: float, given: float) -> bool:
    if one.is_integer() and other.is_integer():
        return False
    return abs(one - other) <= _CLOSE * min(
        abs(one - given), abs(other - given)
    )


def _numbers(words: Iterable[str]) -> list[float]:
    return [
        float(word) for word in words if word.replace(".", "", 1).isdecimal()
    ]


def _language_of(belief: str, note: str) -> str | None:
    """Return the language of both together: a belief may be too short to show its own."""
    both = f"{belief[:400]} {note[:400]}"
    return language_of_pair(both, both, tally)


def _says_any(text: str, words: frozenset[str]) -> bool:
    language = language_of_pair(text, text, tally)
    if language is None:
        return False
    sentence = read_sentence(text, topic_of("", language), language)
    return not words.isdisjoint(sentence.all_keys | sentence.numbers)
