"""Lives of plain notes that are taken back: each run, newest first, must give the tree back.

The lives are made from a seed. On each day a person tells notes with and without titles, edits pages
by hand, or says where a note belongs; each of these is a run. After every run the index equals one
built from nothing, and every note stands once.
"""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from companion.adoption.undo import undo
from companion.operations.consolidate.belongs import CannotMove, belongs
from companion.pages.statements import read_statements
from tests.bench import bare
from tests.bench.gathering import PEOPLE, make_note
from tests.statements import list_managed
from tests.wiki import Wiki, check_index, check_statements

SEED = 20261123
RUNS_OF_A_LIFE = 25
THEIRS = {
    "Garden.md": "# Garden\n\nTomatoes want sun. See [[Anna]].\n",
    "Choir.md": "My own page of the choir.\r\n",
}


class Taken(NamedTuple):
    """A run of a life, and every page as it was before."""

    run: str
    kind: str
    before: dict[str, bytes]


class Undone(NamedTuple):
    """How many lives were taken back, their runs by kind, and the lives that were not as before."""

    lives: int
    kinds: Counter[str]
    violations: int


def live(wiki: Wiki, chance: random.Random, runs: int) -> list[Taken]:
    """Live until *runs* runs are made; each with what it found."""
    made: list[Taken] = []
    while len(made) < runs:
        wiki.tick(days=1)
        acts = [_tell]
        if made:
            acts += chance.sample([_edit, _place], chance.randint(0, 2))
        for act in acts:
            before = wiki.files()
            run = act(wiki, chance)
            if run is not None:
                made.append(Taken(run, act.__name__.strip("_"), before))
                check_notes(wiki)
    return made


def take_back(wiki: Wiki, made: list[Taken]) -> list[str]:
    """Undo each run, newest first; return what is not as it was."""
    found = []
    for taken in reversed(made):
        wiki.tick()
        done = undo(wiki.ws, taken.run)
        after = wiki.files()
        if after != taken.before:
            differing = list_differing(taken.before, after)
            found.append(f"{taken.kind} {taken.run}: {differing}")
            found += [f"  left out: {item}" for item in done["left_out"]]
            return found  # what follows would not find what it left
        check_notes(wiki)
    return found


def check_notes(wiki: Wiki) -> None:
    """Assert that the index is that of the tree, and that every note stands once."""
    check_index(wiki)
    check_statements(wiki)


def undoing(work: Path, runs: int) -> Undone:
    """Take back *runs* runs of lives of their own; print and return what became of them."""
    bare.forget_durability()
    violations = 0
    kinds: Counter[str] = Counter()
    lives = range(-(-runs // RUNS_OF_A_LIFE))
    for life in lives:
        wiki = Wiki.new(work / str(life), THEIRS)
        size = min(RUNS_OF_A_LIFE, runs - life * RUNS_OF_A_LIFE)
        made = live(wiki, random.Random(SEED + life), size)
        found = take_back(wiki, made)
        for line in found:
            print(f"VIOLATION life {life}: {line}")
        violations += bool(found)
        kinds.update(taken.kind for taken in made)
    told = ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items()))
    print(f"{kinds.total()} runs of {len(lives)} lives taken back ({told})")
    print(f"violations: {violations}")
    return Undone(len(lives), kinds, violations)


# -- what a person does ----------------------------------------------------------------------------

_Act = Callable[[Wiki, random.Random], str | None]


def _tell(wiki: Wiki, chance: random.Random) -> str | None:
    """Tell a few notes, some with a title; a night follows."""
    for _ in range(chance.randint(1, 5)):
        note = make_note(chance)
        text = f"{note.text} ({chance.randint(0, 9999)})"
        if note.about == "weight":
            text = note.text
        kind = chance.random()
        if kind < 0.12:
            wiki.ingest(text, title=note.about or chance.choice(PEOPLE))
        elif kind < 0.2:
            wiki.ingest(f"# {note.about or 'Odds'}\n\n{text}")
        elif kind < 0.25:
            wiki.ingest(f"{text}\n\n```\ncode\n```")
        elif kind < 0.3:
            wiki.ingest(f"[[{chance.choice(PEOPLE)}]]: {text}")
        else:
            wiki.ingest(text)
    run: str | None = wiki.consolidate()["run"]
    return run


def _edit(wiki: Wiki, chance: random.Random) -> str | None:
    """Change a page by hand: a line between the blocks, at the end, or in their words."""
    pages = list_managed(wiki.files())
    path, text = chance.choice(sorted(pages.items()))
    blocks = read_statements(text)
    line = f"A line of my own {chance.randint(0, 9999)}."
    kind = chance.random()
    if blocks and kind < 0.4:
        at = chance.choice(blocks).stop
        lines = text.split("\n")
        text = "\n".join([*lines[:at], "", line, *lines[at:]])
    elif blocks and kind < 0.6:
        words = chance.choice(blocks).words
        text = text.replace(words, f"Rather: {words}", 1)
    else:
        text = f"{text.rstrip()}\n\n{line}\n"
    wiki.write(path, text)
    run: str | None = wiki.adopt()["run"]
    return run


def _place(wiki: Wiki, chance: random.Random) -> str | None:
    """Say of a note that it belongs on another page, or on one that is to begin."""
    pages = list_managed(wiki.files())
    notes = [one.id for text in pages.values() for one in read_statements(text)]
    if not notes:
        return None
    title = chance.choice(PEOPLE)
    wiki.tick()
    try:
        done = belongs(wiki.ws, chance.choice(notes), title)
    except CannotMove:
        return None  # it stands there, or a person edited it
    return done["run"]


def list_differing(
    before: dict[str, bytes], after: dict[str, bytes]
) -> list[str]:
    """Return the paths whose bytes differ."""
    paths = sorted(before.keys() | after.keys())
    return [path for path in paths if before.get(path) != after.get(path)]
