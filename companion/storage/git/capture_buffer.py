"""The raw buffer in git: trees that only ever grow, so that captures outlive the journal.

``refs/companion/buffer`` names a tree of days; a day holds each capture's bytes under its id, and
beside it ``<id>.json`` with what was said about it; later tellings of old captures are
``<id>.<time>.json``. What was only told in private lies in ``refs/companion/private/<agent>`` in
the same shape and never enters the wiki's branch (LED-11).

Two machines may have given one name to two files (the same words told on both on one day). Then the
lower blob id keeps the name and the other stands beside it as ``<id>.<blob>.json``: uniting is
commutative, associative and idempotent, and no file ever leaves a buffer.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.errors import BadInput
from companion.storage.git import append_only_tree
from companion.storage.git.append_only_tree import Files
from companion.storage.git.command import run_git
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.git.trees import EMPTY_TREE, FILE
from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import Pending
from companion.values.captures import Capture, Sighting
from companion.values.captures import as_told as as_told
from companion.values.refusals import private_name

BUFFER = "refs/companion/buffer"
PRIVATE = "refs/companion/private/"
_HEADER = ("id", "blob", "ingested_at", "channel", "priority", "title")

_SHAPE = re.compile(
    r"\d{4}-\d\d-\d\d/[0-9a-f]{2}/(?P<id>[0-9a-f]{64})(?P<more>(\.[\w-]+)*\.json)?(\.[0-9a-f]{40})?"
)
# of a git tree: mode, name, id
_ENTRY = re.compile(rb"(?:100644|40000) [^\0]+\0.{20}", re.DOTALL)
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class NotABuffer(BadInput):
    """This is no buffer of companion's."""

    hint = "Nothing was taken from it. Was it written by a newer companion, or by something else?"


class Arrivals(NamedTuple):
    """What one buffer tree has and another had not."""

    captures: list[Pending]
    later: list[Sighting]  # tellings of captures that came earlier


def anchor(journal: Journal, repo: Repo) -> str | None:
    """Put everything the journal holds loosely into git, durably; return the buffer's tree id.

    Git has the bytes under a ref before any row is marked, so a crash at any point only repeats
    work.
    """
    captures, later = journal.loose()
    current = read_trees(repo)
    if not captures and not later:
        return current.get(BUFFER)
    moved = list(_first_here(journal, repo, later))
    moved_sightings = _sightings_of(moved)
    later = [sighting for sighting in later if sighting not in moved_sightings]
    with Pack(repo.place.common_dir) as pack:
        additions = _additions(pack, captures + moved, later)
        new = {
            ref: append_only_tree.add_files(repo, pack, current.get(ref), files)
            for ref, files in additions.items()
        }
    append_only_tree.move_refs(repo, current, new)
    anchored = _sightings_of(captures + moved) + later
    journal.mark_anchored(
        (pending.capture.id for pending in captures), anchored
    )
    return new.get(BUFFER, current.get(BUFFER))


def read_trees(repo: Repo) -> dict[str, str]:
    """Return every buffer ref with the tree it names."""
    listing = run_git(
        repo.place,
        "for-each-ref",
        "--format=%(objectname) %(refname)",
        BUFFER,
        PRIVATE,
    )
    found = {}
    for line in listing.decode().splitlines():
        tree, _, ref = line.partition(" ")
        found[ref] = tree
    return found


def read(repo: Repo) -> Iterator[Pending]:
    """Yield every capture that git holds, with its tellings, oldest first; bytes included."""
    found: _Found = {}
    for tree in read_trees(repo).values():
        for path, _, blob in repo.walk(tree):
            if path.endswith(".json"):
                _collect(found, json.loads(repo.blob(blob)))
    # A header is missing where the ref with the bytes is elsewhere, and only a later telling here.
    whole = [item for item in found.values() if item[0]]
    whole.sort(key=lambda item: (item[0]["ingested_at"], item[0]["id"]))
    for header, sightings in whole:
        yield _pending(repo, header, sightings)


