"""Audit after audit: what counts once, what ends, and what was taken back."""

from pathlib import Path

import pytest

from companion.adoption import undo
from companion.operations.audit import run as audit
from companion.operations.decay import run as decay
from companion.reading.entry.show import show_target
from companion.storage.index import schema as index
from companion.storage.index.tables import routing
from tests.asked import Asked, log
from tests.operations.audit.test_run import (
    TOPICS,
    astray,
    entry,
    needed,
    pages,
    passed_over,
    run,
    settled,
)
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", pages())
    wiki.tick(days=1)
    decay.decay(wiki.ws)
    return wiki


def mislead(wiki: Wiki, *words: str) -> None:
    """The hub was opened for each of *words*, and called bad."""
    asked = [
        Asked(f"hub {word} {topic}", ("Hub",), ("Hub",), "bad")
        for word, topic in zip(words, TOPICS, strict=False)
    ]
    log(wiki, asked)


def audit_and_settle(wiki: Wiki) -> tuple[str, float]:
    """A month later: the outcome of the hub's audit, and what it left of its gravity."""
    (found,) = run(wiki)["audited"]
    settled(wiki)
    return found["outcome"], found["factor"]


def factor(wiki: Wiki) -> float:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return routing.list_factors(db).get(entry(wiki, "Hub"), 1.0)


class TestRowSix:
    def test_it_ends_with_an_audit_without_bad_outcomes(
        self, wiki: Wiki
    ) -> None:
        needed(wiki)
        outcomes = []
        for words in (("one", "two", "three"), ("alpha", "beta", "gamma")):
            mislead(wiki, *words)
            outcomes.append(audit_and_settle(wiki))
        assert outcomes == [("restored", 1.0), ("gravity-reduced", 0.25)]

        assert audit_and_settle(wiki) == ("restored", 1.0)
        assert audit_and_settle(wiki) == ("restored", 1.0)
        mislead(wiki, "red", "green", "blue")
        assert audit_and_settle(wiki) == ("restored", 1.0), (
            "a single poor cycle after two clean ones took its gravity"
        )

    def test_an_audit_that_was_taken_back_is_no_poor_cycle(
        self, wiki: Wiki
    ) -> None:
        needed(wiki)
        mislead(wiki, "one", "two", "three")
        doc = run(wiki)
        settled(wiki)
        wiki.tick(hours=1)
        undo.undo(wiki.ws, doc["run"])
        mislead(wiki, "alpha", "beta", "gamma")
        assert audit_and_settle(wiki) == ("restored", 1.0)
        check_index(wiki)


class TestTakenBack:
    def test_what_it_took_of_gravity_comes_back(self, wiki: Wiki) -> None:
        astray(wiki)
        doc = run(wiki)
        settled(wiki)
        assert factor(wiki) == 0.25
        wiki.tick(hours=1)
        undo.undo(wiki.ws, doc["run"])
        assert factor(wiki) == 1.0
        check_index(wiki)

    def test_only_its_own_share_comes_back(self, wiki: Wiki) -> None:
        passed_over(wiki)
        first = run(wiki)
        settled(wiki)
        run(wiki)
        settled(wiki)
        assert factor(wiki) == 0.25
        wiki.tick(hours=1)
        undo.undo(wiki.ws, first["run"])
        assert factor(wiki) == 0.5
        check_index(wiki)

    def test_what_only_it_made_decaying_becomes_active_again(
        self, wiki: Wiki
    ) -> None:
        astray(wiki)
        doc = run(wiki)
        settled(wiki)
        assert show_target(wiki.ws, "Hub")["state"] == "decaying"
        wiki.tick(hours=1)
        undo.undo(wiki.ws, doc["run"])
        wiki.tick(days=30)
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == ["restored"]
        assert show_target(wiki.ws, "Hub")["state"] == "active"
        assert settled(wiki)["run"] is None
        check_index(wiki)


class TestHowOftenAuditsRun:
    def test_a_monthly_audit_and_settle_archives_what_was_found_improved(
        self, wiki: Wiki
    ) -> None:
        """AUD-9: the record of the second month confirms the first, and postpones nothing."""
        astray(wiki)
        run(wiki)
        settled(wiki)
        assert show_target(wiki.ws, "Hub")["state"] == "decaying"
        (found,) = run(wiki)["audited"]
        assert found["result"] == "improved"
        done = settled(wiki)
        assert [each["what"] for each in done["settled"]] == ["archived"]
        assert show_target(wiki.ws, "Hub")["state"] == "archived"
        kinds = [line["e"] for line in wiki.ledger()[-1]]
        assert kinds == ["run", "settled", "archived"]
        assert settled(wiki)["run"] is None
        check_index(wiki)


def test_what_merely_faded_is_not_audited(tmp_path: Path) -> None:
    """AUD-10: the cost of an audit does not grow with what faded."""
    leaves = {f"Leaf {n}.md": f"# Leaf {n}\n\nAlone.\n" for n in range(8)}
    wiki = Wiki.new(tmp_path / "faded", {**pages(topics=3), **leaves})
    for day in range(9):
        wiki.tick(days=900 if day < 2 else 1)
        wiki.ingest(f"# Errand {day}\nWe walked along the shore.")
        wiki.consolidate()
    decay.decay(wiki.ws)
    assert show_target(wiki.ws, "Leaf 0")["state"] == "decaying"
    doc = audit.audit(wiki.ws, top=1)
    assert len(doc["audited"]) == 1
