"""The messages between a fleet and a worker: a job, and its answer, each one line of JSON.

A job is the whole input of a night, pinned: a commit, a tree of notes and a time. So a job that is
done twice, late, or by another worker comes to the same tree.
"""

import hashlib
import json
from collections.abc import Callable
from typing import NamedTuple

from companion import __version__
from companion.errors import MALFORMED, BadInput, CompanionError

#: where a worker puts what it made, until the shard takes it
RESULTS = "refs/companion/fleet/"


class WorkerLost(CompanionError):
    """A worker ended without an answer."""

    exit_code = 75
    hint = "The shard is as it was; run the same command again."


class OtherVersion(CompanionError):
    """A worker runs another version of companion."""

    exit_code = 75
    hint = "Install the same version everywhere, and run the command again."


class Job(NamedTuple):
    """One night of one shard."""

    source: str  # what `git fetch` reads: a git folder or a bundle
    target: str  # the git folder that the result is pushed to
    branch: str  # the wiki's branch, with refs/heads/
    prefix: str  # the wiki's folder in the repository, "" or ending in /
    settings: dict[str, str]  # git's: who the person is, how commits are signed
    tip: str  # the commit that the night begins from
    buffer: str | None  # the tree of the notes; None where there are none
    at: str  # the time of the night (RFC 3339 UTC)
    folder: str  # an empty folder for the worker's copy

    @property
    def result(self) -> str:
        """Return the ref of the result: the same input has the same."""
        known = repr((self.tip, self.buffer, self.at))
        return RESULTS + hashlib.sha256(known.encode()).hexdigest()[:16]


class Answer(NamedTuple):
    """The outcome of a night; *problem* says why it came to nothing."""

    run: str | None = None  # None where there was nothing to do
    commit: str | None = None
    problem: str = ""
    hint: str = ""
    exit_code: int = 0
    version: str = __version__


#: does one job, anywhere; raises WorkerLost where it got no answer
Engine = Callable[[Job], Answer]


def encode(message: Job | Answer) -> str:
    """Return *message* as one line."""
    return json.dumps(message._asdict(), sort_keys=True)


def read_job(text: str) -> Job:
    """Return the job in *text*. Raises BadInput where there is none."""
    try:
        return Job(**json.loads(text))
    except MALFORMED as error:
        raise BadInput("this is no job of a fleet") from error


def read_answer(text: str) -> Answer:
    """Return the answer in *text*. Raises WorkerLost, or OtherVersion."""
    try:
        answer = Answer(**json.loads(text))
    except MALFORMED as error:
        raise WorkerLost from error
    if answer.version != __version__:
        raise OtherVersion(
            f"a worker runs companion {answer.version}, this is {__version__}"
        )
    return answer
