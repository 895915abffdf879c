"""The figures on answers whose worth is known, and training that repeats itself."""

from pathlib import Path

import numpy
import pytest

from tests.bench.stance.corpus import read_second_reader
from tests.bench.stance.figures import (
    Night,
    area,
    calibration_error,
    curve,
    kappa,
)
from tests.bench.stance.perceptron import Recipe, softmax, train
from tests.bench.stance.training import SEEDS, Rows, fit, write


def test_the_area_of_a_perfect_a_blind_and_a_wrong_order() -> None:
    positive = numpy.asarray([False, False, True, True])

    assert area(numpy.asarray([0.1, 0.2, 0.3, 0.4]), positive) == 1
    assert area(numpy.asarray([0.5, 0.5, 0.5, 0.5]), positive) == 0.5
    assert area(numpy.asarray([0.4, 0.3, 0.2, 0.1]), positive) == 0
    assert area(numpy.asarray([0.1, 0.2]), numpy.asarray([True, True])) == 0.5


def test_a_curve_stops_before_one_false_flag_too_many() -> None:
    # 108 notes: 2 false flags of 216 are 1 of them
    scores = numpy.linspace(1, 0, 108)
    right = numpy.zeros(108, dtype=bool)
    right[[0, 2, 4]] = True
    night = Night(scores, right, right)

    assert [round(point.caught, 2) for point in curve(night)] == [
        0.33,
        0.67,
        1.0,
        1.0,
    ]


def test_a_sure_judge_that_is_half_right_is_half_wrong_about_itself() -> None:
    right = numpy.asarray([True, False] * 10)

    assert calibration_error(numpy.ones(20), right) == pytest.approx(0.5)
    assert calibration_error(numpy.full(20, 0.5), right) == 0


def test_agreement_counts_what_chance_does_not_explain() -> None:
    assert kappa([("a", "a"), ("b", "b")]) == 1
    assert kappa([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]) == 0


def test_a_second_reader_agrees_with_the_corpus() -> None:
    readings = read_second_reader()
    assert len(readings) >= 290
    assert kappa(readings) > 0.9


def test_a_perceptron_learns_what_no_line_parts() -> None:
    values = numpy.asarray(
        [[0, 0], [0, 1], [1, 0], [1, 1]] * 40, dtype=numpy.float32
    )
    labels = (values[:, 0] != values[:, 1]).astype(int)
    targets = numpy.eye(2, dtype=numpy.float32)[labels]
    recipe = Recipe(hidden=16, epochs=150, rate=0.02, dropout=0.0)
    weights = numpy.ones(len(values), dtype=numpy.float32)
    net = train(values, targets, weights, recipe, seed=1)

    units = numpy.maximum(values @ net.hidden + net.hidden_bias, 0)
    shares = softmax(units @ net.output + net.output_bias)
    assert (shares.argmax(axis=1) == labels).all()


def test_a_head_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    rng = numpy.random.default_rng(0)
    rows = Rows(
        rng.normal(size=(120, 100)).astype(numpy.float32),
        rng.normal(size=(120, 7)).astype(numpy.float32),
        rng.integers(0, 6, 120),
        numpy.ones(120, dtype=numpy.float32),
    )
    hashes = [
        write(fit(rows, "vectors", SEEDS[:2]), "static", str(tmp_path / name))
        for name in ("first", "second")
    ]

    assert hashes[0] == hashes[1]
    listed = (tmp_path / "first" / "hashes.txt").read_text()
    assert listed == f"{hashes[0]}  static.npz\n"
