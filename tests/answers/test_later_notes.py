"""What was told on the page of an answer since stands beside the answer."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.wiki import Wiki

TOLD = {
    "2026-03-02T09:00:00Z": (
        "The centrifuge makes a grinding noise above 8000 rpm."
    ),
    "2026-03-03T09:00:00Z": "The centrifuge runs on Tuesdays.",
    "2026-03-06T09:00:00Z": "The centrifuge is fixed.",
    "2026-03-07T09:00:00Z": "The centrifuge got a new lid on Tuesday.",
    "2026-03-09T09:00:00Z": "The centrifuge grinds again at 9000.",
}


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    root: Path = tmp_path_factory.mktemp("later")
    wiki = Wiki.new(root / "wiki")
    for when, words in TOLD.items():
        wiki.ingest(words, event_time=when)
        wiki.consolidate()
    return wiki


def tell_daily(root: Path, told: Sequence[str]) -> Wiki:
    """Return a wiki that was *told* a note a day, with a night behind each."""
    wiki = Wiki.new(root / "wiki")
    for day, words in enumerate(told, 2):
        wiki.ingest(words, event_time=f"2026-03-0{day}T09:00:00Z")
        wiki.consolidate()
    return wiki


def told_since(
    wiki: Wiki, question: str, as_of: str | None = None
) -> list[str]:
    doc = ask(wiki.ws, question, as_of=as_of, budget=500)
    assert doc["known"], doc
    return [one["text"] for one in doc["passages"]]


def shown_instead(wiki: Wiki, question: str) -> list[str]:
    """Return the notes that stand in the place of an answer that may be out of date."""
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    assert not doc["known"], doc
    assert not doc["answers"]
    return [one["text"] for one in doc["passages"]]


def test_a_yes_names_the_newest_note_of_its_page(wiki: Wiki) -> None:
    assert told_since(wiki, "Is the centrifuge fixed?") == [
        TOLD["2026-03-09T09:00:00Z"],
        TOLD["2026-03-07T09:00:00Z"],  # a new lid is a change
    ]


def test_a_value_names_only_what_has_its_words(wiki: Wiki) -> None:
    assert told_since(wiki, "When does the centrifuge run?") == [
        TOLD["2026-03-07T09:00:00Z"]
    ]


def test_a_change_without_a_shared_word_is_named_first(
    tmp_path: Path,
) -> None:
    told = (
        "Der Server steht bei Hetzner.",
        "Der Server war von drei bis fünf Uhr weg, Hetzner hatte Störung.",
        "Server umgezogen: läuft seit gestern bei Netcup.",
    )
    wiki = tell_daily(tmp_path, told)

    assert shown_instead(wiki, "Wo steht der Server?")[0] == told[2]


def test_what_may_be_out_of_date_stands_behind_what_came_later(
    tmp_path: Path,
) -> None:
    told = (
        "Sandra's piano lesson is on Tuesday.",
        "Sandra's piano lesson was fun, the piano lesson teacher laughed.",
        "Sandra's piano lesson moved, ask Herr Moll.",
    )
    wiki = tell_daily(tmp_path, told)

    shown = shown_instead(wiki, "When is Sandra's piano lesson?")
    assert shown == [told[2], told[0], told[1]]


def test_a_change_is_heard_at_the_beginning_of_a_sentence(
    tmp_path: Path,
) -> None:
    told = (
        "The kiln is in the barn.",
        "The kiln eats a lot of power.",
        "Moved the kiln over to Tessa.",
    )
    wiki = tell_daily(tmp_path, told)

    assert shown_instead(wiki, "Where is the kiln?")[0] == told[2]


def test_what_was_so_at_a_time_has_nothing_since(wiki: Wiki) -> None:
    at = "2026-03-08T00:00:00Z"
    assert told_since(wiki, "Is the centrifuge fixed?", at) == []


def tell(wiki: Wiki, told: Sequence[str]) -> None:
    """Tell each of *told* on a day of its own, with a night after it."""
    for day, words in enumerate(told, 2):
        wiki.ingest(words, event_time=f"2026-03-0{day}T09:00:00Z")
        wiki.consolidate()


def test_a_later_note_on_a_page_of_a_day_is_named(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    told = (
        "Oma nimmt morgens 5 mg Ramipril.",
        "Oma hat angerufen, es geht ihr gut.",
        "Oma: Dosis erhöht, jetzt 10 mg Ramipril.",
        "Der Zahnarzt nimmt 30 Euro.",
    )
    tell(wiki, told)

    # a call from her says nothing of what she takes
    shown = shown_instead(wiki, "Wie viel Ramipril nimmt Oma?")
    assert shown[0] == told[2]
    assert told[0] in shown


def test_a_note_that_waits_for_a_night_is_named(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, ["Passports are in the safe."])
    assert told_since(wiki, "Where are the passports?") == []

    wiki.ingest("Passports are in the desk drawer.")
    wiki.ingest("The safe is heavy.")
    assert told_since(wiki, "Where are the passports?") == [
        "Passports are in the desk drawer."
    ]


def test_what_we_do_needs_no_name_in_a_later_note(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    told = (
        "We keep the passports in the blue tin.",
        "Renewed the library card.",
        "Passports are in the safe now.",
    )
    tell(wiki, told)

    shown = shown_instead(wiki, "Where do we keep the passports?")
    assert shown[0] == told[2]


def test_another_who_does_the_same_is_of_no_account(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, ["Eva lives in Bern.", "Bob lives in Oslo now."])

    assert told_since(wiki, "Where does Eva live?") == []


def test_what_another_answer_rests_on_is_not_shown_again(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, ["Anna likes tea.", "Anna likes jazz.", "Anna likes chess."])

    assert told_since(wiki, "What does Anna like?") == []


OVERTAKEN = {
    "Where does Judith work?": (
        "Judith works at the Schauspielhaus.",
        "Judith hat gekündigt.",
    ),
    "Where does Tom work?": (
        "Tom works at the Schauspielhaus.",
        "Tom resigned on Monday.",
    ),
    "Who is the commodore?": (
        "The commodore is Gerald Finch.",
        "Gerald handed over to Annabel Crewe. She's our commodore now.",
    ),
    "What is the gate code at Birdham?": (
        "Gate code at Birdham is 4471#.",
        "Gate code changed after the break-in: it is 9082# now.",
    ),
    "Wer hat unsere Bohrmaschine?": (
        "Die Bohrmaschine ist seit Mai bei Sabine.",
        "Sabine hat die Bohrmaschine zurückgebracht.",
    ),
    "Who leads the checkout team?": (
        "Nadia leads the checkout team.",
        "Nadia left the checkout team last week.",
    ),
    "Who is our internet provider?": (
        "Our internet provider is Netcom.",
        "Switched from Netcom to Nordnet last night.",
    ),
    "Wann wird die Tonne geleert?": (
        "Die Tonne wird dienstags geleert.",
        "Die Tonne kommt ab jetzt mittwochs raus.",
    ),
    "Wo ist Tareks Laptop?": (
        "Der Laptop von Tarek steht beim Reparaturdienst.",
        "Tareks Laptop ist wieder da.",
    ),
    "When does release 3.1 ship?": (
        "Release 3.1 ships on 18 May.",
        "Release 3.1 slipped to 26 May.",
    ),
    "Where is the tent?": (
        "The tent is in the attic.",
        "Lent the tent to Jonas.",
    ),
    "Where does Merle lie?": (
        "Merle lies in the harbour.",
        "Merle is back in the water now.",
    ),
    "When does the heating engineer come?": (
        "The heating engineer comes on Thursday.",
        "Heating engineer moved us to Friday.",
    ),
    "What is the bike lock code?": (
        "The bike lock code is 7-3-1-9.",
        "Changed the bike lock, new code 4-4-0-2.",
    ),
    "When is the roof being done?": (
        "The roof gets done in April.",
        "Roof work postponed to September.",
    ),
    "Wo ist der Schlüssel fürs Gartenhaus?": (
        "Der Schlüssel fürs Gartenhaus hängt neben der Kellertür.",
        "Gartenhausschlüssel liegt jetzt im Küchenschrank.",
    ),
    "How much does Marek charge?": (
        "The plumber, Marek, charges 60 an hour.",
        "Marek raised his rate to 68.",
    ),
    "Who owns the billing service?": (
        "Priya owns the billing service.",
        "Priya passes billing to Tomasz, she moves to platform.",
    ),
    "Wann kommt Herr Brandt?": (
        "Die Heizung ist kaputt, Herr Brandt kommt am Freitag.",
        "Herr Brandt hat abgesagt, er kommt erst am Montag.",
    ),
    "When does Mr Brandt come?": (
        "Mr Brandt comes on Friday.",
        "Mr Brandt is ill, he cannot come before Monday.",
    ),
    "When does Ewa teach cello?": (
        "Ewa teaches cello on Wednesdays.",
        "Cello lessons moved to Thursdays because Ewa has rehearsal.",
    ),
}


@pytest.mark.parametrize("question", OVERTAKEN)
def test_what_a_later_note_changes_is_no_answer(
    tmp_path: Path, question: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, OVERTAKEN[question])

    assert shown_instead(wiki, question)[0] == OVERTAKEN[question][1]


STILL_SO = {
    "What is the gate code at Calshot?": (
        "Gate code at Calshot is 4471#.",
        "Gate code at Birdham changed after the break-in, 9082# now.",
    ),
    "Who is the cat's vet?": (
        "The cat's vet is Dr. Hanley.",
        "The cat got a new basket and likes it.",
        "The cat now sleeps in the hall.",
    ),
    "Wo wohnt Oma?": (
        "Oma wohnt in Lüneburg.",
        "Oma hat jetzt einen neuen Herd.",
        "Oma nimmt auch 5 mg Ramipril.",
    ),
    "Who is Tom?": (
        "Tom is my brother.",
        "Tom changed the tyres.",
    ),
    "When did Eva move to Bern?": (
        "Eva moved to Bern in May 2025.",
        "Eva moved to another flat in Bern now.",
    ),
    "When does the shop open?": (
        "The shop opens at 8:30.",
        "The shop raised its prices.",
    ),
    "Who is Marek?": (
        "The plumber, Marek, charges 60 an hour.",
        "Marek raised his rate to 68.",
    ),
    "When does Ewa come?": (
        "Ewa comes on Wednesdays.",
        "Ewa bought a new car, a red one.",
    ),
    "When does Nils come?": (
        "Nils comes on Wednesdays.",
        "Nils also comes on Fridays, for the garden.",
        "Nils paid on Monday.",
    ),
    "How much has Piet paid?": (
        "Merle has a crack in the keel.",
        "Merle lies in the harbour.",
        "Piet paid 1,000 for the keel of Merle.",
        "Merle is back in the water now.",
    ),
}


@pytest.mark.parametrize("question", STILL_SO)
def test_a_change_of_something_else_leaves_the_answer(
    tmp_path: Path, question: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, STILL_SO[question])

    told_since(wiki, question)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            (
                "The course costs 90 euros.",
                "The course got more expensive, 110 now.",
            ),
            "What does the course cost?",
        ),
        (
            (
                "Der Kletterkurs kostet 90 Euro.",
                "Der Kletterkurs ist teurer geworden, jetzt 110.",
            ),
            "Was kostet der Kletterkurs?",
        ),
    ],
)
def test_a_number_of_nothing_may_be_the_new_amount(
    tmp_path: Path, told: Sequence[str], question: str
) -> None:
    assert told[1] in shown_instead(tell_daily(tmp_path, told), question)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            (
                "Tom's bike costs 700 euros.",
                "Lunch with Paul. The bike costs 735 euros.",
            ),
            "What does Tom's bike cost?",
        ),
        (
            (
                "Tom's flat costs 700 euros.",
                "Lunch with Paul. I saw Tom. The flat costs 735 euros.",
            ),
            "What does Tom's flat cost?",
        ),
    ],
)
def test_a_note_of_company_may_mean_a_thing_of_anybody(
    tmp_path: Path, told: Sequence[str], question: str
) -> None:
    assert told[1] in shown_instead(tell_daily(tmp_path, told), question)


def test_anothers_flat_is_none_that_was_asked_for(tmp_path: Path) -> None:
    told = (
        "Tom's flat costs 700 euros.",
        "Lunch with Paul. The flat costs 735 euros.",
    )
    wiki = tell_daily(tmp_path, told)
    doc = ask(wiki.ws, "What does Tom's flat cost?", as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == ["700 euros"]


def test_a_number_of_something_is_no_other_amount(tmp_path: Path) -> None:
    told = ("The course costs 90 euros.", "The course now has 8 people.")
    wiki = tell_daily(tmp_path, told)
    doc = ask(wiki.ws, "What does the course cost?", as_of=None, budget=500)
    assert [one["value"] for one in doc["answers"]] == ["90 euros"]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            (
                "Das Abo kostet 20 Euro im Monat.",
                "Das Abo ist teurer geworden, jetzt 25.",
            ),
            "Wie teuer ist das Abo?",
        ),
        (
            (
                "The course costs 90 euros.",
                "The course got more expensive, 110 now.",
            ),
            "How expensive is the course?",
        ),
    ],
)
def test_what_overtook_a_price_says_so_however_it_is_asked(
    tmp_path: Path, told: Sequence[str], question: str
) -> None:
    """The notes were shown as if no fact had been recorded, or "more expensive" was the answer."""
    doc = ask(tell_daily(tmp_path, told).ws, question, as_of=None, budget=500)
    assert not doc["answers"]
    assert [one["text"] for one in doc["passages"]] == [*reversed(told)]
    assert doc["passages"][0]["found_by"] == ["told since"]
