"""Keep captures in git, in trees that only ever grow, so that they outlive the journal.

``refs/companion/buffer`` names a tree of days; a day holds each capture's bytes under its id, and
beside it ``<id>.json`` with its tellings; later tellings of old captures are ``<id>.<time>.json``.
Captures told in private only lie in ``refs/companion/private/<agent>`` in the same shape and never
enter the wiki's branch (LED-11).

Two machines may have given one name to two files (the same words told on both on one day). Then the
lower blob id keeps the name and the other stands beside it as ``<id>.<blob>.json``: uniting is
commutative, associative and idempotent, and no file ever leaves a buffer.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.errors import MALFORMED, BadInput
from companion.storage.git import append_only_tree
from companion.storage.git.append_only_tree import Files
from companion.storage.git.command import run_git
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Change, MissingObject, Repo
from companion.storage.git.trees import EMPTY_TREE, FILE
from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import Pending
from companion.values.captures import Capture, Sighting, as_told, choose_offset
from companion.values.events import JsonDocument
from companion.values.refusals import private_name
from companion.values.time import check_utc_offset

BUFFER = "refs/companion/buffer"
PRIVATE = "refs/companion/private/"
_HEADER = ("id", "blob", "ingested_at", "channel", "priority", "title")

_SHAPE = re.compile(
    r"\d{4}-\d\d-\d\d/[0-9a-f]{2}/(?P<id>[0-9a-f]{64})"
    r"(?P<more>(\.[\w-]+)*\.json)?(\.[0-9a-f]{40})?"
)
# of a git tree: mode, name, id
_ENTRY = re.compile(rb"(?:100644|40000) [^\0]+\0.{20}", re.DOTALL)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class NotABuffer(BadInput):
    """This is no buffer of companion's."""

    hint = "Nothing was taken from it. Was it written by a newer companion, or by something else?"


class Arrivals(NamedTuple):
    """Captures and tellings that one buffer tree has and another had not."""

    captures: list[Pending]
    later: list[Sighting]  # tellings of captures that came earlier


def anchor(journal: Journal, repo: Repo) -> str | None:
    """Put everything the journal holds loosely into git, durably; return the buffer's tree id.

    Git has the bytes under a ref before any row is marked, so a crash at any point only repeats
    work. Raises GitFailed, TreeConflict or UnsafePath.
    """
    captures, later = journal.loose()
    current = read_trees(repo)
    if not captures and not later:
        return current.get(BUFFER)
    copied = list(_list_first_in_ref(journal, repo, later))
    copied_sightings = _list_sightings(copied)
    later = [item for item in later if item not in copied_sightings]
    new: dict[str, str] = {}
    with Pack(repo.place.common_dir) as pack:
        files_of = _add_captures(pack, captures + copied)
        _add_tellings(pack, later, files_of)
        for ref, files in files_of.items():
            base = current.get(ref)
            new[ref] = append_only_tree.add_files(repo, pack, base, files)
    append_only_tree.move_refs(repo, current, new)
    anchored = _list_sightings(captures + copied) + later
    journal.mark_anchored(
        (pending.capture.id for pending in captures), anchored
    )
    return new.get(BUFFER, current.get(BUFFER))


def read_trees(repo: Repo) -> dict[str, str]:
    """Return every buffer ref with the tree it names. Raises GitFailed."""
    listing = run_git(
        repo.place,
        "for-each-ref",
        "--format=%(objectname) %(refname)",
        BUFFER,
        PRIVATE,
    )
    trees = {}
    for line in listing.decode().splitlines():
        tree, _, ref = line.partition(" ")
        trees[ref] = tree
    return trees


def read(repo: Repo) -> Iterator[Pending]:
    """Yield every capture that git holds, with its tellings, oldest first; bytes included.

    Raises GitFailed.
    """
    items: _Items = {}
    for tree in read_trees(repo).values():
        for path, _, blob in repo.walk(tree):
            if path.endswith(".json"):
                _collect(items, json.loads(repo.blob(blob)))
    # A header is missing where the ref with the bytes is elsewhere, and only a later telling here.
    whole = [item for item in items.values() if item.header]
    whole.sort(key=lambda item: (item.header["ingested_at"], item.header["id"]))
    for item in whole:
        yield _make_pending(repo, item)


def find_arrivals(repo: Repo, before: str | None, after: str) -> Arrivals:
    """Return what the buffer tree *after*, written by another machine, has that *before* had not.

    Raises NotABuffer unless every file is what its name says: bytes under their own hash, tellings
    that can be read.
    """
    items: _Items = {}
    for path, _, blob in _list_changes(repo, before, after):
        if blob is not None:
            _collect_foreign(repo, items, path, blob)
    captures = []
    later: list[Sighting] = []
    for item in items.values():
        if item.header:
            captures.append(_make_pending(repo, item))
        else:
            later += item.sightings
    for capture, _ in captures:
        if hashlib.sha256(capture.content).hexdigest() != capture.id:
            raise NotABuffer(
                f"the bytes of capture {capture.id[:12]} are not what its id says"
            )
    captures.sort(
        key=lambda pending: (pending.capture.ingested_at, pending.capture.id)
    )
    return Arrivals(captures, later)


