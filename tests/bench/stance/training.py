"""Train a head on the corpus and write it as package data, the same bytes each time."""

import hashlib
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from companion.language.protocols import Embedder
from companion.language.stance import features
from companion.language.stance.head import HASHES, HEADS, Head
from companion.language.stance.read import Question, StanceReader
from companion.language.stance.stance import LABELS
from tests.bench.stance.corpus import Pair
from tests.bench.stance.perceptron import Recipe, softmax, train

Array = NDArray[numpy.float32]
SEEDS = (1, 2, 3, 4, 5)
#: statements of other pages that each note is held against: nearest ones, and as many by chance
STRANGERS = 6
STRANGE = 0.25  # weight of such a pair
AGAIN = 0.2  # weight of a note under its second statement; of the first 1
KEPT = 48  # directions of the crossed vectors
SMOOTHED = 0.05  # of a label's certainty, shared among all labels
RECIPE = Recipe(epochs=12)


class Rows(NamedTuple):
    """Pairs as a head sees them."""

    crossed: Array  # (n, 2 d)
    seen: Array  # (n, numbers)
    labels: NDArray[numpy.int64]  # (n,), into LABELS
    weights: Array  # (n,)


def make_rows(
    pairs: Sequence[Pair], reader: StanceReader, embedder: Embedder
) -> Rows:
    """Return *pairs*, and behind them each note beside statements of other pages.

    A night holds a note against statements that it has nothing to do with, and most of them look
    alike: half of these are the nearest by *embedder*, that of *reader*; half are drawn by seed.
    """
    questions = []
    labels = []
    weights = []
    for pair in pairs:
        questions.append(Question(0, pair.page, pair.old, pair.new))
        labels.append(LABELS.index(pair.label))
        weights.append(AGAIN if pair.again else 1.0)
    strange = strangers(pairs, embedder)
    labels += [LABELS.index("unrelated")] * len(strange)
    weights += [STRANGE] * len(strange)
    crossed, seen = reader.describe([*questions, *strange])
    return Rows(
        crossed,
        seen,
        numpy.asarray(labels),
        numpy.asarray(weights, dtype=numpy.float32),
    )


def strangers(pairs: Sequence[Pair], embedder: Embedder) -> list[Question]:
    """Return each note beside statements of its domain that stand on other pages."""
    rng = numpy.random.default_rng(0)
    by_domain: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_domain.setdefault(pair.domain, []).append(pair)
    questions: list[Question] = []
    for found in by_domain.values():
        questions += _strangers_of(found, embedder, rng)
    return questions


def _strangers_of(
    pairs: Sequence[Pair], embedder: Embedder, rng: numpy.random.Generator
) -> list[Question]:
    """Return the strange pairs of one domain."""
    pages: dict[str, set[str]] = {}
    for pair in pairs:
        pages.setdefault(pair.new, set()).add(pair.page)
    notes = sorted(pages)
    olds = embedder.embed([pair.old for pair in pairs])
    order = numpy.argsort(
        -embedder.embed(notes) @ olds.T, axis=1, kind="stable"
    )
    questions: list[Question] = []
    for note, nearest in zip(notes, order, strict=True):
        others = [at for at in nearest if pairs[at].page not in pages[note]]
        drawn = rng.permutation(others[STRANGERS:])[:STRANGERS]
        for at in [*others[:STRANGERS], *drawn]:
            other = pairs[at]
            questions.append(Question(0, other.page, other.old, note))
    return questions


def fit(rows: Rows, embedder: str, seeds: Sequence[int] = SEEDS) -> Head:
    """Return a head without calibration: its temperature is 1."""
    reduction = _main_directions(rows)
    values = numpy.concatenate([rows.crossed @ reduction, rows.seen], axis=1)
    mean = values.mean(axis=0)
    scale = numpy.maximum(values.std(axis=0), 1e-3)
    values = (values - mean) / scale
    targets = numpy.eye(len(LABELS), dtype=numpy.float32)[rows.labels]
    targets = targets * (1 - SMOOTHED) + SMOOTHED / len(LABELS)
    nets = [
        train(values, targets, rows.weights, RECIPE, seed) for seed in seeds
    ]
    return Head(
        "",
        embedder,
        1.0,
        reduction,
        mean,
        scale,
        *(numpy.stack(parts) for parts in zip(*nets, strict=True)),
    )


