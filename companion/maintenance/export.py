"""`export` and `import`: everything to plain files, and back to the same trees.

```
DIR/manifest.json        what this is: versions, tree ids, counts; written last, so that half an export is none
DIR/files.jsonl          one line a file: its path here, git's mode and blob hash; says on the way back what is damaged
DIR/wiki/                the branch's tip, the ledger (wiki/.companion/ledger) included
DIR/captures/            every note as it was given, <day>/<xx>/<id>.txt, and who told it when beside it, .json
DIR/cold/                full texts of pages that faded, <day>/<id>.txt, and where each comes from beside it, .json
DIR/private/<agent>/     the same for what was told in private, on demand only
```

Nothing here is a symlink or executable: `files.jsonl` knows the mode. Git's history stays behind;
`git clone` has that.
"""

import json
import os
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, NamedTuple

from companion import __version__
from companion.errors import BadInput, CompanionError
from companion.maintenance import init as care
from companion.runs.publication import format_identity
from companion.runs.run import Run, open_run
from companion.storage import ledger_file
from companion.storage.files import durable, lock
from companion.storage.git import capture_buffer, cold_memory, objects, signing, trees
from companion.storage.git import layout as place
from companion.storage.git import setup as gitdir
from companion.storage.git.capture_buffer import BUFFER, PRIVATE
from companion.storage.git.layout import Place
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo, run_git
from companion.storage.git.trees import LINK
from companion.storage.index import fold
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace, arm_faults, fixed_now

Progress = Callable[[int], None]
FORMAT = 1
MANIFEST, LISTING = "manifest.json", "files.jsonl"
_GITLINK = 0o160000
_FILES = (0o100644, 0o100664, 0o100755)
_MODES = (*_FILES, LINK, _GITLINK)
_SECTION = re.compile("wiki|captures|cold|private/[a-z0-9_][a-z0-9_-]{0,60}")
_MOST = 5  # damaged files that a message names


class CannotExport(CompanionError):
    """An export needs a new or empty folder outside the wiki."""

    exit_code = 2
    hint = "Name a folder that does not exist yet; nothing is ever written over."


class CannotImport(CompanionError):
    """An import needs a new or empty folder."""

    exit_code = 2
    hint = "Name one with -C: `companion -C NEW-FOLDER import DIR`. Nothing is ever written over."


class BadExport(BadInput):
    """This folder is no whole export."""

    hint = "Nothing was imported. Take another copy of the export."


class Item(NamedTuple):
    """One exported file."""

    section: str  # "wiki", "captures" or "private/<agent>"
    path: str  # in that section's tree
    mode: int
    blob: str

    @property
    def file(self) -> str:
        """Where it lies below the export's folder: the bytes of a capture as text that any program
        opens.
        """
        bytes_ = self.section != "wiki" and not self.path.endswith(".json")
        return f"{self.section}/{self.path}" + (".txt" if bytes_ else "")


def export(
    ws: Workspace, directory: str, *, with_private: bool = False, progress: Progress | None = None
) -> dict[str, Any]:
    """Write everything to plain files in *directory*. Raises CannotExport, Busy or StorageError."""
    root = os.path.abspath(os.path.expanduser(directory))
    _require_outside(ws.place, root)
    with open_run(ws, "export", quiet=False) as tonight:
        capture_buffer.anchor(tonight.journal, tonight.repo)
        _require_empty(root)
        trees = _trees(tonight, with_private=with_private)
        items = [
            Item(section, *entry)
            for section, tree in trees.items()
            for entry in tonight.repo.walk(tree)
        ]
        _write_files(tonight.repo, root, items, progress)
        manifest = _manifest(tonight, trees, items)
        durable.write_new(os.path.join(root, MANIFEST), _json(manifest, indent=2))
    return {
        "directory": root,
        **{key: manifest[key] for key in ("tree", "buffer", "private", "counts")},
    }


