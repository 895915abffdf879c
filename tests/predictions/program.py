"""Prediction 4 through the program: written worlds, lived twice, with promotion and without."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.life import commit_files
from tests.bench.streams import Life, World, foundation, weeks, worlds


class Twins(NamedTuple):
    """What one world answered in the end."""

    world: str
    won: bool
    whole: tuple[str, ...]  # the first texts that answer, with promotion
    without: tuple[str, ...]

    @property
    def is_influenced(self) -> bool:
        """Return whether the promotion changed the answer."""
        return self.won and self.whole != self.without


def live_twins(world: World) -> Twins:
    """Live *world* twice, and ask the same question."""
    won, whole = _live(world, "[]")
    never, without = _live(world, "[promotion]")
    assert not never, "the switch was ignored"
    return Twins(world["name"], won, whole, without)


def switch_off(root: Path, without: str) -> None:
    """Let the wiki *root* go *without* parts of the program; settings are read from the commit."""
    settings = root / ".companion" / "companion.yaml"
    settings.write_text(f"without: {without}\n", encoding="utf-8")
    commit_files(root, [str(settings)], "the experiment")


def run(half: str = "dev") -> Sequence[Twins]:
    """Live all worlds of one half."""
    return [live_twins(world) for world in worlds(half)]


def _live(world: World, without: str) -> tuple[bool, tuple[str, ...]]:
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        root = Path(folder) / "wiki"
        life = Life(root)
        switch_off(root, without)
        life.week(foundation(world))
        won = False
        for notes in weeks(world, "minority").values():
            done = life.week(notes)
            won = won or any(
                each["action"] == "promote" for each in done["branches"]
            )
        found = life.run("ask", world["update"]["ask"], "-C", str(root))
    said = [each["value"] for each in found["answers"]]
    said += [each["text"] for each in found["passages"][:1]]
    return won, tuple(said)
