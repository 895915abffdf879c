"""The linear ways give what removing each entry and searching again gives."""

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.gravity import topology
from companion.gravity.formula import Parts

Edges = list[tuple[int, int]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Small graphs with everything in them: loops, repeats, circles, parts that hang on nothing."""
    size = draw(st.integers(1, 9))
    entry = st.integers(0, size - 1)
    return size, draw(st.lists(st.tuples(entry, entry), max_size=20))


def measure(
    size: int, edges: Edges, weights: list[float] | None = None
) -> list[Parts]:
    ends = np.array(edges, np.int64).reshape(-1, 2)
    found = topology.measure(
        size, ends[:, 0], ends[:, 1], np.array(weights or [1.0] * len(edges))
    )
    return [Parts(*row) for row in zip(*found, strict=True)]


def _reached(starts: set[int], steps: dict[int, set[int]]) -> set[int]:
    found, todo = set(starts), list(starts)
    while todo:
        new = steps.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _steps(edges: Edges, *, without: int | None = None) -> dict[int, set[int]]:
    steps: dict[int, set[int]] = {}
    for tail, head in edges:
        if without not in (tail, head) and tail != head:
            steps.setdefault(tail, set()).add(head)
    return steps


def _grounds(size: int, edges: Edges) -> set[int]:
    """Entries that everything they depend on depends on in turn: they hold themselves up."""
    reach = {n: _reached({n}, _steps(edges)) for n in range(size)}
    return {
        n for n in range(size) if all(n in reach[other] for other in reach[n])
    }


def _brute(size: int, edges: Edges, gone: int) -> tuple[int, int, int]:
    proper = [(t, h) for t, h in edges if t != h]
    back = [(h, t) for t, h in proper]
    held = _reached(
        _grounds(size, edges) - {gone}, _steps(back, without=gone)
    ) - {gone}
    unsupported = size - 1 - len(held)
    into: dict[int, set[int]] = {}
    for tail, head in proper:
        into.setdefault(head, set()).add(tail)
    orphaned = sum(tails == {gone} for tails in into.values())
    both = proper + back
    part = _reached({gone}, _steps(both)) - {gone}
    pieces = [len(_reached({n}, _steps(both, without=gone))) for n in part]
    return unsupported, orphaned, len(part) - max(pieces, default=0)


@given(graphs())
@settings(max_examples=400)
def test_the_cost_is_what_removing_the_entry_would_break(
    graph: tuple[int, Edges],
) -> None:
    size, edges = graph

    parts = measure(size, edges)

    assert [(p.unsupported, p.orphaned, p.cut_off) for p in parts] == [
        _brute(size, edges, n) for n in range(size)
    ]


@given(graphs(), st.data())
def test_pagerank_is_where_a_walker_is(
    graph: tuple[int, Edges], data: st.DataObject
) -> None:
    size, edges = graph
    weights = data.draw(
        st.lists(st.floats(0.5, 4), min_size=len(edges), max_size=len(edges))
    )
    matrix = np.zeros((size, size))
    for (tail, head), weight in zip(edges, weights, strict=True):
        matrix[head, tail] += weight if tail != head else 0
    matrix[:, matrix.sum(0) == 0] = 1
    google = (
        topology.DAMPING * matrix / matrix.sum(0)
        + (1 - topology.DAMPING) / size
    )
    values, vectors = np.linalg.eig(google)
    exact = np.real(vectors[:, np.argmax(np.real(values))])

    found = [p.centrality for p in measure(size, edges, weights)]

    assert found == pytest.approx(exact / exact.sum() * size, abs=2e-6)


@given(graphs(), st.randoms(use_true_random=False))
def test_the_order_of_entries_and_edges_decides_nothing(
    graph: tuple[int, Edges], chance: object
) -> None:
    size, edges = graph
    names = list(range(size))
    chance.shuffle(names)  # type: ignore[attr-defined]
    renamed = [(names[t], names[h]) for t, h in reversed(edges)]

    before, after = measure(size, edges), measure(size, renamed)

    for n in range(size):
        assert after[names[n]][1:] == before[n][1:]
        assert after[names[n]].centrality == pytest.approx(
            before[n].centrality, abs=2e-6
        )


def test_what_depends_gives_and_what_is_depended_on_receives() -> None:
    """Pitfall 7: reversed, a page that links to everything would be a foundation."""
    index = measure(21, [(0, n) for n in range(1, 21)])
    foundation = measure(21, [(n, 0) for n in range(1, 21)])

    assert (
        index[0].centrality < index[1].centrality
        and index[0].unsupported == 0
        and index[0].orphaned == 20
    )
    assert (
        foundation[0].centrality > 5
        and foundation[0].unsupported == 20
        and foundation[0].orphaned == 0
    )


def test_the_mean_of_centrality_is_one_in_a_wiki_of_any_size() -> None:
    for size in (10, 1000):
        ring = measure(size, [(n, (n + 1) % size) for n in range(size)])

        assert {p.centrality for p in ring} == {1.0}


def test_a_bridge_between_two_topics_costs_what_falls_away() -> None:
    cliques = [
        (a + base, b + base)
        for base in (0, 10)
        for a in range(10)
        for b in range(10)
        if a != b
    ]

    parts = measure(21, [*cliques, (0, 20), (20, 10)])

    assert parts[20].cut_off == 10
    assert parts[5].cut_off == parts[15].cut_off == 0


@pytest.mark.parametrize(
    ("size", "edges"),
    [
        (1, []),
        (50_001, [(n, 0) for n in range(1, 50_001)]),
        (10_000, [(n, (n + 1) % 10_000) for n in range(10_000)]),
        (
            10_001,
            [
                *((n, n - 1) for n in range(1, 10_000)),
                *((10_000, n) for n in range(10_000)),
            ],
        ),
        (100_000, [(n, n - 1) for n in range(1, 100_000)]),
        (100_000, []),
    ],
    ids=[
        "alone",
        "star of 50,000",
        "circle of 10,000",
        "diary of 10,000 and its index",
        "chain of 100,000",
        "no link",
    ],
)
def test_extreme_shapes_take_a_moment(size: int, edges: Edges) -> None:
    began = time.process_time()

    parts = measure(size, edges)

    # one search per entry would take hours
    assert time.process_time() - began < 20
    assert len(parts) == size and all(
        math.isfinite(p.centrality) and p.centrality > 0 for p in parts
    )
    assert sum(p.centrality for p in parts) == pytest.approx(size, rel=1e-4)
    assert max(p.unsupported for p in parts) <= size - 1


def test_an_empty_wiki_has_no_gravity() -> None:
    assert measure(0, []) == []
