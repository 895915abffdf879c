"""What `python -m tests quick` takes to be touched, and which tests stand for it."""

from pathlib import Path

from tests import quick
from tests.wiki import git, person

ROOT = Path(__file__).resolve().parents[1]


def tree(root: Path, *paths: str) -> Path:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    return root


def test_a_room_is_tested_in_the_folder_of_its_name_or_the_nearest_above(
    tmp_path: Path,
) -> None:
    tree(
        tmp_path,
        "tests/ledger/test_a.py",
        "tests/operations/decay/test_b.py",
        "tests/test_config.py",
    )
    touched = {
        "companion/ledger/settle.py": ["tests/ledger"],
        "companion/operations/decay/run.py": ["tests/operations/decay"],
        "companion/operations/audit/run.py": ["tests/operations"],
        "companion/config.py": ["tests/test_config.py"],
        "companion/workspace.py": [],
        "companion/newroom/x.py": [],
        "tests/ledger/test_a.py": ["tests/ledger/test_a.py"],
        "tests/journeys/test_history.py": [],
        "docs/index.md": [],
    }

    assert {path: quick.rooms([path], tmp_path) for path in touched} == touched


def test_what_lies_in_a_touched_room_is_not_named_twice(tmp_path: Path) -> None:
    tree(tmp_path, "tests/ledger/test_a.py")
    paths = [
        "tests/ledger/test_a.py",
        "companion/ledger/x.py",
        "companion/ledger/y.py",
    ]

    assert quick.rooms(paths, tmp_path) == ["tests/ledger"]


def test_changes_since_the_main_branch_count_committed_or_not(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    person(tmp_path)
    tree(tmp_path, "old.py", "edited.py", "gone.py")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "main")
    git(tmp_path, "checkout", "-qb", "mine")
    tree(tmp_path, "committed.py")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "mine")
    tree(tmp_path, "new.py")
    (tmp_path / "edited.py").write_text("x")
    (tmp_path / "gone.py").unlink()

    assert quick.changed(tmp_path) == [
        "committed.py",
        "edited.py",
        "gone.py",
        "new.py",
    ]


def test_pure_tests_name_no_process_and_no_folder() -> None:
    found = quick.pure(ROOT)

    assert "tests/gravity/test_formula.py" in found
    assert "tests/test_quick.py" not in found
