"""Questions in other words than the notes, in two languages, over several notes; and of what nobody
told.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.answers.claims import answer_question
from tests.wiki import Wiki

TOLD = """
The on-call person is Tomek.
Tomek lives in Gdansk.
My sister is Anna.
Anna works at Fernhill.
The director of Fernhill is Eve Stone.
Eve Stone moved to Lisbon in March 2026.
Paul reports to Anna.
Karl is the manager of Lena.
Lena was born in Bern.
Bern is located in the country of Switzerland.
The deadline of Atlas is 3 May 2027.
The price of the Casa Verde is 300 euros.
Maria is married to Otto Kern.
Otto Kern is a citizen of Norway.
The capital of Norway is Oslo.
The author of The Silent Quarry is Hanna Berg.
Hanna Berg was born in the city of Turku.
The Berlin office's landlord is Immobau.
The team uses FastAPI.
Die Direktorin von Nordbau ist Eva Lang.
Winterlicht wurde von Berta Kurz geschrieben.
Meine Tante ist Jana Holm.
Jana Holm arbeitet bei Nordbau.
Der Bereitschaftsdienst ist Selma.
""".strip().splitlines()

ASKED = {
    "Who is the on-call person?": "Tomek",
    "Where does the on-call person live?": "Gdansk",
    "Which firm employs my sister?": "Fernhill",
    "Who is the head of the company where my sister works?": "Eve Stone",
    "Where does the director of my sister's employer live?": "Lisbon",
    "When did Eve Stone move to Lisbon?": "in March 2026",
    "Who reports to Anna?": "Paul",
    "Whom does Paul report to?": "Anna",
    "Who is Lena's boss?": "Karl",
    "Which country is the birthplace of Lena located in?": "Switzerland",
    "When is the deadline of Atlas?": "3 May 2027",
    "How much does the Casa Verde cost?": "300 euros",
    "What is the nationality of Maria's husband?": "Norway",
    "What is the capital of the country that the spouse of Maria is a citizen of?": "Oslo",
    "Who is married to Otto Kern?": "Maria",
    "In which town was the writer of The Silent Quarry born?": "Turku",
    "Who authored The Silent Quarry?": "Hanna Berg",
    "Who is the landlord of the Berlin office?": "Immobau",
    "What does the team use?": "FastAPI",
    "Wer leitet Nordbau?": "Eva Lang",
    "Wer hat Winterlicht geschrieben?": "Berta Kurz",
    "Wo arbeitet meine Tante?": "Nordbau",
    "Wer leitet die Firma, bei der meine Tante arbeitet?": "Eva Lang",
    "Wer ist der Bereitschaftsdienst?": "Selma",
}

NAMES = (
    "Anna",
    "Tomek",
    "Fernhill",
    "Eve Stone",
    "Lena",
    "Karl",
    "Otto Kern",
    "Maria",
    "Atlas",
    "Norway",
    "Hanna Berg",
    "Nordbau",
    "my sister",
    "the on-call person",
    "the director of Fernhill",
    "Maria's husband",
    "The Silent Quarry",
    "the Casa Verde",
)
NEVER = (
    "What is the salary of {}?",
    "Who is the dentist of {}?",
    "When did {} die?",
    "What is the shoe size of {}?",
    "Where does the dentist of {} live?",
    "What is the blood type of {}?",
    "Which hospital treats {}?",
    "How many siblings does {} have?",
    "What is the religion of {}?",
    "Who inherited the boat of {}?",
    "Which instrument does {} practise?",
    "What is the second language of {}?",
    "Who is the grandmother of {}?",
    "Why did {} leave the club?",
    "On which continent was {} born?",
    "Welche Schuhgröße hat {}?",
    "Wer erbt von {}?",
)
MIRRORED = (
    "Who is Karl's manager?",
    "Who is the manager of Karl?",
    "Whom does Anna report to?",
    "Who reports to Paul?",
    "What is the capital of Oslo?",
    "Who is the director of Eve Stone?",
    "Who is Tomek's landlord?",
    "When was Lena born?",
    "Which framework does my sister use?",
    "Who wrote Hanna Berg?",
    "Where is the price of the Casa Verde?",
    "Who is the deadline of Atlas?",
    "Which language does the team use?",
    "Who is the author of Winterfell?",
    "Who was the first director of Norway?",
    "What is the capital of the country that Lena is a citizen of?",
)


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    wiki = Wiki.new(tmp_path_factory.mktemp("asking") / "wiki")
    wiki.ingest(*TOLD)
    wiki.consolidate()
    yield wiki


def told(tmp_path: Path, *notes: str) -> Wiki:
    """A wiki of notes without a title, after its first night."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(*notes)
    wiki.consolidate()
    return wiki


def answered(wiki: Wiki, question: str) -> list[str]:
    doc = answer_question(wiki.ws, question, as_of=None, budget=500)
    return [each["value"] for each in doc["answers"]]


@pytest.mark.parametrize(("question", "value"), list(ASKED.items()))
def test_what_was_told_is_found_in_other_words(
    wiki: Wiki, question: str, value: str
) -> None:
    assert answered(wiki, question) == [value]


def test_nothing_is_answered_that_nobody_told(wiki: Wiki) -> None:
    questions = [
        shape.format(name) for shape in NEVER for name in NAMES
    ] + list(MIRRORED)
    assert {q: found for q in questions if (found := answered(wiki, q))} == {}


TALK = (
    "I work for Larkspur Labs. My badge number is B-4471, it opens both doors of the Larkspur"
    " building.",
    "Our weekly report is due on Friday. My desk phone is 555-0148, the one on the third floor.",
    "My manager is Ines.",
    "Most of the day I was at the fair. My shoe size is 43.",
)
PASSING = {
    "What is my badge number at Larkspur Labs?": "B-4471",
    "What is the user's shoe size?": "43",
    "Who is my manager at Larkspur Labs?": "Ines",
    "What is my badge number for the Larkspur building?": "B-4471",
}
UNSAID = (
    "What is my locker number at Larkspur Labs?",
    "What is my badge number at Fernhill?",
    "What is my sister's badge number at Larkspur Labs?",
    "What is the colour of my badge at Larkspur Labs?",
    "What is my shirt size?",
    "What is my third report floor phone?",
    "Who is my dentist at Larkspur Labs?",
    "Who is my manager at Fernhill?",
    "What is my salary at Larkspur Labs?",
    "What is my desk number?",
    "What is my report's title?",
)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    wiki = Wiki.new(tmp_path_factory.mktemp("talk") / "wiki")
    wiki.ingest(*TALK)
    wiki.consolidate()
    yield wiki


@pytest.mark.parametrize(("question", "value"), list(PASSING.items()))
def test_a_word_that_the_same_note_says_need_not_be_in_the_claim(
    talk: Wiki, question: str, value: str
) -> None:
    assert answered(talk, question) == [value]


def test_what_is_asked_for_is_never_taken_from_the_words_around(
    talk: Wiki,
) -> None:
    assert {q: found for q in UNSAID if (found := answered(talk, q))} == {}


