"""Which things a note names, and which of them get a page."""

from collections.abc import Sequence

import pytest

from companion.subjects.beginnings.spots import find_spots
from companion.subjects.beginnings.thing_words import list_common_words
from companion.subjects.beginnings.third_note import (
    Beginning,
    NamingNote,
    choose_beginnings,
    find_link_subject,
    title_of,
)


def naming(*notes: str, days: int | None = None) -> list[NamingNote]:
    """*notes* as told on as many days in turn; the last one tonight."""
    told = []
    for place, text in enumerate(notes):
        day = f"2026-11-{1 + place % (days or len(notes)):02}"
        told.append(
            NamingNote(
                f"{place:064x}",
                day,
                f"{day}T08:{place:02}:00.000000Z",
                find_spots(text),
                list_common_words(text),
                new=place == len(notes) - 1,
            )
        )
    return told


def titles(*notes: str, days: int | None = None) -> list[str]:
    return [one.name for one in begun(naming(*notes, days=days))]


def begun(notes: Sequence[NamingNote]) -> list[Beginning]:
    return choose_beginnings(notes, lambda _, form: title_of(form))


@pytest.mark.parametrize(
    ("title", "notes"),
    [
        (
            "Anna",
            (
                "Dinner with Anna and her brother",
                "Anna's birthday is on 5 May",
                "Anna has a cold",
            ),
        ),
        (
            # a preposition that does something, or has a capital within
            "Per",
            (
                "Per sails on Sunday",
                "Per called about the boat",
                "Saw Per at the pier",
            ),
        ),
        (
            "Per",
            (
                "Per spliced the halyard on the boat",
                "Per sold the motorbike again",
                "Per dented the motorbike",
            ),
        ),
        (
            # told apart by a number
            "Volk 3",
            (
                "Volk 3 hat keine Königin mehr",
                "Volk 3 gefüttert, 2 Liter",
                "Im Volk 3 ist Brut",
            ),
        ),
        (
            "Room 12",
            (
                "Room 12 has a broken window",
                "the lamp in room 12 flickers",
                "Room 12 is cold",
            ),
        ),
        (
            # one label among notes that name somebody
            "Okafor",
            (
                "Mr. Okafor wants an aisle seat",
                "Okafor flies on 3 March to Lagos",
                "Okafor: passport number ends in 882",
                "Okafor changed his mind",
                "Okafor's assistant is called Bisi",
                "The hotel is confirmed for Okafor",
            ),
        ),
        (
            "Fahrrad",
            (
                "Fahrrad: Bremse quietscht",
                "Fahrrad: neuer Sattel, 34 Euro",
                "Fahrrad: Licht vorne geht nicht",
            ),
        ),
        (
            "Boiler",
            (
                "The boiler was serviced in March",
                "Called about the boiler pressure",
                "the boiler is loud again",
            ),
        ),
        (
            "Dentist",
            (
                "My dentist found nothing",
                "Paid my dentist 80 euros",
                "My dentist is moving to Leeds",
            ),
        ),
        (
            "Knee",
            (
                "My knee hurts after running",
                "Physio says the knee needs rest",
                "My knee feels better",
            ),
        ),
        (
            "Dishwasher",
            (
                "The dishwasher leaks again",
                "Called the landlord about the dishwasher",
                "The landlord sends someone for the dishwasher",
            ),
        ),
        (
            "Export tool",
            (
                "Idea: use SQLite for the export tool",
                "The export tool needs a progress bar",
                "The export tool crashes on empty files",
            ),
        ),
        (
            "Anna Berg",
            (
                "Met Anna Berg at the fair",
                "Anna Berg called",
                "Lunch with Anna Berg",
            ),
        ),
        (
            "Heizung",
            (
                "Die Heizung ist wieder ausgefallen",
                "Mit Paul über die Heizung gesprochen",
                "Unsere Heizung verliert Wasser",
            ),
        ),
        (
            "Anna",
            (
                "Anna hat eine neue Wohnung in der Stadt",
                "Annas Geburtstag ist im Mai",
                "Ich war mit Anna im Kino",
            ),
        ),
        (
            "Meyer",
            (
                "Kunde Meyer will das Angebot bis Freitag",
                "Herr Meyer hat angerufen, er will Rabatt",
                "Das Angebot habe ich an Meyer geschickt",
            ),
        ),
        (
            "Tax return",
            (
                "tax return: asked Petra for the forms",
                "the tax return is due in July",
                "sent the tax return",
            ),
        ),
        (
            "Allotment",
            (
                "The allotment needs water",
                "Ben weeded the allotment",
                "allotment fence is down",
            ),
        ),
        (
            "Night shift",
            (
                "The night shift was long",
                "swapped the night shift with Lea",
                "the night shift pays 12% more",
            ),
        ),
        (
            "Bike",
            (
                "bike: rear brake squeaks",
                "bike back from the shop, new pads",
                "bike: chain jumps in third gear",
            ),
        ),
        (
            "Job",
            (
                "The new job starts in May",
                "The new job pays well",
                "Anna asked about the new job",
            ),
        ),
        (
            "Garden tools",
            (
                "The garden tools are rusty",
                "Sold the garden tools",
                "Oiled the garden tools",
            ),
        ),
        (
            "Museum",
            (
                "Museum: Vitrinen sind 220 hoch",
                "Angebot ans Museum geschickt",
                "Das Museum nimmt unser Angebot an",
            ),
        ),
        (
            "Starter",
            (
                "Starter survived a week in the fridge",
                "starter: one part to five parts works best",
                "the rye starter was flat",
            ),
        ),
        (
            "Car",
            (
                "The new car is silver",
                "Picked up the new car",
                "the new car needs a charger",
            ),
        ),
        (
            "Adler",
            (
                "Prof. Dr. Adler liest am Montag",
                "Sprechstunde bei Prof. Dr. Adler",
                "Prof. Dr. Adler hat zugesagt",
            ),
        ),
        (
            "Klein",
            (
                "Dr. Klein changed my pills",
                "Saw Dr. Klein about the knee",
                "klein says rest",
            ),
        ),
        (
            "Zahnärztin",
            (
                "Meine Zahnärztin hat nichts gefunden",
                "Ich war heute bei der Zahnärztin",
                "Unsere Zahnärztin zieht um",
            ),
        ),
        # what notes begin with: a routine, a thing
        (
            "Volleyball",
            (
                "Volleyball fällt aus",
                "Volleyball am Montag in der alten Halle",
                "Volleyball gegen Ahlen verloren",
            ),
        ),
        (
            "Rasenmäher",
            (
                "Rasenmäher springt nicht an, Zündkerze?",
                "Rasenmäher beim Händler, zwei Wochen Wartezeit",
                "Rasenmäher repariert, 84 Euro",
            ),
        ),
        (
            "Zeitung",
            (
                "Zeitung lag wieder beim Nachbarn",
                "Zeitung abbestellt zum Monatsende",
                "die Zeitung kommt immer noch",
            ),
        ),
        (
            "Band practice",
            (
                "Band practice moved to Thursday",
                "no band practice until the ninth",
                "band practice cancelled, Leo has lost his voice",
            ),
        ),
        (
            "Driving lesson",
            (
                "Driving lesson at four, first time on the motorway",
                "driving lessons are 58 each now",
                "Driving lesson cancelled, instructor has flu",
            ),
        ),
        (
            "Sourdough",
            (
                "Sourdough came out flat, too little salt?",
                "sourdough with rye, 24 hours in the fridge",
                "Sourdough: tried the Dutch oven, crust at last",
            ),
        ),
        # the first note brings it in, the others speak of it as known
        (
            "Bike",
            ("Bought a bike today", "The bike squeaks", "My bike needs air"),
        ),
        (
            "Fahrrad",
            (
                "Habe ein Fahrrad gekauft",
                "Das Fahrrad quietscht",
                "Mein Fahrrad braucht Luft",
            ),
        ),
    ],
)
def test_a_thing_that_three_notes_name_gets_a_page(
    title: str, notes: tuple[str, ...]
) -> None:
    assert titles(*notes) == [title]


