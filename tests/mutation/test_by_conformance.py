"""Mutants held against the laws: the page shows what is recorded, and each rule has cases."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.mutation.laws_page import (
    INSTEAD,
    PAGE,
    RESULTS,
    SERVER,
    find_case,
    list_cases,
    read_record,
    write_page,
    write_record,
)
from tests.mutation.subjects import SUBJECTS


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    assert PAGE.read_text("utf-8") == write_page(record)


@pytest.mark.parametrize("path", SUBJECTS)
def test_every_rule_has_cases(path: str) -> None:
    assert list_cases(path)


def test_the_program_has_one_module_of_its_own(tmp_path: Path) -> None:
    broken = tmp_path / "mutant.py"
    broken.write_text("raise SystemExit(77)")
    words = ["companion/values/time.py", str(broken), "companion", "status"]
    command = [sys.executable, "-m", INSTEAD, *words]
    done = subprocess.run(command, check=False)
    assert done.returncode == 77


@pytest.mark.slow
def test_a_change_reaches_the_cases(tmp_path: Path) -> None:
    path = "companion/gravity/formula.py"
    broken = tmp_path / "mutant.py"
    broken.write_text("raise ValueError")
    cases = list_cases(path)[:1]
    for source, notices in ((path, False), (str(broken), True)):
        with warm.serving(("-m", INSTEAD, path, source, SERVER)) as socket:
            assert bool(find_case(cases, warm.call(socket))) is notices
