"""The objects of *Memory as Metabolism* §4, as frozen values.

They are NamedTuples, not dataclasses: a cold `companion ingest` imports this module, and
`dataclasses` (through `inspect`) would cost it as much as the capture itself.
"""

from typing import NamedTuple

OWNER = "owner"  # who speaks, and reads, where no agent is named: the person whose machine it is


class Capture(NamedTuple):
    """A raw buffer entry (MaM §4, OBJ-1). Content is immutable from the moment it is written."""

    id: str  # sha256 of the content alone, 64 hex digits
    blob: str  # source pointer: the content's git blob hash
    ingested_at: str  # transaction time, RFC 3339 UTC with microseconds
    channel: str  # origin channel: cli, stdin, file, lines, jsonl, stream, …
    priority: float  # initial priority in [0, 1], a hint of the caller; TRIAGE never computes one
    title: str | None
    edges: tuple[str, ...]  # candidate edge placeholders: link targets as written, unresolved
    content: bytes


class Sighting(NamedTuple):
    """One telling of a capture's content: who said it, where, and when it was so (TRI-8)."""

    capture: str
    seen_at: str  # transaction time, RFC 3339 UTC with microseconds
    event_time: str  # when it was so; defaults to seen_at
    explicit: bool  # the event time was given, not defaulted
    source: str | None
    channel: str
    agent: str | None
    scope: str  # "shared" or "private"

    @property
    def owner(self) -> str:
        """Whose telling it is: the agent's, else the person's."""
        return self.agent or OWNER

    def is_open_to(self, who: str) -> bool:
        """Tell whether *who* may know of it: what is told in private is its owner's alone
        (LED-11).
        """
        return self.scope != "private" or self.owner == who


class Draft(NamedTuple):
    """What a person or a reader hands to TRIAGE: text and what they said about it."""

    text: str
    title: str | None = None
    event_time: str | None = None  # RFC 3339 UTC, None when not given
    channel: str = "cli"
    source: str | None = None
    agent: str | None = None
    scope: str = "shared"
    priority: float = 0.5
    origin: str = ""  # where to point in an error: "notes.jsonl line 7"; never stored


class Link(NamedTuple):
    """A reference from one page to another, as written."""

    target: str  # without heading, block or display text; percent-decoded for Markdown links
    kind: str  # "link" or "embed"


class Page(NamedTuple):
    """What the index needs to know of a Markdown page."""

    id: str | None  # the frontmatter's `id` where companion wrote the page
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[Link, ...]
    status: str | None
    managed: bool  # `companion: managed`, or a page companion wrote
    body: str  # the text after the frontmatter
    problem: str | None  # why the frontmatter could not be read; the whole text is then the body
    pinned: bool = False  # `pinned: true`: its owner wants it never to fade
    original: str | None = None  # the blob of its full text, where this one is compressed
