"""The programs that are ranked here: this one, BM25, and two kinds of vectors."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import companion
from companion.judges.vectors import MODEL, MultilingualEmbedder
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.storage.index.terms import split_words
from tests.bench.field.rankings import Result
from tests.bench.life import LIGHT
from tests.bench.retrieval.run import rank_by_program
from tests.bench.retrieval.sets import Talk
from tests.bench.words import STOP_WORDS

if TYPE_CHECKING:
    import numpy

#: results of a ranking: enough for ten sessions
MOST = 50
Ranked = Iterator[tuple[str, int, Sequence[Result]]]


def rank_by_bm25(talks: Sequence[Talk]) -> Ranked:
    """Rank by SQLite's FTS5: a document a turn, porter stems, a stop list for questions."""
    for talk in talks:
        db = sqlite3.connect(":memory:")
        db.execute(
            "CREATE VIRTUAL TABLE turns USING"
            " fts5(text, tokenize='porter unicode61')"
        )
        db.executemany(
            "INSERT INTO turns(rowid, text) VALUES (?, ?)",
            [
                (number, f"{turn.speaker} {turn.text}")
                for number, turn in enumerate(talk.turns)
            ],
        )
        for number, question in enumerate(talk.questions):
            words = dict.fromkeys(split_words(question.text))
            telling = [word for word in words if word not in STOP_WORDS]
            query = " OR ".join(f'"{word}"' for word in telling or words)
            rows = db.execute(
                "SELECT rowid, bm25(turns) FROM turns WHERE turns MATCH ?"
                " ORDER BY rank LIMIT ?",
                (query, MOST),
            )
            results = [Result((talk.turns[n].id,), -worth) for n, worth in rows]
            yield talk.name, number, results
        db.close()


def rank_by_static_vectors(talks: Sequence[Talk]) -> Ranked:
    """Rank by the cosine of averaged word vectors."""
    return _rank_by_vectors(talks, StaticEmbedder().embed)


def rank_by_model_vectors(talks: Sequence[Talk]) -> Ranked:
    """Rank by the cosine of a small model's vectors (extra `[vectors]`)."""
    return _rank_by_vectors(talks, MultilingualEmbedder().embed)


def _rank_by_vectors(
    talks: Sequence[Talk],
    embed: "Callable[[Sequence[str]], numpy.ndarray]",
) -> Ranked:
    for talk in talks:
        known = embed([f"{turn.speaker}: {turn.text}" for turn in talk.turns])
        asked = embed([question.text for question in talk.questions])
        for number, cosines in enumerate(asked @ known.T):
            nearest = cosines.argsort(kind="stable")[::-1][:MOST]
            results = [
                Result((talk.turns[n].id,), float(cosines[n])) for n in nearest
            ]
            yield talk.name, number, results


def rank_by_companion(talks: Sequence[Talk], reasoner: str = LIGHT) -> Ranked:
    """Rank by `companion search`, a night after each session; it knows an order, no score."""
    for talk in talks:
        rankings = rank_by_program(talk, MOST, reasoner)
        for number, ranking in enumerate(rankings):
            shown = [Result(tuple(turns)) for turns in ranking if turns]
            yield talk.name, number, shown


RANKERS: dict[str, tuple[str, Callable[[Sequence[Talk]], Ranked]]] = {
    "companion": (companion.__version__, rank_by_companion),
    # with an extra: what `companion models use` chooses
    "companion-vectors": (
        companion.__version__,
        partial(rank_by_companion, reasoner="vectors"),
    ),
    "companion-semantic": (
        companion.__version__,
        partial(rank_by_companion, reasoner="semantic"),
    ),
    "bm25": (f"SQLite {sqlite3.sqlite_version}", rank_by_bm25),
    "static-vectors": (
        "wordllama l2_supercat 256",
        rank_by_static_vectors,
    ),
    "model-vectors": (MODEL, rank_by_model_vectors),
}
