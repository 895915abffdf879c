"""The voice of other people's wikis: one, bounded, and never for long."""

import pytest

from companion.routing import peers
from companion.routing.peers import Heard

NOW = "2026-11-21T08:00:00.000000Z"


def heard(**given: object) -> Heard:
    base = Heard(
        "a" * 16, "e1", NOW, peers.after_weeks(NOW, 10),
        10, 150, 0, 2, 8, 0, 1, 1.0, 0.5, 0.1, 0.0,
    )  # fmt: skip
    return base._replace(**given)


def test_most_owners_contest_it_and_that_is_one_voice():
    (voice,) = peers.find_voices([heard()], NOW).values()

    assert voice.trust == 0.5
    assert "8 of 10" in voice.reason


@pytest.mark.parametrize(
    "silent",
    [
        {"won": 4, "open": 1},  # less than half
        {"lost": 5},  # audits took it back
        {"tolerated": 0},  # one liar could have made it
        {"members": 0.0},  # all who said it left
        {"owners": 0, "won": 0, "open": 0},
        {"until": NOW},
    ],
)
def test_what_is_no_voice(silent):
    assert peers.find_voices([heard(**silent)], NOW) == {}


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
    ],
)
def test_a_line_that_is_none_is_named_and_the_rest_counts(line):
    good = peers.encode_peers([heard()])

    found, problems = peers.parse_peers(line + b"\n" + good)
    assert found == [heard()]
    assert problems[0].startswith("line 1:")
