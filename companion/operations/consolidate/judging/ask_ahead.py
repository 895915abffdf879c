"""Ask a language model about each note in one prompt, before the phases ask for the same answers.

The phases then find them in the log. So a note costs one call, whatever it is compared with, and
the person hears before how many calls and tokens that comes to.
"""

from collections.abc import Sequence

from companion.comparison.pages import Page
from companion.comparison.pending import PendingCapture, WikiContext
from companion.judges.ask import ask_relations, list_unanswered
from companion.minority.contested.contests import list_contest_pairs
from companion.operations.consolidate.judging.compare import (
    CaptureTexts,
    Questions,
    list_contesting,
    pair_captures,
    pair_with_pages,
)
from companion.operations.consolidate.judging.night_judges import (
    NightJudges,
    list_statements,
)
from companion.operations.consolidate.judging.speakers import (
    drop_pairs_of_others,
)
from companion.values.relations import Statement
from companion.values.wording import many

# a capture, and a question about it
Asked = tuple[str, tuple[Statement, Statement]]


def ask_ahead(
    night: NightJudges,
    captures: Sequence[PendingCapture],
    texts: CaptureTexts,
    beside: Sequence[Page],
    wiki: WikiContext,
) -> None:
    """Ask a language model all that the phases are going to ask about *captures*."""
    relater = night.judges.relater
    if relater is None or night.judges.estimate is None:
        return
    among = pair_captures(night, captures, texts, beside)
    about = pair_with_pages(night, captures, texts, wiki)
    asked = [*_list_asked(night, among), *_list_asked(night, about)]
    notes = list_contesting(night, captures, texts)
    entries = {id: night.evidence.about[id] for id in notes}
    asked += list_contest_pairs(night.pages, notes, entries)
    pairs = [pair for _, pair in asked]
    left = [
        asked[place] for place in list_unanswered(night.log, relater, pairs)
    ]
    if not left:
        return
    _announce_cost(night, left)
    night.run.progress.begin("asking the language model", len(left))
    answers = ask_relations(
        night.log,
        relater,
        [pair for _, pair in left],
        night.at,
        night.run.progress,
        notes=[capture for capture, _ in left],
    )
    night.evidence.consultations.append(answers)


def _list_asked(night: NightJudges, questions: Questions) -> list[Asked]:
    wanted = drop_pairs_of_others(
        night.run.db, questions.wanted, questions.captures
    )
    pairs = list_statements(wanted, questions.captures, questions.sides)
    captures = [one.capture for one in wanted]
    return list(zip(captures, pairs, strict=True))


def _announce_cost(night: NightJudges, asked: Sequence[Asked]) -> None:
    """Say how many calls and tokens *asked* is going to take, and how many are left tonight."""
    estimate, budget = night.judges.estimate, night.judges.budget
    if night.announce is None or estimate is None or budget is None:
        return
    pairs_by_note: dict[str, list[tuple[Statement, Statement]]] = {}
    for capture, pair in asked:
        pairs_by_note.setdefault(capture, []).append(pair)
    costs = list(map(estimate, pairs_by_note.values()))
    calls = sum(one.calls for one in costs)
    tokens = sum(one.tokens for one in costs)
    night.announce(
        f"{many(len(asked), 'question')} about {many(len(costs), 'note')}: "
        f"{many(calls, 'call')} of the language model and about {tokens:,} tokens; "
        f"at most {budget.max_calls:,} calls and {budget.max_tokens:,} tokens tonight, "
        f"{budget.calls:,} made so far"
    )
