"""Fit what makes a note one of a debate: `python -m tests.bench doubts --train` calls this.

In each developed world every page that is contested is a debate from its first dissent on. Each
later note of others is held against it, with those before it as company; so are notes of other
worlds, among them dissents from other pages, which weigh a fifth. The likelihood by the two texts
alone is that of weights that never saw the world.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy

from companion.language.stance.contest import (
    UNNAMED,
    keep_stating,
    names_anything,
)
from companion.language.stance.doubts import Features
from companion.minority.contested.company import (
    PATH,
    describe_company,
    find_common,
)
from companion.minority.contested.doubts import tell_words
from tests.bench.plain_worlds import Note, read_world

if TYPE_CHECKING:
    from tests.bench.stance.doubts import Judges, Weights

_STRANGER = 0.2  # what a note of another world weighs
_STRANGERS = 60  # of them, for each debate on the page of `a`
_MOST = 3  # dissents that a stranger meets
_STEADY = 3.0
_STEPS = 30
_LETTERS = "abd"
FALSE = (0, 1, 2, 4)


class Beside(NamedTuple):
    """A note beside a debate."""

    world: str
    note: Note
    joins: bool  # it contests the page
    is_own: bool  # it is of the same world
    seen: Features  # for the likelihood by the two texts alone
    asked: bool  # it names anything of the page
    words: tuple[str, ...]
    title: tuple[str, ...]
    page: tuple[str, ...]
    others: tuple[tuple[str, ...], ...]

    def describe(self, weights: "Weights") -> Features:
        """Return what is seen of it, with the likelihood that *weights* find."""
        likelihood = weights.weigh(self.seen) if self.asked else UNNAMED
        common = find_common(self.words, self.title, self.page, self.others)
        return describe_company(likelihood, self.words, common)


def hold_debates(names: Sequence[str], judges: "Judges") -> list[Beside]:
    """Return the notes of each world, and of others, beside its debates."""
    chance = random.Random(3)
    worlds = {name: read_world(name) for name in names}
    held: list[Beside] = []
    for name, notes in worlds.items():
        for letter in _LETTERS:
            held += _hold_own(name, notes, letter, judges)
        strange = _list_strangers(worlds, name)
        chosen = chance.sample(strange, min(_STRANGERS, len(strange)))
        held += _hold_strangers(name, notes, chosen, judges, chance)
    return [one for one in held if one.seen]


def _hold_own(
    name: str, notes: Sequence[Note], letter: str, judges: "Judges"
) -> Iterator[Beside]:
    page, dissents = _find_debate(notes, letter)
    for note in notes:
        before = [
            one
            for one in dissents
            if one.date < note.date and one.source != note.source
        ]
        if before and note.source and not note.tag.endswith("0"):
            yield _hold(name, page, note, before, judges, note in dissents)


def _hold_strangers(
    name: str,
    notes: Sequence[Note],
    strangers: Iterable[Note],
    judges: "Judges",
    chance: random.Random,
) -> Iterator[Beside]:
    page, dissents = _find_debate(notes, "a")
    for note in strangers:
        before = dissents[: chance.randint(1, _MOST)]
        held = _hold(name, page, note, before, judges, False)
        yield held._replace(is_own=False)


def _find_debate(notes: Sequence[Note], letter: str) -> tuple[Note, list[Note]]:
    (page,) = [one for one in notes if one.tag == f"{letter}0"]
    dissents = [
        one for one in notes if one.tag[:1] == letter and one is not page
    ]
    return page, dissents


def _list_strangers(
    worlds: Mapping[str, Sequence[Note]], name: str
) -> list[Note]:
    """Return what others say in other worlds of the same language: plain notes and dissents."""
    language = find_language(worlds[name])
    found = []
    for other, notes in worlds.items():
        if other == name or find_language(notes) != language:
            continue
        for note in notes:
            if note.source and note.tag[:1] in ("", "a", "d"):
                found.append(note)
    return [one for one in found if not one.tag.endswith("0")]


def find_language(notes: Sequence[Note]) -> str | None:
    """Return the language of most of a world."""
    from companion.language.detect import language_of

    return language_of(" ".join(one.text for one in notes))


def _hold(
    name: str,
    page: Note,
    note: Note,
    before: Sequence[Note],
    judges: "Judges",
    joins: bool,
) -> Beside:
    stating = keep_stating(page.statement, note.statement)
    seen = judges.describe_stating(page.statement, note.statement, stating)
    asked = stating is not None and names_anything(page.statement, stating)
    title = tell_words(page.statement.title or "")
    return Beside(
        name,
        note,
        joins,
        True,
        seen,
        asked,
        tell_words(note.text),
        title,
        (*title, *tell_words(page.statement.text)),
        tuple(tell_words(one.text) for one in before),
    )


class Company(NamedTuple):
    """Fitted weights, by name, with the bias."""

    weights: Mapping[str, float]

    def weigh(self, seen: Features) -> float:
        """Return the log-odds that a note of which that is *seen* joins."""
        total = self.weights["bias"]
        for name, value in seen.items():
            total += self.weights[name] * value
        return total


def fit_company(
    held: Sequence[Beside], weights: Mapping[str, "Weights"]
) -> Company:
    """Fit a logistic model; *weights* has, for each world, those that never saw it."""
    rows = [one.describe(weights[one.world]) for one in held]
    names = tuple(rows[0])
    table = numpy.asarray([[row[name] for name in names] for row in rows])
    truth = numpy.asarray([float(one.joins) for one in held])
    counts = numpy.asarray([_count(one) for one in held])
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6
    scaled = numpy.column_stack([(table - mean) / scale, numpy.ones(len(rows))])
    penalty = numpy.eye(scaled.shape[1]) * _STEADY
    penalty[-1, -1] = 1e-6
    found = numpy.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + numpy.exp(-scaled @ found))
        slope = scaled.T @ (counts * (likely - truth)) + penalty @ found
        bend = counts * likely * (1 - likely)
        found -= numpy.linalg.solve((scaled.T * bend) @ scaled + penalty, slope)
    values = found[:-1] / scale
    fitted = dict(zip(names, map(float, values), strict=True))
    return Company({"bias": float(found[-1] - values @ mean), **fitted})


def _count(one: Beside) -> float:
    is_dissent = one.note.tag[:1] in _LETTERS and one.note.tag != ""
    return _STRANGER if is_dissent and not one.joins else 1.0


def write_company(company: Company) -> None:
    """Write the weights where the program reads them."""
    lines = [
        "# What each thing that is seen of a note beside a debate says for its joining it.",
        "# Written by `python -m tests.bench doubts --train`.",
        "",
        "[weights]",
    ]
    for name, value in company.weights.items():
        lines.append(f'"{name}" = {value:.4f}')
    with open(PATH, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def print_company(
    held: Sequence[Beside], weights: Mapping[str, "Weights"]
) -> None:
    """Print how many notes join a debate by weights that never saw their world."""
    scored: list[tuple[float, Beside]] = []
    for name in dict.fromkeys(one.world for one in held):
        others = [one for one in held if one.world != name]
        company = fit_company(others, weights)
        for one in held:
            if one.world == name:
                seen = one.describe(weights[name])
                scored.append((company.weigh(seen), one))
    joining = [odds for odds, one in scored if one.joins and _is_a(one)]
    plain = [odds for odds, one in scored if one.is_own and not one.note.tag]
    strange = [odds for odds, one in scored if not one.is_own]
    plain.sort(reverse=True)
    for most in FALSE:
        bar = plain[most]
        print(
            f"  {most} of {len(plain)} plain notes: "
            f"{sum(odds > bar for odds in joining)} of {len(joining)} join, "
            f"{sum(odds > bar for odds in strange)} of {len(strange)} strangers"
        )


def _is_a(one: Beside) -> bool:
    return one.note.tag[:1] == "a"
