"""`recall`: give back what left a page: its full text, or the original of its source (CTX-1).

An original comes back to the byte, or as the very passages that its page was made of. Its bytes are
held against its hash before anyone has them.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, NamedTuple

from companion.errors import BadInput, CompanionError
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index
from companion.operations.decay.owners_marks import NotAPage
from companion.operations.decay.recall import NotFaded, recall_faded
from companion.storage.cold import cold_memory, containers, originals
from companion.storage.cold.cold_memory import Cold
from companion.storage.cold.originals import CONTAINER, Original
from companion.storage.files import durable
from companion.storage.git.repo import Repo
from companion.storage.index.tables.claims import find_claim
from companion.storage.index.tables.sources import (
    Source,
    find_source,
    find_source_of_capture,
    list_handed,
    list_locked,
)
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.decay.results import RecallResult
    from companion.reading.results import RecalledOriginal, RecalledPassage

STDOUT = "-"
_SHORTEST = 6  # digits of an original's id
_NO_ZIP = (
    "with secrets blanked in it, programs do not open it as a zip;"
    " recall the files in it one by one"
)


class NoOriginal(CompanionError):
    """No original belongs to what was named: a page of notes, or nothing that came in."""

    exit_code = 1
    hint = "`companion sources` lists what came in from outside."


class Locked(BadInput):
    """The original is held back: a night found a secret in it."""

    hint = "`companion review` asks what is to become of it."


class Elsewhere(BadInput):
    """The original is on another machine."""

    hint = "`companion remote sync` brings it, where a remote has it."


class FileIsThere(BadInput):
    """There is a file of that name already."""

    exit_code = 2
    hint = "Name another file: nothing is ever written over."


class NotTogether(CompanionError):
    """--restore makes a page whole again; --span and -o give back an original."""

    exit_code = 2
    hint = "Run it once with --restore, and once without."


class _Found(NamedTuple):
    """The thing that a target names: an original, its reading, and the part that is meant."""

    item: Original
    source: Source | None  # None: no night has read it
    places: frozenset[str] = frozenset()  # of the turn that is meant
    words: str = ""  # the sentence that is meant


def recall(
    ws: Workspace,
    target: str,
    *,
    restore: bool = False,
    dry_run: bool = False,
    span: bool = False,
    output: str | None = None,
) -> "RecallResult | RecalledOriginal":
    """Return the full text of a page that faded, or what is known of the original of its source.

    With *span*, the passages that the page was made of. With *output*, the original is written to
    that file or into that folder; "-" leaves the bytes to `open_original`. Raises NoOriginal,
    FileIsThere, Locked, NotTogether, NothingFound, Ambiguous, ColdLost, Unreadable, and what
    `recall_faded` does.
    """
    wants_original = span or output is not None
    if restore and wants_original:
        raise NotTogether
    if not wants_original:
        try:
            return recall_faded(ws, target, restore=restore, dry_run=dry_run)
        except (NotFaded, NotAPage, NothingFound) as error:
            found = _find(ws, target)
            if found is None or restore:
                raise error from None
    else:
        found = _find(ws, target)
        if found is None:
            raise NoOriginal(f"there is no original of {target}")
    return _describe(ws, found, span=span, output=output)


def open_original(ws: Workspace, id: str) -> IO[bytes]:
    """Return a file with the bytes of the original *id*, which were held against its hash.

    Raises NoOriginal, Locked, ColdLost.
    """
    found = _find(ws, id)
    if found is None:
        raise NoOriginal(f"no original is called {id[:12]}")
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    for chunk in _stream(Repo(ws.place), found):
        file.write(chunk)
    file.seek(0)
    return file


# -- which original --------------------------------------------------------------------------------


def _find(ws: Workspace, target: str) -> _Found | None:
    """Return the original that *target* names; None where it names none. Raises Locked."""
    journal = ws.journal()
    db = current_index(ws, journal)
    repo = Repo(ws.place)
    found = None
    if db is not None:
        found = _find_read(ws, db, journal, repo, target)
        _refuse_locked(db, target)
    if found is None:
        found = _find_stored(ws, db, repo, target)
        if found is not None and db is not None:
            _refuse_locked(db, found.item.id)
    if found is not None and not _may_read(ws, found.item):
        return None
    return found


def _find_read(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    repo: Repo,
    target: str,
) -> _Found | None:
    """Return the original that *target* names, if a night has read it."""
    source = find_source(db, target, with_undone=True)
    if source is not None:
        return _Found(_item_of(repo, source), source)
    claim = find_claim(db, target)
    if claim is not None:
        capture = claim.capture
        start, end = claim.span
        words = _read_capture(ws, journal, repo, capture)[start:end]
    else:
        try:
            kind, capture = find_target(ws, db, journal, target)
        except NothingFound:
            return None
        words = ""
        if kind == "entry":
            source = find_source(db, capture, with_undone=True)
            return source and _Found(_item_of(repo, source), source)
    source = find_source_of_capture(db, capture, with_undone=True)
    if source is None:
        return None
    places = _list_places(db, source, capture)
    return _Found(_item_of(repo, source), source, places, words)


def _read_capture(ws: Workspace, journal: Journal, repo: Repo, id: str) -> str:
    """Return the text of the capture *id*; empty where this reader may not have it."""
    for capture in journal.capture(id, who=ws.who):
        content = capture.content or repo.blob(capture.blob)
        return content.decode("utf-8", "replace")
    return ""


def _list_places(
    db: sqlite3.Connection, source: Source, capture: str
) -> frozenset[str]:
    """Return where in the original the turn stands that *capture* was handed over as."""
    handed = list_handed(db, source)
    places = [each.passage for each in handed if each.capture == capture]
    return frozenset(filter(None, places))


def _item_of(repo: Repo, source: Source) -> Original:
    """Return the original of *source*: as the door stored it, or as its cold object tells of it."""
    if originals.has(repo, source.original):
        return originals.get(repo, source.original)
    return _make_original(source, _find_cold(repo, source))


def _find_cold(repo: Repo, source: Source) -> Cold:
    """Return the cold object of *source*. Raises Elsewhere where this clone has no bytes of it."""
    where = source.url or source.origin or "elsewhere"
    try:
        cold = cold_memory.find(repo, source.cold)
    except cold_memory.ColdLost as error:
        raise Elsewhere(
            f"the original of {source.title} is not in this clone; it came"
            f" from {where}"
        ) from error
    if cold.media_type == CONTAINER:
        raise Elsewhere(
            f"{source.title} lies in parts on the machine that took it in;"
            f" it came from {where}",
            hint="What was in it is here, one by one: recall that.",
        )
    return cold


def _make_original(source: Source, cold: Cold) -> Original:
    return Original(
        id=source.original,
        blob=cold.blob,
        size=cold.size or 0,
        media_type=cold.media_type or source.media_type,
        name=cold.name or source.title,
        source=cold.path or cold.url or "",
        received_at=cold.received_at or cold.stored_at,
        url=cold.url,
        container=cold.container,
    )


def _find_stored(
    ws: Workspace, db: sqlite3.Connection | None, repo: Repo, target: str
) -> _Found | None:
    """Return an original as the door stored it, whether or not a night could read it.

    *target* is the beginning of its id, the path or address that it came from, or the name of one
    file alone.
    """
    id = target.lower()
    if len(id) >= _SHORTEST and set(id) <= set("0123456789abcdef"):
        ids = [each for each in originals.list_ids(repo) if each.startswith(id)]
        if len(ids) == 1:
            return _Found(originals.get(repo, ids[0]), None)
    item = _find_by_origin(ws, repo, target)
    if item is None:
        return None
    return _Found(item, None if db is None else find_source(db, item.id))


def _find_by_origin(ws: Workspace, repo: Repo, target: str) -> Original | None:
    """Return the newest original that came from *target*, else the only one of that name."""
    origin = None
    named = []
    for item in originals.read(repo):
        if not _may_read(ws, item):
            continue
        if target in (item.source, item.url):
            if origin is None or item.received_at > origin.received_at:
                origin = item
        elif item.name == target:
            named.append(item)
    if origin is None and len(named) == 1:
        return named[0]
    return origin


def _refuse_locked(db: sqlite3.Connection, target: str) -> None:
    for locked in list_locked(db):
        is_open = locked.choice is not None
        named = locked.original.startswith(target) and len(target) >= _SHORTEST
        if not is_open and (named or locked.origin == target):
            raise Locked(f"{locked.origin or locked.original[:12]} is locked")


def _may_read(ws: Workspace, item: Original) -> bool:
    return item.scope == "shared" or (item.agent or "owner") == ws.who


# -- what it says ----------------------------------------------------------------------------------


def _measure(repo: Repo, item: Original) -> tuple[int, list[str], str | None]:
    """Return the size of *item*, the kinds of secrets blanked in it, and a warning, if any."""
    blanked = [each.kind for each in item.blanked]
    if item.media_type != CONTAINER:
        return item.size, blanked, None
    # a container's own bytes are a list of parts
    container = containers.read(repo, item)
    blanked += containers.list_blanked(repo, item)
    is_broken = bool(blanked) and container.form == "zip"
    return container.size, blanked, _NO_ZIP if is_broken else None


def _describe(
    ws: Workspace, found: _Found, *, span: bool, output: str | None
) -> "RecalledOriginal":
    repo = Repo(ws.place)
    item = found.item
    source = found.source
    size, blanked, warning = _measure(repo, item)
    depth = None
    # of a container no page is made
    if source is not None and item.media_type != CONTAINER:
        depth = source.depth
    passages: list[RecalledPassage] = []
    if span:
        passages, warning = _read_passages(repo, found)
    file = None
    if output is not None and output != STDOUT:
        file = _write(repo, found, output)
    return {
        "original": item.id,
        "entry": None if source is None else source.entry,
        "title": item.name if source is None else source.title,
        "media_type": item.media_type,
        "name": item.name,
        "size": size,
        "url": item.url,
        "source": item.source,
        "received_at": item.received_at,
        "cold": None if source is None else source.cold,
        "depth": depth,
        "blanked": blanked,
        "passages": passages,
        "file": file,
        "warning": warning,
    }


def _stream(repo: Repo, found: _Found) -> Iterator[bytes]:
    """Yield the original to the byte; the last step holds it against its hash."""
    item = found.item
    if item.media_type == CONTAINER:
        return containers.restore(repo, item)
    if found.source is not None:
        try:
            cold = cold_memory.find(repo, found.source.cold)
        except cold_memory.ColdLost:
            # what was read here is also where the door put it
            return originals.stream_bytes(repo, item)
        return cold_memory.stream(repo, cold)
    return originals.stream_bytes(repo, item)


def _write(repo: Repo, found: _Found, output: str) -> str:
    path = os.path.abspath(os.path.expanduser(output))
    if os.path.isdir(path):
        name = os.path.basename(found.item.name.replace("\\", "/"))
        path = os.path.join(path, name or found.item.id)
    if os.path.lexists(path):
        raise FileIsThere(f"{path} is there already")
    try:
        durable.write_new_stream(path, _stream(repo, found))
    except FileExistsError as error:
        raise FileIsThere(f"{path} is there already") from error
    return path


# -- passages --------------------------------------------------------------------------------------


def _read_passages(
    repo: Repo, found: _Found
) -> "tuple[list[RecalledPassage], str | None]":
    """Return the passages that were kept of the original, or those that the target rests on, and
    what limits them. Raises NoOriginal where no night has read it, and Unreadable.
    """
    from companion.sources.read import Readers

    source = found.source
    if source is None:
        raise NoOriginal(
            f"no night has read {found.item.name} yet",
            hint="`companion contextualize` reads it; `-o FILE` gives it whole.",
        )
    content = b"".join(_stream(repo, found))
    with Readers() as readers:
        reading = readers.read(content, found.item)
    text = reading.document.text
    warning = None
    if reading.reader != source.reader:
        warning = (
            f"it was read by {source.reader}, and now by {reading.reader}:"
            " passages may have moved"
        )
    passages: list[RecalledPassage] = []
    for start, end, place in source.spans:
        passage = text[start:end]
        passages.append(
            {"place": place, "start": start, "end": end, "text": passage}
        )
    meant = [each for each in passages if _is_meant(found, each)]
    if passages and not meant:
        warning = "the very sentence is not among them: these are all passages"
    return meant or passages, warning


def _is_meant(found: _Found, passage: "RecalledPassage") -> bool:
    """Tell whether the target rests on *passage*; a page rests on all of its passages."""
    if found.places and passage["place"] not in found.places:
        return False
    words = " ".join(found.words.split())
    text = " ".join(passage["text"].split())
    return words in text or text in words
