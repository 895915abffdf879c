"""The numbers that a note gives its own lines: "7. The director of Acme is Adam." (LED-10)."""

import re
from bisect import bisect_right

from companion.values.claims import Claim

# All blanks before them are taken or none: of a long text most are blank when it is read.
# "7.", "7)", "7:", "(7)", "[7]", "#7", "No. 7:", "Fact 7:" before the words of a line
_NUMBER = re.compile(
    r"""^[ \t]*+(?:[-*+][ \t]+)?
    (?:(?:no|nr|fact|item|statement|update)\.?[ \t]*(?=\d))?
    (?:\#(?P<hash>\d{1,9})[.:)]? | [(\[]?(?P<plain>\d{1,9})[.:)\]]+)
    [ \t]+(?=\S)""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


_FEWEST = 5  # lines of a list
_SHARE = (
    0.8  # of a text's lines: what has fewer numbered ones is no list of facts
)
_LONGEST = 300  # characters of a line that states a fact


def count_listed(text: str) -> int:
    """Return how many lines the list of numbered facts that *text* is has; 0: it is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    listed = [line for line in lines if _is_listed(line)]
    if len(listed) < max(_FEWEST, _SHARE * len(lines)):
        return 0
    return len(listed)


def _is_listed(line: str) -> bool:
    return len(line) <= _LONGEST and _NUMBER.match(line) is not None


class NumberedLines:
    """The numbered lines of one text; most texts have none."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []
        self._numbers: list[int] = []
        for match in _NUMBER.finditer(text):
            self._starts.append(match.start())
            self._numbers.append(int(match["hash"] or match["plain"]))

    @property
    def range(self) -> tuple[int, int] | None:
        """Return the lowest and the highest number; None where no line has one."""
        if not self._numbers:
            return None
        return min(self._numbers), max(self._numbers)

    def number(self, claim: Claim) -> Claim:
        """Return *claim* with the number of its line, if that has one."""
        place = bisect_right(self._starts, claim.span.start) - 1
        if place < 0:
            return claim
        between = self._text[self._starts[place] : claim.span.start]
        if "\n" in between:
            return claim
        return claim._replace(number=self._numbers[place])
