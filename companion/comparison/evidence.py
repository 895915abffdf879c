"""The answers of judges about the captures of a night, as values that later steps read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.comparison.candidate_pairs import SideId
from companion.comparison.consistency import Judged, Standing
from companion.comparison.pages import Page
from companion.judges.ask import Consultation, Tally
from companion.values.captures import Sighting
from companion.values.relations import Relation


class PageToJudge(NamedTuple):
    """A page that stands beside the wiki, to be judged against what is in the wiki now."""

    page: Page  # under the id of its capture
    sightings: Sequence[Sighting]
    others: tuple[SideId, ...]  # pages, or statements of them
    wide: bool = False  # against its nearest pages, too


@dataclass
class Evidence:
    """The answers of judges about tonight's captures."""

    standings: dict[str, Standing] = field(default_factory=dict)  # by capture
    # capture -> why it waits
    unjudged: dict[str, str] = field(default_factory=dict)
    judged: dict[str, list[Judged]] = field(default_factory=dict)  # by capture
    # phase 1, with members of branches and what is in quarantine
    among_captures: list[Judged] = field(default_factory=list)
    consultations: list[Consultation[Relation]] = field(default_factory=list)
    by_rules: bool = False  # rules alone judged: they would say the same again
    # pages beside the wiki, by capture
    judged_again: dict[str, list[Judged]] = field(default_factory=dict)
    # capture -> entries with dependents that it may be about
    about: dict[str, list[str]] = field(default_factory=dict)
    # members judged again, each with the entry it is against
    rejoined: dict[str, str] = field(default_factory=dict)
    # claims against those of load-bearing entries
    attacks: list[Judged] = field(default_factory=list)
    # of load-bearing entries, not believed: a person may be asked
    doubts: list[Judged] = field(default_factory=list)

    def tallies(self) -> list[Tally]:
        """Return the count of questions and answers of each consultation."""
        return [one.tally for one in self.consultations]
