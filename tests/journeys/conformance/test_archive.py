"""The released suite: unpacked elsewhere it runs, and a toy of twenty lines fails where it should."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[3]
#: keeps words once, finds them, and knows nothing of journals, nights or git
TOY = """
import hashlib, json, pathlib, sys
words = [word for word in sys.argv[1:] if word not in ("--json", "-q")]
if words[0] == "init":
    sys.exit(pathlib.Path(words[1]).mkdir())
book = pathlib.Path("book.json")
kept = json.loads(book.read_text()) if book.exists() else {}
if words[0] == "ingest":
    text = sys.stdin.read() if words[-1] == "-" else words[-1]
    told = []
    for line in text.splitlines() if "--lines" in words else [text]:
        id = hashlib.sha256(line.encode()).hexdigest()
        told.append({"id": id, "status": "seen" if id in kept else "captured"})
        kept[id] = line
    book.write_text(json.dumps(kept))
    seen = sum(each["status"] == "seen" for each in told)
    counts = {"captured": len(told) - seen, "seen": seen}
    print(json.dumps({"captures": told, "refused": [], "counts": counts}))
if words[0] == "search":
    hits = [line for line in kept.values() if words[1] in line]
    print(json.dumps({"results": [{"state": "pending"} for _ in hits]}))
if words[0] == "status":
    print(json.dumps({"pending": len(kept)}))
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    packed = [folder / "one.zip", folder / "two.zip"]
    versions = [pack(path) for path in packed]
    assert versions[0] == versions[1]
    assert packed[0].read_bytes() == packed[1].read_bytes()
    with zipfile.ZipFile(packed[0]) as archive:
        archive.extractall(folder)
    root = folder / f"conformance-{versions[0]}"
    assert (root / "VERSION").read_text() == f"{versions[0]}\n"
    (root / "toy.py").write_text(TOY)
    return root


def pack(path: Path) -> str:
    command = [sys.executable, "-m", "conformance", "--pack", str(path)]
    done = subprocess.run(
        command, cwd=HOUSE, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def check(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the unpacked suite by a Python that has nothing else."""
    command = [sys.executable, "-I", "-c", RUN, str(root), *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


RUN = """
import runpy, sys
sys.path[:] = [path for path in sys.path if "site-packages" not in path]
sys.path.insert(0, sys.argv[1])
sys.argv[:2] = ["conformance"]
runpy.run_module("conformance", run_name="__main__")
"""


def test_a_toy_keeps_the_laws_of_twenty_lines(unpacked: Path) -> None:
    toy = f"{sys.executable} {unpacked}/toy.py"
    for words in ("both sides of a contradiction", "a repeat is no second"):
        done = check(unpacked, "--program", toy, "--no-twins", "-k", words)
        assert done.stdout.endswith("1 passed, 0 failed\n"), done


def test_a_toy_fails_where_it_should(unpacked: Path) -> None:
    toy = f"{sys.executable} {unpacked}/toy.py"
    done = check(unpacked, "--program", toy, "--no-twins", "--only", "TRI-1")
    assert done.returncode == 1
    assert "1 passed, 1 failed" in done.stdout
    assert re.search(r"^FAIL .* TRI-1 .Trace 2", done.stdout, re.MULTILINE)


def test_the_archive_says_what_it_covers(unpacked: Path) -> None:
    done = check(unpacked, "--coverage")
    assert done.returncode == 0, done.stdout + done.stderr
    ids, _, rest = unpacked.name.removeprefix("conformance-").partition(".")
    clauses = rest.partition("+")[0]
    assert f" of {ids} ids and {clauses} of " in done.stdout
