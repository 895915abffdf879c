"""Does a note contest what a page states? A lower bar than the relater's, for pages that much rests
on (MaM §5.5).

A belief that bears weight is rarely contradicted in its own words. So a page is asked about as a
whole, with its title: which of its sentences is the note about, and does the note deny it, or give
another value in the same place? What the note puts in that place is its *position*: others that
take it support it, others that take a third one are its rivals. A change that is stated contests
nothing; it is an update.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.detect import tally
from companion.language.lexicon import Lexicon, fingerprint, language_of_pair, lexicon
from companion.language.protocols import Identity
from companion.language.relations.opposition import opposed
from companion.language.relations.topic_sentence import Matter, Topic, matter_of, narrowed, topic_of
from companion.language.times.calendar import parse_moment
from companion.language.times.phrases import time_reader
from companion.values.relations import Relation, Statement

VERSION = "contest-2"
SENTENCES = 12  # of either text, the first that are looked at
LONGEST = 30  # words of a sentence: what is said in more is no plain statement
BRIEF = 4  # sentences of a note that names its topic but once
CONTESTED = 0.6  # strength of a sign that alone is enough
_TEMPORAL = ("date", "year", "nth ", "clock", "time", "duration")
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 4  # words from which what stands before a comma is a statement of its own
_DATED = ("year", "month", "day", "quarter", "week", "decade")
_ANY = parse_moment("2000-01-01T00:00:00Z")  # seen from whenever: only that a time is named counts
# of the way from the page's number to another one: so near to each other two measurements are one
_CLOSE = 0.15
_CLOSING = "\"'\u201d\u2019)]* "
_DIGITS = 3  # a bare number of so many digits is a name: a port, a room, an account


class Contest(NamedTuple):
    """What a note has against one sentence of a page."""

    strength: float  # in [0, 1]; 0 where it has nothing
    reason: str
    taken: frozenset[str] = frozenset()  # what it puts in the place; empty where it only denies
    given: frozenset[str] = frozenset()  # what the page has there


SILENT = Contest(0.0, "it contests nothing that the page states")


class LightContest:
    """Relater for a whole page (the earlier side, with its title) and a whole note."""

    @property
    def identity(self) -> Identity:
        return Identity("light", VERSION, parameters=f'{{"lexicon":"{fingerprint()}"}}')

    def relate(self, pairs: Sequence[tuple[Statement, Statement]]) -> list[Relation]:
        """Judge each (page, note); sentences are told apart by line. A note is never said to
        support a page.
        """
        return [_relation(contest(page, note)) for page, note in pairs]


def _relation(found: Contest) -> Relation:
    if found.strength < CONTESTED:
        return Relation("neutral", round(1.0 - found.strength, 6), found.reason)
    return Relation("contradicts", found.strength, found.reason, opposition=found.strength)


def contest(page: Statement, note: Statement) -> Contest:
    """Return what *note* has against *page*, by the sentences where it has most; each line is a
    sentence.
    """
    beliefs, said = page.text.splitlines()[:SENTENCES], note.text.splitlines()[:SENTENCES]
    found = [
        each
        for belief in _stated(beliefs)
        for each in _against(belief, said, page.title or "", note)
    ]
    return max(found, key=lambda each: (each.strength, sorted(each.taken)), default=SILENT)


def _stated(beliefs: Sequence[str]) -> Iterable[str]:
    """Yield the sentences of a page, and by itself what one says before its first comma."""
    for belief in beliefs:
        yield belief
        first = _COMMA.split(belief, maxsplit=1)[0]
        if first != belief and len(first.split()) >= _CLAUSE:
            yield first


def _against(belief: str, said: Sequence[str], title: str, note: Statement) -> Iterable[Contest]:
    language = _language(belief, note.text)
    if language is None:
        return
    words = lexicon(language)
    topic = narrowed(topic_of(title, language), belief, language)
    held = matter_of(belief, topic, language)
    whole = matter_of(
        " ".join((note.title or "", *(said if len(said) <= BRIEF else ()))), topic, language
    )
    if not held.said:
        return
    for sentence in said:
        found = (
            SILENT
            if _is_open(sentence, language)
            else _judge(held, matter_of(sentence, topic, language), whole, topic, words)
        )
        yield found if found is SILENT or not _says_since_when(sentence, language) else SILENT


def _is_open(sentence: str, language: str) -> bool:
    """Tell whether a sentence asks or weighs, and states nothing."""
    return sentence.rstrip(_CLOSING).endswith("?") or grammar_of(language).matches(
        "mood.tentative", sentence
    )


def says_since_when(sentence: str, beside: str = "") -> bool:
    """Tell whether a sentence says since which day, month or year it is so: that is a stated
    change, and no contest.

    *beside* is another text in its language, where it may be too short to show its own.
    """
    language = _language(beside, sentence)
    return language is not None and _says_since_when(sentence, language)


def _says_since_when(sentence: str, language: str) -> bool:
    return any(
        mention.role in ("since", "onward", "as_of") and mention.found.precision in _DATED
        for mention in time_reader(language).mentions(sentence, _ANY)
    )


def _judge(held: Matter, said: Matter, whole: Matter, topic: Topic, words: Lexicon) -> Contest:
    """Judge one sentence of a page against one of a note."""
    if not _is_about(held, said, whole, topic) or held.same(said):
        return SILENT
    if said.turned(held):
        return SILENT
    signs = [
        _denied(held, said),
        _measured(held, said),
        _named(held, said),
        _placed(held, said),
        _turned(held, said, words),
    ]
    return max(signs, key=lambda each: each.strength)


def _is_about(held: Matter, said: Matter, whole: Matter, topic: Topic) -> bool:
    """Tell whether a sentence is about what a page states: both name the topic, and most of the
    matter is common.
    """
    if not topic.keys & held.all or len(said.order) > LONGEST or len(held.order) > LONGEST:
        return False
    frame = held.all - held.value
    if 2 * len(frame & (said.all | (topic.keys & whole.all))) < len(frame):
        return False
    mentioned = topic.keys & held.all
    if topic.keys <= said.all:
        return True
    if topic.head in said.all:
        return not said.other_head
    if topic.keys <= whole.all:
        return True
    return topic.head not in mentioned and held.first in said.all and len(held.all & said.all) >= 2


def _denied(held: Matter, said: Matter) -> Contest:
    """It denies what the page states, or calls it wrong."""
    if held.denies == said.denies or not (held.all & said.all):
        return SILENT
    denying, other = (said, held) if said.denies else (held, said)
    matter = other.keys | other.value
    if not matter:
        return SILENT
    reach = denying.all if denying.reach & (other.verbs | other.topic.keys) else denying.reach
    covered = len(reach & matter) / len(matter)
    if covered < 0.5 and not (other.value and other.value <= reach):
        return SILENT
    numbers = denying.denied_numbers
    elsewhere = other.value and not other.value & reach and denying.slot(other) - other.all
    if elsewhere or (numbers and other.bare_numbers and other.bare_numbers.isdisjoint(numbers)):
        return SILENT  # it denies another value: "not allergic to milk"
    taken = frozenset() if said.denies else said.value
    return Contest(
        round(0.7 + 0.25 * min(1.0, covered), 6),
        f"it denies {round(100 * covered)} % of what the page states",
        taken,
        held.value,
    )


def _measured(held: Matter, said: Matter) -> Contest:
    """A number, date or code of one kind with another value."""
    if (
        held.denies
        or held.bare_numbers & said.bare_numbers
        or _within(held.bare_numbers, said.ranges)
    ):
        return SILENT
    exchanged = bool(held.bare_numbers & said.denied_numbers)  # "443, not 440"
    if said.denies and not exchanged:
        return SILENT
    best = SILENT
    for kind, values in held.values.items():
        for taken, needed in _instead(kind, values, held, said, exchanged):
            found = _weighed(values, taken, held, said, needed and not exchanged)
            best = max(best, found, key=lambda each: each.strength)
    return best


def _within(numbers: Collection[str], ranges: Iterable[tuple[float, float]]) -> bool:
    return any(low <= float(number) <= high for low, high in ranges for number in numbers)


def _instead(
    kind: str, values: frozenset[str], held: Matter, said: Matter, exchanged: bool
) -> Iterable[tuple[frozenset[str], bool]]:
    """Yield the values that *said* has of one *kind*, and whether they need words of the matter
    beside them.
    """
    for other, theirs in said.values.items():
        stated = theirs - said.denied_numbers
        if stated and values.isdisjoint(stated) and _comparable(kind, other, held, said):
            yield said.counting(stated, held.counted), kind.startswith(_TEMPORAL)
        elif stated and exchanged and other.startswith("number"):
            yield held.in_units(stated, values), False
    if (
        kind.startswith("number")
        and "1" not in values
        and held.verbs <= said.keys
        and said.ones(held.nouns)
    ):
        yield frozenset("1"), True


def _weighed(
    values: frozenset[str], taken: frozenset[str], held: Matter, said: Matter, needed: bool
) -> Contest:
    shared = len(held.keys & said.keys)
    if needed and not shared:
        return SILENT
    if not shared and (said.bounded or len(said.keys) > 6):
        return SILENT
    strength = 0.75 if shared else 0.62
    words = "another value of one kind" + (
        f", {shared} words of the matter shared" if shared else ""
    )
    return Contest(strength, words, taken, values)


def _comparable(one: str, other: str, held: Matter, said: Matter) -> bool:
    if one == other and one not in ("number ", "nth "):
        return True
    if not (one.startswith("number") and other.startswith("number")):
        return False
    before = held.counted
    if before & said.counted:
        return True
    return (
        _is_bare(held, one)
        and _is_bare(said, other)
        and _same_shape(held.values[one], said.values[other])
    )


def _is_bare(matter: Matter, kind: str) -> bool:
    return kind == "number " or bool(matter.counted)


def _same_shape(one: frozenset[str], other: frozenset[str]) -> bool:
    return {len(v) for v in one} == {len(v) for v in other} and min(
        map(len, one), default=0
    ) >= _DIGITS


def _named(held: Matter, said: Matter) -> Contest:
    """Another name in the place of a name."""
    if not held.names or said.denies or held.denies or held.names & said.all:
        return SILENT
    rivals = said.names
    shared = held.predicate & said.keys
    if not held.predicate and held.is_what():  # "the database is PostgreSQL"
        rivals = said.names & said.is_what()
    elif not shared:
        return SILENT
    if not rivals:
        return SILENT
    return Contest(
        0.7, f"another name, {len(shared)} words of the matter shared", rivals, held.names
    )


def _placed(held: Matter, said: Matter) -> Contest:
    """Other words in the place of the page's: after the same predicate, before it turned around, or
    before its noun.
    """
    if said.denies or held.denies or not held.value or held.value <= said.all:
        return SILENT
    if not held.predicate & said.keys or said.adds or held.agrees(said):
        return SILENT
    taken = said.slot(held)
    missing = held.value - said.all
    if not taken or not missing or taken <= held.all:
        return SILENT
    return Contest(0.65, "other words in the same place", taken - held.all, missing)


def _turned(held: Matter, said: Matter, words: Lexicon) -> Contest:
    """The opposite, or another of words that exclude each other."""
    if (
        said.denies != held.denies
        or said.denies
        or not (held.predicate & said.keys or held.value & said.keys or said.opposes(held, words))
    ):
        return SILENT
    if opposed(held.reading, said.reading, words) and said.opposes(held, words):
        return Contest(
            0.65, "the opposite of what the page states", said.opposes(held, words), held.value
        )
    rivals = said.excludes(held, words)
    if rivals and held.predicate & said.keys:
        return Contest(0.7, "one of words that exclude each other", rivals, held.value)
    return SILENT


def same(one: Contest, other: Contest) -> bool:
    """Tell whether two positions put the same in the place: a common word, or numbers as near as
    measurements are.
    """
    return (
        not one.taken.isdisjoint(other.taken)
        or _is_close(one, other.taken)
        or _is_close(other, one.taken)
    )


def _is_close(position: Contest, numbers: Collection[str]) -> bool:
    """Tell whether one of *numbers* is near to the position's, seen from the page's: 7.1 and 7.2
    are one against 5.

    Whole numbers are counts or names, and are near to none.
    """
    taken, given, others = (
        [float(word) for word in each if _is_number(word)]
        for each in (position.taken, position.given, numbers)
    )
    pairs = [(a, b) for a in taken for b in others if not (a.is_integer() and b.is_integer())]
    return any(
        abs(a - b) <= _CLOSE * min(abs(a - was), abs(b - was)) for a, b in pairs for was in given
    )


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdecimal()


def rivals(one: Contest, other: Contest, text: str, beside: str) -> bool:
    """Tell whether two positions exclude each other: neither text says what the other puts in the
    place.
    """
    return not _says_any(text, other.taken) and not _says_any(beside, one.taken)


def takes(position: Contest, note: Statement, page: Statement) -> bool:
    """Tell whether a *note* about *page* gives all that a position puts in the place, and nothing
    that stood there.
    """
    if position.strength < CONTESTED or not position.taken:
        return False
    language = _language(page.text, note.text)
    if language is None:
        return False
    topic = topic_of(page.title or "", language)
    for sentence in note.text.splitlines()[:SENTENCES]:
        said = matter_of(sentence, topic, language)
        spoken = said.all | said.numbers
        about = (
            topic.head in spoken
            and not said.other_head
            and not said.denies
            and not said.turned(said)
        )
        given = position.taken <= spoken or _is_close(position, said.bare_numbers)
        if about and given and not position.given & spoken:
            return True
    return False


def _language(belief: str, note: str) -> str | None:
    """Return the language of both together: a belief may be too short to show its own."""
    both = f"{belief[:400]} {note[:400]}"
    return language_of_pair(both, both, tally)


def _says_any(text: str, words: frozenset[str]) -> bool:
    language = language_of_pair(text, text, tally)
    if language is None:
        return False
    said = matter_of(text, topic_of("", language), language)
    return not words.isdisjoint(said.all | said.numbers)
