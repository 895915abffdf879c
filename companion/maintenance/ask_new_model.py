"""Ask a new model about the load-bearing entries, and flag those that it contradicts (ROW-7)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.comparison import candidate_pairs, consistency
from companion.comparison.pages import Page, list_comparable_entries, list_pages
from companion.judges.ask import Tally, ask_relations
from companion.judges.configured import Judges
from companion.language.protocols import (
    ModelUnavailable,
)
from companion.pages.body import words_to_judge
from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.runs.run import Run
from companion.storage.index.tables.gravity import list_loads
from companion.storage.index.tables.pages.edges import list_heaviest_dependents
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.events import LedgerLine
from companion.values.relations import Relation, Statement

if TYPE_CHECKING:
    pass

HEAVIEST = 10  # load-bearing entries that a new model is asked about
# passages of a load-bearing entry that a new model is asked about
PER_ENTRY = 3
PRIOR = Statement("")  # what the judge knows itself


class _Question(NamedTuple):
    """A pair of passages: one of a load-bearing entry and one that may contradict it."""

    entry: str
    other: (
        str  # the entry of the other passage; "": what the judge knows itself
    )
    pair: tuple[Statement, Statement]  # earlier, later


class _Contradiction(NamedTuple):
    """An answer that a load-bearing entry is contradicted."""

    strength: float
    key: str  # of the verdict
    other: str
    answer: Relation


def flag_contradicted(
    run: Run, judges: Judges
) -> tuple[list[LedgerLine], Tally | None]:
    """Return flags for the load-bearing entries that the new model contradicts: by what it knows,
    or by a neighbour. Raises ModelUnavailable where a question has no answer.
    """
    if judges.relater is None:
        return [], None
    # a model that cannot be found is an error now, and not tomorrow night
    _ = judges.relater.identity
    comparable = list_pages(run, list_comparable_entries(run))
    pages = {page.id: page for page in comparable}
    asked: list[_Question] = []
    for id in _load_bearing(run):
        asked += _questions(run, pages, id)
    pairs = [question.pair for question in asked]
    log = Verdicts(run.journal, run.db)
    about = [question.entry for question in asked]
    found = ask_relations(log, judges.relater, pairs, run.moment(), notes=about)
    if found.tally.unanswered:
        raise ModelUnavailable(
            f"{found.tally.unanswered} questions have no answer: {found.tally.trouble}",
            hint=(
                "Nothing was changed, and what it did answer is kept: try again, or raise"
                " --max-calls."
            ),
        )
    worst = _worst_contradictions(asked, found.keys, found.answers)
    lines: list[LedgerLine] = []
    for id in sorted(worst):
        lines += _flag(id, worst[id], found.used[worst[id].key])
    if not asked:
        return lines, None
    return lines, found.tally


def _worst_contradictions(
    asked: Sequence[_Question],
    keys: Sequence[str],
    answers: Sequence[Relation | None],
) -> dict[str, _Contradiction]:
    """Return the strongest contradiction of each entry that has one."""
    worst: dict[str, _Contradiction] = {}
    for question, key, answer in zip(asked, keys, answers, strict=True):
        if answer is None or answer.label != "contradicts":
            continue
        strength = max(answer.opposition, answer.score)
        found = _Contradiction(strength, key, question.other, answer)
        held = worst.get(question.entry, found)
        worst[question.entry] = max(held, found, key=lambda item: item[:2])
    return worst


def _load_bearing(run: Run) -> list[str]:
    return candidate_pairs.rank_load_bearing(list_loads(run.db), HEAVIEST)


def _questions(run: Run, pages: Mapping[str, Page], id: str) -> list[_Question]:
    """Return questions on a heavy entry: against the judge's knowledge, and its neighbours."""
    page = pages[id]
    own = _passages(run, page)
    questions = []
    for text in own[:PER_ENTRY]:
        later = Statement(text, page.title, page.told)
        questions.append(_Question(id, "", (PRIOR, later)))
    for other in list_heaviest_dependents(run.db, id, 2):
        if other not in pages:
            continue
        neighbour = pages[other]
        theirs = _passages(run, neighbour)
        for pair in candidate_pairs.pair_passages(other, theirs, id, own):
            earlier = Statement(pair.earlier, page.title, page.told)
            later = Statement(pair.later, neighbour.title, neighbour.told)
            questions.append(_Question(id, other, (earlier, later)))
    return questions


def _passages(run: Run, page: Page) -> list[str]:
    return candidate_pairs.split_passages(
        words_to_judge(run.repo.text(page.blob))
    )


def _flag(id: str, found: _Contradiction, verdict: Logged) -> list[LedgerLine]:
    """Return the verdict, for the ledger, and the flag that rests on it."""
    answer = {
        name: value
        for name, value in verdict.answer.items()
        if name != "reason"
    }
    recorded: LedgerLine = {
        "e": "verdict",
        "key": found.key,
        "task": verdict.task,
        "judge": verdict.judge,
        "entry": id,
        "answer": answer,
        "reason": found.answer.reason,
    }
    flag: LedgerLine = {
        "e": "flagged",
        "flag": consistency.flag_id(found.key, id),
        "kind": "model",
        "entry": id,
        "key": found.key,
    }
    if found.other:
        flag["other"] = found.other
    routed = matrix.route(Conflict("model", protected=True))
    assert routed is not None
    sentence = "The new model contradicts it"
    if found.other:
        sentence = "The new model finds that another page contradicts it"
    why = found.answer.reason.rstrip(".")
    if why:
        sentence += f": {why}"
    flag["reason"] = f"{sentence}. ({routed.reason}; {verdict.judge})"
    return [recorded, flag]
