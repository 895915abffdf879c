"""Undo: a compensating run, never a rewriting of history.

Each page that a run wrote goes back to what it held before, by the same ownership-aware merge that
guards a growing page: what a person changed since stays, and a page that cannot go back without
touching their lines is left out, with the reason. Statements are taken from the pages on which they
stand now, and those that the run moved return. Undoing an undo is the same operation on the undoing
run. Pure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.adoption.undo_statements import (
    Block,
    Change,
    has_nothing_else,
    is_edited,
    keep,
    read_change,
    take_back,
)
from companion.pages import page
from companion.pages.statement_edits import remove_statement
from companion.pages.statements import read_mentions, read_statements

_CHANGED = "was changed since in the same place; it stays as it is"


class Step(NamedTuple):
    """One page that a run changed. None where there was, or is, no page."""

    path: str
    before: str | None  # its text before the run
    after: str | None  # as the run left it
    now: str | None  # as the branch has it now
    blocked: str | None  # why it must not be touched
    # the statements that the run brought into the wiki, wherever they stand
    blocks: tuple[Block, ...] = ()
    # ids of statements that the run moved, and that were undone since: they do not return
    undone: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Reversal:
    """The pages that undoing writes, and those that it leaves alone."""

    # (path, text); None removes the page
    writes: tuple[tuple[str, str | None], ...]
    left_out: tuple[tuple[str, str], ...]  # (path, reason)


class _Outcome(NamedTuple):
    """The fate of one page in an undo."""

    text: str | None = None
    reason: str | None = None  # why it is left out
    same: bool = False  # nothing is to be done


def plan(steps: Sequence[Step]) -> Reversal:
    """Plan the reversal of a run's *steps*.

    A block that cannot leave one page does not return to another.
    """
    steps = [_without_undone(step) for step in steps]
    stay: set[str] = set()
    while True:
        outcomes = {step.path: _decide(step, stay) for step in steps}
        staying = set(stay)
        for step in steps:
            if outcomes[step.path].reason is not None:
                staying |= _list_own(step)
        if staying == stay:
            return _reversal(outcomes)
        stay = staying


def _without_undone(step: Step) -> Step:
    before = step.before
    for id in sorted(step.undone):
        before = before and remove_statement(before, id)
    return step._replace(before=before)


def is_still_there(step: Step) -> bool:
    """Tell whether a page still holds anything that the run put there.

    A page from which the run only took lines always does.
    """
    if step.after is None or step.now is None:
        return step.now == step.after
    added = set(step.after.splitlines()) - set((step.before or "").splitlines())
    return not added or not added.isdisjoint(step.now.splitlines())


def _reversal(outcomes: dict[str, _Outcome]) -> Reversal:
    writes = []
    left_out = []
    for path, outcome in outcomes.items():
        if outcome.reason is not None:
            left_out.append((path, outcome.reason))
        elif not outcome.same:
            writes.append((path, outcome.text))
    return Reversal(tuple(writes), tuple(left_out))


def _change_of(step: Step) -> Change:
    return read_change(step.before, step.after, step.blocks)


def _decide(step: Step, stay: Collection[str]) -> _Outcome:
    change = _change_of(step)
    has_staying = not _list_own(step).isdisjoint(stay)
    if step.blocked is not None:
        return _Outcome(reason=step.blocked)
    if _is_undone(step, change):
        return _Outcome(same=True)
    if step.now == step.after != step.before and not has_staying:
        return _Outcome(step.before)
    if step.now is not None and _has_statements(step):
        return _take_back(step, step.now, change, stay)
    merged = _merge(step)
    if merged is None:
        return _Outcome(reason=_CHANGED)
    return _Outcome(merged)


def _list_own(step: Step) -> set[str]:
    """Return the ids of the statements that the run changed and that are, or were, on this page."""
    ids: set[str] = set()
    for text in (step.before, step.after, step.now):
        ids.update(one.id for one in read_statements(text or ""))
    return ids & _change_of(step).list_ids()


def _has_statements(step: Step) -> bool:
    texts = (step.before, step.after, step.now)
    return any(text and read_statements(text) for text in texts)


def _holds(text: str | None, ids: Collection[str]) -> bool:
    """Tell whether a page has one of the statements *ids*, or a line for it."""
    if text is None:
        return False
    present = {one.id for one in read_statements(text)}
    present.update(one.id for one in read_mentions(text))
    return not present.isdisjoint(ids)


def _is_undone(step: Step, change: Change) -> bool:
    """Tell whether nothing is left to undo: the page is back already, or what it held is gone."""
    if step.now == step.before and not _holds(step.now, change.added):
        return True
    return step.now is None and bool(step.undone) and not change.taken


def _take_back(
    step: Step, now: str, change: Change, stay: Collection[str]
) -> _Outcome:
    """Return the page as it is now, without what the run did to its statements."""
    if is_edited(now, change):
        return _Outcome(reason=_CHANGED)
    text = take_back(now, step.before, change, stay)
    if step.after is None:
        # the run removed a page that is there again
        return _Outcome(reason=_CHANGED)
    after = take_back(step.after, step.before, change, stay)
    if step.before is None:
        is_empty = text == after or has_nothing_else(text, after)
        return _Outcome(None) if is_empty else _Outcome(text, same=text == now)
    if after != step.before and step.after != step.before:
        expected = keep(step.before, step.after, change, stay)
        merged = page.merge(after, expected, text)
        if merged is not None:
            return _Outcome(merged, same=merged == now)
        # a page of one note stays one of statements where others stand beside it
        if read_statements(step.before):
            return _Outcome(reason=_CHANGED)
    return _Outcome(text, same=text == now)


def _merge(step: Step) -> str | None:
    """Return the page without the run's own lines; None where the page was made, removed or moved
    since, or the lines cannot be told apart.
    """
    if step.before is None or step.after is None or step.now is None:
        return None
    return page.merge(step.after, step.before, step.now)
