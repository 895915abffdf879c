"""Take in what a remote has: all that can be believed; the rest is set aside by name, and stops
nothing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.errors import CompanionError
from companion.privacy import erased_words
from companion.storage.boundary import set_aside
from companion.storage.boundary.set_aside import Doubted
from companion.storage.boundary.sift import (
    Doubt,
    Sifted,
    set_orphans_aside,
    sift,
)
from companion.storage.boundary.tellings import LARGEST
from companion.storage.cold import cold_memory
from companion.storage.cold.stream import stream_text
from companion.storage.erasure.remembered import read_erased_words
from companion.storage.git import append_only_tree, capture_buffer, setup
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.objects import Pack
from companion.storage.git.remotes_known import Remote
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import TRUSTED, Journal
from companion.storage.journal.queries import Pending
from companion.values.captures import Sighting
from companion.values.progress import SILENT, Progress
from companion.values.time import LATEST, format_instant
from companion.workspace import Workspace

# how far ahead of ours another machine's clock may be
AHEAD = timedelta(days=1)


class ErasedThere(CompanionError):
    """A remote's notes hold words that were erased here."""

    exit_code = 65
    hint = (
        "Nothing was taken in. Erase them on the machine they come from, or replace its notes by"
        " these: `git push --force REMOTE refs/companion/buffer`. If `git fetch` brought them,"
        " `companion erase` removes them here."
    )


class Taken(NamedTuple):
    """The outcome of taking in one remote."""

    captures: int  # that are new here
    tellings: int
    both: Mapping[str, str]  # the trees that the remote is to have, by ref
    doubted: Doubted


def take_in(
    ws: Workspace,
    journal: Journal,
    repo: Repo,
    remote: Remote,
    theirs: Mapping[str, str],
    progress: Progress = SILENT,
) -> Taken:
    """Take in the trees *theirs* of a remote, by ref. The caller holds sleep.lock.

    Raises ErasedThere with nothing taken in.
    """
    if list_new(journal, remote, theirs):
        setup.sync_objects(repo.place)  # before a ref of ours needs them
    buffers = {
        ref: tree for ref, tree in theirs.items() if ref != cold_memory.REF
    }
    sifted = _sift(ws, journal, repo, remote, buffers, progress)
    doubts = {ref: found.doubts for ref, found in sifted.items()}
    cold = theirs.get(cold_memory.REF)
    cold_doubt = _doubt_cold(repo, cold)
    if cold_doubt is not None:
        doubts[cold_memory.REF] = [cold_doubt]
        cold = None
    _refuse_erased(ws, repo, remote, sifted.values(), cold)
    captures: list[Pending] = []
    later: list[Sighting] = []
    for ref, found in sifted.items():
        capture_buffer.take(repo, ref, found.files)
        captures += found.captures
        later += found.later
    if cold is not None:
        cold_memory.unite(repo, cold)
    # After the refs: what the journal believes to be in git must be there.
    marks = {_mark(remote, ref): tree for ref, tree in theirs.items()}
    new = journal.take_in(captures, later, marks, came_key(remote.name))
    doubted = set_aside.record(repo, remote.name, doubts)
    both = _list_shared_trees(repo, remote, theirs, doubts)
    return Taken(*new, both, doubted)


def refuse_erased(
    ws: Workspace, repo: Repo, remote: Remote, theirs: Mapping[str, str]
) -> None:
    """Raise ErasedThere where the trees *theirs* hold words that were erased here.

    Large originals of cold memory are not looked into: `take_in` does that.
    """
    journal = ws.journal()
    cold = theirs.get(cold_memory.REF)
    buffers = {
        ref: tree for ref, tree in theirs.items() if ref != cold_memory.REF
    }
    sifted = _sift(ws, journal, repo, remote, buffers)
    journal.close()
    if _doubt_cold(repo, cold) is not None:
        cold = None
    _refuse_erased(ws, repo, remote, sifted.values(), cold, most=LARGEST)


def list_new(
    journal: Journal, remote: Remote, trees: Mapping[str, str]
) -> list[str]:
    """Return the trees that the journal has not taken in yet."""
    new_trees: list[str] = []
    for ref, tree in trees.items():
        if journal.get(_mark(remote, ref)) != tree:
            new_trees.append(tree)
    return new_trees


