"""Notes without a verb, things that go and come back, and what a German sentence begins with."""

import pytest

from tests.language.claims.test_everyday import Fact, claims, read


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Standup at 9.15", [("standup", "is at", "9.15")]),
        ("Standup jetzt um 9:30", [("standup", "ist um", "9:30")]),
        ("Besprechung um 7:15", [("besprechung", "ist um", "7:15")]),
        (
            "Besprechung ab jetzt um 7:00 statt 7:15",
            [("besprechung", "ist um", "7:00")],
        ),
        (
            "Rehearsal Wednesdays at 8, Studio Nord",
            [("rehearsal", "is on", "Wednesdays at 8")],
        ),
        (
            "Merch box now in the studio cupboard",
            [("merch box", "is in", "studio cupboard")],
        ),
        ("Internet jetzt bei M-net", [("internet", "ist bei", "M-net")]),
        (
            "Rüttelplatte noch immer bei Toni",
            [("rüttelplatte", "ist bei", "Toni")],
        ),
        # of a person, or a command, or with a verb
        ("Anna at 9.15", []),
        ("Meet at 9.15", []),
        ("Anna jetzt in Köln", []),
        ("Jetzt im Garten", []),
        ("Still at work", []),
        ("Nothing now in the shed", []),
    ],
)
def test_a_bare_note_says_when_or_where_a_thing_is(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Deadline Falke: 3.9.",
        "Deadline von Falke: 3.9.",
        "Falkes Deadline: 3.9.",
    ],
)
def test_a_measure_and_a_name_are_one_matter(text: str) -> None:
    (claim,) = claims(text)
    assert (claim.key, claim.object) == (("falke", "deadline"), "3.9")


