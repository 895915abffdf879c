"""By which rules a key is settled: the tree's settings, what was chosen in `review`, and what is
load-bearing (LED-5).

Every resolution of stored claims goes through the rule book, and so through the store's check of
isolation.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion import json_text
from companion.ledger import supersession
from companion.ledger.confidence import weigh_telling
from companion.ledger.operators import REQUIRES, Policy
from companion.ledger.settlement import PageFall, Resolution, Rules, Standing
from companion.ledger.supersession import Spell
from companion.storage.claim_lines import normalize_name
from companion.storage.index import schema
from companion.storage.index.isolation import View
from companion.storage.index.tables import promotions, resolutions
from companion.storage.index.tables.claims import (
    RecordedClaim,
    find_claim_value,
)
from companion.storage.index.tables.gravity import list_protected
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.promotions import Shift
from companion.storage.journal.verdicts import Verdicts
from companion.tuples import NamedTuple
from companion.values.claims import Assertion, Way, normal, split_words

_STANDS = ("active", "disputed")
REVIEW = "review"  # the task under which a person's answers are logged


class RuleBook(NamedTuple):
    """The rules and choices that settle conflicts in one wiki, as one view of it shows."""

    view: View
    ways: Mapping[str, Way]
    # (question, transaction time, value), the oldest first
    choices: Sequence[tuple[str, str, str]] = ()
    guarded: Collection[str] = ()  # entries that are load-bearing
    # entries that lost their place to a minority branch, and captures whose statement did
    falls: Mapping[str, Shift] = {}
    # (source, agent or pattern, weight)
    trust: Sequence[tuple[str, float]] = ()

    def way(self, claims: Sequence[RecordedClaim]) -> Way:
        """Return how one key is settled.

        The settings may name its predicate by the key, or as somebody wrote it.
        """
        keys = sorted({claim.assertion.key[1] for claim in claims})
        written = sorted({normal(claim.predicate) for claim in claims})
        for predicate in (*keys, *written):
            if predicate in self.ways:
                return self.ways[predicate]
        return Way()

    def rules(
        self,
        claims: Sequence[RecordedClaim],
        known_at: str,
        at: str | None = None,
    ) -> Rules:
        """Return the rules for the *claims* on one key, as they were known at *known_at*.

        A page that lost its place lost it recently or not as of *at*; *known_at* where that is
        None.
        """
        way = self.way(claims)
        answers: dict[str, str] = {}
        answered_at: dict[str, str] = {}
        for question, time, value in self.choices:
            if time <= known_at:
                answers[question] = value
                answered_at[question] = time
        protected: set[str] = set()
        fallen: dict[str, PageFall] = {}
        for claim in claims:
            shift = self._find_fall(claim)
            if shift is not None and shift.since <= known_at:
                fall = _describe_fall(shift, claims, at or known_at)
                fallen[claim.assertion.id] = fall
            elif claim.entry in self.guarded:
                protected.add(claim.assertion.id)
        pages = find_pages_of_own_meaning(self.view.db, claims)
        policy = Policy(way.prefer, answers, answered_at)
        return Rules(way.strategy, policy, protected, fallen, pages)

    def _find_fall(self, claim: RecordedClaim) -> Shift | None:
        """Return how the page of *claim* lost its place, or its statement on that page."""
        shift = self.falls.get(claim.capture)
        return shift or self.falls.get(claim.entry)

    def settle(
        self, claims: Sequence[RecordedClaim], *, at: str, known_at: str
    ) -> Resolution:
        """Return how the claims on one key stand.

        Raises WeakIsolation where the view is too weak for the key's strategy.
        """
        rules = self._checked_rules(claims, known_at, at)
        return supersession.resolve(
            self._assertions(claims), at=at, known_at=known_at, rules=rules
        )

    def list_spells(
        self, claims: Sequence[RecordedClaim], *, known_at: str
    ) -> list[Spell]:
        """Return what stood when. Raises WeakIsolation as `settle` does."""
        rules = self._checked_rules(claims, known_at)
        return supersession.list_spells(
            self._assertions(claims), known_at=known_at, rules=rules
        )

    def find_conflicts(
        self, claims: Sequence[RecordedClaim], *, at: str, known_at: str
    ) -> list[tuple[Assertion, Assertion]]:
        """Return (challenger, protected incumbent) pairs (LED-3). Raises WeakIsolation as `settle`
        does.
        """
        rules = self._checked_rules(claims, known_at, at)
        return supersession.find_conflicts(
            self._assertions(claims), rules, at=at, known_at=known_at
        )

    def _assertions(self, claims: Iterable[RecordedClaim]) -> list[Assertion]:
        """Return what *claims* assert, each as sure as its voice (LED-17)."""
        return [weigh_telling(claim.assertion, self.trust) for claim in claims]

    def _checked_rules(
        self,
        claims: Sequence[RecordedClaim],
        known_at: str,
        at: str | None = None,
    ) -> Rules:
        rules = self.rules(claims, known_at, at)
        self.view.require(REQUIRES[rules.strategy])
        return rules


def open_rule_book(view: View, log: Verdicts | None = None) -> RuleBook:
    """Open the book of the index in *view*; *log* has the answers that no ledger file has yet."""
    db = view.db
    choices: list[tuple[str, str, str]] = []
    for question, at, claim in resolutions.list_choices(
        db
    ) + _unwritten_choices(log):
        value = find_claim_value(db, claim)
        if value is not None:
            choices.append((question, at, value))
    return RuleBook(
        view,
        _read_ways(db),
        choices,
        list_protected_entries(db),
        {**promotions.list_shifts(db), **promotions.list_statement_shifts(db)},
        _read_trust(db),
    )


def _read_trust(db: sqlite3.Connection) -> list[tuple[str, float]]:
    """Return the trust classes of the tree's settings."""
    settings = json_text.loads(schema.read_meta(db, "trust") or "[]")
    return [(name, weight) for name, weight in settings]


