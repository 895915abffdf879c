"""The documents of `list`, of `links` of one page, and of `today`."""

from typing import Literal, NotRequired, TypedDict

from companion.reading.results import (
    DependentResult,
    Neighbour,
    RunName,
    ShownMention,
)
from companion.values.results import Named

ListedState = Literal["pending", "active", "decaying", "archived"]


class ListedItem(TypedDict):
    """A page, or a note that waits for the next night."""

    id: str
    title: str
    path: str | None  # None: of a note that waits
    state: ListedState
    quarantined: bool
    created: str  # RFC 3339 UTC; of a note when it was told
    changed: str
    tags: list[str]


class PageList(TypedDict):
    """The pages and notes that a list was asked for, those that changed last first."""

    items: list[ListedItem]
    more: bool  # beyond the limit
    warning: NotRequired[str]


# The functional form, because `in` is a word of Python.
LinksOfPage = TypedDict(
    "LinksOfPage",
    {
        "page": Named,
        "out": list[Neighbour],
        "unresolved": list[str],
        "in": list[Neighbour],
        "mentions": list[ShownMention],
        # the pages that its notes name, and that it does not link to
        "names": list[Named],
        # what needs the page, stands elsewhere, and has no link to it
        "rests": list[DependentResult],
        "beyond": bool,  # there is more, too far away to be listed
        "warning": NotRequired[str],
    },
)


class CameIn(TypedDict):
    """A note that came in."""

    id: str
    title: str
    at: str
    state: str
    page: Named | None  # it stands on; None while it waits


class DayResult(TypedDict):
    """The arrivals and changes of one day of the local clock."""

    day: str  # YYYY-MM-DD, of the first moment
    start: str
    end: str
    captured: list[CameIn]
    changed: list[ListedItem]
    runs: list[RunName]
    warning: NotRequired[str]


class PageLink(TypedDict):
    """A link of a page, and the page that it leads to."""

    page: str
    target: str
    path: str | None
    # why an editor does not follow it; None where it does
    problem: str | None


class LinkList(TypedDict):
    """The links of the wiki's pages."""

    links: list[PageLink]
