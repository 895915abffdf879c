"""`python -m tests.bench field`: write a haystack, rank it, and say what rankings are worth."""

import argparse
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.bench.bare import forget_durability
from tests.bench.field.page import COMMAND, Row, record
from tests.bench.field.rankers import RANKERS
from tests.bench.field.rankings import (
    HEAD,
    UnfitRankings,
    read_rankings,
    write_haystack,
    write_rankings,
)
from tests.bench.field.score import score
from tests.bench.retrieval.sets import SETS, Talk
from tests.made import note_origin


def field(argv: Sequence[str]) -> int:
    """Do what the command line says; 1 where a file of rankings breaks a rule."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench field")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", choices=SETS, default="locomo")
    parser.add_argument("--half", choices=("dev", "score"), default="dev")
    parser.add_argument("--haystack", type=Path, metavar="FILE")
    parser.add_argument("--by", choices=RANKERS)
    parser.add_argument("--rankings", type=Path, nargs="+", metavar="FILE")
    parser.add_argument(
        "--write", action="store_true", help="write the page of the documents"
    )
    chosen = parser.parse_args(argv)
    talks = list(SETS[chosen.set](chosen.data, chosen.half))
    if chosen.haystack:
        write_haystack(chosen.haystack, talks)
        return 0
    if not chosen.rankings:
        parser.error("name files by --rankings, or one by --haystack")
    if chosen.by:
        _rank(talks, chosen)
    rows = _score(talks, chosen.rankings)
    if rows is None:
        return 1
    if chosen.write:
        record(rows)
    return 0


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


def _score(talks: Sequence[Talk], paths: Sequence[Path]) -> list[Row] | None:
    """Print what each file is worth, and return it; None where one breaks a rule."""
    asked = sum(len(talk.questions) for talk in talks)
    turns = sum(len(talk.turns) for talk in talks)
    print(f"{asked} questions over {turns} turns of {len(talks)} talks")
    machine = f"{platform.machine()}, Python {platform.python_version()}"
    rows = []
    origin = note_origin(COMMAND)
    for path in paths:
        try:
            rankings = read_rankings(path, talks)
        except UnfitRankings as error:
            print(f"{path}: {error}", file=sys.stderr)
            return None
        head = rankings.head
        marks = score(talks, rankings)
        print(f"{head['program']} ({head['version']}; {machine})")
        print(f"  {marks.show()}")
        print(f"  {head['command']}")
        told = {name: head[name] for name in HEAD}
        rows.append(
            Row(
                turns=turns,
                machine=machine,
                date=origin.date,
                commit=origin.commit,
                marks=marks,
                **told,
            )
        )
    return rows
