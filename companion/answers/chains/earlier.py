"""Find what stood before what stands now: "Where did Anna live before Leeds?"."""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.chains.covers import Step
from companion.answers.claims import describe_step
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.supersession import Spell
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import split_words
from companion.values.time import LATEST
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult, StepResult


def find_earlier_answers(
    ws: Workspace,
    db: sqlite3.Connection,
    answer: "AnswerResult",
    later_words: Sequence[str],
) -> "list[AnswerResult]":
    """Return *answer* with the values that stood before its last one, or before the value that
    *later_words* name; nothing where none stood.
    """
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(ws.journal(), db))
        return _earlier_answers(book, answer, later_words)


def _earlier_answers(
    book: RuleBook, answer: "AnswerResult", later_words: Sequence[str]
) -> "list[AnswerResult]":
    """Return *answer* with the values that stood before in place of its last value."""
    last = claims.find_claim(
        book.view.db, answer["path"][-1]["sources"][0]["id"]
    )
    if last is None:
        return []
    group = list_claims_on_matter(book.view.db, last.assertion.key)
    spells = book.list_spells(group, known_at=LATEST)
    spell = _previous_spell(spells, last.assertion.value, later_words)
    if spell is None:
        return []
    answers = []
    for value in spell.values:
        step = _describe_earlier_step(last, group, value)
        earlier = answer.copy()
        earlier["value"] = step["object"]
        earlier["path"] = [*answer["path"][:-1], step]
        earlier["disputed"] = len(spell.values) > 1
        answers.append(earlier)
    return answers


def _describe_earlier_step(
    last: RecordedClaim, group: Sequence[RecordedClaim], value: str
) -> "StepResult":
    """Return the step of the claim *last* with the earlier *value* of its *group*."""
    by_id: dict[str, RecordedClaim] = {}
    for claim in group:
        assertion = claim.assertion
        if assertion.value == value and not assertion.negated:
            by_id[assertion.id] = claim
    step = Step(last.assertion.key, last.predicate, value, tuple(by_id))
    return describe_step(step, by_id)


def _previous_spell(
    spells: Sequence[Spell], value: str, later_words: Sequence[str]
) -> Spell | None:
    """Return the last stretch with values before the one of *value*, or before one that
    *later_words* name.
    """
    place = _place_of_later(spells, value, later_words)
    if place is None:
        return None
    later = spells[place].values
    for spell in reversed(spells[:place]):
        if spell.values and spell.values != later:
            return spell
    return None


def _place_of_later(
    spells: Sequence[Spell], value: str, later_words: Sequence[str]
) -> int | None:
    """Return the place of the last stretch that *later_words* name; without them, of *value*."""
    for place in reversed(range(len(spells))):
        if later_words and _has_value_named(spells[place], later_words):
            return place
        if not later_words and value in spells[place].values:
            return place
    return None


def _has_value_named(spell: Spell, names: Sequence[str]) -> bool:
    return any(set(split_words(value)) & set(names) for value in spell.values)
