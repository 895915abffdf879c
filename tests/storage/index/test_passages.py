"""What a search finds: passages by the stems of their words, and by what stands around them."""

from pathlib import Path
from typing import Any

import pytest

from companion.lookup.index import current_index
from companion.storage.index.ranking.query import read_query
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    pages = {
        "Gardens.md": "# Gardens\n\nThe gardeners were planting cherries.\n",
        "Zaun.md": "# Zaun\n\nDie Gärtner strichen die Zäune mit der Farbe.\n",
        "Chevaux.md": "# Chevaux\n\nLes chevaux mangent dans la prairie.\n",
        "Casas.md": "# Casas\n\nLas canciones de la casa son alegres.\n",
        "Code.md": "# Code\n\nCall `parse_all_rows` before v2Loader starts.\n",
    }
    return Wiki.new(tmp_path / "wiki", pages)


def paths(wiki: Wiki, query: str) -> list[str | None]:
    return [hit["path"] for hit in wiki.search(query)]


def test_any_form_of_a_word_finds_it_in_four_languages(wiki: Wiki) -> None:
    assert paths(wiki, "planted cherry") == ["Gardens.md"]
    assert paths(wiki, "gestrichene Zaun farben")[0] == "Zaun.md"
    assert paths(wiki, "manger") == ["Chevaux.md"]
    assert paths(wiki, "cancion alegre") == ["Casas.md"]
    assert paths(wiki, "parse_all_rows") == ["Code.md"]
    assert paths(wiki, "v2loader") == ["Code.md"]


def test_little_words_of_a_question_find_nothing(wiki: Wiki) -> None:
    assert paths(wiki, "where are the were before") != []
    assert paths(wiki, "what were the zeppelins") == []


def test_a_query_of_little_words_alone_keeps_them() -> None:
    assert read_query(None, "die").words == ["die"]
    assert read_query(None, "die").phrases == [("die",)]
    assert ("the",) not in read_query(None, "the heron").phrases


def test_words_of_a_query_that_look_like_a_language_of_queries_are_words(
    wiki: Wiki,
) -> None:
    for query in ('cherries" OR *', "NEAR(cherries, 2)", "body:cherries ^"):
        assert paths(wiki, query)[0] == "Gardens.md"


# -- what stands around ----------------------------------------------------------------------------

TALK = (
    ("Ines", "What is the name of the boat that you bought in Genoa?"),
    ("Paul", "Albatross, after my grandmother's."),
    ("Ines", "Lunch was good, and the weather is fine again today."),
)


def tell_talk(wiki: Wiki, talk: tuple[tuple[str, str], ...]) -> list[str]:
    ids = []
    for minute, (speaker, text) in enumerate(talk):
        when = f"2026-11-03T10:{minute:02d}:00.000000Z"
        told = wiki.ingest(text, source=speaker, event_time=when)
        ids.append(told[0]["id"])
    wiki.consolidate()
    return ids


def found(wiki: Wiki, query: str) -> list[dict[str, Any]]:
    return [hit for hit in wiki.search(query) if hit["statement"]]


def test_the_answer_comes_with_the_question_that_it_answers(
    wiki: Wiki,
) -> None:
    ids = tell_talk(wiki, TALK)

    hits = found(wiki, "name of the boat bought in Genoa")

    assert [hit["statement"] for hit in hits] == [id[:12] for id in ids]
    _, answer, two_turns_on = hits
    assert set(answer["parts"]) == {"beside", "answer", "together"}
    assert set(two_turns_on["parts"]) == {"further"}
    assert two_turns_on["score"] < answer["score"] / 2


