"""One worker's night: copy the pinned input, consolidate there, push the result.

The shard itself is only read, until the result is whole; then one ref appears, or none.
"""

import os

from companion.errors import CompanionError, Unexpected
from companion.fleet.protocol import Answer, Job
from companion.operations.consolidate.run import consolidate
from companion.storage.cold import cold_memory
from companion.storage.git import layout, setup
from companion.storage.git.capture_buffer import BUFFER
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.workspace import Workspace, arm_faults


def work(job: Job) -> Answer:
    """Do *job*, and answer; a problem of the shard's is an answer, too."""
    arm_faults()
    try:
        return _work(job)
    except CompanionError as error:
        return Answer(
            problem=str(error), hint=error.hint, exit_code=error.exit_code
        )
    # another process waits for an answer, and tells the person
    except Exception as error:  # noqa: BLE001
        words = f"{type(error).__name__}: {error}"
        return Answer(problem=words, exit_code=Unexpected.exit_code)


def _work(job: Job) -> Answer:
    place = _copy(job)
    run = consolidate(Workspace(place, job.at))["run"]
    commit = Repo(place).tip()
    if commit is None or commit == job.tip:
        return Answer(run)
    _push(place, job, commit)
    return Answer(run, commit)


def _copy(job: Job) -> Place:
    """Return the place of a copy of the shard as *job* pins it."""
    setup.create(job.folder)
    place = layout.make_place(os.path.join(job.folder, job.prefix))
    assert place is not None
    setup.configure(place, list(job.settings.items()))
    wanted = f"+{job.branch}:{job.branch}"
    run_git(place, "symbolic-ref", "HEAD", job.branch)
    kept = [f"+{ref}*:{ref}*" for ref in (BUFFER, cold_memory.REF)]
    fetch = ("fetch", "--quiet", "--no-tags", "--update-head-ok")
    run_git(place, *fetch, job.source, wanted, *kept)
    run_git(place, "update-ref", job.branch, job.tip)
    if job.buffer is not None:
        run_git(place, "update-ref", BUFFER, job.buffer)
    run_git(place, "reset", "--quiet", "--hard")
    return place


def _push(place: Place, job: Job, commit: str) -> None:
    """Push *commit* as the result, where nobody has pushed one yet.

    A duplicate comes second, and what was there first stays.
    """
    lease = f"--force-with-lease={job.result}:"
    push = ("push", "--quiet", "--no-verify", lease, job.target)
    try:
        run_git(place, *push, f"{commit}:{job.result}")
    except GitFailed:
        if not run_git(place, "ls-remote", job.target, job.result):
            raise
