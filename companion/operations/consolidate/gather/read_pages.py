"""Read the pages of one note that are to be gathered, and tell which must stay."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.pending import FILE, PendingCapture, requested_title
from companion.language.headline import headline
from companion.operations.consolidate.collect import find_opening
from companion.operations.consolidate.gather.follow_links import links_by_hand
from companion.pages import links
from companion.pages.body import without_facts
from companion.pages.frontmatter import read_front
from companion.runs.run import Run
from companion.storage.boundary.tellings import decode_sighting
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.claims import list_claims_of_entry
from companion.storage.index.tables.pages.gathering import (
    PageOfOneNote,
    list_linking_pages,
)
from companion.values.captures import Capture, Sighting, link_placeholders

# what companion itself writes into the frontmatter of a page of one note
_OWN_KEYS = frozenset({"id", "type", "title", "created", "sources"})


class OldPage(NamedTuple):
    """A page of one note that may be gathered."""

    row: PageOfOneNote
    told: PendingCapture  # its note, with the words that stand on the page
    subjects: tuple[str, ...]  # of its claims
    linking: tuple[str, ...]  # pages whose links to it companion wrote


def read_pages(
    run: Run,
    rows: Sequence[PageOfOneNote],
    resting: Mapping[str, str],
) -> tuple[list[OldPage], dict[str, str]]:
    """Return those of *rows* that may be gathered, and why others stay, by path.

    Pages in *resting* must not be touched.
    """
    pages = []
    left_out = {}
    for row in rows:
        page = _read_page(run, row)
        if isinstance(page, str):
            left_out[row.path] = page
        else:
            pages.append(page)
    paths = {page.row.path for page in pages}
    for page in pages:
        paths.update(page.linking)
    blocked = {**resting, **run.excluded_paths(sorted(paths - resting.keys()))}
    free = []
    for page in pages:
        reason = _find_obstacle(page, blocked)
        if reason is None:
            free.append(page)
        else:
            left_out[page.row.path] = reason
    return free, left_out


def _find_obstacle(page: OldPage, blocked: Mapping[str, str]) -> str | None:
    if page.row.path in blocked:
        return blocked[page.row.path]
    for path in page.linking:
        if path in blocked:
            return f"{path} links it and {blocked[path]}"
    return None


def _read_page(run: Run, row: PageOfOneNote) -> OldPage | str:
    """Return the page at *row*, or why it stays."""
    if find_opening(run, row.entry) is None:
        return "was changed since its note was told"
    text = run.repo.text(row.blob, exact=True)
    front = read_front(without_facts(text))
    if not front.meta.keys() <= _OWN_KEYS:
        return "has frontmatter of its own"
    words = front.body.strip("\r\n")
    told = _read_note(run, row.capture, words)
    if told.capture.channel == FILE or requested_title(told) is not None:
        return "is the page of a file or of a conversation"
    if not _is_untitled(run, row, words):
        return "has a title that somebody gave it"
    linking = _list_linking(run, row)
    if isinstance(linking, str):
        return linking
    claims = list_claims_of_entry(run.db, row.entry)
    subjects = tuple(claim.subject for claim in claims)
    return OldPage(row, told, subjects, tuple(dict.fromkeys(linking)))


def _list_linking(run: Run, row: PageOfOneNote) -> list[str] | str:
    """Return the pages whose links to the page at *row* companion made, or why it stays."""
    linking = []
    key = links.key(row.path)
    for page in list_linking_pages(run.db, row.path, key):
        if page.path == row.path or not page.managed:
            return f"{page.path} links it"
        linking.append(page.path)
    by_hand = links_by_hand(run, linking, row.path)
    if by_hand is not None:
        return f"{by_hand} links it in words of a note"
    return linking


def _is_untitled(run: Run, row: PageOfOneNote, words: str) -> bool:
    """Tell whether a page has the first words of its note for a title."""
    if words.startswith("# "):
        return False
    if headline(words) == row.title:
        return True
    # earlier versions cut titles elsewhere; where the note is known here, it says so itself
    known = run.journal.capture(row.capture)
    return bool(known) and known[0].title is None


def _read_note(run: Run, capture: str, words: str) -> PendingCapture:
    """Return the note of a page as if it were told tonight, with the words of the page."""
    sightings: list[Sighting] = []
    for telling in list_tellings(run.db, capture):
        sightings.append(decode_sighting(capture, telling))
    first = sightings[0]
    content = words.encode("utf-8", "surrogateescape")
    note = Capture(
        id=capture,
        blob="",
        ingested_at=first.seen_at,
        channel=first.channel,
        priority=0.5,
        title=None,
        edges=link_placeholders(words),
        content=content,
    )
    return PendingCapture(note, tuple(sightings))


def list_entries(pages: Collection[OldPage]) -> set[str]:
    """Return the entries of *pages*."""
    return {page.row.entry for page in pages}