def test_a_question_of_two_words_is_answered_by_what_was_told_next(
    wiki: Wiki,
) -> None:
    asked, answer, _ = tell_talk(
        wiki,
        (
            ("Ines", "That's so nice! Which pets do you have?"),
            ("Paul", "A pup and a kitty, they brighten up our day."),
            ("Ines", "Lunch was good, and the weather is fine again today."),
        ),
    )

    hits = found(wiki, "Which pets does Paul have?")

    assert [hit["statement"] for hit in hits[:2]] == [asked[:12], answer[:12]]
    assert [hit["statement"] for hit in found(wiki, "pets Paul")] == [
        asked[:12]
    ]


def test_rare_words_count_together_with_those_of_the_turns_beside(
    wiki: Wiki,
) -> None:
    talk = (
        ("Ines", "How was the roadtrip to the canyon?"),
        ("Paul", "We saw a condor, and hiked for hours."),
        ("Ines", "Lunch was good, and the weather is fine again today."),
        ("Paul", "The condor of the museum is stuffed, and its label faded."),
    )
    _, near, _, far = tell_talk(wiki, talk)

    hits = found(wiki, "condor on the roadtrip through the canyon")

    parts = {hit["statement"]: hit["parts"] for hit in hits}
    assert parts[near[:12]]["together"] > 2 * parts[far[:12]]["together"]


def test_a_word_alone_wants_this_word(wiki: Wiki) -> None:
    asked, _, _ = tell_talk(wiki, TALK)

    assert [hit["statement"] for hit in found(wiki, "Genoa")] == [asked[:12]]


def test_notes_of_one_person_do_not_answer_each_other(wiki: Wiki) -> None:
    alone = tuple(("Ines", text) for _, text in TALK)
    asked, _, _ = tell_talk(wiki, alone)

    hits = found(wiki, "name of the boat bought in Genoa")

    assert [hit["statement"] for hit in hits] == [asked[:12]]


def test_what_the_named_person_says_comes_first(wiki: Wiki) -> None:
    _, paul = tell_talk(
        wiki,
        (
            ("Ines", "I painted the kitchen yellow last summer, you know."),
            ("Paul", "I painted the kitchen green last summer, you know."),
        ),
    )

    hit = found(wiki, "which colour did Paul paint the kitchen last summer")[0]

    assert hit["statement"] == paul[:12]
    assert "speaker" in hit["parts"]


def test_a_score_is_the_sum_of_its_parts(wiki: Wiki) -> None:
    tell_talk(wiki, TALK)

    for query in ("name of the boat bought in Genoa", "Gardens", "cherry"):
        for hit in wiki.search(query):
            total = sum(hit["parts"].values())
            assert total == pytest.approx(hit["score"], abs=0.001)


def test_an_index_of_other_stems_is_built_again(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_talk(wiki, TALK)
    monkeypatch.setattr("companion.language.words.snowball.VERSION", "another")
    wiki.write("new.md", "albatross\n")
    wiki.commit()
    assert len(paths(wiki, "albatross")) == 2
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None
    query = "SELECT value FROM meta WHERE key = 'stems'"
    assert db.execute(query).fetchone() == ("another",)


def test_what_an_assistant_says_again_stands_below_who_told_it(
    wiki: Wiki,
) -> None:
    told, echo = tell_talk(
        wiki,
        (
            ("Ines", "My old bicycle squeaks, so I oiled the chain."),
            ("assistant", "Your old bicycle squeaks: oiled chain, so good."),
        ),
    )

    first = found(wiki, "old bicycle squeaks chain oiled")
    asked = found(wiki, "you said: old bicycle squeaks chain oiled")

    assert [hit["statement"] for hit in first] == [told[:12], echo[:12]]
    assert first[1]["parts"]["echo"] < 0
    assert all("echo" not in hit["parts"] for hit in asked)


def test_a_page_is_not_listed_beside_its_note_that_fits_better(
    wiki: Wiki,
) -> None:
    tell_talk(wiki, TALK)

    hits = wiki.search("boat Genoa weather")

    days = [hit for hit in hits if hit["path"].startswith("journal/")]
    assert days and all(hit["statement"] for hit in days)
