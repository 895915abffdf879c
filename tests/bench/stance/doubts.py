"""`python -m tests.bench doubts [--train] [--half dev|score]`: dissent on pages that others link to.

Each note of a plain world is held against the earlier pages that others link to. A dissent counts
as heard where it is held to contradict its own page; a plain note is flagged wrongly where it is
held to contradict any. Weights learn from the developed worlds and from the corpus of pairs, in
which a pair weighs a tenth of a note. Figures of a developed world are those of weights that never
saw it.
"""

import random
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy

from companion.comparison.candidate_pairs import split_passages
from companion.language.relations.contest import LightContest
from companion.language.stance.contest import (
    keep_stating,
    language_of_both,
)
from companion.language.stance.doubts import (
    PATH,
    VERSION,
    Features,
    describe_doubt,
    weigh_doubt,
)
from companion.language.stance.read import StanceReader
from companion.language.stance.stance import Stance
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.pages.links import title_key
from companion.values.relations import Relation, Statement
from tests.bench.plain_worlds import (
    DEVELOPED,
    SHUT,
    Note,
    list_linked_titles,
    read_world,
)
from tests.bench.stance.corpus import Pair, Split, read_pairs

FALSE = (0, 1, 2, 4, 8)
_CORPUS = 0.1  # what a pair of the corpus weighs beside one of a world
_STRANGERS = (
    3  # other statements of its world that a note of the corpus is held against
)
#: worlds that weights of the curve learn from; the last are all others
TAUGHT = (0, 3, 9, 18, 27)
_DRAWN = 3  # how often as many worlds are drawn
_RATES = (0, 2, 4)  # plain notes held to dissent, of each _OF
_OF = 216
_STEADY = 3.0  # how much the weights are held near zero
_STEPS = 20

What = Literal["dissent", "plain", "copy", "change"]


class Held(NamedTuple):
    """A note held against a page."""

    world: str
    note: Note
    page: Statement
    contradicts: bool
    seen: Features

    @property
    def key(self) -> tuple[str, str]:
        return self.world, self.note.text


class Weights(NamedTuple):
    """A fitted model."""

    names: tuple[str, ...]
    values: "numpy.ndarray"
    bias: float

    def weigh(self, seen: Features) -> float:
        """Return how likely a note of which that is *seen* contradicts."""
        if not seen:
            return 0.0
        row = numpy.asarray([seen[name] for name in self.names])
        return float(1 / (1 + numpy.exp(-(row @ self.values + self.bias))))


class _Judges:
    """What the features of a pair are made with."""

    def __init__(self) -> None:
        self.words = StaticEmbedder()
        self.rules = LightContest()
        self.reader = StanceReader(self.words)

    def describe(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Features]:
        """Return what is seen of each (page, note); nothing where a night would not ask."""
        rules = self.rules.relate(pairs)
        seen: list[Features] = [{} for _ in pairs]
        asked: list[int] = []
        shown: list[tuple[Statement, Statement]] = []
        for number, (page, note) in enumerate(pairs):
            stating = keep_stating(page, note)
            if stating is not None:
                asked.append(number)
                shown.append((page, stating))
        stances = self.reader.read(shown)
        for number, (page, note), stance in zip(
            asked, shown, stances, strict=True
        ):
            seen[number] = self._describe(page, note, rules[number], stance)
        return seen

    def _describe(
        self, page: Statement, note: Statement, rule: Relation, stance: Stance
    ) -> Features:
        language = language_of_both(page, note)
        assert language is not None  # it was asked
        contradicts = rule.label == "contradicts"
        return describe_doubt(
            page,
            note,
            language,
            self.words.measure_words,
            rule=rule.opposition if contradicts else 0.0,
            head=stance.probability("contradicts"),
        )


def doubts(half: str, *, train: bool) -> None:
    """Print what weights hear; write those of the program anew where *train* is set."""
    judges = _Judges()
    if half == "score":
        print_shut(judges)
        return
    worlds = [hold_world(name, judges) for name in DEVELOPED]
    corpus = list(hold_corpus("train", judges))
    if train:
        write(fit([*_join(worlds)], corpus))
    print_left_out(worlds, corpus)
    print_taught(worlds, corpus)


