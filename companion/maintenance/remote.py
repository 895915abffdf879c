"""`remote`: carry what a plain clone does not, the notes as they were given, between a person's own
machines.

A remote's buffer is fetched to ``refs/companion/remotes/NAME/``, never onto ours. Git refuses to
replace a ref that names a tree unless forced, and force would let one machine's notes replace
another's: so `sync` first unites the two trees, and then pushes the union with a lease on exactly
what it has united.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.privacy import erased_words, secret_formats
from companion.runs.run import open_run
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import capture_buffer, cold_memory, layout
from companion.storage.git import setup as gitdir
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place
from companion.storage.git.remotes_known import (
    OURS,
    PASSWORD,
    TRACKING,
    Remote,
    hide_password,
    list_remotes,
    select_refs,
)
from companion.storage.git.repo import MissingObject, Repo, TryLater
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        RemoteResult,
        SyncResult,
    )

ATTEMPTS = 5  # a sync that loses the race against another machine starts over

_OPEN = (BUFFER, cold_memory.REF)  # what every remote that carries notes has
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|lock$|$)){0,60}")


class BadRemote(CompanionError):
    """This cannot be a remote."""

    exit_code = 2


class SecretInUrl(CompanionError):
    """This URL holds a password or a token, and would be stored in plain text in .git/config."""

    exit_code = 65
    hint = "Leave it out: an ssh key, or git's credential helper (`git help credentials`), keeps it safer."


class NoSuchRemote(CompanionError):
    """No remote of that name carries notes."""

    exit_code = 2
    hint = "`companion remote add NAME URL` makes one."


class Unreachable(CompanionError):
    """The remote did not answer."""

    exit_code = 74
    hint = "Nothing is lost here. Is its address right and can you reach it? Then run the same command again."


class ErasedThere(CompanionError):
    """A remote's notes hold words that were erased here."""

    exit_code = 65
    hint = (
        "Nothing was taken in. Erase them on the machine they come from, or replace its notes by these: "
        "`git push --force REMOTE refs/companion/buffer`; then `companion erase` here what the fetch brought."
    )


def add(
    ws: Workspace, name: str, url: str, *, with_private: bool = False
) -> "RemoteResult":
    """Make *url* a git remote that carries notes; nothing is sent yet. One that is there already
    gains the refspecs.

    Raises BadRemote or SecretInUrl.
    """
    if not _NAME.fullmatch(name):
        raise BadRemote(
            f"{name[:80]!r} cannot be a remote's name",
            hint="Use letters, digits, `-` and `_`.",
        )
    url = _address(url)
    known = {remote.name: remote for remote in list_remotes(ws.place)}
    held = known.get(name)
    if held is not None and held.url not in ("", url):
        raise BadRemote(
            f"there is a remote {name} already: {held.url}",
            hint="Choose another name.",
        )
    settings, fetch = list[tuple[str, str]](), f"remote.{name}.fetch"
    if held is None or not held.url:
        settings += [
            (f"remote.{name}.url", url),
            (fetch, f"+refs/heads/*:refs/remotes/{name}/*"),
        ]
    new = Remote(
        name, url, True, with_private or (held is not None and held.private)
    )
    settings += [
        (fetch, spec)
        for spec in new.refspecs
        if held is None or spec not in held.refspecs
    ]
    if settings:
        gitdir.configure(ws.place, settings)
    return {"remote": name, "url": url, "private": new.private}


def sync(ws: Workspace, name: str | None = None) -> "SyncResult":
    """Bring the notes of this machine and of a remote together, on both sides; the branch is git's
    to push and pull.

    Raises NoSuchRemote, Unreachable, NotABuffer, Busy, or TryLater when other machines are faster
    five times.
    """
    remote = _chosen(ws, name)
    received = [0, 0]
    for _ in range(ATTEMPTS):
        there = _there(ws, remote)
        whole = _is_whole(ws, remote)
        if there != _fetched(ws.place, remote) or not whole:
            _fetch(ws, remote, forget=not whole)
        with open_run(ws, "remote sync", quiet=False) as tonight:
            capture_buffer.anchor(tonight.journal, tonight.repo)
            new, both = _unite(ws, tonight.journal, tonight.repo, remote)
            received = [a + b for a, b in zip(received, new, strict=True)]
            tonight.refold()
        sent = {
            ref: tree for ref, tree in both.items() if there.get(ref) != tree
        }
        if not sent or _pushed(ws, remote, sent, there):
            return _synced(ws, remote, received, sent, there)
    raise TryLater(
        f"other machines kept writing to {remote.name}",
        hint="Nothing is lost. Run it again in a moment.",
    )


