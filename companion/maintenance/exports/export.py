"""`export`: write everything to plain files."""

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion import __version__
from companion.errors import CompanionError
from companion.maintenance.exports.export_format import (
    FILE_MODES,
    FORMAT,
    GITLINK,
    LISTING,
    MANIFEST,
    Item,
)
from companion.maintenance.exports.export_originals import (
    list_originals,
    list_sizes,
    make_tree,
)
from companion.runs.run import Run, open_run
from companion.storage import ledger_file
from companion.storage.cold import cold_memory
from companion.storage.cold.stream import read_content
from companion.storage.files import durable
from companion.storage.git import capture_buffer, setup, trees
from companion.storage.git.capture_buffer import BUFFER
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.values.events import JsonDocument
from companion.values.progress import SILENT, Progress, count
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        ExportResult,
    )


_COUNTED = ("files", "pages", "runs", "captures", "tellings", "originals")


class CannotExport(CompanionError):
    """An export needs a new or empty folder outside the wiki."""

    exit_code = 2
    hint = (
        "Name a folder that does not exist yet; nothing is ever written over."
    )


def export(
    ws: Workspace,
    directory: str,
    *,
    with_private: bool = False,
    progress: Progress = SILENT,
) -> "ExportResult":
    """Write everything to plain files in *directory*. Raises CannotExport, Busy or StorageError."""
    root = os.path.abspath(os.path.expanduser(directory))
    require_outside(ws.place, root)
    with open_run(ws, "export", quiet=False) as run:
        capture_buffer.anchor(run.journal, run.repo)
        require_empty(root)
        sections = _section_trees(run, with_private=with_private)
        items: list[Item] = []
        for section, tree in sections.items():
            items += [Item(section, *entry) for entry in run.repo.walk(tree)]
        kept = list_originals(run.repo, with_private=with_private)
        if kept:
            items += kept
            sections["originals"] = make_tree(kept)
        _write_files(run.repo, root, items, progress)
        manifest = _manifest(run, sections, items)
        content = json.dumps(manifest, indent=2).encode() + b"\n"
        durable.write_new(os.path.join(root, MANIFEST), content)
    return {
        "directory": root,
        "tree": manifest["tree"],
        "buffer": manifest["buffer"],
        "private": manifest["private"],
        "counts": manifest["counts"],
    }


def require_outside(place: Place, root: str) -> None:
    """Raise CannotExport where *root* lies in the wiki."""
    real = os.path.realpath(root)
    top = os.path.realpath(place.worktree)
    if os.path.commonpath([real, top]) == top:
        raise CannotExport(
            f"{root} lies inside the wiki, so its copies would become pages"
        )


def require_empty(root: str) -> None:
    """Raise CannotExport unless *root* is an empty folder, or nothing at all."""
    if os.path.lexists(root) and not os.path.isdir(root):
        raise CannotExport(f"{root} is not a folder")
    if os.path.isdir(root) and os.listdir(root):
        raise CannotExport(f"{root} is not empty")


def _section_trees(run: Run, *, with_private: bool) -> dict[str, str]:
    """Return the tree of each section of the export that has one."""
    refs = capture_buffer.read_trees(run.repo)
    sections = {
        "wiki": run.tree,
        "captures": refs.get(BUFFER),
        "cold": cold_memory.find_tree(run.repo),
    }
    if with_private:
        sections["private-cold"] = cold_memory.find_private_tree(run.repo)
        for ref, tree in refs.items():
            if ref != BUFFER:
                sections[ref.removeprefix("refs/companion/")] = tree
    return {
        section: tree for section, tree in sections.items() if tree is not None
    }


def _write_files(
    repo: Repo, root: str, items: Iterable[Item], progress: Progress
) -> None:
    items = list(items)
    lines = []
    sizes = list_sizes(repo, items)
    durable.make_dirs(root)
    for item in count(progress, "exporting files", items):
        trees.check_path(item.path)
        fields = {
            "path": item.file,
            "mode": f"{item.mode:06o}",
            "blob": item.blob,
        }
        lines.append(json.dumps(fields).encode() + b"\n")
        if item.mode != GITLINK:  # a submodule's files are its own repository's
            _write(repo, root, item, sizes)
    progress.begin("waiting for the disk")
    setup.sync_all(root)
    durable.write_new(os.path.join(root, LISTING), b"".join(lines))


def _write(repo: Repo, root: str, item: Item, sizes: dict[str, int]) -> None:
    path = os.path.join(root, item.file)
    with durable.guarded(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        if item.blob in sizes:
            chunks = read_content(repo, item.blob, sizes[item.blob])
            durable.write_new_stream(path, chunks, sync=False)
        else:
            durable.write_new(path, repo.blob(item.blob), sync=False)
    except FileExistsError as error:
        raise durable.StorageError(
            f"{path}: two files have one name here",
            hint="Export to a file system that tells `A` from `a`.",
        ) from error


def _manifest(
    run: Run, sections: dict[str, str], items: Iterable[Item]
) -> JsonDocument:
    private = {}
    for section, tree in sections.items():
        if section.startswith("private/"):
            private[section.removeprefix("private/")] = tree
    return {
        "format": FORMAT,
        "companion": __version__,
        "exported_at": run.ws.now(),
        "tree": sections.get("wiki"),
        "buffer": sections.get("captures"),
        "cold": sections.get("cold"),
        "originals": sections.get("originals"),
        "private_cold": sections.get("private-cold"),
        "private": private,
        "counts": _counts(run.repo, items),
    }


def _counts(repo: Repo, items: Iterable[Item]) -> dict[str, int]:
    counts = dict.fromkeys(_COUNTED, 0)
    captures = set()
    for item in items:
        counts["files"] += 1
        if item.section == "wiki":
            is_file = item.mode in FILE_MODES
            counts["pages"] += is_file and fold.is_page(item.path)
            counts["runs"] += ledger_file.find_run_at(item.path) is not None
        elif item.section == "originals":
            counts["originals"] += "." not in item.path
        elif _is_telling(item):
            captures.add(item.path.split("/")[-1][:64])
            sidecar = json.loads(repo.blob(item.blob))
            counts["tellings"] += len(sidecar["sightings"])
    counts["captures"] = len(captures)
    return counts


def _is_telling(item: Item) -> bool:
    is_note = item.section == "captures" or item.section.startswith("private/")
    return is_note and item.path.endswith(".json")
