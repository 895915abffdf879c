"""The power fails: every disk that the recorded calls of a scene may leave, and the next command on
each.
"""

import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.durability.faults import check
from tests.durability.faults.calls import Op
from tests.durability.faults.check import Begun
from tests.durability.faults.child import Before, Forked
from tests.durability.faults.disk import State, states
from tests.durability.faults.kills import all_of, tap
from tests.durability.scenes import Stage


class Cut(NamedTuple):
    """One disk after a power cut, and what it must be compared with."""

    begun: Begun
    spec: str
    state: State
    name: str  # of the wiki's folder


def cuts(
    stage: Stage, name: str, dice: random.Random, mutate: Before | None = None
) -> Iterator[Cut]:
    """Yield every distinct disk that a power cut during the scene's command may leave; then with
    failed fsyncs.
    """
    names = yield from _recorded(stage, name, dice, 0, mutate)
    syncs = [
        n
        for n, what in enumerate(names, 1)
        if what.startswith(("fsync #", "syncfs"))
    ]
    for n in sorted(dice.sample(syncs, min(3, len(syncs)))):
        yield from _recorded(stage, name, dice, n, mutate)


def _recorded(
    stage: Stage,
    name: str,
    dice: random.Random,
    failing: int,
    mutate: Before | None,
) -> Iterator[Cut]:
    """Record the scene once, its call number *failing* being an fsync that fails; return the names
    of its calls.
    """
    wiki = Forked(stage.fresh(name).root)
    begun, record = (
        check.begin(name, wiki),
        str(stage.folder / f"{wiki.root.parent.name}.log"),
    )
    armed = [
        *([mutate] if mutate else []),
        tap(wiki, failing, "unsynced", record=record).install,
    ]
    done = wiki.run(
        "--json",
        *begun.argv,
        stdin=begun.scene.stdin,
        before=lambda: all_of(armed),
    )
    assert failing or done.returncode == 0, (name, done.stdout, done.stderr)
    check.clear(wiki)
    names, log = _load(record)
    after = f" after call {failing} failed as an fsync" if failing else ""
    for state in states(log, dice):
        yield Cut(
            begun,
            f"power cut at {state.at}, {state.how}{after}",
            state,
            wiki.root.name,
        )
    return names


def _load(record: str) -> tuple[list[str], list[Op]]:
    with open(record, "rb") as file:
        names, log = pickle.load(file)
    Path(record).unlink()
    return names, log


def survive(folder: Path, cut: Cut, mutate: Before | None = None) -> None:
    """Run the next command on the disk; raise Violation where a promise is broken."""
    folder.mkdir()
    cut.state.write(folder)
    wiki = Forked(folder / cut.name)
    try:
        # a person comes back to the folder they were in
        wiki.root.mkdir(exist_ok=True)
        check.recover(cut.begun, wiki, cut.state.said, mutate)
    finally:
        check.clear(wiki)
