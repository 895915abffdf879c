"""An answer is withheld after a note that lets somebody give it up, moves the thing, or tells the
change in another language.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from companion.answers.notes.giving_way import gives_up, goes_somewhere
from tests.answers.test_later_notes import shown_instead, tell, told_since
from tests.wiki import Wiki

OVERTAKEN: dict[str, Sequence[str]] = {
    "Who looks after the engine?": (
        "Gary looks after the engine.",
        "Gary has retired.",
    ),
    "Who is the caretaker?": (
        "The caretaker is Herr Wuttke.",
        "Wuttke left at Easter.",
    ),
    "Wer macht den Putzplan?": (
        "Enno macht den Putzplan.",
        "Louisa took over the cleaning rota from Enno.",
    ),
    "Wer gießt die Blumen?": (
        "Mirja gießt die Blumen.",
        "Tom hat die Balkonkästen von Mirja übernommen.",
    ),
    "Where is the toolbox?": (
        "The toolbox lives under the side hatch.",
        "Toolbox went into the bow locker.",
    ),
    "Where is Dad's toolbox?": (
        "Dad's toolbox lives under the side hatch.",
        "Put the toolbox into the bow locker.",
    ),
    "Wo steht das Bügelbrett?": (
        "Das Bügelbrett steht im Flur.",
        "Bügelbrett ist in den Keller gewandert.",
    ),
    "Where are the spare fuses?": (
        "Spare fuses are in the blue tin on the top shelf.",
        "The tin was getting full so the fuses live in the drawer now.",
    ),
    "Was kostet die Zehnerkarte?": (
        "Zehnerkarte kostet 120 Euro, für Schüler 80.",
        "Preise angepasst: Zehnerkarte 135, Schüler 90.",
    ),
    "What does tea cost?": ("Tea costs 50p.", "Tea 70p, milk got dear."),
    "How much are tickets?": (
        "Tickets are 15.",
        "Committee decided on 12 for tickets after all.",
    ),
    "Was kostet die Jahreskarte?": (
        "Die Jahreskarte kostet 15 Euro.",
        "Am Ende 12 Euro für die Jahreskarte.",
    ),
    "Wo ist der Ersatzschlüssel für den Serverraum?": (
        "Der Ersatzschlüssel für den Serverraum liegt bei der Pforte.",
        "Ersatzschlüssel hat jetzt Milan.",
    ),
    "Where is the spare key?": (
        "The spare key is with the baker next door.",
        "Got the spare key from the baker, it hangs in the office.",
    ),
    "Who is the landlord?": (
        "The landlord is Mr. Osei.",
        "Mr. Osei sold the house, new landlord is a Mrs. Brandauer.",
    ),
    "How far can I bend the knee?": (
        "I can bend the knee to 70 degrees.",
        "Bend is 78 today.",
    ),
    "Wo steht das Ultraschallgerät?": (
        "Ultraschallgerät steht in Raum 3.",
        "Ultraschall in Raum 1 umgezogen, wegen der Steckdose.",
    ),
    "Who has the spare key?": (
        "Lisa has the spare key",
        "Lisa lost the key, Tom had one cut",
    ),
    "Who has my drill?": ("Lena has my drill", "Got the drill back from Lena"),
    "Wo ist der Bohrhammer?": (
        "Bohrhammer ist bei Stefan",
        "Bohrhammer von Stefan zurück",
    ),
    "Wer hat die Kabeltrommel?": (
        "Kabeltrommel an Schreiner Huber verliehen",
        "Huber hat die Kabeltrommel zurückgebracht",
    ),
    "What time is yoga?": (
        "Yoga starts at 6.30pm",
        "Yoga is on again from the 23rd, new time 7pm",
    ),
    "When is the Falke mix due?": (
        "Deadline for the Falke mix: 3 September",
        "Falke mix isn't due 3 September but 10 September",
    ),
    "Wo steht der Transporter?": (
        "Der Transporter steht bei Auto Wimmer",
        "Transporter abgeholt",
    ),
    "When is the Hoffest?": (
        "Hoffest am 13. Juni, Beginn 16 Uhr.",
        "Das Hoffest wird um eine Woche verschoben, also 20. Juni.",
    ),
    "Wann ist das Sommerfest?": (
        "Sommerfest ist am 29. August ab 15 Uhr, Inge backt Kuchen.",
        "Das Sommerfest fällt wegen Regen aus, neuer Termin 5. September.",
    ),
    "When is the rowing dinner?": (
        "The rowing dinner is on 6 June.",
        "Rowing dinner called off, too few of us.",
    ),
    "Wann wird das Wasser abgestellt?": (
        "Wasser wird am 31. Oktober abgestellt.",
        "Wasser drehen sie dieses Jahr schon am 15. Oktober ab.",
    ),
}


@pytest.mark.parametrize("question", OVERTAKEN)
def test_what_gave_way_is_no_answer(tmp_path: Path, question: str) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, OVERTAKEN[question][:1])
    assert ask(wiki.ws, question, as_of=None, budget=500)["known"]
    tell_later(wiki, OVERTAKEN[question][1])

    assert shown_instead(wiki, question)[0] == OVERTAKEN[question][1]


def tell_later(wiki: Wiki, words: str) -> None:
    wiki.ingest(words, event_time="2026-03-09T09:00:00Z")
    wiki.consolidate()


STILL_SO: dict[str, Sequence[str]] = {
    "When is the rowing dinner?": (
        "The rowing dinner is on 6 June.",
        "Tickets for the rowing dinner are already sold, for 12 euros.",
    ),
    "Who looks after the engine?": (
        "Gary looks after the engine.",
        "Gary got a letter from Joss.",
        "Gary left at noon.",
        "Sheila took over the coal round from Ted.",
    ),
    "Where is Dad's toolbox?": (
        "Dad's toolbox lives under the side hatch.",
        "Mum's toolbox went into the bow locker.",
    ),
    "Where is the kiln?": (
        "The kiln is in the barn.",
        "Poured the glaze into the sink.",
    ),
    "Wo steht das Bügelbrett?": (
        "Das Bügelbrett steht im Flur.",
        "Das Bügelbrett ist alt.",
    ),
    "Wo hängt der Kellerschlüssel?": (
        "Der Kellerschlüssel hängt im Flur.",
        "Im Keller jetzt neues Licht.",
    ),
    "How much is the rent?": (
        "The rent is 900 euro.",
        "The rent 2 weeks late, no complaint.",
    ),
    "What does tea cost?": ("Tea costs 50p.", "Sold tea 40 times."),
    "Where is the tent?": (
        "The tent is in the loft.",
        "Patched the back of the tent.",
    ),
    "Where does Jan live?": (
        "Jan lives in Gent.",
        "Jan is back on Sunday.",
    ),
    "What does the ticket cost?": (
        "The ticket costs 15 euro.",
        "Meet at 5 for the ticket.",
        "Bus 12 for the ticket.",
        "15,00 euro for the ticket.",
    ),
    "Where is the spare key?": (
        "The spare key is with Tom.",
        "The spare key from Tom fits.",
    ),
}


@pytest.mark.parametrize("question", STILL_SO)
def test_what_is_of_another_leaves_the_answer(
    tmp_path: Path, question: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, STILL_SO[question])

    told_since(wiki, question)


def test_who_gives_up_is_named_in_the_sentence_that_says_so() -> None:
    assert gives_up("It rained. Gary has retired!", "Gary", "en")
    assert not gives_up("Gary waved. The old vicar has retired.", "Gary", "en")
    assert not gives_up("Nobody left", "", "en")
    assert gives_up("Frau Weber hat gekündigt.", "Frau Weber", "de")


def test_who_leaves_at_an_hour_comes_back() -> None:
    assert not gives_up("Gary left at noon, back tomorrow.", "Gary", "en")
    assert not gives_up("Gary left at 4.30", "Gary", "en")
    assert gives_up("Gary left at Easter.", "Gary", "en")
    assert gives_up("Gary left at 65.", "Gary", "en")
    assert gives_up("Gary resigned at noon.", "Gary", "en")


def test_a_way_leads_to_a_place() -> None:
    assert goes_somewhere("Ich habe sie ins Bad gestellt", "de")
    assert goes_somewhere("Kommt in den Keller", "de")
    assert not goes_somewhere("Steht in dem Keller", "de")
    assert not goes_somewhere("It is in the shed", "en")


def test_words_around_say_not_which_of_two_amounts_is_meant(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    tell(wiki, ["Zehnerkarte kostet 120 Euro, für Schüler 80."])
    asked = "Was kostet die Zehnerkarte für Schüler?"
    assert shown_instead(wiki, asked)


def test_what_the_ledger_weighed_by_a_chosen_rule_overtakes_nothing(
    tmp_path: Path,
) -> None:
    """Two sources say 5 and a later one 6: where the number of sources decides, 5 is the answer."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.write(".companion/companion.yaml", "claims: {price: evidence}\n")
    wiki.commit()
    for source, price in (("a", 5), ("b", 5), ("c", 6)):
        wiki.ingest(f"The price of Atlas is {price}.", source=source)
    wiki.consolidate()

    answer = ask(wiki.ws, "What is the price of Atlas?", as_of=None, budget=600)

    assert [one["value"] for one in answer["answers"]] == ["5"]
