"""Shards for tests of fleets, and the nights that they would have alone."""

from pathlib import Path

from companion.fleet.night import read_shards
from tests.wiki import Wiki

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
    assert twin.consolidate()["run"]
    return twin


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
