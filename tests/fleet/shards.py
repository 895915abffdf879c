"""Shards for tests of fleets, and the nights that they would have alone."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.fleet.night import read_shards
from companion.sleep.decision.state import Body
from companion.sleep.machine.readings import SimulatedBody
from companion.sleep.night import Order, sleep
from tests.wiki import Wiki

QUIET = Body(
    load=0.1, heat=0.4, on_mains=True, battery=0.9, metered=False, free=1 << 36
)

NOTES = (
    "Restic backs up to the disk in the cellar.",
    "The staging database runs PostgreSQL 15.",
    "Alice moved to Rome.",
)


def shard(root: Path, number: int = 0) -> Wiki:
    wiki = Wiki.new(root / f"shard{number}")
    wiki.ingest_pages(*NOTES, f"Shard {number} is kept by team {number}.")
    wiki.tick(hours=14)
    return wiki


def serial(wiki: Wiki, root: Path) -> Wiki:
    """A copy of the wiki, after a night of its own."""
    twin = wiki.copy(root)
    assert sleep_alone(twin)
    return twin


def sleep_alone(wiki: Wiki) -> list[str]:
    """Do the ordinary night of *wiki*, which a person asked for; return its runs."""
    wiki.tick()
    doc = sleep(wiki.ws, Order(asked=True), readings=SimulatedBody(QUIET))
    assert doc["exit_code"] == 0, doc
    return list_runs(doc["steps"])


def list_runs(steps: Iterable[Mapping[str, Any]]) -> list[str]:
    return [step["run"] for step in steps if step["run"]]


def runs(wiki: Wiki) -> list[str]:
    names = wiki.git("ls-files", ".companion/ledger").split()
    return [Path(name).stem for name in names]


def check_same(wiki: Wiki, twin: Wiki) -> None:
    assert wiki.tree == twin.tree
    assert wiki.head == twin.head
    assert runs(wiki) == runs(twin)
    assert wiki.status() == ""
    assert read_shards([str(wiki.root)])["waiting"] == 0
    assert "refs/companion/fleet" not in wiki.git("for-each-ref")
    assert not (wiki.root / ".git/companion/fleet").exists()
