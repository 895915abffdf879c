"""Sums of words' vectors: those that one sum a passage would give, to the bit."""

import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

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


def find_tokens(words: Sequence[str]) -> list[list[int]]:
    """A word's tokens are its letters; one of marks has none."""
    return [
        [ord(sign) - 32 for sign in word if sign.isalnum()] for word in words
    ]


def make_texts(count: int) -> list[list[str]]:
    chance = random.Random(7)
    words = []
    for n in range(900):
        words.append("".join(chance.choices("abcXYZ789", k=n % 9 + 1)))
    texts = [
        chance.choices(words, k=chance.randrange(60)) for _ in range(count)
    ]
    return [*texts, [], ["-", "."], ["-", "a"], chance.choices(words, k=500)]


@pytest.mark.parametrize("most", [64, 200, 4096])
def test_a_sum_is_that_of_its_own_tokens_in_doubles(
    rows: numpy.ndarray, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(word_sums, "_MOST", most)
    monkeypatch.setattr(word_sums, "_FOR_GOOD", most // 2)
    monkeypatch.setattr(word_sums, "_AT_ONCE", 10)
    texts = make_texts(150)
    adder = WordSums(rows, find_tokens)
    for some in (texts[:40], texts[40:], []):
        sums = adder.add_up(some)
        assert len(sums.vectors) == len(sums.counts) == len(some)
        for words, vector, count in zip(some, *sums, strict=True):
            tokens = [*chain.from_iterable(find_tokens(words))]
            assert count == len(tokens)
            assert (vector == rows[tokens].astype(float).sum(axis=0)).all()


def test_threads_share_the_words_that_one_learnt(rows: numpy.ndarray) -> None:
    def find_slowly(words: Sequence[str]) -> list[list[int]]:
        time.sleep(0.01)  # lets another thread in
        return find_tokens(words)

    texts = make_texts(150)
    want = WordSums(rows, find_tokens).add_up(texts)
    adder = WordSums(rows, find_slowly)
    parts = [range(n, len(texts), 4) for n in range(4)]

    def add_part(part: range) -> word_sums.Sums:
        return adder.add_up([texts[n] for n in part])

    with ThreadPoolExecutor(4) as pool:
        for part, sums in zip(parts, pool.map(add_part, parts), strict=True):
            assert sums.counts == [want.counts[n] for n in part]
            assert (sums.vectors == want.vectors[list(part)]).all()


def test_words_that_could_not_be_learnt_are_learnt_again(
    rows: numpy.ndarray,
) -> None:
    shorter = [rows[:40]]

    class Rows:
        """Rows of which the last cannot be read at first."""

        def __getitem__(self, ids: list[int]) -> numpy.ndarray:
            return shorter[0][ids]

    adder = WordSums(Rows(), find_tokens)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        adder.add_up([["abc"]])
    shorter[0] = rows
    sums = adder.add_up([["abc"]])
    tokens = find_tokens(["abc"])[0]
    assert (sums.vectors[0] == rows[tokens].astype(float).sum(axis=0)).all()


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
