"""`python -m tests.bench languages [--half score]`: English notes asked for in German and French.

The share of questions that a search answers with the right note first (R@1), by the static vectors
of the core install and by `[vectors]`, where that is installed. The questions were written for this
bench; the first half of the notes may be looked at, the second is only measured.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from companion.judges.vectors import check_installed
from companion.language.protocols import ModelUnavailable
from companion.maintenance.switch_reasoner import use
from companion.values.captures import Draft
from tests.bench.life import Life, life
from tests.bench.retrieval.measures import Ranking
from tests.bench.retrieval.run import Shown

_SET = Path(__file__).with_suffix(".toml")
_DAY = "2026-03-{:02}T{:02}:00:00.000000Z"
_A_DAY = 4  # notes
LANGUAGES = ("de", "fr")

Half = Literal["dev", "score"]


class Note(NamedTuple):
    """An English note, and a question for it in each language."""

    text: str
    de: str
    fr: str


def languages(half: Half) -> None:
    """Print R@1 and R@5 of each language, by the models that are installed."""
    notes = [Note(**one) for one in tomllib.loads(_SET.read_text())["notes"]]
    told: dict[str, set[str]] = {}
    with life(_DAY.format(1, 9)) as home:
        for day, first in enumerate(range(0, len(notes), _A_DAY), 1):
            home.at(_DAY.format(day, 22))
            for n, note in enumerate(notes[first : first + _A_DAY], first):
                when = _DAY.format(day, 9 + n - first)
                draft = Draft(note.text, source="me", event_time=when)
                for id in home.tell([draft]):
                    told[str(id)] = {str(n)}
            home.at(_DAY.format(day, 23))
            home.night()
        _show("light", home, notes, told, half)
        try:
            check_installed()
        except ModelUnavailable as error:
            print(f"vectors: {error}")
            return
        use(home.ws, "vectors")
        _show("vectors", home, notes, told, half)


def _show(
    model: str,
    home: Life,
    notes: Sequence[Note],
    told: dict[str, set[str]],
    half: Half,
) -> None:
    middle = len(notes) // 2
    chosen = range(middle) if half == "dev" else range(middle, len(notes))
    shown = Shown(home, told, 10)
    for language in LANGUAGES:
        asked = [(str(n), getattr(notes[n], language)) for n in chosen]
        rankings = [(name, shown.rank(question)) for name, question in asked]
        first = sum(name in _top(found, 1) for name, found in rankings)
        five = sum(name in _top(found, 5) for name, found in rankings)
        print(
            f"{model:8} {language}, {half}, {len(asked)} questions:"
            f" R@1 {first / len(asked):.3f}  R@5 {five / len(asked):.3f}"
        )


def _top(ranking: Ranking, most: int) -> frozenset[str]:
    return frozenset().union(*ranking[:most])
