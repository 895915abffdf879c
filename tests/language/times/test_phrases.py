"""Valid time: stretches of the calendar, and the phrases that name them."""

from datetime import datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.language.detect import read_language_data
from companion.language.times import calendar
from companion.language.times.mentions import Mention, Tense
from companion.language.times.periods import period_of
from companion.language.times.phrases import TimeReader, time_reader
from companion.language.words.stop_words import STOP_WORDS
from companion.values.claims import Period


def at(year: int, month: int, day: int) -> datetime:
    return calendar.day(year, month, day).start


AT = "2026-02-11T10:30:00.000000Z"  # a Wednesday
UNITS = (
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "season",
    "year",
    "decade",
)
moments = st.datetimes(min_value=at(1000, 1, 1), max_value=at(9000, 12, 31))
units = st.sampled_from(UNITS)


def read(
    text: str,
    *,
    language: str = "en",
    at: str = AT,
    tense: Tense = "present",
    onset: bool = False,
) -> Period:
    mentions = time_reader(language).mentions(
        text, calendar.parse_moment(at), tense=tense
    )
    return period_of(mentions, onset=onset, lasting=True)


def said(text: str, **how: str) -> tuple[str, str, str | None]:
    period = read(text, **how)  # type: ignore[arg-type]
    return (
        (period.start or "-")[:16],
        (period.end or "-")[:16],
        period.precision,
    )


# -- the calendar ----------------------------------------------------------------------------------


@given(moments, units)
def test_a_moment_lies_in_its_unit_and_in_no_neighbour(
    moment: datetime, unit: str
) -> None:
    before, own, after = (
        calendar.neighbour(moment, n, unit) for n in (-1, 0, 1)
    )

    assert own.start <= moment < own.end
    assert before.end == own.start and own.end == after.start, (
        "units are half-open and leave no gap"
    )


@given(moments, units, st.integers(-40, 40))
def test_neighbours_are_monotone(
    moment: datetime, unit: str, count: int
) -> None:
    assert (
        calendar.neighbour(moment, count, unit).end
        == calendar.neighbour(moment, count + 1, unit).start
    )


@given(moments, units)
def test_a_later_moment_lies_in_no_earlier_unit(
    moment: datetime, unit: str
) -> None:
    later = moment + timedelta(hours=31)

    assert (
        calendar.around(moment, unit).start
        <= calendar.around(later, unit).start
    )


@given(
    moments,
    st.sampled_from(("month", "quarter", "year")),
    st.integers(-200, 200),
)
def test_adding_months_keeps_the_day_or_takes_the_last(
    moment: datetime, unit: str, count: int
) -> None:
    moved = calendar.add(moment, count, unit)

    assert moved.day == moment.day or (moved + timedelta(days=1)).day == 1


@given(moments, st.integers(1, 12), st.booleans())
def test_the_month_near_a_moment_is_the_nearest(
    moment: datetime, month: int, strict: bool
) -> None:
    last = calendar.month_near(moment, month, direction=-1, strict=strict)
    following = calendar.month_near(moment, month, direction=1, strict=strict)

    assert last.start.month == following.start.month == month
    assert last.end <= moment if strict else last.start <= moment
    assert following.start > moment if strict else following.end > moment
    assert moment - last.start < timedelta(
        days=366 + 31
    ) and following.start - moment <= timedelta(days=366)


@given(moments, st.integers(0, 6))
def test_the_weekday_near_a_moment_is_within_a_week(
    moment: datetime, weekday: int
) -> None:
    found = calendar.weekday_near(moment, weekday, direction=-1, strict=True)

    assert found.start.weekday() == weekday
    assert found.end <= moment < found.end + timedelta(days=7)


