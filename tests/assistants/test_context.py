"""A pack for an assistant: within its budget by a real tokenizer, with ids and both sides."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.__main__ import main
from companion.assistants.context import collect_context
from companion.assistants.results import ContextResult
from companion.language import tokens
from tests.wiki import Wiki

WHEN = "2026-10-01T00:00:00.000000Z"
NOTES = (
    "Anna lives in Oslo.",
    "Anna lives in Kiel.",
    "Anna plays the cello in an orchestra of forty.",
    "The garden gate needs oil before the frost, says Anna.",
)


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    wiki = Wiki.new(tmp_path_factory.mktemp("context") / "wiki")
    for number, note in enumerate(NOTES):
        wiki.ingest(note, source=f"Teller {number}", event_time=WHEN)
    wiki.consolidate()
    return wiki


def pack(wiki: Wiki, topic: str, budget: int) -> ContextResult:
    return collect_context(
        wiki.ws, topic, as_of=None, known_at=None, budget=budget
    )


def count(document: ContextResult) -> int:
    listed = [*document["facts"], *document["passages"], *document["not_known"]]
    written = (
        json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        for one in listed
    )
    return tokens.count_tokens(",".join(written))


@pytest.mark.parametrize("budget", [1, 30, 60, 120, 250, 600])
def test_a_pack_never_exceeds_its_budget(wiki: Wiki, budget: int) -> None:
    document = pack(wiki, "Anna garden", budget)

    assert count(document) <= document["tokens"] <= budget
    assert document["counted_by"] == "tokenizer"


def test_a_dispute_shows_who_told_each_side(wiki: Wiki) -> None:
    facts = pack(wiki, "Anna", 2000)["facts"]
    lives = next(fact for fact in facts if "live" in fact["matter"])

    assert lives["disputed"]
    assert {side["value"] for side in lives["sides"]} == {"Oslo", "Kiel"}
    assert {side["by"] for side in lives["sides"]} == {"Teller 0", "Teller 1"}
    known = set(lives["notes"])
    assert {side["note"] for side in lives["sides"]} == known


def test_a_pack_says_what_is_not_known_and_is_the_same_again(
    wiki: Wiki,
) -> None:
    topic = "the garden gate and the zeppelin"
    first = pack(wiki, topic, 600)

    assert first["not_known"] == ["zeppelin"]
    assert first == pack(wiki, topic, 600)


@given(st.text(max_size=200))
def test_tokens_of_any_text_are_counted(text: str) -> None:
    assert (
        0
        <= tokens.count_tokens(text)
        <= len(text.encode("utf-8", "replace")) + 1
    )


def test_without_the_tokenizer_bytes_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tokens, "_open_tokenizer", lambda: None)

    assert tokens.count_tokens("Grüße 🐦") == len("Grüße 🐦".encode())
    assert not tokens.is_exact()


@pytest.mark.parametrize(
    ("topic", "budget", "said"),
    [
        ("garden gate", "3", "Nothing of it fits into 3 tokens"),
        ("quasar", "600", "Nothing is known of it yet"),
    ],
)
def test_an_empty_pack_says_whether_anything_is_known(
    wiki: Wiki,
    capsys: pytest.CaptureFixture[str],
    topic: str,
    budget: str,
    said: str,
) -> None:
    line = ["context", topic, "--budget", budget, "--wiki", str(wiki.root)]

    assert main(line) == 1
    assert said in capsys.readouterr().err
