"""Which tests `python -m tests quick` runs: the pure ones, and those of the rooms that were touched.

The room of `companion/<room>/...` is tested in `tests/<room>/...`. What was touched is what git
calls changed since this branch left the main one, committed or not. A test file is pure when it
names none of the words in `IMPURE`: it needs no process, no repository and no folder.
"""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

IMPURE = (
    "subprocess",
    "tmp_path",
    "tests.wiki",
    "tests.living",
    "tests.durability",
    "pytest.mark.slow",
)
MAIN = ("origin/main", "origin/HEAD", "main")
SWEEPS = (
    "tests/journeys",
    "tests/durability",
    "tests/bench",
)  # each takes longer than all of quick may


def selected(root: Path) -> list[str]:
    """Return the files and folders to run, below *root*.

    The pure tests come first: a slow file of a touched room would use up their time.
    """
    return [*pure(root), *rooms(changed(root), root)]


def changed(root: Path) -> list[str]:
    """Return every path that differs from where this branch left the main one."""
    base = _base(root)
    listed = [_git(root, "ls-files", "--others", "--exclude-standard")]
    listed.append(
        _git(root, "diff", "--name-only", "--no-renames", base or "HEAD")
    )
    return sorted({path for lines in listed for path in lines.splitlines()})


def _base(root: Path) -> str:
    for name in MAIN:
        commit = _git(root, "merge-base", "HEAD", name).strip()
        if commit:
            return commit
    return ""


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False
    ).stdout


def rooms(paths: Iterable[str], root: Path) -> list[str]:
    """Return the test folders and files that stand for *paths*, shortest first, none inside another."""
    found: list[str] = []
    for path in sorted(
        filter(None, {_tests_of(PurePosixPath(path), root) for path in paths}),
        key=len,
    ):
        if not _below(path, found):
            found.append(path)
    return found


def _tests_of(path: PurePosixPath, root: Path) -> str:
    """Return the folder or file that tests *path*; empty where none is known or it is a sweep."""
    if path.suffix != ".py":
        return ""
    if path.parts[0] == "tests":
        is_test = path.name.startswith("test_") and (root / path).exists()
        return str(path) if is_test and not _below(str(path), SWEEPS) else ""
    if path.parts[0] != "companion":
        return ""
    below = PurePosixPath("tests", *path.parts[1:])
    alone = below.with_name(f"test_{path.name}")
    if len(path.parts) == 2:
        return str(alone) if (root / alone).exists() else ""
    folders = [folder for folder in below.parents if len(folder.parts) > 1]
    return next(
        (str(folder) for folder in folders if (root / folder).is_dir()), ""
    )


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(
        path == folder or path.startswith(folder + "/") for folder in folders
    )


def pure(root: Path) -> list[str]:
    """Return the test files that need nothing but Python, in the order of their paths."""
    files = sorted((root / "tests").rglob("test_*.py"))
    return [str(file.relative_to(root)) for file in files if _is_pure(file)]


def _is_pure(file: Path) -> bool:
    text = file.read_text(encoding="utf-8")
    return not any(word in text for word in IMPURE)
