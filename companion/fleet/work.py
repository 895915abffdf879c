"""One worker's night: copy the shard as the job pins it, do its night there, pack the result.

The shard itself is never touched: what a worker has is the job, and what it gives is the answer.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager

from companion import __version__
from companion.errors import CompanionError, Unexpected
from companion.fleet.copies import copy_shard
from companion.fleet.protocol import Answer, Job, encode, read_job
from companion.fleet.steps import do_steps
from companion.storage.files import lock
from companion.storage.git.command import GitMissing, run_git
from companion.storage.git.repo import Repo
from companion.usage.carry_uses import unpack_uses
from companion.workspace import Workspace, arm_faults, real_now

_FOLDER = "companion-fleet-"
_LOCK = "worker.lock"
_BEGINNING = 3600  # seconds in which a worker has its lock


def work_on(parcel: bytes) -> bytes:
    """Do the job in *parcel*, and return its answer: what engines call in a worker."""
    return encode(work(read_job(parcel)))


def work(job: Job) -> Answer:
    """Do *job*, and answer; a problem of the shard's is an answer, too."""
    arm_faults()
    if job.version != __version__:
        words = f"it was asked for a night of companion {job.version}"
        return Answer(problem=words, exit_code=75, is_unfit=True)
    try:
        with _own_folder() as folder:
            return _work(job, folder)
    except GitMissing as error:
        return _refuse(error, is_unfit=True)
    except CompanionError as error:
        return _refuse(error)
    # another process waits for an answer, and tells the person
    except Exception as error:  # noqa: BLE001
        return _refuse(Unexpected(f"{type(error).__name__}: {error}"))


def _refuse(error: CompanionError, *, is_unfit: bool = False) -> Answer:
    return Answer(
        problem=str(error),
        hint=error.hint,
        exit_code=error.exit_code,
        is_unfit=is_unfit,
    )


@contextmanager
def _own_folder() -> Iterator[str]:
    """Give an empty folder for one job, and remove those of workers that were killed."""
    for name in os.listdir(tempfile.gettempdir()):
        if name.startswith(_FOLDER):
            _clear_dead(os.path.join(tempfile.gettempdir(), name))
    with tempfile.TemporaryDirectory(prefix=_FOLDER) as folder:
        copy = os.path.join(folder, "wiki")
        os.mkdir(copy)
        path = os.path.join(folder, _LOCK)
        with lock.lock_file(path, "a fleet's worker"):
            yield copy


def _clear_dead(folder: str) -> None:
    path = os.path.join(folder, _LOCK)
    if not lock.is_held(path) and (_is_begun(path) or _is_old(folder)):
        shutil.rmtree(folder, ignore_errors=True)


def _is_begun(path: str) -> bool:
    """Tell whether a worker has had the lock at *path*."""
    try:
        return os.path.getsize(path) > 0
    # another worker was faster, or has not begun yet
    except OSError:
        return False


def _is_old(folder: str) -> bool:
    """Tell whether *folder* is of a worker that was killed before it had its lock."""
    try:
        age = real_now().timestamp() - os.stat(folder).st_mtime
    # another worker was faster
    except OSError:
        return False
    return age > _BEGINNING


def _work(job: Job, folder: str) -> Answer:
    place = copy_shard(job, folder)
    ws = Workspace(place, job.at)
    with closing(ws.journal()) as journal:
        unpack_uses(journal, job.uses)
    steps = do_steps(ws)
    commit = Repo(place).tip()
    if commit is None or commit == job.tip:
        return Answer(steps)
    added = (job.branch, f"^{job.tip}")
    made = run_git(place, "bundle", "create", "--quiet", "-", *added)
    return Answer(steps, commit, bundle=made)
