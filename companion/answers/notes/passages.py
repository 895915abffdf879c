"""Find the passages of notes nearest to a question that no claim answers (LED-15).

Rankings are fused: what `search` finds leads, and what was told at the time that the question
names; what tells of whom it names and, where there is room, what is near to it in meaning comes
behind. A passage is one note, also on a page of many.
"""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType

from companion.annotations import TYPE_CHECKING
from companion.answers.notes.told_then import ToldThen, find_told_then
from companion.answers.question import ME, US, Question
from companion.language.words import snowball
from companion.language.words.question_words import question_language
from companion.lookup.excerpts import describe_hit, headline_of
from companion.lookup.notes_by_words import (
    Note,
    Place,
    cut_excerpt,
    weigh_stems,
)
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.lookup.search import find_nearest
from companion.pages.statements import (
    moment_of,
    read_opening,
    read_statements,
    statement_id,
)
from companion.storage.index.search.hits import Hit, find_entry
from companion.storage.index.tables.captures import list_tellers
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.terms import split_words
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from typing import TypeVar

    from companion.answers.results import (
        PassageResult,
    )

    Item = TypeVar("Item", bound=Hashable)
    Fused = tuple[Item, float, tuple[str, ...]]


class _Words(NamedTuple):
    """The words by which notes are told apart, and around which excerpts are cut."""

    asked: tuple[str, ...]  # the stems of the question's telling words
    language: str
    subjects: tuple[frozenset[str], ...]  # the stems of each name in it


class _Hits(NamedTuple):
    """The hits of a search, the best first."""

    by_place: dict[Place, Hit]
    scores: dict[Place, float]  # how well the words of each note fit
    words: list[str]  # that excerpts of notes that wait are cut around


class _Ranked(NamedTuple):
    """Notes near to a question, and the rankings that they stand in."""

    hits: _Hits
    rankings: dict[str, list[Place]]


# Cormack, Clarke and Büttcher (SIGIR 2009): how little the first places of one ranking decide alone
SMOOTH = 60
_FITS = (
    0.3  # of the best note's words: what has less of them does not fit any more
)
MOST = 10
# what a place in a ranking counts: more of the others shows evidence less often
THEN = "told then"
WEIGHTS = {"words": 1.0, "names": 0.01, "meaning": 0.01, THEN: 1.0}
_WIDE = 20  # places of one ranking that count
_NOUNS_HAVE_CAPITALS = ("de",)  # a capital is no sign of a name
_SHOWN = 240  # characters of a passage
# parts of a score that say that a note is to come first, or is near in meaning: not that it fits
_NO_FIT = ("title", "called so", "best words", "meaning", "later", "waiting")


def find_passages(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    asked: Question,
) -> "list[PassageResult]":
    """Return the passages nearest to *question*, best first: by its words, by whom it names, and by
    its meaning.

    Raises DamagedRef, IndexDamaged or ModelUnavailable.
    """
    told = find_told_then(ws, journal, db, question)
    words = _read_words(asked, question if told is None else told.rest)
    if told is None or told.rest:
        found = _rank_notes(ws, journal, db, question, asked, told)
    else:
        # it names nothing but a time
        hits = _add_hits(_Hits({}, {}, []), told.hits)
        found = _Ranked(hits, {THEN: list(hits.by_place)})
    fused = fuse_rankings(found.rankings, WEIGHTS)
    passages: list[PassageResult] = []
    # a page's own words may be gone, or none: the next one takes the place
    for place, found_by in keep_related(
        fused, found.hits.scores, most=len(fused)
    ):
        passage = _read_passage(ws, db, place, found_by, found.hits, words)
        if passage is not None:
            # what was told at another time is something else
            passage["of_subject"] &= told is None or THEN in found_by
            passages.append(passage)
        if len(passages) == MOST:
            break
    if told is not None and not told.rest:
        passages.sort(key=_told_when)
    return passages


def _told_when(passage: "PassageResult") -> str:
    return passage["when"] or ""


