"""The objects of *Memory as Metabolism* §4, as frozen values.

They are NamedTuples, not dataclasses: a cold `companion ingest` imports this module, and
`dataclasses` (through `inspect`) would cost it as much as the capture itself.
"""

import re

from companion.annotations import Literal
from companion.tuples import NamedTuple
from companion.values.hashing import sha1, sha256

_MOST_EDGES = 64

# channels of what a source hands over: the text of a document; in a conversation what its owner
# says, what somebody else says, and what a language model says; what another program remembered
RESERVED = "source-"  # what their names begin with: nobody else's may
SOURCE = "source-text"
TURN = "source-turn"
SPEECH = "source-speech"
MODEL = "source-model"
MEMORY = "source-memory"

# the channel of what takes tellings back: no telling itself
WITHDRAWN = "source-withdrawn"

# of a conversation that was captured turn by turn
CHAT = "chat"

# who speaks, and reads, where no agent is named: the person whose machine it is
OWNER = "owner"


class Capture(NamedTuple):
    """A raw buffer entry (MaM §4, OBJ-1). Content is immutable from the moment it is written."""

    id: str  # sha256 of the content alone, 64 hex digits
    blob: str  # source pointer: the content's git blob hash
    ingested_at: str  # transaction time, RFC 3339 UTC with microseconds
    channel: str  # origin channel: cli, stdin, file, lines, jsonl, stream, …
    # initial priority in [0, 1], a hint of the caller; TRIAGE never computes one
    priority: float
    title: str | None
    # candidate edge placeholders: link targets as written, unresolved
    edges: tuple[str, ...]
    content: bytes


Scope = Literal["shared", "private"]


class Sighting(NamedTuple):
    """One telling of a capture's content: who said it, where, and when it was so (TRI-8)."""

    capture: str
    seen_at: str  # transaction time, RFC 3339 UTC with microseconds
    event_time: str  # when it was so; defaults to seen_at
    explicit: bool  # the event time was given, not defaulted
    source: str | None
    channel: str
    agent: str | None
    scope: Scope
    # the teller's, in minutes east of UTC; None where it is unknown or 0
    utc_offset: int | None = None
    device: str | None = None  # what its person called it; None: it has no name

    @property
    def owner(self) -> str:
        """The owner of the telling: the agent, else the person."""
        return self.agent or OWNER

    def is_open_to(self, who: str) -> bool:
        """Tell whether *who* may know of it: what is told in private is its owner's alone
        (LED-11).
        """
        return self.scope != "private" or self.owner == who

    def takes_back(self, other: "Sighting") -> bool:
        """Tell whether this takes the telling *other* back, by its teller or by the owner.

        In private everybody takes back only their own.
        """
        if self.channel != WITHDRAWN or self.scope != other.scope:
            return False
        is_owners = self.agent is None and other.scope == "shared"
        is_own = self.agent == other.agent or is_owners
        return is_own and other.seen_at < self.seen_at

    def is_same(self, other: "Sighting") -> bool:
        """Tell whether both are one telling: a version of companion that knew of no offsets or
        devices may have passed it on without.
        """
        return self.without_details() == other.without_details()

    def without_details(self) -> "Sighting":
        """Return the telling as any version of companion passes it on."""
        return self._replace(utc_offset=None, device=None)

    def complete(self, copy: "Sighting") -> "Sighting":
        """Return this telling with what a *copy* of it knows more; every machine chooses alike."""
        return self._replace(
            utc_offset=_choose_offset(self.utc_offset, copy.utc_offset),
            device=_choose_device(self.device, copy.device),
        )


class Draft(NamedTuple):
    """The text that a person or a reader hands to TRIAGE, with what they said about it."""

    text: str
    title: str | None = None
    event_time: str | None = None  # RFC 3339 UTC, None when not given
    channel: str = "cli"
    source: str | None = None
    agent: str | None = None
    scope: Scope = "shared"
    priority: float = 0.5
    # where to point in an error: "notes.jsonl line 7"; never stored
    origin: str = ""
    # of the event time as given, in minutes; None where it has none or is in UTC
    utc_offset: int | None = None


class Link(NamedTuple):
    """A reference from one page to another, as written."""

    # without heading, block or display text; percent-decoded for Markdown links
    target: str
    kind: str  # "link", "embed", or "mention" in a derived line


