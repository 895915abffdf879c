"""Find the passages of notes nearest to a question that no claim answers (LED-15).

Three rankings are fused into one: by the question's words, by the names in it, and by its meaning.
A passage is one note, also on a page that gathers many.
"""

import sqlite3
from collections.abc import Hashable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.answers.question import ME, US, Question
from companion.comparison.nearest import (
    embed_quantised,
    embedder_name,
    find_nearest_stored,
    vectors_path,
)
from companion.language.lexicon import lexicon_of
from companion.language.question_words import question_language
from companion.lookup.excerpts import (
    describe_hit,
    link_statement,
    read_page_bytes,
)
from companion.lookup.notes_by_words import (
    Note,
    Place,
    RankedNote,
    Stem,
    cut_excerpt,
    list_stems,
    rank_notes,
    weigh_stems,
)
from companion.lookup.search import search_wiki
from companion.pages.statements import (
    moment_of,
    read_opening,
    read_statements,
    statement_id,
)
from companion.storage.index.counts import list_terms_beginning
from companion.storage.index.search import find_entry
from companion.storage.index.tables import claims
from companion.storage.index.tables.captures import list_tellers
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.names import list_sides_with_blobs
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from companion.storage.index.terms import split_words
from companion.storage.vectors import Vectors
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        PassageResult,
    )
    from companion.lookup.results import (
        SearchHit,
    )


class _Words(NamedTuple):
    """The words of a question, by which notes are found and excerpts cut."""

    words: tuple[str, ...]
    stem: Stem
    subjects: tuple[frozenset[str], ...]  # the stems of each name in it


Item = TypeVar("Item", bound=Hashable)

# Cormack, Clarke and Büttcher (SIGIR 2009): how little the first places of one ranking decide alone
SMOOTH = 60
_FITS = (
    0.3  # of the best note's words: what has less of them does not fit any more
)
MOST = 10
_WIDE = 20  # places of one ranking that count
_PAGES = 40  # pages of a search whose notes are ranked
_NOUNS_HAVE_CAPITALS = ("de",)  # a capital is no sign of a name
_FORMS = 40  # words of the index that are looked at for each word of a question
_ROOT = 3  # characters that a stem has at least to be looked for
_SHOWN = 240  # characters of a passage


def find_passages(
    ws: Workspace, db: sqlite3.Connection, question: str, asked: Question
) -> "list[PassageResult]":
    """Return the passages nearest to *question*, best first: by meaning, by its words, and by whom
    it names.

    Raises DamagedRef, IndexDamaged or ModelUnavailable.
    """
    words = _read_words(asked, question)
    ranked = _search_words(ws, db, words)
    names = [name for name, _, _ in asked.names]
    rankings = {
        "words": list(ranked),
        "names": _list_by_name(db, names),
        "meaning": _list_by_meaning(ws, db, question),
    }
    scores = {place: one.score for place, one in ranked.items()}
    passages = []
    for place, found_by in keep_related(fuse_rankings(rankings), scores):
        note = ranked[place].note if place in ranked else None
        passage = _read_passage(ws, db, place, found_by, note, words)
        if passage is not None:
            passages.append(passage)
    return passages


# -- by words --------------------------------------------------------------------------------------


def _read_words(asked: Question, question: str) -> _Words:
    """Return the telling words of the question, and the stemmer of its language."""
    language = question_language(split_words(question))
    stem = lexicon_of(language).stem
    words = [word for slot in asked.slots for word in split_words(slot.word)]
    names = [name for name, _, _ in asked.names if name not in (ME, US)]
    if language not in _NOUNS_HAVE_CAPITALS:
        names += _list_capitals(question, words)
    subjects = {frozenset(list_stems(name, stem)) for name in names}
    return _Words(tuple(dict.fromkeys(words)), stem, tuple(subjects))


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
    stems = set(list_stems(note.named, words.stem))
    return any(subject <= stems for subject in words.subjects)


def _search_words(
    ws: Workspace, db: sqlite3.Connection, words: _Words
) -> dict[Place, RankedNote]:
    """Return the notes with most of the question's *words*, in any of their forms, best first."""
    query = " ".join(_list_forms(db, words))
    if not query:
        return {}
    notes: list[Note] = []
    found = search_wiki(ws, query, limit=_PAGES, one_of_each_page=True)
    for hit in found["results"]:
        notes += _list_notes(ws, db, hit)
    asked = [words.stem(word) for word in words.words]
    ranked = rank_notes(notes, asked, words.stem, _WIDE)
    return {one.note.place: one for one in ranked}


def _list_forms(db: sqlite3.Connection, words: _Words) -> list[str]:
    """Return the *words*, and other words of the index that have one of their stems."""
    forms: dict[str, None] = dict.fromkeys(words.words)
    for word in words.words:
        root = words.stem(word)
        if len(root) < _ROOT:
            continue
        for term in list_terms_beginning(db, root, _FORMS):
            if words.stem(term) == root:
                forms[term] = None
    return list(forms)


def _read_text(ws: Workspace, db: sqlite3.Connection, hit: "SearchHit") -> str:
    """Return the page of *hit*; of a page that is no entry, the words that the search shows."""
    row = find_page(db, hit["id"])
    if row is None:
        return hit["snippet"]
    return read_page_bytes(ws, row.path, row.blob).decode("utf-8", "replace")


