"""What a night looks at beside its captures, and what it settles of it."""

from dataclasses import dataclass
from typing import NamedTuple

from companion.comparison.evidence import Evidence
from companion.ledger.person_answers import settle_answers
from companion.minority.outcome import Outcome
from companion.operations.consolidate.collect import NightInput
from companion.operations.consolidate.quarantine import (
    Quarantine,
    collect_quarantine,
)
from companion.routing.watch_signals import (
    SignalFile,
    SignalWatch,
    watch_signals,
)
from companion.routing.watch_user_words import WordWatch, watch_user_words
from companion.runs.run import Run
from companion.storage.journal.verdicts import Verdicts
from companion.values.events import LedgerLine


@dataclass(frozen=True)
class Watches:
    """The things that a night looks at beside its captures."""

    signals: SignalWatch  # entries that somebody outside flagged as harmful
    words: WordWatch  # words that a person uses for pages of other names
    quarantine: Quarantine  # pages that contradicted and wait


class Settled(NamedTuple):
    """The pages that leave quarantine, or whose question a person answered."""

    lines: list[LedgerLine]
    # captures of the pages that the night itself let out, each with its entry
    freed: dict[str, str]


def watch(run: Run, pending: NightInput) -> Watches:
    """Return what the night of *pending* looks at."""
    signals = watch_signals(run, SignalFile(run.repo, run.tree))
    return Watches(
        signals=signals,
        words=watch_user_words(run, pending.captures, pending.readings),
        quarantine=collect_quarantine(run, pending.adopted, signals),
    )


def settle_quarantine(
    run: Run, watches: Watches, evidence: Evidence, outcome: Outcome
) -> Settled:
    """Return the lines for answers of persons and for pages that leave quarantine."""
    log = Verdicts(run.journal, run.db)
    answers = settle_answers(run.db, log, watches.signals.friction)
    run.notes += answers.notes
    decided = {
        line["entry"]
        for line in (*answers.lines, *outcome.lines)
        if "entry" in line
    }
    requalified = watches.quarantine.requalify(evidence, decided)
    return Settled(answers.lines + requalified.lines, requalified.freed)
