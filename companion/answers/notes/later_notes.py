"""Show what was told since an answer's claims: a claim may be older than what one knows.

"The centrifuge is fixed" is a claim; "it grinds again at 9000", told three days later, states
nothing that a rule reads. So an answer names later notes that tell of a change, or have words of
the question or of the answer: those of its page, and those that stand elsewhere or wait for a night
and name the same. A plain yes or no, which says least, also names the newest of its page.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.question import ME, US
from companion.language.words import snowball
from companion.language.words.compounds import is_compound_of
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.language.words.stop_words import STOP_WORDS
from companion.lookup.excerpts import headline_of
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.pages.statements import read_statements, statement_id
from companion.storage.index.search.matches import write_any
from companion.storage.index.search.pending import list_open
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    find_statement_of_capture,
    find_subject,
    list_statements_of_entry,
    list_statements_since,
)
from companion.storage.index.terms import split_words
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult, PassageResult

MOST = 2  # notes that are shown
NEWS = (
    "news"  # a later note that may change the answer: a reader meets it first
)
_COMPOUNDING = ("de", "nl")
_SHOWN = 240  # characters of a note
_CHANGE = 2  # shared words that words of a change weigh as much as
_LOOKED_AT = 60  # notes elsewhere that have most of the words
_LEAST = 2  # what a note elsewhere weighs that does not name who or what is asked about
# pages that gather one matter; what stands on a day's page has nothing to do with the rest of it
_OF_ONE_MATTER = ("subject", "series")


class _Asked(NamedTuple):
    """What an answer says, and since when: words are stems of the question's language."""

    told_at: str  # when the newest of its notes was told
    language: str
    asked: frozenset[str]  # the question's telling words
    answered: frozenset[str]  # those of the answer
    named: frozenset[str]  # whom or what the last claim is of; empty: the asker
    is_when: bool  # the question asks for a time

    def without(self, title: str) -> frozenset[str]:
        """Return the words of question and answer that do not stand in *title*."""
        words = self.asked | self.answered
        return words - _list_stems(title, self.language)


class _Weight(NamedTuple):
    """How much a note told later says of what is asked."""

    words: (
        int  # shared ones, and what a change counts; 0: it is of something else
    )
    is_news: bool  # it tells of a change of just that


class _Later(NamedTuple):
    """A note told later, as it is shown, and what it weighs."""

    weight: int
    shown: "PassageResult"


_NOTHING = _Weight(0, is_news=False)


def list_later_notes(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    answers: "Sequence[AnswerResult]",
    *,
    is_polar: bool,
) -> "list[PassageResult]":
    """Return the notes told after all that the first of *answers* rests on, but for those that the
    others rest on.

    What may change the answer comes first, then what shares most words with question and answer,
    then the newest.
    *is_polar* says that the answer is a mere yes or no: the newest note of its page comes first.
    """
    answer = answers[0]
    page = _find_page(db, answer)
    asked = _read_asked(question, answer, page)
    pages = _Pages(ws)
    on_page: list[_Later] = []
    if page is not None and _is_of_one_matter(db, page.entry):
        on_page = _list_on_page(db, asked, page, pages)
    elsewhere = _list_elsewhere(db, asked, pages)
    waiting = _list_waiting(ws, journal, asked)
    known = {statement_id(one) for one in _list_captures(answers)}
    related: list[_Later] = []
    for one in (*on_page, *elsewhere, *waiting):
        statement = one.shown["statement"]
        if one.weight and statement not in known:
            related.append(one)
        if statement is not None:
            known.add(statement)
    related.sort(key=_newest, reverse=True)
    related.sort(key=_rank)
    if is_polar and on_page:
        newest = max(on_page, key=_newest)
        related = [newest, *(one for one in related if one is not newest)]
    return [one.shown for one in related[:MOST]]


def _rank(one: _Later) -> tuple[bool, int]:
    return NEWS not in one.shown["found_by"], -one.weight


def _newest(one: _Later) -> tuple[str, str]:
    return one.shown["when"] or "", one.shown["statement"] or ""


# -- what is asked ---------------------------------------------------------------------------------


def _list_captures(answers: "Iterable[AnswerResult]") -> set[str]:
    """Return the captures that *answers* rest on."""
    captures: set[str] = set()
    for answer in answers:
        for step in answer["path"]:
            captures.update(one["capture"] for one in step["sources"])
    return captures


