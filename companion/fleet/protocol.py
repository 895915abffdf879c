"""The messages between a fleet and a worker: a job, and its answer.

A job is the whole input of a night, pinned: a git bundle with a commit and the tree of the notes,
what was read, and a time. So a job that is done twice, late, or by another worker comes to the same
tree. An answer brings a bundle with the commits on top, one for each step that changed something: a
tree, with its ledger files in it. Where the worker runs on the shard's own machine, the job names
the shard's folder in place of a bundle: the commit and the trees are read there by their ids.

On the way each is one line of JSON, and the bundle behind it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion import __version__
from companion.errors import MALFORMED, BadInput, CompanionError
from companion.fleet.results import NightStep
from companion.usage.carry_uses import CarriedUse

#: where a result stands until the shard takes it
RESULTS = "refs/companion/fleet/"
_STEP = NightStep.__required_keys__


class WorkerLost(CompanionError):
    """A worker ended without an answer."""

    exit_code = 75
    hint = "The shard is as it was; run the same command again."


class OtherVersion(WorkerLost):
    """A worker runs another version of companion."""

    hint = "Install the same version everywhere, and run the command again."


class Unfit(WorkerLost):
    """A worker cannot do any job: it lacks git."""

    hint = "Install git 2.36 or newer where the workers run."


class Job(NamedTuple):
    """One night of one shard."""

    branch: str  # the wiki's branch, with refs/heads/
    prefix: str  # the wiki's folder in the repository, "" or ending in /
    settings: dict[str, str]  # git's: who the person is, how commits are signed
    tip: str  # the commit that the night begins from
    buffer: str | None  # the tree of the notes; None where there are none
    at: str  # the time of the night (RFC 3339 UTC)
    cold: str | None = None  # the tree of cold memory; None where there is none
    uses: Sequence[CarriedUse] = ()  # what was read and no run has recorded
    folder: str = ""  # the shard's, where the worker shares its machine
    version: str = __version__
    bundle: bytes = b""  # of git: the branch, and what companion keeps beside it; else *folder*

    @property
    def result(self) -> str:
        """Return the ref of the result: the same input has the same."""
        known = repr((self.tip, self.buffer, self.at, list(self.uses)))
        return RESULTS + hashlib.sha256(known.encode()).hexdigest()[:16]


class Answer(NamedTuple):
    """The outcome of a night; *problem* says why it came to nothing."""

    steps: Sequence[NightStep] = ()
    commit: str | None = None  # None where there was nothing to do
    problem: str = ""
    hint: str = ""
    exit_code: int = 0
    is_unfit: bool = (
        False  # the worker, not the shard, is what the problem is about
    )
    version: str = __version__
    bundle: bytes = b""  # of git: what *commit* adds to the job's


#: does one job, anywhere; raises WorkerLost where it got no answer
Engine = Callable[[Job], Answer]


def encode(message: Job | Answer) -> bytes:
    """Return *message* as one line of JSON with its bundle behind it."""
    fields = message._asdict()
    bundle: bytes = fields.pop("bundle")
    return json.dumps(fields, sort_keys=True).encode() + b"\n" + bundle


def read_job(data: bytes) -> Job:
    """Return the job in *data*. Raises BadInput where there is none."""
    line, _, bundle = data.partition(b"\n")
    try:
        return Job(**json.loads(line), bundle=bundle)
    except MALFORMED as error:
        raise BadInput("this is no job of a fleet") from error


def _is_answer(answer: Answer) -> bool:
    """Tell whether each field is of its kind: a worker on another machine may send anything."""
    texts = (answer.problem, answer.hint, answer.version)
    return (
        isinstance(answer.steps, list)
        and all(map(_is_step, answer.steps))
        and all(isinstance(text, str) for text in texts)
        and _is_name(answer.commit)
        and type(answer.exit_code) is int
        and type(answer.is_unfit) is bool
    )


def _is_step(step: object) -> bool:
    if not isinstance(step, dict) or step.keys() != _STEP:
        return False
    texts = (step["name"], step["outcome"], step["words"])
    return (
        all(isinstance(text, str) for text in texts)
        and _is_name(step["run"])
        and type(step["exit_code"]) is int
    )


def _is_name(value: object) -> bool:
    return value is None or isinstance(value, str)


def read_answer(data: bytes) -> Answer:
    """Return the answer in *data*. Raises WorkerLost, OtherVersion or Unfit."""
    line, _, bundle = data.partition(b"\n")
    try:
        answer = Answer(**json.loads(line), bundle=bundle)
    except MALFORMED as error:
        raise WorkerLost from error
    if not _is_answer(answer):
        raise WorkerLost("a worker's answer is none")
    if answer.version != __version__:
        raise OtherVersion(
            f"a worker runs companion {answer.version}, this is {__version__}"
        )
    if answer.is_unfit:
        raise Unfit(f"a worker cannot work: {answer.problem}", hint=answer.hint)
    return answer