def find_latest(ws: Workspace, journal: Journal) -> str:
    """Return the latest instant at which another machine may have told something by now."""
    known = max(ws.present(journal), journal.get(TRUSTED) or "")
    try:
        return format_instant(datetime.fromisoformat(known) + AHEAD)
    # the last day of the calendar
    except OverflowError:
        return LATEST


def came_key(remote: str) -> str:
    """Return the key under which the journal remembers what the last sync with *remote* brought."""
    return f"came {remote}"


def _mark(remote: Remote, ref: str) -> str:
    return f"taken {remote.name} {ref}"


def _sift(
    ws: Workspace,
    journal: Journal,
    repo: Repo,
    remote: Remote,
    theirs: Mapping[str, str],
    progress: Progress = SILENT,
) -> dict[str, Sifted]:
    ours = capture_buffer.read_trees(repo)
    latest = find_latest(ws, journal)
    sifted = {}
    for ref, tree in theirs.items():
        owner = None
        if ref.startswith(PRIVATE):
            owner = ref.removeprefix(PRIVATE)
        known = journal.get(_mark(remote, ref))
        if known is not None and not repo.has(known):
            # no ref holds it any more, and git may have collected it
            known = None
        sifted[ref] = sift(
            repo,
            tree,
            ours=ours.get(ref),
            known=known,
            latest=latest,
            owner=owner,
            progress=progress,
        )
    new = {
        item.capture.id for found in sifted.values() for item in found.captures
    }

    def is_here(id: str) -> bool:
        return id in new or bool(journal.capture(id))

    return {
        ref: set_orphans_aside(found, is_here) for ref, found in sifted.items()
    }


def _doubt_cold(repo: Repo, tree: str | None) -> Doubt | None:
    """Return why a remote's cold memory cannot be believed; None where it can."""
    if tree is None:
        return None
    try:
        cold_memory.check(repo, tree)
    except cold_memory.NotCold as error:
        return Doubt("cold memory", tree, str(error))
    return None


def _list_shared_trees(
    repo: Repo,
    remote: Remote,
    theirs: Mapping[str, str],
    doubts: Mapping[str, Sequence[Doubt]],
) -> dict[str, str]:
    """Return the trees that the remote is to have: ours, and what it has that is set aside here."""
    trees = {}
    with Pack(repo.place.common_dir) as pack:
        for ref, ours in capture_buffer.read_trees(repo).items():
            if ref != BUFFER and not remote.private:
                continue
            paths = {doubt.path for doubt in doubts.get(ref, ())}
            there = theirs.get(ref, ours)
            trees[ref] = append_only_tree.lay_over(
                repo, pack, there, ours, paths
            )
    cold = cold_memory.find_tree(repo)
    if cold is not None and cold_memory.REF not in doubts:
        trees[cold_memory.REF] = cold
    return trees


# -- erased words ----------------------------------------------------------------------------------


def _refuse_erased(
    ws: Workspace,
    repo: Repo,
    remote: Remote,
    sifted: Iterable[Sifted],
    cold: str | None,
    most: int | None = None,
) -> None:
    """Raise ErasedThere rather than take in again what was erased here."""
    known = read_erased_words(ws.place)
    if known is None:
        return
    for found in sifted:
        _refuse(remote, _arrived_texts(repo, found), known)
    _refuse(remote, _cold_texts(repo, cold, most), known)


def _arrived_texts(repo: Repo, found: Sifted) -> Iterator[str]:
    """Yield the titles, texts and sources that came, and all that is set aside."""
    for telling in found.later:
        yield telling.source or ""
    for capture, tellings in found.captures:
        yield f"{capture.title or ''}\n{capture.content.decode()}"
        for telling in tellings:
            yield telling.source or ""
    for doubt in found.doubts:
        if repo.is_blob(doubt.object) and repo.size(doubt.object) <= LARGEST:
            yield repo.text(doubt.object)


def _cold_texts(
    repo: Repo, tree: str | None, most: int | None = None
) -> Iterator[str]:
    """Yield every text of another machine's cold memory that ours does not hold.

    Objects of more than *most* bytes give their headers only.
    """
    if tree is None:
        return
    for path, _, blob in repo.changes(cold_memory.find_tree(repo), tree):
        if blob is not None and path.endswith(".json"):
            # the header has the size: the bytes of a film are not held to be read
            item = cold_memory.read_header(repo, blob)
            yield f"{path}\n{repo.text(blob)}"
            size = item.size or 0
            if most is None or size <= most:
                yield from stream_text(repo, item.blob, size)


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