def _rank_notes(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    asked: Question,
    told: ToldThen | None,
) -> _Ranked:
    """Return the notes near to *question*, and the rankings that they stand in."""
    hits = _search_notes(ws, journal, db, question)
    names = [name for name, _, _ in asked.names]
    rankings = {"words": list(hits.by_place), "names": list[Place]()}
    if names:
        # few questions name what claims tell of, and are answered by none
        from companion.answers.notes.places import list_by_name

        rankings["names"] = list_by_name(db, names, _WIDE)
    if told is not None:
        hits = _add_hits(hits, told.hits)
        rankings[THEN] = [_place(hit) for hit in told.hits]
    fitting = keep_related(fuse_rankings(rankings), hits.scores)
    if len(fitting) < MOST:
        from companion.answers.notes.places import list_by_meaning

        rankings["meaning"] = list_by_meaning(ws, db, question, _WIDE)
    return _Ranked(hits, rankings)


# -- by words --------------------------------------------------------------------------------------


def _read_words(asked: Question, question: str) -> _Words:
    """Return the telling words of the question, and whom it names, as stems of its language."""
    language = question_language(split_words(question))
    words = [word for slot in asked.slots for word in split_words(slot.word)]
    names = [name for name, _, _ in asked.names if name not in (ME, US)]
    if language not in _NOUNS_HAVE_CAPITALS:
        names += _list_capitals(question, words)
    subjects = {frozenset(_list_stems(name, language)) for name in names}
    stems = snowball.stem_words(words, language)
    return _Words(tuple(dict.fromkeys(stems)), language, tuple(subjects))


def _list_stems(text: str, language: str) -> list[str]:
    return snowball.stem_words(split_words(text), language)


def _list_capitals(question: str, words: Sequence[str]) -> list[str]:
    """Return those of *words* that have a capital within the question."""
    names = []
    for piece in question.split()[1:]:
        said = split_words(piece)
        if piece[0].isupper() and said[:1] and said[0] in words:
            names.append(said[0])
    return names


def _is_of_subject(note: Note, words: _Words) -> bool:
    """Tell whether the note, its page or its teller is called as one of whom the question names;
    True: it names nobody.
    """
    if not words.subjects:
        return True
    stems = set(_list_stems(note.named, words.language))
    return any(subject <= stems for subject in words.subjects)


def _search_notes(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, question: str
) -> _Hits:
    """Return what `search` finds for *question*, and how well each note fits."""
    hits: dict[Place, Hit] = {}
    scores: dict[Place, float] = {}
    found = find_nearest(ws, journal, db, question, _WIDE)
    for hit in found.hits:
        hits.setdefault(_place(hit), hit)
        parts = dict(hit.parts)
        lead = sum(parts.get(one, 0.0) for one in _NO_FIT)
        scores.setdefault(_place(hit), hit.score - lead)
    return _Hits(hits, scores, found.words)


def _place(hit: Hit) -> Place:
    return Place(hit.id, hit.statement)


def _add_hits(hits: _Hits, told: Iterable[Hit]) -> _Hits:
    """Return *hits* with those *told* at the time that is asked for, which all fit."""
    by_place = {_place(hit): hit for hit in told}
    fits = max(hits.scores.values(), default=0.0)
    scores = hits.scores | dict.fromkeys(by_place, fits)
    return hits._replace(by_place=by_place | hits.by_place, scores=scores)


def _list_notes(
    ws: Workspace, db: sqlite3.Connection, hit: Hit, words: Sequence[str]
) -> list[Note]:
    """Return the notes on the page of *hit*: its statements, and the words that it began with; of a
    page that is no entry, the excerpt around *words*.
    """
    row = None if hit.path is None else find_page(db, hit.id)
    if hit.path is None or row is None:
        shown = describe_hit(ws, hit, words)
        text, title = shown["snippet"], shown["title"]
    else:
        data = read_page_bytes(ws, row.path, row.blob)
        text = data.decode("utf-8", "replace")
        title = hit.title or headline_of(text)
    place = Place(hit.id, "")
    if hit.path is None:
        return [Note(place, text, hit.time, False, title, None)]
    notes = []
    opening = read_opening(without_frontmatter(text))
    if opening.strip():
        notes.append(Note(place, opening, hit.time, False, title, hit.path))
    tellers = _list_tellers(db, hit.id)
    for one in read_statements(text):
        place = Place(hit.id, one.id)
        when = moment_of(title, one.when)
        teller = tellers.get(one.id, "")
        notes.append(
            Note(place, one.words, when, one.earlier, title, hit.path, teller)
        )
    return notes


