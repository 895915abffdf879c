"""Gather what DECAY decides on, over the whole wiki, and turn its verdicts into changes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from companion.gravity.formula import Floor
from companion.lifecycle.shelve import shelve_statements
from companion.lifecycle.transitions import (
    Changes,
    archive_entries,
    can_leave_wiki,
    compress_page,
    restore_entry,
    start_decaying,
)
from companion.operations.decay import vitality
from companion.operations.decay.measure import (
    Vitality,
    list_low_places,
    measure_all,
    store_vitality,
    terms_at,
)
from companion.operations.decay.mislead import (
    Misled,
    fade_statements,
    find_misled,
)
from companion.operations.decay.plan import (
    MISLEADS,
    Candidate,
    find_protection,
    is_misleading,
    plan_decay,
    plan_statement,
)
from companion.runs.run import Run
from companion.storage.index.tables.decay import (
    LivingEntry,
    find_living_entry,
    list_days_of_use,
    list_decay_starts,
    list_distortions,
    list_pinned,
    list_self_descriptions,
)
from companion.storage.index.tables.minority import list_parts_in_branches
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.statement_states import (
    LostStatement,
    list_lost_statements,
)
from companion.storage.index.tables.pages.statements import find_subject
from companion.storage.index.tables.promotions import (
    list_living_predecessors,
)
from companion.storage.index.tables.routing import list_reductions
from companion.storage.index.tables.use import list_called_bad
from companion.storage.journal import reads
from companion.values.decay.decay_policy import Policy, Terms
from companion.values.decisions import Verdict
from companion.values.events import LedgerLine

_EVIDENCE_REASONS = {
    "quarantined": "Kept: it is in quarantine, and CONSOLIDATE looks at it every night.",
    "member": "Kept: it supports an open minority branch.",
    "incumbent": "Kept: an open minority branch contradicts it.",
}


class Decision(NamedTuple):
    """The verdict on one entry that is decaying, or whose vitality is below a threshold."""

    verdict: Verdict
    terms: Terms
    entry: LivingEntry


class DecayPass(NamedTuple):
    """The decisions of one pass over the wiki, and the changes that carry them out."""

    decisions: list[Decision]
    changes: Changes
    vitality: Vitality
    # as of which is decided; None: the wiki was not used on enough days yet
    instant: str | None


def plan_pass(
    run: Run,
    floor: Floor,
    unrecorded: Iterable[LedgerLine],
    busy: Collection[str],
    moment: str,
) -> DecayPass:
    """Return what happens to the entries of low vitality, or that are decaying.

    Only the index learns how vital each entry is now.

    *unrecorded* are the lines of use that this run will record. Entries in *busy* are left out: the
    run has other lines about them. *moment* is the time of the run. Raises ColdLost or NotCold.
    """
    now = run.present()
    policy = run.config.vitality
    instant = vitality.deciding_instant(_days_of_use(run), now)
    measured = measure_all(run.db, policy, now, instant, unrecorded)
    decisions = []
    changes = Changes()
    candidates = _Candidates(run)
    bad = list_called_bad(run.db)
    misled = _find_all_misled(run, bad)
    store_vitality(run.db, measured)
    for id, found in misled.items():
        bad[id] -= found.bad
    places = _list_places(run, measured, policy, bad)
    run.progress.begin("looking at unused pages", len(places))
    for place in places:
        run.progress(1)
        entry = find_living_entry(run.db, measured.living.ids[place])
        if entry is None or entry.id in busy:
            continue
        terms = terms_at(measured, place, policy)
        then = float(measured.then[place])
        base = measured.living.gravity[place]
        candidate = candidates.make(entry, base, terms, then, policy)
        candidate = candidate._replace(
            utility=float(measured.columns.utility[place]),
            bad=bad.get(entry.id, 0.0),
        )
        verdict = plan_decay(candidate, floor, policy, instant)
        outcome = _carry_out(run, entry, verdict, moment, changes)
        decisions.append(Decision(outcome, terms, entry))
    if instant is not None:
        unprotected = _Unprotected(measured, candidates, policy, floor)
        for id in unprotected.choose(run, misled, busy, changes):
            changes.add(fade_statements(run, misled[id], moment[:10]))
    changes.add(_shelve_lost(run, floor, instant, busy, moment, changes))
    return DecayPass(decisions, changes, measured, instant)


def _find_all_misled(run: Run, bad: Mapping[str, float]) -> dict[str, Misled]:
    """Return the reads for which statements of a page of several answer, where many were bad."""
    found = {}
    for entry, times in bad.items():
        misled = find_misled(run, entry) if times >= MISLEADS else None
        if misled is not None:
            found[entry] = misled
    return found


class _Unprotected(NamedTuple):
    """What tells the pages whose statements may fade."""

    measured: Vitality
    candidates: "_Candidates"
    policy: Policy
    floor: Floor

    def choose(
        self,
        run: Run,
        misled: Mapping[str, Misled],
        busy: Collection[str],
        decided: Changes,
    ) -> Iterator[str]:
        """Yield the entries whose statements misled and which nothing protects; not those that this
        run changes otherwise.
        """
        taken = {write.path for write in decided.writes}
        for id, found in misled.items():
            entry = find_living_entry(run.db, id) if found.by else None
            if entry is None or id in busy or entry.path in taken:
                continue
            place = self.measured.living.ids.index(id)
            candidate = self.candidates.make(
                entry,
                self.measured.living.gravity[place],
                terms_at(self.measured, place, self.policy),
                float(self.measured.then[place]),
                self.policy,
            )
            kept = find_protection(candidate, self.floor)
            if candidate.managed and kept is None:
                yield id


def _shelve_lost(
    run: Run,
    floor: Floor,
    instant: str | None,
    busy: Collection[str],
    moment: str,
    decided: Changes,
) -> Changes:
    """Return what archives the statements that lost long ago.

    Pages that this run changes otherwise are left alone.
    """
    changes = Changes()
    taken = {write.path for write in decided.writes}
    for path, group in groupby(_list_lost(run), key=lambda each: each.path):
        statements = list(group)
        if path in taken or statements[0].entry in busy:
            continue
        row = find_entry(run.db, statements[0].entry)
        assert row is not None and row.path == path  # the list is of pages
        reasons = _explain_due(statements, row.gravity, floor, instant)
        due = [each for each in statements if each.capture in reasons]
        if due and row.managed:
            changes.add(shelve_statements(run, due, reasons, moment))
    return changes


def _list_lost(run: Run) -> list[LostStatement]:
    """Return the statements that lost, by page; those that AUDIT made decaying, AUDIT archives."""
    lost = list_lost_statements(run.db)
    return [each for each in lost if each.operation != "settle"]


def _explain_due(
    statements: Iterable[LostStatement],
    gravity: float,
    floor: Floor,
    instant: str | None,
) -> dict[str, str]:
    """Return why statements of one page are archived now, by capture; those that stay are left."""
    reasons = {}
    for each in statements:
        reason = plan_statement(each.since, gravity, floor, instant)
        if reason is not None:
            reasons[each.capture] = reason
    return reasons


def _list_places(
    run: Run, measured: Vitality, policy: Policy, bad: Mapping[str, float]
) -> list[int]:
    """Return the places of entries that are decaying, mislead or lie below the first threshold."""
    living = measured.living
    places = set(list_low_places(run.db, measured, policy.decaying))
    for place, id in enumerate(living.ids):
        if living.states[place] == "decaying":
            places.add(place)
        elif id in bad:
            utility = float(measured.columns.utility[place])
            if is_misleading(bad[id], utility):
                places.add(place)
    return sorted(places)


class _Candidates:
    """The facts of the index that decide on entries, each read once for all of them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.decaying = list_decay_starts(run.db)
        self.reduced = list_reductions(run.db)
        self.compressed = list_distortions(run.db)
        self.pinned = list_pinned(run.db)
        described = list_self_descriptions(run.db)
        self.myself = {page["entry"] for page in described}
        self.evidence = list_parts_in_branches(run.db)
        self.replaced = list_living_predecessors(run.db)

    def make(
        self,
        entry: LivingEntry,
        base: float,
        terms: Terms,
        then: float,
        policy: Policy,
    ) -> Candidate:
        """Return *entry* with everything that decides on it."""
        known = self.decaying.get(entry.id)
        evidence = self.evidence.get(entry.id)
        return Candidate(
            entry=entry.id,
            state=entry.state,
            since=None if known is None else known.since,
            set_by=None if known is None else known.operation,
            reduced=self._is_reduced(entry.id),
            managed=self._is_managed(entry, then, policy),
            diary=self._is_diary(entry),
            whole=entry.id not in self.compressed,
            pinned=entry.id in self.pinned,
            myself=entry.id in self.myself,
            replaced=self.replaced.get(entry.id),
            evidence=None if evidence is None else _EVIDENCE_REASONS[evidence],
            base=base,
            terms=terms,
            then=then,
        )

    def _is_reduced(self, entry: str) -> bool:
        """Tell whether AUDIT reduced the gravity of *entry* since it began to decay."""
        known = self.decaying.get(entry)
        if known is None:
            return False
        return any(time > known.since for time in self.reduced.get(entry, ()))

    def _is_diary(self, entry: LivingEntry) -> bool:
        """Tell whether an entry gathers a day, and its owner wrote lines of their own there."""
        subject = find_subject(self.run.db, entry.id)
        if subject is None or subject.kind != "day":
            return False
        return not can_leave_wiki(self.run, entry)

    def _is_managed(
        self, entry: LivingEntry, then: float, policy: Policy
    ) -> bool:
        """Return whether companion wrote the page; for one to be archived, all of its lines."""
        could_be_archived = entry.state == "decaying" and then < policy.archived
        if entry.managed and could_be_archived:
            return can_leave_wiki(self.run, entry)
        return entry.managed


