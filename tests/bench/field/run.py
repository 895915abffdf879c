"""`python -m tests.bench field`: write a haystack, rank it, and say what rankings are worth."""

import argparse
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.bench.bare import forget_durability
from tests.bench.field.rankers import RANKERS
from tests.bench.field.rankings import (
    UnfitRankings,
    read_rankings,
    write_haystack,
    write_rankings,
)
from tests.bench.field.score import score
from tests.bench.retrieval.sets import SETS, Talk


def field(argv: Sequence[str]) -> int:
    """Do what the command line says; 1 where a file of rankings breaks a rule."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench field")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=SETS, default="locomo")
    parser.add_argument("--half", choices=("dev", "score"), default="dev")
    parser.add_argument("--haystack", type=Path, metavar="FILE")
    parser.add_argument("--by", choices=RANKERS)
    parser.add_argument("--rankings", type=Path, nargs="+", metavar="FILE")
    chosen = parser.parse_args(argv)
    talks = list(SETS[chosen.set](chosen.data, chosen.half))
    if chosen.haystack:
        write_haystack(chosen.haystack, talks)
        return 0
    if not chosen.rankings:
        parser.error("name files by --rankings, or one by --haystack")
    if chosen.by:
        _rank(talks, chosen)
    return _score(talks, chosen.rankings)


def _rank(talks: Sequence[Talk], chosen: argparse.Namespace) -> None:
    forget_durability()
    version, rank = RANKERS[chosen.by]
    head = {
        "program": chosen.by,
        "version": version,
        "command": (
            f"python -m tests.bench field --data DIR --set {chosen.set}"
            f" --half {chosen.half} --by {chosen.by}"
        ),
        "set": chosen.set,
        "half": chosen.half,
    }
    write_rankings(chosen.rankings[0], head, rank(talks))


def _score(talks: Sequence[Talk], paths: Sequence[Path]) -> int:
    asked = sum(len(talk.questions) for talk in talks)
    turns = sum(len(talk.turns) for talk in talks)
    print(f"{asked} questions over {turns} turns of {len(talks)} talks")
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    for path in paths:
        try:
            rankings = read_rankings(path, talks)
        except UnfitRankings as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
        head = rankings.head
        print(f"{head['program']} ({head['version']}; {machine})")
        print(f"  {score(talks, rankings).show()}")
        print(f"  {head['command']}")
    return 0
