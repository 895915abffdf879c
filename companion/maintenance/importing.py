"""`import`: make a new wiki of an export, with the same trees."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from companion import __version__
from companion.errors import MALFORMED, BadInput, CompanionError
from companion.maintenance import init
from companion.maintenance.exports.export_format import (
    FILE_MODES,
    FORMAT,
    GITLINK,
    LISTING,
    MANIFEST,
    Item,
    Manifest,
)
from companion.runs.publication import format_identity
from companion.runs.run import open_run
from companion.storage.boundary.sift import sift
from companion.storage.cold import cold_memory, originals
from companion.storage.files import durable, lock
from companion.storage.git import (
    capture_buffer,
    layout,
    objects,
    setup,
    signing,
    trees,
)
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.git.trees import LINK
from companion.storage.journal.journal import Journal
from companion.values.events import JsonDocument
from companion.values.progress import SILENT, Progress, count
from companion.values.time import LATEST
from companion.workspace import Workspace, arm_faults, fixed_now

if TYPE_CHECKING:
    from companion.maintenance.results import (
        ImportResult,
    )


_MODES = (*FILE_MODES, LINK, GITLINK)
_SECTION = re.compile(
    "wiki|captures|cold|private-cold|originals|private/[a-z0-9_][a-z0-9_-]{0,60}"
)
_CHUNK = 1 << 20  # bytes of a file that are read at a time
_MOST = 5  # damaged files that a message names


class CannotImport(CompanionError):
    """An import needs a new or empty folder."""

    exit_code = 2
    hint = "Name one with -C: `companion -C NEW-FOLDER import DIR`. Nothing is ever written over."


class BadExport(BadInput):
    """This folder is not a whole export."""

    hint = "Nothing was imported. Take another copy of the export."


def import_wiki(
    directory: str, target: str, *, progress: Progress = SILENT
) -> "ImportResult":
    """Make *target*, a new or empty folder, the wiki that was exported to *directory*.

    Raises BadExport or CannotImport before anything is changed.
    """
    source = os.path.abspath(os.path.expanduser(directory))
    root = os.path.abspath(os.path.expanduser(target))
    manifest, items = _read(source)
    _require_whole(source, manifest, items, progress)
    init.require_no_git_folder(root)
    init.require_place_for_notes(root)
    _require_new(root, manifest, source, items)
    if layout.find_git_dir(root) is None:
        setup.create(root)
    found = layout.make_place(root)
    assert found is not None
    arm_faults()
    ws = Workspace(init.settle_state(found), fixed_now())
    commit = _publish(ws, source, manifest, items, progress)
    with open_run(ws, "import", progress=progress, quiet=False) as run:
        branch = run.repo.branch.removeprefix("refs/heads/")
    return {
        "wiki": root,
        "branch": branch,
        "commit": commit,
        "tree": manifest["tree"],
        "buffer": manifest["buffer"],
        "private": manifest["private"],
        "counts": manifest["counts"],
    }


def _read(source: str) -> tuple[Manifest, list[Item]]:
    try:
        manifest = _read_manifest(source)
        with open(os.path.join(source, LISTING), "rb") as file:
            items = [_item(json.loads(line)) for line in file]
    except (FileNotFoundError, NotADirectoryError) as error:
        name = os.path.basename(str(error.filename))
        problem = f"there is no whole export in {source}: {name} is missing"
        raise BadExport(problem) from error
    except MALFORMED as error:
        problem = f"{source}: its {MANIFEST} or {LISTING} cannot be read"
        raise BadExport(problem) from error
    return manifest, items


def _read_manifest(source: str) -> Manifest:
    with open(os.path.join(source, MANIFEST), "rb") as file:
        content = json.loads(file.read())
    if content["format"] > FORMAT:
        raise BadExport(
            "a newer companion wrote this export",
            hint="Upgrade companion-wiki.",
        )
    manifest = _parse_manifest(content)
    _wanted(manifest)  # a section that is no text is malformed
    return manifest


def _parse_manifest(content: JsonDocument) -> Manifest:
    return {
        "tree": content["tree"],
        "buffer": content["buffer"],
        "cold": content.get("cold"),
        "originals": content.get("originals"),
        "private_cold": content.get("private_cold"),
        "private": content["private"],
        "counts": content["counts"],
        "exported_at": content["exported_at"],
    }


def _item(line: dict[str, str]) -> Item:
    file = line["path"]
    mode = int(line["mode"], 8)
    section, _, path = file.partition("/")
    if section == "private":
        agent, _, path = path.partition("/")
        section = f"private/{agent}"
    if mode not in _MODES or not _SECTION.fullmatch(section):
        raise ValueError(f"no such file in an export: {file}")
    trees.check_path(file)
    if section not in ("wiki", "originals"):
        path = path.removesuffix(".txt")
    return Item(section, path, mode, line["blob"])


def _require_whole(
    source: str, manifest: Manifest, items: list[Item], progress: Progress
) -> None:
    """Raise BadExport unless the files are unchanged, and make the trees of the manifest."""
    damaged = []
    for item in count(progress, "checking the export", items):
        if item.mode != GITLINK and _blob_of(source, item) != item.blob:
            damaged.append(item.file)
    if damaged:
        names = ", ".join(damaged[:_MOST])
        if len(damaged) > _MOST:
            names += f" and {len(damaged) - _MOST} more"
        raise BadExport(f"changed or missing since the export: {names}")
    if _grow(items, objects.hash_object) != _wanted(manifest):
        raise BadExport(f"the files are not those that {MANIFEST} names")


def _blob_of(source: str, item: Item) -> str | None:
    try:
        return _hash_file(os.path.join(source, item.file))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _hash_file(path: str) -> str:
    with open(path, "rb") as file:
        digest = objects.start_object("blob", os.fstat(file.fileno()).st_size)
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return str(digest.hexdigest())


def _content(source: str, item: Item) -> bytes:
    with open(os.path.join(source, item.file), "rb") as file:
        return file.read()


def _wanted(manifest: Manifest) -> dict[str, str]:
    """Return the trees that the manifest names, by section."""
    sections = {
        "wiki": manifest["tree"],
        "captures": manifest["buffer"],
        "cold": manifest["cold"],
        "originals": manifest["originals"],
        "private-cold": manifest["private_cold"],
    }
    for agent, private in manifest["private"].items():
        sections[f"private/{agent}"] = private
    return _without_empty(sections)


def _without_empty(sections: Mapping[str, str | None]) -> dict[str, str]:
    return {
        section: tree for section, tree in sections.items() if tree is not None
    }


def _grow(
    items: Iterable[Item], add: Callable[[str, bytes], str]
) -> dict[str, str]:
    """Return the trees that the items make, by section; new objects go through *add*."""
    sections: dict[str, dict[str, tuple[int, str] | None]] = {}
    for item in items:
        files = sections.setdefault(item.section, {})
        files[item.path] = (item.mode, item.blob)
    grown = {}
    for section, files in sections.items():
        grown[section] = trees.edit_tree(_no_tree, None, files, add)
    return _without_empty(grown)


def _no_tree(id: str) -> list[trees.Entry]:
    raise AssertionError(f"a tree built from nothing asks for {id}")


def _require_new(
    root: str, manifest: Manifest, source: str, items: Iterable[Item]
) -> None:
    """Raise CannotImport where *root* holds anything of its own, which could be lost.

    Files that begin as those of the export do were left by an import that was killed.
    """
    if not os.path.lexists(root):
        return
    if not os.path.isdir(root):
        raise CannotImport(f"{root} is not a folder")
    if layout.find_git_dir(root) is None:
        if set(os.listdir(root)) - {setup.NEW}:
            raise CannotImport(f"{root} is not empty")
        return
    found = layout.make_place(root)
    assert found is not None
    repo = Repo(found)
    repo.require_suitable()
    _require_no_history(root, repo)
    if not _is_begun(root, source, items):
        raise CannotImport(f"{root} is not empty")
    held = capture_buffer.read_trees(repo)
    has_others = _has_captures(found)
    if held:
        # The same buffers are what a killed import of the same export left.
        has_others = held != _buffers(manifest)
    if has_others:
        raise CannotImport(f"{root} has captures of its own")


def _require_no_history(root: str, repo: Repo) -> None:
    if repo.tip() is None:
        return
    what = "repository with a history"
    if os.path.isdir(os.path.join(root, ".companion")):
        what = "wiki that has runs already"
    raise CannotImport(f"{root} is a {what}")


def _is_begun(root: str, source: str, items: Iterable[Item]) -> bool:
    """Return whether *root* holds nothing but parts of what is to be imported there."""
    wanted = {item.path: item for item in items if item.section == "wiki"}
    for path in _list_files(root):
        item = wanted.get(os.path.relpath(path, root))
        if item is None or not _is_part(path, source, item):
            return False
    return True


def _list_files(root: str) -> Iterator[str]:
    """Yield the files and links below *root*, without those of git."""
    for folder, folders, names in os.walk(root):
        if folder == root and ".git" in folders:
            folders.remove(".git")
        for name in names:
            yield os.path.join(folder, name)
        for name in folders:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                yield path


def _is_part(path: str, source: str, item: Item) -> bool:
    if (item.mode == LINK) != os.path.islink(path):
        return False
    if item.mode == LINK:
        return os.fsencode(os.readlink(path)) == _content(source, item)
    with open(path, "rb") as file:
        data = file.read()
    whole = _content(source, item)
    # Zeros stand where a power cut has kept a file's length and lost its bytes.
    return len(data) <= len(whole) and whole.startswith(data.rstrip(b"\0"))


def _buffers(manifest: Manifest) -> dict[str, str]:
    trees: dict[str, str] = {}
    for section, tree in _wanted(manifest).items():
        if section == "captures" or section.startswith("private/"):
            trees[_ref(section)] = tree
    return trees


def _ref(section: str) -> str:
    if section == "captures":
        return BUFFER
    return PRIVATE + section.removeprefix("private/")


def _has_captures(found: Place) -> bool:
    if not os.path.exists(found.journal_db):
        return False
    return Journal.open(found.journal_db).counts()[0] > 0


def _publish(
    ws: Workspace,
    source: str,
    manifest: Manifest,
    items: list[Item],
    progress: Progress,
) -> str:
    """Give git the objects, then the buffer, the files, and the branch last; return its commit."""
    repo = Repo(ws.place)
    durable.make_dirs(ws.place.state, mode=0o700)
    with lock.lock_file(os.path.join(ws.place.state, "sleep.lock"), "import"):
        commit = _add_objects(ws, repo, source, manifest, items, progress)
        progress.begin("writing the pages")
        _unite_buffers(repo, manifest)
        init.remember(ws, repo)
        _check_out(ws, repo, commit)
        objects.release_packs(ws.place.common_dir)
    return commit


def _add_objects(
    ws: Workspace,
    repo: Repo,
    source: str,
    manifest: Manifest,
    items: list[Item],
    progress: Progress,
) -> str:
    """Give git the export's files, their trees and one commit; return it."""
    with Pack(ws.place.common_dir) as pack:
        for item in count(progress, "importing files", items):
            if item.mode != GITLINK:
                pack.add_file(os.path.join(source, item.file))
        if _grow(items, pack.add) != _wanted(manifest):
            raise BadExport("the export changed while it was being read")
        commit = signing.sign_commit(repo, _commit(ws, repo, manifest))
        return pack.add("commit", commit)


