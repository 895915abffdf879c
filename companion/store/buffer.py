"""The raw buffer in git: trees that only ever grow, so that captures outlive the journal.

``refs/companion/buffer`` names a tree of days; a day holds each capture's bytes under its id, and beside it
``<id>.json`` with what was said about it; later tellings of old captures are ``<id>.<time>.json``. What was only told
in private lies in ``refs/companion/private/<agent>`` in the same shape and never enters the wiki's branch (LED-11).
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.model.intake import heading
from companion.model.objects import Capture, Sighting
from companion.store import durable
from companion.store.journal import Journal, Pending
from companion.store.objects import Entry, Pack, edit_tree
from companion.store.repo import Repo, run_git

BUFFER = "refs/companion/buffer"
PRIVATE = "refs/companion/private/"
_FILE = 0o100644
_HEADER = ("id", "blob", "ingested_at", "channel", "priority", "title")

_Files = dict[str, tuple[int, str] | None]


def anchor(journal: Journal, repo: Repo) -> str | None:
    """Put everything the journal holds loosely into git, durably; return the buffer's tree id.

    Git has the bytes under a ref before any row is marked, so a crash at any point only repeats work.
    """
    captures, later = journal.loose()
    current = trees(repo)
    if not captures and not later:
        return current.get(BUFFER)
    moved = list(_first_here(journal, repo, later))
    later = [s for s in later if not any(s in item.sightings for item in moved)]
    with Pack(repo.place.common_dir) as pack:
        additions = _additions(pack, captures + moved, later)
        new = {ref: _grow(repo, pack, current.get(ref), files) for ref, files in additions.items()}
    _move(repo, current, new)
    tellings = [s for p in captures + moved for s in p.sightings] + later
    journal.mark_anchored((p.capture.id for p in captures), tellings)
    return new.get(BUFFER, current.get(BUFFER))


def trees(repo: Repo) -> dict[str, str]:
    """Return every buffer ref with the tree it names."""
    listing = run_git(repo.place, "for-each-ref", "--format=%(objectname) %(refname)", BUFFER, PRIVATE)
    pairs = (line.split(" ", 1) for line in listing.decode().splitlines())
    return {ref: id for id, ref in pairs}


def read(repo: Repo) -> Iterator[Pending]:
    """Yield every capture that git holds, with its tellings, oldest first; bytes included."""
    found: dict[str, tuple[dict[str, Any], list[Sighting]]] = {}
    for tree in trees(repo).values():
        for path, _, blob in repo.walk(tree):
            if path.endswith(".json"):
                _collect(found, json.loads(repo.blob(blob)))
    whole = [item for item in found.values() if item[0]]  # a later telling whose ref with the bytes is elsewhere
    for header, sightings in sorted(whole, key=lambda item: (item[0]["ingested_at"], item[0]["id"])):
        content = repo.blob(header["blob"]) if repo.has(header["blob"]) else b""  # `doctor` names what git lost
        edges = tuple(header["edges"])
        fields = {key: header[key] for key in _HEADER}
        tellings = tuple(sorted(sightings, key=lambda s: s.seen_at))
        yield Pending(Capture(**fields, edges=edges, content=content), tellings)


def as_told(capture: Capture, first: Sighting) -> Capture:
    """Return *capture* as those know it who heard of it by *first*: what was said about it before is not theirs.

    A title, a channel or a priority given in private must not reach the shared buffer or the wiki with a later,
    shared telling of the same words.
    """
    if first.seen_at == capture.ingested_at:
        return capture
    title = heading(capture.content.decode())
    return capture._replace(ingested_at=first.seen_at, channel=first.channel, priority=0.5, title=title)


def telling(sighting: Sighting) -> dict[str, Any]:
    """Return a sighting as the buffer and the ledger write it: what is known, and no empty fields."""
    fields = sighting._asdict()
    del fields["capture"]
    if not sighting.explicit:
        del fields["explicit"]
        if sighting.event_time == sighting.seen_at:
            del fields["event_time"]
    return {key: value for key, value in fields.items() if value is not None and (key, value) != ("scope", "shared")}


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


def _collect(found: dict[str, tuple[dict[str, Any], list[Sighting]]], item: dict[str, Any]) -> None:
    header, sightings = found.setdefault(item["id"], ({}, []))
    if "blob" in item and (not header or item["ingested_at"] < header["ingested_at"]):
        header.update(item)
    for fields in item["sightings"]:
        sighting = told(item["id"], fields)
        if sighting not in sightings:
            sightings.append(sighting)


def _additions(pack: Pack, captures: Iterable[Pending], later: Iterable[Sighting]) -> dict[str, _Files]:
    additions: dict[str, _Files] = {}
    for capture, sightings in captures:
        blob = pack.add("blob", capture.content)
        for ref, group in _by_ref(sightings).items():
            header = {**as_told(capture, group[0])._asdict(), "v": 1}
            del header["content"]
            files = additions.setdefault(ref, {})
            where = _folder(capture.id, group[0].seen_at)
            files[where] = (_FILE, blob)
            files[where + ".json"] = (_FILE, _json(pack, {**header, "sightings": [telling(s) for s in group]}))
    for sighting in later:
        files = additions.setdefault(_ref(sighting), {})
        item = {"v": 1, "id": sighting.capture, "sightings": [telling(sighting)]}
        stamp = sighting.seen_at.replace(":", "").replace(".", "")
        files[f"{_folder(sighting.capture, sighting.seen_at)}.{stamp}.json"] = (_FILE, _json(pack, item))
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
    agent = sighting.agent or "owner"
    if not re.fullmatch("[a-z0-9][a-z0-9_-]{0,60}", agent):
        # Two agents must never share a ref, also where file names have no case; and git has its own rules for names.
        plain = re.sub("[^a-z0-9_]+", "-", agent.lower()).strip("-")[:40]
        agent = f"{plain or 'agent'}-{hashlib.sha256(agent.encode()).hexdigest()[:12]}"
    return PRIVATE + agent


def _folder(capture: str, seen_at: str) -> str:
    """One folder a day, in 256 parts: a day of 10,000 captures must not rewrite one huge tree each time."""
    return f"{seen_at[:10]}/{capture[:2]}/{capture}"


def _json(pack: Pack, item: dict[str, Any]) -> str:
    return pack.add("blob", json.dumps(item, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass"))


def _grow(repo: Repo, pack: Pack, base: str | None, files: _Files) -> str:
    def read_tree(id: str) -> list[Entry]:
        return [Entry(*entry) for entry in repo.entries(id)]

    tree = edit_tree(read_tree, base, files, pack.add)
    assert tree is not None  # files are only ever added
    return tree


def _move(repo: Repo, current: dict[str, str], new: dict[str, str]) -> None:
    """Move the refs together, each only if it still names what we read, durably: the journal lets the bytes go then."""
    commands = [f"update {ref} {tree} {current.get(ref, '0' * 40)}\n" for ref, tree in sorted(new.items())]
    durable.fault("buffer.refs")
    run_git(repo.place, "update-ref", "--stdin", stdin="".join(commands).encode())
    durable.fault("buffer.refs", "placed")
    # git syncs the files, and no folder.
    paths = {os.path.join(repo.place.common_dir, os.path.dirname(ref)) for ref in new}
    durable.sync_tree(sorted(paths | {os.path.dirname(path) for path in paths}))
    durable.fault("buffer.refs", "after")