EVERYDAY = {
    "The spare key is with Mrs Abel.": {
        "Where is the spare key?": "Mrs Abel",
        "Who has the spare key?": "Mrs Abel",
    },
    "Petra has the attic room.": {"Who has the attic room?": "Petra"},
    "Rita does the accounts.": {"Who does the accounts?": "Rita"},
    "The tickets last four weeks.": {
        "How long do the tickets last?": "four weeks"
    },
    "Yoga is on Tuesdays.": {"When is yoga?": "Tuesdays"},
    "The ferry leaves at nine.": {"When does the ferry leave?": "nine"},
    "Der Beitrag beträgt 8 Euro.": {"Wie hoch ist der Beitrag?": "8 Euro"},
    "Das Turnen ist dienstags um acht.": {
        "Wann ist das Turnen?": "dienstags um acht"
    },
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    wiki = Wiki.new(tmp_path_factory.mktemp("everyday") / "wiki")
    wiki.ingest(*EVERYDAY)
    wiki.consolidate()
    yield wiki


@pytest.mark.parametrize(
    ("question", "value"),
    [pair for asked in EVERYDAY.values() for pair in asked.items()],
)
def test_what_stands_in_little_words_is_found(
    home: Wiki, question: str, value: str
) -> None:
    assert answered(home, question) == [value]


@pytest.mark.parametrize(
    "question",
    [
        "Who has the cellar room?",
        "Who has the yoga?",
        "When does Petra leave?",
        "How long is the ferry?",
    ],
)
def test_little_words_alone_answer_nothing(home: Wiki, question: str) -> None:
    assert answered(home, question) == []


def test_a_plainly_stated_change_answers_and_is_held_against_the_page_it_changes(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Yoga is on Tuesdays at six. The hall is cold.", title="Sports club"
    )
    wiki.consolidate()
    wiki.ingest("From now on yoga is on Thursdays.")
    wiki.consolidate()

    assert answered(wiki, "When is yoga?") == ["Thursdays"]
    assert (
        "oga, is on:: Thursdays"
        in next(wiki.root.glob("entries/**/Sports club.md")).read_text()
    )


@pytest.fixture
def clubs(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Yoga is on Tuesdays.", title="Sports club")
    wiki.ingest("Yoga is on Fridays.", title="Holiday camp")
    wiki.consolidate()
    return wiki


def test_a_change_that_two_pages_may_mean_is_left_to_review(
    clubs: Wiki,
) -> None:
    clubs.ingest("From now on yoga is on Thursdays.")
    (note,) = clubs.consolidate()["integrated"]

    assert note["path"].startswith("journal/"), note["reason"]
    assert "several pages state" in note["reason"]
    assert sorted(answered(clubs, "When is yoga?")) == [
        "Fridays",
        "Thursdays",
        "Tuesdays",
    ]
    (asked,) = [
        event
        for event in clubs.events("flagged")
        if event["kind"] == "disputed"
    ]
    assert "2 pages speak of a thing of this name" in asked["reason"]


def test_a_change_told_on_one_of_two_pages_concerns_that_page(
    clubs: Wiki,
) -> None:
    clubs.ingest("From now on yoga is on Thursdays.", title="Holiday camp")
    clubs.consolidate()

    assert sorted(answered(clubs, "When is yoga?")) == ["Thursdays", "Tuesdays"]


def test_notes_without_a_title_are_no_pages_of_their_own_things(
    tmp_path: Path,
) -> None:
    wiki = told(tmp_path, "Yoga is on Tuesdays.", "Yoga is on Fridays.")
    wiki.ingest("From now on yoga is on Thursdays.")
    wiki.consolidate()

    assert answered(wiki, "When is yoga?") == ["Thursdays"]


def test_where_and_what_are_answered_from_one_sentence(tmp_path: Path) -> None:
    wiki = told(
        tmp_path,
        "Ruth keeps bees in Ahlen. Ruth keeps hens.",
        "I keep the passport in the blue box.",
    )
    assert answered(wiki, "Where does Ruth keep bees?") == ["Ahlen"]
    assert answered(wiki, "What does Ruth keep in Ahlen?") == ["bees"]
    assert answered(wiki, "Where does Ruth keep hens?") == []
    assert answered(wiki, "Where do I keep the passport?") == ["blue box"]


def test_what_moved_somewhere_stands_there(tmp_path: Path) -> None:
    wiki = told(
        tmp_path,
        "Der Drucker ist in den dritten Stock umgezogen.",
        "Updates machen wir dienstags.",
    )
    assert answered(wiki, "Wo steht der Drucker?") == ["dritten Stock"]
    assert answered(wiki, "Wann machen wir Updates?") == ["dienstags"]


def test_a_stated_change_of_a_thing_in_the_middle_of_a_sentence_is_read(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("The goats in the lower field are Toggenburg.", title="Goats")
    wiki.consolidate()
    wiki.tick(days=2)
    wiki.ingest(
        f"As of {wiki.now:%d %B %Y} the goats in the lower field are Saanen, the others were sold."
    )
    wiki.consolidate()
    assert answered(wiki, "What are the goats in the lower field?") == [
        "Saanen"
    ]


def test_what_a_machine_takes_is_no_office(tmp_path: Path) -> None:
    wiki = told(tmp_path, "The lathe takes chucks of 80 mm.")
    assert answered(wiki, "What does the lathe take?") == ["chucks of 80 mm"]


def test_a_numbered_place_is_a_place_and_an_hour_is_none(
    tmp_path: Path,
) -> None:
    notes = (
        "The mooring is at pier 7.",
        "The briefing is at 9.",
        "The regatta is on May 5.",
        "The tea is at half 4.",
    )
    wiki = told(tmp_path, *notes)
    assert answered(wiki, "Where is the mooring?") == ["pier 7"]
    for thing in ("briefing", "regatta", "tea"):
        assert answered(wiki, f"Where is the {thing}?") == []
