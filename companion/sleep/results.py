"""The documents of `sleep` and `schedule`."""

from typing import TypedDict


class BodyResult(TypedDict):
    """The readings of the machine; None where it does not say."""

    load: float | None
    heat: float | None
    on_mains: bool | None
    battery: float | None
    drain: float | None
    metered: bool | None
    free: int | None
    idle: float | None
    missing: list[str]


class VectorResult(TypedDict):
    """The state vector; ages and durations in minutes."""

    body: BodyResult
    waiting: dict[str, float]
    past: dict[str, float | None]
    person: dict[str, float | None]
    asks_far_model: bool
    shares: bool
    leased_to: str | None


class DecisionResult(TypedDict):
    """Whether to sleep now, how deep, and until when."""

    sleep: bool
    kind: str
    why: str
    words: str
    depth: str
    steps: list[str]
    minutes: float | None
    begins_at: str | None
    done_by: str | None


class StepResult(TypedDict):
    """The outcome of one step of a night."""

    name: str
    outcome: str
    seconds: float
    run: str | None
    words: str
    exit_code: int


class SleepResult(TypedDict):
    """A night, or why there is none now."""

    decision: DecisionResult
    vector: VectorResult
    words: list[list[str]]
    outcome: str
    steps: list[StepResult]
    stopped: str | None
    started: str
    ended: str
    exit_code: int
    dry_run: bool


class ScheduleFile(TypedDict):
    """A file of a schedule."""

    path: str
    text: str
    state: str


class ScheduleResult(TypedDict):
    """A wiki's schedule: what wakes it, and the files that say so."""

    wiki: str
    kind: str
    name: str
    minutes: int
    installed: bool
    files: list[ScheduleFile]
    commands: list[str]
    log: str | None
    last_wake: str | None
    notes: list[str]
    dry_run: bool
