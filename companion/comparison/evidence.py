"""What judges answered about the captures of a night, as values that later steps read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.comparison.consistency import Judged, Standing
from companion.comparison.pages import Page
from companion.judges.ask import Consultation, Tally
from companion.values.captures import Sighting
from companion.values.relations import Relation


class Anew(NamedTuple):
    """A page that stands beside the wiki, to be judged against what is in the wiki now."""

    page: Page  # under the id of its capture
    tellings: Sequence[Sighting]
    others: tuple[str, ...]  # entries
    wide: bool = False  # against its nearest pages, too


@dataclass
class Evidence:
    """What the judges made of tonight's captures."""

    stands: dict[str, Standing] = field(default_factory=dict)
    # capture -> why it waits
    unjudged: dict[str, str] = field(default_factory=dict)
    judged: dict[str, list[Judged]] = field(default_factory=dict)
    # phase 1, with members of branches and what is in quarantine
    within: list[Judged] = field(default_factory=list)
    asked: list[Consultation[Relation]] = field(default_factory=list)
    rules: bool = False  # judged by rules alone, which would say the same again
    # pages beside the wiki, by capture
    anew: dict[str, list[Judged]] = field(default_factory=dict)
    # capture -> entries that bear something, it may be about
    about: dict[str, list[str]] = field(default_factory=dict)
    # members judged again, each with the entry it is against
    rejoined: dict[str, str] = field(default_factory=dict)
    # claims against those of load-bearing entries
    attacks: list[Judged] = field(default_factory=list)

    def tallies(self) -> list[Tally]:
        return [asked.tally for asked in self.asked]
