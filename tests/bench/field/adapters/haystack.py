"""Read a haystack, hand each talk to a peer, and write its rankings."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

#: results of a ranking: enough for ten sessions
MOST = 50


class Turn(NamedTuple):
    """What one person said."""

    id: str
    session: str
    speaker: str
    said_at: str  # RFC 3339
    text: str

    @property
    def note(self) -> str:
        """Return the words that a peer is told."""
        return f"{self.speaker}: {self.text}"


class Talk(NamedTuple):
    """The turns of one talk, and the questions about it in their order."""

    name: str
    turns: list[Turn]
    questions: list[str]


# (turn, score), the best first; no score where the peer has none
Ranking = Sequence[tuple[str, float | None]]
Rank = Callable[[Talk], Iterator[Ranking]]


def read_talks(path: Path) -> list[Talk]:
    """Return the talks of a haystack that `field --haystack` wrote."""
    talks: dict[str, Talk] = {}
    for line in path.read_text("utf-8").splitlines():
        document: dict[str, Any] = json.loads(line)
        name = document["talk"]
        talk = talks.setdefault(name, Talk(name, [], []))
        if "turn" in document:
            talk.turns.append(Turn(**document["turn"]))
        else:
            talk.questions.append(document["text"])
    return list(talks.values())


def adapt(module: str, package: str, rank: Rank) -> None:
    """Do what the command line of the adapter *module* says with *package*'s program."""
    parser = argparse.ArgumentParser(
        prog=f"python -m tests.bench.field.adapters.{module}"
    )
    parser.add_argument("set")
    parser.add_argument("half", choices=("dev", "score"))
    parser.add_argument("haystack", type=Path)
    parser.add_argument("rankings", type=Path)
    given = parser.parse_args()
    head = {
        "program": package,
        "version": version(package),
        "command": f"{parser.prog} {given.set} {given.half} HAYSTACK RANKINGS",
        "set": given.set,
        "half": given.half,
    }
    lines = [head]
    for talk in read_talks(given.haystack):
        for number, ranking in enumerate(rank(talk)):
            lines.append(_write_line(talk.name, number, ranking))
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    given.rankings.write_text("\n".join(texts) + "\n", "utf-8")


def _write_line(talk: str, number: int, ranking: Ranking) -> dict[str, Any]:
    line: dict[str, Any] = {
        "talk": talk,
        "question": number,
        "ranking": [[turn] for turn, _ in ranking],
    }
    scores = [score for _, score in ranking]
    if scores and None not in scores:
        line["scores"] = scores
    return line
