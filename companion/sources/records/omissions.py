"""The omissions of a reader from an export, as warnings."""

from collections import Counter

from companion.sources.document import Unreadable
from companion.sources.records.values import changed

_MOST = 20  # places that are named one by one


class Omissions:
    """Collects what is not read: kinds are counted, places are named."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._sentences: list[str] = []
        self._more = 0
        self._failed = 0
        self._first = ""

    def count(self, what: str, number: int = 1) -> None:
        """Count *number* more of *what*, which is left out on purpose."""
        if number:
            self._counts[what] += number

    def say(self, sentence: str) -> None:
        """Add *sentence* to the warnings."""
        if len(self._sentences) < _MOST:
            self._sentences.append(sentence)
        else:
            self._more += 1

    def report(self, place: str, error: Unreadable) -> None:
        """Say that what stands at *place* could not be read, and why."""
        self._failed += 1
        self._first = self._first or str(error)
        self.say(f"{place} cannot be read: {error}")

    def check(self, read: int) -> None:
        """Raise Unreadable where more failed than the *read* pieces: the format has changed."""
        if self._failed > read:
            raise changed(
                f"{self._failed} of {self._failed + read} pieces cannot be read; the first one:"
                f" {self._first}"
            )

    def sentences(self) -> tuple[str, ...]:
        """Return the warnings, a sentence each."""
        said = list(self._sentences)
        if self._more:
            said.append(f"{self._more} more places cannot be read")
        if self._counts:
            parts = [f"{what} ({n})" for what, n in self._counts.items()]
            said.append("not read: " + ", ".join(parts))
        return tuple(said)
