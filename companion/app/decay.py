"""`decay`: weigh what rests on every entry, and set or take back the gravity-protected flag (MaM §5.6, §7.5)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.app import gravity, ride, versions
from companion.app.adopting import recorded
from companion.app.gravity import Pass, Progress
from companion.app.snapshot import COMPANION, Night, attempts, run_inputs
from companion.app.workspace import Workspace
from companion.core import decay as decaying
from companion.model.plan import Verdict
from companion.store import graph, runfile

_LISTED = 20  # entries that a commit message names; the ledger file in it has them all


def decay(ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None) -> dict[str, Any]:
    """Protect what bears weight, as a run of its own; one that changes nothing commits nothing (DEC-5).

    Raises Busy or TryLater with nothing changed.
    """
    return attempts(ws, "decay", lambda tonight: _decay(tonight, dry_run=dry_run), progress)


def _decay(tonight: Night, *, dry_run: bool) -> dict[str, Any]:
    if not dry_run:
        from companion.app import reverts  # it reads the record as a night does

        reverts.record(tonight)
    known = recorded(tonight)
    passed = gravity.weigh(tonight)
    weights = {each.entry: each.weight for each in passed.bearing}
    verdicts = decaying.flags(weights, passed.floor, graph.protected(tonight.db))
    report = _report(passed, verdicts, tonight.notes)
    lines = known + [{"e": each.action, "entry": each.subject, **each.data, "reason": each.reason} for each in verdicts]
    used = ride.gather(tonight)
    if not (lines or used.alone) or dry_run:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    inputs = run_inputs(tonight, {}, versions.DECAY)
    inputs |= {"frozen": passed.floor._asdict(), "usage": used.mark}
    run = runfile.make("decay", tonight.moment(), inputs, lines + used.lines)
    commit = tonight.publish(run, [], *_message(verdicts, [*known, *used.lines]), author=COMPANION)
    tonight.refold()
    if not known:  # no page changed, so what was weighed still is what rests on what
        gravity.carry_over(tonight)
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


def _report(passed: Pass, verdicts: Sequence[Verdict], notes: Sequence[str]) -> dict[str, Any]:
    named = {each.entry: each for each in passed.bearing}
    items: dict[str, list[dict[str, Any]]] = {"protected": [], "unprotected": []}
    for verdict in verdicts:
        each = named.get(verdict.subject)
        items[verdict.action].append(
            {
                "entry": verdict.subject,
                "path": None if each is None else each.path,
                "title": None if each is None else each.title,
                "gravity": verdict.data["gravity"],
                "effective": 0.0 if each is None else each.weight.effective,
                "reason": verdict.reason,
            }
        )
    floor = {"value": passed.floor.value, "rule": passed.floor.rule}
    above = sum(each.weight.above for each in passed.bearing)
    return {"entries": passed.floor.entries, "floor": floor, "above": above, **items, "notes": list(notes)}


def _message(verdicts: Sequence[Verdict], known: Sequence[dict[str, Any]]) -> tuple[str, str]:
    what = Counter(verdict.action for verdict in verdicts)
    what.update(event["e"] for event in known)
    subject = "decay: " + ", ".join(f"{count} {kind}" for kind, count in sorted(what.items()))
    shown = [f"{verdict.subject}: {verdict.reason}" for verdict in verdicts[:_LISTED]]
    if len(verdicts) > _LISTED:
        shown.append(f"… and {len(verdicts) - _LISTED} more; the ledger file has them all")
    return subject, "\n".join(shown)
