"""Bring the pages of this machine and of a remote together, where the remote was added with them.

The remote's branch is fetched and merged by git, with companion's own merge of pages
(`merge_driver`), into a tree that nobody sees. It reaches the person's files by the steps of a run:
all of them or none, and never over a file that the person changed. Then the branch is pushed.
What needs a person is left, with the reason.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from companion.privacy import erased_words
from companion.runs.publication import format_identity
from companion.runs.run import Run, open_run
from companion.storage import publish
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import layout, signing
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.git_locks import GitBusy, IndexEntry, Raced
from companion.storage.git.remotes_known import Remote, hide_password
from companion.storage.git.repo import Repo, TryLater
from companion.storage.publish import File, Publication
from companion.values.progress import Progress
from companion.workspace import Workspace, real_now

if TYPE_CHECKING:
    from companion.maintenance.results import PagesExchanged

ATTEMPTS = 5  # as often as an exchange of notes
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
_PLAIN = ("000000", "100644")  # no file, and a file that is no program or link


class _Left(Exception):
    """Pages that only a person can bring together; the words say why."""


class _Change(NamedTuple):
    """A file that a merge writes, as its blob before and after; None where there is none."""

    path: str
    old: str | None
    new: str | None


def sync_pages(
    ws: Workspace, remote: Remote, progress: Progress
) -> "PagesExchanged":
    """Merge the remote's branch into ours and push ours; what is left says why in `left`."""
    received = 0
    try:
        for _ in range(ATTEMPTS):
            progress.begin(f"bringing pages of {remote.name}")
            theirs = _fetch(ws, remote)
            received += _take_in(ws, remote, theirs, progress)
            sent = _push(ws, remote, theirs)
            if sent is not None:
                return {"received": received, "sent": sent, "left": None}
        left = "other machines kept pushing; run it again in a moment"
    except (_Left, GitBusy, Raced, TryLater) as error:
        left = str(error)
    return {"received": received, "sent": 0, "left": left}


def _fetch(ws: Workspace, remote: Remote) -> str | None:
    """Return the remote's commit of the wiki's branch; None where it has none yet.

    Raises _Left where it was written anew: what somebody erased there must not come back.
    """
    branch = Repo(ws.place).branch
    tracking = _tracking(remote, branch)
    before = layout.read_ref(ws.place, tracking)
    if not _ask(ws, "ls-remote", remote.name, branch).strip():
        return None
    _ask(ws, *_FETCH, remote.name, f"+{branch}:{tracking}")
    after = layout.read_ref(ws.place, tracking)
    repo = Repo(ws.place)
    if before and after and not repo.is_ancestor(before, after):
        # the next sync must see it, too
        run_git(ws.place, "update-ref", tracking, before)
        raise _Left(
            f"{remote.name} has another history of {_short(branch)} than before;"
            f" if words were erased there, clone it anew; else `git pull`"
        )
    return after


def _tracking(remote: Remote, branch: str) -> str:
    return f"refs/remotes/{remote.name}/{_short(branch)}"


def _short(branch: str) -> str:
    return branch.removeprefix("refs/heads/")


def _ask(ws: Workspace, *words: str) -> bytes:
    try:
        return run_git(ws.place, *words)
    except GitFailed as error:
        raise _Left(hide_password(str(error))) from error


def _take_in(
    ws: Workspace, remote: Remote, theirs: str | None, progress: Progress
) -> int:
    """Merge the commit *theirs*; return how many commits came with it."""
    with open_run(ws, "remote sync", progress=progress) as run:
        tip = run.commit
        if theirs is None or tip is None or run.repo.is_ancestor(theirs, tip):
            return 0
        count = _count(ws, theirs, tip)
        _refuse_erased(run, theirs, tip)
        commit = _merge(run, remote, tip, theirs)
        _publish(run, remote, tip, commit)
        run.refold()
    return count


def _count(ws: Workspace, new: str, old: str) -> int:
    return int(run_git(ws.place, "rev-list", "--count", f"{old}..{new}"))


def _refuse_erased(run: Run, theirs: str, tip: str) -> None:
    """Raise _Left where the commits of *theirs* hold words that were erased here."""
    known = read_erased_words(run.ws.place)
    if known is None:
        return
    words, key = known
    listing = run_git(run.ws.place, "rev-list", "--objects", f"{tip}..{theirs}")
    for line in listing.decode("utf-8", "surrogateescape").splitlines():
        id, _, path = line.partition(" ")
        is_text = path.endswith((".md", ".jsonl", ".yaml"))
        if not is_text or not run.repo.is_blob(id):
            continue
        if any(erased_words.find(run.repo.text(id), words, key)):
            raise _Left(f"{path} has words there that were erased here")


