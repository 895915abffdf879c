"""A load-bearing page is contradicted in words of their own by people who do not know each
other.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from companion.language.stance.contest import HeardContest
from companion.minority.contested import contests
from companion.minority.contested.possible_incumbents import (
    list_possible_incumbents,
)
from companion.storage.index import schema as index
from companion.values.relations import Relation, Statement
from tests.gathered import Note, gather
from tests.minority.test_gather import RELYING, decided, night, state
from tests.reading.branches.test_branches import sql
from tests.wiki import Wiki, check_health, check_index, ingest_dependents

FIRST = "Oskar Lind runs the kiln house, the driver told me."
SECOND = "My delivery for the [[Kiln house]] was taken in by Oskar Lind."
THIRD = "The kiln house is run by Oskar Lind, says the sign."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki in which eight pages rest on one."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "The kiln house is run by Mara Odell. It fires every week.\n",
        title="Kiln house",
    )
    for n in range(8):
        wiki.ingest(
            f"Batch {n} of the pottery depends on the [[Kiln house]] alone.",
            title=f"Pottery batch {n}",
        )
    wiki.consolidate()
    return wiki


def test_three_voices_in_three_wordings_win(wiki: Wiki) -> None:
    assert decided(night(wiki, (FIRST, "driver"), days=7)) == ["open"]
    assert decided(night(wiki, (SECOND, "clerk"), days=7))[0] == "grow"
    done = night(wiki, (THIRD, "sign"), days=7)
    assert decided(done)[-1] == "promote"
    assert wiki.show("Kiln house")["state"] == "decaying"
    check_index(wiki)
    check_health(wiki)


def test_what_only_gives_the_value_joins_a_branch_and_opens_none(
    wiki: Wiki,
) -> None:
    done = night(wiki, (SECOND, "clerk"), days=7)
    assert decided(done) == [] and len(done["integrated"]) == 1


def test_a_third_value_is_a_rival_and_no_support(wiki: Wiki) -> None:
    night(wiki, (FIRST, "driver"), days=7)
    night(wiki, ("The kiln house is run by Petra Holm.", "cook"), days=7)
    assert len(sql(wiki, "SELECT name FROM branches WHERE state = 'open'")) == 2


def test_notes_on_the_topic_are_integrated(wiki: Wiki) -> None:
    for text in (
        "Oskar Lind slept in the kiln house.",
        "The roof of the kiln house leaks.",
        "Fine clay from the [[Kiln house]].",
    ):
        done = night(wiki, (text, text[:5]), days=7)
        assert decided(done) == [] and len(done["integrated"]) == 1


def test_a_page_that_nothing_rests_on_has_the_common_bar(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "The kiln house is run by Mara Odell. It fires every week.\n",
        title="Kiln house",
    )
    wiki.consolidate()
    done = night(wiki, (FIRST, "driver"))
    assert decided(done) == [] and not done["integrated"][0]["quarantined"]


def test_one_source_that_gives_dates_opens_one_branch(wiki: Wiki) -> None:
    for day in ("2nd", "5th", "9th"):
        night(
            wiki,
            (
                f"The kiln house is run by Oskar Lind, as of the {day}.",
                "driver",
            ),
            days=3,
        )
    assert (
        len(sql(wiki, "SELECT name FROM branches")) == 1
        and state(wiki) == "open"
    )


def test_a_contest_with_a_page_of_many_names_the_statement(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    belief = Note("The kiln house is run by Mara Odell.", "2026-02-01")
    others = [
        Note(f"Shelf {n} of it holds {n} bowls.", "2026-02-02")
        for n in range(30)
    ]
    page = gather(wiki, "Kiln house", [*others, belief])
    for n in range(8):
        wiki.ingest(
            f"Batch {n} of the pottery depends on the [[Kiln house]] alone.",
            title=f"Pottery batch {n}",
        )
    wiki.consolidate()
    done = night(wiki, (FIRST, "driver"), days=7)

    assert decided(done) == ["open"]
    [verdict] = [
        verdict
        for verdict in wiki.events("verdict")
        if verdict["other"] == page.entry
    ]
    assert verdict["statement"] == belief.capture
    [joined] = wiki.events("joined")
    assert joined["reason"].startswith("Contradicts Kiln house (2026-02-01).")


TYRES = Statement(
    "Die Reifen fahren wir mit 4,2 bar, vorne wie hinten.", "Reifendruck"
)
HEARD = Statement(
    "Die Reifen müssen mit 3,0 bar gefahren werden, hinten wie vorne."
)
READ = Statement("Der Reifendruck ist nicht 4,2 bar, vorne wie hinten.")


def test_a_dissent_that_only_the_head_hears_supports_another() -> None:
    challengers = {"a": HEARD, "b": READ}
    (tie,) = contests.tie_positions(TYRES, challengers, {}, {"b"})

    assert (tie.support, tie.rival, tie.heard) == (contests.HEARD, False, True)
    assert contests.tie_positions(TYRES, challengers, {}, set()) == []


def test_heard_dissent_of_two_sources_gathers_on_one_branch(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(TYRES.text, title=TYRES.title)
    ingest_dependents(wiki, "Reifendruck", RELYING)
    wiki.consolidate()

    assert decided(night(wiki, (HEARD.text, "Werkstatt"), days=3)) == ["open"]
    again = "Der Händler fährt unsere Reifen vorne mit 3,0 bar, hinten auch, und 4,2 hält er für Unsinn."
    done = night(wiki, (again, "Nachbar"), days=3)

    assert decided(done)[0] == "grow"
    check_index(wiki)
    check_health(wiki)


DOUBT = "Nails taste of clay when Mara Odell is around, the potters say."


def weigh_as(
    monkeypatch: pytest.MonkeyPatch, likelihoods: Mapping[str, float]
) -> None:
    """Let the judge answer by the words of a note, and else that it contests nothing."""

    def relate(
        self: HeardContest, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        found = []
        for _, note in pairs:
            sure = likelihoods.get(note.text, 0.0)
            if sure:
                found.append(
                    Relation("contradicts", sure, "doubt", opposition=sure)
                )
            else:
                found.append(Relation("neutral", 1.0, "silent"))
        return found

    monkeypatch.setattr(HeardContest, "relate", relate)


def test_a_weak_doubt_alone_changes_nothing(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    weigh_as(monkeypatch, {DOUBT: 0.4})
    assert decided(night(wiki, (DOUBT, "potters"), days=7)) == []


def test_a_weak_doubt_joins_what_others_contest(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    weigh_as(monkeypatch, {FIRST: 0.6, DOUBT: 0.4})
    assert decided(night(wiki, (FIRST, "driver"), days=7)) == ["open"]
    done = night(wiki, (DOUBT, "potters"), days=7)

    assert decided(done)[0] == "grow"


def test_a_page_is_found_by_a_form_of_a_word_of_its_title(wiki: Wiki) -> None:
    (kiln,) = sql(wiki, "SELECT id FROM entries WHERE path LIKE '%Kiln house%'")
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    text = "Every kilns yard that I know is run by its owner."

    assert list_possible_incumbents(db, [text], []) == [kiln[0]]
    assert list_possible_incumbents(
        db, ["See [[Kiln house]] on foot."], []
    ) == [kiln[0]]
    assert list_possible_incumbents(db, ["Rain all day."], []) == []