def _list_notes(
    ws: Workspace, db: sqlite3.Connection, hit: "SearchHit"
) -> list[Note]:
    """Return the notes on the page of *hit*: its statements, and the words that it began with."""
    if hit["path"] is None:
        place = Place(hit["id"], "")
        return [Note(place, hit["snippet"], hit["event_time"], False, hit)]
    text = _read_text(ws, db, hit)
    notes = []
    opening = read_opening(without_frontmatter(text))
    if opening.strip():
        place = Place(hit["id"], "")
        notes.append(Note(place, opening, hit["event_time"], False, hit))
    tellers = _list_tellers(db, hit["id"])
    for one in read_statements(text):
        place = Place(hit["id"], one.id)
        when = moment_of(hit["title"], one.when)
        teller = tellers.get(one.id, "")
        notes.append(Note(place, one.words, when, one.earlier, hit, teller))
    return notes


def _list_tellers(db: sqlite3.Connection, entry: str) -> dict[str, str]:
    """Return who told the statements of the page *entry*, by their ids."""
    tellers = list_tellers(db, entry)
    return {statement_id(capture): who for capture, who in tellers.items()}


def _list_by_name(db: sqlite3.Connection, names: Sequence[str]) -> list[Place]:
    """Return the places that tell of those named, the newest telling first."""
    told = []
    for name in names:
        told += claims.list_claims_about(db, name)
    told.sort(
        key=lambda claim: (claim.assertion.told_at, claim.assertion.id),
        reverse=True,
    )
    sides = dict.fromkeys(
        (claim.entry, claim.capture) for claim in told if claim.entry
    )
    places = [_find_place(db, *side) for side in islice(sides, _WIDE)]
    return list(dict.fromkeys(places))


def _find_place(db: sqlite3.Connection, entry: str, capture: str) -> Place:
    """Return the place of a note; that of a page of one has no statement."""
    placed = find_statement_of_capture(db, capture) if capture else None
    if placed is None:
        return Place(entry, "")
    return Place(placed.entry, placed.id)


def _list_by_meaning(
    ws: Workspace, db: sqlite3.Connection, question: str
) -> list[Place]:
    """Return the places whose vectors are nearest; none where no night has made vectors.

    Raises ModelUnavailable if vectors are there and their embedder is not.
    """
    from companion.language.static_vectors import StaticEmbedder

    embedder = StaticEmbedder()
    store = Vectors(vectors_path(ws), embedder_name(embedder))

    def list_places(blobs: Sequence[str]) -> list[Place]:
        """Return the places that hold one of *blobs*."""
        sides = list_sides_with_blobs(db, blobs)
        return [_find_place(db, *side) for side in sides]

    try:
        if not store.count():
            return []
        asked = {"": embed_quantised(embedder, [question])[0]}
        nearest = find_nearest_stored(
            asked, store.packs, list_places, most=_WIDE
        )
        return nearest.get("", [])
    finally:
        store.close()


def _read_passage(
    ws: Workspace,
    db: sqlite3.Connection,
    place: Place,
    found_by: Sequence[str],
    note: Note | None,
    words: _Words,
) -> "PassageResult | None":
    """Return the words at *place*, around those of the question; None: the page is gone."""
    if note is None:
        note = _find_note(ws, db, place)
    if note is None:
        return None
    return {
        "id": place.entry,
        "title": note.hit["title"],
        "path": note.hit["path"],
        "text": _cut(note.text, words),
        "statement": place.statement or None,
        "when": note.when,
        "link": _link(note),
        "of_subject": "names" in found_by or _is_of_subject(note, words),
        "found_by": [*found_by],
    }


def _find_note(
    ws: Workspace, db: sqlite3.Connection, place: Place
) -> Note | None:
    """Return the note at *place*, which no search found; None: it is gone."""
    entry = find_entry(db, place.entry, 0.0, "passage")
    if entry is None:
        return None
    hit: SearchHit = {
        **describe_hit(ws, entry, ()),
        "shift": None,
    }
    for note in _list_notes(ws, db, hit):
        if note.place == place:
            return note
    return None


def _cut(text: str, words: _Words) -> str:
    """Return the part of *text* with most of the question's words; the rarest weigh most."""
    sentences = [list_stems(line, words.stem) for line in text.splitlines()]
    asked = [words.stem(word) for word in words.words]
    weights = weigh_stems(sentences, asked)
    return cut_excerpt(text, weights, words.stem, _SHOWN)


def _link(note: Note) -> str | None:
    path = note.hit["path"]
    if path is None or not note.place.statement:
        return None
    return link_statement(path, note.place.statement)


# -- several rankings as one -----------------------------------------------------------------------


def fuse_rankings(
    rankings: Mapping[str, Sequence[Item]],
) -> list[tuple[Item, float, tuple[str, ...]]]:
    """Return (item, score, the rankings it stands in), the best first: the sum of 1 / (60 + place)
    over all rankings.

    An item counts once in a ranking, at its first place. Ties go to the item that more rankings
    have, then by its text.
    """
    scores: dict[Item, float] = {}
    found_by: dict[Item, list[str]] = {}
    for name, ranking in sorted(rankings.items()):
        for place, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (SMOOTH + place)
            found_by.setdefault(item, []).append(name)

    def rank(item: Item) -> tuple[float, int, str]:
        """Return what the fused ranking is sorted by."""
        return -round(scores[item], 9), -len(found_by[item]), str(item)

    fused = sorted(scores, key=rank)
    return [(item, scores[item], tuple(found_by[item])) for item in fused]


def keep_related(
    fused: Sequence[tuple[Item, float, tuple[str, ...]]],
    scores: Mapping[Item, float],
    *,
    most: int = MOST,
) -> list[tuple[Item, tuple[str, ...]]]:
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
