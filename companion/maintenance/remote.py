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
from companion.storage.cold import cold_memory
from companion.storage.cold.stream import stream_text
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import capture_buffer, layout, setup
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
from companion.storage.journal.queries import Pending
from companion.values.captures import Sighting
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
    hint = (
        "Leave it out: an ssh key, or git's credential helper (`git help credentials`), keeps it"
        " safer."
    )


class NoSuchRemote(CompanionError):
    """No remote of that name carries notes."""

    exit_code = 2
    hint = "`companion remote add NAME URL` makes one."


class Unreachable(CompanionError):
    """The remote did not answer."""

    exit_code = 74
    hint = (
        "Nothing is lost here. Is its address right and can you reach it? Then run the same"
        " command again."
    )


class ErasedThere(CompanionError):
    """A remote's notes hold words that were erased here."""

    exit_code = 65
    hint = (
        "Nothing was taken in. Erase them on the machine they come from, or replace its notes by"
        " these: `git push --force REMOTE refs/companion/buffer`; then `companion erase` here what"
        " the fetch brought."
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
    held = _find_remote(ws.place, name)
    if held is None:
        held = Remote(name, "", False, False)
    if held.url not in ("", url):
        raise BadRemote(
            f"there is a remote {name} already: {held.url}",
            hint="Choose another name.",
        )
    new = Remote(name, url, True, with_private or held.private)
    settings = _missing_settings(held, new)
    if settings:
        setup.configure(ws.place, settings)
    return {"remote": name, "url": url, "private": new.private}


def _find_remote(place: Place, name: str) -> Remote | None:
    for remote in list_remotes(place):
        if remote.name == name:
            return remote
    return None


def _missing_settings(held: Remote, new: Remote) -> list[tuple[str, str]]:
    """Return the lines of git's configuration that make *new* of *held*."""
    fetch = f"remote.{new.name}.fetch"
    settings = []
    if not held.url:
        heads = f"+refs/heads/*:refs/remotes/{new.name}/*"
        settings += [(f"remote.{new.name}.url", new.url), (fetch, heads)]
    for refspec in new.refspecs:
        if refspec not in held.refspecs:
            settings.append((fetch, refspec))
    return settings


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
        with open_run(ws, "remote sync", quiet=False) as run:
            capture_buffer.anchor(run.journal, run.repo)
            captures, tellings = _unite(ws, run.journal, run.repo, remote)
            both = _list_shared_trees(run.repo, remote)
            run.refold()
        received[0] += captures
        received[1] += tellings
        sent = {
            ref: tree for ref, tree in both.items() if there.get(ref) != tree
        }
        if not sent or _pushed(ws, remote, sent, there):
            return _synced(ws, remote, received, sent, there)
    raise TryLater(
        f"other machines kept writing to {remote.name}",
        hint="Nothing is lost. Run it again in a moment.",
    )


# -- remotes as git knows them


def _address(url: str) -> str:
    """Return *url* as git will find it from anywhere: a folder here becomes a whole path."""
    if PASSWORD.search(url) or secret_formats.find(url):
        raise SecretInUrl
    if "://" in url or re.match(r"[^/]+:", url):
        return url
    path = os.path.abspath(os.path.expanduser(url))
    if url and os.path.isdir(path):
        return path
    hint = "Give a URL or a path."
    if url and not url.startswith("-"):
        hint = f"`git init --bare {path}` makes one there."
    raise BadRemote("there is no repository at that path", hint=hint)


def _chosen(ws: Workspace, name: str | None) -> Remote:
    """Return the remote to sync with. Raises NoSuchRemote where none or several can be meant."""
    remotes = [
        remote
        for remote in list_remotes(ws.place)
        if name in (None, remote.name)
    ]
    able = [remote for remote in remotes if remote.notes]
    if len(able) == 1:
        return able[0]
    if able:
        names = ", ".join(remote.name for remote in able)
        raise NoSuchRemote("which remote?", hint=f"One of: {names}")
    problem = "no remote carries notes yet"
    if name:
        problem = f"no remote called {name} carries notes"
    hint = NoSuchRemote.hint
    if remotes:
        first = remotes[0]
        hint = f"`companion remote add {first.name} {first.url}` lets it carry them."
    raise NoSuchRemote(problem, hint=hint)


# -- exchange with a remote


def _there(ws: Workspace, remote: Remote) -> dict[str, str]:
    """Ask the remote which buffers it has."""
    patterns = [BUFFER, cold_memory.REF]
    if remote.private:
        patterns.append(PRIVATE + "*")
    trees = {}
    listing = _ask(ws, "ls-remote", remote.name, *patterns).decode()
    for line in listing.splitlines():
        id, ref = line.split("\t")
        trees[ref] = id
    return trees


def _fetched(place: Place, remote: Remote) -> dict[str, str]:
    """Return what the remote had at the last fetch, under the names it has there."""
    found = select_refs(layout.read_refs(place, OURS), TRACKING + remote.name)
    wanted: dict[str, str] = {}
    for ref, id in found.items():
        if ref in _OPEN or (remote.private and ref.startswith(PRIVATE)):
            wanted[ref] = id
    return wanted


def _fetch(ws: Workspace, remote: Remote, *, forget: bool) -> None:
    if forget:
        # git would not fetch again what they name
        for ref in _fetched(ws.place, remote):
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
    repo = Repo(ws.place)
    journal = ws.journal()
    new = _list_new(journal, remote, _fetched(ws.place, remote))
    journal.close()
    try:
        return all(_has_all_blobs(repo, tree) for tree in new)
    except MissingObject:
        return False


def _list_new(
    journal: Journal, remote: Remote, trees: Mapping[str, str]
) -> list[str]:
    """Return the trees that the journal has not taken in yet."""
    new_trees: list[str] = []
    for ref, tree in trees.items():
        if journal.get(_taken(remote, ref)) != tree:
            new_trees.append(tree)
    return new_trees


def _has_all_blobs(repo: Repo, tree: str) -> bool:
    return all(repo.has(blob) for _, _, blob in repo.walk(tree))


def _unite(
    ws: Workspace, journal: Journal, repo: Repo, remote: Remote
) -> tuple[int, int]:
    """Take the remote's notes into ours; return how many captures and tellings are new.

    Raises ErasedThere with nothing taken in.
    """
    theirs = _fetched(repo.place, remote)
    if _list_new(journal, remote, theirs):
        setup.sync_objects(repo.place)  # before a ref of ours needs them
    marks = {_taken(remote, ref): tree for ref, tree in theirs.items()}
    cold = theirs.pop(cold_memory.REF, None)
    arrivals = []
    for ref, tree in theirs.items():
        known = journal.get(_taken(remote, ref))
        arrivals.append(capture_buffer.find_arrivals(repo, known, tree))
    if cold is not None:
        cold_memory.check(repo, cold)
    _refuse_erased(ws, remote, arrivals, _cold_texts(repo, cold))
    capture_buffer.unite(repo, theirs)
    if cold is not None:
        cold_memory.unite(repo, cold)
    captures: list[Pending] = []
    later: list[Sighting] = []
    for arrived in arrivals:
        captures += arrived.captures
        later += arrived.later
    # After the refs: what the journal believes to be in git must be there.
    return journal.take_in(captures, later, marks)


def _list_shared_trees(repo: Repo, remote: Remote) -> dict[str, str]:
    """Return the trees of ours that the remote is to have."""
    trees = {
        ref: tree
        for ref, tree in capture_buffer.read_trees(repo).items()
        if ref == BUFFER or remote.private
    }
    cold = cold_memory.find_tree(repo)
    if cold is not None:
        trees[cold_memory.REF] = cold
    return trees


def _cold_texts(repo: Repo, tree: str | None) -> Iterator[str]:
    """Yield every text of another machine's cold memory that ours does not hold."""
    if tree is None:
        return
    for path, _, blob in repo.changes(cold_memory.find_tree(repo), tree):
        if blob is not None and path.endswith(".json"):
            # the header has the size: the bytes of a film are not held to be read
            item = cold_memory.read_header(repo, blob)
            yield f"{path}\n{repo.text(blob)}"
            yield from stream_text(repo, item.blob, item.size or 0)


def _refuse_erased(
    ws: Workspace,
    remote: Remote,
    arrivals: Iterable[capture_buffer.Arrivals],
    cold_texts: Iterable[str],
) -> None:
    """Raise ErasedThere rather than take in again what was erased here."""
    known = read_erased_words(ws.place)
    if known is None:
        return
    for arrived in arrivals:
        _refuse(remote, _arrived_texts(arrived), known)
    _refuse(remote, cold_texts, known)


def _arrived_texts(arrived: capture_buffer.Arrivals) -> Iterator[str]:
    """Yield the titles, texts and sources that came."""
    for telling in arrived.later:
        yield telling.source or ""
    for capture, tellings in arrived.captures:
        yield f"{capture.title or ''}\n{capture.content.decode('utf-8', 'replace')}"
        for telling in tellings:
            yield telling.source or ""


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
    captures: set[str] = set()
    for ref, tree in sent.items():
        if ref != cold_memory.REF:
            known = there.get(ref)
            captures.update(capture_buffer.list_captures(repo, tree, known))
    return {
        "remote": remote.name,
        "url": remote.url,
        "private": remote.private,
        "received": {"captures": received[0], "tellings": received[1]},
        "sent": {"captures": len(captures), "refs": sorted(sent)},
    }
