"""By which rules a key is settled: the tree's settings, what was chosen in `review`, and what is
load-bearing (LED-5).

Every resolution of stored claims goes through `settle`, and so through the store's check of
isolation.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.ledger import shared_names, supersession
from companion.ledger.operators import REQUIRES, Policy
from companion.ledger.settlement import PageFall, Resolution, Rules, Standing
from companion.ledger.supersession import Spell
from companion.storage.index import schema as index
from companion.storage.index.isolation import View
from companion.storage.index.tables import claims, promotions, resolutions
from companion.storage.index.tables import gravity as graph
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.entries import find_title
from companion.storage.index.tables.promotions import Shift
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import Assertion, Way, normal

_STANDS = ("active", "disputed")
REVIEW = "review"  # the task under which a person's answers are logged
_ID = re.compile(r"\b[0-9a-f]{16}\b")  # of a claim, as reasons name them
_NAMED = re.compile(r"\b[0-9a-z]{16}\b")  # or of an entry


class RuleBook(NamedTuple):
    """What settles conflicts in one wiki, as one view of it shows."""

    view: View
    ways: Mapping[str, Way]
    # (question, transaction time, value), the oldest first
    choices: Sequence[tuple[str, str, str]] = ()
    guarded: Collection[str] = ()  # entries that are load-bearing
    # entries that lost their place to a minority branch
    falls: Mapping[str, Shift] = {}

    def way(self, group: Iterable[RecordedClaim]) -> Way:
        """Return how one key is settled: its predicate may be named by its key or as somebody wrote
        it.
        """
        said = list(group)
        names = [
            *sorted({each.assertion.key[1] for each in said}),
            *sorted({normal(each.predicate) for each in said}),
        ]
        return next(
            (self.ways[name] for name in names if name in self.ways), Way()
        )

    def rules(
        self,
        group: Sequence[RecordedClaim],
        known_at: str,
        at: str | None = None,
    ) -> Rules:
        """Return the rules for one key as they were known at *known_at*; a shift is young or not at
        *at*.
        """
        way = self.way(group)
        answers = {
            flag: value for flag, at, value in self.choices if at <= known_at
        }
        fell = {
            id: shift
            for id, shift in self.falls.items()
            if shift.since <= known_at
        }
        bearing = [
            each
            for each in group
            if each.entry in self.guarded and each.entry not in fell
        ]
        list_protected_entries = frozenset(
            each.assertion.id for each in bearing
        )
        fallen = {
            e.assertion.id: _fall(fell[e.entry], group, at or known_at)
            for e in group
            if e.entry in fell
        }
        return Rules(
            way.strategy,
            Policy(way.prefer, answers),
            list_protected_entries,
            fallen,
            shared_names.pages_of_own_meaning(self.view.db, group),
        )

    def settle(
        self, group: Sequence[RecordedClaim], *, at: str, known_at: str
    ) -> Resolution:
        """Return how the claims on one key stand. Raises WeakIsolation where the view is too weak
        for its strategy.
        """
        rules = self._allowed(group, known_at, at)
        return supersession.resolve(
            _assertions(group), at=at, known_at=known_at, rules=rules
        )

    def history(
        self, group: Sequence[RecordedClaim], *, known_at: str
    ) -> list[Spell]:
        """Return what stood when. Raises WeakIsolation."""
        return supersession.list_spells(
            _assertions(group),
            known_at=known_at,
            rules=self._allowed(group, known_at),
        )

    def conflicts(
        self, group: Sequence[RecordedClaim], *, at: str, known_at: str
    ) -> list[tuple[Assertion, Assertion]]:
        """Return (challenger, protected incumbent) pairs (LED-3). Raises WeakIsolation."""
        return supersession.find_conflicts(
            _assertions(group),
            self._allowed(group, known_at, at),
            at=at,
            known_at=known_at,
        )

    def _allowed(
        self,
        group: Sequence[RecordedClaim],
        known_at: str,
        at: str | None = None,
    ) -> Rules:
        rules = self.rules(group, known_at, at)
        self.view.require(REQUIRES[rules.strategy])
        return rules


def open_rule_book(view: View, log: Verdicts | None = None) -> RuleBook:
    """Open the book of the index in *view*; *log* has the answers that no ledger file has yet."""
    db = view.db
    ways = {
        name: Way(strategy, tuple(prefer))
        for name, strategy, prefer in json.loads(
            index.read_meta(db, "claims") or "[]"
        )
    }
    chosen = resolutions.list_choices(db) + _unwritten(log)
    values = (
        (flag, at, claims.find_claim_value(db, claim))
        for flag, at, claim in chosen
    )
    return RuleBook(
        view,
        ways,
        [(flag, at, value) for flag, at, value in values if value is not None],
        list_protected_entries(db),
        promotions.list_shifts(db),
    )


def _fall(shift: Shift, group: Iterable[RecordedClaim], at: str) -> PageFall:
    by = frozenset(
        each.assertion.id for each in group if each.entry == shift.entry
    )
    told = f"its page lost its place on {shift.since[:10]} to what gathered in minority/{shift.branch}"
    young = shift.is_young(at)
    return PageFall(
        by,
        young,
        f"{told}; both are shown while that is young" if young else told,
    )


def holds(standing: Standing) -> bool:
    """Tell whether *standing* is so at the moment it was resolved for."""
    return standing.status in _STANDS and not standing.assertion.negated


def list_protected_entries(db: sqlite3.Connection) -> frozenset[str]:
    """Return the load-bearing entries: what they state gives way to a stated change, or takes a
    cluster to overturn.
    """
    return frozenset(graph.list_protected(db))


def describe_resolutions(
    db: sqlite3.Connection, keys: Iterable[Mapping[str, Any]]
) -> str:
    """Return what a `resolved` event made of its keys, with the values that the index knows."""
    return "; ".join(_in_words(db, key) for key in keys)


def replace_ids(db: sqlite3.Connection, reason: str) -> str:
    """Return *reason* with what the claims say, and what the pages are called, in place of ids the
    index knows.
    """
    return _NAMED.sub(lambda found: _meant(db, found[0]), reason)


def find_claim_ids(reason: str) -> list[str]:
    """Return the ids that *reason* names, each once."""
    return list(dict.fromkeys(_ID.findall(reason)))


def _meant(db: sqlite3.Connection, id: str) -> str:
    said = claims.find_claim(db, id)
    if said is not None:
        return f"“{said.subject} {said.predicate}: {'not ' * said.assertion.negated}{said.object}”"
    title = find_title(db, id)
    return f"“{title}”" if title else id


def _in_words(db: sqlite3.Connection, key: Mapping[str, Any]) -> str:
    sides = {
        side: [claims.find_claim_words(db, id) for id in key.get(side, ())]
        for side in ("won", "lost", "disputed")
    }
    about = next(
        (said[0] for some in sides.values() for said in some if said),
        "a claim that is gone",
    )
    parts = [
        f"{word}{' / '.join(said[1] if said else 'what is gone' for said in sides[side])}"
        for side, word in (
            ("won", ""),
            ("lost", "over "),
            ("disputed", "disputed "),
        )
        if sides[side]
    ]
    return f"{about}: {' '.join(parts)} ({key.get('why', resolutions.USUAL['why'])})"


def _unwritten(log: Verdicts | None) -> list[tuple[str, str, str]]:
    said = (
        []
        if log is None
        else [each for each in log.of_task(REVIEW) if "claim" in each.answer]
    )
    told = (
        set()
        if log is None or not said
        else log.told(each.key for each in said)
    )
    return [
        (e.answer["flag"], e.answer["at"], e.answer["claim"])
        for e in said
        if e.key not in told
    ]


def _assertions(group: Iterable[RecordedClaim]) -> list[Assertion]:
    return [each.assertion for each in group]