def _carry_out(
    run: Run,
    entry: LivingEntry,
    verdict: Verdict,
    moment: str,
    changes: Changes,
) -> Verdict:
    """Add to *changes* what *verdict* needs; return it, or "kept" where nothing came of it."""
    before = len(changes.lines)
    if verdict.action == "decaying":
        start_decaying(run, entry, verdict.reason, moment, changes)
    elif verdict.action == "compressed":
        compress_page(run, entry, moment, changes)
    elif verdict.action == "restored":
        restore_entry(run, entry, verdict.reason, changes)
    elif verdict.action == "archived":
        changes.add(archive_entries(run, {entry.id: verdict.reason}, moment))
    if verdict.action == "kept" or len(changes.lines) > before:
        return verdict
    obstacle = changes.left_out.get(entry.path, "its page is short already")
    reason = (
        f"Left alone: {obstacle}. Otherwise it would be {verdict.action}. "
        f"({verdict.reason})"
    )
    return replace(verdict, action="kept", reason=reason)


def _days_of_use(run: Run) -> set[str]:
    """Return the days on which somebody captured, read or changed something.

    They come from the ledger and from this machine's journal. Private captures do not count: the
    day that decides stands in the ledger.
    """
    days = list_days_of_use(run.db)
    days |= run.journal.days_of_tellings()
    return days | reads.list_days(run.journal)
