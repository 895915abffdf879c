"""Twelve people share one wiki and keep private corners; after a month offline they meet again."""

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from companion.maintenance.remotes import remote
from companion.values.progress import SILENT
from tests.wiki import START, Wiki, check_health, check_index, git

CHECKED = 3  # writers in the check
DAYS = (3, 17, 29)
ROUNDS = 4  # of syncs, in which everybody has everything


def make_writer(hub: Path, first: Wiki, number: int) -> Wiki:
    wiki = first.clone(first.root.parent / f"writer{number}")
    wiki.git("remote", "remove", "origin")
    remote.add(wiki.ws, "hub", str(hub), with_pages=True)
    return wiki


def live_month(wiki: Wiki, number: int) -> list[str]:
    """Tell of the same days and things as the others do, and of one's own; return the notes."""
    told = []
    for day in DAYS:
        wiki.now = START + timedelta(days=day, minutes=number)
        notes = [
            f"The boiler makes sound {number} of day {day}.",
            f"Writer {number} saw a bird on day {day}.",
        ]
        wiki.ingest(*notes)
        wiki.ingest(f"Secret word zebra{number}x{day}.", scope="private")
        wiki.consolidate()
        told += notes
    wiki.write(f"people/Writer {number}.md", f"# Writer {number}\n\nmine\n")
    team = wiki.read("Team.md")
    wiki.write("Team.md", f"{team}- writer {number}\n")
    wiki.adopt()
    return told


def read_objects(wiki: Wiki) -> bytes:
    """Return the bytes of all that git has, named by a ref or not."""
    words = ("cat-file", "--batch-all-objects", "--batch")
    return subprocess.run(
        ["git", "-C", str(wiki.root), *words], capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize(
    "writers", [CHECKED, pytest.param(12, marks=pytest.mark.slow)]
)
def test_nothing_is_lost_and_all_have_one_tree(
    tmp_path: Path, writers: int
) -> None:
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub")
    first = Wiki.new(tmp_path / "writer0", {"Team.md": "# Team\n\n"})
    remote.add(first.ws, "hub", str(tmp_path / "hub"), with_pages=True)
    team = [first]
    for number in range(1, writers):
        team.append(make_writer(tmp_path / "hub", first, number))
    told = [note for n, wiki in enumerate(team) for note in live_month(wiki, n)]
    now = START + timedelta(days=31)
    for _ in range(ROUNDS):
        for wiki in team:
            now += timedelta(minutes=5)
            wiki.now = now
            merged = remote.sync(wiki.ws, "hub", progress=SILENT)["merged"]
            assert merged is not None
            assert merged["left"] is None
            wiki.consolidate()
    assert {wiki.tree for wiki in team} == {first.tree}
    pages = b"\n".join(first.files().values()).decode()
    for note in told:
        assert note in pages
    lines = [f"- writer {number}" for number in range(writers)]
    assert sorted(first.read("Team.md").split("\n")[2:-1]) == sorted(lines)
    assert "<<<<<<<" not in pages
    for number, wiki in enumerate(team):
        held = read_objects(wiki)
        for other in range(writers):
            word = f"zebra{other}x".encode()
            assert (word in held) == (other == number)
        check_index(wiki)
        check_health(wiki)