@pytest.mark.parametrize(
    "notes",
    [
        # times
        ("The day was long", "The day is over", "That was the day"),
        ("On Monday it rained", "Monday is busy", "I hate Monday"),
        ("Der Montag war gut", "Am Montag Sport", "Jeden Montag Training"),
        # one of several, not one thing
        ("A meeting with the bank", "Had a meeting", "The meeting was long"),
        ("The bike is old", "Saw a bike I like", "Rode the bike home"),
        (
            "The meeting was a waste of time",
            "The meeting with finance was moved",
            "The meeting on Friday is cancelled",
        ),
        ("Termin verschoben", "Der Termin ist gut", "Ein Termin beim Amt"),
        # verbs and first words
        ("Bought milk", "Bought bread", "Bought a kettle"),
        ("Called the bank", "Called my aunt", "Called a plumber"),
        # what belongs to different things
        ("the new car is red", "my new job is fine", "the new flat is big"),
        ("the boiler broke", "my phone broke", "the car broke"),
        ("run in the park", "run with Lea", "run cut short"),
        ("slept badly", "slept well, at last", "the baby slept"),
        ("Got soaked", "Got stuck in the lift", "Got lost again"),
        ("Schlecht geschlafen", "Schlecht gegessen", "Schlecht gelaunt"),
        ("Nachmittags im Bad", "Nachmittags geschlafen", "Nachmittags Regen"),
        ("Endgültig zu spät", "Endgültig verloren", "Endgültig fertig"),
        # what somebody is met for, or told about
        ("Mittagessen mit Lea", "Mittagessen bei Ben", "Mittagessen mit Ulf"),
        ("Besprechung mit Lea", "Besprechung für Ben", "Besprechung bei Ulf"),
        # what there is not
        ("Keine Geduld heute", "keine Geduld mehr", "Keine Geduld"),
        ("no luck today", "no luck again", "No luck at the bank"),
        # labels of notes
        ("Idea: sell the car", "idea: a garden", "Idea: bake more"),
        ("Frage: wer gießt?", "Frage: wann denn?", "Frage: wie teuer?"),
        # what happens again and again
        ("Dinner with Lea", "Dinner with Ben", "The dinner was good"),
        ("Rain again", "Rain all night", "The rain came in"),
        # how many there are of something
        ("40 Seiten im Zug", "11 Seiten gelesen", "nur 8 Seiten, müde"),
        ("3 Kilo geerntet", "wieder 2 Kilo", "5 Kilo zum Nachbarn"),
        # where somebody went
        ("Anna moved to Bergen", "the train to Bergen", "Fly to Bergen"),
        ("Anna zieht nach Bergen", "Lea war in Bergen", "Nach Bergen"),
        # pictures and dates
        ("🎉 taxes done", "🎉 roof finished", "🎉 rain at last"),
        ("2026-11-03: calm", "2026-11-04: rain", "2026-11-05: calm"),
        # when something was
        ("Ran in the morning", "Read in the morning", "Slept in the morning"),
        # the teller
        ("I am tired", "I ate soup", "I slept well"),
        ("Ich bin müde", "Ich habe Suppe gegessen", "Ich schlief gut"),
        # a name that is also a word
        ("Will Mark come", "mark the date", "Ask Mark to mark it"),
        # two notes
        ("Anna has a cold", "Anna's birthday is on 5 May"),
    ],
)
def test_what_is_no_single_thing_gets_no_page(notes: tuple[str, ...]) -> None:
    assert titles(*notes) == []


