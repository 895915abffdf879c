"""Things that move together in a night: notes, blocks of days, and the pages that they go to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.comparison.pending import (
    Home,
    Move,
    Placement,
)
from companion.pages import ids, links
from companion.pages.names import file_name
from companion.runs.run import Run
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
)
from companion.subjects.beginnings.spots import Spot


@dataclass(frozen=True)
class Gathering:
    """The things that move together tonight."""

    # where notes of tonight stand that would stand on their day
    placements: Mapping[str, Placement] = field(default_factory=dict)
    # capture -> the titled capture of tonight whose page it joins
    joins: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def join(self, other: "Gathering") -> "Gathering":
        """Return both; where both move a block, *other* does."""
        moved = {move.capture for move in other.moves}
        own = [move for move in self.moves if move.capture not in moved]
        return Gathering(
            {**self.placements, **other.placements},
            {**self.joins, **other.joins},
            (*own, *other.moves),
        )


class Block(NamedTuple):
    """A note that stands on a day page."""

    placed: PlacedStatement
    words: str
    day: str
    when: str  # to the minute, by the teller's clock
    spots: tuple[Spot, ...]


def make_home(
    run: Run, title: str, day: str, reason: str, beside: str = ""
) -> Home:
    """Return the new page of the subject *title*, begun on *day* (YYYY-MM-DD)."""
    key = links.title_key(title)
    name = file_name.make_file_name(title)
    path = f"{run.config.entries}/{day[:4]}/{day[5:7]}/{name}.md"
    entry = ids.subject_id("subject", key)
    return Home(entry, path, title, None, "subject", key, beside, day, reason)
