"""`python -m tests.bench depth --data DIR [--half score]`: what of a source survives fitting.

DIR has LoCoMo, LongMemEval's evidence turns and BEAM as their makers publish them; a set that is
missing is named and skipped. Conversations are fitted to 50, 25 and 10 % of their words, before any
of the questions about them is asked. Of the turns that a question needs, it is counted how many of
their words are left (`words`), and of the questions whose answer stands in these turns, how many
still have it whole (`answers`).

ours, no wiki        the reader wrote nothing and asked nothing
ours, other asked    the reader asked other questions about the source before, none of the counted
ours, its topics     the reader's notes name the matters of the counted questions, and no answer
lead                 the first sentences
TextRank             Mihalcea & Tarau 2004 over the cosines of words, weighed by rarity
random               by chance, from a fixed seed

Questions are split by the hash of their words, before anybody looked: a *dev* half, on which
constants were chosen, and a *score* half for one look at the end; of each half one part was asked
before and the other is counted.
"""

import hashlib
import json
import math
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy

from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.contextualize.fitting.choose import (
    count_all_words,
    measure_budget,
)
from companion.operations.contextualize.fitting.fit import (
    measure_loss,
    select_pieces,
)
from companion.operations.contextualize.fitting.pieces import (
    Parted,
    count_words,
    part,
)
from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.values import (
    STEPS,
    NearNote,
    NearQuestion,
    ReaderContext,
)
from companion.sources.document import Document, Role, Turn
from companion.storage.index.terms import split_words
from companion.subjects.words import list_telling_words

SHARES = (0.50, 0.25, 0.10)
NOW = "2026-11-23T06:00:00.000000Z"
# evidence of a few questions each makes a conversation to fit
_POOL = 25
_NEARNESS = 0.7
_DAMPING, _STEPS = 0.85, 30

_ID = re.compile(r"D\d+:\d+")


class Question(NamedTuple):
    """A question about a source, and the turns that its answer needs."""

    text: str
    answer: str
    turns: tuple[int, ...]


class Source(NamedTuple):
    """A conversation and what is asked of it later."""

    document: Document
    questions: tuple[Question, ...]


Chooser = Callable[[Source, Parted, int], list[int]]


def depth(folder: Path, half: str) -> None:
    """Print what survives in each set, by each way of choosing."""
    embedder = StaticEmbedder()
    for name, load in SETS.items():
        if not (folder / name).exists():
            print(f"{name}: not in {folder}, left out")
            continue
        sources = list(load(folder / name))
        _print_set(name, half, sources, embedder)


def _print_set(
    name: str, half: str, sources: Sequence[Source], embedder: StaticEmbedder
) -> None:
    parted = [part(source.document) for source in sources]
    sizes = [count_all_words(each) for each in parted]
    counted = sum(len(list(_counted(one, half))) for one in sources)
    print(
        f"\n{name}, {half} half: {len(sources)} sources of {mean(sizes):,.0f}"
        f" words, {counted} questions"
    )
    header = "".join(f"{share:>16.0%}" for share in SHARES)
    print(f"{'':22}{header}\n{'':22}" + f"{'words answers':>16}" * len(SHARES))
    began = time.process_time()
    for label, choose in _choosers(half, embedder):
        row = ""
        for share in SHARES:
            kept = [
                choose(source, each, round(share * size))
                for source, each, size in zip(
                    sources, parted, sizes, strict=True
                )
            ]
            row += "{:>9.3f}{:>7.3f}".format(
                *_survival(sources, parted, kept, half)
            )
        print(f"{label:22}{row}")
    print(f"{time.process_time() - began:.0f} CPU s in all")
    _print_steps(sources, parted, sizes, half, embedder)


def _print_steps(
    sources: Sequence[Source],
    parted: Sequence[Parted],
    sizes: Sequence[int],
    half: str,
    embedder: StaticEmbedder,
) -> None:
    """Print what the named steps keep, save and distort, with notes on the topics."""
    print(f"{'step':14}tokens saved  distortion  words  answers")
    for step in STEPS:
        kept = []
        saved = []
        losses = []
        for source, each, size in zip(sources, parted, sizes, strict=True):
            budget = measure_budget(step, size)
            context = _note_topics(_counted(source, half))
            numbers = select_pieces(
                source.document, each, context, embedder, budget, size
            )
            length = sum(len(each.words_of(n)) for n in numbers)
            saved.append(1 - length / max(1, len(each.text)))
            losses.append(measure_loss(each, numbers))
            kept.append(numbers)
        words, answers = _survival(sources, parted, kept, half)
        print(
            f"{step:14}{mean(saved):12.1%}{mean(losses):12.3f}"
            f"{words:7.3f}{answers:9.3f}"
        )