# -- the merge -------------------------------------------------------------------------------------


def _merge(run: Run, remote: Remote, tip: str, theirs: str) -> str:
    """Return the commit that has both, stored and durable. Raises _Left."""
    if run.repo.is_ancestor(tip, theirs):
        return theirs
    tree = _merge_trees(run, tip, theirs)
    seconds = int(datetime.fromisoformat(run.ws.now()).timestamp())
    person = format_identity(*run.repo.author())
    words = f"Merge {_short(run.repo.branch)} of {remote.name}"
    text = (
        f"tree {tree}\nparent {tip}\nparent {theirs}\n"
        f"author {person} {seconds} +0000\n"
        f"committer {person} {seconds} +0000\n\n{words}\n"
    )
    content = signing.sign_commit(run.repo, text.encode("utf-8", "replace"))
    store = ("hash-object", "-t", "commit", "-w", "--stdin")
    return run_git(run.ws.place, *store, stdin=content).decode().strip()


def _merge_trees(run: Run, tip: str, theirs: str) -> str:
    try:
        words = ("merge-tree", "--write-tree", "--name-only", tip, theirs)
        answer = run_git(run.ws.place, *words)
    except GitFailed as error:
        # the tree, and then the paths in conflict
        lines = error.output.partition("\n\n")[0].split("\n")[1:]
        if not lines:
            raise _Left(f"git 2.38 or newer merges pages: {error}") from error
        paths = ", ".join(lines[:3])
        raise _Left(
            f"both sides changed {paths}; `git pull` shows it"
        ) from error
    return answer.decode().split("\n")[0]


def _publish(run: Run, remote: Remote, tip: str, commit: str) -> None:
    """Move the person's files and the branch to *commit*. Raises _Left, Raced or GitBusy."""
    if publish.has_conversions(run.repo):
        raise _Left("git converts files here; `git pull` brings the pages")
    files = []
    entries = []
    for change in _list_changes(run, tip, commit):
        files.append(_plan_file(run, change))
        entries.append(IndexEntry(change.path, change.old, change.new))
    publication = Publication(
        f"merge of {remote.name}",
        tip,
        commit,
        files,
        entries,
        f"companion: pages of {remote.name}",
        real_now(),
    )
    publish.publish(run.repo, run.journal, publication)


def _list_changes(run: Run, tip: str, commit: str) -> Iterator[_Change]:
    """Yield the files that differ. Raises _Left for links, programs and submodules."""
    words = ("diff-tree", "-r", "-z", "--no-renames", tip, commit)
    listing = run_git(run.ws.place, *words).decode("utf-8", "surrogateescape")
    fields = listing.split("\0")
    for info, path in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, new_mode, old, new, _ = info.removeprefix(":").split(" ")
        if new_mode not in _PLAIN or old_mode not in _PLAIN:
            raise _Left(f"{path} is no plain file; `git pull` brings it")
        yield _Change(path, _find_blob(old), _find_blob(new))


def _find_blob(id: str) -> str | None:
    return id if id.strip("0") else None


def _plan_file(run: Run, change: _Change) -> File:
    """Return what to write over git's file. Raises _Left where the person has another."""
    on_disk = publish.hash_on_disk(run.repo, change.path)
    if on_disk not in (change.old, change.new):
        raise _Left(
            f"{change.path} has changes that no commit has yet;"
            " `companion adopt` takes them in"
        )
    content = None if change.new is None else run.repo.blob(change.new)
    return File(change.path, content, on_disk)


def _push(ws: Workspace, remote: Remote, theirs: str | None) -> int | None:
    """Push our branch; return how many commits went, None where another machine was faster."""
    repo = Repo(ws.place)
    tip = repo.tip()
    if tip is None or tip == theirs:
        return 0
    sent = _count(ws, tip, theirs) if theirs else _count_all(ws, tip)
    branch = repo.branch
    lease = f"--force-with-lease={branch}:{theirs or ''}"
    words = ("push", "--quiet", "--no-verify", lease, remote.name)
    try:
        run_git(ws.place, *words, f"{tip}:{branch}")
    except GitFailed as error:
        listing = _ask(ws, "ls-remote", remote.name, branch).decode()
        if listing.partition("\t")[0] != (theirs or ""):
            return None
        raise _Left(hide_password(str(error))) from error
    run_git(ws.place, "update-ref", _tracking(remote, branch), tip)
    return sent


def _count_all(ws: Workspace, tip: str) -> int:
    return int(run_git(ws.place, "rev-list", "--count", tip))
