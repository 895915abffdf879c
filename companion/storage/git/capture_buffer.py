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
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject, Repo, run_git
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
_ENTRY = re.compile(rb"(?:100644|40000) [^\0]+\0.{20}", re.DOTALL)  # of a git tree: mode, name, id
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")


class NotABuffer(BadInput):
    """This is no buffer of companion's."""

    hint = "Nothing was taken from it. Was it written by a newer companion, or by something else?"


class Arrived(NamedTuple):
    """What one buffer tree has and another had not."""

    captures: list[Pending]
    later: list[Sighting]  # tellings of captures that came earlier


def anchor(journal: Journal, repo: Repo) -> str | None:
    """Put everything the journal holds loosely into git, durably; return the buffer's tree id.

    Git has the bytes under a ref before any row is marked, so a crash at any point only repeats
    work.
    """
    captures, later = journal.loose()
    current = trees(repo)
    if not captures and not later:
        return current.get(BUFFER)
    moved = list(_first_here(journal, repo, later))
    later = [s for s in later if not any(s in item.sightings for item in moved)]
    with Pack(repo.place.common_dir) as pack:
        additions = _additions(pack, captures + moved, later)
        new = {
            ref: append_only_tree.add_files(repo, pack, current.get(ref), files)
            for ref, files in additions.items()
        }
    append_only_tree.move_refs(repo, current, new)
    tellings = [s for p in captures + moved for s in p.sightings] + later
    journal.mark_anchored((p.capture.id for p in captures), tellings)
    return new.get(BUFFER, current.get(BUFFER))


def trees(repo: Repo) -> dict[str, str]:
    """Return every buffer ref with the tree it names."""
    listing = run_git(
        repo.place, "for-each-ref", "--format=%(objectname) %(refname)", BUFFER, PRIVATE
    )
    pairs = (line.split(" ", 1) for line in listing.decode().splitlines())
    return {ref: id for id, ref in pairs}


def read(repo: Repo) -> Iterator[Pending]:
    """Yield every capture that git holds, with its tellings, oldest first; bytes included."""
    found: _Found = {}
    for tree in trees(repo).values():
        for path, _, blob in repo.walk(tree):
            if path.endswith(".json"):
                _collect(found, json.loads(repo.blob(blob)))
    # a later telling whose ref with the bytes is elsewhere
    whole = [item for item in found.values() if item[0]]
    for header, sightings in sorted(
        whole, key=lambda item: (item[0]["ingested_at"], item[0]["id"])
    ):
        yield _pending(repo, header, sightings)


def arrived(repo: Repo, before: str | None, after: str) -> Arrived:
    """Return what the buffer tree *after*, written by another machine, has that *before* had not.

    Raises NotABuffer unless every file is what its name says: bytes under their own hash, tellings
    that can be read.
    """
    found: _Found = {}
    try:
        changes = list(repo.changes(before, after))
    except MissingObject:  # no ref holds *before* any more, and git may have collected parts of it
        changes = list(repo.changes(None, after))
    for path, _, blob in changes:
        if blob is not None:
            _collect_foreign(repo, found, path, blob)
    captures = [_pending(repo, header, told) for header, told in found.values() if header]
    for capture, _ in captures:
        if hashlib.sha256(capture.content).hexdigest() != capture.id:
            raise NotABuffer(f"the bytes of capture {capture.id[:12]} are not what its id says")
    later = [sighting for header, told in found.values() if not header for sighting in told]
    return Arrived(sorted(captures, key=lambda p: (p.capture.ingested_at, p.capture.id)), later)


def unite(repo: Repo, theirs: Mapping[str, str]) -> dict[str, str]:
    """Move each of our buffer refs in *theirs* to the union of our tree and that one; return the
    trees by ref.

    The caller holds sleep.lock, and git holds the objects. Nothing leaves either tree. Raises
    NotABuffer.
    """
    current = trees(repo)
    with Pack(repo.place.common_dir) as pack:
        new = {
            ref: append_only_tree.unite_trees(repo, pack, current.get(ref), tree, NotABuffer)
            for ref, tree in theirs.items()
        }
    moved = {ref: tree for ref, tree in new.items() if tree != current.get(ref)}
    if moved:
        append_only_tree.move_refs(repo, current, moved)
    return new


def held(repo: Repo, tree: str | None, without: str | None = None) -> set[str]:
    """Return the ids of the captures that *tree* has something of which *without* has not."""
    found: set[str] = set()
    _collect_ids(repo, tree, without, found)
    return found


def in_git(repo: Repo) -> set[str]:
    """Return the ids of the captures whose bytes or tellings some buffer of ours has."""
    return {id for tree in trees(repo).values() for id in held(repo, tree)}


