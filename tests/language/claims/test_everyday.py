"""Sentences that people write every day: short forms, likes and dislikes, measures, conditions."""

import pytest

from companion.language.claims.extract import LightExtractor
from companion.values.claims import Claim, Period

AT = "2026-09-28T08:00:00.000000Z"
Fact = tuple[str, str, str]


def claims(text: str) -> list[Claim]:
    return LightExtractor().extract(text, event_time=AT)


def read(text: str) -> list[Fact]:
    return [(one.key[0], one.predicate, one.object) for one in claims(text)]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Tom's allergic to nuts.", ("tom", "allergic to", "nuts")),
        ("Tom\u2019s allergic to nuts.", ("tom", "allergic to", "nuts")),
        ("Anna's an architect.", ("anna", "is", "architect")),
        ("Karen's pregnant.", ("karen", "is", "pregnant")),
        ("The boiler's broken.", ("boiler", "is", "broken")),
        ("Anna's moved to Leeds.", ("anna", "moved to", "Leeds")),
        ("Tom's got two cats.", ("tom", "has", "two cats")),
        ("Mum's still in York.", ("mum", "is in", "York")),
    ],
)
def test_a_short_is_or_has_is_a_verb(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Tom's dentist on Friday.",
        "Grandma's recipe for bread.",
        "Tom's late shift on Friday.",
        "Leo's fear of dogs.",
        "Anna's left knee.",
        "Tom's used car.",
        "Leo's training on Monday.",
    ],
)
def test_a_genitive_without_a_verb_states_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Oskar hates soy.", ("oskar", "hates", "soy")),
        ("Oskar can't stand soy.", ("oskar", "can stand", "soy")),
        ("Mia detests heights.", ("mia", "detests", "heights")),
        ("Leo fährt ohne Helm.", ("leo", "fährt mit", "Helm")),
        ("Jonas verträgt keine Milch.", ("jonas", "verträgt", "Milch")),
        ("Jonas zerkaut einen Stift.", ("jonas", "zerkaut", "Stift")),
    ],
)
def test_likes_and_dislikes_are_read(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I owe Jürgen 50 euros.", ("me", "owe Jürgen", "50 euros")),
        ("Jürgen owes me 50 euros.", ("jürgen", "owes me", "50 euros")),
        ("Ich schulde Jürgen 50 Euro.", ("me", "schulde Jürgen", "50 Euro")),
    ],
)
def test_whom_one_gives_what_are_two_things(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "given", "held"),
    [
        (
            "I gave Anna the key.",
            ("me", "gave Anna", "key"),
            ("key", "is with", "Anna"),
        ),
        (
            "Ich habe Anna den Schlüssel gegeben.",
            ("me", "gegeben Anna", "Schlüssel"),
            ("schlüssel", "ist bei", "Anna"),
        ),
        (
            "I lent my neighbour the drill.",
            ("me", "lent my neighbour", "drill"),
            ("drill", "is with", "my neighbour"),
        ),
    ],
)
def test_who_is_given_a_thing_has_it(
    text: str, given: Fact, held: Fact
) -> None:
    assert read(text) == [given, held]


HELD = {
    "Lent the drill to Marcus": ("drill", "Marcus", False),
    "Gave Tom the spare key.": ("spare key", "Tom", False),
    "Habe Rosa den Büroschlüssel gegeben.": ("büroschlüssel", "Rosa", False),
    "Habe die Leiter an Tom verliehen.": ("leiter", "Tom", False),
    "Tom has our ladder now.": ("ladder", "Tom", False),
    "Sabine hat unsere Bohrmaschine.": ("bohrmaschine", "Sabine", False),
    "Returned the ladder to Mr Kowalski.": ("ladder", "Mr Kowalski", False),
    "Marcus brought the drill back.": ("drill", "Marcus", True),
    "Femi returned the book.": ("book", "Femi", True),
    "Tom hat die Leiter zurückgegeben.": ("leiter", "Tom", True),
}


@pytest.mark.parametrize(("text", "held"), HELD.items())
def test_with_whom_a_thing_is(text: str, held: tuple[str, str, bool]) -> None:
    found = [
        (claim.key[0], claim.object, claim.negated)
        for claim in claims(text)
        if claim.predicate in ("is with", "ist bei")
    ]
    assert found == [held]


