"""A page that gathers several statements, and what it holds once one of them has lost (CON-17).

The statement that lost goes under "Earlier", with the day, a link to what took its place and the
reason. Each note of the branch that won becomes a statement of its own, in the order in which they
were told. Everything else on the page stays as it was. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.language.headline import headline
from companion.minority.beliefs import name_belief
from companion.minority.pages import Newcomer
from companion.pages import ids
from companion.pages.statements import (
    add_statement,
    clean_link_words,
    retire_opening,
    retire_statement,
    statement_id,
)
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

    @property
    def gathers(self) -> bool:
        """Tell whether several statements stand on the page."""
        return len(self.standing) > 1

    def find(self, capture: str | None) -> Standing | None:
        """Return the statement of *capture* if it stands."""
        for one in self.standing:
            if one.capture == capture:
                return one
        return None

    def is_opening(self, standing: Standing) -> bool:
        """Tell whether a statement is the page's opening, and no block."""
        return self.has_opening and standing.capture == self.origin

    def list_others(self, capture: str | None) -> list[Standing]:
        """Return the statements that stand beside that of *capture*."""
        return [one for one in self.standing if one.capture != capture]


def find_belief(page: ContestedPage, statement: str | None) -> str:
    """Return the name of what stands on *page* where a capture's *statement* is meant.

    None means the page as it began: its first note, where others stand beside it.
    """
    if page.gathers:
        return name_belief(page.entry, statement or page.origin)
    alone = [one.capture for one in page.standing]
    if statement is None or statement in alone:
        return page.entry
    if not alone and ids.entry_id(statement) == page.entry:
        return page.entry
    return name_belief(page.entry, statement)


def take_place(
    page: ContestedPage,
    loser: Standing | None,
    winners: Sequence[Newcomer],
    *,
    until: str,
    voices: int,
) -> str:
    """Return the text of *page* with *winners* on it, and *loser* under "Earlier".

    *until* is the moment of the change, *voices* the independent sources that decided it. Where
    *loser* is None, what lost stays where it is.
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
    if loser is None:
        return text
    link = _link_to(page.path, winners[0])
    reason = f"took its place ({many(voices, 'independent source')})."
    id = statement_id(loser.capture)
    if page.is_opening(loser):
        when = loser.when or until[:10]
        return retire_opening(text, id, when, until[:10], link, reason)
    return retire_statement(text, id, until[:10], link, reason)


def _link_to(path: str, winner: Newcomer) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    words = clean_link_words(headline(winner.words))
    return f"[[{name}#^{statement_id(winner.capture)}|{words}]]"