def find_arrivals(repo: Repo, before: str | None, after: str) -> Arrivals:
    """Return what the buffer tree *after*, written by another machine, has that *before* had not.

    Raises NotABuffer unless every file is what its name says: bytes under their own hash, tellings
    that can be read.
    """
    found: _Found = {}
    try:
        changes = list(repo.changes(before, after))
    # no ref holds *before* any more, and git may have collected parts of it
    except MissingObject:
        changes = list(repo.changes(None, after))
    for path, _, blob in changes:
        if blob is not None:
            _collect_foreign(repo, found, path, blob)
    captures = []
    later: list[Sighting] = []
    for header, sightings in found.values():
        if header:
            captures.append(_pending(repo, header, sightings))
        else:
            later += sightings
    for capture, _ in captures:
        if hashlib.sha256(capture.content).hexdigest() != capture.id:
            raise NotABuffer(
                f"the bytes of capture {capture.id[:12]} are not what its id says"
            )
    captures.sort(
        key=lambda pending: (pending.capture.ingested_at, pending.capture.id)
    )
    return Arrivals(captures, later)


def unite(repo: Repo, theirs: Mapping[str, str]) -> dict[str, str]:
    """Move each of our buffer refs in *theirs* to the union of our tree and that one; return the
    trees by ref.

    The caller holds sleep.lock, and git holds the objects. Nothing leaves either tree. Raises
    NotABuffer.
    """
    current = read_trees(repo)
    with Pack(repo.place.common_dir) as pack:
        new = {
            ref: append_only_tree.unite_trees(
                repo, pack, current.get(ref), tree, NotABuffer
            )
            for ref, tree in theirs.items()
        }
    moved = {ref: tree for ref, tree in new.items() if tree != current.get(ref)}
    if moved:
        append_only_tree.move_refs(repo, current, moved)
    return new


def list_captures(
    repo: Repo, tree: str | None, without: str | None = None
) -> set[str]:
    """Return the ids of the captures that *tree* has something of which *without* has not."""
    found: set[str] = set()
    _collect_ids(repo, tree, without, found)
    return found


def list_captures_in_git(repo: Repo) -> set[str]:
    """Return the ids of the captures whose bytes or tellings some buffer of ours has."""
    found: set[str] = set()
    for tree in read_trees(repo).values():
        found |= list_captures(repo, tree)
    return found


def encode_sighting(sighting: Sighting) -> dict[str, Any]:
    """Return a sighting as the buffer and the ledger write it: what is known, and no empty
    fields.
    """
    fields = sighting._asdict()
    del fields["capture"]
    if not sighting.explicit:
        del fields["explicit"]
        if sighting.event_time == sighting.seen_at:
            del fields["event_time"]
    if sighting.scope == "shared":
        del fields["scope"]
    return {key: value for key, value in fields.items() if value is not None}


def decode_sighting(capture: str, fields: dict[str, Any]) -> Sighting:
    """Return the sighting that `encode_sighting` wrote."""
    seen_at = fields["seen_at"]
    return Sighting(
        capture,
        seen_at,
        fields.get("event_time", seen_at),
        bool(fields.get("explicit", False)),
        fields.get("source"),
        fields["channel"],
        fields.get("agent"),
        fields.get("scope", "shared"),
    )


def _collect_ids(
    repo: Repo, tree: str | None, without: str | None, found: set[str]
) -> None:
    # As bytes, whole trees at a time: `status` asks, and 100,000 captures may wait to be sent.
    if tree is None or tree == without:
        return
    entries = _raw_entries(repo, tree)
    others = {} if without is None else _raw_entries(repo, without)
    for name, entry in entries.items():
        other = others.get(name)
        if entry == other:
            continue
        if name.startswith(b"40000 "):
            inner = None if other is None else other[-20:].hex()
            _collect_ids(repo, entry[-20:].hex(), inner, found)
        else:
            found.add(name[7:71].decode())


def _raw_entries(repo: Repo, tree: str) -> dict[bytes, bytes]:
    """Return the raw lines of a tree, by mode and name."""
    if tree == EMPTY_TREE:
        return {}
    return {entry[:-20]: entry for entry in _ENTRY.findall(repo.blob(tree))}


def _sightings_of(captures: Iterable[Pending]) -> list[Sighting]:
    sightings: list[Sighting] = []
    for pending in captures:
        sightings += pending.sightings
    return sightings


_Found = dict[str, tuple[dict[str, Any], list[Sighting]]]


