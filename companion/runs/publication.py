"""Publish a run: its pages and its ledger file become one commit (CON-4)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from companion import __version__
from companion.runs.refresh import Snapshot
from companion.storage import files_in_git, ledger_file, publish
from companion.storage.git import objects, signing
from companion.storage.git.git_locks import IndexEntry, Raced
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import FILE, Change, edit_tree, graft_tree
from companion.storage.journal.journal import Journal
from companion.storage.ledger_file import RunRecord
from companion.storage.publish import File, Publication
from companion.values.decisions import Edit, Write
from companion.workspace import real_now

#: git's setting with the name of this device, where somebody gave it one
DEVICE = "companion.device"
COMPANION = "companion <companion@localhost>"


class Message(NamedTuple):
    """The words of a commit, and who wrote what is in it."""

    subject: str
    body: str
    author: str | None = None  # None: the person
    trailers: Sequence[str] = ()  # after those of every run


def publish_writes(
    repo: Repo,
    journal: Journal,
    snapshot: Snapshot,
    record: RunRecord,
    writes: Sequence[Write],
    message: Message,
    parents: Sequence[str] = (),
) -> str:
    """Write *writes* and the ledger file of *record* as one commit on the branch; return it.

    *parents* come after the tip. The caller folds the commit. Raises Raced, GitBusy, TryLater or
    StorageError with nothing changed.
    """
    all_writes = [*writes, _ledger_write(record)]
    with Pack(repo.place.common_dir) as pack:
        blobs = _add_blobs(pack, all_writes)
        changes = _changes(repo, snapshot.tree, blobs, prefix=repo.place.prefix)
        tree = write_tree(repo, pack, repo.tree_of(snapshot.commit), changes)
        data = encode_commit(
            repo, tree, [snapshot.commit, *parents], record, message
        )
        commit = pack.add("commit", data)
    entries = _index_entries(repo, snapshot.tree, blobs)
    files = _plan_files(repo, snapshot.tree, all_writes)
    publication = _describe(snapshot, record, commit, files, entries, message)
    publish.publish(repo, journal, publication)
    return commit


class PublishedEdits(NamedTuple):
    """The commit that holds a person's edits and the run that records them."""

    commit: str
    tree: str  # the wiki's own


def publish_edits(
    repo: Repo,
    journal: Journal,
    snapshot: Snapshot,
    record: RunRecord,
    edited: str,
    edits: Sequence[Edit],
    writes: Sequence[Write],
    message: Message,
) -> PublishedEdits:
    """Commit a person's *edits* with the run's own *writes* and the ledger file of *record*.

    The edits are on disk already; *edited* is the tree that has them. Raises Raced, GitBusy,
    TryLater or StorageError with nothing changed.
    """
    own = [*writes, _ledger_write(record)]
    with Pack(repo.place.common_dir) as pack:
        blobs = _add_blobs(pack, own)
        changes = _changes(repo, snapshot.tree, blobs)
        tree = write_tree(repo, pack, edited, changes)
        whole = _graft(repo, pack, snapshot.commit, tree)
        data = encode_commit(repo, whole, [snapshot.commit], record, message)
        commit = pack.add("commit", data)
    entries = _list_edit_entries(repo, edited, edits)
    entries += _index_entries(repo, snapshot.tree, blobs)
    files = _plan_files(repo, snapshot.tree, own)
    publication = _describe(snapshot, record, commit, files, entries, message)
    publish.publish(repo, journal, publication)
    return PublishedEdits(commit, tree)


def _describe(
    snapshot: Snapshot,
    record: RunRecord,
    commit: str,
    files: Sequence[File],
    entries: Sequence[IndexEntry],
    message: Message,
) -> Publication:
    """Return what a crash needs in order to finish or undo the publication of *commit*."""
    return Publication(
        record.id,
        snapshot.commit,
        commit,
        files,
        entries,
        message.subject,
        real_now(),
    )


def _graft(repo: Repo, pack: Pack, commit: str | None, tree: str) -> str:
    """Return the whole tree of *commit* with *tree* in the place of the wiki's own."""
    folders = repo.place.prefix.split("/")[:-1]
    top = repo.tree_of(commit)
    return graft_tree(repo.entries, top, folders, tree, pack.add)


def _list_edit_entries(
    repo: Repo, edited: str, edits: Sequence[Edit]
) -> list[IndexEntry]:
    """Return what git's index has before and after the run for the person's *edits*."""
    prefix = repo.place.prefix
    entries = []
    for edit in edits:
        new = repo.subtree(edited, edit.path)
        entry = IndexEntry(prefix + edit.path, edit.old, new, edit.mode)
        entries.append(entry)
    return entries


