"""Questions for yes or no, answered from what they would state."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.answers.ask import ask
from companion.answers.polar import asks_only_yes_or_no, list_statements
from tests.wiki import Wiki

TOLD = """
The pump is a loan of the school.
Vera is allergic to peanuts.
Vera is not allergic to sesame.
Vera lives in Tromsø.
Mein Bruder wohnt in Kassel.
Lena wohnt in Celle.
Der Drucker ist ein Leihgerät.
We have no ladder.
Mats mag keine Gurken.
Mats mag Tomaten.
""".strip().splitlines()

ASKED = {
    "Is the pump a loan of the school?": "yes",
    "Is Vera allergic to peanuts?": "yes",
    "Is Vera allergic to sesame?": "no",
    "Does Vera live in Tromsø?": "yes",
    "Does Vera live in Bergen?": "no",
    "Was Vera allergic to peanuts?": "yes",
    "Wohnt mein Bruder in Kassel?": "ja",
    "Wohnt Lena in Bremen?": "nein",
    "Ist der Drucker ein Leihgerät?": "ja",
    # as people say it: "no" is of what is not so, however it is asked
    "Don't we have a ladder?": "no",
    "Do we have no ladder?": "no",
    "Is Vera not allergic to sesame?": "no",
    "Isn't Vera allergic to peanuts?": "yes",
    "Mag Mats keine Gurken?": "nein",
    "Mag Mats keine Tomaten?": "doch",
}
NOT_SAID = (
    "Is Vera allergic to soy?",
    "Is the pump broken?",
    "Wohnt Paul in Kassel?",
)


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    root: Path = tmp_path_factory.mktemp("polar")
    wiki = Wiki.new(root / "wiki")
    wiki.ingest(*TOLD)
    wiki.consolidate()
    yield wiki


@pytest.mark.parametrize(("question", "value"), ASKED.items())
def test_what_somebody_told_is_yes_or_no(
    wiki: Wiki, question: str, value: str
) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == [value]
    assert doc["answers"][0]["path"][0]["sources"]


@pytest.mark.parametrize("question", NOT_SAID)
def test_what_nobody_told_is_neither(wiki: Wiki, question: str) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert not doc["known"]


OPEN = """
The stove needs a new door seal #house.
Leo takes the bus when it is cold.
Mein Bruder fährt mit dem Rad, außer wenn es regnet.
The sourdough starter lives in the fridge.
Carla's number is 0171 55.
""".strip().splitlines()

UNDECIDED = (
    "Is the stove new?",
    "Has the stove a door?",
    "Does the starter live in the fridge?",
    "Does Leo take the bus?",
    "Can Leo swim?",
    "Fährt mein Bruder mit dem Rad?",
    "Braucht der Herd eine Tür?",
)
DECIDED = {
    "Does the stove need a new door seal?": "yes",
    "Do you know Carla's number?": "0171 55",
    "Can you tell me what Carla's number is?": "0171 55",
}


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    root: Path = tmp_path_factory.mktemp("undecided")
    wiki = Wiki.new(root / "wiki")
    wiki.ingest(*OPEN)
    wiki.consolidate()
    yield wiki


@pytest.mark.parametrize("question", UNDECIDED)
def test_what_no_claim_decides_is_left_to_the_notes(
    undecided: Wiki, question: str
) -> None:
    doc = ask(undecided.ws, question, as_of=None, budget=500)
    assert not doc["known"]
    assert doc["answers"] == []


@pytest.mark.parametrize(("question", "value"), DECIDED.items())
def test_a_question_for_a_thing_gets_the_thing(
    undecided: Wiki, question: str, value: str
) -> None:
    doc = ask(undecided.ws, question, as_of=None, budget=500)
    assert doc["answers"][0]["value"] == value


def test_the_present_one_leads_and_the_earlier_one_did(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Carla leads the Atlas project.", "The build runs on Jenkins.")
    wiki.consolidate()
    wiki.tick(days=20)
    wiki.ingest(
        "Since March Deniz leads the Atlas project.",
        "Since May the build runs on Forgejo.",
    )
    wiki.consolidate()

    def answer(question: str) -> list[str]:
        doc = ask(wiki.ws, question, as_of=None, budget=500)
        return [one["value"] for one in doc["answers"]]

    assert answer("Who leads the Atlas project?") == ["Deniz"]
    assert answer("Does Carla lead the Atlas project?") == ["no"]
    assert answer("Did Carla lead the Atlas project?") == ["yes"]
    assert answer("What does the build run on?") == ["Forgejo"]
    assert answer("Does the build run on Jenkins?") == ["no"]


def test_a_question_for_the_past_asks_whether_it_ever_was_so(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Ida works for Norsk Hydro.")
    wiki.consolidate()
    wiki.tick(days=40)
    wiki.ingest("Since this week Ida works for Equinor.")
    wiki.consolidate()

    def answer(question: str, as_of: str | None = None) -> list[str]:
        doc = ask(wiki.ws, question, as_of=as_of, budget=500)
        return [one["value"] for one in doc["answers"]]

    assert answer("Does Ida work for Norsk Hydro?") == ["no"]
    assert answer("Did Ida work for Norsk Hydro?") == ["yes"]
    assert answer("Was Ida's employer Norsk Hydro?") != ["no"]
    assert answer("Does Ida work for Equinor?") == ["yes"]


@pytest.mark.parametrize(
    "question",
    [
        "Where does Vera live?",
        "Is it tea or coffee?",
        "Is it?",
        "In which town does Vera live?",
        "Wo wohnt er?",
        "Was trinkt er zum Essen?",
        "Trinkt er Tee oder Kaffee?",
        "Tell me about the pump.",
    ],
)
def test_other_questions_state_nothing(question: str) -> None:
    assert list(list_statements(question)) == []


@pytest.mark.parametrize(
    "question",
    ["Wie alt ist Vera?", "Womit fährt Vera?", "Warum ist Vera allergisch?"],
)
def test_what_asks_for_more_states_nothing(question: str) -> None:
    assert list(list_statements(question)) == []


def test_a_comparison_asks_for_yes_or_no() -> None:
    assert asks_only_yes_or_no("Ist Lena so groß wie Vera?")
