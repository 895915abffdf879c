"""`decay`: what bears weight is protected, what nobody needs any more fades (MaM §5.3, §5.6,
§7.5).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.adoption.run import recorded
from companion.gravity.measure import GravityPass, Progress, carry_pass_over, weigh_entries
from companion.operations.decay import gather as waning
from companion.operations.decay import measure as measuring
from companion.operations.decay import plan as decaying
from companion.operations.decay.gather import Faded
from companion.operations.decay.rules import DECAY_RULES
from companion.runs.run import COMPANION, Run, run_inputs, run_with_retries
from companion.storage import ledger_file
from companion.storage.index import fold
from companion.storage.index.tables import gravity as graph
from companion.usage.record_in_run import gather_uses
from companion.values.decisions import Verdict
from companion.workspace import Workspace

_LISTED = 20  # entries that a commit message names; the ledger file in it has them all


def decay(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> dict[str, Any]:
    """Protect what bears weight and let fade what nobody needs, as a run of its own (DEC-5).

    One that changes nothing commits nothing. Raises Busy or TryLater with nothing changed.
    """
    return run_with_retries(ws, "decay", lambda tonight: _decay(tonight, dry_run=dry_run), progress)


def _decay(tonight: Run, *, dry_run: bool) -> dict[str, Any]:
    if not dry_run:
        from companion.adoption import git_reverts  # it reads the record as a night does

        git_reverts.record(tonight)
    known, moment = recorded(tonight), tonight.moment()
    passed = weigh_entries(tonight)
    weights = {each.entry: each.weight for each in passed.bearing}
    verdicts = decaying.flags(weights, passed.floor, graph.protected(tonight.db))
    used = gather_uses(tonight)
    faded = waning.look(
        tonight, passed.floor, used.lines, {line["entry"] for line in known}, moment
    )
    report = {**_report(passed, verdicts), **_fading(faded), "notes": list(tonight.notes)}
    lines = known + [
        {"e": each.action, "entry": each.subject, **each.data, "reason": each.reason}
        for each in verdicts
    ]
    lines += faded.changes.lines
    if dry_run or not (lines or used.alone):
        _keep(tonight, faded, dry_run=dry_run)
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    inputs = run_inputs(tonight, faded.changes.left_out, DECAY_RULES)
    inputs |= {"frozen": passed.floor._asdict(), "decides": faded.instant, "usage": used.mark}
    run = ledger_file.make("decay", moment, inputs, lines + used.lines)
    faded.changes.store(tonight)
    message = _message(verdicts, [*known, *faded.changes.lines, *used.lines])
    commit = tonight.publish(run, faded.changes.writes, *message, author=COMPANION)
    tonight.refold()
    # no page changed, so what was weighed still is what rests on what
    if not known and not faded.changes.writes:
        carry_pass_over(tonight)
    _keep(tonight, faded, dry_run=False)
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


def _keep(tonight: Run, faded: Faded, *, dry_run: bool) -> None:
    if not dry_run:
        with fold.transaction(tonight.db):
            measuring.keep(tonight.db, faded.vitality)


def _report(passed: GravityPass, verdicts: Sequence[Verdict]) -> dict[str, Any]:
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
    return {"entries": passed.floor.entries, "floor": floor, "above": above, **items}


def _fading(faded: Faded) -> dict[str, Any]:
    items: dict[str, list[dict[str, Any]]] = {
        "decaying": [],
        "compressed": [],
        "archived": [],
        "restored": [],
    }
    kept: list[dict[str, Any]] = []
    lost = {
        line["entry"]: line["distortion"]
        for line in faded.changes.lines
        if line["e"] == "compressed"
    }
    for verdict, terms, entry in faded.verdicts:
        item = {
            "entry": entry.id,
            "path": entry.path,
            "title": entry.title,
            "managed": entry.managed,
            "vitality": measuring.told(terms),
            "distortion": lost.get(entry.id),
            "reason": verdict.reason,
        }
        (kept if verdict.action == "kept" else items[verdict.action]).append(item)
    left_out = [
        {"path": path, "reason": why} for path, why in sorted(faded.changes.left_out.items())
    ]
    return {**items, "kept": kept, "left_out": left_out, "decides": faded.instant}


def _message(verdicts: Sequence[Verdict], others: Iterable[Mapping[str, Any]]) -> tuple[str, str]:
    listed = list(others)
    what = Counter([verdict.action for verdict in verdicts] + [event["e"] for event in listed])
    subject = "decay: " + ", ".join(f"{count} {kind}" for kind, count in sorted(what.items()))
    told = [(verdict.subject, verdict.reason) for verdict in verdicts]
    told += [(event["entry"], event["reason"]) for event in listed if event["e"] in _TOLD]
    shown = [f"{entry}: {reason}" for entry, reason in told[:_LISTED]]
    if len(told) > _LISTED:
        shown.append(f"… and {len(told) - _LISTED} more; the ledger file has them all")
    return subject, "\n".join(shown)


_TOLD = frozenset({"decaying", "compressed", "archived", "restored"})
