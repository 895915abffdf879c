"""The pages that captures of a night contradict, each read once."""

from companion.minority.contested.contested_page import (
    ContestedPage,
    find_belief,
)
from companion.minority.contested.contests import find_contradicted
from companion.minority.contested.read_contested_page import read_contested_page
from companion.runs.run import Run
from companion.values.relations import Statement


class ContestedPages:
    """The pages that captures of a night contradict, with their statements."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: dict[str, ContestedPage | None] = {}

    def read(self, entry: str) -> ContestedPage | None:
        """Return the page of *entry* with its statements; None if it has no page."""
        if entry not in self._pages:
            page = read_contested_page(self._run.db, self._run.repo, entry)
            self._pages[entry] = page
        return self._pages[entry]

    def find_belief(self, entry: str, statement: str | None) -> str:
        """Return the name of the *statement* on the page of *entry*; None means the page."""
        page = self.read(entry)
        return entry if page is None else find_belief(page, statement)

    def find_contradicted(
        self, entry: str, named: str | None, note: Statement
    ) -> str:
        """Return the name of what *note* contradicts on the page of *entry*."""
        page = self.read(entry)
        return entry if page is None else find_contradicted(page, named, note)
