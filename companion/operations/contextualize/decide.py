"""Carry out what its owner decided on an original with secrets: keep it, or erase it for good."""

from typing import TYPE_CHECKING, Literal

from companion.lookup.find import Ambiguous, NothingFound
from companion.operations.contextualize.rules import CONTEXTUALIZE_RULES
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.cold import locked_originals
from companion.storage.erasure.scrub import drop_objects
from companion.storage.index.tables.sources import LockedOriginal, list_locked
from companion.values.events import LedgerLine
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.contextualize.results import DecisionResult

Choice = Literal["keep", "erase"]

_SHORTEST = 4  # characters of an id
_REASONS = {
    "keep": "Its owner keeps it as it is: the next night reads it.",
    "erase": "Its owner erased it: its bytes are gone.",
}


def decide(ws: Workspace, target: str, choice: Choice) -> "DecisionResult":
    """Keep or erase the locked original that *target* names; a run in the person's name.

    What is kept is read by the next night. What is erased leaves git's store. Raises NothingFound,
    Ambiguous, Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws, "review", lambda run: _decide(run, target, choice), None
    )


def _decide(run: Run, target: str, choice: Choice) -> "DecisionResult":
    locked = _find_locked(run, target)
    line: LedgerLine = {
        "e": "released",
        "original": locked.original,
        "choice": choice,
        "reason": _REASONS[choice],
    }
    inputs = make_inputs(run, {}, CONTEXTUALIZE_RULES)
    record = ledger_file.make_run("review", run.moment(), inputs, [line])
    commit = run.publish(
        record, [], f"review: {choice} an original with secrets", line["reason"]
    )
    run.refold()
    # recorded first: a crash here leaves it locked, and the same command goes on
    _carry_out(run, locked.original, choice)
    return {
        "run": record.id,
        "commit": commit,
        "original": locked.original,
        "origin": locked.origin,
        "choice": choice,
        "notes": list(run.notes),
    }


def _carry_out(run: Run, original: str, choice: Choice) -> None:
    if original not in locked_originals.list_locked(run.repo):
        return
    if choice == "keep":
        locked_originals.release(run.repo, [original])
        return
    objects = locked_originals.drop(run.repo, [original])
    drop_objects(run.ws.place, objects)


def _find_locked(run: Run, target: str) -> LockedOriginal:
    """Return the original that waits for its owner, by the beginning of its id or where it came
    from. Raises NothingFound or Ambiguous.
    """
    here = locked_originals.list_locked(run.repo)
    waiting = [
        one
        for one in list_locked(run.db)
        if one.choice is None or one.original in here
    ]
    found = [one for one in waiting if _is_named(one, target)]
    if len(found) > 1:
        raise Ambiguous(
            f"{target!r} names more than one original",
            hint="Give more of its id.",
        )
    if not found:
        raise NothingFound(
            f"no original that waits for you is called {target!r}",
            hint="`companion review` lists them.",
        )
    return found[0]


def _is_named(one: LockedOriginal, target: str) -> bool:
    is_id = len(target) >= _SHORTEST and one.original.startswith(target)
    return is_id or one.origin == target