def _list_tellers(db: sqlite3.Connection, entry: str) -> dict[str, str]:
    """Return who told the statements of the page *entry*, by their ids."""
    tellers = list_tellers(db, entry)
    return {statement_id(capture): who for capture, who in tellers.items()}


def _read_passage(
    ws: Workspace,
    db: sqlite3.Connection,
    place: Place,
    found_by: Sequence[str],
    hits: _Hits,
    words: _Words,
) -> "PassageResult | None":
    """Return the words at *place*, around those of the question; None: the page is gone."""
    note = _find_note(ws, db, place, hits)
    if note is None:
        return None
    return {
        "id": place.entry,
        "title": note.title,
        "path": note.path,
        "text": _cut(note.text, words),
        "statement": place.statement or None,
        "when": note.when,
        "link": _link(note),
        "lost": note.earlier,
        "of_subject": "names" in found_by or _is_of_subject(note, words),
        "found_by": [*found_by],
    }


def _find_note(
    ws: Workspace, db: sqlite3.Connection, place: Place, hits: _Hits
) -> Note | None:
    """Return the note at *place*, whether a search found it or not; None: it is gone."""
    hit = hits.by_place.get(place)
    hit = hit or find_entry(db, place.entry, 0.0, "passage")
    if hit is None:
        return None
    for note in _list_notes(ws, db, hit, hits.words):
        if note.place == place:
            return note
    return None


def _cut(text: str, words: _Words) -> str:
    """Return the part of *text* with most of the question's words; the rarest weigh most."""
    lines = [_list_stems(line, words.language) for line in text.splitlines()]
    weights = weigh_stems(lines, words.asked)
    return cut_excerpt(text, weights, words.language, _SHOWN)


def _link(note: Note) -> str | None:
    if note.path is None or not note.place.statement:
        return None
    return link_statement(note.path, note.place.statement)


# -- several rankings as one -----------------------------------------------------------------------


def fuse_rankings(
    rankings: "Mapping[str, Sequence[Item]]",
    weights: Mapping[str, float] = MappingProxyType({}),
) -> "list[Fused[Item]]":
    """Return (item, score, the rankings it stands in), the best first: the sum of weight / (60 +
    place) over all rankings. A ranking without a weight weighs 1.

    An item counts once in a ranking, at its first place. Ties go to the item that more rankings
    have, then by its text.
    """
    scores: dict[Item, float] = {}
    found_by: dict[Item, list[str]] = {}
    for name, ranking in sorted(rankings.items()):
        weight = weights.get(name, 1.0)
        for place, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + weight / (SMOOTH + place)
            found_by.setdefault(item, []).append(name)

    def rank(item: "Item") -> tuple[float, int, str]:
        """Return what the fused ranking is sorted by."""
        return -round(scores[item], 9), -len(found_by[item]), str(item)

    fused = sorted(scores, key=rank)
    return [(item, scores[item], tuple(found_by[item])) for item in fused]


def keep_related(
    fused: "Sequence[Fused[Item]]",
    scores: "Mapping[Item, float]",
    *,
    most: int = MOST,
) -> "list[tuple[Item, tuple[str, ...]]]":
    """Return those of *fused* that fit the question, with the rankings they stand in, *most* at
    most.

    An item fits that several rankings have, or whose words do: *scores* says how well. Where words
    find nothing, all of them fit.
    """
    least = _FITS * max(scores.values(), default=0.0)
    related = []
    for item, _, found_by in fused:
        if len(found_by) > 1 or scores.get(item, 0.0) >= least:
            related.append((item, found_by))
    return related[:most]
