"""A quick sample of `python -m tests.durability.faults` in every run; the command itself delivers
thousands.
"""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.storage.files import durable
from tests.durability.faults import kills
from tests.durability.faults.child import Forked
from tests.durability.scenes import SCENES, Stage

ROOT = Path(__file__).resolve().parents[2]


def test_a_sample_of_every_kind_of_fault_is_survived_and_of_the_mutants_caught(
    tmp_path: Path,
) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.durability.faults",
        "all",
        "--sample",
        "12",
        "--jobs",
        "2",
    ]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = {
        name.strip(): int(count)
        for name, count in re.findall(r"^  (\D+?)\s+(\d+)$", done.stdout, re.M)
    }
    assert told["power-loss states"] == 12 and told["mutants caught"] == 1
    assert (
        8
        <= sum(
            told[kind]
            for kind in (
                "kills",
                "EIO",
                "ENOSPC",
                "failed fsync",
                "kills in recovery",
            )
        )
        <= 12
    )
    assert "violations: 0" in done.stdout


def test_the_index_that_git_refreshes_on_its_own_is_a_file_the_record_knows(
    tmp_path: Path,
) -> None:
    """Else what is written to it later has no number, or by an inode that was used again that of
    another file.
    """
    stage = Stage(tmp_path)
    wiki = Forked(stage.fresh("grow").root)
    record = tmp_path / "record"
    done = wiki.run(
        "--json",
        "consolidate",
        before=kills.tap(wiki, record=str(record)).install,
    )
    assert done.returncode == 0, done.stderr
    log = pickle.loads(record.read_bytes())[1]
    alone = [op[1] for op in log if op[0] == "names" and len(op[1]) == 1]
    assert "wiki/.git/index" in [entries[0][0] for entries in alone], (
        "`git status` has put an index of its own there"
    )


@pytest.mark.slow
def test_the_scenes_pass_every_point_there_is(tmp_path: Path) -> None:
    """A durable step that no scene reaches is one that no crash test ever visits."""
    stage, seen = Stage(tmp_path), set()
    for passage in (
        passage for name in SCENES for passage in stage.passages(name)
    ):
        where, at = passage.split(":")
        seen.add(f"{where.partition('@')[0]}:{at}")
    registered = {
        f"{point}:{at}"
        for point, stages in durable.POINTS.items()
        for at in stages
    }
    # An erasure has a harness of its own, for what is right after it is another thing:
    # tests/durability/test_erase_faults.py.
    assert {
        point for point in registered - seen if not point.startswith("erase.")
    } == set()
