"""A month of each kind of person ends without a workaround: every line does what they expected."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.months.drive import Played, Step, play, read
from tests.journeys.obsidian import Vault

PERSONS = ("terminal", "obsidian", "agent")
LETTER = """Dear boat owner,

the harbour office writes about the mooring fee. It is due on 1 July.

The harbour master, Piet Coene
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    backup = str(tmp_path / "backup.git")
    subprocess.run(["git", "init", "-q", "--bare", backup], check=True)
    (folder / "letter.txt").write_text(LETTER)
    return folder


def workarounds(played: Iterator[Played]) -> dict[str, list[str]]:
    """Return what each line lacked, by its number and words."""
    return {
        f"{one.step.number}: {one.step.line}": [*one.faults, one.shown[-600:]]
        for one in played
        if one.faults
    }


@pytest.mark.slow
@pytest.mark.parametrize("person", PERSONS)
def test_a_month_ends_without_a_workaround(person: str, root: Path) -> None:
    zone, steps = read(person)
    assert len(steps) > 45
    assert workarounds(play(root, zone, steps)) == {}

    seen = Vault(root)
    assert seen.notes
    written = [link for link in seen.links() if link.target]
    dead = {
        link.target
        for link in written
        if seen.resolve(link.target, link.source) is None
    }
    # what the person linked and never wrote
    assert dead <= {"Paternoster rig"}


@pytest.mark.parametrize("person", PERSONS)
def test_a_month_begins_without_a_workaround(person: str, root: Path) -> None:
    zone, steps = read(person)
    first = [
        step
        for step in steps
        if step.moment == steps[0].moment and not step.line.startswith("mcp")
    ]
    wrong = Step(0, first[0].moment, "companion list -n 1", wants=["a boat?"])
    faults = workarounds(play(root, zone, [*first[:7], wrong]))
    assert list(faults) == ["0: companion list -n 1"]
