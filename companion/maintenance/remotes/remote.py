"""`remote`: carry what a plain clone does not, the notes as they were given, between a person's own
machines.

A remote's buffer is fetched to ``refs/companion/remotes/NAME/``, never onto ours. Git refuses to
replace a ref that names a tree unless forced, and force would let one machine's notes replace
another's: so `sync` first unites the two trees, and then pushes the union with a lease on exactly
what it has united.
"""

import os
import re
from collections.abc import Mapping
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.maintenance import take_in
from companion.maintenance.remotes import merge_driver
from companion.maintenance.remotes.sync_pages import sync_pages
from companion.privacy import secret_formats
from companion.runs.run import open_run
from companion.storage.boundary.set_aside import Doubted
from companion.storage.cold import cold_memory
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import capture_buffer, layout, setup
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place
from companion.storage.git.remotes_known import (
    OURS,
    PAGES,
    PASSWORD,
    TRACKING,
    Remote,
    hide_password,
    list_remotes,
    select_refs,
)
from companion.storage.git.repo import MissingObject, Repo, TryLater
from companion.values.progress import SILENT, Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        RemoteResult,
        SyncResult,
    )

ATTEMPTS = 5  # a sync that loses the race against another machine starts over

_OPEN = (BUFFER, cold_memory.REF)  # what every remote that carries notes has
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
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


def add(
    ws: Workspace,
    name: str,
    url: str,
    *,
    with_private: bool = False,
    with_pages: bool = False,
) -> "RemoteResult":
    """Make *url* a git remote that carries notes; nothing is sent yet. One that is there already
    gains what it lacks.

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
    new = Remote(
        name,
        url,
        notes=True,
        private=with_private or held.private,
        pages=with_pages or held.pages,
    )
    settings = _missing_settings(held, new)
    if settings:
        setup.configure(ws.place, settings)
    merge_driver.install(ws.place)
    return {
        "remote": name,
        "url": url,
        "private": new.private,
        "pages": new.pages,
    }


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
    if new.pages and not held.pages:
        settings.append((f"remote.{new.name}.{PAGES}", "true"))
    return settings


def sync(
    ws: Workspace, name: str | None = None, *, progress: Progress = SILENT
) -> "SyncResult":
    """Bring the notes of this machine and of a remote together, on both sides; and the pages, where
    the remote was added with them.

    What cannot be believed is set aside and named, and the rest is taken. Raises NoSuchRemote,
    Unreachable, ErasedThere, Busy, or TryLater when other machines are faster five times.
    """
    remote = choose(ws, name)
    merge_driver.install(ws.place)
    received = [0, 0]
    for _ in range(ATTEMPTS):
        progress.begin(f"asking {remote.name}")
        there = _there(ws, remote)
        whole = _is_whole(ws, remote)
        if there != _fetched(ws.place, remote) or not whole:
            progress.begin(f"fetching from {remote.name}")
            _refuse_erased(ws, remote, there)
            _fetch(ws, remote, forget=not whole)
        with open_run(ws, "remote sync", progress=progress, quiet=False) as run:
            progress.begin("taking in notes")
            capture_buffer.anchor(run.journal, run.repo)
            theirs = _fetched(ws.place, remote)
            taken = take_in.take_in(
                ws, run.journal, run.repo, remote, theirs, progress
            )
            run.refold()
        received[0] += taken.captures
        received[1] += taken.tellings
        sent = {
            ref: tree
            for ref, tree in taken.both.items()
            if there.get(ref) != tree
        }
        if sent:
            progress.begin(f"sending to {remote.name}")
        if not sent or _pushed(ws, remote, sent, there):
            done = _synced(ws, remote, received, sent, there, taken.doubted)
            if remote.pages:
                done["merged"] = sync_pages(ws, remote, progress)
            return done
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


def choose(ws: Workspace, name: str | None) -> Remote:
    """Return the remote that *name* means. Raises NoSuchRemote for none or several."""
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
    _ask(ws, *_FETCH, remote.name, *remote.refspecs)


def _refuse_erased(
    ws: Workspace, remote: Remote, there: Mapping[str, str]
) -> None:
    """Raise ErasedThere before git has what was erased here: what it has once, it keeps."""
    if read_erased_words(ws.place) is None:
        return
    with TemporaryDirectory(dir=ws.place.state) as objects:
        # a dry run brings the objects, and moves no ref
        _ask(
            ws,
            *_FETCH,
            "--dry-run",
            remote.name,
            *remote.refspecs,
            objects=objects,
        )
        repo = Repo(ws.place)
        repo.look_into(objects)
        take_in.refuse_erased(ws, repo, remote, there)


def _is_whole(ws: Workspace, remote: Remote) -> bool:
    """Tell whether all that the last fetch was to bring is here: a power cut may keep a ref and
    lose its objects.
    """
    repo = Repo(ws.place)
    journal = ws.journal()
    new = take_in.list_new(journal, remote, _fetched(ws.place, remote))
    journal.close()
    try:
        return all(_is_all_here(repo, tree) for tree in new)
    except MissingObject:
        return False


def _is_all_here(repo: Repo, tree: str) -> bool:
    return all(repo.has(blob) for blob in repo.list_blobs(tree))


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


def _ask(ws: Workspace, *args: str, objects: str | None = None) -> bytes:
    try:
        return run_git(ws.place, *args, objects=objects)
    except GitFailed as error:
        raise Unreachable(hide_password(str(error))) from error


def _synced(
    ws: Workspace,
    remote: Remote,
    received: list[int],
    sent: Mapping[str, str],
    there: Mapping[str, str],
    doubted: Doubted,
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
        "pages": remote.pages,
        "merged": None,
        "received": {"captures": received[0], "tellings": received[1]},
        "sent": {"captures": len(captures), "refs": sorted(sent)},
        "set_aside": [item._asdict() for item in doubted.items],
        "set_aside_count": doubted.total,
    }
