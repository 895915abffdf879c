"""Find everything that an erasure would change: refs, files, git's index, the journal's rows."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.maintenance.erase import other_places
from companion.maintenance.erase.sources import plan_sources
from companion.pages import ids
from companion.pages.statements import statement_id
from companion.privacy import words_to_erase
from companion.privacy.words_to_erase import Words
from companion.storage import ledger_file
from companion.storage.erasure import scrub
from companion.storage.erasure.erased_sources import (
    NO_SOURCES,
    REFS,
    ErasedSources,
    regroup,
)
from companion.storage.erasure.rewrite_history import Rewriter, Sink
from companion.storage.erasure.steps import FileMove, RefMove
from companion.storage.git import objects
from companion.storage.git.command import run_git
from companion.storage.git.git_locks import IndexEntry
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.values.progress import SILENT, Progress

if TYPE_CHECKING:
    from companion.maintenance.results import WordsAt

_TRACKING = (
    "refs/remotes/",
    "refs/companion/remotes/",
    "refs/companion/doubted/",
)


@dataclass
class Survey:
    """Everything that an erasure would change, before anything is changed."""

    rewriter: Rewriter
    clean: Callable[[bytes], bytes]
    refs: list[RefMove] = field(default_factory=list)
    files: list[FileMove] = field(default_factory=list)
    index: list[IndexEntry] = field(default_factory=list)
    rows: list[scrub.Row] = field(default_factory=list)
    places: "list[WordsAt]" = field(default_factory=list)
    # objects that no longer exist after the erasure
    unwanted: set[str] = field(default_factory=set)
    sources: ErasedSources = NO_SOURCES
    # originals that no reader could look into
    unread: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Tell whether no ref, file, index entry or row changes."""
        return not (self.refs or self.files or self.index or self.rows)

    def rewrite_name(self, name: str) -> str:
        """Return the name of a ref or a file after the erasure."""
        new = self.rewriter.rewrite_names(_encode(name))
        return new.decode("utf-8", "surrogateescape")

    def count(self, where: str, kinds: Counter[str]) -> None:
        """Note how many items of each kind hold the words."""
        for kind, count in sorted(kinds.items()):
            self.places.append({"where": where, "what": kind, "count": count})


def survey_words(
    repo: Repo,
    journal: Journal,
    words: Sequence[Words],
    sink: Sink,
    progress: Progress = SILENT,
) -> Survey:
    """Return all that changes if *words* are erased; *sink* takes each new object.

    Raises GitFailed.
    """
    clean = words_to_erase.cleaner(words)
    require_readable = words_to_erase.require_readable
    plan, unread = plan_sources(repo, words, clean)
    rewriter = Rewriter(
        repo, clean, require_readable, _derive_ids, sink, plan, progress
    )
    survey = Survey(rewriter, clean, sources=plan, unread=unread)
    rewriter.survey(journal.blobs_and_bytes())
    changed = rewriter.find_changes()
    survey.unwanted = changed.keys() - set(changed.values())
    progress.begin("looking into files and the journal")
    _find_refs(repo.place, survey)
    _find_files(repo.place, survey)
    _find_index_entries(repo.place, survey)
    _find_rows(journal, survey)
    dirty = Counter(f"{rewriter.kinds[oid]}s" for oid in rewriter.dirty)
    survey.count("git objects", dirty)
    survey.places += other_places.places(repo.place, rewriter, clean)
    return survey


def _derive_ids(capture: str) -> tuple[str, str, str]:
    """Return the ids of the page, the statement and the shelf of *capture*."""
    return (
        ids.entry_id(capture),
        statement_id(capture),
        ids.shelf_id(capture),
    )


def _find_refs(place: Place, survey: Survey) -> None:
    fields = "--format=%(objectname) %(refname) %(symref)"
    for line in run_git(place, "for-each-ref", fields).splitlines():
        old, ref, symref = line.decode("utf-8", "surrogateescape").split(" ", 2)
        new = survey.rewriter.resolve(old)
        if ref in REFS and new != old:
            new = _regroup(survey, ref, old)
        name = survey.rewrite_name(ref)
        if symref or (new == old and name == ref):
            continue
        # Our note of a remote's ref is out of date now. Moving it would make the remote look
        # changed.
        to = None if ref.startswith(_TRACKING) else name
        survey.refs.append(RefMove(ref, old, to, new))
        survey.places.append({"where": "ref", "what": name, "count": 1})


def _regroup(survey: Survey, ref: str, old: str) -> str:
    """Return the tree of originals that *old* becomes, sorted by their new ids."""
    rewriter = survey.rewriter
    new = regroup(
        rewriter.repo, ref, rewriter.map, survey.sources.ids, rewriter.sink
    )
    rewriter.map[old] = new
    return new


def _find_files(place: Place, survey: Survey) -> None:
    for path in _list_files(place.worktree):
        with open(os.path.join(place.worktree, path), "rb") as file:
            data = file.read()
        new = survey.rewriter.rewrite_file(data)
        to = survey.rewrite_name(path)
        if new == data and to == path:
            continue
        blob = survey.rewriter.sink("blob", new)
        survey.files.append(FileMove(path, objects.hash_blob(data), to, blob))
        name = _encode(path)
        if survey.clean(data) != data or survey.clean(name) != name:
            where = _name_kind(path)
            survey.places.append({"where": where, "what": to, "count": 1})


def _name_kind(path: str) -> str:
    if ledger_file.FOLDER in path:
        return "ledger"
    if path.endswith(".md"):
        return "page"
    return "file"


def _list_files(root: str) -> Iterator[str]:
    """Yield every regular file, tracked or not, except those of a repository inside."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if not _is_repository(folder, name)
        )
        inside = os.path.relpath(folder, root)
        prefix = "" if inside == "." else f"{inside}/"
        for name in sorted(names):
            full = os.path.join(folder, name)
            regular = os.path.isfile(full) and not os.path.islink(full)
            if regular and name != ".git":
                yield prefix + name


def _is_repository(folder: str, name: str) -> bool:
    inner = os.path.join(folder, name, ".git")
    return name == ".git" or os.path.lexists(inner)


def _find_index_entries(place: Place, survey: Survey) -> None:
    output = run_git(place, "ls-files", "-s", "-z", "--full-name")
    listing = output.decode("utf-8", "surrogateescape")
    for line in filter(None, listing.split("\0")):
        about, path = line.split("\t", 1)
        mode, old, _ = about.split(" ")
        new = survey.rewriter.map.get(old, old)
        to = survey.rewrite_name(path)
        if to != path:
            survey.index.append(IndexEntry(path, old, None, 0))
        if new != old or to != path:
            survey.index.append(IndexEntry(to, old, new, int(mode, 8)))


def _find_rows(journal: Journal, survey: Survey) -> None:
    def keep(data: bytes) -> str:
        return survey.rewriter.sink("blob", data)

    rewrite = survey.rewriter.rewrite_names
    survey.rows += scrub.find_changed_rows(journal.connection, rewrite, keep)
    survey.count("journal", Counter(row.table for row in survey.rows))


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