@pytest.mark.parametrize(
    "text",
    [
        "Tom has the flu.",
        "Tom has my number.",
        "Tom had our ladder.",
        "She has our ladder.",
        "Tom brought the cake.",
        "Tom gave him the key.",
        "Tom has the best voice.",
        "Lent a hand to Tom.",
    ],
)
def test_what_nobody_has_about_them_is_with_nobody(text: str) -> None:
    predicates = [claim.predicate for claim in claims(text)]
    assert "is with" not in predicates


WAYS = {
    "Rafael cycles to work.": ("get to work", "by bike"),
    "Rafael takes the bus to work now.": ("get to work", "by bus"),
    "Anna commutes by train to Leeds.": ("get to leeds", "by train"),
    "Ines fährt mit dem Rad zur Schule.": ("kommen zur schule", "mit dem Rad"),
    "Oma nimmt den Bus zur Arbeit.": ("kommen zur arbeit", "mit dem Bus"),
    "Mila läuft zur Schule.": ("kommen zur schule", "zu Fuß"),
}


@pytest.mark.parametrize(("text", "way"), WAYS.items())
def test_how_somebody_gets_somewhere(text: str, way: tuple[str, str]) -> None:
    ways = [(claim.key[1], claim.object) for claim in claims(text)]
    assert way in ways


def test_what_one_likes_to_do_is_a_thing() -> None:
    fact = ("anna", "likes", "cycling in the rain")
    assert read("Anna likes cycling in the rain.") == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Rafael cycled to work yesterday.",
        "Rafael doesn't cycle to work.",
        "The path leads to work.",
        "Anna takes the lead to Tom.",
    ],
)
def test_no_way_is_read_where_nobody_goes(text: str) -> None:
    assert not any(claim.key[1].startswith("get to") for claim in claims(text))


LABELS = {
    "New gate code at the allotment: 9031": ("allotment", "gate code", "9031"),
    "Swimming lessons: Thursdays 16:30": (
        "swimming lessons",
        "is on",
        "Thursdays 16:30",
    ),
    "Standup now 9:45": ("standup", "is at", "9:45"),
    "Garage code changed, now 2280.": ("garage code", "is", "2280"),
    "Hotel in Lisbon: Casa Amarela": ("lisbon", "Hotel", "Casa Amarela"),
    "Release 3.1: 18 May": ("release 3.1", "is", "18 May"),
    "Rent for the studio: 395 euros": ("studio", "Rent", "395 euros"),
    "Neuer Kassenwart im Chor: Herr Yildiz": (
        "chor",
        "Kassenwart",
        "Herr Yildiz",
    ),
    "Chorprobe jetzt dienstags": ("chorprobe", "ist", "dienstags"),
}


@pytest.mark.parametrize(("text", "fact"), LABELS.items())
def test_a_note_without_a_verb_states_a_value(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Anna: Thursday",
        "Anna Weber: 9:45",
        "Tom: 9:30 works",
        "Resting pulse: 61",
        "p95 of the checkout: 170 ms",
        "Ingredients: 200 g flour",
        "Note to self: 5 eggs",
        "Dune: Part Two",
        "Sources: Smith 2004",
        "Dinner at 8: Casa Oro",
        "What I learned: 3 things",
        "Packing list: 2 shirts, 3 socks",
        "Is it now 9:45?",
    ],
)
def test_a_label_of_something_else_states_nothing(text: str) -> None:
    assert read(text) == []


def test_whom_nobody_knows_gets_nothing() -> None:
    assert read("I gave him the key.") == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Lake Varn is 62 metres deep.", ("lake varn", "depth", "62 metres")),
        (
            "Lake Varn has a depth of 62 metres.",
            ("lake varn", "depth", "62 metres"),
        ),
        (
            "The depth of Lake Varn is 62 metres.",
            ("lake varn", "depth", "62 metres"),
        ),
        ("The wall is two metres thick.", ("wall", "thickness", "two metres")),
        ("Die Brücke ist 40 Meter lang.", ("brücke", "Länge", "40 Meter")),
        ("Unser Teich ist 2 m tief.", ("us", "Teich Tiefe", "2 m")),
        (
            "Der See hat eine Tiefe von 40 Metern.",
            ("see", "Tiefe", "40 Metern"),
        ),
    ],
)
def test_a_measure_tells_one_value_of_a_quality(text: str, fact: Fact) -> None:
    assert read(text) == [fact]
    assert claims(text)[0].functional


