"""Keep captures in git, in trees that only ever grow, so that they outlive the journal.

``refs/companion/buffer`` names a tree of days; a day holds each capture's bytes under its id, and
beside it ``<id>.json`` with its tellings; later tellings of old captures are ``<id>.<time>.json``.
Captures told in private only lie in ``refs/companion/private/<agent>`` in the same shape and never
enter the wiki's branch (LED-11).

Two machines may have given one name to two files (the same words told on both on one day). Then the
lower blob id keeps the name and the other stands beside it as ``<id>.<blob>.json``: uniting is
commutative, associative and idempotent, and no file ever leaves a buffer.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from companion.errors import BadInput
from companion.storage.boundary.tellings import (
    Doubtful,
    Telling,
    check_content,
    merge_tellings,
    read_telling,
)
from companion.storage.git import append_only_tree, layout
from companion.storage.git.append_only_tree import Files
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import EMPTY_TREE, FILE
from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import Pending
from companion.values.captures import (
    WITHDRAWN,
    Capture,
    Sighting,
    as_told,
)
from companion.values.events import JsonDocument
from companion.values.refusals import private_name

BUFFER = "refs/companion/buffer"
PRIVATE = "refs/companion/private/"

# of a git tree: mode, name, id
_ENTRY = re.compile(rb"(?:100644|40000) [^\0]+\0.{20}", re.DOTALL)


class NotABuffer(BadInput):
    """This is no buffer of companion's."""

    hint = "Nothing was taken from it. Was it written by a newer companion, or by something else?"


def anchor(journal: Journal, repo: Repo) -> str | None:
    """Put everything the journal holds loosely into git, durably; return the buffer's tree id.

    Git has the bytes under a ref before any row is marked, so a crash at any point only repeats
    work. Raises GitFailed, DamagedRef, TreeConflict or UnsafePath.
    """
    waiting, later = journal.loose()
    captures = list(_list_whole(repo, waiting))
    current = read_trees(repo)
    if not captures and not later:
        return current.get(BUFFER)
    words = {item.capture.id: item.capture.content for item in captures}
    captures, of_other_days = _split_days(captures)
    later = of_other_days + later
    copied = list(_list_first_in_ref(journal, repo, later, words))
    copied_sightings = set(_list_sightings(copied))
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
    """Return every buffer ref with the tree it names. Raises DamagedRef."""
    private = layout.read_refs(repo.place, PRIVATE.rstrip("/"))
    shared = layout.read_ref(repo.place, BUFFER)
    if shared is None:
        return private
    return {BUFFER: shared, **private}


def read(repo: Repo) -> Iterator[Pending]:
    """Yield every capture that git holds, with its tellings, oldest first; bytes included.

    What cannot be believed is left out: `doctor` names it. Raises DamagedRef.
    """
    tellings: dict[str, list[Telling]] = {}
    for tree in read_trees(repo).values():
        for path, _, blob in repo.walk(tree):
            name = path.rpartition("/")[2]
            telling = _read_own(repo, name, blob)
            if telling is not None:
                tellings.setdefault(name[:64], []).append(telling)
    captures = []
    for several in tellings.values():
        header, sightings = merge_tellings(several)
        # It is missing where the ref with the bytes is elsewhere, and only a later telling here.
        if header is not None:
            in_order = sorted(sightings, key=lambda one: one.seen_at)
            captures.append(Pending(header, tuple(in_order)))
    captures.sort(key=lambda one: (one.capture.ingested_at, one.capture.id))
    for capture, sightings in captures:
        # The bytes stay empty where git has lost them: `doctor` names such captures.
        content = b""
        if repo.has(capture.blob):
            content = repo.blob(capture.blob)
        yield Pending(capture._replace(content=content), sightings)


def _read_own(repo: Repo, name: str, blob: str) -> Telling | None:
    """Return the telling in a file of ours; None for bytes, and for what nobody can work with: an
    older companion took everything in.
    """
    if not name.endswith(".json"):
        return None
    try:
        return read_telling(repo.blob(blob), name[:64])
    except Doubtful:
        return None


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


def take(repo: Repo, ref: str, files: Mapping[str, str]) -> None:
    """Add *files*, blobs of git by their paths, to our buffer *ref*. The caller holds sleep.lock.

    Raises TreeConflict or UnsafePath.
    """
    if not files:
        return
    current = read_trees(repo)
    changes: Files = {path: (FILE, blob) for path, blob in files.items()}
    with Pack(repo.place.common_dir) as pack:
        grown = append_only_tree.add_files(
            repo, pack, current.get(ref), changes
        )
    if grown != current.get(ref):
        append_only_tree.move_refs(repo, current, {ref: grown})