def _list_changes(repo: Repo, before: str | None, after: str) -> list[Change]:
    try:
        return list(repo.changes(before, after))
    except MissingObject:
        # no ref holds *before* any more, and git may have collected parts of it
        return list(repo.changes(None, after))


def unite(repo: Repo, theirs: Mapping[str, str]) -> dict[str, str]:
    """Move each of our buffer refs in *theirs* to the union with that tree; return the trees.

    The caller holds sleep.lock, and git holds the objects. Nothing leaves either tree. Raises
    NotABuffer.
    """
    current = read_trees(repo)
    new = {}
    with Pack(repo.place.common_dir) as pack:
        for ref, tree in theirs.items():
            ours = current.get(ref)
            new[ref] = append_only_tree.unite_trees(
                repo, pack, ours, tree, NotABuffer
            )
    moved = {ref: tree for ref, tree in new.items() if tree != current.get(ref)}
    if moved:
        append_only_tree.move_refs(repo, current, moved)
    return new


def list_captures(
    repo: Repo, tree: str | None, without: str | None = None
) -> set[str]:
    """Return the ids of the captures that *tree* has something of which *without* has not."""
    ids: set[str] = set()
    _collect_ids(repo, tree, without, ids)
    return ids


def list_captures_in_git(repo: Repo) -> set[str]:
    """Return the ids of the captures whose bytes or tellings some buffer of ours has.

    Raises GitFailed.
    """
    ids: set[str] = set()
    for tree in read_trees(repo).values():
        ids |= list_captures(repo, tree)
    return ids


def encode_sighting(sighting: Sighting) -> JsonDocument:
    """Return a sighting as the buffer and the ledger write it, without empty fields."""
    fields = sighting._asdict()
    del fields["capture"]
    if not sighting.explicit:
        del fields["explicit"]
        if sighting.event_time == sighting.seen_at:
            del fields["event_time"]
    if sighting.scope == "shared":
        del fields["scope"]
    return {key: value for key, value in fields.items() if value is not None}


def decode_sighting(capture: str, fields: JsonDocument) -> Sighting:
    """Return the sighting that `encode_sighting` wrote."""
    seen_at = fields["seen_at"]
    event_time = seen_at
    if "event_time" in fields:
        event_time = fields["event_time"]
    return Sighting(
        capture,
        seen_at,
        event_time,
        bool(fields.get("explicit", False)),
        fields.get("source"),
        fields["channel"],
        fields.get("agent"),
        fields.get("scope", "shared"),
        check_utc_offset(fields.get("utc_offset", 0)),
    )


def _collect_ids(
    repo: Repo, tree: str | None, without: str | None, ids: set[str]
) -> None:
    # As bytes, whole trees at a time: `status` asks, and 100,000 captures may wait to be sent.
    if tree is None or tree == without:
        return
    others: dict[bytes, bytes] = {}
    if without is not None:
        others = _raw_entries(repo, without)
    for name, entry in _raw_entries(repo, tree).items():
        other = others.get(name)
        if entry == other:
            continue
        if name.startswith(b"40000 "):
            inner = None
            if other is not None:
                inner = other[-20:].hex()
            _collect_ids(repo, entry[-20:].hex(), inner, ids)
        else:
            ids.add(name[7:71].decode())


def _raw_entries(repo: Repo, tree: str) -> dict[bytes, bytes]:
    """Return the raw lines of a tree, by mode and name."""
    if tree == EMPTY_TREE:
        return {}
    return {entry[:-20]: entry for entry in _ENTRY.findall(repo.blob(tree))}


def _list_sightings(captures: Iterable[Pending]) -> list[Sighting]:
    sightings: list[Sighting] = []
    for pending in captures:
        sightings += pending.sightings
    return sightings


class _Item(NamedTuple):
    """A capture as files of the buffer tell of it."""

    header: JsonDocument  # empty where only later tellings are there
    sightings: list[Sighting]


_Items = dict[str, _Item]  # by capture


def _make_pending(repo: Repo, item: _Item) -> Pending:
    header = item.header
    # The bytes stay empty where git has lost them: `doctor` names such captures.
    content = b""
    if repo.has(header["blob"]):
        content = repo.blob(header["blob"])
    fields = {key: header[key] for key in _HEADER}
    edges = tuple(header["edges"])
    sightings = sorted(item.sightings, key=lambda sighting: sighting.seen_at)
    return Pending(
        Capture(**fields, edges=edges, content=content), tuple(sightings)
    )


def _collect_foreign(repo: Repo, items: _Items, path: str, blob: str) -> None:
    """Collect a file that another machine wrote, or raise NotABuffer."""
    shape = _SHAPE.fullmatch(path)
    if shape is None:
        raise NotABuffer(f"{path[:120]!r} has no place in a buffer")
    if shape["more"] is None:
        return
    try:
        item = json.loads(repo.blob(blob))
        if item["v"] != 1 or item["id"] != shape["id"]:
            raise NotABuffer(
                f"{path}: it does not tell of the capture in its name"
            )
        _check(item)
        _collect(items, item)
    except (*MALFORMED, MissingObject) as error:
        raise NotABuffer(f"{path}: no telling can be read there") from error


