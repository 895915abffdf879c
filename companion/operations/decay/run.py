"""Protect pages that others depend on, compress and archive unused ones (MaM §5.3, §5.6, §7.5)."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.gravity.measure import (
    GravityPass,
    carry_pass_over,
    weigh_entries,
)
from companion.operations.decay.gather import DecayPass, Decision, plan_pass
from companion.operations.decay.measure import vitality_document
from companion.operations.decay.plan import plan_flags
from companion.operations.decay.rules import DECAY_RULES
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.index.tables.gravity import list_protected
from companion.usage.record_in_run import UseRecords, gather_uses
from companion.values.decisions import Verdict
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        DecayedEntry,
        DecayReport,
        DecayResult,
        FlaggedEntry,
        FlagReport,
        ShelvedStatement,
        TransitionReport,
    )
    from companion.values.results import (
        Publication,
    )

# entries that a commit message names; the ledger file in it has them all
_LISTED = 20
_TRANSITIONS = frozenset({"decaying", "compressed", "archived", "restored"})


def decay(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> "DecayResult":
    """Protect pages that others depend on, and let unused ones decay, as a run of its own (DEC-5).

    A run that changes nothing commits nothing. Raises Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws, "decay", lambda run: _decay(run, dry_run=dry_run), progress
    )


def _decay(run: Run, *, dry_run: bool) -> "DecayResult":
    run.progress.begin("looking at changed pages")
    if not dry_run:
        # it reads the record as a night does
        from companion.adoption import git_reverts

        git_reverts.record_git_reverts(run)
    edits = [*make_edit_events(run), *make_move_events(run)]
    moment = run.moment()
    run.progress.begin("weighing pages")
    weighed = weigh_entries(run)
    weights = {each.entry: each.weight for each in weighed.bearing}
    flags = plan_flags(weights, weighed.floor, list_protected(run.db))
    used = gather_uses(run)
    edited = {line["entry"] for line in edits}
    found = plan_pass(run, weighed.floor, used.lines, edited, moment)
    report: DecayReport = {
        **_report_flags(weighed, flags),
        **_report_decisions(found),
        "notes": list(run.notes),
    }
    if dry_run:
        return {"run": None, "commit": None, **report, "dry_run": True}
    published: Publication = {"run": None, "commit": None}
    if edits or flags or found.changes.lines or used.alone:
        published = _publish(run, weighed, found, flags, edits, used, moment)
    return {**published, **report, "dry_run": False}


def _publish(
    run: Run,
    weighed: GravityPass,
    found: DecayPass,
    flags: Sequence[Verdict],
    edits: Sequence[LedgerLine],
    used: UseRecords,
    moment: str,
) -> "Publication":
    """Write the pass as one run and one commit; return the ids of both."""
    changes = found.changes
    run.progress.begin("writing the record")
    inputs = make_inputs(run, changes.left_out, DECAY_RULES)
    inputs["frozen"] = weighed.floor._asdict()
    inputs["decides"] = found.instant
    inputs["usage"] = used.mark
    lines = [*edits, *_flag_lines(flags), *changes.lines, *used.lines]
    record = ledger_file.make_run("decay", moment, inputs, lines)
    changes.store(run)
    subject, body = _message(flags, [*edits, *changes.lines, *used.lines])
    commit = run.publish(
        record, changes.writes, subject, body, author=COMPANION
    )
    run.refold()
    if not edits and not changes.writes:
        # no page changed, so the weights of this run still hold
        carry_pass_over(run)
    return {"run": record.id, "commit": commit}


def _flag_lines(flags: Sequence[Verdict]) -> list[LedgerLine]:
    lines: list[LedgerLine] = []
    for flag in flags:
        lines.append(
            {
                "e": flag.action,
                "entry": flag.subject,
                **flag.data,
                "reason": flag.reason,
            }
        )
    return lines


def _report_flags(
    weighed: GravityPass, flags: Sequence[Verdict]
) -> "FlagReport":
    known = {each.entry: each for each in weighed.bearing}
    items: dict[str, list[FlaggedEntry]] = {"protected": [], "unprotected": []}
    for flag in flags:
        entry = known.get(flag.subject)
        items[flag.action].append(
            {
                "entry": flag.subject,
                "path": None if entry is None else entry.path,
                "title": None if entry is None else entry.title,
                "gravity": flag.data["gravity"],
                "effective": 0.0 if entry is None else entry.weight.effective,
                "reason": flag.reason,
            }
        )
    floor = weighed.floor
    above = sum(each.weight.above for each in weighed.bearing)
    return {
        "entries": floor.entries,
        "floor": {"value": floor.value, "rule": floor.rule},
        "above": above,
        "protected": items["protected"],
        "unprotected": items["unprotected"],
    }


def _report_decisions(found: DecayPass) -> "TransitionReport":
    items: dict[str, list[DecayedEntry]] = {
        "decaying": [],
        "compressed": [],
        "archived": [],
        "restored": [],
        "kept": [],
    }
    distortions = {}
    for line in found.changes.lines:
        if line["e"] == "compressed":
            distortions[line["entry"]] = line["distortion"]
    for decision in found.decisions:
        item = _decision_document(decision, distortions.get(decision.entry.id))
        items[decision.verdict.action].append(item)
    return {
        "decaying": items["decaying"],
        "compressed": items["compressed"],
        "archived": items["archived"],
        "restored": items["restored"],
        "kept": items["kept"],
        "statements": _report_statements(found, "archived"),
        "misled": _report_statements(found, "decaying"),
        "left_out": [
            {"path": path, "reason": reason}
            for path, reason in sorted(found.changes.left_out.items())
        ],
        "decides": found.instant,
    }


def _report_statements(
    found: DecayPass, state: str
) -> "list[ShelvedStatement]":
    shelved: list[ShelvedStatement] = []
    for line in found.changes.lines:
        if line["e"] == "statement" and line["state"] == state:
            shelved.append(
                {
                    "capture": line["capture"],
                    "entry": line["entry"],
                    "path": line["path"],
                    "reason": line["reason"],
                }
            )
    return shelved


def _decision_document(
    decision: Decision, distortion: float | None
) -> "DecayedEntry":
    entry = decision.entry
    return {
        "entry": entry.id,
        "path": entry.path,
        "title": entry.title,
        "managed": entry.managed,
        "vitality": vitality_document(decision.terms),
        "distortion": distortion,
        "reason": decision.verdict.reason,
    }


def _message(
    flags: Sequence[Verdict], others: Sequence[LedgerLine]
) -> tuple[str, str]:
    """Return the subject and the body of the commit."""
    counts = Counter(flag.action for flag in flags)
    counts.update(line["e"] for line in others)
    subject = ", ".join(
        f"{count} {kind}" for kind, count in sorted(counts.items())
    )
    reasons = [f"{flag.subject}: {flag.reason}" for flag in flags]
    for line in others:
        if line["e"] in _TRANSITIONS:
            reasons.append(f"{line['entry']}: {line['reason']}")
    shown = reasons[:_LISTED]
    if len(reasons) > _LISTED:
        shown.append(
            f"… and {len(reasons) - _LISTED} more; the ledger file has them all"
        )
    return f"decay: {subject}", "\n".join(shown)
