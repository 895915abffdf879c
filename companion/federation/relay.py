"""A relay: the member that adds the sheets of a round and releases what five own. Pure, but for the
sheets it holds until the week is over.
"""

import numpy

from companion.federation.sums.groups import Sum, draw_groups, release_topics
from companion.federation.sums.masks import add_sheets
from companion.federation.sums.sketch import SIZE, Sheet
from companion.federation.unit import Unit
from companion.federation.wire import (
    ALREADY,
    MASKED,
    NOISY,
    NOT_COMPLETE,
    REFUSED,
    TAKEN,
    TOO_FEW,
    WIRE_VERSION,
    WRONG_ROUND,
    Round,
)

#: weeks that the clocks of two members may be apart
SLACK = 1


class Relay:
    """The sheets that one member holds for others, of this week and the last."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        # (week, form) -> position -> its sheet
        self._held: dict[tuple[int, int], dict[int, Sheet]] = {}

    def take(self, member: int, round: Round, sheet: Sheet, week: int) -> int:
        """Take the sheet of the *member* at a position; return the answer. *week* is now.

        A second sheet for one round is refused: the difference of two would tell what changed.
        """
        refusal = self._refuse(round, week)
        if refusal:
            return refusal
        held = self._held.setdefault((round.week, round.form), {})
        if member in held:
            return (
                ALREADY if numpy.array_equal(held[member], sheet) else REFUSED
            )
        held[member] = sheet
        for key in [key for key in self._held if key[0] < week - SLACK]:
            del self._held[key]
        return TAKEN

    def release(self, round: Round, week: int) -> tuple[int, int, Sheet]:
        """Return answer, members and sum of a round: once all have told, or its week is over."""
        nothing = numpy.zeros(SIZE, dtype=numpy.uint64)
        refusal = self._refuse(round, week)
        if refusal:
            return refusal, 0, nothing
        if round.form != MASKED:
            return REFUSED, 0, nothing
        held = self._held.get((round.week, MASKED), {})
        least = self.unit.profile.least
        groups = draw_groups(
            len(self.unit.members), least, self.unit.salt, round.week
        )
        whole = [one for one in groups if all(each in held for each in one)]
        if len(whole) < len(groups) and round.week >= week:
            return NOT_COMPLETE, 0, nothing
        sums = [
            Sum(add_sheets([held[each] for each in one]), len(one))
            for one in whole
        ]
        released = release_topics(sums, least)
        return TAKEN, released.members, released.sheet

    def list_noisy(self, week: int) -> list[Sheet]:
        """Return the noisy sheets that others told in a *week*."""
        return list(self._held.get((week, NOISY), {}).values())

    def _refuse(self, round: Round, week: int) -> int:
        """Return why a round is not answered; 0 where it is."""
        if round.version != WIRE_VERSION or round.form not in (MASKED, NOISY):
            return REFUSED
        if round.roster != self.unit.roster:
            return REFUSED
        if len(self.unit.members) < self.unit.profile.least:
            return TOO_FEW
        if abs(round.week - week) > SLACK:
            return WRONG_ROUND
        return 0
