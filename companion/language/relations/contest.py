"""Find whether a note contests what a page states.

A lower bar than the relater's, for pages that others depend on (MaM §5.5). A belief that much rests
on is rarely contradicted in its own words. So a page is asked about as a whole, with its title:
which of its sentences is the note about, and does the note deny it, or give another value in the
same place? What the note puts in that place is its *position*: others that take it support it,
others that take a third one are its rivals. A change that is stated contests nothing; it is an
update.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

from companion.language.claims.grammar import grammar_of
from companion.language.lexicon import (
    fingerprint,
    language_of_joined,
    language_of_pair,
    tally_once,
)
from companion.language.measurements import is_same_series
from companion.language.protocols import Identity
from companion.language.relations.compare_sentences import states_change
from companion.language.relations.contest_signs import (
    SILENT,
    Contest,
    strongest_sign,
)
from companion.language.relations.rejection import (
    find_rejection,
    first_sentences,
)
from companion.language.relations.topic_sentence import (
    TopicSentence,
    narrow_topic,
    read_sentence,
)
from companion.language.relations.topics import topic_of
from companion.language.times.calendar import parse_moment
from companion.language.times.phrases import time_reader
from companion.values.relations import Relation, Statement

VERSION = "contest-6"
CONTESTED = 0.6  # strength of a sign that alone is enough

_MAX_WORDS = 30  # of a sentence: what is said in more is no plain statement
_BRIEF = 4  # sentences of a note that names its topic but once
# what stands before a comma in so many is a statement of its own
_MIN_CLAUSE_WORDS = 4
# of the way from the page's number to another one: so near to each other two measurements are one
_CLOSE = 0.15
_DATED = ("year", "month", "day", "quarter", "week", "decade")
_COMMA = re.compile(r"[,;:] ")
_CLOSING = "\"'\u201d\u2019)]* "  # what may stand behind a question mark
# only whether a time is named counts
_ANY_MOMENT = parse_moment("2000-01-01T00:00:00Z")


class LightContest:
    """Relater for a whole page (the earlier side, with its title) and a whole note."""

    @property
    def identity(self) -> Identity:
        """Return the rules' version and the fingerprint of the word lists."""
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
    beliefs = first_sentences(page.text)
    best = SILENT
    for belief in _with_first_clauses(beliefs):
        for contest in _contests_of_belief(belief, page.title or "", note):
            best = max(best, contest, key=_rank)
    if best.strength >= CONTESTED:
        return best
    return max(best, _find_rejection(page, note), key=_rank)


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
    if not one.note_value.isdisjoint(other.note_value):
        return True
    return _is_close(one, other.note_value) or _is_close(other, one.note_value)


def are_rivals(one: Contest, other: Contest, text: str, beside: str) -> bool:
    """Tell whether two positions exclude each other.

    They do where neither text says what the other puts in the place.
    """
    return not _says_any(text, other.note_value) and not _says_any(
        beside, one.note_value
    )


def takes_position(position: Contest, note: Statement, page: Statement) -> bool:
    """Tell whether a *note* about *page* takes a position.

    It gives all that the position puts in the place, and nothing that stood there.
    """
    if position.strength < CONTESTED or not position.note_value:
        return False
    language = _language_of(page.text, note.text)
    if language is None:
        return False
    topic = topic_of(page.title or "", language)
    for line in first_sentences(note.text):
        if _gives(position, read_sentence(line, topic, language)):
            return True
    return False


def _gives(position: Contest, sentence: TopicSentence) -> bool:
    words = sentence.all_keys | sentence.numbers
    if sentence.topic.head not in words or sentence.is_of_another:
        return False
    if sentence.denies or states_change(sentence):
        return False
    if position.page_value & words:
        return False
    if position.note_value <= words:
        return True
    return _is_close(position, sentence.bare_numbers)


def _relation(contest: Contest) -> Relation:
    strength = contest.strength
    if strength < CONTESTED:
        return Relation("neutral", round(1.0 - strength, 6), contest.reason)
    return Relation(
        "contradicts", strength, contest.reason, opposition=strength
    )


def _rank(contest: Contest) -> tuple[float, list[str]]:
    return contest.strength, sorted(contest.note_value)


