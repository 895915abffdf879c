"""CONSOLIDATE, as an operation of the sleep cycle: collect, judge, plan, publish (MaM §5.5)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.adoption.late_edits import capture_late_edits
from companion.adoption.run import Progress, record_reverts
from companion.comparison.evidence import Anew, Evidence
from companion.comparison.pending import ConsolidationPlan
from companion.judges import configured
from companion.judges.configured import Judges
from companion.judges.run_input import relating_input
from companion.ledger.dependents import flag_run
from companion.ledger.facts.corrections import read_corrections
from companion.ledger.facts.update import refresh_facts
from companion.ledger.person_answers import (
    list_model_contradictions,
    settle_answers,
)
from companion.ledger.read_notes import make_claims_lines
from companion.ledger.resolve_run import resolve_new_claims
from companion.minority.apply import decide_branches
from companion.minority.outcome import Outcome
from companion.operations.consolidate import (
    judge_captures,
    quarantine,
    same_names,
)
from companion.operations.consolidate.beside_wiki import (
    list_members_to_judge_again,
    list_pages_beside_wiki,
)
from companion.operations.consolidate.collect import NightInput, collect_pending
from companion.operations.consolidate.move_namesakes import (
    describe_moves,
    plan_moves,
    write_moves,
)
from companion.operations.consolidate.plan import (
    consolidation_events,
    plan_consolidation,
)
from companion.operations.consolidate.quarantine import Quarantine
from companion.operations.consolidate.report import (
    commit_message,
    describe_night,
)
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.routing.watch_signals import (
    SignalFile,
    SignalWatch,
    watch_signals,
)
from companion.routing.watch_user_words import WordWatch, watch_user_words
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git import capture_buffer, objects
from companion.storage.journal.verdicts import Verdicts
from companion.values.decisions import Write
from companion.values.events import JsonDocument, LedgerLine
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.consolidate.results import (
        ConsolidateResult,
    )
    from companion.values.results import (
        Publication,
    )

Announce = Callable[[str], None]


@dataclass(frozen=True)
class Watches:
    """What a night keeps an eye on beside its captures."""

    signals: SignalWatch  # entries that somebody outside flagged as harmful
    words: WordWatch  # words that a person uses for pages of other names
    quarantine: Quarantine  # pages that contradicted and wait


@dataclass(frozen=True)
class NightPlan:
    """What a night will write: files, ledger lines, and what they rest on."""

    pages: ConsolidationPlan  # with the facts of tonight in its pages
    outcome: Outcome  # of phase 4: branches that opened, grew or won
    writes: list[Write]
    # changes of a person, corrections, moves, and what is watched
    known: list[LedgerLine]
    lines: list[LedgerLine]  # everything decided, *known* among it
    claims: list[LedgerLine]  # what the integrated captures state
    excluded: dict[str, str]  # path -> why this night does not touch it
    pages_with_new_facts: int


def consolidate(
    ws: Workspace,
    *,
    dry_run: bool = False,
    release: bool = False,
    progress: Progress | None = None,
    max_calls: int | None = None,
    announce: Announce | None = None,
) -> "ConsolidateResult":
    """Integrate the buffer into the wiki as one run (MaM §5.5).

    Captures whose run left the branch wait, unless *release*. A dry run asks the judges too: their
    answers are kept, and the run itself will not ask again. *announce* is told what a language
    model may cost before it is asked; *max_calls* overrides the configured limit. Raises Busy or
    TryLater with nothing changed.
    """

    def once(run: Run) -> "ConsolidateResult":
        judges = configured.open_judges(run.config, max_calls=max_calls)
        return _consolidate(
            run, judges, announce, dry_run=dry_run, release=release
        )

    return run_with_retries(ws, "consolidate", once, progress)


def _consolidate(
    run: Run,
    judges: Judges,
    announce: Announce | None,
    *,
    dry_run: bool,
    release: bool,
) -> "ConsolidateResult":
    if not dry_run:
        record_reverts(run)
    capture_late_edits(run)
    capture_buffer.anchor(run.journal, run.repo)

    pending = collect_pending(run, release=release)
    watches = _watch(run, pending)
    # the only place that asks a model
    judged = _judge(run, pending, watches, judges, announce)
    evidence = _raise_friction(run, pending, watches, judged)
    night = _plan_night(run, pending, watches, evidence, dry_run=dry_run)
    document = describe_night(
        night.pages,
        night.outcome,
        evidence,
        night.excluded,
        run.notes,
        pending.uses,
        pages_with_new_facts=night.pages_with_new_facts,
    )
    if dry_run or not (night.lines or pending.uses.alone):
        return {"run": None, "commit": None, **document, "dry_run": dry_run}
    published = _publish(run, pending, judges, evidence, night)
    run.refold()  # from git, like any other run
    run.journal.checkpoint()
    return {**published, **document, "dry_run": False}


def _watch(run: Run, pending: NightInput) -> Watches:
    signals = watch_signals(run, SignalFile(run.repo, run.tree))
    return Watches(
        signals=signals,
        words=watch_user_words(run, pending.captures, pending.readings),
        quarantine=quarantine.collect_quarantine(run, pending.adopted, signals),
    )


def _judge(
    run: Run,
    pending: NightInput,
    watches: Watches,
    judges: Judges,
    announce: Announce | None,
) -> Evidence:
    """Return what the judges answer about tonight's captures (phases 1 and 2).

    Pages in quarantine and members of branches are judged again where something about them changed.
    """

    def pages_to_judge_again(evidence: Evidence) -> list[Anew]:
        watches.quarantine.choose_due(evidence, pending.new_sightings())
        return [
            *watches.quarantine.pages_to_judge(),
            *list_members_to_judge_again(run.db, pending.adopted),
        ]

    return judge_captures.gather(
        run,
        pending.captures,
        pending.wiki,
        judges,
        announce,
        pending.readings,
        beside=list_pages_beside_wiki(run.db),
        anew=pages_to_judge_again,
    )


def _raise_friction(
    run: Run, pending: NightInput, watches: Watches, evidence: Evidence
) -> Evidence:
    """Return *evidence* with the friction of rows 2 and 3 of the matrix applied."""
    sighted_again = [capture for capture, _, _ in pending.sighted_again]
    watches.signals.mark_reinforcing(
        pending.captures, sighted_again, pending.readings, evidence.judged
    )
    resisted = watches.signals.apply_friction(evidence.stands)
    log = Verdicts(run.journal, run.db)
    run.notes += list_model_contradictions(run.db, log)
    return replace(evidence, stands=watches.words.compensate(resisted))


def _plan_night(
    run: Run,
    pending: NightInput,
    watches: Watches,
    evidence: Evidence,
    *,
    dry_run: bool,
) -> NightPlan:
    """Return what the night decides: phases 3 and 4, and what follows from them."""
    outcome, drafted = _plan_pages(run, pending, watches, evidence)
    known = [
        *pending.adopted,
        *read_corrections(run, pending.adopted, pending.moment),
    ]
    moved, freed = _settle_quarantine(run, watches, evidence, outcome)
    claims = (
        []
        if dry_run
        else _claim_lines(run, pending, watches, outcome, drafted, moved)
    )

    busy = [*pending.excluded, *outcome.list_replaced_pages(run.db)]
    facts = refresh_facts(run, drafted, [*known, *claims], pending.moment, busy)
    excluded = {**pending.excluded, **facts.excluded}

    writes = [
        Write(page.path, page.content) for page in facts.plan.pages
    ] + facts.writes()
    resting = {*excluded, *(write.path for write in writes)}
    moves = plan_moves(run, resting, {line["entry"] for line in known})
    run.notes += describe_moves(moves)
    known += same_names.events(moves)
    known += (
        watches.signals.list_queue_lines()
        + watches.words.list_marker_lines(watches.signals.flagged)
    )

    writes += write_moves(run.repo, moves) + outcome.list_writes()
    blobs = {
        write.path: objects.hash_blob(write.content or b"") for write in writes
    }
    planned = consolidation_events(
        facts.plan, capture_buffer.encode_sighting, blobs.__getitem__
    )
    lines = [
        *known,
        *moved,
        *outcome.lines,
        *watches.signals.tag_pages(facts.events(planned)),
    ]
    lines += judge_captures.lines(
        run,
        evidence,
        facts.plan,
        {**outcome.joined, **freed},
        outcome.decided | quarantine.supporting(evidence, watches.quarantine),
    )
    return NightPlan(
        facts.plan,
        outcome,
        writes,
        known,
        lines,
        claims,
        excluded,
        len(facts.updates),
    )


def _plan_pages(
    run: Run, pending: NightInput, watches: Watches, evidence: Evidence
) -> tuple[Outcome, ConsolidationPlan]:
    """Return what phase 4 makes of challengers, and the pages that everything else becomes."""
    outcome = decide_branches(
        run,
        pending.captures,
        pending.wiki,
        evidence,
        pending.sighted_again,
        pending.moment,
        watch=watches.signals,
    )
    rest = [
        told
        for told in pending.captures
        if told.capture.id not in outcome.handled
    ]
    drafted = plan_consolidation(
        rest,
        outcome.reserve_names(pending.wiki),
        pending.sighted_again,
        contents=run.contents(),
        stands=evidence.stands,
        unjudged=evidence.unjudged,
    )
    return outcome, drafted


def _settle_quarantine(
    run: Run, watches: Watches, evidence: Evidence, outcome: Outcome
) -> tuple[list[LedgerLine], dict[str, str]]:
    """Return the lines for answers of persons and for pages that leave quarantine.

    Also return the captures of the pages that the night itself let out, each with its entry.
    """
    settled = settle_answers(
        run.db, Verdicts(run.journal, run.db), watches.signals.friction
    )
    run.notes += settled.notes
    decided = {
        line["entry"]
        for line in (*settled.lines, *outcome.lines)
        if "entry" in line
    }
    requalified = watches.quarantine.requalify(evidence, decided)
    return settled.lines + requalified.lines, requalified.freed


def _claim_lines(
    run: Run,
    pending: NightInput,
    watches: Watches,
    outcome: Outcome,
    drafted: ConsolidationPlan,
    moved: list[LedgerLine],
) -> list[LedgerLine]:
    """Return the `claims` lines of what enters the wiki, and of what leaves quarantine."""
    integrated = outcome.drop_silent(
        make_claims_lines(pending.readings, drafted)
    )
    return watches.signals.drop_reinforcing(integrated) + quarantine.spoken(
        run, moved
    )


def _publish(
    run: Run,
    pending: NightInput,
    judges: Judges,
    evidence: Evidence,
    night: NightPlan,
) -> "Publication":
    """Write the night as one run and one commit; return the ids of both."""
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
        [*night.known, *pending.uses.lines],
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
        evidence.asked,
        judges,
        pending.readings.reader,
        answered,
        contested=bool(evidence.about),
    )
    if pending.held:
        inputs["held"] = sorted({gone.run for gone in pending.held.values()})
    inputs["usage"] = pending.uses.mark
    return inputs