def import_(directory: str, target: str, *, progress: Progress | None = None) -> dict[str, Any]:
    """Make *target*, a new or empty folder, the wiki that was exported to *directory*: the same
    trees.

    Raises BadExport or CannotImport before anything is changed.
    """
    source, root = (os.path.abspath(os.path.expanduser(path)) for path in (directory, target))
    manifest, items = _read(source)
    _require_whole(source, manifest, items)
    care.require_no_git_folder(root)
    _require_new(root, manifest, source, items)
    if place.git_dir_of(root) is None:
        gitdir.create(root)
    found = place.at(root)
    assert found is not None
    arm_faults()
    ws = Workspace(care.settle_state(found), fixed_now())
    commit = _publish(ws, source, manifest, items, progress)
    with open_run(ws, "import", quiet=False) as tonight:
        branch = tonight.repo.branch.removeprefix("refs/heads/")
    about = {key: manifest[key] for key in ("tree", "buffer", "private", "counts")}
    return {"wiki": root, "branch": branch, "commit": commit, **about}


# -- out -------------------------------------------------------------------------------------------


def _require_outside(place: Place, root: str) -> None:
    real, top = os.path.realpath(root), os.path.realpath(place.worktree)
    if os.path.commonpath([real, top]) == top:
        raise CannotExport(f"{root} lies inside the wiki, which would take the copies for pages")


def _require_empty(root: str) -> None:
    if os.path.lexists(root) and not os.path.isdir(root):
        raise CannotExport(f"{root} is no folder")
    if os.path.isdir(root) and os.listdir(root):
        raise CannotExport(f"{root} is not empty")


def _trees(tonight: Run, *, with_private: bool) -> dict[str, str]:
    """Return the tree of every section that there is."""
    refs = capture_buffer.trees(tonight.repo)
    sections = {
        "wiki": tonight.tree,
        "captures": refs.get(BUFFER),
        "cold": cold_memory.find_tree(tonight.repo),
    }
    if with_private:
        sections |= {
            ref.removeprefix("refs/companion/"): tree for ref, tree in refs.items() if ref != BUFFER
        }
    return {section: tree for section, tree in sections.items() if tree is not None}


def _write_files(repo: Repo, root: str, items: Iterable[Item], progress: Progress | None) -> None:
    lines = []
    durable.make_dirs(root)
    for item in items:
        trees.check_path(item.path)
        fields = {"path": item.file, "mode": f"{item.mode:06o}", "blob": item.blob}
        lines.append(json.dumps(fields).encode() + b"\n")
        if item.mode != _GITLINK:  # a submodule's files are its own repository's
            _write(root, item.file, repo.blob(item.blob))
        if progress is not None:
            progress(1)
    gitdir.sync_all(root)
    durable.write_new(os.path.join(root, LISTING), b"".join(lines))


