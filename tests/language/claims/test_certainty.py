"""What states nothing: precision before recall."""

import pytest

from companion.language.claims.extract import LightExtractor
from companion.values.claims import Claim

AT = "2026-02-11T10:30:00.000000Z"


def claims(text: str) -> list[Claim]:
    return LightExtractor().extract(text, event_time=AT)


def said(text: str) -> list[tuple[str, str, str]]:
    return [(one.subject, one.predicate, one.object) for one in claims(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Use small jars like Weck for the jam.",
        "Ensure the lid is tight before the hives open.",
        "Include three stamps like last year.",
        "Let's review the plan for Zenda.",
    ],
)
def test_a_command_states_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "You live in Zenda.",
        "Your dentist is Ada Falk.",
        "I gave you the key.",
        "Glad you moved to Zenda.",
        "Du wohnst in Zenda.",
    ],
)
def test_what_is_said_of_the_listener_states_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Here are the three suggestions:",
        "I'm sure it'll be fine.",
        "I won't forget that.",
        "I'm not sure where the key is.",
        "It sounds like a good idea.",
        "Otto leads Brass Nine. It's important to book early.",
    ],
)
def test_an_idiom_states_nothing(text: str) -> None:
    assert not {one[0] for one in said(text)} - {"Brass Nine"}
    assert len(said(text)) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "He claims that the office is in Zenda.",
        "Otto insists the office is in Zenda.",
        "\u201cThe office is in Zenda,\u201d said Otto.",
        '"The office is in Zenda."',
        "Oh great, the office is in Zenda.",
        "Yeah, right, the office is in Zenda.",
        "Er behauptet, das Büro ist in Zenda.",
        "Von wegen, das Büro ist in Zenda.",
        "If you live in Zenda, Otto leads the choir.",
        "Wenn du in Zenda wohnst, leitet Otto den Chor.",
    ],
)
def test_what_the_writer_does_not_say_of_their_own_states_nothing(
    text: str,
) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "tea",
        "ok",
        "Zenda?",
        "milk, eggs, bread",
        "- milk\n- eggs\n- two loaves",
        "def move(x):\n    return x + 1",
        "Rosen, Tulpen, Nelken,\nalle Blumen welken",
        "O rose, o lamp, o silent stair,\nand never a foot upon the air",
        "東京に引っ越した。",
        "Переехал в Москву.",
        "نعيش في القاهرة",
    ],
)
def test_what_is_no_statement_states_nothing(text: str) -> None:
    assert claims(text) == []


def test_a_note_of_two_hundred_thousand_words_is_read_to_the_end() -> None:
    text = "so so so so. " * 50_000 + "Otto lives in Zenda."

    assert said(text) == [("Otto", "lives in", "Zenda")]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I'm looking for ideas for lunch.", "ideas for lunch"),
        ("I wrote a paper on tides.", "paper on tides"),
        ("I'm thinking of hosting a fair in May.", "hosting a fair"),
        ("We are working on building up trust.", "building up trust"),
        ("I got a red bicycle.", "red bicycle"),
        ("I have questioned the invoice.", "invoice"),
    ],
)
def test_what_belongs_to_a_noun_stays_with_it(text: str, value: str) -> None:
    assert [one[2] for one in said(text)] == [value]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("I sold jam at the Spring Market.", ["jam", "Spring Market"]),
        ("I keep the key in the blue box.", ["key", "blue box"]),
        ("I took the train to see a friend.", ["train"]),
        ("We rely on the queue and on the ledger.", ["queue", "ledger"]),
    ],
)
def test_what_belongs_to_the_verb_is_a_fact_of_its_own(
    text: str, values: list[str]
) -> None:
    assert [one[2] for one in said(text)] == values


def test_what_can_be_done_is_told_as_that() -> None:
    assert said("Otto can repair clocks.") == [("Otto", "can repair", "clocks")]
    assert [one.mood for one in claims("Otto could repair clocks.")] == [
        "tentative"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The pump, which might be replaced some day, is in the cellar.",
        "Die Pumpe, die vielleicht ersetzt wird, steht im Keller.",
        "Ana, who may move to Porto, works at Brass Nine.",
    ],
)
def test_a_relative_clause_leaves_the_main_clause_certain(text: str) -> None:
    main = claims(text)[-1]

    assert (main.mood, main.change) == ("confirmed", False)
    assert main.subject in ("The pump", "Die Pumpe", "Ana")


def test_a_time_in_a_relative_clause_is_not_the_main_clauses() -> None:
    (found,) = claims("I finished a kit that I had bought in March 2025.")

    assert not found.period.stated


def test_twice_a_day_is_no_day() -> None:
    (found,) = claims("I have taken the drops twice a day back in 2024.")

    assert (found.period.start or "")[:4] == "2024"


def test_it_means_what_the_last_sentence_named() -> None:
    assert said("Brass Nine is a band. It is in Zenda.")[-1][0] == "Brass Nine"
    assert len(said("Brass Nine is a band. Rain. It is in Zenda.")) == 1


@pytest.mark.parametrize(
    ("text", "who", "value"),
    [
        ("Seit Mai ist Dr. Berg unser Kinderarzt.", "we", "Dr. Berg"),
        ("Seit Mai ist Anna Ärztin.", "Anna", "Ärztin"),
        ("In Kiel wohnt jetzt Anna Falk.", "Anna Falk", "Kiel"),
        ("Jonas arbeitet bei Sommer und Winter.", "Jonas", "Sommer und Winter"),
        ("Bin im Mai nach Kiel gezogen.", "I", "Kiel"),
        ("Moved to Kiel in May.", "I", "Kiel"),
        ("The clinic that could close is in Kiel.", "The clinic", "Kiel"),
        ("The film is called Dune (2021).", "The film", "Dune (2021)"),
        ("I joined the Spring Choir.", "I", "Spring Choir"),
    ],
)
def test_who_and_what(text: str, who: str, value: str) -> None:
    assert (who, value) in {(one[0], one[2]) for one in said(text)}


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("In May I move to Kiel.", "2026-05", ""),
        ("In May I moved to Kiel.", "2025-05", ""),
        ("Im Oktober ziehen wir nach Kiel.", "2026-10", ""),
        ("Ab dieser Woche ist die Probe am Montag.", "2026-02-09", ""),
        ("From this week yoga is on Mondays.", "2026-02-09", ""),
    ],
)
def test_when_a_change_is_told_to_begin(
    text: str, start: str, end: str
) -> None:
    (found,) = claims(text)

    assert (found.period.start or "").startswith(start)
    assert (found.period.end or "") == end


def test_before_that_ends_where_the_change_began() -> None:
    moved, lived = claims("Moved to Kiel in May, before that I lived in Ulm.")

    assert (lived.object, lived.period.end) == ("Ulm", moved.period.start)


@pytest.mark.parametrize(
    "text",
    [
        "Must have taken a lot of work.",
        "Working together would be great.",
        "I'm trying to figure out how it works.",
        "Always report the numbers when I ask about speed.",
        "I want to make sure my plan works well.",
    ],
)
def test_a_sentence_cut_open_states_nothing(text: str) -> None:
    assert claims(text) == []


def test_a_noun_that_may_be_a_verb_is_a_value() -> None:
    assert said("The garden shed needs paint.") == [
        ("The garden shed", "needs", "paint")
    ]
