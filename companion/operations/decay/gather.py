"""What DECAY decides over the whole wiki: vitality, thresholds, and what keeps an entry from fading
(MaM §5.3).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from companion.gravity.formula import Floor
from companion.lifecycle.transitions import (
    Changes,
    archive_entries,
    can_leave_wiki,
    compress_page,
    restore_entry,
    start_decaying,
)
from companion.operations.decay import measure as measuring
from companion.operations.decay import plan as decay
from companion.operations.decay import vitality
from companion.operations.decay.measure import Vitality
from companion.operations.decay.plan import Fading
from companion.runs.run import Run
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables.decay import LivingEntry, living_entry
from companion.storage.journal import reads
from companion.values.decay_policy import Policy, Terms
from companion.values.decisions import Verdict

_EVIDENCE = (
    "SELECT id, 'it is in quarantine, where CONSOLIDATE weighs its words every night' FROM entries WHERE quarantined "
    "UNION ALL SELECT m.entry, 'it speaks for an open branch' FROM branch_members m JOIN branches b "
    "ON b.name = m.branch WHERE b.state = 'open' AND NOT m.undone "
    "UNION ALL SELECT incumbent, 'an open branch stands against it' FROM branches WHERE state = 'open'"
)


class Faded(NamedTuple):
    """What one pass of DECAY found."""

    verdicts: list[
        tuple[Verdict, Terms, LivingEntry]
    ]  # for every entry below a threshold, or decaying
    changes: Changes
    vitality: Vitality
    # thresholds are decided as of then; None: the wiki was not used on enough days yet
    instant: str | None


def look(
    tonight: Run,
    floor: Floor,
    unrecorded: Iterable[Mapping[str, Any]],
    busy: Collection[str],
    moment: str,
) -> Faded:
    """Return what fades tonight, and what does not although its vitality is low. Nothing is
    written.

    *unrecorded* are the lines of use that ride in tonight's run; entries in *busy* have lines of
    their own in it.
    """
    now, policy = tonight.present(), tonight.config.vitality
    instant = vitality.waited(_days_of_use(tonight), now)
    found = measuring.measure(tonight.db, policy, now, instant, unrecorded)
    verdicts, changes = [], Changes()
    about = _About(tonight)
    for place in _low(found, policy):
        entry = living_entry(tonight.db, found.living.ids[place])
        if entry is None or entry.id in busy:
            continue
        terms = measuring.terms_at(found, place, policy)
        low = about.fading(
            entry, found.living.gravity[place], terms, float(found.then[place]), policy
        )
        verdict = decay.fade(low, floor, policy, instant)
        verdict = _carry_out(tonight, entry, verdict, moment, changes)
        verdicts.append((verdict, terms, entry))
    return Faded(verdicts, changes, found, instant)


def _low(found: Vitality, policy: Policy) -> Iterable[int]:
    import numpy as np

    decaying = np.array([state == "decaying" for state in found.living.states], bool)
    places: list[int] = np.flatnonzero((found.now < policy.decaying) | decaying).tolist()
    return places


class _About:
    """What is known of the entries that may fade, gathered once."""

    def __init__(self, tonight: Run) -> None:
        db = tonight.db
        self.tonight = tonight
        self.decaying, self.reduced = fading.decaying(db), fading.reduced(db)
        self.compressed = fading.distortions(db)
        self.pinned, self.evidence = fading.pinned(db), dict(db.execute(_EVIDENCE).fetchall())

    def fading(
        self, entry: LivingEntry, base: float, terms: Terms, then: float, policy: Policy
    ) -> Fading:
        known = self.decaying.get(entry.id)
        reduced = known is not None and self.reduced.get(entry.id, "") > known.since
        leaves = entry.state == "decaying" and then < policy.archived
        managed = entry.managed and (not leaves or can_leave_wiki(self.tonight, entry))
        since, set_by = (None, None) if known is None else (known.since, known.operation)
        evidence = self.evidence.get(entry.id)
        whole, pinned = entry.id not in self.compressed, entry.id in self.pinned
        return Fading(
            entry.id,
            entry.state,
            since,
            set_by,
            reduced,
            managed,
            whole,
            pinned,
            evidence,
            base,
            terms,
            then,
        )


def _carry_out(
    tonight: Run, entry: LivingEntry, verdict: Verdict, moment: str, changes: Changes
) -> Verdict:
    """Add what *verdict* means; return it, or that it came to nothing."""
    before = len(changes.lines)
    if verdict.action == "decaying":
        start_decaying(tonight, entry, verdict.reason, moment, changes)
    elif verdict.action == "compressed":
        compress_page(tonight, entry, moment, changes)
    elif verdict.action == "restored":
        restore_entry(tonight, entry, verdict.reason, changes)
    elif verdict.action == "archived":
        changes.add(archive_entries(tonight, {entry.id: verdict.reason}, moment))
    if verdict.action == "kept" or len(changes.lines) > before:
        return verdict
    why = changes.left_out.get(entry.path, "its page is short already")
    return replace(verdict, action="kept", reason=f"{verdict.reason}; left alone: {why}")


def _days_of_use(tonight: Run) -> set[str]:
    """Return the days on which somebody told, read or changed something: on record, and in this
    journal alone.

    Not what was told in private: the day that decides stands in the ledger.
    """
    days = fading.days_of_use(tonight.db)
    connection = tonight.journal.connection
    told = "SELECT DISTINCT substr(seen_at, 1, 10) FROM sightings WHERE scope <> 'private'"
    days |= {day for (day,) in connection.execute(told)}
    return days | reads.days(tonight.journal)
