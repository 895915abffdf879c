"""Answer a question for yes or no: what it would state is looked up among the claims (LED-13)."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.chains.covers import Step
from companion.answers.claims import describe_step
from companion.language.claims.extract import LightExtractor
from companion.language.times.calendar import Stretch, parse_moment
from companion.language.times.phrases import time_reader
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.ledger.settlement import LIVE, Standing, Status
from companion.patterns import lazy
from companion.storage.index import isolation
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from companion.tuples import NamedTuple
from companion.values.captures import OWNER
from companion.values.claims import Claim, normal
from companion.values.time import LATEST, parse_instant, reached
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult
    from companion.language.times.mentions import Tense

# it is so, it is not, and it is although the question denies it
_WORDS = {
    "en": ("yes", "no", "yes"),
    "de": ("ja", "nein", "doch"),
}
_TENSES: "tuple[Tense, ...]" = ("future", "past")
_DIGIT = lazy(r"\d")
_WRITTEN_DAY = lazy(r"\d{4}-\d\d-\d\d|\bKW \d")
_FIRST_PERSONS = ("me", "us")
# how a claim stands that once was so
_GONE: tuple[Status, ...] = ("ended", "superseded")
_ONCE = (*LIVE, *_GONE)


class _Verdict(NamedTuple):
    """What the claims of a matter say to a value that is asked for."""

    is_so: bool
    claims: tuple[RecordedClaim, ...]  # that say it
    is_disputed: bool = False


def judge_statements(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    statements: Sequence[str],
    *,
    as_of: str | None,
    ever: bool,
) -> "list[AnswerResult]":
    """Return yes or no to the first of *statements* that is a matter of claims, with those that say
    it; *ever*: whether it was so at any time. Raises BadTime.
    """
    now = ws.present(journal)
    at = parse_instant(as_of) if as_of else None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(journal, db))
        for claim in _read_claims(statements, now):
            if claim.key[0] in _FIRST_PERSONS and ws.who != OWNER:
                continue
            group = list_claims_on_matter(view.db, claim.key)
            told = [one.assertion.told_at for one in group]
            standings = _settle(book, group, at or reached(now, told))
            by_id = {one.assertion.id: one for one in group}
            same = _find_same(group, claim, now)
            verdict = _judge(standings, by_id, claim, same, ever=ever)
            if verdict is not None:
                return [_describe(verdict, claim)]
    return []


def _read_claims(statements: Sequence[str], now: str) -> Iterator[Claim]:
    extractor = LightExtractor()
    for statement in statements:
        for claim in extractor.extract(statement, event_time=now):
            if claim.mood == "confirmed":  # "Will Anna …" asks for a plan
                yield claim


def _settle(
    book: RuleBook, group: Sequence[RecordedClaim], moment: str
) -> list[Standing]:
    """Return how the claims of a matter stand that had begun at *moment*."""
    if not group:
        return []
    standings = book.settle(group, at=moment, known_at=LATEST)
    return [one for one in standings if one.assertion.valid_from <= moment]


def _judge(
    standings: Sequence[Standing],
    by_id: dict[str, RecordedClaim],
    asked: Claim,
    same: Collection[str],
    *,
    ever: bool,
) -> _Verdict | None:
    """Return what the claims of a matter say to *asked*, whose value those called *same* have; None
    where they say nothing.
    """
    of_value = [one for one in standings if one.assertion.id in same]
    telling = _list_telling(of_value, by_id, _ONCE if ever else LIVE)
    said, denied = telling[True], telling[False]
    if said:
        disputed = bool(denied) and not ever
        return _Verdict(True, tuple(said), is_disputed=disputed)
    if not ever and not denied and _has_one_value(of_value, asked):
        denied = _list_holding(standings, by_id)
    return _Verdict(False, tuple(denied)) if denied else None


def _find_same(
    group: Sequence[RecordedClaim], asked: Claim, now: str
) -> set[str]:
    """Return the ids of the claims that have the value of *asked*, or name the same day."""
    value = normal(asked.object)
    days = _read_days(asked.object, asked.rule, now)
    found: set[str] = set()
    for one in group:
        if one.assertion.value == value or not days.isdisjoint(
            _read_days(one.object, one.rule, one.assertion.told_at)
        ):
            found.add(one.assertion.id)
    return found


def _read_days(value: str, rule: str, told_at: str) -> set[Stretch]:
    """Return the days that *value* names, told at that moment: one of this year, or of the next."""
    language, _, name = rule.partition("/")
    if not name or not _DIGIT.search(value):
        return set()
    reader = time_reader(language)
    at = parse_moment(told_at)
    days: set[Stretch] = set()
    for tense in _TENSES:
        for mention in reader.mentions(value, at, tense=tense):
            if mention.stretch.precision == "day":
                days.add(mention.stretch)
    return days


def _list_holding(
    standings: Sequence[Standing], by_id: dict[str, RecordedClaim]
) -> list[RecordedClaim]:
    """Return the claims of a matter that hold: it has another value."""
    return [by_id[one.assertion.id] for one in standings if holds(one)]


def _has_one_value(of_value: Sequence[Standing], asked: Claim) -> bool:
    """Tell whether another value denies the one *asked* for: it gave way to one before, or there is
    one at a time. What is so "today" or "tomorrow" may be so on other days, too.
    """
    if _WRITTEN_DAY.search(asked.object):
        return False
    return asked.functional or any(one.status in _GONE for one in of_value)


def _list_telling(
    standings: Sequence[Standing],
    by_id: dict[str, RecordedClaim],
    statuses: Sequence[Status],
) -> dict[bool, list[RecordedClaim]]:
    """Return the claims of one of *statuses* that say that it is so, and those that deny it."""
    telling: dict[bool, list[RecordedClaim]] = {True: [], False: []}
    for one in standings:
        if one.status in statuses:
            telling[not one.assertion.negated].append(by_id[one.assertion.id])
    return telling


def _describe(verdict: _Verdict, asked: Claim) -> "AnswerResult":
    language = asked.rule.partition("/")[0]
    yes, no, contrary = _WORDS.get(language, _WORDS["en"])
    affirmed = contrary if asked.negated else yes
    first = verdict.claims[0]
    same = [
        one
        for one in verdict.claims
        if one.assertion.value == first.assertion.value
    ]
    seen = {one.assertion.id: one for one in same}
    step = Step(first.assertion.key, first.predicate, "", tuple(seen))
    return {
        "value": affirmed if verdict.is_so else no,
        "score": 1.0,
        "disputed": verdict.is_disputed,
        "path": [describe_step(step, seen)],
    }