def _unite_buffers(repo: Repo, manifest: Manifest) -> None:
    """Point the buffer and cold memory at the trees of the export. Raises NotABuffer or NotCold."""
    buffers = _buffers(manifest)
    for ref, tree in buffers.items():
        _check_buffer(repo, ref, tree)
    capture_buffer.unite(repo, buffers)
    if manifest["cold"] is not None:
        cold_memory.check(repo, manifest["cold"])
        cold_memory.unite(repo, manifest["cold"])
    if manifest["private_cold"] is not None:
        cold_memory.unite_private(repo, manifest["private_cold"])
    if manifest["originals"] is not None:
        originals.check(repo, manifest["originals"])
        originals.unite(repo, manifest["originals"])


def _check_buffer(repo: Repo, ref: str, tree: str) -> None:
    """Raise NotABuffer unless the journal can read all of *tree* back."""
    owner = None
    if ref != capture_buffer.BUFFER:
        owner = ref.removeprefix(capture_buffer.PRIVATE)
    # a person's own past may hold what a wrong clock dated
    doubts = sift(repo, tree, latest=LATEST, owner=owner).doubts
    if doubts:
        raise capture_buffer.NotABuffer(f"{doubts[0].path}: {doubts[0].reason}")


def _check_out(ws: Workspace, repo: Repo, commit: str) -> None:
    """Write the files of *commit*, and point the branch at it last."""
    # An empty folder is the one place where git's own checkout can eat nothing; it runs no filter
    # here.
    checkout = ("read-tree", "--reset", "-u", commit)
    run_git(ws.place, *checkout, settings=repo.filters_off())
    setup.sync_all(ws.place.root)
    message = ("-m", "companion: import")
    run_git(ws.place, "update-ref", *message, repo.branch, commit, "0" * 40)
    branch_folder = os.path.dirname(repo.branch)
    durable.sync_dir(os.path.join(ws.place.common_dir, branch_folder))


def _commit(ws: Workspace, repo: Repo, manifest: Manifest) -> bytes:
    """Return the one commit of an imported wiki.

    It is not a run: with a ledger file of its own, the tree would be another.
    """
    seconds = max(0, int(datetime.fromisoformat(ws.now()).timestamp()))
    person = f"{format_identity(*repo.author())} {seconds} +0000"
    pages = manifest["counts"]["pages"]
    subject = f"import: {pages} pages, exported {manifest['exported_at'][:10]}"
    trailers = (
        f"Companion-Operation: import\nCompanion-Version: {__version__}\n"
    )
    head = f"tree {manifest['tree']}\nauthor {person}\ncommitter {person}\n\n"
    return f"{head}{subject}\n\n{trailers}".encode("utf-8", "replace")
