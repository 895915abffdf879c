"""The measuring command says what is missing, and its measures are right where the answer is
known.
"""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.audit import run as audit
from companion.operations.decay import run as decay
from companion.workspace import Workspace
from tests.bench import bare, gravity, nights, vitality
from tests.bench.old_wiki import old_wiki
from tests.bench.reasoning import auroc, f1
from tests.wiki import Wiki

SCORED = st.lists(
    st.tuples(st.integers(0, 5).map(float), st.booleans()), max_size=30
)


@given(SCORED)
def test_auroc_is_the_share_of_pairs_in_order(
    scored: list[tuple[float, bool]],
) -> None:
    wins = [
        (p > n) + (p == n) / 2
        for p, yes in scored
        if yes
        for n, no in scored
        if not no
    ]

    assert auroc(scored) == pytest.approx(
        sum(wins) / len(wins) if wins else 0.5
    )


@given(SCORED, st.integers(0, 5))
def test_f1_is_the_mean_of_precision_and_recall(
    scored: list[tuple[float, bool]], threshold: int
) -> None:
    found = sum(yes for score, yes in scored if score >= threshold)
    precision = found / max(1, sum(score >= threshold for score, _ in scored))
    recall = found / max(1, sum(yes for _, yes in scored))

    assert f1(scored, threshold) == pytest.approx(
        2 * precision * recall / max(1e-9, precision + recall)
    )


def test_random_scores_are_worth_nothing() -> None:
    chance = random.Random(1)

    assert auroc(
        [(chance.random(), chance.random() < 0.5) for _ in range(5000)]
    ) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("args", [[], ["--data", "no-such-folder"]])
def test_without_the_sets_it_says_so(tmp_path: Path, args: list[str]) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.bench", "reasoning", *args]

    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False
    )

    assert done.returncode != 0 and "--data DIR" in done.stderr


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    command = [
        sys.executable,
        "-m",
        "tests.bench",
        "reasoning",
        "--data",
        str(tmp_path),
    ]

    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=True
    )

    assert (
        f"sick: not in {tmp_path}, skipped" in done.stdout
        and "pairs per CPU second" in done.stdout
    )
    named = [
        line.split()[1]
        for line in done.stdout.splitlines()
        if line.startswith("relater ")
    ]
    assert named == ["light:", "semantic:", "llm:"]


def test_the_nights_of_two_sizes_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[list[str]] = []
    asked: list[str] = []

    def run(args: Sequence[str], room: Path) -> tuple[float, int]:
        seen.append(list(args))
        return (3.0 if "wiki7" in args[-1] else 2.0), 10**6

    nights.nights(
        tmp_path,
        7,
        run,
        lambda room, notes: len(notes) / 7,
        lambda wiki: asked.append(wiki.name),
    )

    out = capsys.readouterr().out
    assert "a night on 7 entries costs 1.50 x the same night on 1,000" in out
    assert [args[0] for args in seen].count("consolidate") == 2 * (
        1 + nights.NIGHTS + 1
    )
    assert [args[0] for args in seen].count("audit") == 2 and asked == [
        "wiki7",
        "wiki1000",
    ]
    assert (
        "7 entries: floor 1.00 CPU s" in out and out.count("3.00 x floor") == 6
    )


def test_what_an_audit_of_a_measured_wiki_replays_is_on_record(
    tmp_path: Path,
) -> None:
    nights.make_vault(tmp_path / "wiki", 40)
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.tick(days=1)
    decay.decay(wiki.ws)
    nights.remembered(wiki.root)

    found = audit.audit(
        Workspace(wiki.ws.place, "2027-06-01T00:00:00.000000Z"),
        top=nights.AUDITED,
    )["audited"]

    assert len(found) == nights.AUDITED
    assert all(len(each["questions"]) >= nights.QUESTIONS / 2 for each in found)


@pytest.mark.slow
def test_weighing_100_000_entries_costs_at_most_forty_bare_pageranks() -> None:
    bare, whole, links = gravity.measured(100_000, 5)

    assert links > 290_000
    assert whole / bare <= gravity.GOAL


@pytest.mark.slow
def test_the_vitality_of_100_000_entries_costs_at_most_three_times_reading_their_rows() -> (
    None
):
    rows, whole = vitality.measured(100_000, 4)

    assert whole / rows <= vitality.GOAL


def test_a_short_life_of_plain_notes_is_measured() -> None:
    root = Path(__file__).resolve().parents[2]
    # in a process of its own, which does not wait for the disk
    command = [sys.executable, "-m", "tests.bench", "gathering", "--days", "6"]

    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=True
    )

    assert "last sixth / second sixth" in done.stdout
    assert "a note, without days" in done.stdout


def test_old_wiki_gathers_what_it_made(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bare, "forget_durability", lambda: None)
    old_wiki(tmp_path, 40)
    out = capsys.readouterr().out
    assert "'pages': 40" in out
    assert "slice 1:" in out