def test_29_february_is_the_last_one_that_there_was() -> None:
    assert calendar.day_near(at(1903, 5, 1), 2, 29, direction=-1).start == at(
        1896, 2, 29
    )
    assert calendar.day_near(at(2026, 2, 11), 2, 29, direction=1).start == at(
        2028, 2, 29
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: calendar.day(2026, 2, 29),
        lambda: calendar.month(2026, 13),
        lambda: calendar.year(0),
        lambda: calendar.year(10_000),
        lambda: calendar.neighbour(at(9999, 5, 1), 1, "year"),
        lambda: calendar.add(at(1, 1, 1), -1, "second"),
        lambda: calendar.clock(calendar.day(2026, 1, 1), 25, 0),
    ],
)
def test_the_calendar_has_no_such_time(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(calendar.NoSuchTime):
        wrong()


def test_a_winter_belongs_to_the_year_in_which_it_began() -> None:
    assert calendar.around(at(2026, 2, 11), "season") == calendar.season(
        2025, "winter"
    )


@given(moments)
def test_a_moment_survives_being_spoken(moment: datetime) -> None:
    assert calendar.parse_moment(calendar.format_moment(moment)) == moment


# -- phrases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        # in February, March is last year's
        ("since March", "2025-03-01", "-", "month"),
        ("since February", "2026-02-01", "-", "month"),
        ("until last year", "-", "2026-01-01", "year"),
        ("until 2019", "-", "2020-01-01", "year"),
        ("as of 2026-03-01", "2026-03-01", "-", "day"),
        ("from 2019 to 2021", "2019-01-01", "2022-01-01", "year"),
        ("2019-2021", "2019-01-01", "2022-01-01", "year"),
        ("between May 2020 and June 2021", "2020-05-01", "2021-07-01", "month"),
        ("from May 3 to June 5, 2025", "2025-05-03", "2025-06-06", "day"),
        ("from November 2024 to March", "2024-11-01", "2025-04-01", "month"),
        ("in 2020", "2020-01-01", "2021-01-01", "year"),
        ("in the 1990s", "1990-01-01", "2000-01-01", "year"),
        ("yesterday", "2026-02-10", "2026-02-11", "day"),
        ("the day before yesterday", "2026-02-09", "2026-02-10", "day"),
        ("two weeks ago", "2026-01-26", "2026-02-02", "day"),
        ("a couple of months ago", "2025-12-01", "2026-01-01", "month"),
        ("last spring", "2025-03-01", "2025-06-01", "month"),
        ("the summer of 2021", "2021-06-01", "2021-09-01", "month"),
        ("last March", "2025-03-01", "2025-04-01", "month"),
        ("next March", "2026-03-01", "2026-04-01", "month"),
        ("last February", "2025-02-01", "2025-03-01", "month"),
        ("last Friday", "2026-02-06", "2026-02-07", "day"),
        ("this Friday", "2026-02-13", "2026-02-14", "day"),
        ("next Friday", "2026-02-20", "2026-02-21", "day"),
        ("next quarter", "2026-04-01", "2026-07-01", "month"),
        ("Q2 2026", "2026-04-01", "2026-07-01", "month"),
        # March or April: only the year is certain
        ("on 3/4/2026", "2026-01-01", "2027-01-01", "year"),
        ("on 4/4/2026", "2026-04-04", "2026-04-05", "day"),
        ("on 13/4/2026", "2026-04-13", "2026-04-14", "day"),
        ("on 4/13/2026", "2026-04-13", "2026-04-14", "day"),
        ("on 13.4.2026", "2026-04-13", "2026-04-14", "day"),
        ("2026-03", "2026-03-01", "2026-04-01", "month"),
        ("March 3rd, 2024", "2024-03-03", "2024-03-04", "day"),
        ("3 March 2024", "2024-03-03", "2024-03-04", "day"),
        ("January 15th this year", "2026-01-15", "2026-01-16", "day"),
        ("before 2020", "-", "2020-01-01", "year"),
        ("after 2020", "2021-01-01", "-", "year"),
        ("in 3 days", "2026-02-14", "2026-02-15", "day"),
        ("for two years", "2024-01-01", "-", "year"),
        ("since Feb 29", "2024-02-29", "-", "day"),
        ("at 5pm yesterday", "2026-02-10T17:00", "2026-02-10T18:00", "hour"),
        ("tomorrow at 14:30", "2026-02-12T14:30", "2026-02-12T14:31", "minute"),
        (
            "2026-03-01T14:30:00+01:00",
            "2026-03-01T13:30",
            "2026-03-01T13:30",
            "second",
        ),
        ("since the early 1990s", "1990-01-01", "-", "year"),
    ],
)
def test_english_times(text: str, start: str, end: str, precision: str) -> None:
    found = said(text)

    assert (_short(found[0]), _short(found[1]), found[2]) == (
        start,
        end,
        precision,
    )


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("seit März", "2025-03-01", "-", "month"),
        ("bis letztes Jahr", "-", "2026-01-01", "year"),
        ("Stand 1.3.2026", "2026-03-01", "-", "day"),
        ("von 2019 bis 2021", "2019-01-01", "2022-01-01", "year"),
        ("im Jahr 2020", "2020-01-01", "2021-01-01", "year"),
        ("gestern", "2026-02-10", "2026-02-11", "day"),
        ("vor zwei Wochen", "2026-01-26", "2026-02-02", "day"),
        ("letzten Frühling", "2025-03-01", "2025-06-01", "month"),
        ("letzten März", "2025-03-01", "2025-04-01", "month"),
        ("nächsten Freitag", "2026-02-20", "2026-02-21", "day"),
        ("am 3.4.2026", "2026-04-03", "2026-04-04", "day"),
        # German puts the day first
        ("am 3/4/2026", "2026-04-03", "2026-04-04", "day"),
        ("vom 3. Mai bis 5. Juni 2025", "2025-05-03", "2025-06-06", "day"),
        ("seit zwei Jahren", "2024-01-01", "-", "year"),
        ("in den 1990er Jahren", "1990-01-01", "2000-01-01", "year"),
        (
            "heute um 14:30 Uhr",
            "2026-02-11T14:30",
            "2026-02-11T14:31",
            "minute",
        ),
        ("ab 2027", "2027-01-01", "-", "year"),
        ("vor 2020", "-", "2020-01-01", "year"),
        ("bis Freitag", "-", "2026-02-14", "day"),
    ],
)
def test_german_times(text: str, start: str, end: str, precision: str) -> None:
    found = said(text, language="de")

    assert (_short(found[0]), _short(found[1]), found[2]) == (
        start,
        end,
        precision,
    )


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("fr", "depuis mars", "2025-03-01", "-"),
        ("fr", "il y a deux ans", "2024-01-01", "2025-01-01"),
        ("fr", "le 3 mai 2020", "2020-05-03", "2020-05-04"),
        ("es", "desde 2019", "2019-01-01", "-"),
        ("es", "hace dos semanas", "2026-01-26", "2026-02-02"),
        ("es", "el año pasado", "2025-01-01", "2026-01-01"),
        ("nl", "sinds maart", "2025-03-01", "-"),
        ("nl", "twee weken geleden", "2026-01-26", "2026-02-02"),
        ("nl", "vorig jaar", "2025-01-01", "2026-01-01"),
        ("it", "due anni fa", "2024-01-01", "2025-01-01"),
        ("it", "dal 2019", "2019-01-01", "-"),
        ("it", "l'anno scorso", "2025-01-01", "2026-01-01"),
    ],
)
def test_some_times_of_other_languages(
    language: str, text: str, start: str, end: str
) -> None:
    found = said(text, language=language)

    assert (_short(found[0]), _short(found[1])) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "I may move",
        "they march on",
        "30 February 2026",
        "at 25:00",
        "with 2021 people",
        "version 2.2020",
        "$2019",
        "2026-13-01",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert read(text) == Period()


