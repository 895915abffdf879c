"""Show what was told since an answer's claims: a claim may be older than what one knows.

"The centrifuge is fixed" is a claim; "it grinds again at 9000", told three days later, states
nothing that a rule reads. So an answer names later notes that tell of a change, or have words of
the question or of the answer: those of its page, and those that stand elsewhere or wait for a night
and name the same. A plain yes or no, which says least, also names the newest of its page.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.notes import OVERTOOK
from companion.answers.notes.overtaking import (
    overtakes,
    tells_change,
)
from companion.answers.notes.read_asked import (
    COMPOUNDING,
    Asked,
    list_stems,
    read_asked,
    stem_words,
)
from companion.language.detect import language_of
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.lookup.excerpts import headline_of
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.pages.statements import read_statements, statement_id
from companion.storage.index.search.matches import write_any
from companion.storage.index.search.pending import list_open
from companion.storage.index.tables.claims import RecordedClaim, find_claim
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
_SHOWN = 240  # characters of a note
_CHANGE = 2  # shared words that words of a change weigh as much as
_ASKING = 3  # words at the beginning of a question that may ask for a kind
_LOOKED_AT = 60  # notes elsewhere that have most of the words
_LEAST = 2  # what a note elsewhere weighs that does not name who or what is asked about
# pages that gather one matter; what stands on a day's page has nothing to do with the rest of it
_OF_ONE_MATTER = ("subject", "series")


class _Later(NamedTuple):
    """A note told later, as it is shown, and what it weighs."""

    weight: int
    shown: "PassageResult"
    overtakes: bool  # what the answer says may be so no longer


class LaterNotes(NamedTuple):
    """What was told after an answer, as it is shown."""

    shown: "list[PassageResult]"
    # those after which the answer may be out of date
    overtaking: "list[PassageResult]"
    # the statements that the answer rests on
    answered: frozenset[str] = frozenset()

    def keep_until(self, at: str | None) -> "LaterNotes":
        """Return these notes, of which only those overtake that were told until *at*, the time that
        is asked for; without one, none does.
        """
        overtaking = [
            one for one in self.overtaking if at and (one["when"] or "") <= at
        ]
        return self._replace(overtaking=overtaking)

    def put_before(
        self, passages: "Sequence[PassageResult]"
    ) -> "list[PassageResult]":
        """Return what overtakes, behind it what it overtakes, and then the other *passages*."""
        texts = {one["text"] for one in self.overtaking}
        others = [one for one in passages if one["text"] not in texts]
        others.sort(key=self._is_no_answer)
        return [*self.overtaking, *others]

    def _is_no_answer(self, passage: "PassageResult") -> bool:
        return passage["statement"] not in self.answered


def find_later_notes(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    answers: "Sequence[AnswerResult]",
    *,
    is_polar: bool,
) -> LaterNotes:
    """Return the notes told after all that the first of *answers* rests on, but for those that the
    others rest on.

    What shares most words with question and answer comes first, as does a change, then the newest.
    *is_polar* says that the answer is a mere yes or no: the newest note of its page comes first.
    """
    answer = answers[0]
    page = _find_page(db, answer)
    claim = find_claim(db, answer["path"][-1]["sources"][0]["id"])
    asked = read_asked(question, answer, page, claim)
    pages = _Pages(ws)
    on_page: list[_Later] = []
    if page is not None and _is_of_one_matter(db, page.entry):
        on_page = _list_on_page(db, asked, page, pages)
    elsewhere = _list_elsewhere(db, asked, pages)
    elsewhere += _list_in_other_languages(db, asked, page, pages)
    waiting = _list_waiting(ws, journal, asked)
    known = {statement_id(one) for one in _list_captures(answers)}
    related = _list_related((*on_page, *elsewhere, *waiting), known)
    if is_polar and on_page:
        newest = max(on_page, key=_newest)
        related = [newest, *(one for one in related if one is not newest)]
    shown = related[:MOST]
    settled = _list_settled(db, claim)
    overtaking = [
        one
        for one in shown
        if one.overtakes and one.shown["statement"] not in settled
    ]
    return LaterNotes(
        [one.shown for one in shown],
        [one.shown for one in overtaking],
        frozenset(map(statement_id, _list_captures(answers[:1]))),
    )


def _list_related(notes: Iterable[_Later], known: set[str]) -> list[_Later]:
    """Return those of *notes* that weigh anything, each once, the heaviest first; none of the
    statements *known*.
    """
    seen = set(known)
    related: list[_Later] = []
    for one in notes:
        statement = one.shown["statement"]
        if one.weight and statement not in seen:
            related.append(one)
        if statement is not None:
            seen.add(statement)
    related.sort(key=_newest, reverse=True)
    related.sort(key=_lightness)
    return related


def _lightness(one: _Later) -> int:
    return -one.weight


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


def _list_settled(
    db: sqlite3.Connection, claim: RecordedClaim | None
) -> set[str]:
    """Return the statements that tell of the very matter of a *claim*: the ledger has weighed them,
    by the rules that the person chose. What denies a part of the answer is not weighed: that the
    drill is not with "Huber", where it is with "Schreiner Huber".
    """
    if claim is None:
        return set()
    said = set(split_words(claim.object))
    told = list_claims_on_matter(db, claim.assertion.key)
    return {
        statement_id(one.capture)
        for one in told
        if not one.assertion.negated or said.isdisjoint(split_words(one.object))
    }


def _find_page(
    db: sqlite3.Connection, answer: "AnswerResult"
) -> PlacedStatement | None:
    """Return where the newest note of *answer* stands; None: it is all that its page has."""
    captures = sorted(_list_captures([answer]))
    places = [find_statement_of_capture(db, one) for one in captures]
    standing = [place for place in places if place is not None]
    return max(standing, key=lambda place: place.told_at, default=None)


# -- on its page -----------------------------------------------------------------------------------


def _is_of_one_matter(db: sqlite3.Connection, entry: str) -> bool:
    subject = find_subject(db, entry)
    return subject is not None and subject.kind in _OF_ONE_MATTER


def _list_on_page(
    db: sqlite3.Connection,
    asked: Asked,
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
    if not asked.named <= list_stems(page.title, asked.language):
        # a page of something else, on which the answer only stands
        return [
            _make_later(one, pages.read_words(one), "", asked) for one in later
        ]
    # each of them is about what the page is of
    wanted = _list_words_beside(page.title, asked)
    found = []
    for one in later:
        words = pages.read_words(one)
        shared = _stem_note(words, asked.language) & wanted
        weight = len(shared) + _weigh_change(words, asked.language)
        is_over = overtakes(words, one.title, asked)
        found.append(_Later(weight, _describe(one, words), is_over))
    return found


def _make_later(
    one: PlacedStatement, text: str, title: str, asked: Asked
) -> _Later:
    weight, is_over = _weigh_elsewhere(text, title, asked)
    return _Later(weight, _describe(one, text), is_over)


def _list_words_beside(title: str, asked: Asked) -> frozenset[str]:
    """Return the words of question and answer that do not stand in *title*."""
    words = asked.asked | asked.answered
    return words - list_stems(title, asked.language)


# -- elsewhere -------------------------------------------------------------------------------------


def _list_elsewhere(
    db: sqlite3.Connection, asked: Asked, pages: "_Pages"
) -> list[_Later]:
    """Return what was told later on any page and is of the same."""
    stems = sorted(asked.asked | asked.answered | asked.named)
    compounds = asked.language in COMPOUNDING
    words = write_any([(stem,) for stem in stems], prefix=compounds)
    found = []
    for one in list_statements_since(db, words, asked.told_at, _LOOKED_AT):
        if not one.stands:
            continue
        later = _make_later(one, pages.read_words(one), one.title, asked)
        if later.weight:
            found.append(later)
    return found


def _list_in_other_languages(
    db: sqlite3.Connection,
    asked: Asked,
    page: PlacedStatement | None,
    pages: "_Pages",
) -> list[_Later]:
    """Return what tells in another language a change of a value like the answer's."""
    if asked.wants != "time" and not any(map(str.isdigit, asked.value)):
        return []
    # values across languages: only an answer with an amount or a time needs them
    from companion.answers.notes import other_language as across

    own = language_of(pages.read_words(page)) if page is not None else None
    own = own or asked.language
    words = across.write_search(across.read_values(asked.value, own), own)
    if not words:
        return []
    found = []
    for one in list_statements_since(db, words, asked.told_at, _LOOKED_AT):
        text = pages.read_words(one) if one.stands else ""
        if text and across.changes_value(db, one.capture, text, asked, own):
            found.append(_Later(1 + _CHANGE, _describe(one, text), True))
    return found


