"""A night of many shards, which is map(night, shards); and how they are."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from companion.errors import CompanionError, Unexpected
from companion.fleet.engines.processes import work_in_process
from companion.fleet.protocol import Engine
from companion.fleet.shards import Night, sleep_shard
from companion.storage.git.repo import Repo
from companion.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from companion.fleet.results import (
        NightResult,
        SetAside,
        ShardNight,
        ShardStatus,
        StatusResult,
    )

WORKERS = 2

_FINE: "SetAside" = {"problem": "", "hint": "", "exit_code": 0}


def sleep_shards(
    shards: Sequence[str],
    at: str,
    workers: int = WORKERS,
    engine: Engine = work_in_process,
    *,
    near: bool = False,
) -> "NightResult":
    """Do one night at *at* of every wiki in the folders *shards*, *workers* at a time.

    With *near*, the engine's workers run on this machine and read the shards' folders.
    A shard that cannot is set aside with its reason, and the others go on.
    """
    with ThreadPoolExecutor(workers) as pool:
        do = partial(_sleep, at=at, engine=engine, near=near)
        done = list(pool.map(do, list_folders(shards)))
    codes = [code for one in done for code in _list_codes(one)]
    return {
        "at": at,
        "shards": done,
        "set_aside": sum(bool(one["problem"]) for one in done),
        "exit_code": next(iter(codes), 0),
    }


def _list_codes(one: "ShardNight") -> list[int]:
    """Return why a shard was set aside, and why steps of its night failed."""
    codes = [one["exit_code"], *(step["exit_code"] for step in one["steps"])]
    return [code for code in codes if code]


def read_shards(shards: Sequence[str]) -> "StatusResult":
    """Return how the wikis in the folders *shards* are; nothing is changed."""
    found = [_look(shard) for shard in list_folders(shards)]
    codes = [one["exit_code"] for one in found if one["problem"]]
    return {
        "shards": found,
        "waiting": sum(one["waiting"] for one in found),
        "set_aside": len(codes),
        "exit_code": next(iter(codes), 0),
    }


def list_folders(shards: Sequence[str]) -> list[str]:
    """Return each folder once, whole: a shard that is named twice has one night."""
    whole = [os.path.realpath(os.path.expanduser(one)) for one in shards]
    return list(dict.fromkeys(whole))


def _sleep(shard: str, at: str, engine: Engine, *, near: bool) -> "ShardNight":
    night, why = Night((), None, 0), _FINE
    try:
        ws = open_workspace(shard)
        fixed = Workspace(ws.place, at)
        night = sleep_shard(fixed, at, engine, near=near)
    # a shard that is damaged, in whatever way, must not stop the others
    except Exception as error:  # noqa: BLE001
        why = describe_problem(error)
    return {
        "shard": shard,
        "steps": list(night.steps),
        "commit": night.commit,
        "workers": night.workers,
        **why,
    }


def _look(shard: str) -> "ShardStatus":
    commit, waiting, why = None, 0, _FINE
    try:
        ws = open_workspace(shard)
        commit = Repo(ws.place).tip()
        with closing(ws.journal()) as journal:
            waiting = len(journal.open_ids())
    # as in `_sleep`
    except Exception as error:  # noqa: BLE001
        why = describe_problem(error)
    return {"shard": shard, "commit": commit, "waiting": waiting, **why}


def describe_problem(error: Exception | None) -> "SetAside":
    """Return why a shard is set aside; None: it is not."""
    if error is None:
        return _FINE
    if not isinstance(error, CompanionError):
        error = Unexpected(f"{type(error).__name__}: {error}")
    return {
        "problem": str(error),
        "hint": error.hint,
        "exit_code": error.exit_code,
    }