# -- remotes as git knows them ---------------------------------------------------------------------


def _address(url: str) -> str:
    """Return *url* as git will find it from anywhere: a folder here becomes a whole path."""
    if PASSWORD.search(url) or secret_formats.find(url):
        raise SecretInUrl
    if "://" in url or re.match(r"[^/]+:", url):
        return url
    path = os.path.abspath(os.path.expanduser(url))
    if url and os.path.isdir(path):
        return path
    hint = (
        f"`git init --bare {path}` makes one there."
        if url and not url.startswith("-")
        else "Give a URL or a path."
    )
    raise BadRemote("there is no repository at that path", hint=hint)


def _chosen(ws: Workspace, name: str | None) -> Remote:
    able = [remote for remote in list_remotes(ws.place) if remote.notes]
    found = [remote for remote in able if name in (None, remote.name)]
    if len(found) == 1:
        return found[0]
    if not found:
        there = next(
            (
                remote
                for remote in list_remotes(ws.place)
                if name in (None, remote.name)
            ),
            None,
        )
        hint = (
            f"`companion remote add {there.name} {there.url}` lets it carry them."
            if there
            else NoSuchRemote.hint
        )
        raise NoSuchRemote(
            f"no remote called {name} carries notes"
            if name
            else "no remote carries notes yet",
            hint=hint,
        )
    raise NoSuchRemote(
        "which remote?",
        hint="One of: " + ", ".join(remote.name for remote in found),
    )


# -- there and back --------------------------------------------------------------------------------


def _there(ws: Workspace, remote: Remote) -> dict[str, str]:
    """Ask the remote which buffers it has."""
    patterns = [BUFFER, cold_memory.REF] + [PRIVATE + "*"] * remote.private
    lines = (
        line.split("\t")
        for line in _ask(ws, "ls-remote", remote.name, *patterns)
        .decode()
        .splitlines()
    )
    return {ref: id for id, ref in lines}


def _fetched(place: Place, remote: Remote) -> dict[str, str]:
    """Return what the remote had at the last fetch, under the names it has there."""
    found = select_refs(layout.read_refs(place, OURS), TRACKING + remote.name)
    return {
        ref: id
        for ref, id in found.items()
        if ref in _OPEN or (remote.private and ref.startswith(PRIVATE))
    }


def _fetch(ws: Workspace, remote: Remote, *, forget: bool) -> None:
    # git would not fetch again what they name
    for ref in _fetched(ws.place, remote) if forget else ():
        run_git(ws.place, "update-ref", "-d", remote.tracking(ref))
    _ask(
        ws,
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        remote.name,
        *remote.refspecs,
    )


def _is_whole(ws: Workspace, remote: Remote) -> bool:
    """Tell whether all that the last fetch was to bring is here: a power cut may keep a ref and
    lose its objects.
    """
    repo, journal, fetched = (
        Repo(ws.place),
        ws.journal(),
        _fetched(ws.place, remote),
    )
    new = [
        tree
        for ref, tree in fetched.items()
        if journal.get(_taken(remote, ref)) != tree
    ]
    journal.close()
    try:
        return all(
            repo.has(blob) for tree in new for _, _, blob in repo.walk(tree)
        )
    except MissingObject:
        return False


