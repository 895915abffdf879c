"""The steps of a shard's night that a worker does: those of `companion sleep` that need no person's
folder and nothing that only the shard's machine has.

Which are due follows from the tree and the time, by the rules of the ordinary night. ADOPT reads
what the person changed, CONTEXTUALIZE reads sources: both are done in the shard.
"""

from typing import TYPE_CHECKING

from companion.sleep.decision import rhythm
from companion.sleep.decision.state import Body
from companion.sleep.gather import gather_state
from companion.sleep.steps import Limits, run_step
from companion.storage.git.command import GitMissing
from companion.values.progress import Silent
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.fleet.results import NightStep

_IN_THE_SHARD = (rhythm.ADOPT, rhythm.CONTEXTUALIZE)


class _Unwatched(Silent):
    """Nobody uses a worker's copy, and nothing wakes it."""

    __slots__ = ("step",)

    def __init__(self) -> None:
        self.step = ""

    def is_over(self) -> bool:
        """Return that the night goes on."""
        return False


def do_steps(ws: Workspace) -> "list[NightStep]":
    """Do the steps that are due in *ws*, and return what each came to.

    One that fails does not keep the later ones from running. Raises GitMissing.
    """
    state = gather_state(ws, Body()).state
    due = rhythm.choose_steps(state, asked=True)
    return [_do(ws, name) for name in due if name not in _IN_THE_SHARD]


def _do(ws: Workspace, name: str) -> "NightStep":
    done = run_step(name, ws, _Unwatched(), Limits())
    if isinstance(done.error, GitMissing):
        raise done.error
    return {
        "name": name,
        "outcome": done.outcome,
        "words": done.words,
        "run": done.run,
        "exit_code": 0 if done.error is None else done.error.exit_code,
    }
