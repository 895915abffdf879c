"""The documents of `fleet`."""

from typing import TypedDict


class SetAside(TypedDict):
    """Why a shard is set aside; an empty problem where it is not."""

    problem: str
    hint: str
    exit_code: int


class ShardNight(SetAside):
    """One shard's night; with *problem* it was set aside, and is as it was."""

    shard: str
    run: str | None
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

    run: str | None
    commit: str | None
    is_unfit: bool  # the worker lacks something, not the shard
    version: str
