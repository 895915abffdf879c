"""Train perceptrons of one hidden layer with numpy, deterministic by their seeds."""

from typing import NamedTuple

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float32]
_BATCH = 64
_BETAS = (0.9, 0.999)


class Recipe(NamedTuple):
    """How a perceptron is trained."""

    hidden: int = 48
    epochs: int = 30
    rate: float = 0.002
    decay: float = 0.02  # of the weights, each step times the rate
    dropout: float = 0.4
    inputs_dropped: float = 0.1


class Perceptron(NamedTuple):
    """Weights and biases of both layers."""

    hidden: Array  # (values, h)
    hidden_bias: Array  # (h,)
    output: Array  # (h, labels)
    output_bias: Array  # (labels,)


def train(
    values: Array, targets: Array, weights: Array, recipe: Recipe, seed: int
) -> Perceptron:
    """Return a perceptron for *values* (n, i) and *targets* (n, labels), shares of each label.

    *weights* (n,) says how much each row counts. Adam with decoupled decay, a linear fall of the
    rate to zero, dropout on inputs and hidden units.
    """
    rng = numpy.random.default_rng(seed)
    net = _begin(values.shape[1], targets.shape[1], recipe.hidden, rng)
    first = [numpy.zeros_like(part) for part in net]
    second = [numpy.zeros_like(part) for part in net]
    steps = recipe.epochs * -(-len(values) // _BATCH)
    step = 0
    for _ in range(recipe.epochs):
        order = rng.permutation(len(values))
        for start in range(0, len(values), _BATCH):
            rows = order[start : start + _BATCH]
            step += 1
            slopes = _slopes(
                net, values[rows], targets[rows], weights[rows], recipe, rng
            )
            rate = recipe.rate * (1 - step / (steps + 1))
            for part, slope, one, two in zip(
                net, slopes, first, second, strict=True
            ):
                _move(part, slope, one, two, step, rate, recipe.decay)
    return net


def _begin(
    inputs: int, labels: int, hidden: int, rng: numpy.random.Generator
) -> Perceptron:
    def draw(rows: int, columns: int, gain: float) -> Array:
        drawn = rng.normal(0, (gain / rows) ** 0.5, (rows, columns))
        return drawn.astype(numpy.float32)

    return Perceptron(
        draw(inputs, hidden, 2.0),
        numpy.zeros(hidden, dtype=numpy.float32),
        draw(hidden, labels, 1.0),
        numpy.zeros(labels, dtype=numpy.float32),
    )


def _slopes(
    net: Perceptron,
    values: Array,
    targets: Array,
    weights: Array,
    recipe: Recipe,
    rng: numpy.random.Generator,
) -> Perceptron:
    """Return the slopes of the weighted cross entropy on one batch."""
    kept = _keep(values.shape, recipe.inputs_dropped, rng)
    values = values * kept
    linear = values @ net.hidden + net.hidden_bias
    mask = _keep(linear.shape, recipe.dropout, rng) * (linear > 0)
    units = linear * mask
    shares = softmax(units @ net.output + net.output_bias)
    wrong = (shares - targets) * weights[:, None] / weights.sum()
    back = (wrong @ net.output.T) * mask
    return Perceptron(
        values.T @ back, back.sum(axis=0), units.T @ wrong, wrong.sum(axis=0)
    )


def _keep(
    shape: tuple[int, ...], dropped: float, rng: numpy.random.Generator
) -> Array:
    kept = rng.random(shape, dtype=numpy.float32) >= dropped
    return (kept / numpy.float32(1 - dropped)).astype(numpy.float32)


def _move(
    part: Array,
    slope: Array,
    first: Array,
    second: Array,
    step: int,
    rate: float,
    decay: float,
) -> None:
    """Move *part* one step of Adam, in place."""
    first *= _BETAS[0]
    first += (1 - _BETAS[0]) * slope
    second *= _BETAS[1]
    second += (1 - _BETAS[1]) * slope**2
    mean = first / (1 - _BETAS[0] ** step)
    spread = numpy.sqrt(second / (1 - _BETAS[1] ** step)) + 1e-8
    if part.ndim == 2:
        part *= 1 - rate * decay
    part -= rate * mean / spread


def softmax(logits: Array) -> Array:
    """Return shares of each row that add up to 1."""
    powers = numpy.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares
