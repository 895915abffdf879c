"""Plain questions about everyday notes: surely understood, or not answered."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.answers.claims import answer_question
from tests.wiki import Wiki

TOLD = """
Dentist is Dr. Vasquez on Mill Road.
Grandma's birthday is on 14 November.
Piano lesson moved from Tuesday to Wednesday.
I wear contact lenses.
Choir is at 7:15.
Choir is on Thursdays.
Lottes Katze heißt Minka und ist drei Jahre alt.
The name of the current head of state in Arlonia is Ines Quist.
The name of the current head of the Arlonia government is Paul Moor.
Tilda Oduya is a citizen of Arlonia.
The chief executive officer of Belmor Inc is Tilda Oduya.
Ines Quist is famous for Harbour: Second Tide.
Rosa Korda is married to Joris Thorne.
Leandro Dahl is married to Rosa Korda.
""".strip().splitlines()

ASKED = {
    "When is grandma's birthday?": ["14 November"],
    "When is piano lesson?": ["Wednesday"],
    "Wie heißt Lottes Katze?": ["Minka"],
    "Who is the head of state of Arlonia?": ["Ines Quist"],
    "What is the head of state of Arlonia?": ["Ines Quist"],
    "Who is the current head of state in the country the CEO of Belmor Inc belongs to?": [
        "Ines Quist"
    ],
    "What is the head of state of the country of citizenship of Tilda Oduya famous for?": [
        "Harbour: Second Tide"
    ],
    "Who is Rosa Korda married to?": ["Joris Thorne"],
    "Who is Joris Thorne married to?": ["Rosa Korda"],
    "When is choir?": ["Thursdays"],
    "Where is the dentist?": [],
    "What are my contact lenses?": [],
}


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    root: Path = tmp_path_factory.mktemp("plain")
    wiki = Wiki.new(root / "wiki")
    wiki.ingest(*TOLD)
    wiki.consolidate()
    yield wiki


@pytest.mark.parametrize(("question", "values"), ASKED.items())
def test_a_plain_question(wiki: Wiki, question: str, values: list[str]) -> None:
    doc = answer_question(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values