def _check(item: JsonDocument) -> None:
    """Raise unless the journal can take every field as it is."""
    for fields in item["sightings"]:
        sighting = decode_sighting(item["id"], fields)
        _check_texts(sighting.channel, sighting.source, sighting.agent)
        _check_times(sighting.seen_at, sighting.event_time)
        if type(fields.get("utc_offset", 0)) is not int:
            raise ValueError("a UTC offset is of another kind")
        if sighting.scope not in ("shared", "private"):
            raise ValueError("a scope is of another kind")
    if "blob" in item:
        _check_texts(item["blob"], item["channel"], item["title"])
        _check_texts(*item["edges"])
        _check_times(item["ingested_at"])
        float(item["priority"])


def _check_texts(*texts: str | None) -> None:
    """Raise unless each is None or text that has bytes."""
    "".join([text for text in texts if text is not None]).encode()


def _check_times(*times: str) -> None:
    if not all(_INSTANT.fullmatch(time) for time in times):
        raise ValueError("a time is of another kind")


def _collect(items: _Items, item: JsonDocument) -> None:
    header, sightings = items.setdefault(item["id"], _Item({}, []))
    if "blob" in item and _is_older(item, header):
        header.update(item)
    for fields in item["sightings"]:
        _collect_sighting(sightings, decode_sighting(item["id"], fields))


def _collect_sighting(sightings: list[Sighting], sighting: Sighting) -> None:
    """Add *sighting*; a copy of one that is there only completes its UTC offset."""
    for place, known in enumerate(sightings):
        if known.is_same(sighting):
            offset = choose_offset(known.utc_offset, sighting.utc_offset)
            sightings[place] = known._replace(utc_offset=offset)
            return
    sightings.append(sighting)


def _is_older(item: JsonDocument, header: JsonDocument) -> bool:
    return not header or item["ingested_at"] < header["ingested_at"]


def _add_captures(pack: Pack, captures: Iterable[Pending]) -> dict[str, Files]:
    """Add each capture with its tellings to *pack*; return the files by ref."""
    files_of: dict[str, Files] = {}
    for capture, sightings in captures:
        blob = pack.add("blob", capture.content)
        for ref, group in _group_by_ref(sightings).items():
            header = {**as_told(capture, group[0])._asdict(), "v": 1}
            del header["content"]
            header["sightings"] = [encode_sighting(item) for item in group]
            header_blob = append_only_tree.add_json(pack, header)
            path = _path_of(capture.id, group[0].seen_at)
            files = files_of.setdefault(ref, {})
            files[path] = (FILE, blob)
            files[path + ".json"] = (FILE, header_blob)
    return files_of


def _add_tellings(
    pack: Pack, later: Iterable[Sighting], files_of: dict[str, Files]
) -> None:
    """Add later tellings of old captures to *pack*, and their files to *files_of*."""
    for sighting in later:
        item = {
            "v": 1,
            "id": sighting.capture,
            "sightings": [encode_sighting(sighting)],
        }
        stamp = sighting.seen_at.replace(":", "").replace(".", "")
        path = f"{_path_of(sighting.capture, sighting.seen_at)}.{stamp}.json"
        blob = append_only_tree.add_json(pack, item)
        files_of.setdefault(_ref_of(sighting), {})[path] = (FILE, blob)


def _list_first_in_ref(
    journal: Journal, repo: Repo, later: Sequence[Sighting]
) -> Iterator[Pending]:
    """Yield the captures among *later* tellings whose words the telling's ref does not hold yet.

    Told in private first, shared later: each ref must stand alone, for only one of the two travels.
    """
    for id in dict.fromkeys(sighting.capture for sighting in later):
        refs = set()
        for sighting in journal.sightings(id):
            if sighting not in later:
                refs.add(_ref_of(sighting))
        capture = journal.capture(id)[0]
        of_capture = [item for item in later if item.capture == id]
        for ref, group in _group_by_ref(of_capture).items():
            if ref not in refs:
                content = repo.blob(capture.blob)
                yield Pending(capture._replace(content=content), tuple(group))


def _group_by_ref(sightings: Iterable[Sighting]) -> dict[str, list[Sighting]]:
    groups: dict[str, list[Sighting]] = {}
    for sighting in sightings:
        groups.setdefault(_ref_of(sighting), []).append(sighting)
    return groups


def _ref_of(sighting: Sighting) -> str:
    if sighting.scope != "private":
        return BUFFER
    return PRIVATE + private_name(sighting.owner)


def _path_of(capture: str, seen_at: str) -> str:
    """Return where a capture's bytes lie: one folder a day, in 256 parts.

    A day of 10,000 captures must not rewrite one huge tree each time.
    """
    return f"{seen_at[:10]}/{capture[:2]}/{capture}"
