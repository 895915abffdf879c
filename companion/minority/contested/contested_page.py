"""A page that gathers several statements, and what it holds once one of them has lost (CON-17).

The statement that lost goes under "Earlier", with the day, a link to what took its place and the
reason. Each note of the branch that won becomes a statement of its own, in the order in which they
were told. They are one belief on the page: a branch against one of them is against all, and they
lose together. Everything else on the page stays as it was. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.language.headline import headline
from companion.minority.beliefs import name_belief
from companion.minority.pages import Newcomer
from companion.pages import ids
from companion.pages.statement_edits import (
    add_statement,
    clean_link_words,
    retire_opening,
    retire_statement,
)
from companion.pages.statements import statement_id
from companion.values.wording import many


class Standing(NamedTuple):
    """A statement that stands on a page."""

    capture: str
    when: str  # as its heading says, or its day
    words: str


class ContestedPage(NamedTuple):
    """A page with the statements that stand on it."""

    entry: str
    path: str
    title: str
    text: str
    standing: tuple[Standing, ...] = ()
    # the capture that the page began with, and whether its words have no block
    origin: str | None = None
    has_opening: bool = False
    order: Mapping[str, str] = {}  # when each block was told, by its id
    # captures that came with one branch, each with the first of them
    together: Mapping[str, str] = {}

    @property
    def gathers(self) -> bool:
        """Tell whether several beliefs stand on the page."""
        return len({self._group(one.capture) for one in self.standing}) > 1

    def find(self, capture: str | None) -> Standing | None:
        """Return the statement of *capture* if it stands."""
        for one in self.standing:
            if one.capture == capture:
                return one
        return None

    def find_first(self, capture: str) -> str:
        """Return the first standing statement of the belief of *capture*; itself if none stands."""
        for one in self.standing:
            if self._group(one.capture) == self._group(capture):
                return one.capture
        return capture

    def list_same(self, capture: str | None) -> list[Standing]:
        """Return the standing statements of the belief of *capture*."""
        if capture is None:
            return []
        group = self._group(capture)
        return [
            one for one in self.standing if self._group(one.capture) == group
        ]

    def is_opening(self, standing: Standing) -> bool:
        """Tell whether a statement is the page's opening, and no block."""
        return self.has_opening and standing.capture == self.origin

    def list_others(self, capture: str | None) -> list[Standing]:
        """Return the statements that stand beside the belief of *capture*."""
        same = self.list_same(capture)
        return [one for one in self.standing if one not in same]

    def _group(self, capture: str) -> str:
        return self.together.get(capture, capture)


def find_belief(page: ContestedPage, statement: str | None) -> str:
    """Return the name of what stands on *page* where a capture's *statement* is meant.

    None means the page as it began: its first note, where others stand beside it.
    """
    if page.gathers:
        meant = statement or page.origin
        if meant is not None:
            meant = page.find_first(meant)
        return name_belief(page.entry, meant)
    alone = [one.capture for one in page.standing]
    if statement is None or statement in alone:
        return page.entry
    if not alone and ids.entry_id(statement) == page.entry:
        return page.entry
    return name_belief(page.entry, statement)


def take_place(
    page: ContestedPage,
    losers: Sequence[Standing],
    winners: Sequence[Newcomer],
    *,
    stands: Newcomer,
    until: str,
    voices: int,
) -> str:
    """Return the text of *page* with *winners* on it, and *losers* under "Earlier".

    *stands* is the note that took their place, one of *winners* or of the page.
    *until* is the moment of the change, *voices* the independent sources that decided it.
    """
    text = page.text
    order = dict(page.order)
    for one in winners:
        order[statement_id(one.capture)] = one.told
    for one in winners:
        id = statement_id(one.capture)
        # the page of a day does not repeat the day
        when = one.minute.removeprefix(f"{page.title} ")
        text = add_statement(text, id, when, one.words, order=order)
    link = _link_to(page.path, stands)
    reason = say_reason(voices)
    day = until[:10]
    for loser in losers:
        id = statement_id(loser.capture)
        if page.is_opening(loser):
            when = loser.when or day
            text = retire_opening(text, id, when, day, link, reason)
        else:
            text = retire_statement(text, id, day, link, reason)
    return text


def say_reason(voices: int) -> str:
    """Return why something lost, as the line below it says behind what took its place."""
    return f"took its place ({many(voices, 'independent source')})."


def _link_to(path: str, winner: Newcomer) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    words = clean_link_words(headline(winner.words))
    return f"[[{name}#^{statement_id(winner.capture)}|{words}]]"