def _find_page(
    db: sqlite3.Connection, answer: "AnswerResult"
) -> PlacedStatement | None:
    """Return where the newest note of *answer* stands; None: it is all that its page has."""
    captures = sorted(_list_captures([answer]))
    places = [find_statement_of_capture(db, one) for one in captures]
    standing = [place for place in places if place is not None]
    return max(standing, key=lambda place: place.told_at, default=None)


def _read_asked(
    question: str, answer: "AnswerResult", page: PlacedStatement | None
) -> _Asked:
    words = split_words(question)
    language = question_language(words)
    told_at = page.told_at if page is not None else _read_told_at(answer)
    subject = answer["path"][-1]["subject"]
    named = "" if split_words(subject) in ([ME], [US]) else subject
    values = [step["object"] for step in answer["path"]]
    return _Asked(
        told_at,
        language,
        _list_stems(question, language),
        _list_stems(" ".join([answer["value"], *values]), language),
        _list_stems(named, language),
        _asks_when(words, language),
    )


def _asks_when(words: Sequence[str], language: str) -> bool:
    asks = read_question_data()[language]["asks"]
    return bool(words) and asks.get(words[0]) == "time"


def _read_told_at(answer: "AnswerResult") -> str:
    """Return when the newest claim of *answer* was told."""
    return max(
        source["told_at"]
        for step in answer["path"]
        for source in step["sources"]
    )


def _list_stems(text: str, language: str) -> frozenset[str]:
    """Return the stems of *text* without its little words."""
    little = STOP_WORDS[language]
    telling = [word for word in split_words(text) if word not in little]
    return frozenset(snowball.stem_words(telling, language))


# -- on its page -----------------------------------------------------------------------------------


def _is_of_one_matter(db: sqlite3.Connection, entry: str) -> bool:
    subject = find_subject(db, entry)
    return subject is not None and subject.kind in _OF_ONE_MATTER


def _list_on_page(
    db: sqlite3.Connection,
    asked: _Asked,
    page: PlacedStatement,
    pages: "_Pages",
) -> list[_Later]:
    """Return what stands on *page* and was told later; every one of them."""
    later = [
        one
        for one in list_statements_of_entry(db, page.entry)
        if one.stands and one.told_at > page.told_at
    ]
    if not later:
        return []
    is_of_subject = asked.named <= _list_stems(page.title, asked.language)
    found = []
    for one in later:
        words = pages.read_words(one)
        if is_of_subject:
            # each of them is about what the page is of
            weight = _weigh_on_page(words, page.title, asked)
        else:
            weight = _weigh_elsewhere(words, "", asked)
        found.append(_Later(weight.words, _describe(one, words, weight)))
    return found


def _weigh_on_page(text: str, title: str, asked: _Asked) -> _Weight:
    """Return how much a note says of what is asked, on the page of whom the answer is of."""
    stems = _stem_note(text, asked.language)
    changes = _tells_change(text, asked)
    count = len(stems & asked.without(title)) + _CHANGE * changes
    return _Weight(count, changes and _is_of_same(stems, text, asked))


# -- elsewhere -------------------------------------------------------------------------------------


def _list_elsewhere(
    db: sqlite3.Connection, asked: _Asked, pages: "_Pages"
) -> list[_Later]:
    """Return what was told later on any page and is of the same."""
    stems = sorted(asked.asked | asked.answered | asked.named)
    compounds = asked.language in _COMPOUNDING
    words = write_any([(stem,) for stem in stems], prefix=compounds)
    found = []
    for one in list_statements_since(db, words, asked.told_at, _LOOKED_AT):
        if not one.stands:
            continue
        text = pages.read_words(one)
        weight = _weigh_elsewhere(text, one.title, asked)
        if weight.words:
            found.append(_Later(weight.words, _describe(one, text, weight)))
    return found


def _list_waiting(
    ws: Workspace, journal: Journal, asked: _Asked
) -> list[_Later]:
    """Return what waits for a night, was told later and is of the same."""
    found = []
    for note in list_open(journal.connection, ws.who):
        if note.time <= asked.told_at:
            continue
        text = note.content.decode("utf-8", "replace")
        title = note.title or headline_of(text)
        weight = _weigh_elsewhere(text, title, asked)
        if weight.words:
            shown = _show(note.id, title, None, text, None, note.time, weight)
            found.append(_Later(weight.words, shown))
    return found


