"""Captures that wait for a night, the pages they may join, and the plan of what becomes of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.comparison.cohesion import Cohesion
from companion.comparison.consistency import Judged
from companion.language.headline import headline
from companion.language.names.naming_contradictions import name_contradiction
from companion.language.names.naming_conversations import name_conversation
from companion.pages import page
from companion.values.captures import CHAT, Capture, Sighting
from companion.values.time import local_day

# files whose captures belong together in a way of their own
FILE = "file"


class PendingCapture(NamedTuple):
    """A pending capture with the tellings that the wiki may know of (never the private ones)."""

    capture: Capture
    sightings: tuple[Sighting, ...]
    private: bool = False  # told in private only
    lost: bool = False  # its bytes are gone
    # why it stays although nothing is wrong with it: its run left the branch
    held: str | None = None


def _find_no_title(entry: str) -> None:
    """Know no title: for a wiki without pages."""


class TitledPage(NamedTuple):
    """A page of the wiki that bears a title."""

    id: str
    path: str
    blob: str
    managed: bool
    title: str = ""


def _nothing_told(path: str) -> Mapping[str, str]:
    return {}


def _no_captures(path: str) -> dict[str, str]:
    return {}


class PageWithText(NamedTuple):
    """A page and what it says."""

    page: TitledPage
    text: str


def _no_links(capture: str) -> Sequence[str]:
    return ()


def _no_page(entry: str) -> PageWithText | None:
    return None


def _no_opening(entry: str) -> "Opening | None":
    return None


class Home(NamedTuple):
    """The page that a note stands on which asks for no title of its own."""

    entry: str
    path: str
    title: str
    blob: str | None  # None: the page is new
    # what it gathers: "day", "subject", "series", or "page" for one of its own title
    kind: str
    key: str = ""  # of what it gathers; empty for "page"
    beside: str = ""  # a page of its owner's that a new one is to link
    created: str = ""  # the day of the first note of a new page
    reason: str = ""  # why a new page begins, a sentence
    language: str = "en"  # of the header of a new series


class Placement(NamedTuple):
    """Where a note stands, and which other pages it concerns."""

    home: Home
    rule: str  # of aboutness, that decided
    reason: str  # a sentence
    mentions: tuple[TitledPage, ...] = ()


class Move(NamedTuple):
    """A note that goes from its day's page to the page of what it is about."""

    capture: str
    words: str  # as the page has them
    when: str  # as a heading says it on the page that it goes to
    told_at: str  # event time of its first telling (RFC 3339 UTC)
    source: TitledPage  # where it stands
    entry: str  # where it goes
    # it is linked only: it names the page in passing, or a person changed it
    stays: bool


class Opening(NamedTuple):
    """The one note that a page was made of, while nobody changed its words."""

    capture: str
    told_at: str  # event time of its first telling (RFC 3339 UTC)
    utc_offset: int | None  # minutes


@dataclass(frozen=True)
class WikiContext:
    """The wiki as CONSOLIDATE may know it: its names, and the text of pages that may grow."""

    # title key -> the pages that bear it
    titles: Mapping[str, Sequence[TitledPage]]
    # is this basename (casefolded, no suffix) in use anywhere in the vault?
    taken: Callable[[str], bool]
    texts: Mapping[str, str]  # path -> text, for every managed target
    blocked: Mapping[str, str]  # path -> why it must not be touched tonight
    # does this link target resolve in the wiki?
    resolves: Callable[[str], bool]
    # capture -> the reason recorded when it was last left waiting
    waiting: Mapping[str, str]
    folder: str = "entries"
    # chats whose page its owner deleted, by title key: it is not made again
    deleted_chats: Collection[str] = ()
    # where notes go that ask for no title of their own, by capture
    placements: Mapping[str, Placement] = field(default_factory=dict)
    # capture -> the entries that it may be about, the likeliest first
    about: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # capture -> the titled capture of tonight whose page it joins
    joins: Mapping[str, str] = field(default_factory=dict)
    # notes of earlier nights that go to another page
    moves: Sequence[Move] = ()
    # a page -> when each of its statements was told, by id
    told_at: Callable[[str], Mapping[str, str]] = _nothing_told
    # a page -> the captures that stand on it, by the ids of their statements
    captures_at: Callable[[str], dict[str, str]] = _no_captures
    # an entry -> its page and text, if it is there and may be touched tonight
    page_of: Callable[[str], PageWithText | None] = _no_page
    # a capture -> the entries that may have a derived line for it
    linking: Callable[[str], Sequence[str]] = _no_links
    # an entry -> the note that its page was made of, if it still says just that
    opening: Callable[[str], Opening | None] = _no_opening
    # entry -> its title
    title_of: Callable[[str], str | None] = _find_no_title


