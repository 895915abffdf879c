"""Read the repository's remotes: what they carry, and what is on none of them."""

import re
from collections.abc import Mapping, Sequence

from companion.storage.cold import cold_memory, originals
from companion.storage.git import capture_buffer, layout
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.values.refusals import private_name

OURS = "refs/companion"
TRACKING = OURS + "/remotes/"
DOUBTED = OURS + "/doubted/"  # what came from a remote and was set aside
PAGES = "companionpages"  # the setting of a remote; git knows its name so
PASSWORD = re.compile(r"(://[^/?#:@]*):[^/?#@]+@")

# A pattern, for git fails on a plain name that the other side does not have yet.
_SHARED = "buffer*"
_COLD = "cold*"
_PRIVATE = "private/*"


class Remote(NamedTuple):
    """One of the repository's git remotes."""

    name: str
    url: str  # without a password
    notes: bool  # carries refs/companion/buffer
    private: bool  # carries refs/companion/private/*
    pages: bool = False  # a sync merges and pushes the branch, too

    def tracking(self, ref: str) -> str:
        """Return where we keep what the remote has at *ref*."""
        return TRACKING + self.name + ref.removeprefix(OURS)

    @property
    def refspecs(self) -> list[str]:
        """The refspecs by which `git fetch` brings the notes too."""
        patterns = []
        if self.notes:
            patterns += [_SHARED, _COLD]
        if self.private:
            patterns.append(_PRIVATE)
        return [_refspec(self.name, pattern) for pattern in patterns]


class OnlyHere(NamedTuple):
    """Captures and commits on no other machine, as far as the last fetch or push knows."""

    captures_not_in_git: int
    captures_on_no_remote: int
    commits_on_no_remote: int | None  # None: there is no remote
    refs: list[str]
    # sources as they came in; what a night has read travels with cold memory
    originals_on_no_remote: int = 0


def list_remotes(place: Place) -> list[Remote]:
    """Return the repository's remotes, by name."""
    values: dict[str, list[str]] = {}  # of the settings remote.<name>.<key>
    names = set()
    for entry in Repo(place).git.config:
        section, _, key = entry.name.rpartition(".")
        if section.startswith("remote.") and key in ("url", "fetch", PAGES):
            names.add(section.removeprefix("remote."))
            values.setdefault(entry.name, []).append(str(entry.value))
    remotes = []
    for name in sorted(names):
        urls = values.get(f"remote.{name}.url", [])
        fetches = values.get(f"remote.{name}.fetch", [])
        pages = values.get(f"remote.{name}.{PAGES}", [])[-1:] == ["true"]
        made = _make_remote(name, urls, fetches)
        remotes.append(made._replace(pages=pages))
    return remotes


def list_destinations(place: Place) -> list[str]:
    """Return what may leave this machine, and where to: one text for each remote with a URL."""
    texts = []
    for remote in list_remotes(place):
        if remote.url:
            contents = _describe_contents(remote)
            texts.append(f"{contents} → {remote.name} ({remote.url})")
    return texts


def find_only_here(place: Place, journal: Journal, who: str) -> OnlyHere:
    """Count what of the captures that *who* may read is on no other machine.

    Raises DamagedRef or GitFailed.
    """
    loose = journal.loose_count(who)
    refs = layout.read_refs(place, OURS)
    ours = {ref: id for ref, id in refs.items() if _is_own(ref, who)}
    theirs: list[dict[str, str]] = []
    if len(ours) < len(refs):
        for remote in list_remotes(place):
            theirs.append(select_refs(refs, TRACKING + remote.name))
    if any(theirs):
        captures = _count_missing(place, ours, theirs) + loose
    else:
        captures = journal.counts(who)[0]
    folders = set()
    for ref, id in ours.items():
        if ref in (originals.REF, originals.LOCKED):
            continue  # they never travel as they are: their originals are counted
        if not any(remote_refs.get(ref) == id for remote_refs in theirs):
            folders.add("/".join(ref.split("/")[:3]))
    return OnlyHere(
        loose,
        captures,
        _count_unpushed(place),
        sorted(folders),
        _count_originals(place, theirs),
    )


def list_ahead(place: Place) -> list[tuple[str, int]]:
    """Return each remote with the number of its commits that the wiki's branch lacks, if any.

    As far as the last fetch or push knows. Raises DamagedRef or GitFailed.
    """
    repo = Repo(place)
    tip = repo.tip()
    if tip is None:
        return []
    short = repo.branch.removeprefix("refs/heads/")
    ahead = []
    for remote in list_remotes(place):
        theirs = layout.read_ref(place, f"refs/remotes/{remote.name}/{short}")
        if theirs is None or theirs == tip:
            continue
        lacking = int(run_git(place, "rev-list", "--count", f"{tip}..{theirs}"))
        if lacking:
            ahead.append((remote.name, lacking))
    return ahead


def select_refs(refs: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return the refs in *folder*, under the names that they have on their own machine."""
    inside = folder + "/"
    moved: dict[str, str] = {}
    for ref, id in refs.items():
        if ref.startswith(inside):
            moved[OURS + ref.removeprefix(folder)] = id
    return moved


def hide_password(url: str) -> str:
    """Return *url*, or any text that holds one, with passwords replaced by stars."""
    return PASSWORD.sub(r"\1:***@", url)


def _make_remote(
    name: str, urls: Sequence[str], fetches: Sequence[str]
) -> Remote:
    url = ""
    if urls:
        url = hide_password(urls[0])
    notes = _refspec(name, _SHARED) in fetches
    private = _refspec(name, _PRIVATE) in fetches
    return Remote(name, url, notes, private)


def _refspec(name: str, pattern: str) -> str:
    return f"+{OURS}/{pattern}:{TRACKING}{name}/{pattern}"


def _describe_contents(remote: Remote) -> str:
    parts = ["pages"]
    if remote.notes:
        parts.append("notes")
    if remote.private:
        parts.append("private notes")
    return ", ".join(parts)


def _is_own(ref: str, who: str) -> bool:
    """Tell whether *ref* is of this machine, and no other reader's private one."""
    if ref.startswith((TRACKING, DOUBTED)):
        return False
    return not ref.startswith(PRIVATE) or ref == PRIVATE + private_name(who)


def _count_missing(
    place: Place, ours: Mapping[str, str], theirs: Sequence[Mapping[str, str]]
) -> int:
    """Count the captures of which something is in no remote's buffer."""
    repo = Repo(place)
    missing: set[str] = set()
    for ref, tree in ours.items():
        if ref == BUFFER or ref.startswith(PRIVATE):
            lacking = [
                capture_buffer.list_captures(repo, tree, there.get(ref))
                for there in theirs
            ]
            missing |= set.intersection(*lacking)
    return len(missing)


def _count_originals(place: Place, theirs: Sequence[Mapping[str, str]]) -> int:
    """Count the originals, locked ones too, whose bytes no remote has in its cold memory."""
    repo = Repo(place)
    elsewhere: set[str] = set()
    for there in theirs:
        elsewhere |= repo.list_blobs(there.get(cold_memory.REF))
    count = 0
    for ref in (originals.REF, originals.LOCKED):
        for path, _, blob in repo.walk(layout.read_ref(place, ref)):
            count += "." not in path and blob not in elsewhere
    return count


def _count_unpushed(place: Place) -> int:
    """Count the commits of the wiki's branch that no remote has."""
    tip = Repo(place).tip()
    if tip is None:
        return 0
    return int(run_git(place, "rev-list", "--count", tip, "--not", "--remotes"))