def test_two_measures_are_two_matters() -> None:
    assert read("The tower is 30 metres high and 12 metres wide.") == [
        ("tower", "height", "30 metres"),
        ("tower", "width", "12 metres"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Mum walks without a stick now.",
        "Mum walks without the stick again.",
        "Mama geht wieder ohne Stock.",
        "Mama geht jetzt ohne Stock.",
    ],
)
def test_without_denies_with_and_again_is_a_change(text: str) -> None:
    (claim,) = claims(text)
    assert claim.negated
    assert claim.change
    assert claim.predicate.split()[1] in ("with", "mit")


@pytest.mark.parametrize(
    "text",
    [
        "Leo takes the bus when it is cold.",
        "Leo wears a knitted hat when it is cold.",
        "Oskar eats fish, but only if it is smoked.",
        "The shop is open on Sundays if the sun shines.",
        "Leo trägt eine Mütze, wenn es kalt ist.",
        "Oskar isst Fisch, aber nur wenn er geräuchert ist.",
        "Mein Bruder fährt mit dem Rad, außer wenn es regnet.",
    ],
)
def test_what_holds_under_a_condition_is_not_simply_so(text: str) -> None:
    assert {one.mood for one in claims(text)} == {"tentative"}


@pytest.mark.parametrize(
    "text",
    [
        "Anna also lived in York when she was small.",
        "Anna lives in Leeds even if nobody knows it.",
        "The launch is on Friday, when Tom is back.",
        "Anna lives in Leeds; if it rains she stays home.",
    ],
)
def test_a_time_and_what_follows_are_no_condition(text: str) -> None:
    assert claims(text)[0].mood == "confirmed"


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The pump needs a new seal #house", ("pump", "needs", "new seal")),
        ("The pump needs a new seal #house.", ("pump", "needs", "new seal")),
        ("#house The pump needs a seal.", ("pump", "needs", "seal")),
        ("The #pump needs a seal.", ("pump", "needs", "seal")),
        ("status:: done #work/boat", ("", "status", "done")),
        ("Anna writes C#.", ("anna", "writes", "C#")),
        ("Anna works on issue #42.", ("anna", "works on", "issue #42")),
    ],
)
def test_a_tag_is_no_part_of_a_value(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


def test_who_leads_a_thing_is_a_matter_of_the_thing() -> None:
    first = claims("Carla leads the Atlas project.")[0]
    later = claims("Since March Deniz leads the Atlas project.")[0]
    passive = claims("The Atlas project is led by Carla.")[0]
    assert first.key == later.key == passive.key
    assert first.functional
    assert later.change
    assert read("Oda leads the walks.") == [("oda", "leads", "walks")]
    assert claims("Carla no longer leads Atlas.")[0].negated


@pytest.mark.parametrize(
    "text",
    [
        "Since May the build runs on Forgejo.",
        "Our house is heated with a heat pump now.",
        "Seit Mai läuft der Build auf Forgejo.",
        "Seit Oktober wird das Haus mit Pellets beheizt.",
    ],
)
def test_what_a_thing_runs_on_since_then_is_one(text: str) -> None:
    (claim,) = claims(text)
    assert claim.functional
    assert claim.change
    assert (claim.period.start or AT) <= AT


VERSE = """
The rose is red, the violet's blue,
The honey's sweet, and so are you.
The sea is wide, the sky is deep,
The stars keep watch above my sleep.
""".strip()
HEADED = """
# Poem for Mum

The moon is a lantern
The river is a snake
""".strip()
DEUTSCH = """
Der Mond ist aufgegangen,
die goldnen Sternlein prangen
am Himmel hell und klar;
der Wald steht schwarz und schweiget,
und aus den Wiesen steiget
der weiße Nebel wunderbar.
""".strip()
FACTS = """
Anna lives in Leeds.
Bob lives in York.
Carl lives in Bath.
Dora lives in Cork.
""".strip()


@pytest.mark.parametrize("text", [VERSE, HEADED, DEUTSCH])
def test_a_line_of_a_poem_states_nothing(text: str) -> None:
    assert read(text) == []


def test_a_list_of_facts_is_no_poem() -> None:
    assert len(read(FACTS)) == 4
    assert read("Leo wrote a poem.\n\nAnna lives in Leeds.")
    assert read("# Lyrics\n\nLa la la\nLa la\n\n# Home\n\nAnna lives in Leeds.")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "NSF moved the deadline to April 29.",
            [("deadline", "moved to", "April 29")],
        ),
        ("Anna moved the sofa to the attic.", [("sofa", "moved to", "attic")]),
        (
            "The bank changed the rate from 3 to 4 percent.",
            [("rate", "is", "4 percent"), ("rate", "changed to", "4 percent")],
        ),
        (
            "Wir haben den Zahnarzt auf Freitag verschoben.",
            [("zahnarzt", "verschoben auf", "Freitag")],
        ),
        (
            "Der Vermieter hat die Miete auf 980 Euro erhöht.",
            [("miete", "beträgt", "980 Euro")],
        ),
    ],
)
def test_who_moves_a_thing_stays_where_he_is(
    text: str, facts: list[Fact]
) -> None:
    found = read(text)

    assert set(facts) <= set(found)
    assert {fact[2] for fact in facts}.isdisjoint(
        value for who, _, value in found if who != facts[0][0]
    )


