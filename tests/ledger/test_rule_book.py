"""Which rules hold for one key, as they were known at a time (LED-5, CON-8, CON-10)."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from companion.ledger.resolve import RuleBook, holds
from companion.ledger.settlement import Standing
from companion.storage.index import isolation
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.promotions import CYCLES, Shift
from companion.values.claims import Assertion, Way

KEY = ("anna", "works at")
OLD = "a" * 12
NEW = "b" * 12


def day(number: int) -> str:
    return f"2026-03-{number:02}T00:00:00.000000Z"


def claim(value: str, entry: str = OLD, **more: Any) -> RecordedClaim:
    assertion = Assertion(value, KEY, value, day(1), day(1))
    told = ("Anna", "Works At", value, f"note {value}")
    return RecordedClaim(assertion, *told, entry, (0, 1), "rule", **more)


def shift(since: int, *captures: str) -> Shift:
    return Shift(NEW, "anna-1234", day(since), day(20), CYCLES, captures)


@pytest.fixture
def view() -> Iterator[isolation.View]:
    db = sqlite3.connect(":memory:")
    yield isolation.view_without_transaction(db)
    db.close()


def book(view: isolation.View, **more: Any) -> RuleBook:
    return RuleBook(view, more.pop("ways", {}), **more)


def test_a_way_is_found_by_the_key_or_as_somebody_wrote_it(
    view: isolation.View,
) -> None:
    waits = Way("await")
    by_key = book(view, ways={"works at": waits})
    assert by_key.way([claim("Acme")]) == waits
    named = claim("Acme")._replace(predicate="Is Employed By")
    written = book(view, ways={"is employed by": waits})
    assert written.way([named]) == waits
    assert written.way([claim("Acme")]) == Way()


def test_the_key_goes_before_what_somebody_wrote(view: isolation.View) -> None:
    named = claim("Acme")._replace(predicate="Is Employed By")
    ways = {"works at": Way("await"), "is employed by": Way("evidence")}
    assert book(view, ways=ways).way([named]) == Way("await")


def test_a_choice_counts_from_the_moment_at_which_it_was_made(
    view: isolation.View,
) -> None:
    choices = [("q", day(2), "acme"), ("q", day(4), "beta")]
    rules = book(view, choices=choices).rules

    def chosen(known_at: int) -> object:
        policy = rules([claim("Acme")], day(known_at)).policy
        return policy.answers.get("q"), policy.answered_at.get("q")

    assert chosen(1) == (None, None)
    assert chosen(2) == ("acme", day(2))
    assert chosen(3) == ("acme", day(2))
    assert chosen(4) == chosen(5) == ("beta", day(4))


def test_a_load_bearing_page_protects_until_it_has_lost_its_place(
    view: isolation.View,
) -> None:
    """What it lost to is named, and both are shown while that is young."""
    claims = [claim("Acme"), claim("Beta", NEW)]
    # pages that have nothing to do with it, on both sides in the alphabet
    claims += [claim("Gamma", "c" * 12), claim("Alpha", "0" * 12)]
    rules = book(view, guarded={OLD}, falls={OLD: shift(5)}).rules
    before = rules(claims, day(4))
    assert set(before.protected) == {"Acme"} and not before.fallen
    for known_at in (5, 6, 30):
        after = rules(claims, day(known_at))
        assert not after.protected and set(after.fallen) == {"Acme"}
        fall = after.fallen["Acme"]
        assert set(fall.by) == {"Beta"}
        assert fall.young is (known_at < 20)
        assert "its page lost its place on 2026-03-05" in fall.reason
        assert fall.reason.endswith("while that is young") is fall.young


def test_whether_a_fall_is_young_is_asked_of_the_moment_in_question(
    view: isolation.View,
) -> None:
    rules = book(view, falls={OLD: shift(5)}).rules
    assert rules([claim("Acme")], day(30), day(10)).fallen["Acme"].young
    assert not rules([claim("Acme")], day(10), day(30)).fallen["Acme"].young


def test_a_statement_falls_alone_and_to_the_notes_that_took_its_place(
    view: isolation.View,
) -> None:
    claims = [claim("Acme"), claim("Beta"), claim("Gamma")]
    falls = {"note Acme": shift(5, "note Beta")}
    fallen = book(view, falls=falls).rules(claims, day(6)).fallen
    assert set(fallen) == {"Acme"}
    assert set(fallen["Acme"].by) == {"Beta"}
    assert "its statement lost its place" in fallen["Acme"].reason


def test_what_holds_is_active_or_disputed_and_no_denial() -> None:
    told = claim("Acme").assertion

    def stands(status: Any, **more: Any) -> bool:
        return holds(Standing(told._replace(**more), status, ""))

    assert stands("active") and stands("disputed")
    assert not stands("superseded")
    assert not stands("active", negated=True)
