"""`python -m tests.bench.stance.routes [static|e5]`: whether meaning leads a dissent to its page.

Each dissent of the developed plain worlds is held against the earlier pages that others link to, by
the nearest pair of sentences. Printed is how often its own page is first, or among the first three;
of all dissents and of those that name no word of their page; and what the weights of the program
and the trained head say of the first page where a night would not ask for want of words.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy

from companion.language.protocols import Embedder
from companion.language.stance.contest import keep_stating, language_of_both
from companion.pages.links import title_key
from tests.bench.plain_worlds import (
    DEVELOPED,
    Note,
    list_linked_titles,
    read_world,
)
from tests.bench.stance.run import Bench, open_bench

FALSE = (0, 1, 2, 4, 8)


class Place(NamedTuple):
    """A page that a note may be held against."""

    page: Note
    likeness: float
    has_words: bool  # a night asks


class Routed(NamedTuple):
    """A note, and the pages by how near they are, the nearest first."""

    note: Note
    places: list[Place]

    @property
    def is_dissent(self) -> bool:
        return self.note.tag[:1] == "a"

    @property
    def rank(self) -> int:
        """The place of its own page, from 1; 0 where it has none."""
        for at, place in enumerate(self.places, 1):
            if self.is_dissent and place.page.tag == "a0":
                return at
        return 0


def routes(which: str) -> None:
    """Print where dissents are led by the vectors *which*, and what the head says there."""
    bench = open_bench(which)
    routed = [
        one for name in DEVELOPED for one in route_world(name, bench.embedder)
    ]
    dissents = [one for one in routed if one.rank]
    _print_ranks("all dissents", dissents)
    wordless = [
        one for one in dissents if not one.places[one.rank - 1].has_words
    ]
    _print_ranks("without a word of their page", wordless)
    _print_head(routed, bench)


def route_world(name: str, embedder: Embedder) -> Iterator[Routed]:
    """Yield the dissents and plain notes of a world with the earlier pages."""
    notes = read_world(name)
    linked = list_linked_titles(notes)
    pages: list[Note] = []
    for note in notes:
        is_held = note.tag[:1] in ("", "a") and note.tag != "a0"
        if pages and is_held:
            yield _route(note, pages, embedder)
        title = note.statement.title
        if title is not None and title_key(title) in linked:
            pages.append(note)


def _route(note: Note, pages: Sequence[Note], embedder: Embedder) -> Routed:
    places = [
        Place(
            page,
            _likeness(page, note, embedder),
            keep_stating(page.statement, note.statement) is not None,
        )
        for page in pages
    ]
    return Routed(note, sorted(places, key=lambda place: -place.likeness))


def _likeness(page: Note, note: Note, embedder: Embedder) -> float:
    """Return how near the nearest sentences of both are."""
    left, right = (
        embedder.embed(_list_sentences(one)).astype(float)
        for one in (page, note)
    )
    left /= numpy.linalg.norm(left, axis=1, keepdims=True) + 1e-9
    right /= numpy.linalg.norm(right, axis=1, keepdims=True) + 1e-9
    return float((left @ right.T).max())


def _list_sentences(note: Note) -> list[str]:
    lines = note.statement.text.splitlines()
    return [line for line in lines if not line.startswith("# ")] or lines


def _print_ranks(what: str, routed: Sequence[Routed]) -> None:
    ranks = [one.rank for one in routed]
    counts = [len(one.places) for one in routed]
    print(f"{what}: {len(routed)}")
    for most in (1, 3):
        found = sum(rank <= most for rank in ranks)
        chance = sum(min(1.0, most / count) for count in counts)
        print(f"  page among the first {most}: {found}, by chance {chance:.1f}")


def _print_head(routed: Sequence[Routed], bench: Bench) -> None:
    """Print what the head says of the nearest page of notes that have no word of it."""
    right: list[float] = []
    false: list[float] = []
    for one in routed:
        first = one.places[0]
        if first.has_words:
            continue
        pair = (first.page.statement, one.note.statement)
        if language_of_both(*pair) is None:
            continue
        score = bench.reader.read([pair])[0].probability("contradicts")
        if one.rank == 1:
            right.append(score)
        elif not one.is_dissent:
            false.append(score)
    false.sort(reverse=True)
    above = [
        float(score > other) + 0.5 * (score == other)
        for score in right
        for other in false
    ]
    heard = [sum(score > false[most] for score in right) for most in FALSE]
    print(
        f"the head there: area {sum(above) / len(above):.2f};",
        f"of {len(right)} on their page heard at {FALSE} false of {len(false)}:",
        " / ".join(map(str, heard)),
    )


if __name__ == "__main__":
    routes(sys.argv[1] if len(sys.argv) > 1 else "static")
