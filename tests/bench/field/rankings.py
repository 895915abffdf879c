"""A file of rankings: who made it, and for each question what came first."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.retrieval.sets import Talk

#: what the first line of a file says
HEAD = ("program", "version", "command", "set", "half")


class Result(NamedTuple):
    """One result: the turns that it shows, and its score where the program has one."""

    turns: tuple[str, ...]
    score: float | None = None


class Rankings(NamedTuple):
    """What one program ranks for the questions of one set."""

    head: Mapping[str, str]
    results: Mapping[tuple[str, int], Sequence[Result]]  # (talk, question)


class UnfitRankings(Exception):
    """A file of rankings breaks a rule; the message begins with the number of its line."""


def read_rankings(path: Path, talks: Sequence[Talk]) -> Rankings:
    """Return the rankings in *path*, checked against *talks*. Raises UnfitRankings."""
    lines = path.read_text("utf-8").splitlines()
    head = _read_head(lines)
    known = {talk.name: talk for talk in talks}
    turns = {
        talk.name: {turn.id: n for n, turn in enumerate(talk.turns)}
        for talk in talks
    }
    results: dict[tuple[str, int], Sequence[Result]] = {}
    for number, line in enumerate(lines[1:], 2):
        document = _parse(line, number)
        talk = known.get(str(document.get("talk")))
        question = document.get("question")
        if talk is None or question not in range(len(talk.questions)):
            raise UnfitRankings(f"line {number}: no such talk or question")
        key = (talk.name, int(question))
        if key in results:
            raise UnfitRankings(f"line {number}: a second line for {key}")
        results[key] = _read_results(document, turns[talk.name], number)
    return Rankings(head, results)


def write_rankings(
    path: Path,
    head: Mapping[str, str],
    ranked: Iterable[tuple[str, int, Sequence[Result]]],
) -> None:
    """Write what `read_rankings` reads."""
    lines = [json.dumps(dict(head), ensure_ascii=False)]
    for talk, question, results in ranked:
        document: dict[str, Any] = {
            "talk": talk,
            "question": question,
            "ranking": [list(result.turns) for result in results],
        }
        scores = [result.score for result in results]
        if scores and None not in scores:
            document["scores"] = scores
        lines.append(json.dumps(document, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def write_haystack(path: Path, talks: Sequence[Talk]) -> None:
    """Write the turns of *talks* and their questions, without what answers them."""
    lines = []
    for talk in talks:
        for turn in talk.turns:
            document = turn._asdict() | {"said_at": turn.said_at.isoformat()}
            lines.append({"talk": talk.name, "turn": document})
        for number, question in enumerate(talk.questions):
            asked = {"talk": talk.name, "question": number}
            lines.append(asked | {"text": question.text})
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(texts) + "\n", "utf-8")


def _read_head(lines: Sequence[str]) -> Mapping[str, str]:
    head = _parse(lines[0] if lines else "", 1)
    missing = [name for name in HEAD if not isinstance(head.get(name), str)]
    if missing:
        raise UnfitRankings(f"line 1: it does not say {', '.join(missing)}")
    return {name: head[name] for name in HEAD}


def _parse(line: str, number: int) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except ValueError as error:
        raise UnfitRankings(f"line {number}: no JSON") from error
    if not isinstance(document, dict):
        raise UnfitRankings(f"line {number}: no object")
    return document


def _read_results(
    document: Mapping[str, Any], places: Mapping[str, int], number: int
) -> list[Result]:
    """Return the results of one line, the turns of each in the order of the talk."""
    rows = document.get("ranking")
    if not isinstance(rows, list):
        raise UnfitRankings(f"line {number}: no ranking")
    scores = document.get("scores", [None] * len(rows))
    if not isinstance(scores, list) or len(scores) != len(rows):
        raise UnfitRankings(f"line {number}: not one score for each result")
    results = []
    for row, score in zip(rows, scores, strict=True):
        turns = list(_read_turns(row, places, number))
        turns.sort(key=places.__getitem__)
        results.append(Result(tuple(turns), _read_score(score, number)))
    return results


def _read_turns(
    row: object, places: Mapping[str, int], number: int
) -> Iterator[str]:
    if not isinstance(row, list) or not row:
        raise UnfitRankings(f"line {number}: a result shows no turn")
    for turn in row:
        if turn not in places:
            raise UnfitRankings(f"line {number}: no turn is called {turn!r}")
        yield turn


def _read_score(score: object, number: int) -> float | None:
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise UnfitRankings(f"line {number}: a score is no number")
    if not math.isfinite(score):
        raise UnfitRankings(f"line {number}: a score is no number")
    return float(score)