class Page(NamedTuple):
    """The parts of a Markdown page that the index needs."""

    id: str | None  # the frontmatter's `id` where companion wrote the page
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    links: tuple[Link, ...]
    status: str | None
    managed: bool  # `companion: managed`, or a page companion wrote
    body: str  # the text after the frontmatter
    # why the frontmatter could not be read; the whole text is then the body
    problem: str | None
    pinned: bool = False  # `pinned: true`: its owner wants it never to fade
    # the blob of its full text, where this one is compressed
    original: str | None = None
    myself: bool = False  # `myself: true`: it says who its owner is


def make_capture(draft: Draft, ingested_at: str) -> Capture:
    """Return the buffer entry of a judged *draft* (OBJ-1): its id and time exist before any write
    (TRI-2).

    The id is the sha256 of the UTF-8 content alone, so that the same words are the same capture
    (TRI-3).
    """
    content = draft.text.encode()
    name, blob = sha256(), sha1()
    name.update(content)
    blob.update(b"blob %d\0" % len(content))
    blob.update(content)
    return Capture(
        id=name.hexdigest(),
        blob=blob.hexdigest(),
        ingested_at=ingested_at,
        channel=draft.channel,
        priority=draft.priority,
        title=draft.title or heading(draft.text),
        edges=link_placeholders(draft.text),
        content=content,
    )


def make_sighting(
    draft: Draft,
    capture_id: str,
    seen_at: str,
    default: str | None = None,
    *,
    device: str | None = None,
) -> Sighting:
    """Return one telling of a capture by a judged *draft* (TRI-8); without an event time, it was so
    when seen.

    *default* is another time for that, where the clock is doubtful (`time.moment`). *device* is the
    name of the one that it is told on, where it has a name.
    """
    return Sighting(
        capture=capture_id,
        seen_at=seen_at,
        event_time=draft.event_time or default or seen_at,
        explicit=draft.event_time is not None,
        source=draft.source,
        channel=draft.channel,
        agent=draft.agent,
        scope=draft.scope,
        utc_offset=draft.utc_offset,
        device=device,
    )


def _choose_offset(one: int | None, other: int | None) -> int | None:
    """Return the UTC offset of a telling of which two copies are known: a known one before an
    unknown one, else the smaller, so that every machine chooses alike.
    """
    known = [offset for offset in (one, other) if offset is not None]
    return min(known, default=None)


def _choose_device(one: str | None, other: str | None) -> str | None:
    known = [device for device in (one, other) if device is not None]
    return min(known, default=None)


def link_placeholders(text: str) -> tuple[str, ...]:
    """Return the first 64 different `[[targets]]` of *text* as written, without heading and display
    text.

    Lexical only: what they resolve to, and whether code fences hide some, is the night's business.
    """
    if "[[" not in text:
        return ()
    targets: dict[str, None] = {}
    for found in re.finditer(
        r"\[\[([^\[\]\n|#]{1,500})(?:[|#][^\[\]\n]{0,500})?\]\]", text
    ):
        # in a table the bar is written \|
        if target := found[1].rstrip("\\").strip():
            targets[target] = None
        if len(targets) == _MOST_EDGES:
            break
    return tuple(targets)


def heading(text: str) -> str | None:
    """Return the title that the first line of *text* carries, `# Title`, or None.

    Only an ATX heading of the first level counts, and only on the very first line (a byte order
    mark may precede it). A heading that could not be a title, over 500 characters or with control
    characters, does not make the text unfit: it is simply no title.
    """
    line = text[:1000].lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    mark = line.lstrip(" ")
    if not mark.startswith(("# ", "#\t")) or len(line) - len(mark) > 3:
        return None
    title = _without_closing(mark[1:].strip(" \t"))
    return title if 0 < len(title) <= 500 and not has_controls(title) else None


def as_told(capture: Capture, first: Sighting) -> Capture:
    """Return *capture* as those know it who heard of it by *first*: what was said about it before
    is not theirs.

    A title, a channel or a priority given in private must not reach the shared buffer, the wiki or
    another agent with a later, shared telling of the same words.
    """
    if first.seen_at == capture.ingested_at:
        return capture
    title = heading(capture.content.decode())
    return capture._replace(
        ingested_at=first.seen_at,
        channel=first.channel,
        priority=0.5,
        title=title,
    )


def has_controls(text: str) -> bool:
    """Return whether *text* holds a C0, DEL or C1 control, a line or paragraph separator or a lone
    surrogate.
    """
    if text.isprintable():
        return False
    return any(
        c < " "
        or "\x7f" <= c <= "\x9f"
        or c in "\u2028\u2029"
        or "\ud800" <= c <= "\udfff"
        for c in text
    )


def _without_closing(title: str) -> str:
    """Drop the closing sequence of an ATX heading: `#`s at the end, after a space or alone."""
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title
