"""The members of minority branches: who told them, their pages, and the entry they would become."""

import sqlite3
from collections.abc import Iterable, Sequence

from companion.minority.contested.contested_page import ContestedPage
from companion.minority.pages import MemberPage, Newcomer, promoted_text
from companion.pages import page
from companion.pages.frontmatter import read_front
from companion.storage.boundary.tellings import decode_sighting
from companion.storage.git.repo import Repo
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    find_entry_of_capture,
    list_tellings,
)
from companion.storage.index.tables.minority import Member
from companion.storage.index.tables.pages.entries import find_title
from companion.values.captures import Sighting
from companion.values.decisions import Write
from companion.values.time import local_moment


def recorded_sightings(db: sqlite3.Connection, capture: str) -> list[Sighting]:
    """Return the tellings of a consumed capture as the ledger has them, oldest first."""
    recorded = list_tellings(db, capture)
    return [decode_sighting(capture, fields) for fields in recorded]


def first_told(db: sqlite3.Connection, member: Member) -> str:
    """Return the earliest event time of a member, or when it joined if no telling is recorded."""
    times = [
        sighting.event_time
        for sighting in recorded_sightings(db, member.capture)
    ]
    return min(times, default=member.joined)


def _first_minute(db: sqlite3.Connection, member: Member) -> str:
    """Return when a member was told first, by the clock of who told it."""
    sightings = recorded_sightings(db, member.capture)
    if not sightings:
        return local_moment(member.joined, None)
    first = min(sightings, key=lambda one: one.event_time)
    return local_moment(first.event_time, first.utc_offset)


def movable_members(db: sqlite3.Connection, branch: str) -> list[Member]:
    """Return the members whose pages move when *branch* wins.

    Members that came out of quarantine are entries already and stay where they are.
    """
    members = minority.list_members(db, branch)
    return [
        member for member in members if member.path.startswith(minority.FOLDER)
    ]


def movable_pages(
    db: sqlite3.Connection, repo: Repo, branch: str
) -> list[MemberPage]:
    """Return the pages that move when *branch* wins, in the order they were told first."""
    pages = []
    for member in movable_members(db, branch):
        text = repo.text(member.blob, exact=True)
        told = first_told(db, member)
        minute = _first_minute(db, member)
        stays = _stays_on_its_page(db, member)
        pages.append(
            MemberPage(member.path, text, told, member.capture, minute, stays)
        )
    return in_order_of_telling(pages)


def _stays_on_its_page(db: sqlite3.Connection, member: Member) -> bool:
    """Tell whether the note of *member* is on another page than that of its branch."""
    entry = find_entry_of_capture(db, member.capture)
    return entry is not None and entry != member.entry


def in_order_of_telling(pages: Iterable[MemberPage]) -> list[MemberPage]:
    """Return *pages* sorted by when each was told first, then by path."""
    return sorted(pages, key=lambda each: (each.told, each.path))


def list_newcomers(pages: Iterable[MemberPage]) -> list[Newcomer]:
    """Return those of *pages* that come to a page of several statements, in the order of telling.

    Notes that stay on pages of their own do not.
    """
    return _read_notes(one for one in pages if not one.stays)


def find_winner(
    page: ContestedPage, pages: Sequence[MemberPage]
) -> Newcomer | None:
    """Return the first of *pages* that takes a place on *page*, or that stands there already; None
    if all stay elsewhere.
    """
    standing = (one for one in pages if page.find(one.capture))
    notes = list_newcomers(pages) or _read_notes(standing)
    return notes[0] if notes else None


def _read_notes(pages: Iterable[MemberPage]) -> list[Newcomer]:
    notes = []
    for each in pages:
        words = read_front(each.text).body.strip("\r\n")
        notes.append(Newcomer(each.capture, each.told, each.minute, words))
    return sorted(notes, key=lambda one: (one.told, one.capture))


def promoted_title(
    db: sqlite3.Connection,
    repo: Repo,
    incumbent: str,
    pages: Sequence[MemberPage],
) -> str:
    """Return the title of the entry that *pages* become.

    It names *incumbent* and what their plainest sentence says against it; where no sentence does,
    it is the title of the first page.
    """
    # reads that show no branch need no judge
    from companion.language.names.naming_contradictions import (
        name_contradiction,
    )
    from companion.minority.contested.contests import find_plainest_sentence

    texts = [page.text for page in pages]
    sentence = find_plainest_sentence(db, repo, incumbent, texts)
    contested = find_title(db, incumbent)
    if sentence is None or contested is None:
        return page.parse(pages[0].text, pages[0].path).title
    return name_contradiction(sentence, contested)


def promotion_files(
    pages: Sequence[MemberPage], path: str, title: str | None = None
) -> list[Write]:
    """Return the files of a promotion: *pages* removed, and the entry at *path* that holds them."""
    content = promoted_text(pages, title).encode("utf-8", "surrogateescape")
    removed = [Write(each.path, None) for each in pages]
    return [*removed, Write(path, content)]
