"""Gather what the notes of one night may know of the wiki: the pages that their words lead to."""

from collections.abc import Mapping, Sequence

from companion.comparison.nearest import embed_quantised
from companion.comparison.page_vectors import OPENING, open_page_vectors
from companion.language.protocols import Embedder
from companion.runs.run import Run
from companion.storage.index.tables.pages import (
    list_comparable_with_blobs,
    list_entries_linked,
    list_names_beginning,
    list_subject_pages,
)
from companion.subjects.near import find_near
from companion.subjects.values import Name, Near, Note, Subject, SubjectsView
from companion.subjects.words import link_keys, list_beginnings

# names of one beginning that are looked at
MOST_NAMES = 100
# pages that a note's vector is held against
MOST_NEAR = 8


def collect_subjects(
    run: Run, notes: Sequence[Note], embedder: Embedder | None
) -> SubjectsView:
    """Return what *notes* may know of the wiki.

    Names are looked up by the words of the notes, never by going through the pages. Without an
    embedder no page is near.
    """
    names = _collect_names(run, notes)
    meant = _collect_links(run, notes)
    nearest = _collect_nearest(run, notes, embedder)
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
    for note in notes:
        beginnings.update(dict.fromkeys(list_beginnings(note)))
    names = list_names_beginning(run.db, beginnings, MOST_NAMES)
    return [Name(key, entry) for key, entry in names]


def _collect_links(
    run: Run, notes: Sequence[Note]
) -> dict[str, tuple[str, ...]]:
    targets = {target for note in notes for target in note.links}
    meant = {}
    for target in sorted(targets):
        base_key, title_key = link_keys(target)
        meant[target] = tuple(list_entries_linked(run.db, base_key, title_key))
    return meant


def _collect_nearest(
    run: Run, notes: Sequence[Note], embedder: Embedder | None
) -> dict[str, list[Near]]:
    """Return the nearest pages of each note; the only place that uses vectors."""
    if embedder is None or not notes:
        return {}
    openings = [f"{note.title or ''}\n{note.text[:OPENING]}" for note in notes]
    made = embed_quantised(embedder, openings)
    asked = {note.capture: code for note, code in zip(notes, made, strict=True)}

    def list_bearers(blobs: Sequence[str]) -> list[str]:
        """Return the entries that a note may be about whose pages hold *blobs*."""
        return list_comparable_with_blobs(run.db, blobs)

    with open_page_vectors(run, embedder) as kept:
        return find_near(asked, kept.store.packs(), list_bearers, MOST_NEAR)
