"""What a night makes of claims that stood: audit rows that give back the loser, questions, attacks
on what is borne.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import read_claims
from companion.ledger import resolve as settling
from companion.maintenance.erase import run as erase
from companion.pages.statement_edits import add_statement, retire_statement
from companion.reading import review
from companion.reading.status import describe_wiki
from companion.reading.why import explain_target
from companion.storage.index import schema as index
from tests.wiki import Wiki, check_index, list_values

WHEN = "2026-10-01T00:00:00.000000Z"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str, **about: Any) -> dict[str, Any]:
    wiki.ingest(*texts, **about)
    return wiki.consolidate()


def rows(wiki: Wiki) -> list[dict[str, Any]]:
    return [
        key
        for run in wiki.ledger()
        for line in run
        if line["e"] == "resolved"
        for key in line["keys"]
    ]


def values(wiki: Wiki, subject: str, **more: Any) -> list[str]:
    return list_values(wiki.ws, subject, **more)


OTHER = 1  # the judge of texts asks about such a pair, too


def disputes(wiki: Wiki) -> list[dict[str, Any]]:
    return [
        item
        for item in review.list_review(wiki.ws)["items"]
        if item["kind"] == "disputed"
    ]


def dispute(wiki: Wiki) -> dict[str, Any]:
    (question,) = disputes(wiki)
    return question


def claim(wiki: Wiki, id: str) -> str:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return str(
        db.execute("SELECT object FROM claims WHERE id = ?", (id,)).fetchone()[
            0
        ]
    )


def test_what_overturns_a_value_is_written_and_gives_back_the_loser(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    assert rows(wiki) == []
    tell(wiki, "Anna lives in Bern. She likes it.", source="chat")
    assert rows(wiki) == [], "the same again changes nothing"
    tell(wiki, "Anna lives in Rome.", source="mail")
    (row,) = rows(wiki)
    assert [claim(wiki, id) for id in (*row["won"], *row["lost"])] == [
        "Rome",
        "Bern",
    ]
    assert len(json.dumps(row)) < 200 and "Bern" not in json.dumps(row)
    check_index(wiki)


def test_a_late_older_claim_enters_as_the_loser(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Rome.")
    tell(wiki, "Anna lives in Oslo.", event_time="2020-01-01T00:00:00.000000Z")
    (row,) = rows(wiki)
    assert [claim(wiki, id) for id in (*row["won"], *row["lost"])] == [
        "Rome",
        "Oslo",
    ]


def test_history_and_why_say_it_in_words_on_both_pages(wiki: Wiki) -> None:
    first = tell(wiki, "# Home\n\nAnna lives in Bern.")["integrated"][0][
        "entry"
    ]
    second = tell(
        wiki, "# Move\n\nAnna moved to Rome.", "# Tea\n\nAnna lives in Rome."
    )["integrated"]
    (key,) = read_claims(
        wiki.ws, "Anna", "lives in", as_of=None, known_at=None, history=True
    )["keys"]
    assert [
        [each["object"] for each in night[side]]
        for night in key["resolved"]
        for side in ("won", "lost")
    ] == [["Rome"], ["Bern"]]
    for entry in (first, second[-1]["entry"]):
        said = [
            event["reason"]
            for event in explain_target(wiki.ws, entry)["events"]
            if event["event"] == "resolved"
        ]
        assert said == [
            "Anna · lives in: Rome over Bern (another value became so later)"
        ]


def test_a_dispute_becomes_a_question_and_its_answer_settles_reads_from_then_on(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=WHEN)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=WHEN)
    question = dispute(wiki)
    assert (
        question["kind"],
        sorted(each["object"] for each in question["claims"]),
    ) == (
        "disputed",
        ["Bern", "Rome"],
    )
    assert describe_wiki(wiki.ws)["to_review"] == 1 + OTHER
    before = wiki.tick().isoformat()
    wiki.tick()
    chosen = next(
        each["id"] for each in question["claims"] if each["object"] == "Bern"
    )
    review.prefer_claim(wiki.ws, question["id"], chosen[:6])
    assert values(wiki, "Anna") == ["Bern"] and values(
        wiki, "Anna", known_at=before
    ) == [
        "Bern",
        "Rome",
    ]
    assert disputes(wiki) == [] and describe_wiki(wiki.ws)["to_review"] == OTHER
    wiki.consolidate()
    assert [
        line for run in wiki.ledger() for line in run if line["e"] == "answered"
    ]
    assert values(wiki, "Anna") == ["Bern"] and values(
        wiki, "Anna", known_at=before
    ) == [
        "Bern",
        "Rome",
    ]
    check_index(wiki)
    clone = wiki.clone(wiki.root.parent / "clone")
    assert values(clone, "Anna") == ["Bern"]


def test_what_settles_itself_is_not_asked_any_more(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=WHEN)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=WHEN)
    tell(
        wiki,
        "Anna lives in Oslo.",
        source="chat",
        event_time="2026-10-05T00:00:00.000000Z",
    )
    assert disputes(wiki) == [] and describe_wiki(wiki.ws)["to_review"] == OTHER


def test_a_dispute_is_answered_by_one_of_its_claims_only(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=WHEN)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=WHEN)
    question = dispute(wiki)
    for wrong in ("beef", question["claims"][0]["id"][:3], "0" * 16):
        with pytest.raises(review.WrongAnswer):
            review.prefer_claim(wiki.ws, question["id"], wrong)
    with pytest.raises(review.WrongAnswer, match="prefer ID CLAIM"):
        review.answer_question(wiki.ws, question["id"], "accept")


@pytest.fixture
def borne(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A wiki in which Anna's page is load-bearing."""
    entry = tell(wiki, "# Anna's home\n\nAnna lives in Bern.")["integrated"][0][
        "entry"
    ]
    monkeypatch.setattr(
        settling, "list_protected_entries", lambda db: frozenset({entry})
    )
    return wiki


