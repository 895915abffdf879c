"""Conversations and memories: who said what, when, and on which page it stands."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import read_claims
from companion.answers.known import NotKnown
from companion.storage.journal.journal import Journal
from companion.values.captures import MODEL, SOURCE, TURN, Sighting
from companion.values.trust import weigh_trust
from tests.operations.contextualize.sources import (
    drop,
    events,
    page_of,
    read_sources,
)
from tests.wiki import Wiki

ID = "11111111-aaaa-bbbb-cccc-000000000001"
BEGUN = 1_762_000_000
TURNS = (
    ("user", "I moved to Kiel in October. My rent is 900 euros."),
    ("assistant", "I live in the cloud. My favourite city is Hamburg."),
    ("user", "My landlord is Mrs. Petersen."),
)


def export(*turns: tuple[str, str], id: str = ID) -> str:
    """A conversation as ChatGPT exports it."""
    mapping: dict[str, Any] = {
        "root": {"id": "root", "message": None, "parent": None}
    }
    for number, (role, text) in enumerate(turns):
        name = f"m{number}"
        parent = f"m{number - 1}" if number else "root"
        mapping.setdefault(parent, {})["children"] = [name]
        message = {
            "id": name,
            "author": {"role": role, "metadata": {}},
            "create_time": BEGUN + 60 * number,
            "content": {"content_type": "text", "parts": [text]},
            "metadata": {"model_slug": "gpt-4o"},
            "weight": 1.0,
            "recipient": "all",
        }
        mapping[name] = {
            "id": name,
            "message": message,
            "parent": parent,
            "children": [],
        }
    return json.dumps(
        {
            "title": "Moving to Kiel",
            "create_time": BEGUN,
            "update_time": BEGUN + 60 * len(turns),
            "mapping": mapping,
            "current_node": f"m{len(turns) - 1}",
            "conversation_id": id,
            "id": id,
        }
    )


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def drop_chat(wiki: Wiki, *turns: tuple[str, str], **about: Any) -> Any:
    id = about.pop("id", ID)
    text = export(*(turns or TURNS), id=id)
    name = about.pop("name", "conversations.json/1")
    return drop(wiki, name, text, media_type="application/json", **about)


def list_tellings(wiki: Wiki, run: str) -> list[Sighting]:
    (line,) = events(wiki, run)
    journal = Journal.open(wiki.ws.place.journal_db)
    return [journal.sightings(capture)[0] for capture in line["handed"]]


def claims_on(wiki: Wiki, subject: str) -> str:
    document = read_claims(
        wiki.ws, subject, None, as_of=None, known_at=None, history=False
    )
    return json.dumps(document, ensure_ascii=False)


def test_a_conversation_is_one_page_with_speakers_and_times(wiki):
    drop_chat(wiki)
    (source,) = read_sources(wiki)["sources"]
    made = wiki.consolidate()

    assert made["counts"]["created"] == 1
    text = page_of(wiki, source["entry"])
    assert "type: chat" in text
    assert "title: Moving to Kiel" in text
    assert f"https://chatgpt.com/c/{ID}" in text
    lines = [line for line in text.splitlines() if line.startswith("**")]
    assert [line.split(" ")[0] for line in lines] == [
        "**You",
        "**gpt-4o",
        "**You",
    ]
    assert lines[0].endswith(TURNS[0][1])
    assert lines[0][6:11] == "12:26"


def test_each_turn_is_its_speakers_telling_at_its_time(wiki):
    drop_chat(wiki)
    done = read_sources(wiki)
    _, first, second, _ = list_tellings(wiki, done["run"])

    assert (first.agent, first.source, first.channel) == (None, None, TURN)
    assert first.event_time == "2025-11-01T12:26:40.000000Z"
    assert (second.agent, second.channel) == ("gpt-4o", MODEL)
    assert second.event_time == "2025-11-01T12:27:40.000000Z"


def test_what_an_assistant_says_of_itself_is_not_said_of_the_owner(wiki):
    drop_chat(wiki)
    read_sources(wiki)
    wiki.consolidate()

    said = claims_on(wiki, "me")
    assert "Kiel" in said
    assert "900 euros" in said
    assert "cloud" not in said
    assert "Hamburg" not in said
    assert "Hamburg" in claims_on(wiki, "gpt-4o")


def test_a_model_weighs_less_than_a_person_unless_settings_say_more():
    assert weigh_trust(None, "gpt-4o", (), model=True) == 0.5
    assert weigh_trust(None, "Anna", ()) == 1.0
    assert weigh_trust(None, "gpt-4o", (("gpt-*", 0.9),), model=True) == 0.9


def test_a_grown_conversation_grows_its_page(wiki):
    drop_chat(wiki, *TURNS[:2])
    read_sources(wiki)
    wiki.consolidate()
    wiki.tick(days=3)
    drop_chat(wiki)
    (source,) = read_sources(wiki)["sources"]
    made = wiki.consolidate()

    assert made["counts"]["created"] == 0
    text = page_of(wiki, source["entry"])
    for _, words in TURNS:
        assert text.count(words) == 1


def test_the_same_words_stand_in_both_conversations(wiki):
    again = "11111111-aaaa-bbbb-cccc-000000000002"
    drop_chat(wiki)
    drop_chat(wiki, *TURNS[:2], id=again, name="conversations.json/2")
    done = read_sources(wiki)
    wiki.consolidate()

    assert len({one["entry"] for one in done["sources"]}) == 2
    for source in done["sources"]:
        assert TURNS[0][1] in page_of(wiki, source["entry"])


def test_what_a_person_told_too_stays_the_persons_note(wiki):
    wiki.ingest(TURNS[0][1])
    drop_chat(wiki)
    (source,) = read_sources(wiki)["sources"]
    made = wiki.consolidate()

    entries = {one["entry"] for one in made["integrated"]}
    assert len(entries) == 2
    assert TURNS[0][1] in page_of(wiki, source["entry"])


def test_the_author_of_a_document_is_not_the_owner(wiki):
    drop(
        wiki,
        "post.md",
        "# My flat\n\nI live in Lisbon. My rent is 700 euros.\n",
    )
    read_sources(wiki)
    wiki.consolidate()
    with pytest.raises(NotKnown):
        claims_on(wiki, "me")


def test_the_words_of_a_document_are_those_of_its_source(wiki):
    drop(
        wiki,
        "kiel.md",
        "# Kiel in figures\n\nThe mayor of Kiel is Ulf Kämpfer.\n",
    )
    done = read_sources(wiki)
    (telling,) = list_tellings(wiki, done["run"])
    assert (telling.source, telling.agent, telling.channel) == (
        "kiel.md",
        None,
        SOURCE,
    )
    wiki.consolidate()
    assert "Ulf Kämpfer" in claims_on(wiki, "Kiel")