def list_captures(
    repo: Repo, tree: str | None, without: str | None = None
) -> set[str]:
    """Return the ids of the captures that *tree* has something of which *without* has not."""
    ids: set[str] = set()
    _collect_ids(repo, tree, without, ids)
    return ids


def list_captures_in_git(repo: Repo) -> set[str]:
    """Return the ids of the captures whose bytes or tellings some buffer of ours has.

    Raises DamagedRef.
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


def _collect_ids(
    repo: Repo, tree: str | None, without: str | None, ids: set[str]
) -> None:
    # As bytes, whole trees at a time: `status` asks, and 100,000 captures may wait to be sent.
    if tree is None or tree == without:
        return
    others: dict[bytes, bytes] = {}
    # another machine wrote *without*, and it may be no tree at all
    if without is not None and repo.has(without):
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


def _list_whole(repo: Repo, waiting: Iterable[Pending]) -> Iterator[Pending]:
    """Yield those of *waiting* whose bytes are known.

    A bit of a row may have flipped on the disk. Then git may have the bytes, because another
    machine was told the same; else the capture stays where it is, and `doctor` names it.
    """
    for item in waiting:
        capture = item.capture
        if not _is_whole(capture) and repo.has(capture.blob):
            capture = capture._replace(content=repo.blob(capture.blob))
        if _is_whole(capture):
            yield item._replace(capture=capture)


def _is_whole(capture: Capture) -> bool:
    """Tell whether the capture's bytes are what the id says: git must not be given others."""
    try:
        check_content(capture.content, capture.id)
    except Doubtful:
        return False
    return True


def _list_sightings(captures: Iterable[Pending]) -> list[Sighting]:
    sightings: list[Sighting] = []
    for pending in captures:
        sightings += pending.sightings
    return sightings


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


def _split_days(
    captures: Iterable[Pending],
) -> tuple[list[Pending], list[Sighting]]:
    """Return *captures* with the tellings of their first day only, and the tellings of other days.

    Where one of them lies in the days to come, for a clock was ahead, the others must not wait
    with it on other machines.
    """
    first: list[Pending] = []
    others: list[Sighting] = []
    for item in captures:
        day = item.sightings[0].seen_at[:10]
        of_day = [one for one in item.sightings if one.seen_at[:10] == day]
        others += [one for one in item.sightings if one.seen_at[:10] != day]
        first.append(item._replace(sightings=tuple(of_day)))
    return first, others


def _list_first_in_ref(
    journal: Journal,
    repo: Repo,
    later: Iterable[Sighting],
    words: Mapping[str, bytes],
) -> Iterator[Pending]:
    """Yield the captures among *later* tellings whose words the telling's ref does not hold yet, or
    only under a day that comes after them. *words* are the bytes that git may not have.

    Told in private first, shared later: each ref must stand alone, for only one of the two travels.
    Told by a clock ahead, told again by a right one: the words must not wait for the first day.
    """
    by_capture: dict[str, list[Sighting]] = {}
    for sighting in later:
        by_capture.setdefault(sighting.capture, []).append(sighting)
    for id, of_capture in by_capture.items():
        held = _find_first_times(journal.all_sightings(id), set(of_capture))
        capture = journal.capture(id)[0]
        for ref, group in _group_by_ref(of_capture).items():
            first = group[0]
            if ref not in held or _is_new_first(first, held[ref]):
                content = words.get(id) or repo.blob(capture.blob)
                yield Pending(capture._replace(content=content), tuple(group))


def _find_first_times(
    tellings: Iterable[Sighting], later: Collection[Sighting]
) -> dict[str, str]:
    """Return when the first of *tellings* that are not among *later* was told, by ref."""
    first: dict[str, str] = {}
    for one in tellings:
        if one not in later:
            ref = _ref_of(one)
            first[ref] = min(one.seen_at, first.get(ref, one.seen_at))
    return first


def _is_new_first(telling: Sighting, held: str) -> bool:
    """Tell whether *telling* is from before the first one that a ref holds, told at *held*."""
    return telling.seen_at < held and telling.channel != WITHDRAWN


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