def _with_first_clauses(beliefs: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of a page, and by itself what one says before its first comma."""
    for belief in beliefs:
        yield belief
        first = _COMMA.split(belief, maxsplit=1)[0]
        if first != belief and len(first.split()) >= _MIN_CLAUSE_WORDS:
            yield first


def _contests_of_belief(
    belief_text: str, title: str, note: Statement
) -> Iterator[Contest]:
    """Yield what each sentence of *note* has against one sentence of a page."""
    language = _language_of(belief_text, note.text)
    if language is None:
        return
    topic = narrow_topic(topic_of(title, language), belief_text, language)
    belief = read_sentence(belief_text, topic, language)
    if not belief.states_something:
        return
    whole = read_sentence(_context_of(note), topic, language)
    for line in first_sentences(note.text):
        if _is_open(line, language) or is_same_series(belief_text, line):
            continue
        sentence = read_sentence(line, topic, language)
        if not _is_about(belief, sentence, whole):
            continue
        sign = strongest_sign(belief, sentence)
        if sign.strength and not _says_since_when(line, language):
            yield sign


def _find_rejection(page: Statement, note: Statement) -> Contest:
    """Return what *note* turns away from on *page*, in the sentences that state no change."""
    language = _language_of(page.text, note.text)
    if language is None:
        return SILENT
    topic = topic_of(page.title or "", language)
    stating = []
    for line in first_sentences(note.text):
        sentence = read_sentence(line, topic, language)
        if _is_open(line, language) or states_change(sentence):
            continue
        if not _says_since_when(line, language):
            stating.append(line)
    return find_rejection(page, note, stating, language)


def _context_of(note: Statement) -> str:
    """Return the title of *note*, with its sentences if it is brief."""
    lines = first_sentences(note.text)
    if len(lines) > _BRIEF:
        lines = []
    return " ".join((note.title or "", *lines))


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks, and states nothing."""
    return sentence.rstrip(_CLOSING).endswith("?")


def _is_open(sentence: str, language: str) -> bool:
    """Tell whether a sentence asks or weighs, and states nothing."""
    if is_question(sentence):
        return True
    return grammar_of(language).matches("mood.tentative", sentence)


@lru_cache(maxsize=4096)
def _says_since_when(sentence: str, language: str) -> bool:
    for mention in time_reader(language).mentions(sentence, _ANY_MOMENT):
        begins = mention.role in ("since", "onward", "as_of")
        if begins and mention.stretch.precision in _DATED:
            return True
    return False


def _is_about(
    belief: TopicSentence, sentence: TopicSentence, whole: TopicSentence
) -> bool:
    """Tell whether a sentence is about what a page states.

    Both name the topic, and most of the matter is common. *whole* is the note that it stands in.
    """
    topic = belief.topic
    mentioned = topic.keys & belief.all_keys
    longest = max(len(sentence.order), len(belief.order))
    if not mentioned or longest > _MAX_WORDS:
        return False
    frame = belief.all_keys - belief.value
    known = sentence.all_keys | (topic.keys & whole.all_keys)
    if 2 * len(frame & known) < len(frame):
        return False
    if topic.keys <= sentence.all_keys:
        return True
    if topic.head in sentence.all_keys:
        return not sentence.is_of_another
    if topic.keys <= whole.all_keys:
        return True
    if topic.head in mentioned or belief.first_key not in sentence.all_keys:
        return False
    return len(belief.all_keys & sentence.all_keys) >= 2


def _is_close(position: Contest, numbers: Collection[str]) -> bool:
    """Tell whether one of *numbers* is near to the position's, seen from the page's.

    7.1 and 7.2 are one against 5. Whole numbers are counts or names, and are near to none.
    """
    triples = product(
        _numbers(position.note_value),
        _numbers(numbers),
        _numbers(position.page_value),
    )
    return any(_is_near(one, other, page) for one, other, page in triples)


def _is_near(one: float, other: float, page: float) -> bool:
    if one.is_integer() and other.is_integer():
        return False
    distance = min(abs(one - page), abs(other - page))
    return abs(one - other) <= _CLOSE * distance


def _numbers(words: Iterable[str]) -> list[float]:
    numbers: list[float] = []
    for word in words:
        if word.replace(".", "", 1).isdecimal():
            numbers.append(float(word))
    return numbers


def _language_of(belief: str, note: str) -> str | None:
    """Return the language of both together: a belief may be too short to show its own."""
    return language_of_joined(belief[:400], note[:400], tally_once)


def _says_any(text: str, words: frozenset[str]) -> bool:
    language = language_of_pair(text, text, tally_once)
    if language is None:
        return False
    sentence = read_sentence(text, topic_of("", language), language)
    return not words.isdisjoint(sentence.all_keys | sentence.numbers)
