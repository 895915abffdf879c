"""What must be read until the evidence is there: the cutting of chunks, and both ways on made-up talk."""

import json
from pathlib import Path

import pytest

from companion.language.tokens import count_tokens
from tests.bench import tokens
from tests.bench.retrieval import sets
from tests.bench.retrieval.sets import Question
from tests.bench.tokens import (
    CHUNK,
    cut_chunks,
    measure_chunks,
    measure_contexts,
)

TALK = {
    "The boiler was repaired by Mr Okafor in March": "Who repaired the boiler?",
    "My sister Ines moved to Porto last summer": "Where did Ines move to?",
    "We planted four apple trees behind the shed": "What did we plant behind the shed?",
}


def name_question(number: int) -> str:
    """Return an id that the sets put into the half `dev`."""
    names = (f"{number}-{again}" for again in range(100))
    return next(name for name in names if not sets._bit(name))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set of the form of LongMemEval's, all of whose questions are of the half `dev`."""
    rows = []
    for number, (text, question) in enumerate(TALK.items()):
        session = {
            "date": f"2024/03/0{number + 1} (Fri) 10:00",
            "turns": [{"role": "user", "content": text}],
        }
        rows.append(
            {
                "question_id": name_question(number),
                "question": question,
                "question_type": "single-session-user",
                "evidence_sessions": [session],
            }
        )
    path = tmp_path / "longmemeval" / "evidence_turns_half.json"
    path.parent.mkdir()
    path.write_text(json.dumps(rows), "utf-8")
    return tmp_path


def test_both_ways_are_counted(data: Path) -> None:
    contexts, chunks = measure_contexts(data), measure_chunks(data)

    assert contexts.served == chunks.served == contexts.questions == len(TALK)
    told = count_tokens("\n".join(TALK))
    assert chunks.mean == told
    assert 0 < contexts.mean < tokens.BUDGET


def test_no_chunk_is_larger_than_it_may_be_and_no_line_is_lost() -> None:
    texts = [f"line {number} of a talk" for number in range(400)]
    long = "word " * (2 * CHUNK)

    chunks = [*cut_chunks([*texts, long, "the end"])]

    assert [line for chunk in chunks for line in chunk] == [
        *texts,
        long,
        "the end",
    ]
    sizes = [sum(map(count_tokens, chunk)) for chunk in chunks]
    assert [size for size in sizes if size > CHUNK] == [count_tokens(long)]


def test_evidence_is_there_only_where_its_own_words_are() -> None:
    question = Question("?", (frozenset({"a"}),))
    words = {
        "a": "the boiler was repaired by mr okafor",
        "b": "ines moved to porto",
    }

    assert tokens._has_evidence(question, ["The boiler was repaired …"], words)
    assert not tokens._has_evidence(question, ["Ines moved to Porto"], words)
