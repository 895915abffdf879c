"""The voice of other people's wikis: one, bounded, and never for long."""

import json

import pytest

from companion.routing import peers
from companion.routing.peers import Heard

NOW = "2026-11-21T08:00:00.000000Z"


def heard(**given: object) -> Heard:
    base = Heard(
        "a" * 16, "e1", NOW, peers.after_weeks(NOW, 10),
        10, 150, 0, 2, 8, 0, 1, 1.0, 0.5, 0.1, 0.0,
        2950, peers.CONFIRMED, 0.8,
    )  # fmt: skip
    return base._replace(**given)


def test_most_owners_contest_it_and_that_is_one_voice():
    (voice,) = peers.find_voices([heard()], NOW).values()

    assert voice.trust == 0.5
    assert "8 of 10" in voice.reason


@pytest.mark.parametrize(
    "silent",
    [
        {"weeks": peers.CONFIRMED - 1},  # one week is none
        {"mean": 0.0},  # less than half in the mean of the weeks
        {"tolerated": 0},  # one liar could have made it
        {"members": 0.0},  # all who said it left
        {"owners": 0, "won": 0, "open": 0},
        {"until": NOW},
    ],
)
def test_what_is_no_voice(silent):
    assert peers.find_voices([heard(**silent)], NOW) == {}


@pytest.mark.parametrize(
    ("numbers", "margin"),
    [
        ({}, 0.8),
        ({"won": 4, "open": 1}, -0.1),  # less than half
        ({"won": 4, "open": 2}, 0.0),
        ({"lost": 5}, -0.2),  # audits took it back
        ({"won": 10, "open": 0}, 1.0),
        ({"won": 10, "open": 9}, 1.0),
        ({"won": 0, "lost": 10}, -1.0),
        ({"tolerated": 0}, -1.0),
        ({"owners": 0}, -1.0),
    ],
)
def test_how_far_one_week_speaks_against_an_entry(numbers, margin):
    assert heard(**numbers).margin == pytest.approx(margin)


def test_a_week_counts_as_much_as_any_of_the_last_eight():
    one = heard(weeks=0, mean=0.0)
    for week in range(8):
        one = one.count_week(week, 1.0)
    assert (one.week, one.weeks, one.mean) == (7, 8, 1.0)
    one = one.count_week(8, -1.0)
    assert (one.week, one.weeks, one.mean) == (8, 8, 0.75)


def test_a_line_of_before_weeks_were_counted_is_no_voice_yet():
    line = heard()._asdict()
    for name in ("week", "weeks", "mean"):
        del line[name]
    (found,), problems = peers.parse_peers(json.dumps(line).encode())
    assert not problems and not found.is_voice


def test_a_flood_of_units_weighs_what_one_does():
    flood = [heard(unit=f"{n:016x}") for n in range(500)]

    (voice,) = peers.find_voices(flood, NOW).values()
    assert voice.trust == 0.5
    (prior,) = peers.find_priors(flood, NOW).values()
    assert prior.value == 0.1


def test_a_voice_and_a_prior_end():
    half = peers.after_weeks(NOW, 5)
    end = peers.after_weeks(NOW, 10)

    assert peers.find_voices([heard()], half)["e1"].trust == 0.25
    assert peers.find_voices([heard()], end) == {}
    assert peers.find_priors([heard()], end) == {}


def test_formal_authority_is_apart_from_gravity():
    office = heard(gravity=0, authority=30, office=0.05)
    weight = heard(office=0.05)

    assert peers.find_priors([office], NOW)["e1"].value == 0.05
    assert peers.find_priors([weight], NOW)["e1"].value == 0.1
    # where a unit's profile gives offices nothing, they add nothing
    assert peers.find_priors([office._replace(office=0.0)], NOW) == {}


def test_what_is_written_is_read_again():
    lines = [heard(), heard(entry="e2")]

    assert peers.parse_peers(peers.encode_peers(lines)) == (lines, [])


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b'{"unit":1}',
        b"[" * 5000,
        peers.encode_peers([heard(trust=9.0)]).strip(),
        peers.encode_peers([heard(until="tomorrow")]).strip(),
        peers.encode_peers([heard(owners=-1)]).strip(),
        peers.encode_peers([heard(mean=-1.5)]).strip(),
        peers.encode_peers([heard(weeks=9)]).strip(),
    ],
)
def test_a_line_that_is_none_is_named_and_the_rest_counts(line):
    good = peers.encode_peers([heard()])

    found, problems = peers.parse_peers(line + b"\n" + good)
    assert found == [heard()]
    assert problems[0].startswith("line 1:")
