"""The values of CONTEXTUALIZE: the reader, the depth that it chooses, and its digest of a source.

Offsets are those of characters. Nearness, weights and scores lie in [0, 1].
"""

from typing import NamedTuple

from companion.config_checks import STEPS, Step
from companion.sources.document import Role

__all__ = ["STEPS", "Step"]


class Topic(NamedTuple):
    """The topic of a source: the words that tell most of it, the heaviest first."""

    words: tuple[str, ...]  # folded as the full-text index has them
    weights: tuple[float, ...]  # one for each word

    @property
    def by_word(self) -> dict[str, float]:
        """The weight of each word."""
        return dict(zip(self.words, self.weights, strict=True))


class NearNote(NamedTuple):
    """Something that the person wrote near the topic of a source."""

    text: str
    at: str  # when it was told, RFC 3339 UTC; empty if unknown
    nearness: float
    entry: str = ""  # the page that it stands on


class NearQuestion(NamedTuple):
    """A question near the topic, as somebody asked it."""

    words: str
    at: str  # the last time, RFC 3339 UTC
    times: int
    nearness: float


class NearPage(NamedTuple):
    """A page of the person near the topic, and how much depends on it."""

    entry: str
    title: str
    gravity: float  # base gravity, as the last pass has it


class ReaderContext(NamedTuple):
    """The person's notes, questions and pages around the topic of one source.

    Pages that companion made of sources are no evidence of what the person knows: they are counted
    as *unopened* where nobody ever looked at them.
    """

    now: str  # RFC 3339 UTC
    topic: Topic = Topic((), ())
    notes: tuple[NearNote, ...] = ()
    questions: tuple[NearQuestion, ...] = ()
    pages: tuple[NearPage, ...] = ()
    links: int = 0  # between the near pages
    elsewhere: int = 0  # notes of the person that are not near the topic
    unopened: int = 0  # older sources near the topic that nobody opened
    role: str = ""  # in the person's words: "product owner"
    role_nearness: float = 0.0  # of the role to the topic
    recalls: int = 0  # of this source's original


class Override(NamedTuple):
    """A step that the person asked for."""

    step: Step
    reason: str  # a plain sentence


class Depth(NamedTuple):
    """How deep a source is worked in for this person, and why."""

    step: Step
    score: float
    evidence: tuple[str, ...]  # plain sentences with numbers


class Kept(NamedTuple):
    """A stretch of the source that stands in its representation."""

    at: int  # offset in `Representation.text`, or in the text of its turn
    start: int  # offsets in `Document.text`
    end: int
    place: str  # in the source: "page 3", "lines 10-12"
    # of other words that a language model found for it; 0: it is verbatim
    length: int = 0


class Reworded(NamedTuple):
    """A sentence that stands for a stretch of the source; its words may be a model's."""

    text: str
    start: int  # offsets in `Document.text`
    end: int
    verbatim: bool


class KeptTurn(NamedTuple):
    """A turn of a conversation, or a memory, of which something is kept."""

    number: int  # in `Document.turns` or `Document.memories`, from 0
    speaker: str
    role: Role
    at: str | None
    text: str  # what is kept of it
    spans: tuple[Kept, ...]
    whole: bool  # nothing of it was left out


class Representation(NamedTuple):
    """A source as it stands in the wiki of this person.

    Of a document *text* is all of it; of a conversation or of memories *text* is the head alone,
    and *turns* are what is kept.
    """

    title: str
    text: str  # Markdown without the title
    step: Step
    spans: tuple[Kept, ...] = ()
    turns: tuple[KeptTurn, ...] = ()
    kept: int = 0  # sentences
    sentences: int = 0  # of the source
    dropped: tuple[tuple[str, int], ...] = ()  # left out: ("table", 2)
    distortion: float = 0.0  # share of the source's words that are missing
    # sentences of a language model that did not hold against the source
    refused: int = 0


class Linkout(NamedTuple):
    """The way back to the original, which every representation has (CTX-1)."""

    target: str  # an address or a path
    entry: str  # the page's id: what `companion recall` takes


class Fitting(NamedTuple):
    """How a source was fitted once: what a shift is measured against (CTX-6)."""

    at: str  # RFC 3339 UTC
    step: Step
    score: float
    interests: tuple[str, ...]  # the words that sentences were chosen for
