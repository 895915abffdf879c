"""A simulated person: what they care about from week to week, what they tell, and what they ask."""

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]  # of unit length, shape (WIDTH,)

WEEKS = 26
TOPICS = 12
WIDTH = 24
NOTES, QUESTIONS = 12, 25  # a week
#: how far a text lies from the middle of its topic
SPREAD = 0.9
#: how far two texts on one matter lie from each other, and how many questions are on one
CLOSE, ON_MATTER = 0.4, 0.3
MINORITIES = 3


class Note(NamedTuple):
    """One note that starts a page."""

    topic: int
    vector: Vector
    rests_on_foundation: bool
    other_links: int


class Dissent(NamedTuple):
    """One note against the foundation of a topic."""

    topic: int
    source: str
    words: tuple[str, ...]
    kind: str  # minority: it is so; noise and insider: it is not


class Question(NamedTuple):
    """One question of a topic, or of the very matter that its foundation is about."""

    topic: int
    vector: Vector
    on_matter: bool


class Week(NamedTuple):
    """A week of a life."""

    notes: tuple[Note, ...]
    dissents: tuple[Dissent, ...]
    questions: tuple[Question, ...]


class Person(NamedTuple):
    """One life, the same for every memory that lives it."""

    topics: Vector  # shape (TOPICS, WIDTH)
    matters: (
        Vector  # what the foundation of each topic is about, the same shape
    )
    weeks: tuple[Week, ...]
    changed: frozenset[
        int
    ]  # topics whose foundation the true minorities contradict


def make_person(seed: int) -> Person:
    """Return the life of *seed*."""
    chance = random.Random(seed)
    numbers = np.random.default_rng(seed)
    topics = _unit(numbers.normal(size=(TOPICS, WIDTH)))
    grounds = np.stack([near(numbers, middle) for middle in topics])
    matters = chance.sample(range(TOPICS), MINORITIES + 2)
    told = _list_dissents(chance, matters)
    cares = _interests(chance)
    weeks = []
    for week in range(WEEKS):
        away = not cares[week].any()
        notes = [] if away else _draw(chance, cares[week], NOTES)
        asked = [] if away else _draw(chance, cares[week], QUESTIONS)
        weeks.append(
            Week(
                tuple(_note(chance, numbers, topics, each) for each in notes),
                tuple(told.get(week, ())),
                tuple(
                    _ask(chance, numbers, topics, grounds, each)
                    for each in asked
                ),
            )
        )
    changed = frozenset(matters[:MINORITIES])
    return Person(topics, grounds, tuple(weeks), changed)


def near(
    numbers: np.random.Generator, middle: Vector, spread: float = SPREAD
) -> Vector:
    """Return the vector of a text around *middle*."""
    noise = numbers.normal(size=WIDTH) / np.sqrt(WIDTH)
    return np.asarray(_unit((middle + spread * noise)[None])[0])


def _ask(
    chance: random.Random,
    numbers: np.random.Generator,
    topics: Vector,
    grounds: Vector,
    topic: int,
) -> Question:
    on_matter = chance.random() < ON_MATTER
    vector = near(numbers, topics[topic])
    if on_matter:
        vector = near(numbers, grounds[topic], CLOSE)
    return Question(topic, vector, on_matter)


def _interests(chance: random.Random) -> Vector:
    """Return what share of a week each topic has, shape (WEEKS, TOPICS); nothing on holiday."""
    early, late = (_shares(chance) for _ in range(2))
    turn = chance.randint(8, 18)
    abrupt = chance.random() < 0.5  # a change of role; else tastes drift
    rows = []
    for week in range(WEEKS):
        moved = float(week >= turn) if abrupt else week / (WEEKS - 1)
        rows.append((1 - moved) * early + moved * late)
    shares = np.array(rows)
    obsession, holiday = chance.sample(range(3, WEEKS - 3), 2)
    topic = chance.randrange(TOPICS)
    shares[obsession : obsession + 3] *= 0.3
    shares[obsession : obsession + 3, topic] += 0.7
    shares[holiday : holiday + 2] = 0
    return shares


def _shares(chance: random.Random) -> Vector:
    weights = np.array([chance.expovariate(1) ** 2 for _ in range(TOPICS)])
    return np.asarray(weights / weights.sum())


def _draw(chance: random.Random, shares: Vector, count: int) -> list[int]:
    return chance.choices(range(TOPICS), weights=shares.tolist(), k=count)


def _note(
    chance: random.Random,
    numbers: np.random.Generator,
    topics: Vector,
    topic: int,
) -> Note:
    return Note(
        topic,
        near(numbers, topics[topic]),
        chance.random() < 0.6,
        chance.randint(0, 3),
    )


def _list_dissents(
    chance: random.Random, matters: list[int]
) -> dict[int, list[Dissent]]:
    """Return by week what is told against foundations.

    *matters* are the topics: of the true minorities, of a loud source, and of a trusted one that is
    wrong.
    """
    told: dict[int, list[Dissent]] = {}

    def tell(week: int, dissent: Dissent) -> None:
        told.setdefault(min(week, WEEKS - 1), []).append(dissent)

    for topic in matters[:MINORITIES]:
        begin = chance.randint(1, WEEKS - 14)
        for voice in range(4):
            said = Dissent(topic, f"voice {voice}", _words(chance), "minority")
            tell(begin + 2 * voice, said)
    loud, trusted = matters[MINORITIES:]
    words = _words(chance)
    burst = chance.randint(2, WEEKS - 4)
    for turn in range(8):
        tell(burst + turn % 2, Dissent(loud, "loud", words, "noise"))
    for turn in range(8):
        own = Dissent(trusted, "insider", _words(chance), "insider")
        tell(2 + 3 * turn, own)
    return told


def _words(chance: random.Random) -> tuple[str, ...]:
    core = ("reservoir", "northern", "spring", "feeds", "from", "above")
    return (*core, *(f"w{chance.randrange(400):03}" for _ in range(8)))


def _unit(rows: Vector) -> Vector:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
