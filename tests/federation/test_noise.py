"""Noise without a relay: what one week costs, and what it lets others know."""

import math

import numpy as np
import pytest

from companion.federation.sums import noise


def chances(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(noise.BITS)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_no_topic_makes_a_sheet_more_than_e_to_epsilon_likelier(epsilon):
    # two topics differ in two bits; the likeliest answer to both is the worst
    on = 0.5
    off = 1 / (math.exp(epsilon) + 1)
    worst = (on / off) * ((1 - off) / (1 - on))

    assert worst == pytest.approx(math.exp(epsilon))


def test_a_topic_that_all_of_a_large_unit_tell_of_is_found():
    sheets = [noise.encode_topic(7, 2, 2.0, chances(n)) for n in range(200)]

    found = noise.estimate(sheets, 7, 2, 2.0)
    assert found.is_sure
    assert found.members == pytest.approx(200, abs=4 * found.deviation + 20)
    assert not noise.estimate(sheets, 7, 1, 2.0).is_sure
    assert not noise.estimate(sheets, 8, 2, 2.0).is_sure


def test_nothing_is_found_in_noise_alone():
    sheets = [noise.encode_nothing(1.0, chances(n)) for n in range(40)]

    sure = [
        (bucket, state)
        for bucket in range(0, noise.BUCKETS, 4)
        for state in range(3)
        if noise.estimate(sheets, bucket, state, 1.0).is_sure
    ]
    assert sure == []


def test_a_member_without_topics_sends_as_much_as_any():
    silent = noise.encode_nothing(1.0, chances(1))
    telling = noise.encode_topic(3, 0, 1.0, chances(1))

    assert silent.nbytes == telling.nbytes
    # what the same chance gives differs in at most the one bit that is true
    assert np.count_nonzero(silent != telling) <= 1


def test_a_small_unit_cannot_learn_anything_at_this_price():
    # honest: below some size noise hides even what everybody tells of
    assert noise.least_owners(20, 1.0) > 20
    assert noise.least_owners(500, 1.0) < 500