def _main_directions(rows: Rows) -> Array:
    """Return the directions, (2 d, KEPT), in which the crossed vectors of labelled pairs differ."""
    labelled = rows.crossed[rows.weights > STRANGE]
    centred = labelled - labelled.mean(axis=0)
    # differences and products have their own sizes
    spread = numpy.maximum(centred.std(axis=0), 1e-6)
    _, directions = numpy.linalg.eigh((centred / spread).T @ (centred / spread))
    chosen = directions[:, ::-1][:, :KEPT] / spread[:, None]
    return chosen.astype(numpy.float32)


def calibrate(head: Head, rows: Rows) -> Head:
    """Return *head* with the temperature that makes *rows*, not trained on, likeliest."""
    best = (numpy.inf, 1.0)
    for temperature in numpy.linspace(0.5, 3.0, 51):
        cooled = head._replace(temperature=float(temperature))
        shares = cooled.judge(rows.crossed, rows.seen)
        right = shares[numpy.arange(len(shares)), rows.labels]
        loss = -float(numpy.log(right + 1e-9) @ rows.weights)
        best = min(best, (loss, float(temperature)))
    return head._replace(temperature=best[1])


def write(head: Head, name: str, folder: str = HEADS) -> str:
    """Write *head* as package data, and its hash beside it; return the hash."""
    arrays = {
        field: getattr(head, field).astype(numpy.float16)
        for field in Head._fields[3:]
    }
    # a scale of 1e-7 would be zero in half precision
    arrays |= {field: getattr(head, field) for field in ("mean", "scale")}
    buffer = io.BytesIO()
    numpy.savez(
        buffer,
        features=features.VERSION,
        embedder=head.embedder,
        temperature=head.temperature,
        **arrays,
    )
    data = buffer.getvalue()
    os.makedirs(folder, exist_ok=True)
    (Path(folder) / f"{name}.npz").write_bytes(data)
    _write_hashes(Path(folder))
    return hashlib.sha256(data).hexdigest()


def _write_hashes(folder: Path) -> None:
    lines = []
    for path in sorted(folder.glob("*.np[yz]")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(f"{digest}  {path.name}\n")
    (folder / HASHES).write_text("".join(lines))


def write_array(array: Array, name: str, folder: str = HEADS) -> None:
    """Write *array* as the file *name* of package data, and its hash."""
    numpy.save(Path(folder) / name, array.astype(numpy.float32))
    _write_hashes(Path(folder))


# -- the parts by themselves -----------------------------------------------------------------------


def judge_of_notes(
    pairs: Sequence[Pair], embedder: Embedder
) -> Callable[[Sequence[Question]], Array]:
    """Return a judge that sees the note and no statement: the floor of what its tone tells."""
    gain = numpy.float32(embedder.dimensions**0.5)
    values = embedder.embed([pair.new for pair in pairs]) * gain
    targets = numpy.zeros((len(pairs), len(LABELS)), dtype=numpy.float32)
    for row, pair in enumerate(pairs):
        targets[row, LABELS.index(pair.label)] = 1
    weights = numpy.ones(len(pairs), dtype=numpy.float32)
    net = train(values, targets, weights, Recipe(), SEEDS[0])

    def judge(questions: Sequence[Question]) -> Array:
        notes = embedder.embed([question.later for question in questions])
        units = numpy.maximum(notes * gain @ net.hidden + net.hidden_bias, 0)
        return softmax(units @ net.output + net.output_bias)

    return judge
