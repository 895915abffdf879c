"""The released suite: unpacked elsewhere it runs, and a toy of twenty lines fails where it should."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[3]


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
    toy = f"{sys.executable} {unpacked}/conformance/toy.py"
    for words in ("both sides of a contradiction", "a repeat is no second"):
        done = check(unpacked, "--program", toy, "--no-twins", "-k", words)
        assert done.stdout.endswith("1 passed, 0 failed\n"), done


def test_a_toy_fails_where_it_should(unpacked: Path) -> None:
    toy = f"{sys.executable} {unpacked}/conformance/toy.py"
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


def test_a_program_that_says_nothing_is_told_so(unpacked: Path) -> None:
    toy = f"{sys.executable} {unpacked}/conformance/toy.py"
    done = check(unpacked, "--program", toy, "--no-twins", "--only", "TRI-1")
    assert "pick: no JSON: ''" in done.stdout
    assert "Traceback" not in done.stdout
