"""An erasure that is killed, or whose disk refuses, at any durable step: the same words, given
again, finish it.

Not among the scenes of `tests/durability/scenes.py`: what is right after a crash is another thing
here, for captures change their ids, and the word that confirms is bound to what is left to erase.
"""

import json
import os
import re
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path

import pytest

from companion.privacy.words_to_erase import pattern
from companion.storage.files import durable
from tests.durability.scenes import RECORD
from tests.living import KILLED, Living, leftovers, sound

LEAK = "Zebra-77/horse+staple"
FOUND = re.compile(pattern(LEAK), re.IGNORECASE)


@pytest.fixture(scope="module")
def leaked(tmp_path_factory: pytest.TempPathFactory) -> Living:
    """Words that must go: in a page and its name, a pending capture, the person's commit, a tag and
    a stash.
    """
    wiki = Living(tmp_path_factory.mktemp("leaked") / "wiki")
    wiki.root.mkdir()
    wiki.doc("init", ".")
    wiki.ingest(f"It opens with {LEAK} at six.", title="Harbour")
    wiki.ingest(f"{LEAK} is the word")
    wiki.doc("consolidate")
    wiki.write("mine.md", f"# Mine\n{LEAK}\n")
    wiki.git("add", "-A")
    wiki.git("commit", "--quiet", "-m", f"mine, with {LEAK}")
    wiki.git("tag", "v1")
    wiki.append("mine.md", f"stashed {LEAK}")
    wiki.git("stash", "push", "--quiet")
    wiki.ingest(f"Pending, {LEAK}")
    wiki.write("loose.txt", LEAK)
    return wiki


def command(wiki: Living) -> tuple[str, ...]:
    return ("erase", LEAK, "--confirm", wiki.doc("erase", LEAK)["confirm"])


def passages(wiki: Living) -> list[str]:
    """Return every ``point@n:stage`` that an erasure passes, in order."""
    told = wiki.root.parent / "told.json"
    done = subprocess.run(
        [sys.executable, "-c", RECORD, str(told), *command(wiki)],
        cwd=wiki.root,
        env=wiki.env,
        capture_output=True,
    )
    assert done.returncode == 0 and told.exists(), done.stderr
    count: Counter[tuple[str, str]] = Counter()
    found = []
    for point, stage in json.loads(told.read_text())[1]:
        count[point, stage] += 1
        found.append(f"{point}@{count[point, stage]}:{stage}")
    return found


def left(wiki: Living) -> list[str]:
    """Return where the words still are, every file read and every object inflated."""
    found = []
    for folder, _, names in os.walk(wiki.root):
        for path in (Path(folder, name) for name in names):
            data = path.read_bytes()
            loose = re.search(r"objects/[0-9a-f]{2}$", folder)
            if FOUND.search(
                zlib.decompress(data) if loose else data
            ) or FOUND.search(os.fsencode(path)):
                found.append(str(path))
    batch = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=wiki.root,
        capture_output=True,
        check=True,
    )
    return [*found, *(["git's objects"] if FOUND.search(batch.stdout) else [])]


def strike(leaked: Living, folder: Path, fault: str) -> None:
    wiki = leaked.copy(folder / "wiki")
    struck = wiki.run(*command(wiki), fault=fault)
    if fault.endswith(":kill"):
        assert struck.returncode == KILLED, (
            f"{fault}: not delivered ({struck.returncode})"
        )
    else:
        assert struck.returncode in (74, 75), (
            f"{fault}: {struck.returncode} {struck.stderr!r}"
        )

    # Whatever the person does next works, and consolidates nothing twice.
    night = wiki.doc("consolidate")
    assert len(night["integrated"]) == 1, f"{fault}: {night}"
    wiki.git("fsck", "--full", "--strict", "--no-dangling")
    findings = [
        finding["kind"] for finding in wiki.doc("doctor", code=None)["findings"]
    ]
    assert set(findings) <= {"erase-interrupted", "erased-is-back"}, (
        f"{fault}: {findings}"
    )

    preview = wiki.run("--json", "erase", LEAK)
    if preview.returncode == 0:
        assert (
            wiki.run(
                "erase",
                LEAK,
                "--confirm",
                json.loads(preview.stdout)["confirm"],
            ).returncode
            == 0
        ), fault
    assert left(wiki) == [], fault
    assert leftovers(wiki) == [], fault
    sound(wiki)
    assert (
        len([line for line in wiki.ledger() if line["e"] == "erased"]) >= 1
    ), f"{fault}: no record"
    assert sum(line["e"] == "consumed" for line in wiki.ledger()) == 3, fault


EVERYDAY = [
    "erase.intent@1:before:kill",
    "swap.place@2:placed:kill",
    "erase.purge@1:packed:kill",
]
MORE = [
    "erase.refs@1:before:enospc",
    "erase.journal@1:after:kill",
    "erase.refs@1:after:kill",
    "erase.journal@1:before:kill",
    "erase.compact@1:before:kill",
]


@pytest.mark.parametrize(
    "fault",
    [*EVERYDAY, *(pytest.param(one, marks=pytest.mark.slow) for one in MORE)],
)
def test_an_interrupted_erasure_is_never_half(
    leaked: Living, tmp_path: Path, fault: str
) -> None:
    strike(leaked, tmp_path, fault)


def test_an_erasure_passes_every_point_of_its_own(
    leaked: Living, tmp_path: Path
) -> None:
    passed = {
        re.sub(r"@\d+", "", passage)
        for passage in passages(leaked.copy(tmp_path / "0" / "wiki"))
    }
    own = {
        f"{point}:{at}"
        for point, stages in durable.POINTS.items()
        for at in stages
        if point.startswith("erase.")
    }
    assert own and own <= passed


@pytest.mark.slow
def test_the_full_sweep(leaked: Living, tmp_path: Path) -> None:
    faults = [
        f"{at}:{action}"
        for at in passages(leaked.copy(tmp_path / "0" / "wiki"))
        for action in ("kill", "eio")
    ]
    for number, fault in enumerate(faults, 1):
        strike(leaked, tmp_path / str(number), fault)
    print(
        f"\nerase: {len(faults)} faults delivered, {len(faults) // 2} of them kills, all survived"
    )
