"""One shard: pin the input of its night, and take the result in."""

import os
import shutil
from collections.abc import Sequence
from typing import NamedTuple

from companion.errors import CompanionError, TryLater
from companion.fleet.protocol import (
    RESULTS,
    Answer,
    Engine,
    Job,
    WorkerLost,
)
from companion.fleet.results import NightStep
from companion.runs.packs import unite_packs
from companion.runs.run import Run, open_run
from companion.sleep import nights
from companion.sleep.decision import rhythm
from companion.sleep.nights import NightRecord, StepRecord, local_time
from companion.storage.cold import cold_memory
from companion.storage.files import durable, lock
from companion.storage.git import capture_buffer, layout
from companion.storage.git.command import GitFailed, run_git
from companion.usage.carry_uses import pack_uses
from companion.workspace import Workspace

ATTEMPTS = 3  # workers sent for one shard

_LOCK = "fleet.lock"
# as a night in place leaves its objects: `unite_packs` looks after packs
_AS_ONE_PACK = {"fetch.unpackLimit": "1"}
_FOLDER = "fleet"
# of git's settings: who the person is, how commits are signed, which branch
_CARRIED = r"^(user\.|commit\.|gpg\.|companion\.(branch|device)$)"


class Overlaps(CompanionError):
    """The night would change a page that you changed and did not adopt."""

    exit_code = 75
    hint = "`companion adopt` takes your edits in; then run it again."


class Night(NamedTuple):
    """The outcome of a shard's night."""

    steps: Sequence[NightStep]
    commit: str | None
    workers: int


class NightFailed(CompanionError):
    """A worker could not do this shard's night."""

    exit_code = 65
    hint = "The shard is as it was; run the same command again."


def sleep_shard(
    ws: Workspace, at: str, engine: Engine, *, near: bool = False
) -> Night:
    """Do one night of the shard *ws* at the time *at* by *engine*.

    With *near*, the engine's workers run on this machine and read the shard's folder.
    Another worker is sent where one was lost, or where the shard moved on meanwhile. Raises Busy
    where another fleet is at work on it, NightFailed with a worker's own words, or WorkerLost.
    """
    durable.make_dirs(ws.place.state, mode=0o700)
    path = os.path.join(ws.place.state, _LOCK)
    with lock.lock_file(path, "a fleet"):
        try:
            night = _sleep(ws, at, engine, near)
        finally:
            _clear(ws)
        unite_packs(ws)
        return night


def _sleep(ws: Workspace, at: str, engine: Engine, near: bool) -> Night:
    lost = WorkerLost()
    for sent in range(1, ATTEMPTS + 1):
        job = pin(ws, at, near=near)
        try:
            answer = engine(job)
        except WorkerLost as error:
            lost = error
            continue
        if answer.problem:
            raise _failed(answer)
        if land(ws, job, answer):
            _remember(ws, at, answer)
            return Night(answer.steps, answer.commit or job.tip, sent)
        lost = WorkerLost("the shard kept changing")
    raise lost


def _remember(ws: Workspace, at: str, answer: Answer) -> None:
    """Let the shard's own record of nights have this one."""
    steps = [
        StepRecord(one["name"], one["outcome"], 0.0, one["run"], one["words"])
        for one in answer.steps
    ]
    is_failed = any(one["exit_code"] for one in answer.steps)
    has_audit = any(one["name"] == rhythm.AUDIT for one in answer.steps)
    record = NightRecord(
        started=local_time(at),
        ended=local_time(at),
        outcome=nights.FAILED if is_failed else nights.SLEPT,
        depth=rhythm.DEEP if has_audit else rhythm.NIGHT,
        why="A fleet did this night.",
        kind="fleet",
        done_by=None,
        steps=tuple(steps),
    )
    nights.write_record(ws.place, record)


def _failed(answer: Answer) -> NightFailed:
    error = NightFailed(answer.problem, hint=answer.hint)
    error.exit_code = answer.exit_code
    return error


def pin(ws: Workspace, at: str, *, near: bool = False) -> Job:
    """Return the job of a night at *at*; with *near*, the worker reads the shard's folder. Raises
    TryLater before the first commit.
    """
    with open_run(ws, "fleet") as run:
        buffer = capture_buffer.anchor(run.journal, run.repo)
        if run.commit is None:
            raise TryLater("the wiki has no commit yet")
        job = Job(
            branch=run.repo.branch,
            prefix=ws.place.prefix,
            settings=_read_settings(run),
            tip=run.commit,
            buffer=buffer,
            at=at,
            cold=layout.read_ref(ws.place, cold_memory.REF),
            uses=pack_uses(run),
        )
        if near:
            return job._replace(folder=ws.place.root)
        return job._replace(bundle=_bundle(ws, job))


def _bundle(ws: Workspace, job: Job) -> bytes:
    """Return the branch, the notes and cold memory, but nothing private."""
    kept = [capture_buffer.BUFFER, cold_memory.REF]
    beside = layout.read_refs(ws.place, "refs/companion")
    refs = [job.branch, *(ref for ref in kept if ref in beside)]
    return run_git(ws.place, "bundle", "create", "--quiet", "-", *refs)


def _read_settings(run: Run) -> dict[str, str]:
    command = ("config", "--local", "--null", "--get-regexp", _CARRIED)
    try:
        listed = run_git(run.repo.place, *command).decode()
    # git's answer where there is none
    except GitFailed:
        return {}
    pairs = [item.partition("\n") for item in listed.split("\0") if item]
    return {key: value for key, _, value in pairs}


def land(ws: Workspace, job: Job, answer: Answer) -> bool:
    """Let the branch move from the job's tip to its result; False where it is elsewhere by now.

    A result that has landed before lands again without a change. Raises Overlaps, or NightFailed
    where the bundle is not what the answer says.
    """
    if answer.commit is None:
        return True
    with open_run(ws, "fleet") as run:
        if run.commit == answer.commit:
            return True
        if run.commit != job.tip:
            return False
        _take_in(ws, job, answer)
        try:
            run_git(ws.place, "merge", "--quiet", "--ff-only", job.result)
        except GitFailed as error:
            raise Overlaps from error
        run.refold()
    return True


def _take_in(ws: Workspace, job: Job, answer: Answer) -> None:
    """Put the commit of *answer* at the job's ref, where nothing else stands."""
    folder = os.path.join(ws.place.state, _FOLDER)
    durable.make_dirs(folder, mode=0o700)
    path = os.path.join(folder, os.path.basename(job.result))
    with open(path, "wb") as file:
        file.write(answer.bundle)
    fetch = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
    try:
        run_git(
            ws.place,
            *fetch,
            path,
            f"{job.branch}:{job.result}",
            settings=_AS_ONE_PACK,
        )
    except GitFailed as error:
        raise NightFailed(f"a worker's result is damaged: {error}") from error
    if layout.read_ref(ws.place, job.result) != answer.commit:
        raise NightFailed("a worker's result is not what it said")


def _clear(ws: Workspace) -> None:
    """Forget the results of workers: what landed is on the branch."""
    folder = os.path.join(ws.place.state, _FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    for ref in layout.read_refs(ws.place, RESULTS.rstrip("/")):
        run_git(ws.place, "update-ref", "-d", ref)