def hold_world(name: str, judges: _Judges) -> list[Held]:
    """Return each note of a world beside each earlier page that others link to."""
    notes = read_world(name)
    linked = list_linked_titles(notes)
    pages: list[Note] = []
    pairs: list[tuple[Note, Note]] = []
    for note in notes:
        if not note.tag.endswith("0"):
            pairs += [(page, note) for page in pages]
        title = note.statement.title
        if title is not None and title_key(title) in linked:
            pages.append(note)
    seen = judges.describe(
        [(page.statement, note.statement) for page, note in pairs]
    )
    held = []
    for (page, note), features in zip(pairs, seen, strict=True):
        contradicts = note.tag[:1] in "abd" and page.tag == f"{note.tag[:1]}0"
        # what takes the place of a page contradicts it, and is no dissent
        if not _replaces(note, page):
            told = bool(note.tag) and contradicts
            held.append(Held(name, note, page.statement, told, features))
    return held


def _replaces(note: Note, page: Note) -> bool:
    return note.tag[:1] in ("c", "g") and page.tag == f"{note.tag[:1]}0"


def hold_corpus(split: Split, judges: _Judges) -> Iterable[Held]:
    """Yield the pairs of the corpus, and its notes beside other statements of their worlds."""
    by_world: dict[str, list[Pair]] = {}
    for pair in read_pairs(split):
        # the same note under a second statement adds little
        if not pair.again:
            by_world.setdefault(pair.domain, []).append(pair)
    chance = random.Random(1)
    for world, pairs in sorted(by_world.items()):
        rows = [(pair, pair.page, pair.old, pair.label) for pair in pairs]
        for pair in pairs:
            for other in chance.sample(pairs, _STRANGERS):
                if other.page != pair.page:
                    rows.append((pair, other.page, other.old, "unrelated"))
        yield from _hold_rows(world, rows, judges)


def _hold_rows(
    world: str, rows: Sequence[tuple[Pair, str, str, str]], judges: _Judges
) -> Iterable[Held]:
    texts = [
        (_statement(old, page), _statement(pair.new))
        for pair, page, old, _ in rows
    ]
    seen = judges.describe(texts)
    for (pair, _, _, label), (page, _), features in zip(
        rows, texts, seen, strict=True
    ):
        note = Note("", pair.how, pair.new)
        yield Held(world, note, page, label == "contradicts", features)


def _statement(text: str, title: str | None = None) -> Statement:
    return Statement("\n".join(split_passages(text)), title)


def fit(worlds: Sequence[Held], corpus: Sequence[Held]) -> Weights:
    """Fit a logistic model by Newton's method, with a penalty on large weights."""
    worlds = [one for one in worlds if one.seen]
    rows = [*worlds, *(one for one in corpus if one.seen)]
    names = tuple(rows[0].seen)
    table = numpy.asarray([[one.seen[name] for name in names] for one in rows])
    truth = numpy.asarray([float(one.contradicts) for one in rows])
    counts = numpy.ones(len(rows))
    counts[len(worlds) :] = _CORPUS
    mean = table.mean(axis=0)
    scale = table.std(axis=0) + 1e-6
    scaled = numpy.column_stack([(table - mean) / scale, numpy.ones(len(rows))])
    penalty = numpy.eye(scaled.shape[1]) * _STEADY
    penalty[-1, -1] = 1e-6
    found = numpy.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + numpy.exp(-scaled @ found))
        slope = scaled.T @ (counts * (likely - truth)) + penalty @ found
        bend = counts * likely * (1 - likely)
        found -= numpy.linalg.solve((scaled.T * bend) @ scaled + penalty, slope)
    values = found[:-1] / scale
    return Weights(names, values, float(found[-1] - values @ mean))