@pytest.mark.parametrize(
    "text",
    [
        "Anna lives in Rome.",
        "Anna does not live in Bern.",
        "Anna lives in Rome now.",
    ],
)
def test_a_load_bearing_claim_is_not_overturned_by_the_way(
    borne: Wiki, text: str
) -> None:
    done = tell(borne, text)
    assert [each["bucket"] for each in done["integrated"]] == ["low"]
    (verdict,) = [
        e
        for run in borne.ledger()
        for e in run
        if e["e"] == "verdict" and e["task"] == "conflict"
    ]
    assert "no change stated with a time of its own" in verdict["reason"]
    assert "Bern" in values(borne, "Anna")
    assert [item["kind"] for item in review.list_review(borne.ws)["items"]] == [
        "contradiction"
    ]


def stand_as_statement(wiki: Wiki, *, lost: bool = False) -> str:
    """Let the note of Anna's page stand there as a statement; return its capture."""
    [consumed] = wiki.events("consumed")
    capture = str(consumed["capture"])
    path = wiki.show("Anna's home")["path"]
    front, _, words = wiki.read(path).partition("\n---\n")
    text = add_statement(
        f"{front}\n---\n", capture[:12], "2026-11-01 08:01", words.strip()
    )
    if lost:
        text = retire_statement(
            text, capture[:12], "2026-11-02", "", "It lost."
        )
    wiki.write(path, text)
    wiki.commit()
    return capture


def test_an_attack_names_the_statement_whose_claim_it_attacks(
    borne: Wiki,
) -> None:
    capture = stand_as_statement(borne)
    tell(borne, "Anna does not live in Bern.")

    [attack] = [
        line for line in borne.events("verdict") if line["task"] == "conflict"
    ]
    assert attack["statement"] == capture


def test_the_claim_of_a_lost_statement_is_not_attacked(borne: Wiki) -> None:
    stand_as_statement(borne, lost=True)
    tell(borne, "Anna does not live in Bern.")

    tasks = [line["task"] for line in borne.events("verdict")]
    assert "conflict" not in tasks


def test_a_change_with_a_time_of_its_own_is_an_update_there_too(
    borne: Wiki,
) -> None:
    borne.tick(days=9)
    done = tell(borne, "Since Tuesday Anna lives in Rome now.", "Tea is green.")
    assert "low" not in [each["bucket"] for each in done["integrated"]]
    assert values(borne, "Anna") == ["Rome"]


def test_an_answer_lifts_the_quarantine_of_an_attack(borne: Wiki) -> None:
    entry = tell(borne, "Anna lives in Rome.")["integrated"][0]["entry"]
    (question,) = review.list_review(borne.ws)["items"]
    review.answer_question(borne.ws, question["id"], "accept")
    borne.consolidate()
    assert not borne.show(entry)["quarantined"]


@pytest.mark.parametrize(
    "change",
    [
        "The nightly export moved to 04:00 as of Tuesday.",
        "The nightly export runs at 04:00 now.",
        "The nightly export no longer runs at 02:00.",
    ],
)
def test_a_change_in_words_costs_nothing(wiki: Wiki, change: str) -> None:
    tell(wiki, "# Export\n\nThe nightly export runs at 02:00.")
    done = tell(wiki, f"# Export\n\n{change}")
    assert [each["bucket"] for each in done["integrated"]] == ["high"], done[
        "integrated"
    ]
    assert review.list_review(wiki.ws)["items"] == []


def test_the_same_note_under_the_same_reader_states_the_same_and_the_run_names_it(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.clone(tmp_path / "other")
    for each in (wiki, other):
        tell(each, "Anna lives in Bern. The price of Atlas is 5.")
    first, second = (
        [
            line["claims"]
            for run in each.ledger()
            for line in run
            if line["e"] == "claims"
        ]
        for each in (wiki, other)
    )
    assert first == second != []
    assert wiki.ledger()[-1][0]["judges"]["extract"]["version"].startswith(
        "extract-"
    )


def test_what_names_erased_claims_goes_with_them(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=WHEN)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=WHEN)
    question = dispute(wiki)
    ids = [
        question["id"],
        *(
            each["id"]
            for each in question["claims"]
            if each["object"] == "Rome"
        ),
    ]
    wiki.tick()
    word = erase.erase(wiki.ws, ["lives in Rome"])["confirm"]
    erase.erase(wiki.ws, ["lives in Rome"], confirm=word)
    text = json.dumps(wiki.ledger())
    assert not [id for id in ids if id in text]
    check_index(wiki)
