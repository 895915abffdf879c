"""The same snapshot, two machines: one tree, whatever branches do that night (CON-3); and a night
that loses a race.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.operations.decay import run as decay
from companion.storage.files import durable
from tests.minority.test_gather import (
    FIRST,
    SECOND,
    THIRD,
    decided,
    founded,
    night,
)
from tests.reading.branches.test_branches import sql
from tests.routing.test_watch_signals import signal
from tests.wiki import Wiki, check_health, check_index, ingest_dependents

KEPT = "Backups are kept for thirty days."
NOT_KEPT = ("Backups are not kept for thirty days.", "mary")
CLAIM = {
    "claim": "bleach cures colds",
    "by": "the poison centre",
    "why": "it burns the throat",
}


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    """A wiki with two load-bearing pages, a plain one, and a warning."""
    wiki = Wiki.new(tmp_path / "desk")
    wiki.ingest(KEPT, title="Backups")
    ingest_dependents(wiki, "Backups")
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    founded(wiki)
    signal(wiki, CLAIM)
    wiki.tick()
    decay.decay(wiki.ws)
    return wiki


def machine(desk: Wiki, root: Path) -> Wiki:
    """A clone that has the buffer and the branches, too: the same snapshot on another machine."""
    other = desk.clone(root)
    refs = (
        "+refs/companion/*:refs/companion/*",
        "+refs/heads/minority/*:refs/heads/minority/*",
    )
    other.git("fetch", "-q", str(desk.root), *refs)
    return other


def both(desk: Wiki, laptop: Wiki, do: Callable[[Wiki], Any]) -> list[Any]:
    laptop.now = desk.now
    return [do(each) for each in (desk, laptop)]


def test_two_clones_agree_while_branches_open_grow_and_win_and_notes_wait(
    desk: Wiki, tmp_path: Path
) -> None:
    laptop = machine(desk, tmp_path / "laptop")
    nights: list[tuple[tuple[tuple[str, str], ...], list[str]]] = [
        (((FIRST, "post mortem"), NOT_KEPT), ["open", "open"]),
        (
            (
                (SECOND, "mary"),
                ("Bleach cures colds, every winter.", "a friend"),
            ),
            ["grow", "hold", "hold"],
        ),
        (
            (
                (THIRD, "vendor"),
                ("# Door\n\nThe door to the cellar is not open.", "ben"),
            ),
            ["grow", "hold", "promote"],
        ),
    ]
    for told, expected in nights:
        done = both(desk, laptop, lambda wiki, told=told: night(wiki, *told))
        assert (
            sorted(decided(done[0])) == expected
            and done[0]["branches"] == done[1]["branches"]
        )
        assert desk.tree == laptop.tree and desk.head == laptop.head
        refs = [
            wiki.git("for-each-ref", "refs/heads/minority")
            for wiki in (desk, laptop)
        ]
        assert refs[0] == refs[1]
    assert [
        row[0]
        for row in sql(
            laptop, "SELECT title FROM entries WHERE quarantined ORDER BY title"
        )
    ] == [
        "Bleach cures colds, every winter",
        "Door",
    ]
    check_index(desk)
    check_index(laptop)


@contextmanager
def overtaken(wiki: Wiki, times: int) -> Iterator[list[str]]:
    """Let the person commit just before a run is published, as often as *times*; their commits."""
    made: list[str] = []

    def commit(point: str, stage: str) -> None:
        if (point, stage) == ("publish.intent", "before") and len(made) < times:
            made.append(f"by hand {len(made)}")
            wiki.write(
                f"Mine {len(made)}.md", f"# Mine {len(made)}\n\nMeanwhile.\n"
            )
            wiki.git("add", f"Mine {len(made)}.md")
            wiki.git("commit", "-q", "-m", made[-1])

    durable.hooks.append(commit)
    try:
        yield made
    finally:
        durable.hooks.remove(commit)


def test_a_night_that_loses_the_race_opens_its_branches_once(
    desk: Wiki,
) -> None:
    commits = desk.commits()
    with overtaken(desk, 2) as made:
        done = night(desk, (FIRST, "post mortem"), NOT_KEPT)
    assert len(made) == 2 and decided(done) == ["open", "open"]
    assert desk.commits() == commits + len(made) + 1, (
        "one commit of the run's, whatever was tried before"
    )
    branches = sql(desk, "SELECT name, run FROM branches")
    assert len(branches) == 2 and {run for _, run in branches} == {done["run"]}
    assert (
        len(
            desk.git(
                "for-each-ref", "--format=%(refname)", "refs/heads/minority"
            ).split()
        )
        == 2
    )
    assert (
        len(list((desk.root / ".companion/minority").rglob("*.md"))) == 2
        and desk.status() == ""
    )
    check_index(desk)
    check_health(desk)


def test_a_promotion_that_loses_the_race_is_decided_anew(desk: Wiki) -> None:
    """The person edits the incumbent meanwhile: what is published rests on what the page says
    then.
    """
    night(desk, (FIRST, "post mortem"))
    night(desk, (SECOND, "mary"))
    with overtaken(desk, 1):
        done = night(desk, (THIRD, "vendor"))
    assert decided(done)[-1] == "promote" and desk.git(
        "log", "-1", "--format=%s"
    ).startswith("consolidate")
    assert sql(
        desk, "SELECT count(*) FROM entries WHERE state = 'decaying'"
    ) == [(1,)]
    parents = desk.git("log", "-1", "--format=%P").split()
    assert (
        desk.git("log", "-1", "--format=%s", parents[0]).strip() == "by hand 0"
        and len(parents) == 2
    )
    check_index(desk)
    check_health(desk)


def test_a_dry_run_shows_what_opens_grows_and_wins_and_changes_nothing(
    desk: Wiki,
) -> None:
    plans = [
        ((FIRST, "post mortem"), NOT_KEPT),
        (
            (SECOND, "mary"),
            (
                "Our backups are gone after a week: they are not kept for thirty days.",
                "ben",
            ),
        ),
        ((THIRD, "vendor"),),
    ]
    seen: set[str] = set()
    for told in plans:
        desk.tick(days=1)
        for text, source in told:
            desk.ingest(text, source=source)
        before = state(desk)
        now = desk.now
        planned = desk.consolidate(dry_run=True)
        assert state(desk) == before and planned["run"] is None
        desk.now = now
        done = desk.consolidate()
        assert decided(planned) == decided(done)
        for one, other in zip(
            planned["branches"], done["branches"], strict=True
        ):
            assert (one["pressure"], one["threshold"]) == (
                other["pressure"],
                other["threshold"],
            )
            assert (
                isinstance(one["pressure"], float)
                and isinstance(one["threshold"], float)
                and one["reason"]
            )
        seen.update(decided(done))
    assert {"open", "grow", "promote"} <= seen


def state(wiki: Wiki) -> tuple[Any, ...]:
    tables = (
        "entries",
        "branches",
        "branch_members",
        "events",
        "edges",
        "claims",
        "waiting",
    )
    rows = [
        sql(wiki, f"SELECT * FROM {table} ORDER BY 1, 2, 3") for table in tables
    ]
    refs = wiki.git("for-each-ref", "refs/heads")
    return wiki.head, refs, wiki.status(), wiki.files(), rows