class PlacedNote(NamedTuple):
    """A note on a page of the plan."""

    # without its bytes: a night of many captures holds each text once
    told: PendingCapture
    cohesion: Cohesion
    reason: str
    against: Judged | None = None  # what speaks against it most
    rule: str = ""  # of aboutness, that chose the page
    mentions: tuple[str, ...] = ()  # other entries that it concerns


@dataclass(frozen=True)
class PlannedPage:
    """A page the plan wants to exist."""

    entry: str
    path: str
    title: str
    content: bytes
    base_blob: str | None  # None: the page is new
    notes: tuple[PlacedNote, ...]  # that it takes in; a page may change without
    cohesion: Cohesion  # of the note that fits least
    reason: str
    # of a new page: what it gathers, as (kind, key); None for one of its own title
    subject: tuple[str, str] | None = None
    moves: tuple[Move, ...] = ()  # that it takes in

    @property
    def captures(self) -> tuple[PendingCapture, ...]:
        """The captures that the page takes in."""
        return tuple(note.told for note in self.notes)


class WaitingCapture(NamedTuple):
    """A capture that stays in the extended buffer."""

    told: PendingCapture
    reason: str
    new: bool  # the ledger does not say so yet


@dataclass(frozen=True)
class ConsolidationPlan:
    """The pages that a night would write, and the captures that would wait."""

    pages: tuple[PlannedPage, ...]
    waits: tuple[WaitingCapture, ...]
    # (capture, entry, new tellings)
    sighted: tuple[tuple[str, str, tuple[Sighting, ...]], ...]


def requested_title(told: PendingCapture) -> str | None:
    """Return the title that a capture asks for: its own, or for a chat its source and day.

    A chat's is only what its turns come together by: its page is named by `name_chat`.
    """
    first = told.sightings[0]
    if told.capture.title is None and first.channel == CHAT and first.source:
        return f"{first.source} {_day_of(first)}"
    return told.capture.title


def _day_of(first: Sighting) -> str:
    return local_day(first.event_time, first.utc_offset)


def name_chat(turns: Sequence[PendingCapture], words: Sequence[str]) -> str:
    """Return the title of the page that *turns* of a conversation make; *words* are what they say.

    It names who took part, else what it was about.
    """
    first = turns[0].sightings[0]
    people = [turn.sightings[0].agent or "" for turn in turns]
    return name_conversation(people, first.source or "", _day_of(first), words)


def is_chat(told: PendingCapture) -> bool:
    """Tell whether a capture is an untitled turn of a conversation."""
    return told.capture.title is None and requested_title(told) is not None


def page_title(
    told: PendingCapture, text: str, contested: str | None = None
) -> str:
    """Return the title of the page that a capture alone would make.

    A note without a title of its own that speaks against a page is named by the title of that page,
    *contested*, and what it says.
    """
    asked = requested_title(told)
    if asked:
        return asked
    parsed = page.parse(text, "note.md")
    if parsed.title != "note":
        return parsed.title
    if contested:
        return name_contradiction(parsed.body, contested)
    return headline(parsed.body)


def format_chat_turn(told: PendingCapture) -> str:
    """Return one turn of a conversation: who said it, and the words."""
    speaker = told.sightings[0].agent
    words = told.capture.content.decode("utf-8")
    if not speaker:
        return words
    return f"**{speaker}:** {words}"