def _choosers(
    half: str, embedder: StaticEmbedder
) -> Iterator[tuple[str, Chooser]]:
    def ours(reader: Callable[[Source], ReaderContext]) -> Chooser:
        """Return the program's own choice for the *reader* of a source."""

        def choose(source: Source, parted: Parted, budget: int) -> list[int]:
            """Return the pieces that are kept."""
            return select_pieces(
                source.document,
                parted,
                reader(source),
                embedder,
                budget,
                10**9,
            )

        return choose

    yield "ours, no wiki", ours(lambda source: ReaderContext(NOW))
    yield (
        "ours, other asked",
        ours(lambda source: _ask_before(_asked(source, half))),
    )
    yield (
        "ours, its topics",
        ours(lambda source: _note_topics(_counted(source, half))),
    )
    yield "lead", lambda source, parted, budget: _fill(parted, None, budget)
    yield (
        "TextRank",
        lambda source, parted, budget: _fill(parted, _rank(parted), budget),
    )
    yield "random", _choose_at_random


def _ask_before(asked: Iterable[Question]) -> ReaderContext:
    near = [NearQuestion(one.text, NOW, 1, _NEARNESS) for one in asked]
    return ReaderContext(NOW, questions=tuple(near))


def _note_topics(asked: Iterable[Question]) -> ReaderContext:
    """Return a reader whose notes have the telling words of questions that come later."""
    notes = []
    for one in asked:
        words = " ".join(list_telling_words(one.text))
        notes.append(NearNote(words, NOW, _NEARNESS))
    return ReaderContext(NOW, notes=tuple(notes))


def _choose_at_random(source: Source, parted: Parted, budget: int) -> list[int]:
    """Return so many pieces by chance that the mean over questions is that of chance."""
    seed = hashlib.sha256(source.document.title.encode()).hexdigest()
    order = list(range(len(parted.pieces)))
    random.Random(f"{seed}{budget}").shuffle(order)
    return _fill(parted, order, budget)


def _fill(
    parted: Parted, order: Sequence[int] | None, budget: int
) -> list[int]:
    """Return the first pieces of *order* that fit into *budget* words."""
    kept = []
    for number in order if order is not None else range(len(parted.pieces)):
        cost = count_words(parted.words_of(number))
        if cost <= budget:
            budget -= cost
            kept.append(number)
        elif order is None:
            break
    return sorted(kept)


_RANKS: dict[str, list[int]] = {}


def _rank(parted: Parted) -> list[int]:
    """Return the pieces by TextRank, the most central first."""
    if parted.text in _RANKS:
        return _RANKS[parted.text]
    terms = Terms(parted.text)
    bags = [terms.count(parted.words_of(n)) for n in range(len(parted.pieces))]
    frequencies = Counter(term for bag in bags for term in bag)
    columns = {term: n for n, term in enumerate(sorted(frequencies))}
    table = numpy.zeros((len(bags), len(columns)), dtype=numpy.float32)
    for row, bag in enumerate(bags):
        for term, count in bag.items():
            rarity = math.log((1 + len(bags)) / (0.5 + frequencies[term]))
            table[row, columns[term]] = count * rarity
    lengths = numpy.linalg.norm(table, axis=1, keepdims=True)
    table /= numpy.where(lengths > 0, lengths, 1)
    alike = table @ table.T
    numpy.fill_diagonal(alike, 0.0)
    totals = alike.sum(axis=1, keepdims=True)
    alike /= numpy.where(totals > 0, totals, 1)
    scores = numpy.full(len(bags), 1 / max(1, len(bags)))
    for _ in range(_STEPS):
        scores = (1 - _DAMPING) / len(bags) + _DAMPING * (alike.T @ scores)
    order = [int(n) for n in numpy.argsort(-scores.round(9), kind="stable")]
    _RANKS[parted.text] = order
    return order


# -- what survives ---------------------------------------------------------------------------------


