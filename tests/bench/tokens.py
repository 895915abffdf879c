"""`python -m tests.bench tokens --data DIR`: what an assistant must read until the evidence is there.

Questions of LongMemEval over the turns that all questions need. The program gives `context` of the
question. Chunk retrieval cuts the same turns, in their order, into chunks of at most 512 tokens and
gives the five best by BM25. No model answers: a question counts as served if words of a turn of its
evidence stand in what is given.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.assistants.context import BUDGET, collect_context
from companion.language.tokens import count_tokens
from companion.storage.index.terms import split_words
from tests.bench import bare
from tests.bench.evidence import SHORT, make_plain, shows
from tests.bench.life import LIGHT, life
from tests.bench.retrieval.run import format_time, tell_talk
from tests.bench.retrieval.sets import Question, Talk, load_longmemeval
from tests.bench.words import STOP_WORDS

CHUNK = 512  # tokens
CHUNKS = 5


class Read(NamedTuple):
    """What was given for all questions: how many, how many with evidence, and the tokens."""

    questions: int
    served: int
    tokens: int

    @property
    def mean(self) -> float:
        """Return the tokens of a question."""
        return self.tokens / max(1, self.questions)


Give = Callable[[str], tuple[int, list[str]]]  # tokens, and passages


def tokens(data: Path) -> dict[str, Read]:
    """What an assistant must read until the evidence is there, beside chunk retrieval."""
    bare.forget_durability()
    found = {
        "context": measure_contexts(data),
        "chunks": measure_chunks(data),
    }
    for name, read in found.items():
        print(
            f"{name}: evidence in {read.served} of {read.questions},"
            f" {read.mean:.0f} tokens a question"
        )
    return found


def measure_contexts(data: Path, reasoner: str = LIGHT) -> Read:
    """Return what contexts of the questions give."""
    (talk,) = load_longmemeval(data, "dev")
    with life(format_time(talk.turns[0].said_at), reasoner) as home:
        tell_talk(home, talk)

        def give(question: str) -> tuple[int, list[str]]:
            doc = collect_context(
                home.ws, question, as_of=None, known_at=None, budget=BUDGET
            )
            texts = [passage["text"] for passage in doc["passages"]]
            return doc["tokens"], texts

        return _read_all(talk, give)


def measure_chunks(data: Path) -> Read:
    """Return what the five best chunks by BM25 give."""
    (talk,) = load_longmemeval(data, "dev")
    chunks = list(cut_chunks([turn.text for turn in talk.turns]))
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE chunks USING fts5(text, tokenize='porter')"
    )
    db.executemany(
        "INSERT INTO chunks VALUES (?)", [("\n".join(each),) for each in chunks]
    )

    def give(question: str) -> tuple[int, list[str]]:
        words = dict.fromkeys(split_words(question))
        telling = [word for word in words if word not in STOP_WORDS]
        rows = db.execute(
            "SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY rank LIMIT ?",
            (" OR ".join(f'"{word}"' for word in telling or words), CHUNKS),
        )
        best = [chunks[number - 1] for (number,) in rows]
        told = sum(count_tokens("\n".join(each)) for each in best)
        lines = [line for each in best for line in each]
        # "Yes." is of no turn more than of another
        return told, [line for line in lines if len(make_plain(line)) >= SHORT]

    return _read_all(talk, give)


def cut_chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of *texts*, in their order, in chunks of at most CHUNK tokens; a longer line
    is a chunk of its own.
    """
    chunk: list[str] = []
    size = 0
    for line in (line for text in texts for line in text.splitlines()):
        length = count_tokens(line)
        if chunk and size + length > CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(line)
        size += length
    if chunk:
        yield chunk


def _read_all(talk: Talk, give: Give) -> Read:
    words = {turn.id: make_plain(turn.text) for turn in talk.turns}
    served = spent = 0
    for question in talk.questions:
        told, texts = give(question.text)
        spent += told
        served += _has_evidence(question, texts, words)
    return Read(len(talk.questions), served, spent)


def _has_evidence(
    question: Question, texts: Sequence[str], words: dict[str, str]
) -> bool:
    named = [words[id] for id in question.evidence]
    return any(shows(text, named) for text in texts)
