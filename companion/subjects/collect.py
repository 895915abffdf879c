"""Gather what the notes of one night may know of the wiki: the pages that their words lead to."""

from collections.abc import Mapping, Sequence

from companion.comparison.nearest import embed_quantised
from companion.comparison.page_vectors import OPENING, open_page_vectors
from companion.language.protocols import Embedder
from companion.language.static_vectors import StaticEmbedder
from companion.pages.body import words_to_judge
from companion.runs.run import Run
from companion.storage.index.tables.pages import (
    list_comparable_with_blobs,
    list_entries_linked,
    list_entries_matching,
    list_names,
    list_names_among,
    list_names_beginning,
    list_subject_pages,
)
from companion.storage.index.terms import fold_text
from companion.subjects.near import Measure, find_near
from companion.subjects.values import Name, Near, Note, Subject, SubjectsView
from companion.subjects.words import (
    blank_links,
    link_keys,
    list_beginnings,
    list_compound_parts,
    list_named,
    list_telling_words,
)
from companion.values.wording import without_frontmatter

# names of one beginning that are looked at
MOST_NAMES = 100
# pages that a note's vector is held against
MOST_NEAR = 12
# pages that have a word, from which on it is too common to lead to them
MOST_SHARING = 12
# words of a note by which pages are sought
_MOST_WORDS = 60


def collect_subjects(
    run: Run, notes: Sequence[Note], embedder: Embedder | None
) -> SubjectsView:
    """Return what *notes* may know of the wiki.

    Names are looked up by the words of the notes, never by going through the pages. Without an
    embedder no page is near.
    """
    names = _collect_names(run, notes)
    meant = _collect_links(run, notes)
    sought = SubjectsView({}, names, meant)
    named = {note.capture: list_named(note, sought) for note in notes}
    nearest = _collect_near(run, notes, named, embedder)
    entries = {name.entry for name in names}
    for linked in meant.values():
        entries.update(linked)
    for near in nearest.values():
        entries.update(one.entry for one in near)
    entries.update(note.belongs for note in notes if note.belongs is not None)
    pages = list_subject_pages(run.db, sorted(entries))
    subjects = {
        page.id: Subject(page.id, page.title, page.managed) for page in pages
    }
    return SubjectsView(
        subjects,
        [name for name in names if name.entry in subjects],
        _keep_known(meant, subjects),
        {
            capture: [one for one in near if one.entry in subjects]
            for capture, near in nearest.items()
        },
    )


def _keep_known(
    meant: Mapping[str, tuple[str, ...]], subjects: Mapping[str, Subject]
) -> dict[str, tuple[str, ...]]:
    """Return *meant* with those entries alone that notes may be about."""
    known = {}
    for target, entries in meant.items():
        known[target] = tuple(entry for entry in entries if entry in subjects)
    return known


def _collect_names(run: Run, notes: Sequence[Note]) -> list[Name]:
    beginnings: dict[str, None] = {}
    parts: dict[str, None] = {}
    for note in notes:
        beginnings.update(dict.fromkeys(list_beginnings(note)))
        parts.update(dict.fromkeys(list_compound_parts(note)))
    names = list_names_beginning(run.db, beginnings, MOST_NAMES)
    names += list_names_among(run.db, parts)
    return [Name(key, entry) for key, entry in dict.fromkeys(names)]


def _collect_links(
    run: Run, notes: Sequence[Note]
) -> dict[str, tuple[str, ...]]:
    targets = {target for note in notes for target in note.links}
    meant = {}
    for target in sorted(targets):
        base_key, title_key = link_keys(target)
        meant[target] = tuple(list_entries_linked(run.db, base_key, title_key))
    return meant


def _collect_near(
    run: Run,
    notes: Sequence[Note],
    named: Mapping[str, Sequence[str]],
    embedder: Embedder | None,
) -> dict[str, list[Near]]:
    """Return the pages that each note may be about, measured; the only place that uses vectors.

    They are the nearest by the vectors of pages, those that have a rare word of the note, and those
    *named*. What is measured is measured by the static vectors of the core install, so that one
    threshold fits, whoever judges else.
    """
    if embedder is None or not notes:
        return {}
    nearest = _find_nearest(run, notes, embedder)
    pages = _PageTexts(run)
    measure = Measure(StaticEmbedder())
    near = {}
    for note in notes:
        capture = note.capture
        candidates = dict.fromkeys((*named[capture], *nearest[capture]))
        words = list_telling_words(_read_opening(note))
        candidates.update(dict.fromkeys(_list_sharing(run, words)))
        texts = pages.read(list(candidates))
        near[capture] = measure.measure(_read_opening(note), texts)
    return near


def _find_nearest(
    run: Run, notes: Sequence[Note], embedder: Embedder
) -> dict[str, list[str]]:
    openings = [_read_opening(note) for note in notes]
    made = embed_quantised(embedder, openings)
    asked = {note.capture: code for note, code in zip(notes, made, strict=True)}

    def list_bearers(blobs: Sequence[str]) -> list[str]:
        """Return the entries that a note may be about whose pages hold *blobs*."""
        return list_comparable_with_blobs(run.db, blobs)

    with open_page_vectors(run, embedder) as kept:
        return find_near(asked, kept.store.packs(), list_bearers, MOST_NEAR)


def _read_opening(note: Note) -> str:
    """Return the beginning of a note's words: it says there what it is about."""
    text = blank_links(note.text[:OPENING])
    return f"{note.title or ''}\n{text}".strip()


def _list_sharing(run: Run, words: Sequence[str]) -> list[str]:
    """Return the entries with words that few pages have."""
    entries: dict[str, None] = {}
    for word in words[:_MOST_WORDS]:
        phrase = f'"{fold_text(word)}"'
        sharing = list_entries_matching(run.db, phrase, MOST_SHARING + 1)
        if len(sharing) <= MOST_SHARING:
            entries.update(dict.fromkeys(sharing))
    return list(entries)


class _PageTexts:
    """The texts that pages are measured by: names, the first words and the last ones."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._read: dict[str, str] = {}

    def read(self, entries: Sequence[str]) -> dict[str, str]:
        """Return the texts of those of *entries* that a note may be about."""
        new = [entry for entry in entries if entry not in self._read]
        for page in list_subject_pages(self._run.db, new):
            names = " ".join(list_names(self._run.db, page.id))
            words = self._read_words(page.blob)
            self._read[page.id] = f"{page.title}\n{names}\n{words}"
        return {
            entry: self._read[entry] for entry in entries if entry in self._read
        }

    def _read_words(self, blob: str) -> str:
        text = words_to_judge(self._run.repo.text(blob))
        text = without_frontmatter(text).strip()
        if len(text) <= 2 * OPENING:
            return text
        # the last words are those of the newest notes
        return f"{text[:OPENING]}\n{text[-OPENING:]}"
