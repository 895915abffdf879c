"""The state vector that decides about sleep (MaM §6.1, SCH-2).

Ages and durations are minutes, shares lie in [0, 1], and None always means that nobody knows.
"""

from typing import NamedTuple


class Body(NamedTuple):
    """The machine's load, heat, power and free space."""

    load: float | None = None  # share of the cores that work, over five minutes
    heat: float | None = None  # 1 is where the processor slows itself down
    on_mains: bool | None = None  # False: it runs on its battery
    battery: float | None = None  # share that is left; None where there is none
    drain: float | None = None  # share of the battery lost in an hour
    metered: bool | None = None  # each byte costs money
    free: int | None = None  # bytes free where the wiki lies
    # minutes since a key was pressed or the mouse moved
    idle: float | None = None
    # what could not be read, in words
    missing: tuple[str, ...] = ()


class Waiting(NamedTuple):
    """The work that waits for a night."""

    captures: int = 0  # that no night has looked at
    originals: int = 0  # external sources that no night has read
    oldest: float = 0.0  # minutes since the first of them arrived
    to_audit: int = 0  # entries that AUDIT's queue holds
    to_settle: int = 0  # audits whose consequence is not drawn yet


class Past(NamedTuple):
    """When each kind of work was done last, and how long it takes."""

    night: float | None = None  # minutes since a whole night ended
    decay: float | None = None  # minutes since DECAY ran
    audit: float | None = (
        None  # minutes since AUDIT ran, or since the first run
    )
    lasts: float = 10.0  # minutes that a night is expected to take
    failures: int = 0  # nights in a row that failed
    failed: float | None = None  # minutes since the last of them


class Person(NamedTuple):
    """How the person lives, as the histogram of interactions has it."""

    quiet: float | None = None  # minutes since the last interaction
    next_session: float | None = None  # minutes until they usually begin
    # when a night would disturb least: it begins in so many minutes
    window: float | None = None
    notes_a_day: float = 0.0  # captures, over the last four weeks


class State(NamedTuple):
    """All that the decision rests on."""

    body: Body = Body()
    waiting: Waiting = Waiting()
    past: Past = Past()
    person: Person = Person()
    # a language model on another machine judges notes
    asks_far_model: bool = False
    # a remote brings notes of other machines, which are not known before a night
    shares: bool = False
    # the other machine that does tonight's work, where one holds the lease
    leased_to: str | None = None