def _survival(
    sources: Sequence[Source],
    parted: Sequence[Parted],
    kept: Sequence[Sequence[int]],
    half: str,
) -> tuple[float, float]:
    """Return the share of the needed turns' words, and of the answers, that are left."""
    words: list[float] = []
    answers: list[float] = []
    for source, each, numbers in zip(sources, parted, kept, strict=True):
        left: dict[int, Counter[str]] = {}
        for number in numbers:
            turn = each.pieces[number].passage
            bag = left.setdefault(turn, Counter())
            bag.update(split_words(each.words_of(number)))
        for question in _counted(source, half):
            needed = Counter[str]()
            found = Counter[str]()
            for turn in question.turns:
                text = source.document.turns[turn].text
                needed.update(split_words(text))
                found.update(left.get(turn, Counter()))
            total = needed.total()
            if not total:
                continue
            words.append(1 - (needed - found).total() / total)
            answer = _telling(question.answer)
            if answer and answer <= needed.keys():
                answers.append(float(answer <= found.keys()))
    return mean(words or [0.0]), mean(answers or [0.0])


def _telling(answer: str) -> set[str]:
    """Return the words of an answer that are not little words."""
    terms = Terms("the answer is in English")
    return {word for word in split_words(answer) if terms.split(word)}


def _bits(question: Question) -> tuple[bool, bool]:
    digest = hashlib.sha256(question.text.encode()).digest()
    return bool(digest[0] & 1), bool(digest[1] & 1)


def _counted(source: Source, half: str) -> Iterator[Question]:
    for question in source.questions:
        if _bits(question) == (half == "score", True):
            yield question


def _asked(source: Source, half: str) -> list[Question]:
    return [
        question
        for question in source.questions
        if _bits(question) == (half == "score", False)
    ]


# -- the sets --------------------------------------------------------------------------------------


def _load_locomo(folder: Path) -> Iterator[Source]:
    for sample in _read(folder / "locomo_3.json"):
        told = sample["conversation"]
        turns: list[Turn] = []
        numbers: dict[str, int] = {}
        for name in sorted(
            (key for key in told if re.fullmatch(r"session_\d+", key)),
            key=lambda key: int(key.split("_")[1]),
        ):
            for turn in told[name]:
                numbers[turn["dia_id"]] = len(turns)
                turns.append(Turn(turn["speaker"], "other", turn["text"]))
        questions = []
        for one in sample["qa"]:
            named = _ID.findall(" ".join(one.get("evidence", [])))
            places = tuple(numbers[id] for id in named if id in numbers)
            if places:
                answer = str(one.get("answer", ""))
                questions.append(Question(one["question"], answer, places))
        title = str(sample["sample_id"])
        yield Source(Document(title, turns=tuple(turns)), tuple(questions))


def _load_longmemeval(folder: Path) -> Iterator[Source]:
    asked = _read(folder / "evidence_turns_half.json")
    for start in range(0, len(asked), _POOL):
        turns: list[Turn] = []
        questions = []
        for one in asked[start : start + _POOL]:
            places = []
            for session in one["evidence_sessions"]:
                for turn in session["turns"]:
                    places.append(len(turns))
                    turns.append(_turn(turn["role"], turn["content"]))
            questions.append(
                Question(one["question"], str(one["answer"]), tuple(places))
            )
        title = f"pool {start}"
        yield Source(Document(title, turns=tuple(turns)), tuple(questions))


def _load_beam(folder: Path) -> Iterator[Source]:
    for chat in sorted(folder.glob("*/*/chat.json")):
        turns: list[Turn] = []
        numbers: dict[int, int] = {}
        for batch in _read(chat):
            for group in batch["turns"]:
                for turn in group:
                    numbers[turn["id"]] = len(turns)
                    text = turn["content"].partition("->->")[0].strip()
                    turns.append(_turn(turn["role"], text))
        probing = chat.parent / "probing_questions/probing_questions.json"
        questions = []
        for ones in _read(probing).values():
            for one in ones:
                ids = _flatten(one.get("source_chat_ids", []))
                places = tuple(numbers[id] for id in ids if id in numbers)
                if places:
                    answer = str(one.get("answer", ""))
                    questions.append(Question(one["question"], answer, places))
        title = chat.parent.name
        yield Source(Document(title, turns=tuple(turns)), tuple(questions))


def _flatten(ids: Any) -> Iterator[int]:
    values = ids.values() if isinstance(ids, dict) else ids
    for value in values:
        if isinstance(value, int):
            yield value
        elif isinstance(value, list | dict):
            yield from _flatten(value)


def _turn(who: str, text: str) -> Turn:
    role: Role = "owner" if who == "user" else "assistant"
    return Turn(who, role, text)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


SETS: dict[str, Callable[[Path], Iterator[Source]]] = {
    "locomo": _load_locomo,
    "longmemeval": _load_longmemeval,
    "beam": _load_beam,
}
