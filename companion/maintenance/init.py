"""Make a wiki, and build its index anew."""

import hashlib
import itertools
import os
import re
from typing import TYPE_CHECKING

from companion import config
from companion.adoption import work_tree
from companion.adoption.run import record_edits
from companion.errors import CompanionError
from companion.gravity.measure import weigh_entries
from companion.maintenance.remotes import merge_driver
from companion.runs.run import Run, make_config_file, open_run
from companion.storage.files import (
    durable,
    shared_drives,
    system_folders,
)
from companion.storage.git import layout, setup, signing
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place, UnsuitableRepo
from companion.storage.git.repo import Repo, TryLater
from companion.storage.git.setup import CannotInit
from companion.storage.index import private_index, schema
from companion.storage.index.folding import fold
from companion.storage.index.tables.pages.names import count_pages
from companion.values.decisions import Write
from companion.values.progress import Progress
from companion.workspace import Workspace, arm_faults, fixed_now, state_home

if TYPE_CHECKING:
    from companion.maintenance.results import (
        InitResult,
        RebuildResult,
        RecordedPages,
    )


class UnsuitablePlace(CompanionError):
    """This folder is no place for notes."""

    exit_code = 11
    hint = "Name a folder for your notes: `companion init ~/notes`."


def init(
    directory: str, *, dry_run: bool = False, progress: Progress | None = None
) -> "InitResult":
    """Make *directory* a wiki: a new one, or the vault or repository that is there, in place, byte
    for byte.

    Only ``.companion/`` is added. A folder without git becomes a repository (branch main) and its
    Markdown its first commit; in a repository with a history, what is not committed stays so until
    `adopt`.
    """
    root = os.path.abspath(os.path.expanduser(directory))
    require_no_git_folder(root)
    require_place_for_notes(root)
    found = layout.make_place(root)
    _require_only_wiki(found)
    if dry_run:
        return _preview(root, found)
    created = found is None
    if found is None:
        setup.create(root)
        found = layout.make_place(root)
        assert found is not None
    arm_faults()
    repo = Repo(found)
    repo.require_suitable()
    signing.require_key(repo)
    repo = Repo(settle_state(found))
    ws = Workspace(repo.place, fixed_now())
    if repo.subtree(repo.wiki_tree(repo.tip()), config.PATH) is not None:
        return _already(ws, repo, progress)
    return _make(ws, repo, created=created, progress=progress)


def _require_only_wiki(found: Place | None) -> None:
    """Raise UnsuitableRepo where the repository holds a wiki in another folder already."""
    other = None if found is None else layout.find_other_wiki(found)
    if found is not None and other is not None:
        raise UnsuitableRepo(
            f"{found.root} lies in the repository of the wiki {other}",
            hint="Write there, or make this one in a folder outside of it: a repository holds one"
            " wiki.",
        )


def rebuild(
    ws: Workspace, *, progress: Progress | None = None
) -> "RebuildResult":
    """Build index.db anew from the tree. It holds nothing of its own, so nothing can be lost."""
    with open_run(ws, "rebuild", progress=progress, quiet=False) as run:
        fold.refresh(
            run.db,
            run.repo,
            progress=run.progress,
            rebuild=True,
        )
        run.refold()
        run.progress.begin("weighing pages")
        # derived too; its owner's next read reads the tellings again
        schema.remove_database(private_index.find_path(ws.place))
        weigh_entries(run)  # what a fold alone leaves out
        entries, edges, runs = schema.count_rows(
            run.db, ("entries", "edges", "runs")
        )
        return {"entries": entries, "edges": edges, "runs": runs}


def _make(
    ws: Workspace, repo: Repo, *, created: bool, progress: Progress | None
) -> "InitResult":
    fresh = created or repo.tip() is None
    remember(ws, repo)
    with open_run(ws, "init", progress=progress) as run:
        edits, left_out = work_tree.find_unstaged_edits(run)
        waiting = 0
        if not fresh:
            waiting = len(edits)
            edits, left_out = [], {}
        settings = _settings(ws, fresh=fresh)
        recorded = record_edits(run, edits, left_out, "init", extra=[settings])
        return _describe(run, recorded, created=created, waiting=waiting)


def _settings(ws: Workspace, *, fresh: bool) -> Write:
    """Return companion.yaml as it is to be committed: one that lies there already is the
    person's.
    """
    try:
        with open(os.path.join(ws.place.root, config.PATH), "rb") as file:
            data = file.read(config.MAX_BYTES + 1)
    except FileNotFoundError:
        adopt = "ask"
        if fresh:
            adopt = "commit"
        return make_config_file(adopt)
    config.parse(data)
    return Write(config.PATH, data)


def _describe(
    run: Run, recorded: "RecordedPages", *, created: bool, waiting: int
) -> "InitResult":
    pages = count_pages(run.db)
    notes = []
    if waiting:
        notes.append(
            f"{waiting} changed pages are not committed; `companion adopt` takes them in"
        )
    return {
        "wiki": run.ws.place.root,
        "branch": run.repo.branch.removeprefix("refs/heads/"),
        "created": created,
        "pages": pages,
        "commit": recorded["commit"],
        "run": recorded["run"],
        "left_out": recorded["left_out"],
        "notes": notes,
    }