def test_two_people_of_one_first_name_get_two_pages() -> None:
    """Three notes of each were one page of "Tom"."""
    notes = (
        "Tom Ashby looks after the engine",
        "Met Tom Oduya at the lock",
        "Tom Oduya is off nights until Christmas",
        "Tom Ashby is in hospital",
        "Saw Tom Ashby again",
        "Tom Oduya has a new boat",
    )

    assert titles(*notes) == ["Tom Oduya"]
    assert titles(*notes, "Tom Ashby has a new boat") == ["Tom Ashby"]
    assert titles(*notes[:4]) == []


def test_a_note_that_lists_what_was_done_begins_nothing() -> None:
    notes = (
        "The stove went out",
        "lit the stove, rang the bank, fed the cat, swept the floor, slept",
        "The stove smokes",
    )

    assert titles(*notes) == []
    assert titles(*notes, "The stove is fine now") == ["Stove"]


def test_three_notes_of_one_day_begin_no_page() -> None:
    notes = ("Anna has a cold", "Dinner with Anna", "Anna is in Rome")
    assert titles(*notes, days=1) == []
    assert titles(*notes, days=2) == ["Anna"]


def test_only_a_note_of_tonight_begins_a_page() -> None:
    notes = naming("Anna has a cold", "Dinner with Anna", "Anna is in Rome")
    assert begun([note._replace(new=False) for note in notes]) == []


