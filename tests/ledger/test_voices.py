""" "I" is whoever speaks: a source, an assistant, or the speaker of a turn (spec TRI-8)."""

from pathlib import Path

import pytest

from companion.answers.asked import read_asked
from companion.answers.claims import find_answers
from companion.answers.known import open_index
from companion.storage.index import schema as index
from companion.workspace import Workspace
from tests.wiki import Wiki

CHAT = """\
Maria: I live in Lisbon. My sister is called Rosa.
Tom: I live in Oslo, and I work as a nurse.
Ines: We live in Bergen.
Maria: Nice!
"""


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def answers(ws: Workspace, question: str) -> list[str]:
    journal = ws.journal()
    db = open_index(ws, journal)
    asked = read_asked(db, question)
    found = find_answers(ws, db, journal, asked, as_of=None)
    return [answer["value"] for answer in found]


def told(wiki: Wiki) -> set[tuple[str, str]]:
    """Return the subject and the value of every claim."""
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return set(db.execute("SELECT subject_key, value FROM claims"))


def test_each_one_lives_where_they_said(wiki: Wiki) -> None:
    wiki.ingest("I live in Porto.", source="Ana")
    wiki.ingest("I live in Leeds. My dog is called Rufus.", source="Ben")
    wiki.ingest("I live in Graz.")
    wiki.ingest("I live in the terminal.", agent="coder")
    wiki.ingest("I live in Bonn.", agent="coder", source="Carla")
    wiki.ingest("I live in Rome.", source="mail")
    wiki.ingest(CHAT)
    wiki.consolidate()

    lived = {
        "Where does Ana live?": ["Porto"],
        "Where does Ben live?": ["Leeds"],
        "What is Ben's dog called?": ["Rufus"],
        "Where do I live?": ["Graz"],
        "Where does coder live?": ["terminal"],
        "Where does Carla live?": ["Bonn"],
        "Where does Maria live?": ["Lisbon"],
        "Who is Maria's sister?": ["Rosa"],
        "Where does Tom live?": ["Oslo"],
        "Where does Ines live?": ["Bergen"],
        "Where does Rosa live?": [],
    }
    assert {one: answers(wiki.ws, one) for one in lived} == lived
    assert "rome" not in {value for _, value in told(wiki)}


def test_an_assistant_asks_for_its_own_too(wiki: Wiki) -> None:
    wiki.ingest("I prefer tabs.", agent="coder")
    wiki.ingest("I live in Graz.")
    wiki.consolidate()
    assert answers(wiki.as_("coder"), "What do I prefer?") == ["tabs"]
    assert answers(wiki.as_("coder"), "Where do I live?") == ["Graz"]
    assert answers(wiki.ws, "What do I prefer?") == []


def test_what_two_say_of_themselves_is_no_contradiction(wiki: Wiki) -> None:
    wiki.ingest("I drink coffee every morning.", source="Ana")
    wiki.consolidate()
    wiki.tick(days=1)
    wiki.ingest("I never drink coffee in the morning.", source="Ben")
    (ben,) = wiki.consolidate()["integrated"]
    wiki.tick(days=1)
    wiki.ingest("I never drink coffee in the mornings.", source="Ana")
    (ana,) = wiki.consolidate()["integrated"]

    assert not ben["relations"] and not ben["quarantined"]
    assert {one["kind"] for one in ana["relations"]} == {"contradicts"}


def test_two_in_one_night_and_two_in_one_chat_contradict_nobody(
    wiki: Wiki,
) -> None:
    wiki.ingest("I drink coffee every morning.", source="Ana")
    wiki.ingest("I never drink coffee in the morning.", source="Ben")
    wiki.ingest("Eva: I never drink coffee.\nUdo: I drink coffee every day.")
    for one in wiki.consolidate()["integrated"]:
        assert not one["relations"]


def test_a_letter_says_our_of_the_household_that_has_told_of_it(
    wiki: Wiki,
) -> None:
    wiki.ingest("Unser Kinderarzt ist Dr. Wessel.")
    wiki.consolidate()
    wiki.tick(days=100)
    wiki.ingest(
        "Seit November ist Dr. Farahani unser Kinderarzt.", source="Praxisbrief"
    )
    wiki.ingest("Our dentist is Dr. Okoro.", source="newsletter")
    wiki.ingest("Our paediatrician is Dr. Brandt.", source="Ana")
    wiki.consolidate()

    assert answers(wiki.ws, "Wer ist unser Kinderarzt?") == ["Dr. Farahani"]
    assert "dr. okoro" not in {value for _, value in told(wiki)}
    assert ("ana", "dr. brandt") in told(wiki)
