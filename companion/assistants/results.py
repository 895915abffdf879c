"""The documents that the tools of assistants return: few words, since each costs tokens."""

from typing import Literal, NotRequired, TypedDict


class Found(TypedDict):
    """A page or a waiting note that has the words of a search."""

    id: str
    title: str
    text: str
    path: str | None
    state: str
    when: str | None
    link: str | None


class Search(TypedDict):
    """The hits of a search, best first."""

    found: list[Found]
    warning: NotRequired[str]


class Reason(TypedDict):
    """One claim that leads to an answer, and who told it when."""

    claim: str
    told: list[str]


class Answer(TypedDict):
    """One answer and the claims that lead to it."""

    value: str
    disputed: bool
    because: list[Reason]


class Passage(TypedDict):
    """A passage near to a question."""

    id: str
    title: str
    text: str
    when: str | None


class Asked(TypedDict):
    """The answers to a question and what was told on their page since, or the passages nearest to
    it.
    """

    # first: values of one matter that contradict each other
    conflict: list[str]
    known: bool
    answers: list[Answer]
    passages: list[Passage]
    # notes that contradict what the answers rest on, and wait for support
    objections: list[str]
    left_out: int


class Side(TypedDict):
    """One side of a dispute."""

    value: str
    told: str  # day
    by: str  # empty: nobody was named
    note: str  # the beginning of its id


class Fact(TypedDict):
    """The values that hold of one matter: several where it is disputed or has several."""

    matter: str
    values: list[str]
    disputed: bool
    told: str  # day of the newest telling
    notes: list[
        str
    ]  # that it rests on, the newest first: the beginnings of their ids
    sides: list[Side]  # of a dispute, the newest first


class ContextResult(TypedDict):
    """The facts and passages on a topic, or on the whole memory, within a budget of tokens."""

    topic: str | None
    as_of: str | None
    known_at: str | None
    facts: list[Fact]
    passages: list[Passage]
    important: list[str]  # titles of the pages that others depend on most
    changed: list[str]  # titles of the pages that changed last
    questions: int  # that await an answer
    not_known: list[
        str
    ]  # words of the topic that no page and no waiting note has
    tokens: int
    counted_by: Literal["tokenizer", "bytes"]
    budget: int
    left_out: int


class Captured(TypedDict):
    """A note that is safe on disk."""

    status: Literal["captured", "seen"]
    id: str
    title: str | None


class Decided(TypedDict):
    """One recorded decision."""

    time: str
    event: str
    reason: str


class Why(TypedDict):
    """The history of a page, a note or a run, the newest last."""

    id: str
    kind: str
    title: str | None
    decisions: list[Decided]
    left_out: int


class Rated(TypedDict):
    """An opinion that was recorded, and the pages for which it counts."""

    outcome: str
    about: str | None
    pages: list[str | None]


class Choice(TypedDict):
    """A claim that may be chosen."""

    id: str
    claim: str


class SideText(TypedDict):
    """One of the two texts between which a question asks."""

    side: str
    title: str | None
    text: str
    sources: list[str]


class Question(TypedDict):
    """A question to the person."""

    id: str
    kind: str
    about: str | None
    against: str | None
    reason: str
    claims: list[Choice]
    answer: str | None


class Questions(TypedDict):
    """The questions that await an answer."""

    questions: list[Question]
    left_out: int


class QuestionInFull(Question):
    """A question with both of its sides."""

    sides: list[SideText]


class RemovedThing(TypedDict):
    """A file that companion put on this machine beside the wiki."""

    what: str
    path: str


class StayingThing(TypedDict):
    """A thing of the person's that an uninstallation leaves."""

    what: str
    about: str


class SessionResult(TypedDict):
    """What became of the turns that the person typed in one session."""

    assistant: str
    off: bool  # the person switched it off: nothing was read
    captured: int
    seen: int  # captured before
    refused: int  # a secret, most often
    short: int  # turns of fewer than four words


class SessionSwitch(TypedDict):
    """Whether sessions are captured on this machine."""

    sessions: Literal["on", "off"]


class UninstallResult(TypedDict):
    """The things taken away, or to be taken away, and those that stay."""

    wiki: str
    removed: list[RemovedThing]
    stays: list[StayingThing]
    dry_run: bool