def test_a_note_stands_on_one_page_and_concerns_the_other() -> None:
    notes = naming(
        "Dinner with Anna and Paul",
        "Anna is in Rome",
        "Paul is in Rome",
        "Anna has a cold",
        "Lunch with Anna",
        "Lunch with Paul",
    )
    tonight = [note._replace(new=True) for note in notes]
    first, second = begun(tonight)
    assert (first.name, second.name) == ("Anna", "Paul")
    assert first.notes[0].capture == notes[0].capture
    assert [note.capture for note in second.others] == [notes[0].capture]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[[Boiler]] serviced today", "Boiler"),
        ("[[Boiler]]'s pressure is low", "Boiler"),
        ("see [[Boiler]]", None),
        ("More under [[Boiler]] and here", None),
        ("[[Boiler]]", None),
        ("[[Boiler]] and [[Kettle]] are old", None),
        ("![[boiler.png]] is the picture", None),
        ("[[notes/boiler]] is old", None),
    ],
)
def test_a_link_begins_a_page_where_the_note_is_about_it(
    text: str, target: str | None
) -> None:
    found = [part.partition("]]")[0] for part in text.split("[[")[1:]]
    assert find_link_subject(text, found, ()) == target


@pytest.mark.parametrize(
    ("title", "notes"),
    [
        (
            "Studio",
            (
                "left my good knife in the studio, again",
                "Someone broke the lock in the studio",
                "new lock for the studio, code is 4471",
            ),
        ),
        (
            "Allotment",
            (
                "The allotment gate code is 4417",
                "New gate code at the allotment: 9031",
                "Planted 12 leeks at the allotment",
            ),
        ),
        (
            "Schrebergarten",
            (
                "Im Schrebergarten sind die Zwetschgen fast reif",
                "im Schrebergarten den ganzen Tag geerntet",
                "Die Wasseruhr im Schrebergarten steht auf 412",
            ),
        ),
    ],
)
def test_a_place_of_its_owner_s_begins_a_page(
    title: str, notes: Sequence[str]
) -> None:
    assert titles(*notes) == [title]
    assert titles(*notes[:2]) == []


@pytest.mark.parametrize(
    "notes",
    [
        # always said in one way, and never first
        (
            "read twenty pages on the train",
            "slept on the train, no seat until Graz",
            "lost my scarf on the train",
            "met nobody on the train",
        ),
        (
            "Mira auf dem Markt getroffen",
            "Heute auf dem Markt nur Äpfel gekauft",
            "es gab auf dem Markt keine Eier mehr",
        ),
        # what says only how and when
        (
            "On the way I bought bread",
            "On the way to work it rained",
            "forgot my bag by the way",
        ),
        (
            "Zum Glück war die Tür offen",
            "Zum Glück hat es geregnet",
            "das ist zum Glück vorbei",
        ),
        # "the tax return" is a thing, and its parts are none
        ("for the tax return", "the tax return is late", "the tax return!"),
    ],
)
def test_what_is_said_by_the_way_begins_no_page(notes: Sequence[str]) -> None:
    assert {"Train", "Markt", "Way", "Glück", "Tax", "Return"}.isdisjoint(
        titles(*notes)
    )