def _list_waiting(
    ws: Workspace, journal: Journal, asked: Asked
) -> list[_Later]:
    """Return what waits for a night, was told later and is of the same."""
    found = []
    for note in list_open(journal.connection, ws.who):
        if note.time <= asked.told_at:
            continue
        text = note.content.decode("utf-8", "replace")
        title = note.title or headline_of(text)
        weight, is_over = _weigh_elsewhere(text, title, asked)
        if weight:
            shown = _show(note.id, title, None, text, None, note.time)
            found.append(_Later(weight, shown, is_over))
    return found


def _weigh_elsewhere(text: str, title: str, asked: Asked) -> tuple[int, bool]:
    """Return how much a note weighs, and whether the answer may be so no longer after it."""
    shared = _count_shared(text, title, asked)
    if overtakes(text, title, asked):
        return shared + 1 + _CHANGE, True
    return shared, False


def _count_shared(text: str, title: str, asked: Asked) -> int:
    """Return how much a note says of what is asked; 0: it is of something else.

    It names whom the answer is of, and has another word of question or answer, if the question has
    any beside the name. An answer of the asker names nobody: then a word of the question, and two
    more, or a change, make it of the same.
    """
    stems = _stem_note(text, asked.language)
    shared = stems & (asked.asked | asked.answered) - asked.named
    if not asked.named:
        if not shared & asked.asked:
            return 0
        weight = len(shared) + _weigh_change(text, asked.language)
        return weight if weight > _LEAST else 0
    if not asked.named <= stems | list_stems(title, asked.language):
        return 0
    bare = asked.asked <= asked.named
    if not shared and not bare:
        return 0
    return bare + len(shared) + _weigh_change(text, asked.language)


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
    return stem_words(split_words(text), language)


def _weigh_change(text: str, language: str) -> int:
    """Return _CHANGE where a note tells of a change, else 0."""
    return _CHANGE if tells_change(text, language) else 0


# -- shown -----------------------------------------------------------------------------------------


def _describe(place: PlacedStatement, words: str) -> "PassageResult":
    link = link_statement(place.path, place.id)
    shown = _show(
        place.entry, place.title, place.path, words, link, place.told_at
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
        "found_by": [OVERTOOK],
    }