def test_a_tense_says_which_way_a_day_without_a_year_lies() -> None:
    assert said("on March 3rd", tense="past")[0].startswith("2025-03-03")
    assert said("on March 3rd", tense="future")[0].startswith("2026-03-03")


def test_what_begins_goes_on() -> None:
    assert read("in March 2025", onset=True).end is None
    assert read("in March 2025", onset=False).end is not None


def test_the_coarser_bound_gives_the_precision() -> None:
    assert read("from 2019 to 3 May 2021").precision == "year"


@given(
    st.text(max_size=80), st.sampled_from(("en", "de", "fr", "es", "nl", "it"))
)
def test_any_text_is_read_without_an_error(text: str, language: str) -> None:
    read(text, language=language)


@st.composite
def phrases(draw: st.DrawFn) -> str:
    when = draw(
        st.sampled_from(
            [
                "2019",
                "March",
                "March 2020",
                "3 May 2021",
                "last week",
                "yesterday",
                "two years ago",
                "Q3 2022",
            ]
        )
    )
    other = draw(
        st.sampled_from(
            ["2024", "June", "May 2025", "2025-01-03", "next month", "today"]
        )
    )
    return draw(
        st.sampled_from(
            [
                f"since {when}",
                f"until {when}",
                f"in {when}",
                f"from {when} to {other}",
                f"{when}, as of {other}",
            ]
        )
    )


@given(phrases(), moments)
def test_an_interval_never_ends_before_it_begins(
    phrase: str, moment: datetime
) -> None:
    period = read(phrase, at=calendar.format_moment(moment))

    assert (
        period.start is None or period.end is None or period.start < period.end
    )


@given(
    moments,
    st.sampled_from(
        [
            "since March",
            "since Monday",
            "two weeks ago",
            "last year",
            "yesterday",
            "since May 3",
        ]
    ),
)
def test_the_past_is_not_in_the_future(moment: datetime, phrase: str) -> None:
    period = read(phrase, at=calendar.format_moment(moment))

    assert period.start is not None and period.start <= calendar.format_moment(
        moment
    )