def test_who_did_something_is_no_word_of_another_language() -> None:
    told = ("Per bought a motorbike", "Per moved to Kiel", "Per sold a boat")
    assert titles(*told) == ["Per"]


@pytest.mark.parametrize("name", ["Per", "Uwe", "Ida"])
def test_who_did_it_comes_before_what_it_was_done_to(name: str) -> None:
    told = (
        f"{name} bought a motorbike",
        f"{name} dented the motorbike",
        f"{name} sold the motorbike again",
    )
    assert titles(*told) == [name]


def test_numbered_things_are_none_of_their_kind() -> None:
    told = (
        "Volk 3 hat keine Königin mehr",
        "Volk 5 hat Milben",
        "Volk 3 ist ruhig",
        "Volk 5 ist stark",
        "Volk 3 bekam 2 Liter",
        "Volk 5 wiegt 32 kg",
    )
    assert titles(*told) == ["Volk 5"]
    assert titles(*told[:5]) == ["Volk 3"]


def test_a_number_is_written_with_a_nought_or_without() -> None:
    told = ("Volk 03 hat Milben", "Im Volk 3 ist Brut", "Volk 03 ist stark")
    assert titles(*told) == ["Volk 3"]


@pytest.mark.parametrize(
    ("title", "notes"),
    [
        (
            ["Tom"],
            (
                "Gave Tom 50 for the bike.",
                "Paid Tom 50 for the wood.",
                "Owe Tom 50 for petrol.",
            ),
        ),
        (
            ["Tom"],
            (
                "Saw Tom at the pier",
                "Tom 50 for petrol",
                "Tom 50 for the wood",
                "Tom 50 for the bike",
                "Met Tom",
            ),
        ),
        (
            [],
            (
                "Tom 50 for petrol",
                "Tom 50 for the wood",
                "Tom 50 for the bike",
            ),
        ),
        (
            ["Room 12"],
            (
                "Room 12 for the meeting",
                "Room 12 is booked",
                "Room 12 needs a new lamp",
            ),
        ),
        ([], ("Bought 3 eggs", "Bought 3 lamps.", "Bought 3 new chairs")),
        ([], ("Need 3 more bulbs", "Need 3 lamps", "Need 3 new chairs")),
        (
            [],
            (
                "Von Anna 20 bekommen",
                "Habe Anna 20 gegeben",
                "Habe Anna 20 geliehen",
            ),
        ),
    ],
)
def test_what_is_paid_or_counted_is_no_number_of_a_thing(
    title: list[str], notes: Sequence[str]
) -> None:
    assert titles(*notes) == title


@pytest.mark.parametrize(
    "text",
    ["Gewicht 80 kg", "Lunch 12 euros", "Anna 3 Eier", "Am Mai 3", "Puls 3,5"],
)
def test_an_amount_is_no_number_of_a_thing(text: str) -> None:
    assert not any(spot.form[-1].isdigit() for spot in find_spots(text))


@pytest.mark.parametrize(
    "notes",
    [
        ("With friends at the lake", "With friends in town", "With Tom here"),
        ("Notes On Bees", "Ideas On Tea", "Thoughts On Salt"),
        ("Per Post geschickt", "Per Rad dort", "Per Bahn zurück"),
    ],
)
def test_a_preposition_with_a_capital_is_seldom_a_name(
    notes: tuple[str, ...],
) -> None:
    assert not {"With", "On", "Per"} & set(titles(*notes))
