"""The documents of `claims` and `ask`."""

from typing import Literal, NotRequired, TypedDict

from companion.lookup.results import ObjectionResult
from companion.values.claims import Strategy


class ClaimResult(TypedDict):
    """One claim and how it stands."""

    id: str
    status: str
    reason: str
    by: list[str]
    predicate: str
    read_as: str | None
    object: str
    negated: bool
    mood: str
    functional: bool
    confidence: float
    valid_from: str
    valid_to: str | None
    precision: str
    told_at: str
    agent: str | None
    source: str | None
    scope: Literal["shared", "private"]
    capture: str
    entry: str | None
    span: list[int]


# The functional form, because `from` is a word of Python.
SpellResult = TypedDict(
    "SpellResult", {"from": str, "to": str | None, "values": list[str]}
)


class WeighedClaim(TypedDict):
    """A claim on one side of a resolution."""

    id: str
    object: str | None


class ResolutionResult(TypedDict):
    """The claims of one key that won and lost in one night."""

    run: str
    at: str
    status: str
    strategy: str
    reason: str
    won: list[WeighedClaim]
    lost: list[WeighedClaim]
    disputed: list[WeighedClaim]


class KeyResult(TypedDict):
    """The claims of one key, and the values that stand."""

    subject: str
    predicate: str
    key: list[str]
    values: list[str]
    disputed: bool
    strategy: Strategy
    claims: list[ClaimResult]
    history: list[SpellResult] | None
    resolved: list[ResolutionResult] | None


class ClaimsResult(TypedDict):
    """The claims about somebody or something, key by key."""

    subject: str
    predicate: str | None
    as_of: str
    known_at: str | None
    keys: list[KeyResult]


class SourceResult(TypedDict):
    """One telling that a step of an answer rests on."""

    id: str
    capture: str
    entry: str | None  # the page on which it stands
    told_at: str
    source: str | None


class StepResult(TypedDict):
    """One claim that leads to an answer."""

    subject: str
    predicate: str
    object: str
    sources: list[SourceResult]


class AnswerResult(TypedDict):
    """One answer and the claims that lead to it."""

    value: str
    score: float
    disputed: bool
    path: list[StepResult]


class PassageResult(TypedDict):
    """A passage that is near to a question."""

    id: str
    title: str
    path: str | None
    text: str
    # of a page that gathers many notes, the one whose words these are
    statement: str | None
    when: str | None
    link: str | None
    lost: bool  # another statement took its place
    # it names somebody or something that the question names, if that names any
    of_subject: bool
    found_by: list[str]


class ConflictSide(TypedDict):
    """One side of a dispute between answers, and who told it."""

    value: str
    matter: str
    told: list[SourceResult]


class Pack(TypedDict):
    """The answers that fit into a budget of tokens, after what is disputed between them."""

    conflict: list[ConflictSide]
    answers: list[AnswerResult]
    left_out: int
    tokens: int
    budget: int
    over_budget: bool


class DatedPack(Pack):
    """Answers, and the time that they are asked for."""

    as_of: str | None


class PlainAnswer(DatedPack):
    """The answers to a question as it stands."""

    question: str
    known: bool


class Phrasing(TypedDict):
    """The model that phrased an answer, and why it did not if it did not."""

    model: str
    reason: str | None
    replayed: bool


class UnphrasedAnswer(PlainAnswer):
    """The answers to a question, or the passages that are nearest to it."""

    earlier: bool
    passages: list[PassageResult]
    # what waits on open branches against what the answers rest on
    objections: list[ObjectionResult]


class AskResult(UnphrasedAnswer):
    """The answers to a question, and what a model made of them if it was asked to."""

    phrased: NotRequired[str | None]
    phrasing: NotRequired[Phrasing]