def _unite(
    ws: Workspace, journal: Journal, repo: Repo, remote: Remote
) -> tuple[tuple[int, int], dict[str, str]]:
    """Take the remote's notes into ours; return the new (captures, tellings), and every tree as it
    is now.
    """
    theirs = _fetched(repo.place, remote)
    if any(
        journal.get(_taken(remote, ref)) != tree for ref, tree in theirs.items()
    ):
        gitdir.sync_objects(repo.place)  # before a ref of ours needs them
    marks, faded = (
        {_taken(remote, ref): tree for ref, tree in theirs.items()},
        theirs.pop(cold_memory.REF, None),
    )
    came = {
        ref: capture_buffer.find_arrivals(
            repo, journal.get(_taken(remote, ref)), tree
        )
        for ref, tree in theirs.items()
    }
    if faded is not None:
        cold_memory.check(repo, faded)
    _refuse_erased(ws, remote, came.values(), _texts(repo, faded))
    both = capture_buffer.unite(repo, theirs) | (
        {}
        if faded is None
        else {cold_memory.REF: cold_memory.unite(repo, faded)}
    )
    captures = [
        pending for arrived in came.values() for pending in arrived.captures
    ]
    later = [
        sighting for arrived in came.values() for sighting in arrived.later
    ]
    # After the refs: what the journal believes to be in git must be there.
    new = journal.take_in(captures, later, marks)
    ours = capture_buffer.read_trees(repo).items()
    both |= {ref: tree for ref, tree in ours if ref == BUFFER or remote.private}
    here = cold_memory.find_tree(repo)
    return new, both if here is None else {**both, cold_memory.REF: here}


def _texts(repo: Repo, faded: str | None) -> Iterator[str]:
    """Yield every text of another machine's cold memory that ours does not hold."""
    for path, _, blob in (
        repo.changes(cold_memory.find_tree(repo), faded)
        if faded is not None
        else ()
    ):
        if blob is not None:
            yield f"{path}\n{repo.text(blob)}"


def _refuse_erased(
    ws: Workspace,
    remote: Remote,
    came: Iterable[capture_buffer.Arrivals],
    faded: Iterable[str],
) -> None:
    """Raise ErasedThere rather than take in again what was erased here."""
    known = read_erased_words(ws.place)
    if known is None:
        return
    for arrived in came:
        tellings = [
            *arrived.later,
            *(s for pending in arrived.captures for s in pending.sightings),
        ]
        texts = [
            f"{c.title or ''}\n{c.content.decode('utf-8', 'replace')}"
            for c, _ in arrived.captures
        ]
        _refuse(remote, [*texts, *(s.source or "" for s in tellings)], known)
    _refuse(remote, faded, known)


def _refuse(
    remote: Remote,
    texts: Iterable[str],
    known: tuple[list[erased_words.Erased], bytes],
) -> None:
    for text in texts:
        if any(erased_words.find(text, *known)):
            raise ErasedThere(
                f"the notes of {remote.name} hold words that were erased here"
            )


def _taken(remote: Remote, ref: str) -> str:
    return f"taken {remote.name} {ref}"


def _pushed(
    ws: Workspace,
    remote: Remote,
    trees: Mapping[str, str],
    there: Mapping[str, str],
) -> bool:
    """Push *trees* where the remote still has what *there* says; False when another machine was
    faster.
    """
    leases = [f"--force-with-lease={ref}:{there.get(ref, '')}" for ref in trees]
    refspecs = [f"{tree}:{ref}" for ref, tree in trees.items()]
    try:
        _ask(
            ws,
            "push",
            "--quiet",
            "--no-verify",
            *leases,
            remote.name,
            *refspecs,
        )
    except Unreachable:
        if _there(ws, remote) == there:
            raise
        return False
    return True


def _ask(ws: Workspace, *args: str) -> bytes:
    try:
        return run_git(ws.place, *args)
    except GitFailed as error:
        raise Unreachable(hide_password(str(error))) from error


def _synced(
    ws: Workspace,
    remote: Remote,
    received: list[int],
    sent: Mapping[str, str],
    there: Mapping[str, str],
) -> "SyncResult":
    repo = Repo(ws.place)
    notes = {ref: tree for ref, tree in sent.items() if ref != cold_memory.REF}
    captures = {
        id
        for ref, tree in notes.items()
        for id in capture_buffer.list_captures(repo, tree, there.get(ref))
    }
    return {
        "remote": remote.name,
        "url": remote.url,
        "private": remote.private,
        "received": {"captures": received[0], "tellings": received[1]},
        "sent": {"captures": len(captures), "refs": sorted(sent)},
    }


# -- what is only here -----------------------------------------------------------------------------
