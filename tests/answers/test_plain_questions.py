"""Plain questions about everyday notes: surely understood, or not answered."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from companion.answers.asked_tense import ask_plainly
from companion.answers.chains.denied import without_denial
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
Das Abo kostet 12 Euro im Monat.
Das Fahrrad wiegt 14 kg.
Minka mag Lotte.
Lotte mag Regen.
Ines has a spelling test on 12 March 2027.
Ben hat am 3. Mai 2027 eine Prüfung.
Lent the drill to Marcus.
Sabine hat unsere Leiter.
New gate code at the allotment: 9031
Rafael cycles to work.
The flight to Lisbon leaves from gate B12.
Tarek nimmt den Zug nach Mannheim.
The van is a white Transit.
Nora started as a nurse at the Charité.
Jonas hat als Lehrling bei der Schreinerei Wimmer angefangen.
Emil hates the school bus.
Tea is at 4:30.
Standup jetzt 9:30
Die Leiterin des Horts ist Frau Kurz.
The co-working space costs 190 a month now.
Leo weighs 4 kg.
The name of Ruben's tortoise is Achilles.
Greta's wife Malin runs the bakery.
Der Name von Rubens Kater ist Odin.
Piet's wife is Danish.
The verger is Cornish.
The dinghy is a Wayfarer.
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
    "Was kostet das Abo?": ["12 Euro im Monat"],
    "Wie viel kostet das Abo?": ["12 Euro im Monat"],
    "Was hat das Abo gekostet?": ["12 Euro im Monat"],
    "Wo hat Jonas gearbeitet?": ["Schreinerei Wimmer"],
    "Wie viel wiegt das Fahrrad?": ["14 kg"],
    "Wen mag Minka?": ["Lotte"],
    "Who has the drill?": ["Marcus"],
    "Wer ist die Leiterin des Horts?": ["Frau Kurz"],
    "Wer leitet den Hort?": ["Frau Kurz"],
    "Whose van is it?": [],
    "Where did Jonas use to live?": [],
    "Where does Nora work?": ["Charité"],
    "What does Nora work as?": ["nurse"],
    "Wo arbeitet Jonas?": ["Schreinerei Wimmer"],
    "Wer hat unsere Leiter?": ["Sabine"],
    "Where is the drill?": ["Marcus"],
    "What is the gate code of the allotment?": ["9031"],
    "What is the allotment gate code?": ["9031"],
    "When does the flight to Lisbon leave?": [],
    "From which gate does the flight to Lisbon leave?": ["gate B12"],
    "How does Rafael get to work?": ["by bike"],
    "Wie kommt Tarek nach Mannheim?": ["mit dem Zug"],
    "Where is the dentist?": [],
    "What are my contact lenses?": [],
    "What does Emil hate?": ["school bus"],
    "How does Emil get to school?": [],
    "What school is Emil at?": [],
}


def tell(root: Path, lines: Sequence[str]) -> Wiki:
    """Return a wiki that has read *lines*."""
    wiki = Wiki.new(root / "wiki")
    wiki.ingest(*lines)
    wiki.consolidate()
    return wiki


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    return tell(tmp_path_factory.mktemp("plain"), TOLD)


@pytest.mark.parametrize(("question", "values"), ASKED.items())
def test_a_plain_question(wiki: Wiki, question: str, values: list[str]) -> None:
    doc = answer_question(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values


COMING = {
    "When is Ines's spelling test?": ["12 March 2027"],
    "Wann ist Bens Prüfung?": ["3. Mai 2027"],
    "When is Ines's birthday?": [],
}


@pytest.mark.parametrize(("question", "values"), COMING.items())
def test_what_somebody_has_on_a_day_is_then(
    wiki: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values


AT_LENGTH = {
    "Um wie viel Uhr ist das Treffen?": [],
    "What time is tea?": ["4:30"],
    "Um wie viel Uhr ist Standup?": ["9:30"],
    "When is standup?": ["9:30"],
    "At what time is piano lesson?": [],
    "Does Emil hate anything?": ["school bus"],
    "Is Emil fine?": [],
    "?": [],
}


@pytest.mark.parametrize(("question", "values"), AT_LENGTH.items())
def test_a_question_at_length_is_read_plainly(
    wiki: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values
    assert doc["question"] == question


EVERYDAY = """
Priya leads the onboarding project.
Sven works at Norrtech as a welder.
Grandma was born in 1941 in Turku.
The boiler was serviced on 3 September by Hadley Heating.
Nils lived in Malmö until 2019.
Lukas leitet die Chorprobe.
Tom ist gegen Nüsse allergisch.
Wir heizen mit Pellets.
Finn mag am liebsten Nudeln.
Das Treffen ist am Freitag um 18 Uhr im Rathaus.
The parents' evening is on 3 December in the gym.
""".strip().splitlines()

ASKED_EVERYDAY = {
    "Who leads the onboarding project?": ["Priya"],
    "What does Priya lead?": ["the onboarding project"],
    "What is Priya leading?": ["the onboarding project"],
    "Where does Sven work?": ["Norrtech"],
    "Where was grandma born?": ["Turku"],
    "When was the boiler serviced?": ["3 September"],
    "Who serviced the boiler?": ["Hadley Heating"],
    "Where did Nils live?": ["Malmö"],
    "Where does Nils live?": [],
    "Was leitet Lukas?": ["die Chorprobe"],
    "Wogegen ist Tom allergisch?": ["Nüsse"],
    "Womit heizen wir?": ["Pellets"],
    "Wovon heizen wir?": [],
    "Was mag Finn am liebsten?": ["Nudeln"],
    "Wo ist das Treffen?": ["Rathaus"],
    "Wann ist das Treffen?": ["2026-11-06T18:00"],
    "Where is the parents' evening?": ["gym"],
}


@pytest.fixture(scope="module")
def everyday(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    return tell(tmp_path_factory.mktemp("everyday"), EVERYDAY)


@pytest.mark.parametrize(("question", "values"), ASKED_EVERYDAY.items())
def test_what_is_done_where_with_what_and_what_happened(
    everyday: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(everyday.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values


SAID = """
Das Paket für Oma steht im Keller.
The office moved to Harbour Street 12.
Car insurance went up to 612 euros a year.
The piano lesson moved to Wednesday.
The deploy key is rotated every 90 days.
Jonas spielt seit zwei Jahren Trompete.
Der Mietvertrag läuft bis Ende 2027.
The choir rehearses on Mondays at seven.
Jon works hard.
Jon was promoted at work.
Maria joined a church nearby.
Anna's family is great.
John started a yoga class with a colleague.
My relationships feel more genuine.
Melanie took the first step.
Rosa lives in Porto.
The type of music that Dale Marr plays is country music.
The Hendersons have two cats.
Tomas reviews all migrations.
Niklas hat Angst vor Hunden.
Anna was offered the job.
My email is anna@example.org.
The sourdough starter lives on the shelf.
Bella weighs 23.4 kg at the vet's.
Noor starts school in September.
Offer sent to Sofia.
Sofia was great.
Wir fahren im August nach Dänemark.
Lisa moved to a new job.
Tom moved to a bigger flat in Hull.
Ida moved to Leeds.
Oma moved the sofa.
The piano teacher moved to Zoom lessons.
Mr. Okafor moved to Fridays.
The printer moved to the hall.
The bike moved to the stairs.
Priya can't eat gluten.
Priya can eat rice.
Mats mag keine Gurken.
Mats mag Tomaten.
Hal lives in York.
The fair isn't on Monday.
Das Treffen ist nicht am Montag.
Doctor No lives in Lima.
The shop Don't Panic is in Leeds.
Bus no. 5 stops at the mill.
""".strip().splitlines()

ASKED_OF_SAID = {
    "Wo ist das Paket für Oma?": ["Keller"],
    "Where is the office?": ["Dock Road 4"],
    "How much is the car insurance?": ["612 euros a year"],
    "How much is the piano lesson?": [],
    "How often is the deploy key rotated?": ["rotated every 90 days"],
    "How often does the choir rehearse?": ["Mondays at seven"],
    "Was spielt Jonas?": ["Trompete"],
    "Wie lange läuft der Mietvertrag?": ["Ende 2027"],
    "Where is Rosa?": ["Porto"],
    "Where is Rosa from?": [],
    "What type of music does Dale Marr play?": ["country music"],
    "How many cats do the Hendersons have?": ["two cats"],
    "Who reviews migrations?": ["Tomas"],
    "Wovor hat Niklas Angst?": ["Hunden"],
    "What was Anna offered?": ["job"],
    "Where is the sourdough starter?": ["cellar"],
    "What is my email?": ["anna@example.org"],
    "What does Bella weigh?": ["23.4 kg"],
    "How heavy is Bella?": ["23.4 kg"],
    "When does Noor start school?": ["in September 2027"],
    "Wohin fahren wir im August?": ["Dänemark"],
    "Where does Ida live?": ["Leeds"],
    "What can't Priya eat?": ["gluten"],
    "What can Priya eat?": ["rice"],
    "Was mag Mats nicht?": ["Gurken"],
    "Was mag Mats?": ["Tomaten"],
    "Where does Hal not live?": [],
    "What can Priya NOT eat?": ["gluten"],
    "Can't you tell me what Priya can eat?": ["rice"],
    "Can you tell me what Priya can't eat?": ["gluten"],
    "Where does Doctor No live?": ["Lima"],
    "Where is the shop Don't Panic?": ["Leeds"],
    "Where does bus no. 5 stop?": ["mill"],
    # they ask for yes or no
    "Is there no fair on Monday?": [],
    "No fair on Monday?": [],
    "Gibt es kein Treffen am Montag?": [],
    "Kein Treffen am Montag?": [],
    "Where does Tom live?": ["bigger flat in Hull"],
    "Where is the printer?": ["hall"],
    "Where is the bike?": ["stairs"],
    "Where does the sourdough starter live?": ["cellar"],
    "Wer hat den Ersatzschlüssel?": ["Uwe"],
    # the words of a claim, and another matter
    "Where is Lisa?": [],
    "Where does Oma live?": [],
    "Where does the piano teacher live?": [],
    "Where is Mr. Okafor?": [],
    "What did Anna offer?": [],
    "What did we offer Sofia?": [],
    "What is Jon working on?": [],
    "What was Jon promoted to?": [],
    "Why did Maria join a church?": [],
    "What does Anna's family give her?": [],
    "Who did John go to yoga with?": [],
    "What is my relationship status?": [],
    "What did Melanie take away from the talk?": [],
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    wiki = tell(tmp_path_factory.mktemp("said"), SAID)
    wiki.tick(days=1)
    wiki.ingest("Moved the sourdough starter to the cellar.")
    wiki.ingest("Moved the office to Dock Road 4.")
    wiki.ingest("Den Ersatzschlüssel hat Inge an Uwe weitergegeben.")
    wiki.consolidate()
    return wiki


@pytest.mark.parametrize(("question", "values"), ASKED_OF_SAID.items())
def test_a_claim_answers_only_what_it_says(
    said: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(said.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values


def test_what_denies_is_no_part_of_a_name() -> None:
    asked = "Where is the shop Never Mind?"
    assert without_denial(asked) == (asked, False)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Does Priya eat gluten?", ("Priya", "can eat", "not gluten")),
        ("What can't Priya eat?", ("Priya", "can eat", "not gluten")),
        ("Mag Mats Gurken?", ("Mats", "mag", "not Gurken")),
        ("Was mag Mats nicht?", ("Mats", "mag", "not Gurken")),
    ],
)
def test_a_denial_is_said_once(
    said: Wiki, question: str, told: tuple[str, str, str]
) -> None:
    doc = ask(said.ws, question, as_of=None, budget=500)
    ((step,),) = [one["path"] for one in doc["answers"]]
    assert (step["subject"], step["predicate"], step["object"]) == told


def test_a_later_note_is_found_by_what_was_denied(tmp_path: Path) -> None:
    wiki = tell(tmp_path, ["Mats mag keine Gurken."])
    wiki.tick(days=1)
    later = "Gurken mag er inzwischen doch."
    wiki.ingest(later, "Gurken sind jetzt in Ordnung für alle.")
    wiki.consolidate()
    doc = ask(wiki.ws, "Wer mag keine Gurken?", as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == ["Mats"]
    assert later in [one["text"] for one in doc["passages"]]


@pytest.mark.parametrize(
    "question",
    ["?", "\U0001f642 \U0001f642 \U0001f642?", "'' '' '' ''?", "..."],
)
def test_a_question_without_a_word_is_not_known(
    said: Wiki, question: str
) -> None:
    doc = ask(said.ws, question, as_of=None, budget=500)
    assert not doc["known"]


@pytest.mark.parametrize(
    ("question", "plainly"),
    [
        ("Ist Emil gegen etwas allergisch?", "Wogegen Ist Emil allergisch?"),
        ("Mag Emil etwas?", "Was Mag Emil?"),
        ("Is Emil allergic to anything?", "What Is Emil allergic to?"),
        ("Hat Emil etwas Neues?", "Hat Emil etwas Neues?"),
        ("Does Emil like something blue?", "Does Emil like something blue?"),
    ],
)
def test_something_asks_for_what_it_is(question: str, plainly: str) -> None:
    assert ask_plainly(question) == plainly


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What is Ruben's tortoise called?", ["Achilles"]),
        ("What's Greta's wife called?", ["Malin"]),
        ("Wie heißt Rubens Kater?", ["Odin"]),
        # what somebody is, is not what they are called
        ("What is Piet's wife called?", []),
        ("What is the verger called?", []),
        ("What is the dinghy called?", []),
    ],
)
def test_what_something_is_called_is_its_name(
    wiki: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Wie teuer ist das Abo?", ["12 Euro im Monat"]),
        ("How much is the co-working space?", ["190 a month"]),
        # what he weighs is not what he costs
        ("How much is Leo?", []),
    ],
)
def test_how_much_something_is_asks_what_it_costs(
    wiki: Wiki, question: str, values: list[str]
) -> None:
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == values
    assert doc["question"] == question