def write(weights: Weights) -> None:
    """Write *weights* where the program reads them."""
    lines = [
        "# What each thing that is seen of a note beside a page says for a contradiction.",
        "# Written by `python -m tests.bench doubts --train`.",
        "",
        f'version = "{VERSION}"',
        "",
        "[weights]",
        f"bias = {weights.bias:.4f}",
    ]
    for name, value in zip(weights.names, weights.values, strict=True):
        lines.append(f'"{name}" = {value:.4f}')
    with open(PATH, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def fit_left_out() -> dict[str, Weights]:
    """Return, for each developed world, weights that never saw it."""
    judges = _Judges()
    held = {name: hold_world(name, judges) for name in DEVELOPED}
    corpus = list(hold_corpus("train", judges))
    fitted = {}
    for name in DEVELOPED:
        others = [held[one] for one in DEVELOPED if one != name]
        fitted[name] = fit([*_join(others)], corpus)
    return fitted


def print_left_out(
    worlds: Sequence[Sequence[Held]], corpus: Sequence[Held]
) -> None:
    """Print what weights hear in each developed world that they never saw."""
    weighed: list[tuple[Held, float]] = []
    for number, held in enumerate(worlds):
        others = [*worlds[:number], *worlds[number + 1 :]]
        weights = fit([*_join(others)], corpus)
        weighed += [(one, weights.weigh(one.seen)) for one in held]
    _print_curve(weighed)


def print_taught(
    worlds: Sequence[Sequence[Held]], corpus: Sequence[Held]
) -> None:
    """Print what weights hear in each world, by how many others they learned from."""
    chance = random.Random(1)
    for count in TAUGHT:
        drawn = 1 if count in (0, len(worlds) - 1) else _DRAWN
        heard = [0.0] * len(_RATES)
        for _ in range(drawn):
            found = _hear_taught(worlds, corpus, count, chance)
            heard = [sum(pair) for pair in zip(heard, found, strict=True)]
        told = " / ".join(f"{one / drawn:.0f}" for one in heard)
        print(
            f"taught by {count} worlds, at {_RATES} false of {_OF}: {told} heard"
        )


def _hear_taught(
    worlds: Sequence[Sequence[Held]],
    corpus: Sequence[Held],
    count: int,
    chance: random.Random,
) -> list[int]:
    weighed: list[tuple[Held, float]] = []
    for number, held in enumerate(worlds):
        others = [*worlds[:number], *worlds[number + 1 :]]
        weights = fit([*_join(chance.sample(others, count))], corpus)
        weighed += [(one, weights.weigh(one.seen)) for one in held]
    dissents, plain = rank_notes(weighed)
    bars = [plain[round(rate * len(plain) / _OF)][0] for rate in _RATES]
    return [sum(score > bar for score, _ in dissents) for bar in bars]


def print_shut(judges: _Judges) -> None:
    """Print what the weights of the program hear in the worlds that were shut."""
    weighed = []
    for name in SHUT:
        for one in hold_world(name, judges):
            likelihood = weigh_doubt(one.seen) if one.seen else 0.0
            weighed.append((one, likelihood))
    _print_curve(weighed)


def _join(worlds: Iterable[Sequence[Held]]) -> Iterable[Held]:
    for world in worlds:
        yield from world


def _print_curve(weighed: Sequence[tuple[Held, float]]) -> None:
    dissents, plain = rank_notes(weighed)
    heard = []
    for most in FALSE:
        bar = plain[most][0]
        heard.append(f"{sum(score > bar for score, _ in dissents)}")
    print(
        f"dissents heard of {len(dissents)} at {FALSE} false of {len(plain)}:",
        " / ".join(heard),
    )
    for score, one in dissents:
        print(f"  dissent {score:.3f} {_describe(one)}")
    for score, one in plain[:12]:
        print(f"  plain   {score:.3f} {_describe(one)}")


def rank_notes(
    weighed: Sequence[tuple[Held, float]],
) -> tuple[list[tuple[float, Held]], list[tuple[float, Held]]]:
    """Return dissents by what their own page got, and plain notes by the most that any page got."""
    dissents: list[tuple[float, Held]] = []
    plain: dict[tuple[str, str], tuple[float, Held]] = {}
    for one, score in weighed:
        tag = one.note.tag
        if tag[:1] == "a" and one.contradicts:
            dissents.append((score, one))
        elif not tag:
            known = plain.get(one.key)
            if known is None or known[0] < score:
                plain[one.key] = (score, one)
    return _sort(dissents), _sort(plain.values())


def _sort(ranked: Iterable[tuple[float, Held]]) -> list[tuple[float, Held]]:
    return sorted(ranked, key=lambda pair: -pair[0])


def _describe(one: Held) -> str:
    text = " ".join(one.note.text.split())[:90]
    return f"{one.world} {one.note.level} [{one.page.title}] {text}"