def _read_ways(db: sqlite3.Connection) -> dict[str, Way]:
    """Return the settings of the tree, by predicate."""
    settings = json_text.loads(schema.read_meta(db, "claims") or "[]")
    return {
        predicate: Way(strategy, tuple(prefer))
        for predicate, strategy, prefer in settings
    }


def _unwritten_choices(log: Verdicts | None) -> list[tuple[str, str, str]]:
    """Return (question, time, claim) of each choice that only this journal has."""
    if log is None:
        return []
    logged = [each for each in log.of_task(REVIEW) if "claim" in each.answer]
    if not logged:
        return []
    written = log.told(each.key for each in logged)
    answers = [each.answer for each in logged if each.key not in written]
    return [
        (answer["flag"], answer["at"], answer["claim"]) for answer in answers
    ]


def _describe_fall(
    shift: Shift, claims: Iterable[RecordedClaim], at: str
) -> PageFall:
    followers = frozenset(
        claim.assertion.id for claim in claims if _follows(claim, shift)
    )
    lost = "its statement" if shift.captures else "its page"
    reason = (
        f"{lost} lost its place on {shift.since[:10]} "
        f"to what gathered in minority/{shift.branch}"
    )
    young = shift.is_young(at)
    if young:
        reason += "; both are shown while that is young"
    return PageFall(followers, young, reason)


def _follows(claim: RecordedClaim, shift: Shift) -> bool:
    """Tell whether *claim* is of what took the place that was lost by *shift*."""
    if shift.captures:
        return claim.capture in shift.captures
    return claim.entry == shift.entry


def holds(standing: Standing) -> bool:
    """Tell whether *standing* is so at the moment it was resolved for."""
    return standing.status in _STANDS and not standing.assertion.negated


def is_denied(standing: Standing) -> bool:
    """Tell whether *standing* says of something that it is not so, and nothing overtook it."""
    return standing.status in _STANDS and standing.assertion.negated


def list_protected_entries(db: sqlite3.Connection) -> frozenset[str]:
    """Return the load-bearing entries: only a stated change or a minority branch replaces what they
    state.
    """
    return frozenset(list_protected(db))


# -- pages that mean things of their own by one name -----------------------------------------------


def find_pages_of_own_meaning(
    db: sqlite3.Connection, claims: Sequence[RecordedClaim]
) -> Mapping[str, str]:
    """Return the page of each of *claims*, all on one key, where pages mean things of their own.

    Two clubs have a rehearsal each (LED-3). "From now on rehearsal is on Thursdays" concerns the
    page on which it is told; told elsewhere, nobody knows which club it means. Several pages of
    other titles must have told the key plainly, with different values. A key that is single-valued
    however it is told is none of these: a later telling follows an earlier one on any page.
    """
    if any(_is_single_valued(claim.assertion) for claim in claims):
        return {}
    plain = [claim for claim in claims if _is_plain(claim)]
    told_on = _collect_values(plain)
    if len(plain) == len(claims):
        return {}
    subject = claims[0].assertion.key[0]
    values_of = {
        entry: frozenset(values)
        for entry, values in told_on.items()
        if _is_titled_otherwise(db, entry, subject)
    }
    if len(set(values_of.values())) < 2:
        return {}
    return _map_to_pages(claims, values_of.keys())


def _map_to_pages(
    claims: Iterable[RecordedClaim], entries: Collection[str]
) -> dict[str, str]:
    """Return the page of each of *claims* that stands on one of *entries*, by its id."""
    page_of: dict[str, str] = {}
    for claim in claims:
        if claim.entry in entries:
            page_of[claim.assertion.id] = claim.entry
    return page_of


def _collect_values(claims: Iterable[RecordedClaim]) -> dict[str, set[str]]:
    """Return the confirmed values of each page."""
    values_of: dict[str, set[str]] = {}
    for claim in claims:
        assertion = claim.assertion
        if assertion.mood == "confirmed" and not assertion.negated:
            values_of.setdefault(claim.entry, set()).add(assertion.value)
    return values_of


def _is_single_valued(assertion: Assertion) -> bool:
    return assertion.functional and not assertion.change


def _is_plain(claim: RecordedClaim) -> bool:
    """Tell whether a page states *claim* neither as a change nor as a single value."""
    assertion = claim.assertion
    return bool(claim.entry) and not (assertion.functional or assertion.change)


def _is_titled_otherwise(
    db: sqlite3.Connection, entry: str, subject: str
) -> bool:
    """Tell whether the title of a page lacks the name of *subject*.

    A note without a title is called by what it says.
    """
    page = find_page(db, entry)
    name = set(split_words(normalize_name(subject)))
    return page is not None and not name <= set(split_words(page.title))
