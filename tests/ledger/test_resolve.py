"""How a wiki's own settings settle its conflicts, and that nothing is settled past them."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import read_claims
from companion.answers.known import NotKnown
from companion.ledger.resolve import open_rule_book
from companion.storage.index import isolation
from companion.storage.index import schema as index
from companion.storage.index.isolation import WeakIsolation
from tests.wiki import Wiki, check_index

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, text: str, **about: Any) -> None:
    wiki.ingest(text, **about)
    wiki.consolidate()


def values(
    wiki: Wiki, subject: str, predicate: str | None = None, **more: Any
) -> list[list[str]]:
    options: dict[str, Any] = {
        "as_of": None,
        "known_at": None,
        "history": False,
        **more,
    }
    return [
        key["values"]
        for key in read_claims(wiki.ws, subject, predicate, **options)["keys"]
    ]


def configure(wiki: Wiki, text: str) -> None:
    wiki.write(".companion/companion.yaml", f"adopt: commit\n{text}")
    wiki.commit("settings")


def test_a_policy_settles_what_is_only_told_later_and_a_dated_change_still_wins(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna works at Acme.", source="hr")
    tell(wiki, "Anna works at Beta.", source="badge")
    assert values(wiki, "Anna") == [["Beta"]]
    configure(
        wiki, "claims:\n  Works At: {strategy: policy, prefer: [hr, badge]}\n"
    )
    assert values(wiki, "Anna") == [["Acme"]]
    (key,) = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=False
    )["keys"]
    assert (
        key["strategy"] == "policy" and "ranked 1" in key["claims"][0]["reason"]
    )
    tell(wiki, "Anna works at Gamma now.", source="badge")
    assert values(wiki, "Anna") == [["Gamma"]]
    check_index(wiki)


def test_evidence_goes_by_voices_and_await_waits(wiki: Wiki) -> None:
    for source, text in (
        ("a", "The price of Atlas is 5."),
        ("b", "The price of Atlas is 5. "),
        ("c", "The price of Atlas is 6."),
    ):
        tell(wiki, text, source=source)
    configure(wiki, "claims: {price: await}\n")
    assert values(wiki, "Atlas", "price") == [["5", "6"]]
    configure(wiki, "claims: {price: evidence}\n")
    assert values(wiki, "Atlas", "price") == [["5"]]


def test_a_rebuilt_index_settles_alike(wiki: Wiki) -> None:
    tell(wiki, "Anna works at Acme.", source="hr")
    tell(wiki, "Anna works at Beta.", source="badge")
    configure(wiki, "claims: {works at: {prefer: [hr]}}\n")
    assert values(wiki, "Anna") == [["Acme"]]
    index.remove_database(wiki.ws.place.index_db)
    assert values(wiki, "Anna") == [["Acme"]]


def test_outside_of_one_moment_nothing_is_settled(wiki: Wiki) -> None:
    tell(wiki, "Anna works at Acme.", source="hr")
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    from companion.storage.index.tables import claims

    group = claims.list_claims_about(db, "anna")
    when = {
        "at": "2027-01-01T00:00:00.000000Z",
        "known_at": "2027-01-01T00:00:00.000000Z",
    }
    with pytest.raises(WeakIsolation):
        open_rule_book(isolation.view_without_transaction(db)).settle(
            group, **when
        )
    with isolation.reading(db) as view:
        assert len(open_rule_book(view).settle(group, **when)) == 1


def test_stored_claims_are_resolved_in_one_place_only() -> None:
    called = re.compile(
        r"\bsupersession\.(resolve|list_spells|find_conflicts)\("
        r"|\bimport .*\b(resolve|list_spells|find_conflicts)\b"
        r"|\bsettlement import .*\bsettle\b"
    )
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "companion").rglob("*.py")
        if called.search(path.read_text())
    }
    assert found == {"companion/ledger/resolve.py"}


def test_names_of_names_are_one_thing_also_in_a_circle(wiki: Wiki) -> None:
    tell(wiki, "Acme Holding, also known as Acme, is great.")
    tell(wiki, "Acme, also known as Old Acme, is great.")
    tell(wiki, "Old Acme, also known as Acme Holding, is great.")
    tell(wiki, "The director of Old Acme is Eve.")
    for name in ("Acme Holding", "Acme", "Old Acme"):
        assert ["Eve"] in values(wiki, name, "director")


def test_one_name_of_two_things_joins_them_not(wiki: Wiki) -> None:
    tell(wiki, "The Red Planet, also known as Hermes, is far.")
    tell(wiki, "The Grey Metal, also known as Hermes, is near.")
    tell(wiki, "The director of Red Planet is Eve.")
    tell(wiki, "The director of Grey Metal is Adam.")
    assert values(wiki, "Red Planet", "director") == [["Eve"]]
    assert sorted(values(wiki, "Hermes", "director")) == [["Adam"], ["Eve"]]


def test_what_a_note_takes_back_in_its_own_next_line_is_taken_back(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern. Scratch that.", source="mail")
    (key,) = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=True
    )["keys"]
    assert key["values"] == [] and {
        claim["status"] for claim in key["claims"]
    } == {"retracted"}


def test_another_name_told_later_changes_no_answer_about_the_past(
    wiki: Wiki,
) -> None:
    tell(wiki, "The director of Acme Holding is Eve.")
    then = wiki.now.isoformat()
    tell(wiki, "Acme Holding, also known as Blue Sky, is great.")
    assert ["Eve"] in values(wiki, "Blue Sky", "director")
    with pytest.raises(NotKnown):
        values(wiki, "Blue Sky", known_at=then)


@pytest.mark.parametrize(
    "text",
    [
        "Anna lives in Bern since 2027-13-45.",
        "Anna lived in Bern from 2026-05-01 until 2026-04-01.",
        "Anna lives in Bern since 0000-00-00.",
        "Anna lives in Bern since 29 February 2027.",
        "Anna lives in Bern until 2026-01-01T10:00+25:00.",
        "Anna lives in Bern from 10:00 CET until 09:00 UTC.",
        f"{'A' * 10_000} lives in Bern.",
    ],
)
def test_a_time_that_cannot_be_loses_neither_the_note_nor_the_night(
    wiki: Wiki, text: str
) -> None:
    tell(wiki, text, source="mail")
    tell(wiki, "Anna lives in Rome now.", source="mail")
    assert values(wiki, "Anna") == [["Rome"]]
    check_index(wiki)


def test_a_clock_set_back_reorders_nothing(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    wiki.tick(days=-400)
    tell(wiki, "Anna lives in Rome now.", source="mail")
    assert values(wiki, "Anna") == [["Rome"]]
    check_index(wiki)
