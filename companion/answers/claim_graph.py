"""Claims that stand at one moment, as steps from name to name: forwards from whom they were told
of, and back.
"""

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache

from companion.answers.covers import Step
from companion.answers.question import Words, stem
from companion.language.question_words import build_question_tables
from companion.ledger import claims_of_key
from companion.ledger.claims_of_key import group_by_key
from companion.ledger.resolve import RuleBook, holds
from companion.ledger.settlement import Standing
from companion.storage.index.tables import claims, routing
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.claims import split_words
from companion.values.time import LATEST

_BACK = 200  # claims that are followed from one value to their subjects
# of an instant, as exactly as it was said
_LENGTH = {"year": 4, "month": 7, "day": 10}

_Place = tuple[str, tuple[int, int], str]  # (capture, span, verb)
# the instant at which claims on one matter are asked
Moment = Callable[[Sequence[RecordedClaim]], str]


class ClaimGraph:
    """What was told, as far as a walk has come."""

    def __init__(self, book: RuleBook, words: Words, moment: Moment) -> None:
        self.book, self.words, self.moment = book, words, moment
        self.db = book.view.db
        self.seen: dict[str, RecordedClaim] = {}
        self._steps_of: dict[str, list[Step]] = {}

    def known(self, names: Sequence[str]) -> set[str]:
        """Return which of *names* begin a chain."""
        bare = [
            name
            for name in names
            if name.split(" ", 1)[0] not in self.words.articles
        ]
        known = claims.select_known_names(
            self.db, bare, sorted(self.words.articles)
        )
        return known | {
            name for name in bare if routing.list_mirrored(self.db, name)
        }

    def facts(self, name: str) -> Sequence[Step]:
        """Return what stands of *name*, and what has it for a value."""
        if name not in self._steps_of:
            ahead: list[Step] = []
            for group in claims_of_name(self.db, name, None):
                ahead += self._steps(group)
            things = self._steps_of_things(name)
            self._steps_of[name] = [
                *self._with_beside(ahead),
                *things,
                *self._steps_back(name),
            ]
        return self._steps_of[name]

    def _steps_of_things(self, name: str) -> list[Step]:
        """Return what stands of "the Berlin office" as steps of Berlin: their predicates also say
        "office".
        """
        found = []
        for group in group_by_key(
            claims.list_claims_of_compound(self.db, name, _BACK), whole=True
        ):
            for step in self._steps(group):
                thing = self.seen[step.ids[0]].subject.split()[-1]
                found.append(
                    step._replace(predicate=f"{thing} {step.predicate}")
                )
        return found

    def _with_beside(self, steps: Sequence[Step]) -> list[Step]:
        """Return *steps*, each with what its sentence tells by the same verb: "keeps bees" beside
        "keeps in Ahlen".
        """
        values: dict[_Place, set[str]] = {}
        for step in steps:
            for id in step.ids:
                values.setdefault(self._place(id), set()).add(step.value)
        found = []
        for step in steps:
            told = set().union(*(values[self._place(id)] for id in step.ids))
            found.append(
                step._replace(beside=tuple(sorted(told - {step.value})))
            )
        return found

    def _place(self, id: str) -> _Place:
        """Return which verb of which sentence tells a claim."""
        each = self.seen[id]
        return each.capture, each.span, each.assertion.key[1].split(" ", 1)[0]

    def _steps_back(self, name: str) -> list[Step]:
        """Return the claims that have the value *name* and stand, each once, as steps to their
        subjects.
        """
        names = claims.list_spellings(name, sorted(self.words.articles))
        asked = {
            each.assertion.key: each
            for each in claims.list_claims_with_value(self.db, names, _BACK)
        }
        found = []
        for (subject, predicate), told in sorted(asked.items()):
            who, value = (
                claims.normalize_name(subject),
                claims.normalize_name(told.object),
            )
            for step in self._steps(
                claims_of_key.list_claims_of_key(self.db, [who], predicate)
            ):
                object = self.seen[step.ids[0]].object
                if step.value == name or claims.normalize_name(object) == value:
                    found.append(step._replace(value=who, inverse=True))
        return found

    def _steps(self, group: Sequence[RecordedClaim]) -> list[Step]:
        """Return a step for each value that stands of one key."""
        self.seen.update({each.assertion.id: each for each in group})
        standings = self.book.settle(
            group, at=self.moment(group), known_at=LATEST
        )
        sides: dict[str, list[Standing]] = {}
        for standing in filter(holds, standings):
            sides.setdefault(standing.assertion.value, []).append(standing)
        named = next(
            (each.predicate for each in reversed(group) if not each.told_as), ""
        )
        return [
            self._step(value, side, named)
            for value, side in sorted(sides.items())
        ]

    def _step(self, value: str, side: Sequence[Standing], named: str) -> Step:
        """Return the step to *value*; a change is asked for in the words of the state, where it is
        *named*.
        """
        said = split_words(value)
        if len(said) > 1 and said[0] in self.words.articles:
            said = said[1:]
        first = self.seen[side[0].assertion.id]
        return Step(
            key=first.assertion.key,
            predicate=(first.told_as and named) or first.predicate,
            value=" ".join(said),
            ids=tuple(standing.assertion.id for standing in side),
            disputed=any(standing.status == "disputed" for standing in side),
            when=_stated_time(side),
            rule=first.rule,
        )


def _stated_time(side: Sequence[Standing]) -> str | None:
    """Return since when a value stands, where somebody said so."""
    for standing in side:
        assertion = standing.assertion
        if assertion.stated:
            return truncate_instant(assertion.valid_from, assertion.precision)
    return None


def question_words(question: str) -> Words:
    """Return the words by which *question* is read."""
    return Words(**build_question_tables(split_words(question)), stems=_stems())


@cache
def _stems() -> dict[str, set[str]]:
    """Return which concepts words of one stem stand for: the same in every language's tables."""
    tables = build_question_tables()
    stems: dict[str, set[str]] = {}
    for word, concepts in tables["concepts"].items():
        stems.setdefault(stem(word, tables["endings"]), set()).update(concepts)
    return stems


def claims_of_name(
    db: sqlite3.Connection, name: str, known_at: str | None
) -> list[list[RecordedClaim]]:
    """Return what was told of *name*, key by key; things that share a name are kept apart."""
    called = routing.list_mirrored(db, name)
    found: list[list[RecordedClaim]] = []
    if called and not claims.select_known_names(db, [name]):
        for each in called:
            found += claims_of_name(
                db, claims.normalize_name(each["title"]), known_at
            )
        return found
    for thing in claims.list_things_called(db, name, known_at=known_at):
        told = claims.list_claims_of_names(db, thing, known_at=known_at)
        found += group_by_key(told, known_at=known_at)
    return found


def truncate_instant(instant: str, precision: str) -> str:
    """Return *instant* as exactly as it was said."""
    return instant[: _LENGTH.get(precision, 16)]