def write_tree(
    repo: Repo, pack: Pack, base: str | None, changes: Mapping[str, Change]
) -> str:
    """Return the tree that *base* becomes by *changes*; its new trees are in *pack*.

    Raises TreeConflict or UnsafePath.
    """
    tree = edit_tree(repo.entries, base, changes, pack.add)
    return tree or pack.add("tree", b"")


def write_files(
    repo: Repo, pack: Pack, tree: str | None, writes: Sequence[Write]
) -> str:
    """Return *tree* with the files of *writes*; its new objects are in *pack*.

    Raises TreeConflict or UnsafePath.
    """
    blobs = _add_blobs(pack, writes)
    return write_tree(repo, pack, tree, _changes(repo, tree, blobs))


def find_file_mode(repo: Repo, tree: str | None, path: str) -> int:
    """Return the mode that a file keeps: the one it has in *tree*, else that of a plain file."""
    return repo.mode(tree, path) or FILE


def encode_commit(
    repo: Repo,
    tree: str,
    parents: Sequence[str | None],
    record: RunRecord,
    message: Message,
) -> bytes:
    """Return a commit object that the person commits, and signs if git is set so.

    Raises CannotSign.
    """
    # Git's own dates begin in 1970; the ledger keeps the run's.
    seconds = max(0, int(datetime.fromisoformat(record.now).timestamp()))
    person = format_identity(*repo.author())
    lines = [f"tree {tree}"]
    lines += [f"parent {parent}" for parent in parents if parent]
    lines.append(f"author {message.author or person} {seconds} +0000")
    lines.append(f"committer {person} {seconds} +0000")
    lines += ["", message.subject, ""]
    if message.body:
        lines += [message.body, ""]
    lines.append(f"Companion-Run: {record.id}")
    lines.append(f"Companion-Operation: {record.operation}")
    lines.append(f"Companion-Version: {__version__}")
    device = repo.config(DEVICE)
    if device:
        lines.append(f"Companion-Device: {device}")
    lines += [*message.trailers, ""]
    return signing.sign_commit(
        repo, "\n".join(lines).encode("utf-8", "replace")
    )


def format_identity(name: str, email: str) -> str:
    """Return a person as a commit names them; git forbids these characters there."""
    forbidden = str.maketrans("", "", "<>\n\r\0")
    clean_name = name.translate(forbidden).strip() or "companion"
    return f"{clean_name} <{email.translate(forbidden).strip()}>"


def _ledger_write(record: RunRecord) -> Write:
    return Write(record.path, ledger_file.encode(record))


def _add_blobs(pack: Pack, writes: Sequence[Write]) -> dict[str, str | None]:
    """Return the blob of each written path, None where the file is removed."""
    blobs: dict[str, str | None] = {}
    for write in writes:
        blobs[write.path] = None
        if write.content is not None:
            blobs[write.path] = pack.add("blob", write.content)
    return blobs


def _changes(
    repo: Repo,
    tree: str | None,
    blobs: Mapping[str, str | None],
    prefix: str = "",
) -> dict[str, Change]:
    changes: dict[str, Change] = {}
    for path, blob in blobs.items():
        changes[prefix + path] = None
        if blob is not None:
            mode = find_file_mode(repo, tree, path)
            changes[prefix + path] = (mode, blob)
    return changes


def _index_entries(
    repo: Repo, tree: str | None, blobs: Mapping[str, str | None]
) -> list[IndexEntry]:
    """Return what git's index has before and after the run for the paths of *blobs*."""
    entries = []
    for path, blob in blobs.items():
        old = repo.subtree(tree, path)
        mode = find_file_mode(repo, tree, path)
        entries.append(IndexEntry(repo.place.prefix + path, old, blob, mode))
    return entries


def _plan_files(
    repo: Repo, tree: str | None, writes: Sequence[Write]
) -> list[File]:
    prefix = repo.place.prefix
    files_in_git.bring_out(repo, [prefix + write.path for write in writes])
    return [_plan_file(repo, tree, write) for write in writes]


def _plan_file(repo: Repo, tree: str | None, write: Write) -> File:
    """Return what to write, and over what. Raises Raced where the person changed the file."""
    path = repo.place.prefix + write.path
    base = repo.subtree(tree, write.path)
    ours = None
    if write.content is not None:
        ours = objects.hash_blob(write.content)
    on_disk = publish.hash_on_disk(repo, path)
    is_as_planned = on_disk in (base, ours)
    if not is_as_planned and publish.hash_as_git_would(repo, path) != base:
        raise Raced(f"{path} changed while the run was being planned")
    return File(path, write.content, on_disk)