def _weigh_elsewhere(text: str, title: str, asked: _Asked) -> _Weight:
    """Return how much a note says of what is asked, wherever it stands.

    It names whom the answer is of, and has another word of question or answer, if the question has
    any beside the name; to "when" a change with a time is of the same, too. An answer of the asker
    names nobody: then a word of the question, and two more, or a change, make it of the same.
    """
    stems = _stem_note(text, asked.language)
    shared = stems & (asked.asked | asked.answered) - asked.named
    changes = _tells_change(text, asked)
    bare = asked.asked <= asked.named
    count = bare + len(shared) + _CHANGE * changes
    if not asked.named:
        if not shared & asked.asked or count <= _LEAST:
            return _NOTHING
        return _Weight(count, changes)
    around = stems | _list_stems(title, asked.language)
    if not _names_all(asked.named, around, asked.language):
        return _NOTHING
    # "Heating engineer moved us to Friday" shares no word with when they come
    if not shared and not bare and not (asked.is_when and changes):
        return _NOTHING
    return _Weight(count, changes and _is_of_same(stems, text, asked))


def _is_of_same(stems: frozenset[str], text: str, asked: _Asked) -> bool:
    """Tell whether a note that tells of a change tells of just what is asked: it has another word
    of the question beside whom it names, or gives another time where one is asked for.
    """
    if not _names_all(asked.named, stems, asked.language):
        return False
    if asked.is_when and _is_moved(text, asked.language):
        return True
    return asked.asked <= asked.named or bool(stems & asked.asked - asked.named)


def _names_all(
    names: frozenset[str], stems: frozenset[str], language: str
) -> bool:
    """Tell whether *stems* has all *names*; in German also as a part: "Gartenhausschlüssel"."""
    missing = names - stems
    if language not in _COMPOUNDING:
        return not missing
    return all(
        any(is_compound_of(stem, name) for stem in stems) for name in missing
    )


def _tells_change(text: str, asked: _Asked) -> bool:
    """Tell whether *text* tells of a change; where "when" is asked, of a time."""
    # word lists: only an answer with later notes needs them
    from companion.language.claims.grammar import grammar_of
    from companion.language.claims.verbs import is_change

    grammar = grammar_of(asked.language)
    lemmas = map(grammar.lemma, split_words(text))
    changes = is_change(text, grammar) or any(
        one in grammar.changes for one in lemmas
    )
    moved = _is_moved(text, asked.language)
    if not asked.is_when:
        return changes or moved
    return (changes or moved) and _has_time(text, asked.language)


def _is_moved(text: str, language: str) -> bool:
    """Tell whether *text* gives something another time: "postponed"."""
    moved = read_question_data()[language]["words"]["moved"].split()
    return not set(moved).isdisjoint(split_words(text))


def _has_time(text: str, language: str) -> bool:
    """Tell whether *text* has a word or a number that a time is told with: "Thursdays", "8"."""
    times = read_question_data()[language]["words"]["months"].split()
    said = split_words(text)
    return not set(times).isdisjoint(said) or any(map(str.isdigit, said))


# -- notes as they are read ------------------------------------------------------------------------


class _Pages:
    """The words of the statements of pages, each page read once."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ws
        self._words: dict[str, dict[str, str]] = {}

    def read_words(self, place: PlacedStatement) -> str:
        """Return the words of the statement at *place*."""
        if place.path not in self._words:
            text = read_page_bytes(self._ws, place.path, place.blob)
            blocks = read_statements(text.decode("utf-8", "replace"))
            words = {block.id: block.words for block in blocks}
            self._words[place.path] = words
        return self._words[place.path][place.id]


def _stem_note(text: str, language: str) -> frozenset[str]:
    return frozenset(snowball.stem_words(split_words(text), language))


# -- shown -----------------------------------------------------------------------------------------


def _describe(
    place: PlacedStatement, words: str, weight: _Weight
) -> "PassageResult":
    link = link_statement(place.path, place.id)
    shown = _show(
        place.entry,
        place.title,
        place.path,
        words,
        link,
        place.told_at,
        weight,
    )
    shown["statement"] = place.id
    return shown


def _show(
    id: str,
    title: str,
    path: str | None,
    words: str,
    link: str | None,
    when: str,
    weight: _Weight,
) -> "PassageResult":
    text = " ".join(words.split())
    if len(text) > _SHOWN:
        text = f"{text[:_SHOWN].rpartition(' ')[0]} …"
    return {
        "id": id,
        "title": title,
        "path": path,
        "text": text,
        "statement": None,
        "when": when,
        "link": link,
        "lost": False,
        "of_subject": True,
        "found_by": ["told since", NEWS] if weight.is_news else ["told since"],
    }
