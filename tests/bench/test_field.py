"""The field's harness: the rules by which rankings are laid out, read and scored."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench.field.adapters.haystack import read_talks
from tests.bench.field.page import (
    PAGE,
    RESULTS,
    read_rows,
    write_page,
    write_rows,
)
from tests.bench.field.rankers import (
    Ranked,
    rank_by_bm25,
    rank_by_static_vectors,
)
from tests.bench.field.rankings import (
    Rankings,
    Result,
    UnfitRankings,
    read_rankings,
    write_haystack,
    write_rankings,
)
from tests.bench.field.score import lay_out, score
from tests.bench.retrieval.sets import Question, Talk, Turn

THEN = datetime(2026, 3, 1, tzinfo=UTC)
WORDS = [
    "The boiler was serviced in May.",
    "Minka is afraid of the boiler.",
    "The train to Kiel leaves at seven.",
    "Anna took the bus to Kiel.",
]
TALK = Talk(
    "a talk",
    [
        Turn(f"t{n}", f"session {n // 2}", "Ines", THEN, words)
        for n, words in enumerate(WORDS)
    ],
    [
        Question("When was the boiler serviced?", (frozenset({"t0"}),)),
        Question("How did Anna get to Kiel?", (frozenset({"t3"}),)),
    ],
)
HEAD = dict.fromkeys(("program", "version", "command", "set", "half"), "x")


def rank(*results: Result) -> Rankings:
    return Rankings(HEAD, {("a talk", 0): results})


def test_a_result_of_several_turns_takes_a_place_for_each() -> None:
    wide = rank(Result(("t1", "t2", "t0")))
    narrow = rank(Result(("t0",)))
    assert score([TALK], narrow).turn_1 == 1
    assert score([TALK], wide).turn_1 == 0
    assert score([TALK], wide).reciprocal == pytest.approx(1 / 3)


def test_of_one_score_what_answers_stands_last() -> None:
    evidence = frozenset({"t0"})
    tied = [Result((turn,), 0.5) for turn in ("t0", "t1", "t2")]
    assert lay_out(tied, evidence) == ["t1", "t2", "t0"]
    above = [Result(("t3",), 0.1), Result(("t0",), 0.7)]
    assert lay_out(above, evidence) == ["t0", "t3"]
    # without scores the order of the file counts
    assert lay_out([Result(("t0",)), Result(("t1",))], evidence)[0] == "t0"


def test_silence_counts_as_nothing_found() -> None:
    marks = score([TALK], rank(Result(("t0",))))
    assert (marks.questions, marks.turn_10) == (2, 1)


def test_a_session_counts_at_its_first_place() -> None:
    by_neighbour = rank(Result(("t1",)))
    marks = score([TALK], by_neighbour)
    assert (marks.turn_10, marks.session_10) == (0, 1)


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcd"), min_size=1, max_size=3),
            st.sampled_from([0.1, 0.5, 0.9]),
        ),
        max_size=6,
    ),
    st.frozensets(st.sampled_from("abcd"), min_size=1),
    st.randoms(),
)
def test_the_order_of_a_file_says_nothing_where_there_are_scores(
    drawn: list[tuple[list[str], float]],
    evidence: frozenset[str],
    chance: random.Random,
) -> None:
    results = [Result(tuple(turns), worth) for turns, worth in drawn]
    shuffled = list(results)
    chance.shuffle(shuffled)

    def first(some: list[Result]) -> int:
        laid = lay_out(some, evidence)
        return min(
            (n for n, turn in enumerate(laid) if turn in evidence), default=-1
        )

    assert sorted(lay_out(results, evidence)) == sorted(
        lay_out(shuffled, evidence)
    )
    if all(len(result.turns) == 1 for result in results):
        assert first(results) == first(shuffled)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2: no JSON"),
        ("[]", "line 2: no object"),
        ('{"talk": "b", "question": 0, "ranking": []}', "no such talk"),
        ('{"talk": "a talk", "question": 9, "ranking": []}', "no such talk"),
        ('{"talk": "a talk", "question": 0}', "line 2: no ranking"),
        (
            '{"talk": "a talk", "question": 0, "ranking": [["t9"]]}',
            "no turn is called 't9'",
        ),
        (
            '{"talk": "a talk", "question": 0, "ranking": [[]]}',
            "a result shows no turn",
        ),
        (
            '{"talk": "a talk", "question": 0, "ranking": [["t0"]],'
            ' "scores": []}',
            "not one score for each result",
        ),
        (
            '{"talk": "a talk", "question": 0, "ranking": [["t0"]],'
            ' "scores": [NaN]}',
            "a score is no number",
        ),
    ],
)
def test_a_line_that_breaks_a_rule_is_named(
    tmp_path: Path, line: str, words: str
) -> None:
    path = tmp_path / "rankings.jsonl"
    path.write_text(f"{json.dumps(HEAD)}\n{line}\n")
    with pytest.raises(UnfitRankings, match=words):
        read_rankings(path, [TALK])


def test_one_question_has_one_line_and_a_file_says_who_made_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rankings.jsonl"
    twice = [("a talk", 0, [Result(("t0",))])] * 2
    write_rankings(path, HEAD, twice)
    with pytest.raises(UnfitRankings, match="line 3: a second line"):
        read_rankings(path, [TALK])
    path.write_text('{"program": "x"}\n')
    with pytest.raises(UnfitRankings, match="version, command, set, half"):
        read_rankings(path, [TALK])


@pytest.mark.parametrize("ranker", [rank_by_bm25, rank_by_static_vectors])
def test_what_is_ranked_is_read_back_and_scored(
    tmp_path: Path, ranker: Callable[[Sequence[Talk]], Ranked]
) -> None:
    path = tmp_path / "rankings.jsonl"
    write_rankings(path, HEAD, ranker([TALK]))
    assert score([TALK], read_rankings(path, [TALK])).turn_1 == 2


def test_a_haystack_does_not_say_what_answers(tmp_path: Path) -> None:
    path = tmp_path / "haystack.jsonl"
    write_haystack(path, [TALK])
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["turn"]["text"] for line in lines[:4]] == WORDS
    assert all(
        line.keys() <= {"talk", "question", "text"} for line in lines[4:]
    )


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    rows = read_rows(text)
    assert write_rows(rows) == text
    assert PAGE.read_text("utf-8") == write_page(rows)


def test_a_peer_reads_the_haystack_that_is_written_for_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "haystack.jsonl"
    write_haystack(path, [TALK])
    (talk,) = read_talks(path)
    assert talk.name == TALK.name
    assert [turn.note for turn in talk.turns] == [
        f"Ines: {words}" for words in WORDS
    ]
    assert talk.questions == [one.text for one in TALK.questions]
