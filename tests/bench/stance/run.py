"""`python -m tests.bench stance [--train] [--vectors NAME] [--half dev|score]`.

NAME is "static", "e5" or "semantic": a head over vectors of each text. "together" trains an encoder
that reads both texts together and prints what it reaches; it needs torch.
"""

from typing import NamedTuple

import numpy

from companion.judges import vectors
from companion.judges.semantic import SemanticEmbedder
from companion.judges.vectors import MultilingualEmbedder
from companion.language.protocols import Embedder
from companion.language.relations.contest import LightContest
from companion.language.stance.contest import HeardContest
from companion.language.stance.head import HEADS, load_head
from companion.language.stance.read import StanceReader
from companion.language.stance.stance import LABELS
from companion.language.vectors.static_vectors import StaticEmbedder
from tests.bench.stance import measure, training
from tests.bench.stance.corpus import (
    Pair,
    Split,
    read_pairs,
    read_second_reader,
)
from tests.bench.stance.figures import FALSE, kappa
from tests.bench.stance.measure import Figures, Judge

#: the heads, by what `--vectors` calls them
NAMES = {"static": "static", "e5": "vectors", "semantic": "semantic"}
TOGETHER = "together"


class Bench(NamedTuple):
    """What heads are trained and measured with."""

    head: str
    embedder: Embedder
    reader: StanceReader


def stance(which: str, split: Split, *, train: bool) -> None:
    """Train the head for *which* vectors, or print what each part gives on *split*."""
    if which == TOGETHER:
        _read_together(split)
        return
    bench = open_bench(which)
    if train:
        train_head(bench)
    else:
        print_figures(bench, split)


def _read_together(split: Split) -> None:
    # torch is of no extra that the benches need
    from tests.bench.stance.together.run import together

    together(split, Remembering(MultilingualEmbedder()))


def open_bench(which: str) -> Bench:
    """Return the bench for "static", "e5" or "semantic"."""
    words = StaticEmbedder()
    embedder: Embedder = words
    if which == "e5":
        embedder = Remembering(MultilingualEmbedder())
    elif which == "semantic":
        embedder = Remembering(SemanticEmbedder())
    name = NAMES[which]
    return Bench(
        name, embedder, StanceReader(words, head=name, embedder=embedder)
    )


class Remembering:
    """An embedder that embeds each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, numpy.ndarray] = {}
        self.identity = embedder.identity
        self.dimensions = embedder.dimensions

    def embed(self, texts: list[str]) -> numpy.ndarray:
        """Return the vectors of *texts*, see `Embedder`."""
        unknown = sorted(set(texts) - self._known.keys())
        for text, vector in zip(
            unknown, self._embedder.embed(unknown), strict=True
        ):
            self._known[text] = vector
        rows = [self._known[text] for text in texts]
        empty = numpy.zeros((0, self.dimensions), dtype=numpy.float32)
        return numpy.asarray(rows, dtype=numpy.float32) if rows else empty


def train_head(bench: Bench) -> None:
    """Train on "train", calibrate on "dev", write the head."""
    known = read_pairs("train")
    if bench.head == "vectors":
        _write_centre(known)
    rows = training.make_rows(known, bench.reader, bench.embedder)
    head = training.fit(rows, bench.embedder.identity.weights)
    held = training.make_rows(read_pairs("dev"), bench.reader, bench.embedder)
    head = training.calibrate(head, held)
    digest = training.write(head, bench.head)
    print(
        f"{bench.head}: {len(rows.labels):,} pairs, temperature {head.temperature:.2f}"
    )
    print(f"sha256 {digest}")


def _write_centre(pairs: list[Pair]) -> None:
    """Write the mean vector of all texts of *pairs*."""
    texts = sorted({text for pair in pairs for text in (pair.old, pair.new)})
    mean = MultilingualEmbedder().embed_plainly(texts).mean(axis=0)
    training.write_array(mean, vectors.CENTRE, HEADS)


def print_figures(bench: Bench, split: Split) -> dict[str, Figures]:
    """Print and return what the rules, the features, the note alone and the head reach."""
    known = read_pairs("train")
    pairs = read_pairs(split)
    head = load_head(bench.head)
    rows = training.make_rows(known, bench.reader, bench.embedder)
    parts: dict[str, Judge] = {
        "rules": measure.judge_by_rules,
        "note alone": training.judge_of_notes(known, bench.embedder),
    }
    for part, blind in (("features", "vectors"), ("vectors", "features")):
        alone = measure.fit_blind(blind, rows)
        parts[part] = measure.judge_by_head(bench.reader, alone, blind=blind)
    parts["both"] = measure.judge_by_head(bench.reader, head)
    print(
        f"{len(pairs):,} pairs of {split}, head {bench.head} {head.weights[:12]}"
    )
    readings = read_second_reader()
    print(f"a second reader of {len(readings)}: kappa {kappa(readings):.2f}")
    reached = {}
    for name, judge in parts.items():
        reached[name] = measure.measure(pairs, judge, bench.embedder)
        _print(name, reached[name])
    _print_heard(pairs, bench.embedder)
    return reached


def _print_heard(pairs: list[Pair], embedder: Embedder) -> None:
    """Print what a night flags if every page were load-bearing."""
    for name, relater in (("rules", LightContest()), ("heard", HeardContest())):
        right, false, count = measure.count_heard(pairs, relater, embedder)
        print(
            f"contest by {name}: {right} flagged on their page, {false} only on others, "
            f"of {count} notes"
        )


def _print(name: str, found: Figures) -> None:
    areas = " ".join(f"{label} {found.areas[label]:.2f}" for label in LABELS)
    caught = "/".join(f"{point.caught:.2f}" for point in found.curve)
    print(f"{name:10} {areas}")
    print(
        f"{'':10} accuracy {found.accuracy:.2f}  calibration error {found.calibration:.2f}"
        f"  caught at {'/'.join(map(str, FALSE))} false of 216: {caught}"
    )
    for groups in (found.languages, found.difficulties):
        words = " ".join(
            f"{group} {value:.2f}" for group, value in groups.items()
        )
        print(f"{'':10} contradicts: {words}")
    bars = " ".join(f"{point.bar:.2f}" for point in found.curve)
    print(f"{'':10} bars: {bars}")