def telling(sighting: Sighting) -> dict[str, Any]:
    """Return a sighting as the buffer and the ledger write it: what is known, and no empty
    fields.
    """
    fields = sighting._asdict()
    del fields["capture"]
    if not sighting.explicit:
        del fields["explicit"]
        if sighting.event_time == sighting.seen_at:
            del fields["event_time"]
    return {
        key: value
        for key, value in fields.items()
        if value is not None and (key, value) != ("scope", "shared")
    }


def told(capture: str, fields: dict[str, Any]) -> Sighting:
    """Read back what `telling` wrote."""
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


def _collect_ids(repo: Repo, tree: str | None, without: str | None, found: set[str]) -> None:
    # As bytes, whole trees at a time: `status` asks, and 100,000 captures may wait to be sent.
    if tree is None or tree == without:
        return
    entries, others = (
        {e[:-20]: e for e in _ENTRY.findall(_raw(repo, id))} for id in (tree, without)
    )
    for name, entry in entries.items():
        if others.get(name) != entry:
            if name.startswith(b"40000 "):
                _collect_ids(
                    repo, entry[-20:].hex(), others.get(name, b"")[-20:].hex() or None, found
                )
            else:
                found.add(name[7:71].decode())


def _raw(repo: Repo, tree: str | None) -> bytes:
    return repo.blob(tree) if tree is not None and tree != EMPTY_TREE else b""


_Found = dict[str, tuple[dict[str, Any], list[Sighting]]]


def _pending(repo: Repo, header: dict[str, Any], sightings: Iterable[Sighting]) -> Pending:
    # `doctor` names what git lost
    content = repo.blob(header["blob"]) if repo.has(header["blob"]) else b""
    fields = {key: header[key] for key in _HEADER}
    tellings = tuple(sorted(sightings, key=lambda s: s.seen_at))
    return Pending(Capture(**fields, edges=tuple(header["edges"]), content=content), tellings)


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
            raise NotABuffer(f"{path}: it does not tell of the capture in its name")
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
    tellings = [told(item["id"], fields) for fields in item["sightings"]]
    texts = [text for s in tellings for text in (s.channel, s.source, s.agent)]
    times = [time for s in tellings for time in (s.seen_at, s.event_time)]
    if "blob" in item:
        texts += [item["blob"], item["channel"], item["title"], *item["edges"]]
        times.append(item["ingested_at"])
        float(item["priority"])
    "".join(text for text in texts if text is not None).encode()
    if not all(_INSTANT.fullmatch(time) for time in times) or {s.scope for s in tellings} - {
        "shared",
        "private",
    }:
        raise ValueError("a field is of another kind")


def _collect(found: _Found, item: dict[str, Any]) -> None:
    header, sightings = found.setdefault(item["id"], ({}, []))
    if "blob" in item and (not header or item["ingested_at"] < header["ingested_at"]):
        header.update(item)
    for fields in item["sightings"]:
        sighting = told(item["id"], fields)
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
            files = additions.setdefault(ref, {})
            where = _folder(capture.id, group[0].seen_at)
            files[where] = (FILE, blob)
            files[where + ".json"] = (
                FILE,
                append_only_tree.add_json(
                    pack, {**header, "sightings": [telling(s) for s in group]}
                ),
            )
    for sighting in later:
        files = additions.setdefault(_ref(sighting), {})
        item = {"v": 1, "id": sighting.capture, "sightings": [telling(sighting)]}
        stamp = sighting.seen_at.replace(":", "").replace(".", "")
        files[f"{_folder(sighting.capture, sighting.seen_at)}.{stamp}.json"] = (
            FILE,
            append_only_tree.add_json(pack, item),
        )
    return additions


def _first_here(journal: Journal, repo: Repo, later: Sequence[Sighting]) -> Iterator[Pending]:
    """Yield the captures among *later* tellings whose words the telling's ref does not hold yet.

    Told in private first, shared later: each ref must stand alone, for only one of the two travels.
    """
    for id in dict.fromkeys(s.capture for s in later):
        held = {_ref(s) for s in journal.sightings(id) if s not in later}
        found = journal.capture(id)[0]
        for ref, group in _by_ref(s for s in later if s.capture == id).items():
            if ref not in held:
                yield Pending(found._replace(content=repo.blob(found.blob)), tuple(group))


def _by_ref(sightings: Iterable[Sighting]) -> dict[str, list[Sighting]]:
    groups: dict[str, list[Sighting]] = {}
    for sighting in sightings:
        groups.setdefault(_ref(sighting), []).append(sighting)
    return groups


def _ref(sighting: Sighting) -> str:
    if sighting.scope != "private":
        return BUFFER
    return PRIVATE + private_name(sighting.owner)


def _folder(capture: str, seen_at: str) -> str:
    """One folder a day, in 256 parts: a day of 10,000 captures must not rewrite one huge tree each
    time.
    """
    return f"{seen_at[:10]}/{capture[:2]}/{capture}"
