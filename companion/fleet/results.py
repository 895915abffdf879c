"""The documents of `fleet`."""

from typing import TypedDict

from companion.answers.results import AnswerResult


class SetAside(TypedDict):
    """Why a shard is set aside; an empty problem where it is not."""

    problem: str
    hint: str
    exit_code: int


class NightStep(TypedDict):
    """What one step of a shard's night did."""

    name: str  # consolidate | decay | audit | settle
    outcome: str  # done | nothing | failed | skipped
    words: str  # one plain sentence
    run: str | None
    exit_code: int  # 0, or why it failed


class ShardNight(SetAside):
    """One shard's night; with *problem* it was set aside, and is as it was."""

    shard: str
    steps: list[NightStep]
    commit: str | None  # the tip after it
    workers: int  # how many were sent: more than one where one was lost


class NightResult(TypedDict):
    """A night of many shards."""

    at: str
    shards: list[ShardNight]
    set_aside: int
    exit_code: int


class ShardStatus(SetAside):
    """One shard, as it is."""

    shard: str
    commit: str | None
    waiting: int


class StatusResult(TypedDict):
    """Many shards, as they are."""

    shards: list[ShardStatus]
    waiting: int
    set_aside: int
    exit_code: int


class WorkResult(SetAside):
    """The answer of a worker, a line before its bundle."""

    steps: list[NightStep]
    commit: str | None
    is_unfit: bool  # the worker lacks something, not the shard
    version: str


class ProjectedShard(SetAside):
    """One shard in the one place to ask."""

    shard: str
    tree: str | None
    run: str | None
    replaced: bool  # False: its tree was there already


class ProjectResult(TypedDict):
    """What was brought into the one place to ask."""

    projected: list[ProjectedShard]
    set_aside: int
    exit_code: int


class DroppedResult(TypedDict):
    """How many shards are not in the one place to ask any more."""

    dropped: int


class ShardTip(TypedDict):
    """Which state of which shard something is of."""

    shard: str
    tree: str
    run: str | None
    at: str | None  # time of its newest run
    taken: str  # when it was projected


# The functional form, because `from` is a word of Python.
FleetHit = TypedDict(
    "FleetHit",
    {
        "from": ShardTip,
        "id": str,
        "title": str,
        "path": str,
        "statement": str | None,
        "state": str,
        "lost": bool,
        "score": float,
        "snippet": str,
    },
)


class FleetHits(TypedDict):
    """What all shards together have of some words, the best first."""

    query: str
    shards: int
    hits: list[FleetHit]


FleetAnswer = TypedDict(
    "FleetAnswer",
    {
        "from": ShardTip,
        "answer": AnswerResult,
        "pages": dict[str, str | None],  # path of each entry in the answer
    },
)


class FleetAnswers(TypedDict):
    """What the shards answer, the best first."""

    question: str
    as_of: str | None
    known: bool
    shards: int
    asked: int  # of these, those that have claims of a name in the question
    told: list[FleetAnswer]


class FindingResult(TypedDict):
    """One thing that another shard has of a subject."""

    owner: str
    kind: str  # contradiction, duplicate subject, inbound links, gravity
    other: str  # shard, or "all shards"
    about: str
    reason: str


class ComparedShard(SetAside):
    """What a shard was told of others."""

    shard: str
    findings: int
    notes: int  # new ones that wait for its next night
    run: str | None  # that wrote the findings down


class CompareResult(TypedDict):
    """What shards have of one subject."""

    findings: list[FindingResult]
    compared: list[ComparedShard]
    set_aside: int
    exit_code: int