@given(
    moments,
    moments,
    st.sampled_from(
        ["last March", "next Friday", "in 3 days", "last quarter", "yesterday"]
    ),
)
def test_relative_times_are_monotone_in_the_event_time(
    one: datetime, other: datetime, phrase: str
) -> None:
    assume(one < other)

    assert (read(phrase, at=calendar.format_moment(one)).start or "") <= (
        read(phrase, at=calendar.format_moment(other)).start or ""
    )


def test_mentions_do_not_overlap_and_keep_their_words() -> None:
    text = "From May 2020 until June 2021 I lived in Porto, since then in Faro, as of yesterday."
    mentions: list[Mention] = time_reader("en").mentions(
        text, calendar.parse_moment(AT)
    )

    assert [text[one.start : one.end] for one in mentions] == [
        "From May 2020",
        " until June 2021",
        "as of yesterday",
    ]


def _short(said: str) -> str:
    return said.removesuffix("T00:00")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the drill is from Jan", "en"),
        ("I met Jan at the pool", "en"),
        ("Das Rad ist von Jan.", "de"),
        ("de fiets is van Jan", "nl"),
    ],
)
def test_a_month_that_people_are_called_by_is_a_name(
    text: str, language: str
) -> None:
    assert time_reader(language).mentions(text, calendar.parse_moment(AT)) == []


@pytest.mark.parametrize(
    "text",
    [
        "since Jan",
        "until Jan",
        "in Jan",
        "from Jan on",
        "from Jan to Mar",
        "from Dec to Jan",
        "from Jan 5",
        "Jan 2025",
    ],
)
def test_and_a_month_where_only_a_time_can_stand(text: str) -> None:
    found = time_reader("en").mentions(
        f"it is so {text}", calendar.parse_moment(AT)
    )
    assert found and found[0].stretch.start.month in (1, 12)


_WORDS = tuple(
    "last next in for ago two 3 3. March mars März of week Woche semana hier"  # noqa: SIM905
    " gestern yesterday summer, Montag lunes Q1/2024 l'année dernière since"
    " próxima 2019 the boat w00012 at 17:30".split()
)


@given(
    st.lists(
        st.sampled_from(_WORDS),
        max_size=8,
    ).map(" ".join),
    st.sampled_from(("en", "de", "fr", "es")),
)
def test_what_is_passed_over_unread_names_no_time(
    text: str, language: str
) -> None:
    at = datetime(2026, 3, 14, 12)  # noqa: DTZ001 - naive, in UTC
    read = time_reader(language).mentions(text, at)
    thorough = TimeReader(
        read_language_data(language, "time"), STOP_WORDS[language]
    )
    thorough._may_name_time = lambda text: True  # type: ignore[method-assign]
    assert read == thorough.mentions(text, at)


@pytest.mark.parametrize(
    ("text", "language", "words", "start"),
    [
        # seen from Wednesday, 11 February 2026
        ("at the weekend we went", "en", "at the weekend", "2026-02-07"),
        ("last weekend", "en", "last weekend", "2026-02-07"),
        ("am Wochenende waren wir", "de", "am Wochenende", "2026-02-07"),
        (
            "what I did in the last 3 months",
            "en",
            "in the last 3 months",
            "2025-11-01",
        ),
        (
            "in den letzten drei Wochen",
            "de",
            "in den letzten drei Wochen",
            "2026-01-19",
        ),
        ("letzte drei Monate", "de", "letzte drei Monate", "2025-11-01"),
        ("last 3 months", "en", "last 3 months", "2025-11-01"),
        # done for a day to come
        ("was booked for 14 April", "en", "for 14 April", "2026-04-14"),
        ("für den 14. April gebucht", "de", "für den 14. April", "2026-04-14"),
        ("paid the rent for March", "en", "for March", "2025-03-01"),
        ("read about the summer", "en", "about the summer", "2025-06-01"),
    ],
)
def test_a_time_in_the_past_tense(
    text: str, language: str, words: str, start: str
) -> None:
    now = calendar.parse_moment(AT)
    (mention,) = time_reader(language).mentions(text, now, tense="past")
    assert text[mention.start : mention.end] == words
    assert str(mention.stretch.start)[:10] == start


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("about the summer dress", "en"),
        ("the tickets last four weeks", "en"),
        ("a bill for winter tyres", "en"),
        # every weekend, or the next
        ("works at the weekend", "en"),
        ("arbeitet am Wochenende", "de"),
    ],
)
def test_what_is_no_time(text: str, language: str) -> None:
    now = calendar.parse_moment(AT)
    assert not time_reader(language).mentions(text, now)


def test_a_weekend_has_two_days() -> None:
    weekend = calendar.last_weekend(at(2026, 2, 8))
    assert (weekend.start, weekend.end) == (at(2026, 2, 7), at(2026, 2, 9))
