"""The stress in small: a sample of it loses nothing, and it can fail. `python -m
tests.durability.stress` is the whole.
"""

from pathlib import Path

import pytest

from tests.durability.stress.__main__ import stress
from tests.durability.stress.editors import HeldOpen
from tests.durability.stress.ground import Ground
from tests.durability.stress.mutants import MUTANTS, WEAKER
from tests.durability.stress.sleepers import Capture, Night
from tests.durability.stress.verdict import excuses, reachable, read_books
from tests.wiki import Wiki


def test_a_few_seconds_of_everybody_at_once(tmp_path: Path) -> None:
    verdict = stress(tmp_path / "ground", minutes=7 / 60, seed=1)

    assert (verdict.lost, verdict.broken) == ([], [])
    figures = verdict.figures
    assert len(figures["lines"]) >= 7, "some hand wrote nothing"
    assert figures["nights"]["published"] > 0 and figures["reads"]["run"] > 0
    assert sum(figures["excused"].values()) < sum(figures["lines"].values()) / 2


@pytest.mark.slow
@pytest.mark.parametrize("mutant", sorted(MUTANTS))
def test_without_a_defence_lines_are_lost(tmp_path: Path, mutant: str) -> None:
    """Chance decides which lines: up to six tries."""
    hands = [
        (HeldOpen, 0),
        (HeldOpen, 1),
        (HeldOpen, 2),
        (Capture, 0),
        (Night, 0),
    ]
    tries = (
        stress(
            tmp_path / str(n), minutes=0.4, seed=n, mutant=mutant, hands=hands
        )
        for n in range(6)
    )
    assert any(verdict.lost for verdict in tries)


@pytest.mark.slow
@pytest.mark.parametrize("weaker", sorted(WEAKER))
def test_on_a_weaker_file_system_nothing_is_lost_either(
    tmp_path: Path, weaker: str
) -> None:
    verdict = stress(tmp_path / "ground", minutes=0.5, seed=2, mutant=weaker)
    assert (verdict.lost, verdict.broken) == ([], [])


def test_the_bookkeeper_excuses_only_what_git_took_from_an_open_file(
    tmp_path: Path,
) -> None:
    ground = Ground(tmp_path / "ground")
    ground.make()
    (ground.books / "git-0.jsonl").write_text(
        '{"e": "unlinked", "at": 5.0, "inodes": [7]}\n'
    )
    (ground.books / "hold-0.jsonl").write_text(
        '{"e": "wrote", "at": 6.0, "opened": 2.0, "token": "zqholdx0x000001z", "orphan": 7}\n'
        '{"e": "wrote", "at": 6.0, "opened": 2.0, "token": "zqholdx0x000002z", "orphan": 8}\n'
        '{"e": "wrote", "at": 4.0, "opened": 2.0, "token": "zqholdx0x000003z", "orphan": 7}\n'
        '{"e": "wrote", "at": 8.0, "opened": 7.0, "token": "zqholdx0x000005z", "orphan": 7}\n'
        '{"e": "wrote", "at": 6.0, "token": "zqholdx0x000004z"}\n'
        '{"e": "wrote", "at": 6.0, "tok'  # cut off
    )
    assert excuses(ground, read_books(ground.books)) == {
        "zqholdx0x000001z": "orphan"
    }


def test_the_bookkeeper_looks_only_where_git_keeps(tmp_path: Path) -> None:
    """A blob that nothing names is one `git gc` away from being lost."""
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "Said, zqappendx0x000001z.\n"})
    wiki.write("b.md", "zqappendx0x000002z\n")
    wiki.git("hash-object", "-w", "b.md")
    assert reachable(wiki.root) == {"zqappendx0x000001z"}
    wiki.git("add", "b.md")
    assert reachable(wiki.root) == {"zqappendx0x000001z", "zqappendx0x000002z"}