def _pending(
    repo: Repo, header: dict[str, Any], sightings: Iterable[Sighting]
) -> Pending:
    # The bytes stay empty where git has lost them: `doctor` names such captures.
    content = repo.blob(header["blob"]) if repo.has(header["blob"]) else b""
    fields = {key: header[key] for key in _HEADER}
    tellings = tuple(sorted(sightings, key=lambda s: s.seen_at))
    return Pending(
        Capture(**fields, edges=tuple(header["edges"]), content=content),
        tellings,
    )


def _collect_foreign(repo: Repo, found: _Found, path: str, blob: str) -> None:
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
        _collect(found, item)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
        MissingObject,
    ) as error:
        raise NotABuffer(f"{path}: no telling can be read there") from error


def _check(item: dict[str, Any]) -> None:
    """Raise unless the journal can take every field as it is."""
    texts: list[str | None] = []
    times: list[str] = []
    scopes = set()
    for fields in item["sightings"]:
        sighting = decode_sighting(item["id"], fields)
        texts += [sighting.channel, sighting.source, sighting.agent]
        times += [sighting.seen_at, sighting.event_time]
        scopes.add(sighting.scope)
    if "blob" in item:
        texts += [item["blob"], item["channel"], item["title"], *item["edges"]]
        times.append(item["ingested_at"])
        float(item["priority"])
    "".join(text for text in texts if text is not None).encode()
    if not all(_INSTANT.fullmatch(time) for time in times) or not scopes <= {
        "shared",
        "private",
    }:
        raise ValueError("a field is of another kind")


def _collect(found: _Found, item: dict[str, Any]) -> None:
    header, sightings = found.setdefault(item["id"], ({}, []))
    if "blob" in item and (
        not header or item["ingested_at"] < header["ingested_at"]
    ):
        header.update(item)
    for fields in item["sightings"]:
        sighting = decode_sighting(item["id"], fields)
        if sighting not in sightings:
            sightings.append(sighting)


def _additions(
    pack: Pack, captures: Iterable[Pending], later: Iterable[Sighting]
) -> dict[str, Files]:
    additions: dict[str, Files] = {}
    for capture, sightings in captures:
        blob = pack.add("blob", capture.content)
        for ref, group in _by_ref(sightings).items():
            header = {**as_told(capture, group[0])._asdict(), "v": 1}
            del header["content"]
            header["sightings"] = [
                encode_sighting(sighting) for sighting in group
            ]
            files = additions.setdefault(ref, {})
            path = _path_of(capture.id, group[0].seen_at)
            files[path] = (FILE, blob)
            files[path + ".json"] = (
                FILE,
                append_only_tree.add_json(pack, header),
            )
    for sighting in later:
        files = additions.setdefault(_ref(sighting), {})
        item = {
            "v": 1,
            "id": sighting.capture,
            "sightings": [encode_sighting(sighting)],
        }
        stamp = sighting.seen_at.replace(":", "").replace(".", "")
        path = f"{_path_of(sighting.capture, sighting.seen_at)}.{stamp}.json"
        files[path] = (FILE, append_only_tree.add_json(pack, item))
    return additions


def _first_here(
    journal: Journal, repo: Repo, later: Sequence[Sighting]
) -> Iterator[Pending]:
    """Yield the captures among *later* tellings whose words the telling's ref does not hold yet.

    Told in private first, shared later: each ref must stand alone, for only one of the two travels.
    """
    for id in dict.fromkeys(sighting.capture for sighting in later):
        known = [
            sighting
            for sighting in journal.sightings(id)
            if sighting not in later
        ]
        refs = {_ref(sighting) for sighting in known}
        capture = journal.capture(id)[0]
        told_later = [sighting for sighting in later if sighting.capture == id]
        for ref, group in _by_ref(told_later).items():
            if ref not in refs:
                content = repo.blob(capture.blob)
                yield Pending(capture._replace(content=content), tuple(group))


def _by_ref(sightings: Iterable[Sighting]) -> dict[str, list[Sighting]]:
    groups: dict[str, list[Sighting]] = {}
    for sighting in sightings:
        groups.setdefault(_ref(sighting), []).append(sighting)
    return groups


def _ref(sighting: Sighting) -> str:
    if sighting.scope != "private":
        return BUFFER
    return PRIVATE + private_name(sighting.owner)


def _path_of(capture: str, seen_at: str) -> str:
    """Return where a capture's bytes lie: one folder a day, in 256 parts, for a day of 10,000
    captures must not rewrite one huge tree each time.
    """
    return f"{seen_at[:10]}/{capture[:2]}/{capture}"
