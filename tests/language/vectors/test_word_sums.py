"""Sums of words' vectors: those that one sum a passage would give, to the bit."""

import random

import numpy
import pytest

from companion.language.vectors import word_sums
from companion.language.vectors.word_sums import WordSums, encode_sums
from companion.language.vectors.word_vectors import DIMENSIONS

TOKENS = 300


@pytest.fixture
def rows() -> numpy.ndarray:
    """Halves from the smallest to large ones: in single precision their sums would be rounded."""
    chance = numpy.random.default_rng(11)
    spread = 2.0 ** chance.integers(-20, 4, (TOKENS, DIMENSIONS))
    return (chance.standard_normal((TOKENS, DIMENSIONS)) * spread).astype("<f2")


def find_tokens(word: str) -> list[int]:
    """A word's tokens are its letters; one of marks has none."""
    return [ord(letter) - 32 for letter in word if letter.isalnum()]


def make_passages(count: int) -> list[tuple[int, list[str]]]:
    chance = random.Random(7)
    words = [
        "".join(chance.choices("abcXYZ789", k=n % 9 + 1)) for n in range(900)
    ]
    passages = []
    for doc in range(count):
        picked = chance.sample(words, chance.randrange(60))
        passages.append((doc * 3, [*dict.fromkeys(picked)]))
    return [*passages, (7000, []), (7001, ["-", "."]), (7002, ["-", "a"])]


@pytest.mark.parametrize("most", [64, 200, 4096])
def test_a_sum_is_that_of_its_own_tokens_in_doubles(
    rows: numpy.ndarray, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(word_sums, "_MOST", most)
    monkeypatch.setattr(word_sums, "_AT_ONCE", 10)
    passages = make_passages(150)
    sums = WordSums(rows, find_tokens)
    found: dict[int, numpy.ndarray] = {}
    for group in sums.add_up(passages):
        found.update(zip(group.docs, group.vectors.copy(), strict=True))
    expected = {}
    for doc, words in passages:
        tokens = [token for word in words for token in find_tokens(word)]
        if tokens:
            expected[doc] = rows[tokens].astype(numpy.float64).sum(axis=0)
    assert list(found) == list(expected)
    for doc, vector in expected.items():
        assert (found[doc] == vector).all()


def test_codes_are_stretched_to_the_largest_part() -> None:
    vectors = numpy.zeros((2, DIMENSIONS))
    vectors[0, :3] = (2.0, -1.0, 0.5)
    codes = encode_sums(vectors)
    assert numpy.frombuffer(codes.values[0], numpy.int8)[:4].tolist() == [
        127,
        -64,
        32,
        0,
    ]
    assert codes.lengths == [(127**2 + 64**2 + 32**2) ** 0.5, 0.0]
    assert codes.values[1] == bytes(DIMENSIONS)
    assert codes.signs[0][0] == 0b10100000
    assert len(codes.signs[0]) == DIMENSIONS // 8