def _already(
    ws: Workspace, repo: Repo, progress: Progress | None
) -> "InitResult":
    """A clone of a wiki needs only its own state; nothing is committed."""
    remember(ws, repo)
    merge_driver.install(ws.place)
    with open_run(ws, "init", progress=progress, quiet=False) as run:
        nothing: RecordedPages = {"commit": None, "run": None, "left_out": []}
        return {
            **_describe(run, nothing, created=False, waiting=0),
            "notes": ["this is a wiki already"],
        }


def remember(ws: Workspace, repo: Repo) -> None:
    """Record which branch is the wiki's, and, for a vault inside a repository, where it lies.

    Raises GitBusy, GitFailed, Raced, StorageError or TryLater.
    """
    repo.require_no_operation()
    if repo.config("companion.branch") is None:
        head = layout.read_head_branch(ws.place)
        if head is None:
            raise TryLater("HEAD is detached: no branch is checked out")
        setup.configure(
            ws.place, [("companion.branch", head.removeprefix("refs/heads/"))]
        )
    if ws.place.prefix:
        durable.make_dirs(ws.place.beside, mode=0o700)
        durable.replace(
            os.path.join(ws.place.beside, "prefix"), ws.place.prefix.encode()
        )


def settle_state(found: Place) -> Place:
    """Decide where the state of a wiki lies, and record it; a state that is in use stays where it
    is.

    In git's own folder, unless another machine writes there too: SQLite and flock are unsafe on a
    network drive and in a folder that some program synchronises. Raises CannotInit, GitBusy,
    GitFailed, Raced, StorageError or UnsuitableRepo.
    """
    if os.path.exists(found.journal_db) and not layout.is_copy(found):
        return found
    wanted = found.beside
    is_shared = shared_drives.describe_sharing(found.common_dir) is not None
    if is_shared and shared_drives.describe_sharing(state_home()) is None:
        wanted = _elsewhere(found)
    durable.make_dirs(found.beside, mode=0o700)
    if wanted != found.beside:
        durable.make_dirs(wanted, mode=0o700)
        setup.configure(found, [("companion.state", wanted)])
    elif found.moved:
        run_git(found, "config", "--local", "--unset-all", "companion.state")
    if layout.find_state_dir(found.common_dir) != wanted:
        run_git(found, "config", "--local", "--unset-all", "companion.state")
        raise CannotInit(
            f"{wanted} cannot be recorded: git would have to quote it",
            hint="Set XDG_STATE_HOME.",
        )
    return found._replace(state=wanted)


def _elsewhere(found: Place) -> str:
    """Return a folder of this machine's for the state, named after the repository and free or ours
    already.
    """
    home = os.path.realpath(found.common_dir)
    mark = hashlib.sha256(os.fsencode(home)).hexdigest()[:12]
    name = f"{os.path.basename(found.worktree)}-{mark}"
    clean_name = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)
    first = os.path.join(state_home(), "companion", clean_name)
    path = first
    for number in itertools.count(2):
        owner, _ = layout.read_owner(found._replace(state=path))
        if owner in ("", home):
            break
        path = f"{first}-{number}"
    return path


def require_no_git_folder(root: str) -> None:
    """Raise UnsuitableRepo inside a bare repository, or inside the folder where git keeps its
    own.
    """
    folder = root
    while folder != os.path.dirname(folder):
        parts = [
            os.path.join(folder, name) for name in ("HEAD", "objects", "refs")
        ]
        if all(map(os.path.exists, parts)):
            raise UnsuitableRepo(
                f"{folder} is git's own and has no pages",
                hint="Clone it and use the clone.",
            )
        folder = os.path.dirname(folder)


def require_place_for_notes(root: str) -> None:
    """Raise UnsuitablePlace in a home, or in a folder of the system: everything below would be of
    the wiki.

    A wiki that is there already stays one.
    """
    if os.path.exists(os.path.join(root, config.PATH)):
        return
    what = system_folders.describe_folder(root, os.path.expanduser("~"))
    if what is not None:
        raise UnsuitablePlace(
            f"{root} is {what}: a wiki takes in all Markdown below its folder"
        )


def _preview(root: str, found: Place | None) -> "InitResult":
    head = None
    if found is not None:
        head = layout.read_head_branch(found)
    branch = (head or "refs/heads/main").removeprefix("refs/heads/")
    notes = ["nothing was changed: this is a preview"]
    return {
        "wiki": root,
        "branch": branch,
        "created": found is None,
        "pages": _count_pages(root),
        "commit": None,
        "run": None,
        "left_out": [],
        "notes": notes,
    }


def _count_pages(root: str) -> int:
    pages = 0
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            pages += fold.is_page(path.replace(os.sep, "/"))
    return pages
