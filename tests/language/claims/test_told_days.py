"""A time that is the value of a claim is written as the day that it meant when it was told."""

import pytest

from companion.language.claims.extract import LightExtractor

TOLD = "2026-09-10T12:00:00.000000Z"  # a Thursday


def read(text: str) -> list[tuple[str, str, str]]:
    """Return subject, predicate and value of each claim of *text*."""
    claims = LightExtractor().extract(text, event_time=TOLD)
    return [(one.subject, one.predicate, one.object) for one in claims]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The plumber comes tomorrow", "plumber|comes on|2026-09-11"),
        ("Mom arrives tonight", "Mom|arrives on|2026-09-10"),
        ("The exam was yesterday", "exam|was on|2026-09-09"),
        ("Anna arrives next Friday", "Anna|arrives on|2026-09-18"),
        ("The parcel arrived two days ago", "parcel|arrived on|2026-09-08"),
        ("The rent was raised last month", "rent|was raised|August 2026"),
        ("The plumber comes next week", "plumber|comes|week of 2026-09-14"),
        ("Rehearsal is tomorrow at 7pm", "Rehearsal|is on|2026-09-11 at 7pm"),
        ("Tom is out until tomorrow", "Tom|is out until|2026-09-11"),
        ("Dentist: tomorrow at 9", "Dentist|is|2026-09-11 at 9"),
        ("Heute kommt Anna", "Anna|kommt am|2026-09-10"),
        ("Morgen kommt der Klempner.", "Klempner|kommt am|2026-09-11"),
        ("Heute ist Sitzung", "Sitzung|ist am|2026-09-10"),
        ("Die Heizung wurde heute gewartet", "Heizung|gewartet am|2026-09-10"),
        ("Die Probe ist morgen um 19 Uhr", "Probe|ist am|2026-09-11 um 19 Uhr"),
        (
            "Die Sitzung wurde auf morgen verschoben",
            "Sitzung|verschoben auf|2026-09-11",
        ),
        ("Der Klempner kommt nächste Woche", "Klempner|kommt|KW 38 2026"),
        ("Die Miete steigt nächstes Jahr", "Miete|steigt|2027"),
        ("Zahnarzt morgen um 9", "Zahnarzt|ist um|9"),
        ("Nächste Woche kommt Anna", "Anna|kommt in|KW 38 2026"),
        ("Morgen Abend kommt Anna", "Anna|kommt am|2026-09-11"),
        ("The tickets are for next Friday", "tickets|are for|2026-09-18"),
        ("Frau Morgen kommt morgen", "Morgen|kommt am|2026-09-11"),
        # a name is no day
        ("Das Lied heißt Gestern", "Lied|heißt|Gestern"),
        ("Peter Morgen kommt am Freitag", "Morgen|kommt am|Freitag"),
        ("Dr. Morgen um 9", "Morgen|ist um|9"),
        ("The song is Yesterday", "song|is|Yesterday"),
        # counted from another day, or so every time
        ("Deliveries come the next day", "Deliveries|come|next day"),
        ("Mail arrives the next week", "Mail|arrives|next week"),
        ("The plumber usually comes next week", "plumber|comes|next week"),
        (
            "Die Post kommt immer am nächsten Tag",
            "Post|kommt am|nächsten Tag",
        ),
        ("It was cancelled last minute", ""),
        # a time that has no name of its own, or is not all that is said
        ("The project ends this summer", "project|ends|this summer"),
        (
            "Der Klempner kommt heute oder morgen",
            "Klempner|kommt|heute oder morgen",
        ),
        (
            "The deadline is at the end of next week",
            "deadline|is at|end of next week",
        ),
        ("The newspaper is yesterday's", "newspaper|is|yesterday's"),
        # what comes again, and what names its day
        ("The market is on Fridays", "market|is on|Fridays"),
        ("The visa expires on 3 May", "visa|expires on|3 May"),
        ("Anna kommt am Morgen", "Anna|kommt am|Morgen"),
        # how long it takes, whoever asks
        ("The visa expires in three weeks", "visa|expires in|three weeks"),
        ("Today's special is soup", "special|is|soup"),
    ],
)
def test_a_day_is_written_as_it_was_meant(text: str, fact: str) -> None:
    claims = read(text)
    if not fact:
        assert claims == []
        return
    (claim,) = claims
    subject, predicate, value = fact.split("|")
    assert claim[0].removeprefix("The ").split()[-1] == subject
    assert claim[1:] == (predicate, value)


@pytest.mark.parametrize(
    "text", ["Tomorrow is the deadline", "Jeden Morgen kommt Anna"]
)
def test_no_day_is_what_something_is_told_of(text: str) -> None:
    assert read(text) == []


def test_a_day_in_the_name_of_a_note_dates_it() -> None:
    claims = LightExtractor().extract("Zahnarzt morgen um 9", event_time=TOLD)
    assert [one.period.start for one in claims] == [
        "2026-09-11T00:00:00.000000Z"
    ]
