"""Undo: a compensating run, never a rewriting of history.

Each page that a run wrote goes back to what it held before, by the same ownership-aware merge that
guards a growing page: what a person changed since stays, and a page that cannot go back without
touching their lines is left out, with the reason. Undoing an undo is the same operation on the
undoing run. Pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.pages import page

_CHANGED = "was changed since in the same place; it stays as it is"


class Step(NamedTuple):
    """One page that a run changed. None where there was, or is, no page."""

    path: str
    before: str | None  # its text before the run
    after: str | None  # as the run left it
    now: str | None  # as the branch has it now
    blocked: str | None  # why it must not be touched


@dataclass(frozen=True)
class Reversal:
    """The pages that undoing writes, and those that it leaves alone."""

    # (path, text); None removes the page
    writes: tuple[tuple[str, str | None], ...]
    left_out: tuple[tuple[str, str], ...]  # (path, reason)


def plan(steps: Sequence[Step]) -> Reversal:
    """Plan the reversal of a run's *steps*."""
    writes = []
    left_out = []
    for step in steps:
        if step.blocked is not None:
            left_out.append((step.path, step.blocked))
        elif step.now == step.before:
            continue  # it is back already
        elif step.now == step.after:
            writes.append((step.path, step.before))
        else:
            merged = _merge(step)
            if merged is None:
                left_out.append((step.path, _CHANGED))
            else:
                writes.append((step.path, merged))
    return Reversal(tuple(writes), tuple(left_out))


def is_still_there(step: Step) -> bool:
    """Tell whether a page still holds anything that the run put there.

    A page from which the run only took lines always does.
    """
    if step.after is None or step.now is None:
        return step.now == step.after
    added = set(step.after.splitlines()) - set((step.before or "").splitlines())
    return not added or not added.isdisjoint(step.now.splitlines())


def _merge(step: Step) -> str | None:
    """Return the page without the run's own lines; None where the page was made, removed or moved
    since, or the lines cannot be told apart.
    """
    if step.before is None or step.after is None or step.now is None:
        return None
    return page.merge(step.after, step.before, step.now)
