"""What rests on what: all of it, nothing else, once each, over the shortest path, in one order,
circles or not.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.ledger.dependents.follow import (
    NAMED,
    Cascade,
    Node,
    RestsOn,
    follow_dependents,
)

Graph = Mapping[int, frozenset[int]]  # thing -> what rests on it directly
graphs = st.dictionaries(
    st.integers(0, 12),
    st.frozensets(st.integers(0, 12), max_size=5),
    max_size=13,
)


def node(number: int) -> Node:
    return Node("entry", f"{number:02}")


def run(graph: Graph, fallen: Iterable[int], **bounds: int) -> Cascade:
    def resting(of: Node) -> list[RestsOn]:
        return [
            RestsOn(node(n), "links to it") for n in graph.get(int(of.id), ())
        ]

    return follow_dependents([node(n) for n in fallen], resting, **bounds)


def distances(graph: Graph, fallen: Iterable[int]) -> dict[int, int]:
    """The dumbest right model: how many steps each dependent is away."""
    away = dict.fromkeys(fallen, 0)
    for step in range(1, 20):
        for known in [n for n, steps in away.items() if steps == step - 1]:
            away |= {n: step for n in graph.get(known, ()) if n not in away}
    return {n: steps for n, steps in away.items() if steps}


@given(graphs, st.sets(st.integers(0, 12), min_size=1, max_size=3))
def test_everything_that_rests_on_it_is_found_once_over_the_shortest_path(
    graph: Graph, fallen: set[int]
) -> None:
    found = run(graph, fallen)
    expected = distances(graph, fallen)
    assert {d.node: len(d.path) for d in found.dependents} == {
        node(n): steps for n, steps in expected.items()
    }
    assert (
        len({d.node for d in found.dependents}) == len(found.dependents)
        and not found.beyond
    )
    assert all(d.path[-1].node == d.node for d in found.dependents)
    assert [len(d.path) for d in found.dependents] == sorted(
        len(d.path) for d in found.dependents
    )


@given(graphs, st.sets(st.integers(0, 12), min_size=1, max_size=3))
def test_every_step_of_a_path_is_an_edge(
    graph: Graph, fallen: set[int]
) -> None:
    for dependent in run(graph, fallen).dependents:
        steps = [int(rest.node.id) for rest in dependent.path]
        assert any(steps[0] in graph.get(n, ()) for n in fallen)
        assert all(b in graph[a] for a, b in pairwise(steps))


@given(graphs, st.lists(st.integers(0, 12), min_size=1, max_size=3))
def test_the_order_in_which_things_fell_does_not_matter(
    graph: Graph, fallen: list[int]
) -> None:
    assert run(graph, fallen) == run(graph, reversed(fallen))


def test_what_is_beyond_the_bounds_is_said_and_not_dropped_in_silence() -> None:
    chain = {n: frozenset({n + 1}) for n in range(10)}
    assert [d.node.id for d in run(chain, [0], depth=3).dependents] == [
        "01",
        "02",
        "03",
    ]
    assert run(chain, [0], depth=3).beyond and not run(chain, [0]).beyond
    assert run(chain, [0], depth=9).beyond
    assert not run(chain, [0], depth=10).beyond
    wide = {0: frozenset(range(1, 9))}
    assert (
        len(run(wide, [0], limit=5).dependents) == 5
        and run(wide, [0], limit=5).beyond
    )
    assert not run(wide, [0], limit=8).beyond
    # of all steps together: three are left where the first step took one
    deep = {0: frozenset({1}), 1: frozenset(range(2, 8))}
    found = run(deep, [0], limit=4)
    assert len(found.dependents) == 4 and found.beyond


def test_fifty_thousand_dependents_in_a_chain_and_in_a_fan() -> None:
    many = {0: frozenset(range(1, 50_001))}
    found = run(many, [0])
    assert len(found.dependents) == 50_000 and not found.beyond
    found = run({0: frozenset(range(1, 50_002))}, [0])
    assert len(found.dependents) == 50_000 and found.beyond


def test_a_path_has_sixty_four_steps() -> None:
    chain = {n: frozenset({n + 1}) for n in range(70)}
    found = run(chain, [0])
    assert len(found.dependents) == 64 and found.beyond


def test_one_event_names_two_hundred() -> None:
    assert NAMED == 200
