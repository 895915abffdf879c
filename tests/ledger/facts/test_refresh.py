"""A page whose facts are brought up to date thing by thing reads as if they were all written anew."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.ledger.facts import update
from tests.wiki import Wiki, check_index

PEOPLE = ("Anna", "Paul", "Yusuf")
ALIAS = "Tom is also known as {who}."
PLACES = ("Bern", "Rome", "Lyon", "Graz", "Oslo")
FORMS = (
    "{who} lives in {place}.",
    "{who} moved to {place}.",
    "{who} moves to {place} in December.",
    "{who} no longer lives in {place}.",
    "Lunch with {who}. The new job starts in {place}.",
    "Saw {who}. The office moved to {place}.",
    "The office is in {place}.",
    "{who}'s sister lives in {place}.",
    "# {who}\n\nprice:: {place}\n",
    "# {who}\n\nowner:: {place}\nprice:: 300\n",
)


@contextmanager
def all_written_anew(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nights write all facts of a page of which any may change."""
    with patch.context() as patched:
        patched.setattr(update, "have_names_changed_since", lambda *_: True)
        yield


def live(root: Path, seed: int) -> Wiki:
    """Live some nights of random notes, edits of lines by hand, and nights taken back."""
    chance = random.Random(seed)
    wiki = Wiki.new(root)
    wiki.ingest_pages(*(f"# {who}\n\n{who} is a friend." for who in PEOPLE))
    wiki.consolidate()
    for _ in range(7):
        wiki.tick(days=1)
        notes = [
            form.format(who=chance.choice(PEOPLE), place=chance.choice(PLACES))
            for form in chance.choices(FORMS, k=chance.randint(1, 3))
        ]
        if chance.random() < 0.05:
            notes.append(ALIAS.format(who=chance.choice(PEOPLE)))
        wiki.ingest_pages(*notes)
        done = wiki.consolidate()
        dice = chance.random()
        if dice < 0.05 and done["run"]:
            undo.undo(wiki.ws, done["run"])
        elif dice < 0.2:
            edit_a_line(wiki, chance)
    return wiki


def edit_a_line(wiki: Wiki, chance: random.Random) -> None:
    """Change or delete a line of a facts section, as its owner does."""
    lines = [
        (path, line)
        for path, content in sorted(wiki.files().items())
        if path.startswith("entries/")
        for line in content.decode().partition("## Facts\n")[2].splitlines()
        if line.startswith("- ")
    ]
    if not lines:
        return
    path, line = chance.choice(lines)
    mine = chance.choice(("", line.replace("(told", "(I think, told") + "\n"))
    wiki.write(path, wiki.read(path).replace(line + "\n", mine, 1))
    wiki.adopt()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_thing_by_thing_is_as_all_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    quick = live(tmp_path / "quick", seed)
    with all_written_anew(monkeypatch):
        whole = live(tmp_path / "whole", seed)
    assert quick.files() == whole.files()
    assert any(b"## Facts" in content for content in quick.files().values())
    check_index(quick)
