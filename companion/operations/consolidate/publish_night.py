"""Write what a night decided: as one run of the ledger and one commit (CON-2, CON-4)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.comparison.evidence import Evidence
from companion.comparison.pending import ConsolidationPlan
from companion.judges.configured import Judges
from companion.judges.run_input import relating_input
from companion.ledger.dependents.flag import flag_run
from companion.ledger.resolve_run import resolve_new_claims
from companion.lifecycle.leave_buffer import Expiry, list_lines
from companion.minority.outcome import Outcome
from companion.operations.consolidate.collect import NightInput
from companion.operations.consolidate.report import commit_message
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.routing import peers
from companion.runs.publication import COMPANION
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.values.decisions import Write
from companion.values.events import JsonDocument, LedgerLine

if TYPE_CHECKING:
    from companion.values.results import Publication


@dataclass(frozen=True)
class NightPlan:
    """The files and ledger lines that a night will write, and what they rest on."""

    pages: ConsolidationPlan  # with the facts of tonight in its pages
    outcome: Outcome  # of phase 4: branches that opened, grew or won
    writes: list[Write]
    # changes of a person, corrections, moves, and what is watched
    known: list[LedgerLine]
    lines: list[LedgerLine]  # everything decided, *known* among it
    claims: list[LedgerLine]  # what the integrated captures state
    excluded: dict[str, str]  # path -> why this night does not touch it
    pages_with_new_facts: int
    expired: list[Expiry]  # notes that waited too long


def publish_night(
    run: Run,
    pending: NightInput,
    judges: Judges,
    evidence: Evidence,
    night: NightPlan,
) -> "Publication":
    """Write the night as one run and one commit; return the ids of both."""
    run.progress.begin("writing the record")
    claims = [
        line for line in (*night.known, *night.claims) if line["e"] == "claims"
    ]
    lines = [*night.lines, *night.claims, *resolve_new_claims(run, claims)]
    lines += flag_run(run, lines, run.present())
    inputs = _run_inputs(run, pending, judges, evidence, night, lines)
    made = ledger_file.make_run(
        "consolidate", pending.moment, inputs, lines + pending.uses.lines
    )
    subject, body = commit_message(
        night.pages,
        night.outcome,
        [
            *night.known,
            *pending.rejected,
            *list_lines(night.expired),
            *pending.uses.lines,
        ],
        pages_with_new_facts=night.pages_with_new_facts,
    )
    commit = run.publish(
        made,
        night.writes,
        subject,
        body,
        author=COMPANION,
        parents=night.outcome.parents,
        trailers=night.outcome.list_trailers(),
    )
    return {"run": made.id, "commit": commit}


def _run_inputs(
    run: Run,
    pending: NightInput,
    judges: Judges,
    evidence: Evidence,
    night: NightPlan,
    lines: list[LedgerLine],
) -> JsonDocument:
    """Return what the run's first line says: its complete input (CON-2)."""
    answered = [line["key"] for line in lines if line["e"] == "answered"]
    inputs = make_inputs(run, night.excluded, CONSOLIDATE_RULES)
    inputs |= relating_input(
        evidence.consultations,
        judges,
        pending.readings.reader,
        answered,
        contested=bool(evidence.about),
    )
    if pending.held:
        inputs["held"] = sorted({gone.run for gone in pending.held.values()})
    if pending.later:
        inputs["later"] = pending.later
    inputs["usage"] = pending.uses.mark
    # a rule that came later is named where it has something to decide
    if run.repo.subtree(run.tree, peers.PATH) is not None:
        inputs["rules"]["peers"] = peers.VERSION
    return inputs