def _write(root: str, file: str, data: bytes) -> None:
    path = os.path.join(root, file)
    with durable.guarded(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        durable.write_new(path, data, sync=False)
    except FileExistsError as error:
        raise durable.StorageError(
            f"{path}: two files have one name here",
            hint="Export to a file system that tells `A` from `a`.",
        ) from error


def _manifest(tonight: Run, trees: dict[str, str], items: Iterable[Item]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "companion": __version__,
        "exported_at": tonight.ws.now(),
        "tree": trees.get("wiki"),
        "buffer": trees.get("captures"),
        "cold": trees.get("cold"),
        "private": {
            section.removeprefix("private/"): tree
            for section, tree in trees.items()
            if section.startswith("private/")
        },
        "counts": _counts(tonight.repo, items),
    }


def _counts(repo: Repo, items: Iterable[Item]) -> dict[str, int]:
    counts = dict.fromkeys(("files", "pages", "runs", "captures", "tellings"), 0)
    captures = set()
    for item in items:
        counts["files"] += 1
        if item.section == "wiki":
            counts["pages"] += fold.is_page(item.path) and item.mode in _FILES
            counts["runs"] += ledger_file.run_at(item.path) is not None
        elif item.path.endswith(".json") and item.section != "cold":
            captures.add(item.path.split("/")[-1][:64])
            counts["tellings"] += len(json.loads(repo.blob(item.blob))["sightings"])
    return {**counts, "captures": len(captures)}


def _json(doc: Any, *, indent: int) -> bytes:
    return json.dumps(doc, indent=indent).encode() + b"\n"


# -- back ------------------------------------------------------------------------------------------


def _read(source: str) -> tuple[dict[str, Any], list[Item]]:
    try:
        with open(os.path.join(source, MANIFEST), "rb") as file:
            manifest = json.loads(file.read())
        if manifest["format"] > FORMAT:
            raise BadExport("a newer companion wrote this export", hint="Upgrade companion-wiki.")
        with open(os.path.join(source, LISTING), "rb") as file:
            items = [_item(json.loads(line)) for line in file]
        known = {
            key: manifest[key] for key in ("tree", "buffer", "private", "counts", "exported_at")
        }
        manifest = {**known, "cold": manifest.get("cold")}  # the first exports had none
        _wanted(manifest)
    except (FileNotFoundError, NotADirectoryError) as error:
        name = os.path.basename(str(error.filename))
        raise BadExport(f"there is no whole export in {source}: {name} is missing") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadExport(f"{source}: its {MANIFEST} or {LISTING} cannot be read") from error
    return manifest, items


def _item(line: dict[str, str]) -> Item:
    file, mode = line["path"], int(line["mode"], 8)
    section, _, path = file.partition("/")
    if section == "private":
        agent, _, path = path.partition("/")
        section = f"private/{agent}"
    if mode not in _MODES or not _SECTION.fullmatch(section):
        raise ValueError(f"no such file in an export: {file}")
    trees.check_path(file)
    return Item(
        section, path if section == "wiki" else path.removesuffix(".txt"), mode, line["blob"]
    )


def _require_whole(source: str, manifest: dict[str, Any], items: Iterable[Item]) -> None:
    """Raise BadExport unless every file holds what it held, and together they make the trees of the
    manifest.
    """
    items = list(items)
    damaged = [
        item.file for item in items if item.mode != _GITLINK and _blob_of(source, item) != item.blob
    ]
    if damaged:
        more = f" and {len(damaged) - _MOST} more" if len(damaged) > _MOST else ""
        raise BadExport(f"changed or missing since the export: {', '.join(damaged[:_MOST])}{more}")
    if _grow(items, objects.object_id) != _wanted(manifest):
        raise BadExport(f"the files are not those that {MANIFEST} speaks of")


def _blob_of(source: str, item: Item) -> str | None:
    try:
        return objects.blob_id(_content(source, item))
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


def _content(source: str, item: Item) -> bytes:
    with open(os.path.join(source, item.file), "rb") as file:
        return file.read()


def _wanted(manifest: dict[str, Any]) -> dict[str, str]:
    """Return the trees that the manifest names, by section."""
    private = {f"private/{agent}": tree for agent, tree in manifest["private"].items()}
    sections = {
        "wiki": manifest["tree"],
        "captures": manifest["buffer"],
        "cold": manifest["cold"],
        **private,
    }
    return {section: tree for section, tree in sections.items() if tree is not None}


def _grow(items: Iterable[Item], add: Callable[[str, bytes], str]) -> dict[str, str]:
    """Return the trees that the items make, by section; new objects go through *add*."""
    sections: dict[str, dict[str, tuple[int, str] | None]] = {}
    for item in items:
        sections.setdefault(item.section, {})[item.path] = (item.mode, item.blob)
    grown = {
        section: trees.edit_tree(_no_tree, None, files, add) for section, files in sections.items()
    }
    return {section: tree for section, tree in grown.items() if tree is not None}


def _no_tree(id: str) -> list[trees.Entry]:
    raise AssertionError(f"a tree built from nothing asks for {id}")


def _require_new(root: str, manifest: dict[str, Any], source: str, items: Iterable[Item]) -> None:
    """Raise CannotImport where anything is already: the trees would not be the same, or something
    would be lost.

    Files that begin as those of the export do are what an import left that was killed, or lost its
    power.
    """
    if not os.path.lexists(root):
        return
    if not os.path.isdir(root):
        raise CannotImport(f"{root} is no folder")
    found = None if place.git_dir_of(root) is None else place.at(root)
    repo = None if found is None else Repo(found)
    if repo is not None:
        repo.require_suitable()
        if repo.tip() is not None:
            wiki = os.path.isdir(os.path.join(root, ".companion"))
            raise CannotImport(
                f"{root} is a {'wiki that has runs already' if wiki else 'repository with a history'}"
            )
    empty = (
        _is_begun(root, source, items)
        if repo is not None
        else not set(os.listdir(root)) - {gitdir.NEW}
    )
    if not empty:
        raise CannotImport(f"{root} is not empty")
    if found is None or repo is None:
        return
    held = capture_buffer.trees(repo)
    # The same buffers are what a killed import of the same export left.
    if held != _buffers(manifest) if held else _has_captures(found):
        raise CannotImport(f"{root} has captures of its own")


def _is_begun(root: str, source: str, items: Iterable[Item]) -> bool:
    """Tell whether *root* holds nothing but parts of what is to be imported there."""
    wanted = {item.path: item for item in items if item.section == "wiki"}
    for folder, folders, names in os.walk(root):
        if folder == root and ".git" in folders:
            folders.remove(".git")
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        paths = [os.path.join(folder, name) for name in (*names, *links)]
        if not all(
            _is_part(path, source, wanted.get(os.path.relpath(path, root))) for path in paths
        ):
            return False
    return True


def _is_part(path: str, source: str, item: Item | None) -> bool:
    if item is None or (item.mode == LINK) != os.path.islink(path):
        return False
    if item.mode == LINK:
        return os.fsencode(os.readlink(path)) == _content(source, item)
    with open(path, "rb") as file:
        data, whole = file.read(), _content(source, item)
    # Zeros stand where a power cut has kept a file's length and lost its bytes.
    return len(data) <= len(whole) and whole.startswith(data.rstrip(b"\0"))


def _buffers(manifest: dict[str, Any]) -> dict[str, str]:
    return {
        _ref(section): tree
        for section, tree in _wanted(manifest).items()
        if section not in ("wiki", "cold")
    }


def _ref(section: str) -> str:
    return BUFFER if section == "captures" else PRIVATE + section.removeprefix("private/")


def _has_captures(found: Place) -> bool:
    return os.path.exists(found.journal_db) and Journal.open(found.journal_db).counts()[0] > 0


def _publish(
    ws: Workspace,
    source: str,
    manifest: dict[str, Any],
    items: list[Item],
    progress: Progress | None,
) -> str:
    """Give git the objects, then the buffer, the files, and the branch last; return its commit."""
    repo = Repo(ws.place)
    durable.make_dirs(ws.place.state, mode=0o700)
    with lock.lock_file(os.path.join(ws.place.state, "sleep.lock"), "import"):
        with Pack(ws.place.common_dir) as pack:
            for item in items:
                if item.mode != _GITLINK:
                    pack.add("blob", _content(source, item))
                if progress is not None:
                    progress(1)
            if _grow(items, pack.add) != _wanted(manifest):
                raise BadExport("the export changed while it was being read")
            commit = pack.add("commit", signing.sign_commit(repo, _commit(ws, repo, manifest)))
        for tree in _buffers(manifest).values():
            # raises NotABuffer: what the journal reads back must be readable
            capture_buffer.find_arrivals(repo, None, tree)
        capture_buffer.unite(repo, _buffers(manifest))
        if manifest["cold"] is not None:
            cold_memory.check(repo, manifest["cold"])
            cold_memory.unite(repo, manifest["cold"])
        care.remember(ws, repo)
        # An empty folder is the one place where git's own checkout can eat nothing; it runs no
        # filter here.
        run_git(ws.place, "read-tree", "--reset", "-u", commit, settings=repo.filters_off())
        gitdir.sync_all(ws.place.root)
        run_git(ws.place, "update-ref", "-m", "companion: import", repo.branch, commit, "0" * 40)
        durable.sync_dir(os.path.join(ws.place.common_dir, os.path.dirname(repo.branch)))
        objects.release_packs(ws.place.common_dir)
    return commit


def _commit(ws: Workspace, repo: Repo, manifest: dict[str, Any]) -> bytes:
    """Return the one commit of an imported wiki. It is no run: a ledger file of its own would be
    another tree.
    """
    seconds = max(0, int(datetime.fromisoformat(ws.now()).timestamp()))
    person = f"{format_identity(*repo.author())} {seconds} +0000"
    subject = (
        f"import: {manifest['counts']['pages']} pages, exported {str(manifest['exported_at'])[:10]}"
    )
    trailers = f"Companion-Operation: import\nCompanion-Version: {__version__}\n"
    head = f"tree {manifest['tree']}\nauthor {person}\ncommitter {person}\n\n"
    return f"{head}{subject}\n\n{trailers}".encode("utf-8", "replace")
