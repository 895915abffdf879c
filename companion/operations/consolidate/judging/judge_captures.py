"""Ask the judges about tonight's captures, before CONSOLIDATE plans (MaM §5.5, phases 1 and 2).

This is the only step of a night that asks a model. Everything after it reads the evidence.
"""

from collections.abc import Callable, Sequence

from companion.comparison.consistency import measure_standing
from companion.comparison.evidence import Evidence, PageToJudge
from companion.comparison.pages import Page
from companion.comparison.pending import PendingCapture, WikiContext
from companion.judges.ask import is_recomputable
from companion.judges.configured import Judges
from companion.ledger.read_notes import Readings
from companion.ledger.resolve_run import find_attacks
from companion.operations.consolidate.judging.ask_ahead import ask_ahead
from companion.operations.consolidate.judging.compare import (
    compare_again,
    compare_captures,
    compare_with_pages,
    contest_protected,
    read_captures,
)
from companion.operations.consolidate.judging.night_judges import (
    Announce,
    NightJudges,
    open_night_judges,
)
from companion.operations.consolidate.judging.weigh_doubts import (
    weigh_by_gravity,
)
from companion.runs.run import Run

ChooseDue = Callable[[Evidence], Sequence[PageToJudge]]


def judge_captures(
    run: Run,
    captures: Sequence[PendingCapture],
    wiki: WikiContext,
    judges: Judges,
    readings: Readings,
    announce: Announce | None = None,
    *,
    beside: Sequence[Page],
    choose_due: ChooseDue,
) -> Evidence:
    """Return what the judges answer about *captures*; those without an answer are to wait.

    *beside* are captures of earlier nights that stand beside the wiki, each with its page. Once
    phase 1 has its answers, *choose_due* says which of them are judged against the wiki again.
    """
    if judges.relater is None:
        return Evidence()
    evidence = Evidence(by_rules=is_recomputable(judges.relater.identity))
    night = open_night_judges(run, judges, readings, evidence, announce)
    shared = [told for told in captures if not told.private and not told.lost]
    if shared:
        texts = read_captures(night, shared)
        ask_ahead(night, shared, texts, beside, wiki)
        compare_captures(night, shared, texts, beside)
        compare_with_pages(night, shared, texts, wiki)
        contest_protected(night, shared, texts)
        _read_attacks(night)
    due = choose_due(evidence)
    evidence.rejoined = {
        one.page.id: one.others[0].other for one in due if not one.wide
    }
    compare_again(night, due, wiki)
    weigh_by_gravity(run, evidence.judged)
    weigh_by_gravity(run, evidence.judged_again)
    evidence.standings = {
        id: measure_standing(judged) for id, judged in evidence.judged.items()
    }
    judges.let_go()
    return evidence


def _read_attacks(night: NightJudges) -> None:
    """Note claims that contradict those of load-bearing entries and state no change (ROW-4)."""
    evidence = night.evidence
    for id, attacks in find_attacks(night.run, night.readings).items():
        judged = [night.with_choice(one) for one in attacks]
        evidence.attacks += judged
        evidence.judged.setdefault(id, []).extend(judged)
