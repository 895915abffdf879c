"""Files, folders and modules that the documents name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A path from the top of the repository, such as `tests/docs/test_paths.py`. What follows "/" or "."
# belongs to another path: `.companion/ledger`, `.git/companion/index.db`.
PATH = re.compile(
    r"(?<![\w/.-])((?:companion|tests|conformance|docs|examples)/[\w./-]*\w)"
)
MODULE = re.compile(r"python -m ((?:companion|tests|conformance)(?:\.\w+)*)")

# Folders of a wiki or of its git folder, not of this repository.
OF_A_WIKI = {"companion/index.db", "companion/journal.db"}

DOCUMENTS = sorted(
    [
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("conformance/*.md"),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "tests/README.md",
        ROOT / "companion/cli/reference.toml",
    ]
)


def absent_paths(text: str) -> list[str]:
    """Return the paths and modules in *text* that are not in this repository."""
    paths = [path for path in PATH.findall(text) if path not in OF_A_WIKI]
    missing = [path for path in paths if not (ROOT / path).exists()]
    for module in MODULE.findall(text):
        place = ROOT / module.replace(".", "/")
        if not place.is_dir() and not place.with_suffix(".py").exists():
            missing.append(module)
    return missing


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_document_names_only_what_exists(document: Path) -> None:
    assert absent_paths(document.read_text(encoding="utf-8")) == []


def test_a_path_or_module_that_was_moved_is_found() -> None:
    text = "See `companion/app/gathered.py` and run `python -m tests.nowhere`; docs/index.md."

    assert absent_paths(text) == ["companion/app/gathered.py", "tests.nowhere"]
    assert (
        absent_paths("`.companion/ledger/`, `.git/companion/audit.log`") == []
    )
