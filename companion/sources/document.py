"""A document as a reader finds it in an original: its words in order, and where each stands.

A reader changes no word and adds none. It says where a passage stands (*place*) in the terms of the
format: "page 3", "lines 10-12", "turn 4", "cell 7", "slide 2", "0:03:10". Offsets are those of
characters in `Document.text`, which two readings of the same bytes by the same reader version give
alike, so that a span on record still finds its passage years later.
"""

from typing import Literal, NamedTuple

from companion.errors import CompanionError

Kind = Literal["heading", "paragraph", "list", "table", "code", "quote"]
Role = Literal["owner", "assistant", "other", "tool"]


class Unreadable(CompanionError):
    """The original cannot be read."""

    exit_code = 65
    hint = "Its bytes are kept; `companion recall` gives them back."

    def __init__(self, kind: str, reason: str, *, hint: str = "") -> None:
        super().__init__(reason, hint=hint)
        self.code = kind  # encrypted, truncated, too-long, needs-documents, …


class Passage(NamedTuple):
    """A paragraph, a heading, a table: the smallest piece that keeps its place."""

    text: str  # Markdown, without leading and trailing space
    kind: Kind = "paragraph"
    level: int = 0  # of a heading, from 1
    place: str = ""  # where it stands in the original


class Turn(NamedTuple):
    """One thing that somebody said in a conversation."""

    speaker: str  # a name; "" where the export has none
    role: Role
    text: str
    at: str | None = None  # RFC 3339 UTC with microseconds
    place: str = ""
    attachments: tuple[str, ...] = ()  # names of files that came with it


class Memory(NamedTuple):
    """One note that another program kept: a memory, a fact, an observation."""

    text: str
    at: str | None = None  # RFC 3339 UTC with microseconds
    title: str | None = None
    agent: str | None = None  # who wrote it there; None: the owner
    place: str = ""


class Document(NamedTuple):
    """An original as it was read: a text, a conversation, or notes of another program.

    Just one of *passages*, *turns* and *memories* is filled. *key* is the identity that the source
    itself has, alike for every version of it: a canonical address, the id of a conversation, a
    Message-ID; None where only the bytes tell it apart.
    """

    title: str
    passages: tuple[Passage, ...] = ()
    turns: tuple[Turn, ...] = ()
    memories: tuple[Memory, ...] = ()
    key: str | None = None
    authors: tuple[str, ...] = ()
    site: str = ""  # of a web page: who publishes it
    url: str | None = None
    published_at: str | None = None  # RFC 3339 UTC with microseconds
    links: tuple[str, ...] = ()  # addresses that it points to
    warnings: tuple[str, ...] = ()  # what was not read, a sentence each

    @property
    def text(self) -> str:
        """The words in order, a blank line between pieces."""
        pieces = [passage.text for passage in self.passages]
        pieces += [turn.text for turn in self.turns]
        pieces += [memory.text for memory in self.memories]
        return "\n\n".join(pieces)
