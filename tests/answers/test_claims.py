"""What was told, what stands and what was believed when, as `claims` and `ask` read it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.answers.claims import answer_question, read_claims
from companion.answers.known import NotKnown
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str, **about: Any) -> str:
    wiki.ingest(*texts, **about)
    return str(wiki.consolidate()["run"])


def read(
    wiki: Wiki, subject: str, predicate: str | None = None, **more: Any
) -> list[dict[str, Any]]:
    options: dict[str, Any] = {
        "as_of": None,
        "known_at": None,
        "history": False,
        **more,
    }
    return list(read_claims(wiki.ws, subject, predicate, **options)["keys"])


def values(
    wiki: Wiki, subject: str, predicate: str | None = None, **more: Any
) -> list[str]:
    return [
        value
        for key in read(wiki, subject, predicate, **more)
        for value in key["values"]
    ]


def answers(wiki: Wiki, question: str, **more: Any) -> list[str]:
    doc = answer_question(
        wiki.ws, question, **{"as_of": None, "budget": 500, **more}
    )
    return [each["value"] for each in doc["answers"]]


def test_the_later_value_stands_and_the_earlier_is_there_in_the_history(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    before = wiki.now.isoformat()
    tell(wiki, "Anna lives in Rome.", source="mail")
    assert values(wiki, "Anna", "lives in") == ["Rome"]
    assert values(wiki, "anna", known_at=before) == ["Bern"]
    assert values(wiki, "ANNA", as_of=before) == ["Bern"]
    (key,) = read(wiki, "Anna", history=True)
    assert [(c["object"], c["status"]) for c in key["claims"]] == [
        ("Bern", "superseded"),
        ("Rome", "active"),
    ]
    assert [spell["values"] for spell in key["history"]] == [["Bern"], ["Rome"]]


def test_lines_of_one_note_have_an_order_and_a_late_older_claim_does_not_win(
    wiki: Wiki,
) -> None:
    tell(wiki, "The director of Acme is Eve.\nThe director of Acme is Adam.\n")
    assert values(wiki, "Acme") == ["Adam"]
    tell(
        wiki,
        "The director of Acme is Cain.",
        event_time="2020-01-01T00:00:00.000000Z",
    )
    assert values(wiki, "Acme") == ["Adam"]


def test_a_tie_between_voices_is_disputed_and_both_are_served(
    wiki: Wiki,
) -> None:
    when = "2026-10-01T00:00:00.000000Z"
    tell(wiki, "Anna lives in Bern.", source="mail", event_time=when)
    tell(wiki, "Anna lives in Rome.", source="chat", event_time=when)
    (key,) = read(wiki, "Anna")
    assert (key["values"], key["disputed"]) == (["Bern", "Rome"], True)
    assert {claim["source"] for claim in key["claims"]} == {"mail", "chat"}
    assert sorted(answers(wiki, "Where does Anna live?")) == ["Bern", "Rome"]
    both = answer_question(
        wiki.ws, "Where does Anna live?", as_of=None, budget=1
    )
    assert (len(both["answers"]), both["left_out"], both["over_budget"]) == (
        2,
        0,
        True,
    )


def test_a_read_says_of_how_many_values_a_matter_is_and_how_sure_one_voice_is(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Bern.", "Anna likes tea.")
    said = {key["key"][1]: key["claims"][0] for key in read(wiki, "Anna")}
    assert {name: claim["functional"] for name, claim in said.items()} == {
        "live in": True,
        "like": False,
    }
    assert {claim["confidence"] for claim in said.values()} == {0.8}


def test_one_value_in_two_spellings_is_one_value(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Tea at noon. Anna lives in BERN.", source="chat")
    (key,) = read(wiki, "Anna", history=True)
    assert len(key["values"]) == 1 and [
        spell["values"] for spell in key["history"]
    ] == [key["values"]]
    assert [claim["object"] for claim in key["claims"]] == ["Bern", "BERN"]


def test_a_page_is_a_subject_and_so_is_another_name_of_it(wiki: Wiki) -> None:
    tell(
        wiki,
        "# Casa Blanca\n\nprice:: 300\n",
        "Acme Holding, also known as Acme, is great.",
    )
    tell(wiki, "The director of Acme is Eve.")
    assert values(wiki, "casa blanca", "price") == ["300"]
    assert "Eve" in values(wiki, "Acme Holding", "director")


def test_what_nobody_told_is_not_known(wiki: Wiki) -> None:
    with pytest.raises(NotKnown):
        values(wiki, "Anna")
    assert answers(wiki, "Where does Anna live?") == []
    tell(
        wiki,
        "Anna lives in Bern.",
        "Paul lives in Rome.",
        scope="private",
        agent="bot",
    )
    tell(wiki, "Eve lives in Oslo.")
    with pytest.raises(NotKnown) as caught:
        values(wiki, "Anna")
    assert caught.value.exit_code == 1
    with pytest.raises(NotKnown):
        values(wiki, "Eve", "salary")
    assert answers(wiki, "Where does Paul live?") == []


def test_an_undone_run_tells_nothing_but_what_was_known_before_it_stays_known(
    wiki: Wiki,
) -> None:
    run = tell(wiki, "Anna lives in Bern.")
    before = wiki.now.isoformat()
    wiki.tick()
    undo.undo(wiki.ws, run)
    with pytest.raises(NotKnown):
        values(wiki, "Anna")
    assert values(wiki, "Anna", known_at=before) == ["Bern"]


def test_one_question_over_several_notes(wiki: Wiki) -> None:
    tell(
        wiki,
        "My sister is Anna.",
        "Anna works at Acme.",
        "The director of Acme is Eve.",
    )
    assert answers(
        wiki, "Who is the director of the company my sister works for?"
    ) == ["Eve"]


def test_reading_claims_loads_no_judge(wiki: Wiki) -> None:
    code = (
        "import sys; import companion.answers.claims; "
        "print([m for m in ('numpy', 'pygit2', 'typer', 'companion.language.claims.extract',"
        " 'companion.language.vectors.static_vectors') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
