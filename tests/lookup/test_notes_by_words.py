"""Notes by the words of a question: forms of one word meet, neighbours lend weight, and an excerpt
shows the sentences that fit.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.answers.ask import ask
from companion.language.words import snowball
from companion.lookup.notes_by_words import cut_excerpt, weigh_stems
from companion.operations.triage.capture import ingest
from companion.storage.index.terms import split_words
from companion.values.captures import Draft
from tests.wiki import Wiki

FILLER = "The weather was mild and the street was quiet. " * 12


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def passages(wiki: Wiki, question: str) -> list[dict[str, Any]]:
    return [dict(one) for one in ask_wiki(wiki, question)["passages"]]


def ask_wiki(wiki: Wiki, question: str) -> dict[str, Any]:
    return dict(ask(wiki.ws, question, as_of=None, budget=500))


def tell(wiki: Wiki, text: str, source: str) -> None:
    ingest(wiki.ws, [Draft(text, source=source)])


def weights(text: str, question: str) -> dict[str, float]:
    lines = [snowball.stem_words(split_words(text), "en")]
    asked = snowball.stem_words(split_words(question), "en")
    return weigh_stems(lines, asked)


@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("We went camping near the lake.", "Where did we camp?"),
        ("The gaskets were replaced by a plumber.", "Who replaces a gasket?"),
        ("Die Kautionen liegen im Tresor.", "Wo liegt die Kaution denn jetzt?"),
    ],
)
def test_forms_of_one_word_meet(wiki: Wiki, note: str, question: str) -> None:
    wiki.ingest(note, "A kestrel stood over the field.")
    wiki.consolidate()
    document = ask_wiki(wiki, question)
    shown = [one["text"] for one in document["passages"]]
    assert document["known"] or note in shown


def test_a_passage_of_a_long_note_has_the_sentence_that_fits(
    wiki: Wiki,
) -> None:
    wiki.ingest(f"# Boiler\n\n{FILLER}The flue gasket leaks. {FILLER}")
    wiki.consolidate()
    (first, *_) = passages(wiki, "Why would the flue gasket be a problem?")
    assert "The flue gasket leaks." in first["text"]
    assert len(first["text"]) < 250


def test_every_passage_has_its_time(wiki: Wiki) -> None:
    wiki.ingest("# Boiler\n\nThe flue gasket leaks.")
    wiki.consolidate()
    assert all(one["when"] for one in passages(wiki, "Which gasket is it?"))


def test_notes_of_others_are_told_apart(wiki: Wiki) -> None:
    wiki.ingest(
        "Bettina loves hiking in the hills.",
        "Ottmar finds hiking in the hills dull.",
    )
    wiki.consolidate()
    shown = passages(wiki, "Why would Bettina go hiking in winter?")
    about = {one["text"].split()[0]: one["of_subject"] for one in shown}
    assert about["Bettina"]
    assert not about.get("Ottmar", False)


def test_who_told_a_note_is_a_word_of_it(wiki: Wiki) -> None:
    tell(wiki, "Hey Gina, your tattoo is lovely!", "Jon")
    tell(wiki, "I got the tattoo years ago, it stands for freedom.", "Gina")
    tell(wiki, "Gina, thanks for being there for me.", "Jon")
    wiki.consolidate()
    shown = passages(wiki, "When did Gina get her tattoo?")
    (own,) = (one for one in shown if "years ago" in one["text"])
    assert own["of_subject"]


def test_agreement_on_one_note_does_not_hide_the_one_that_answers(
    wiki: Wiki,
) -> None:
    wiki.ingest(
        "Gina lives in Ulm.",
        "Hey Gina, how is the shop?",
        "A short trip to Rome cleared my mind.",
        "The shop needs new shelves.",
    )
    wiki.consolidate()
    shown = passages(wiki, "When was Gina in Rome?")
    assert any("Rome" in one["text"] for one in shown)


def test_an_excerpt_keeps_numbers_whole_and_says_that_there_is_more() -> None:
    text = f"{FILLER}\nIt was recharged to 1.2 bar.\n{FILLER}"
    excerpt = cut_excerpt(text, weights(text, "recharged"), "en", 60)
    assert "recharged to 1.2 bar." in excerpt
    assert excerpt.startswith("…") and excerpt.endswith("…")


@pytest.mark.parametrize("text", ["", "\n\n", "?!", "x" * 100_000])
def test_an_excerpt_of_odd_text_is_short(text: str) -> None:
    assert len(cut_excerpt(text, {}, "en", 60)) <= 61
