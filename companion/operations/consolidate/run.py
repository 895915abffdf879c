"""CONSOLIDATE, as an operation of the sleep cycle: collect, judge, plan, publish (MaM §5.5)."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.adoption.git_reverts import record_git_reverts
from companion.adoption.late_edits import capture_late_edits
from companion.adoption.merges.conflict_copies import take_in_copies
from companion.adoption.merges.mend_merges import mend_merges
from companion.comparison.evidence import Evidence, PageToJudge
from companion.comparison.page_vectors import embed_what_was_written
from companion.comparison.pending import ConsolidationPlan, PendingCapture
from companion.judges import configured
from companion.judges.configured import Judges
from companion.ledger.facts.corrections import read_corrections
from companion.ledger.facts.update import refresh_facts
from companion.ledger.person_answers import (
    list_model_contradictions,
)
from companion.ledger.read_notes import make_claims_lines
from companion.lifecycle.leave_buffer import (
    describe_expired,
    list_expired,
    list_lines,
    take_back_expired,
    without_expired,
)
from companion.minority.apply import decide_branches
from companion.minority.contested.lost_pages import say_losses
from companion.minority.outcome import Outcome
from companion.operations.consolidate.collect import (
    NightInput,
    add_homes,
    collect_pending,
)
from companion.operations.consolidate.events import (
    make_plan_lines,
    make_verdict_lines,
)
from companion.operations.consolidate.judging.judge_captures import (
    judge_captures,
)
from companion.operations.consolidate.judging.night_judges import Announce
from companion.operations.consolidate.judging.watches import (
    Settled,
    Watches,
    settle_quarantine,
    watch,
)
from companion.operations.consolidate.judging.weigh_doubts import (
    align_with_task,
)
from companion.operations.consolidate.plan import plan_consolidation
from companion.operations.consolidate.publish_night import (
    NightPlan,
    publish_night,
)
from companion.operations.consolidate.quarantine import (
    list_members_to_judge_again,
    list_pages_beside_wiki,
    list_supporting_verdicts,
    make_released_claims,
)
from companion.operations.consolidate.report import (
    describe_block_moves,
    describe_night,
)
from companion.operations.consolidate.same_names import (
    collect_moves,
    describe_moves,
    make_move_lines,
    write_moves,
)
from companion.operations.consolidate.source_pages import plan_source_pages
from companion.routing.adopt_words import adopt_words
from companion.runs.packs import unite_packs
from companion.runs.retry import run_with_retries
from companion.runs.run import Run
from companion.storage.git import capture_buffer, objects
from companion.storage.journal.verdicts import Verdicts
from companion.subjects.beginnings.begin_pages import gather_subjects
from companion.subjects.day_pages import DayPages
from companion.subjects.gather_series import gather_series
from companion.subjects.homes import find_aboutness, place_notes
from companion.subjects.values import About
from companion.values.allowance import Allowance
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.consolidate.results import (
        ConsolidateResult,
    )
    from companion.values.results import Publication


def consolidate(
    ws: Workspace,
    *,
    dry_run: bool = False,
    release: bool = False,
    progress: Progress | None = None,
    allowance: Allowance | None = None,
    most: int | None = None,
    announce: Announce | None = None,
    again: bool = False,
) -> "ConsolidateResult":
    """Integrate the buffer into the wiki as one run (MaM §5.5); with *most*, a slice of it.

    Captures whose run left the branch wait, unless *release*. *again* judges everything that waits
    beside the wiki, though nothing about it changed: after a change of the model (GEN-5). A dry run
    asks the judges too: their answers are kept, and the run itself will not ask again. *announce*
    is told what a language model may cost before it is asked; it spends from *allowance*. Raises
    Busy or TryLater with nothing changed.
    """

    def consolidate_once(run: Run) -> "ConsolidateResult":
        """Run one attempt; a race with another process starts the next."""
        judges = configured.open_judges(run.config, allowance=allowance)
        return _consolidate(
            run,
            judges,
            announce,
            dry_run=dry_run,
            release=release,
            most=most,
            again=again,
        )

    done = run_with_retries(ws, "consolidate", consolidate_once, progress)
    if done["run"] is not None:
        unite_packs(ws)
    return done


def _consolidate(
    run: Run,
    judges: Judges,
    announce: Announce | None,
    *,
    dry_run: bool,
    release: bool,
    most: int | None,
    again: bool = False,
) -> "ConsolidateResult":
    run.progress.begin("looking at changed pages")
    if not dry_run:
        record_git_reverts(run)
        mend_merges(run)
        take_in_copies(run)
    capture_late_edits(run)
    run.progress.begin("putting notes into git")
    capture_buffer.anchor(run.journal, run.repo)

    pending = collect_pending(run, release=release, most=most)
    if pending.later:
        left = many(pending.later, "note")
        run.notes.append(f"{left} are left to the next slice of this night")
    watches = watch(run, pending)
    watches.quarantine.again = again
    about = find_aboutness(
        run, pending.list_notes(), pending.readings, judges.embedder
    )
    # the only place that asks a model
    judged = _judge(run, pending, watches, judges, announce, about)
    evidence = _raise_friction(run, pending, watches, judged)
    night = _plan_night(run, pending, watches, evidence, about, dry_run=dry_run)
    document = describe_night(
        night.pages,
        night.outcome,
        evidence,
        night.excluded,
        run.notes,
        pending.uses,
        pages_with_new_facts=night.pages_with_new_facts,
    )
    if dry_run:
        return {"run": None, "commit": None, **document, "dry_run": True}
    published: Publication = {"run": None, "commit": None}
    if night.lines or pending.uses.alone:
        published = publish_night(run, pending, judges, evidence, night)
        run.refold()  # from git, like any other run
        run.journal.checkpoint()
        document["notes"] += embed_what_was_written(run, judges.embedder)
    take_back_expired(run, night.expired)
    return {**published, **document, "dry_run": False}


def _judge(
    run: Run,
    pending: NightInput,
    watches: Watches,
    judges: Judges,
    announce: Announce | None,
    about: Mapping[str, About],
) -> Evidence:
    """Return what the judges answer about tonight's captures (phases 1 and 2).

    Pages in quarantine and members of branches are judged again if something about them changed.
    *about* says which pages each note may be about.
    """

    def choose_due(evidence: Evidence) -> list[PageToJudge]:
        """Return the pages beside the wiki that are judged again."""
        sightings = pending.new_sightings()
        quarantined = watches.quarantine.choose_due(evidence, sightings)
        members = list_members_to_judge_again(
            run.db, pending.adopted, everything=watches.quarantine.again
        )
        return [*quarantined, *members]

    near = {id: one.list_entries() for id, one in about.items()}
    evidence = judge_captures(
        run,
        pending.captures,
        replace(pending.wiki, about=near),
        judges,
        pending.readings,
        announce,
        beside=list_pages_beside_wiki(run.db),
        choose_due=choose_due,
    )
    lines = pending.uses.lines
    standings = align_with_task(
        run, pending.captures, lines, evidence.standings
    )
    return replace(evidence, standings=standings)


def _raise_friction(
    run: Run, pending: NightInput, watches: Watches, evidence: Evidence
) -> Evidence:
    """Return *evidence* with the friction of rows 2 and 3 of the matrix applied."""
    sighted_again = [capture for capture, _, _ in pending.sighted_again]
    watches.signals.mark_reinforcing(
        pending.captures, sighted_again, pending.readings, evidence.judged
    )
    resisted = watches.signals.apply_friction(evidence.standings)
    log = Verdicts(run.journal, run.db)
    run.notes += list_model_contradictions(run.db, log)
    return replace(evidence, standings=watches.words.compensate(resisted))


def _plan_night(
    run: Run,
    pending: NightInput,
    watches: Watches,
    evidence: Evidence,
    about: Mapping[str, About],
    *,
    dry_run: bool,
) -> NightPlan:
    """Return what the night decides: phases 3 and 4, and what follows from them."""
    outcome, drafted, blocked = _plan_pages(
        run, pending, watches, evidence, about
    )
    expired = list_expired(
        run, drafted.waits, evidence.unjudged, pending.moment
    )
    drafted = without_expired(drafted, expired)
    run.notes += describe_expired(expired)
    run.progress.begin("bringing facts up to date")
    corrections = read_corrections(run, pending.adopted, pending.moment)
    known = [*pending.adopted, *corrections]
    settled = settle_quarantine(run, watches, evidence, outcome)
    claims: list[LedgerLine] = []
    if not dry_run:
        claims = _list_claims(run, pending, watches, outcome, drafted)
        claims += make_released_claims(run, settled.lines)

    busy = [*pending.excluded, *outcome.list_replaced_pages(run.db)]
    facts = refresh_facts(run, drafted, [*known, *claims], pending.moment, busy)
    excluded = {**pending.excluded, **blocked, **facts.excluded}
    writes = [Write(page.path, page.content) for page in facts.plan.pages]
    writes += facts.writes()
    writes, losses = say_losses(outcome.lost, writes)

    resting = {*excluded, *(write.path for write in writes), *outcome.writes}
    moves = collect_moves(run, resting, {line["entry"] for line in known})
    run.notes += describe_moves(moves)
    known += make_move_lines(moves)
    known += watches.signals.list_queue_lines()
    watches.words.judge_with_begun(facts.plan.pages)
    known += watches.words.list_marker_lines(watches.signals.flagged)

    writes += write_moves(run.repo, moves)
    writes += outcome.list_writes()
    left_alone = {*excluded, *(write.path for write in writes)}
    flagged = watches.signals.flagged
    for word in adopt_words(run, watches.words, flagged, left_alone):
        writes.append(word.write)
        known += word.lines
    page_lines = facts.events(_make_page_lines(facts.plan, writes))
    verdict_lines = _make_verdict_lines(
        run, watches, evidence, facts.plan, outcome, settled
    )
    return NightPlan(
        pages=facts.plan,
        outcome=outcome,
        writes=writes,
        known=known,
        lines=[
            *known,
            *pending.rejected,
            *list_lines(expired),
            *settled.lines,
            *outcome.lines,
            *losses,
            *watches.signals.tag_pages(page_lines),
            *verdict_lines,
        ],
        claims=claims,
        excluded=excluded,
        pages_with_new_facts=len(facts.updates),
        expired=expired,
    )


def _plan_pages(
    run: Run,
    pending: NightInput,
    watches: Watches,
    evidence: Evidence,
    about: Mapping[str, About],
) -> tuple[Outcome, ConsolidationPlan, dict[str, str]]:
    """Return what phase 4 makes of challengers, the pages that everything else becomes, and pages
    that must not be touched although notes belong there.
    """
    run.progress.begin("weighing branches")
    outcome = decide_branches(
        run,
        pending.captures,
        pending.wiki,
        evidence,
        pending.sighted_again,
        pending.moment,
        watch=watches.signals,
        edited=[
            line["entry"] for line in pending.adopted if line["e"] == "edited"
        ],
    )
    rest = _leave_out(pending.captures, outcome.handled)
    wiki = outcome.reserve_names(pending.wiki)
    sourced = plan_source_pages(
        run,
        pending.captures,
        pending.sources,
        wiki,
        evidence.standings,
        evidence.unjudged,
        frozenset(outcome.handled),
    )
    outcome.silent |= sourced.doubted
    wiki = sourced.reserve_names(wiki)
    rest = _leave_out(rest, sourced.captures)
    run.progress.begin("choosing a page for each note")
    placements = place_notes(run, rest, about)
    days = DayPages(run)
    series = gather_series(
        run, rest, placements, evidence.standings, days, wiki.taken
    )
    gathering = gather_subjects(
        run,
        _leave_out(rest, series.placements),
        about,
        placements,
        lambda capture: [
            claim.subject for claim in pending.readings.claims(capture)
        ],
        evidence.standings,
        wiki.taken,
        days,
    ).join(series)
    wiki, blocked = add_homes(
        run,
        wiki,
        placements,
        gathering,
        [write.path for write in outcome.list_writes()],
    )
    run.progress.begin("drafting pages")
    drafted = plan_consolidation(
        rest,
        wiki,
        pending.sighted_again,
        contents=run.contents(),
        standings=evidence.standings,
        unjudged=evidence.unjudged,
    )
    run.notes += describe_block_moves(drafted)
    return outcome, sourced.join(drafted), {**blocked, **sourced.excluded}


def _leave_out(
    notes: Sequence[PendingCapture], placed: Container[str]
) -> list[PendingCapture]:
    """Return *notes* without those that are *placed* already."""
    return [told for told in notes if told.capture.id not in placed]


def _list_claims(
    run: Run,
    pending: NightInput,
    watches: Watches,
    outcome: Outcome,
    drafted: ConsolidationPlan,
) -> list[LedgerLine]:
    """Return the `claims` lines of what enters the wiki."""
    claims = make_claims_lines(pending.readings, drafted)
    return watches.signals.drop_reinforcing(outcome.drop_silent(claims))


def _make_page_lines(
    plan: ConsolidationPlan, writes: Sequence[Write]
) -> list[LedgerLine]:
    blobs = {
        write.path: objects.hash_blob(write.content or b"") for write in writes
    }
    return make_plan_lines(
        plan, capture_buffer.encode_sighting, blobs.__getitem__
    )


def _make_verdict_lines(
    run: Run,
    watches: Watches,
    evidence: Evidence,
    plan: ConsolidationPlan,
    outcome: Outcome,
    settled: Settled,
) -> list[LedgerLine]:
    """Return lines for the verdicts that the night rests on."""
    supporting = list_supporting_verdicts(evidence, watches.quarantine)
    return make_verdict_lines(
        Verdicts(run.journal, run.db),
        evidence,
        plan,
        {**outcome.joined, **settled.freed},
        outcome.decided | supporting,
    )