def test_who_moves_with_no_thing_moves() -> None:
    assert read("Anna moved to Leeds.") == [("anna", "moved to", "Leeds")]


def test_a_comma_before_another_subject_ends_a_value() -> None:
    assert read("Priya works in Bern, Tomasz takes over the lab.") == [
        ("priya", "works in", "Bern"),
        ("tomasz", "takes over", "lab"),
    ]
    assert read("Anna moved to Portland, Oregon.") == [
        ("anna", "moved to", "Portland, Oregon")
    ]


def test_a_number_joined_to_a_word_is_one_word() -> None:
    assert read("Tomasz works with 96-well plates.") == [
        ("tomasz", "works with", "96-well plates")
    ]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "Der Server kostet 49 Euro im Monat.",
            ("server", "kostet", "49 Euro im Monat"),
        ),
        (
            "Das Kaninchen bekommt nur 50 g Pellets am Tag.",
            ("kaninchen", "bekommt", "50 g Pellets am Tag"),
        ),
    ],
)
def test_a_period_belongs_to_its_amount(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


def test_a_value_begins_with_no_pronoun_that_has_a_verb() -> None:
    text = "Socke wiegt jetzt 2,1 kg, vor zwei Wochen waren es 2,4 kg."

    assert read(text) == [("socke", "wiegt", "2,1 kg")]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "Tom ist gegen Nüsse allergisch.",
            ("tom", "allergisch gegen", "Nüsse"),
        ),
        ("Anna ist in Paul verliebt.", ("anna", "verliebt in", "Paul")),
        ("Lena isst gern Pilze.", ("lena", "isst", "Pilze")),
        ("Finn mag am liebsten Nudeln.", ("finn", "mag am", "Nudeln")),
        (
            "The choir meets on the first Tuesday of the month at Anouk's.",
            ("choir", "meets at", "Anouk's"),
        ),
    ],
)
def test_an_adjective_at_the_end_and_words_beside_a_value(
    text: str, fact: Fact
) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The meeting is on Friday at 6 pm in the town hall.", "2026-10-02"),
        ("Der Elternabend ist am 3. Dezember in der Aula.", "2026-12-03"),
        ("The meeting was on Friday in the town hall.", "2026-09-25"),
    ],
)
def test_what_is_on_a_day_is_to_come(text: str, day: str) -> None:
    (claim,) = claims(text)

    assert claim.period.start is not None
    assert claim.period.start.startswith(day)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "Die Heizung wurde von Firma Roth eingebaut.",
            ("heizung", "eingebaut von", "Firma Roth"),
        ),
        (
            "Das Amt hat den Antrag abgelehnt.",
            ("amt", "abgelehnt", "Antrag"),
        ),
    ],
)
def test_a_part_stands_before_a_participle(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Ben is scared of the dog.", ("ben", "scared of", "dog")),
        # "ben" is Dutch for "am"
        ("Ben is scared of spiders.", ("ben", "scared of", "spiders")),
        ("Anna is proud of Tom.", ("anna", "proud of", "Tom")),
        (
            "The passport expires in May 2029.",
            ("passport", "expires in", "May 2029"),
        ),
    ],
)
def test_an_adjective_has_an_object_of_its_own(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "Het is in Amsterdam.",
        "Ben ik te laat?",
        "Ben is scared of spiders. Zij is in de tuin met het boek.",
    ],
)
def test_a_first_word_alone_makes_no_dutch_sentence_english(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Pia doesn't teach on Wednesdays any more, it's Mondays now.",
            [("pia", "teach on", "Wednesdays"), ("pia", "teach on", "Mondays")],
        ),
        (
            "Ben no longer works at Siemens, it's Bosch now.",
            [("ben", "works at", "Siemens"), ("ben", "works at", "Bosch")],
        ),
        (
            "Rehearsal isn't at 7 any more, it's 7:30 now.",
            [("rehearsal", "is at", "7"), ("rehearsal", "is at", "7:30")],
        ),
    ],
)
def test_it_is_now_what_stands_instead_of_what_was_denied(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts
    assert [claim.negated for claim in claims(text)] == [True, False]


def test_it_may_be_what_somebody_did_something_to() -> None:
    text = "Lena borrowed my drill. It is in her car."
    places = [fact for fact in read(text) if fact[1].startswith("is ")]
    assert places == []


@pytest.mark.parametrize(
    "text",
    [
        "Our boiler is a Vaillant, installed in 2014.",
        "The dog needs tablets every three months, last given today.",
        "The kiln costs 400, paid yesterday.",
        "Die Uhr ist beim Uhrmacher, gestern abgegeben.",
        "Das Auto braucht neue Reifen, heute bestellt.",
        "Nora started at the clinic, night shifts until next June.",
    ],
)
def test_a_time_of_a_remark_does_not_end_what_is_so(text: str) -> None:
    (claim,) = claims(text)
    assert claim.period == Period()


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Anna lives in Bern, since May.", "2026-05-01"),
        ("Tom was in Rome, yesterday.", "2026-09-27"),
        ("The shop is closed, today.", "2026-09-28"),
        ("Der Schlüssel liegt beim Nachbarn, seit gestern.", "2026-09-27"),
    ],
)
def test_a_time_alone_behind_a_comma_is_of_the_fact(
    text: str, start: str
) -> None:
    (claim,) = claims(text)
    assert (claim.period.start or "")[:10] == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        # told on Monday, 28 September 2026
        ("The engineer comes on Thursday between 8 and 10.", "2026-10-01"),
        ("Mum visits her sister in August.", "2027-08-01"),
        ("Wir fahren im August nach Dänemark.", "2027-08-01"),
        ("Mum visited her sister in August.", "2026-08-01"),
        ("Wir waren im August in Dänemark.", "2026-08-01"),
    ],
)
def test_what_somebody_does_is_to_come_and_what_they_did_is_over(
    text: str, start: str
) -> None:
    (claim,) = claims(text)
    assert (claim.period.start or "")[:10] == start


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "The plumber, Marek, charges 60 an hour.",
            [("marek", "is", "plumber"), ("marek", "charges", "60 an hour")],
        ),
        (
            "Our landlord, Mr Okafor, prefers text messages.",
            [
                ("us", "landlord", "Mr Okafor"),
                ("mr okafor", "prefers", "text messages"),
            ],
        ),
        (
            "The boat, a Folkboat, costs 4,000.",
            [("boat", "is", "Folkboat"), ("boat", "costs", "4,000")],
        ),
        (
            "Opa ist nach Kiel gezogen, Zimmer 14.",
            [("opa", "gezogen nach", "Kiel")],
        ),
    ],
)
def test_a_name_between_commas_is_who_has_the_role(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


def test_it_is_what_somebody_gave_back() -> None:
    text = "Tom gave the spare key back, it's with Pia now."
    places = [
        (claim.key[0], claim.object, claim.negated)
        for claim in claims(text)
        if claim.predicate == "is with"
    ]
    assert places == [("spare key", "Tom", True), ("spare key", "Pia", False)]


@pytest.mark.parametrize(
    "text",
    [
        "Club evening is every first Thursday at the Ship Inn.",
        "Sabine works at the weekend.",
        "Sabine arbeitet am Wochenende.",
        "Chor ist jeden ersten Donnerstag im Gemeindehaus.",
    ],
)
def test_a_habit_has_no_end(text: str) -> None:
    assert all(claim.period == Period() for claim in claims(text))


def test_what_is_booked_for_a_day_is_to_come() -> None:
    (claim,) = claims("Lift-out booked for 14 April at Haines.")
    assert (claim.period.start or "")[:10] == "2027-04-14"


@pytest.mark.parametrize(
    ("text", "start"),
    [
        # what stands between the comma and the time is what the time is said of
        ("I'm stage manager at the Odeon, premiere on 26 September.", ""),
        ("The premiere was put off by a week, new date 3 October.", ""),
        ("Ich bin beim Kurs angemeldet, Beginn 7. März.", ""),
        ("Tom moved to Leeds, England in May 2024.", "2024-05-01"),
        ("Anna worked at Siemens, from May 2019 on.", "2019-05-01"),
        ("Ticket office opens on 1 September, Mon to Fri.", ""),
    ],
)
def test_a_time_behind_a_comma_is_of_the_noun_before_it(
    text: str, start: str
) -> None:
    first = claims(text)[0]
    assert (first.period.start or "")[:10] == start


def test_a_weekday_behind_a_month_is_no_name() -> None:
    assert read("Ticket office opens on 1 September, Mon to Fri.")[0] == (
        "ticket office",
        "opens on",
        "1 September",
    )


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The name of Ben's dog is Bello.", ("ben", "dog", "Bello")),
        (
            "The colour of Anna's car is red.",
            ("anna's car", "colour", "red"),
        ),
        (
            "The fee for Ben's swimming course is 80.",
            ("ben's swimming course", "fee", "80"),
        ),
        (
            "The price for the honey jar is 8 euros.",
            ("honey jar", "price", "8 euros"),
        ),
        (
            "Der Preis fürs Honigglas ist jetzt 8 Euro.",
            ("honigglas", "Preis", "8 Euro"),
        ),
        # it may be the king, or the daughter, that is of Spain
        (
            "The king of Spain's daughter is Leonor.",
            ("king of spain's daughter", "is", "Leonor"),
        ),
        ("The price for two is 40.", ("price for two", "is", "40")),
    ],
)
def test_a_role_of_somebodys_thing_is_of_that_thing(
    text: str, fact: Fact
) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "Deadline for the Merrow bid is 9 April.",
            ("merrow bid", "deadline", "9 April"),
        ),
        ("Price of a scoop is 1.80.", ("scoop", "price", "1.80")),
        ("Rent for our shed is 70 euro.", ("our shed", "rent", "70 euro")),
        (
            "Frist für den Antrag ist der 9. April.",
            ("antrag", "Frist", "9. April"),
        ),
        # no value of a measure, no thing that is known, no measure
        (
            "Power of attorney is with Ines.",
            ("power of attorney", "is with", "Ines"),
        ),
        (
            "Price of the tent is fair.",
            ("price of the tent", "is", "fair"),
        ),
        (
            "Date of birth is 3 May 1990.",
            ("date of birth", "is", "3 May 1990"),
        ),
        ("Page of the atlas is 12.", ("page of the atlas", "is", "12")),
        (
            "Age of Mythology is 20 euro.",
            ("age of mythology", "is", "20 euro"),
        ),
        (
            "Height of Summer is 21 June.",
            ("height of summer", "is", "21 June"),
        ),
    ],
)
def test_a_measure_of_a_known_thing_needs_no_article(
    text: str, fact: Fact
) -> None:
    assert read(text) == [fact]


def test_a_month_is_no_verb() -> None:
    [claim] = claims("Tom's birthday is May 3.")
    assert (claim.object, claim.mood) == ("May 3", "confirmed")
    [claim] = claims("Tom may move to Leeds.")
    assert claim.mood == "tentative"
