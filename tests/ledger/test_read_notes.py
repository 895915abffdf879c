"""What a night reads out of notes for the claim ledger: once for each open telling, bounded, undone
with its run.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers import claims as facts
from companion.answers.ask import ask
from companion.ledger.read_telling import (
    BYTES,
    READ,
    readable_text,
    tellings_to_read,
)
from companion.storage import claim_lines, ledger_file
from companion.storage.index import schema as index
from companion.values.captures import Sighting
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def told(wiki: Wiki) -> list[tuple[str, str, str, str]]:
    """Return (subject, predicate, value, source) of every claim that the index has and nobody
    withdrew.
    """
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    query = (
        "SELECT subject_key, predicate_key, value, source FROM claims WHERE withdrawn_at IS"
        " NULL ORDER BY 1, 2, 3, 4"
    )
    return [tuple(row) for row in db.execute(query)]


def written(wiki: Wiki) -> list[dict[str, Any]]:
    return [
        line for run in wiki.ledger() for line in run if line["e"] == "claims"
    ]


def test_a_night_writes_what_its_notes_state_and_the_index_is_a_function_of_the_tree(
    wiki: Wiki,
) -> None:
    wiki.ingest(
        "The director of Fatah is Mahmoud Abbas.",
        "# Casa Blanca\n\nprice:: 300\n",
        "Nothing to see here",
    )
    wiki.consolidate()
    assert told(wiki) == [
        ("casa blanca", "price", "300", ""),
        ("fatah", "director", "mahmoud abbas", ""),
    ]
    check_index(wiki)


def test_each_open_telling_is_heard_and_no_private_one(wiki: Wiki) -> None:
    text = "Anna lives in Bern."
    wiki.ingest(text, source="mail")
    wiki.ingest(text, source="diary", scope="private")
    wiki.consolidate()
    assert told(wiki) == [("anna", "live in", "bern", "mail")]
    wiki.ingest(text, source="phone")
    wiki.consolidate()
    assert told(wiki) == [
        ("anna", "live in", "bern", "mail"),
        ("anna", "live in", "bern", "phone"),
    ]
    assert "diary" not in json.dumps(written(wiki))
    check_index(wiki)


def test_what_was_told_in_private_only_leaves_no_claim(wiki: Wiki) -> None:
    wiki.ingest("Anna lives in Bern.", scope="private")
    wiki.ingest("Paul lives in Rome.")
    wiki.consolidate()
    assert told(wiki) == [("paul", "live in", "rome", "")]


def test_undo_takes_the_claims_of_a_run_back_and_undoing_that_gives_them_again(
    wiki: Wiki,
) -> None:
    wiki.ingest("Anna lives in Bern.")
    run = wiki.consolidate()["run"]
    before = told(wiki)
    wiki.tick()
    taken = undo.undo(wiki.ws, run)["run"]
    assert before and told(wiki) == []
    check_index(wiki)
    wiki.tick()
    undo.undo(wiki.ws, taken)
    assert told(wiki) == before
    check_index(wiki)


def test_a_note_of_many_facts_keeps_within_its_bytes_and_says_what_was_left_out(
    wiki: Wiki,
) -> None:
    facts = " ".join(
        f"The director of Company{n} is Person{n}." for n in range(14)
    )
    wiki.ingest(facts)
    wiki.consolidate()
    (event,) = written(wiki)
    assert len(json.dumps(event["claims"]).encode()) <= BYTES + 2 * len(
        event["claims"]
    )
    assert (
        event["reason"]
        == f"Read {len(event['claims'])} claims. {14 - len(event['claims'])} more do not fit into "
        "the record. (by light/extract-21; at most 1000 bytes)"
    )
    assert (
        sum(
            len(json.dumps(line))
            for run in wiki.ledger()[-1:]
            for line in run[1:]
        )
        <= 2048
    )


def test_of_a_long_note_only_the_fields_are_read_where_they_stand() -> None:
    short = "Ada lives in Porto.\n" * 20
    assert readable_text(short) == short
    long = f"---\ncity: Porto\n---\nAda moved.\nowner:: Ada\r\n{'y' * READ}"
    read = readable_text(long)
    assert len(read) == len(long) and read.index(
        "owner:: Ada\r\n"
    ) == long.index("owner:: Ada\r\n")
    assert "moved" not in read and "y" * 9 not in read and "city: Porto" in read
    assert readable_text("y" * 9000).strip() == ""


def test_a_voice_that_repeats_itself_is_heard_the_first_and_the_last_time() -> (
    None
):
    first = Sighting(
        "a" * 64, "2026-11-01", "2026-11-01", False, None, "cli", None, "shared"
    )
    told = [
        first._replace(seen_at=f"2026-11-0{day}", source=who)
        for day, who in enumerate("ababa", 1)
    ]
    assert [(s.seen_at[-1], s.source) for s in tellings_to_read(told)] == [
        ("1", "a"),
        ("2", "b"),
        ("4", "b"),
        ("5", "a"),
    ]


def test_what_a_voice_takes_back_is_what_it_said_last(wiki: Wiki) -> None:
    wiki.ingest("Anna lives in Bern.", source="mail")
    wiki.ingest("Paul lives in Rome.", source="chat")
    wiki.consolidate()
    wiki.ingest("Scratch that.", source="mail")
    wiki.consolidate()
    back = [
        each
        for event in written(wiki)
        for each in event["claims"]
        if each.get("mood") == "retracted"
    ]
    assert [(each["subject"], each["object"]) for each in back] == [
        ("Anna", "Bern")
    ]


GOOD: dict[str, Any] = {
    "subject": "Anna",
    "predicate": "lives in",
    "object": "Bern",
    "span": [0, 9],
    "rule": "en/verb",
}


@pytest.mark.parametrize(
    "odd",
    [
        {"subject": 1},
        {"object": None},
        {"span": [0]},
        {"span": ["0", "1"]},
        {"key": "anna"},
        {"key": ["anna", 1]},
        {"valid": ["2026"]},
        {"valid": [1, 2]},
        {"mood": "sure"},
        {"precision": "week"},
        {"negated": "no"},
    ],
)
def test_a_claim_of_another_shape_is_refused(odd: dict[str, Any]) -> None:
    event = {
        "e": "claims",
        "capture": "a" * 64,
        "entry": "x",
        "reason": "r",
        "telling": {"seen_at": "2026-11-01T08:00:00.000000Z", "channel": "cli"},
    }
    good = ledger_file.make_run(
        "consolidate",
        "2026-11-01T08:00:00.000000Z",
        {},
        [{**event, "claims": [GOOD]}],
    )
    assert (
        len(list(ledger_file.decode(good.id, ledger_file.encode(good)).events))
        == 1
    )
    bad = ledger_file.make_run(
        "consolidate",
        "2026-11-01T08:00:00.000000Z",
        {},
        [{**event, "claims": [{**GOOD, **odd}]}],
    )
    with pytest.raises(ledger_file.BadLedger, match="wrong value in claims"):
        list(ledger_file.decode(bad.id, ledger_file.encode(bad)).events)


def test_the_same_telling_has_the_same_id_wherever_it_is_folded() -> None:
    telling = {"seen_at": "2026-11-01T08:00:00.000000Z", "channel": "cli"}
    event = {
        "capture": "a" * 64,
        "entry": "x",
        "telling": telling,
        "claims": [GOOD],
    }
    (one,), (two,) = (
        list(claim_lines.build_claim_rows("run-1", event)),
        list(claim_lines.build_claim_rows("run-2", {**event, "entry": "y"})),
    )
    assert one[0] == two[0]
    (other,) = claim_lines.build_claim_rows(
        "run-1", {**event, "telling": {**telling, "source": "mail"}}
    )
    assert other[0] != one[0]


def standing(wiki: Wiki) -> set[tuple[str, str]]:
    """Return (subject, value) of what stands now."""
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    names = [name for (name,) in db.execute("SELECT DISTINCT name FROM claims")]
    found = (doc for name in names if (doc := of(wiki, name)) is not None)
    return {
        (key["subject"], value)
        for doc in found
        for key in doc["keys"]
        for value in key["values"]
    }


def of(wiki: Wiki, name: str) -> dict[str, Any] | None:
    try:
        return facts.read_claims(
            wiki.ws, name, None, as_of=None, known_at=None, history=False
        )
    except facts.NotKnown:
        return None


def test_each_forget_that_takes_back_what_its_voice_said_before_it(
    wiki: Wiki,
) -> None:
    for name, taken in (
        ("Anna", True),
        ("Berta", False),
        ("Clara", True),
        ("Dora", True),
    ):
        wiki.ingest(f"{name} lives in Bern.")
        wiki.ingest(f"{name} works at Acme.", source="mail")
        if taken:
            wiki.ingest("Forget that.")
    wiki.ingest("Forget that.", source="radio")
    wiki.consolidate()

    back = [
        claim["subject"]
        for line in written(wiki)
        for claim in line["claims"]
        if claim.get("mood") == "retracted"
    ]
    assert sorted(back) == ["Anna", "Clara", "Dora"]
    assert {(who, what) for who, what in standing(wiki) if what == "Bern"} == {
        ("Berta", "Bern")
    }
    check_index(wiki)


def test_a_sentence_is_taken_back_whole_also_on_another_night(
    wiki: Wiki,
) -> None:
    wiki.ingest(
        "Paul lives in Rome.", "Diane works at Acme in Bern.", source="chat"
    )
    wiki.consolidate()
    wiki.ingest("Scratch that.", source="chat")
    wiki.consolidate()

    assert standing(wiki) == {("Paul", "Rome")}


@pytest.mark.parametrize("nights", [1, 2])
@pytest.mark.parametrize(
    ("request_", "left"),
    [
        (
            "Please forget the Tucson detail.",
            {("I", "B 12"), ("Köln", "nice"), ("Tom", "Tucson")},
        ),
        ("Forget Köln.", {("I", "B 12"), ("I", "Tucson"), ("Tom", "Tucson")}),
        (
            "Forget my locker.",
            {("I", "Tucson"), ("Köln", "nice"), ("Tom", "Tucson")},
        ),
        (
            "Don't forget my locker.",
            {
                ("I", "B 12"),
                ("I", "Tucson"),
                ("Köln", "nice"),
                ("Tom", "Tucson"),
            },
        ),
        (
            "Forget my garden.",
            {
                ("I", "B 12"),
                ("I", "Tucson"),
                ("Köln", "nice"),
                ("Tom", "Tucson"),
            },
        ),
    ],
)
def test_what_is_named_is_taken_back_and_nothing_else(
    wiki: Wiki, nights: int, request_: str, left: set[tuple[str, str]]
) -> None:
    wiki.ingest(
        "I live in Tucson.",
        "My locker is B 12.",
        "Köln is nice.",
        source="chat",
    )
    wiki.ingest("Tom lives in Tucson.", source="mail")
    if nights == 2:
        wiki.consolidate()
    wiki.ingest(request_, source="chat")
    wiki.consolidate()

    assert standing(wiki) == left
    check_index(wiki)


def test_a_long_list_of_numbered_facts_is_read_line_by_line(
    wiki: Wiki,
) -> None:
    facts = [f"{n}. The capital of Zed{n} is Foo{n}." for n in range(60)]
    facts.append("60. The capital of Zed7 is Bar.")
    told = "\n".join(facts)
    assert len(told) > 2 * READ
    wiki.init()
    wiki.ingest(told)
    wiki.consolidate()

    (line,) = [
        line for run in wiki.ledger() for line in run if line["e"] == "claims"
    ]
    assert len(line["claims"]) == 61
    answers = ask(
        wiki.ws, "What is the capital of Zed7?", as_of=None, budget=500
    )
    assert [one["value"] for one in answers["answers"]] == ["Bar"]