@pytest.mark.parametrize("text", ["Anna Weber: 5", "Praxis Amann: 5"])
def test_a_name_of_two_words_is_no_measure_of_a_thing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Budget for the EP raised to 2,400", ("ep", "Budget", "2,400")),
        (
            "Band account code changed to 8090",
            ("band account code", "is", "8090"),
        ),
        (
            "Budget Lindenhof auf 52.000 erhöht",
            ("lindenhof", "Budget", "52.000"),
        ),
        (
            "Besprechung auf Montag verschoben",
            ("besprechung", "verschoben auf", "Montag"),
        ),
        (
            "Kabeltrommel an Schreiner Huber verliehen",
            ("kabeltrommel", "ist bei", "Schreiner Huber"),
        ),
    ],
)
def test_a_note_may_leave_out_that_it_was_done(text: str, fact: Fact) -> None:
    assert fact in read(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Got the drill back from Lena", ("drill", "is with", "me")),
        ("Took the PA back to Rory", ("pa", "is with", "Rory")),
        ("Rory has his van back, full tank", ("van", "is with", "Rory")),
        ("Jonas gave me the pump back", ("pump", "is with", "me")),
        (
            "Gave Kezia her stethoscope back, bought a Littmann",
            ("stethoscope", "is with", "Kezia"),
        ),
        (
            "Toni hat sich unsere Rüttelplatte geholt",
            ("rüttelplatte", "ist bei", "Toni"),
        ),
        (
            "Wir haben die Leiter von Toni zurückbekommen",
            ("leiter", "ist bei", "uns"),
        ),
        (
            "Den Hänger haben wir Toni zurückgegeben",
            ("hänger", "ist bei", "Toni"),
        ),
        (
            "Das Brotmesser habe ich Tim geliehen.",
            ("brotmesser", "ist bei", "Tim"),
        ),
    ],
)
def test_who_has_a_thing_back_has_it(text: str, fact: Fact) -> None:
    assert fact in read(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Wir brauchen nicht mehr Milch.", []),
        ("Kaffee trinke ich keinen mehr.", []),
        ("Schlüssel habe ich Anna gegeben.", []),
        ("Tom took the train back.", [("tom", "took", "train back")]),
        (
            "Steuerberaterin heißt Frau Yildiz, nicht Frau Özcan",
            [("steuerberaterin", "heißt", "Frau Yildiz")],
        ),
        ("Den Hund füttert Opa.", [("opa", "füttert", "Hund")]),
        (
            "Borrowed the PA from Rory, needs to go back",
            [("me", "borrowed", "PA"), ("me", "borrowed from", "Rory")],
        ),
    ],
)
def test_whose_and_what_is_meant_must_be_sure(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Aisha can't do Tuesdays.", ("aisha", "do")),
        ("Oma kann dienstags nicht.", ("oma", "können")),
        ("Tom does the dishes.", ("tom", "do")),
        ("Emil will ein Fahrrad.", ("emil", "wollen")),
    ],
)
def test_a_helping_verb_alone_is_a_verb(
    text: str, key: tuple[str, str]
) -> None:
    assert [claim.key for claim in claims(text)] == [key]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "WG-Casting am 2. November um 18 Uhr.",
            [("wg-casting", "ist am", "2. November um 18 Uhr")],
        ),
        (
            "Fasching am 24. Februar, Kinder kommen verkleidet.",
            [("fasching", "ist am", "24. Februar")],
        ),
        (
            "Elternabend in der Kita am 24.9. um 19:30.",
            [("kita", "Elternabend", "24.9. um 19:30")],
        ),
        (
            "Health inspection on October 12 at 10.",
            [("health inspection", "is on", "October 12 at 10")],
        ),
        (
            "Insurance renewal due 3 September.",
            [("insurance renewal", "is due", "3 September")],
        ),
        ("Met Anna on 20 June.", []),
        ("Frau Weber am 3. Mai", []),
        ("Anna on 20 June", []),
    ],
)
def test_a_thing_has_its_day_without_a_verb(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Neuer Hausmeister ab Oktober: Tim Rösler, 0160 7788.",
            [("hausmeister", "ist", "Tim Rösler")],
        ),
        (
            "Neuer Hausmeister ist Tim Rösler.",
            [("hausmeister", "ist", "Tim Rösler")],
        ),
        (
            "New caretaker: Tim Hall",
            [("caretaker", "is", "Tim Hall")],
        ),
        (
            "New landlord is a Mrs. Brandauer.",
            [("landlord", "is", "Mrs. Brandauer")],
        ),
        ("New dentist: Dr. Huber", [("dentist", "is", "Dr. Huber")]),
        (
            "Neuer Zahnarzt: Dr. Huber",
            [("zahnarzt", "ist", "Dr. Huber")],
        ),
        ("New York: Grand Hotel", []),
        ("New rule: No Shoes", []),
        ("New book: Moby Dick", []),
        ("Sources: Tim Hall", []),
    ],
)
def test_who_is_new_in_a_role_has_it_now(text: str, facts: list[Fact]) -> None:
    assert read(text) == facts


def test_a_label_is_so_from_the_time_that_it_names() -> None:
    (claim,) = claims("Neuer Hausmeister ab Oktober: Tim Rösler")
    assert claim.period.start == "2026-10-01T00:00:00.000000Z"
    assert claim.change


@pytest.mark.parametrize(
    "text",
    [
        "I always pay the tax in March.",
        "Die Steuer zahle ich immer im März.",
        "Wir fahren meistens im August an die Nordsee.",
    ],
)
def test_what_is_always_so_has_no_one_date(text: str) -> None:
    assert {claim.period.start for claim in claims(text)} == {None}
    assert any(
        claim.object in ("March", "März", "August") for claim in claims(text)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Updates machen wir ab jetzt dienstags.", "dienstags"),
        ("Wir putzen das Treppenhaus samstags.", "samstags"),
    ],
)
def test_a_day_behind_a_noun_is_a_value_of_its_own(
    text: str, value: str
) -> None:
    assert [claim.object for claim in claims(text)][1:] == [value]


@pytest.mark.parametrize(
    "text",
    [
        "Anna is in Rome this week, as always.",
        "Karl is usually at home today.",
    ],
)
def test_a_habit_leaves_a_real_date_alone(text: str) -> None:
    assert {claim.period.start is None for claim in claims(text)} == {False}


def test_a_day_before_something_is_part_of_it() -> None:
    (claim,) = claims("Anna bringt Oma dienstags Suppe.")
    assert claim.object.endswith("Suppe")


def test_a_label_with_a_time_in_its_name_keeps_its_value() -> None:
    assert claims("Miete ab Mai: 820 Euro") != []
