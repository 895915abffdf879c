"""Measure each entry of a graph of dependencies: centrality and fragmentation cost (MaM §5.6,
GRA-7).

Edges point from the dependent to what it depends on. Nothing here searches once per entry: PageRank
is a power iteration over arrays; what an entry alone holds up is its subtree in a dominator tree
(Lengauer & Tarjan 1979; here Cooper, Harvey & Kennedy 2001, by rustworkx); what only it holds
together hangs below an articulation point (Hopcroft & Tarjan 1973). numpy and rustworkx compute and
do nothing else, so the core stays pure; they are imported when needed.
"""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

DAMPING = 0.85  # Page et al. 1999
# total change of an iteration at which PageRank is taken for settled; 0.85^170
_SETTLED = 1e-12
_ITERATIONS = 200


class Measures(NamedTuple):
    """The parts of gravity (`formula.Parts`) of all entries, a column each.

    A column of 100,000 numbers costs less than as many objects.
    """

    centrality: list[float]
    unsupported: list[int]
    orphaned: list[int]
    cut_off: list[int]


def measure(
    size: int, tails: "Array", heads: "Array", weights: "Array"
) -> Measures:
    """Return the parts of the gravity of entries 0 … *size* - 1, in order.

    Edge k leads from dependent *tails[k]* to *heads[k]* with weight *weights[k]* > 0. Loops and
    repeated edges are allowed: the first count for nothing, the second add their weights for
    centrality and are one for the rest.
    """
    import numpy

    if not size:
        return Measures([], [], [], [])
    proper = tails != heads
    tails = tails[proper]
    heads = heads[proper]
    ranks = pagerank(size, tails, heads, weights[proper])
    pairs = _distinct(tails.astype(numpy.int64) * size + heads)
    tails = pairs // size
    heads = pairs % size
    return Measures(
        numpy.round(ranks * size, 6).tolist(),
        count_unsupported(size, tails, heads),
        count_orphaned(size, tails, heads),
        count_cut_off(size, tails, heads),
    )


def pagerank(
    size: int, tails: "Array", heads: "Array", weights: "Array"
) -> "Array":
    """Return the PageRank of every entry (shape (size,), sum 1); what depends on nothing gives to
    all alike.

    Weight flows from the dependent to what it depends on, so that a page that links to everything
    gains nothing by it.
    """
    import numpy

    given = numpy.bincount(tails, weights, size)
    rests = given == 0
    shares = weights / given[tails]
    rank = numpy.full(size, 1 / size)
    for _ in range(_ITERATIONS):
        before = rank
        flow = numpy.bincount(heads, shares * rank[tails], size)
        rank = (
            DAMPING * (flow + rank[rests].sum() / size) + (1 - DAMPING) / size
        )
        if numpy.abs(rank - before).sum() < _SETTLED:
            break
    return rank


def count_orphaned(size: int, tails: "Array", heads: "Array") -> list[int]:
    """Return how many entries each entry alone links to. Edges are unique."""
    import numpy

    sole = numpy.bincount(heads, minlength=size)[heads] == 1
    counts: list[int] = numpy.bincount(tails[sole], minlength=size).tolist()
    return counts


def count_unsupported(size: int, tails: "Array", heads: "Array") -> list[int]:
    """Return how many entries rest on each entry alone: every path of theirs to a ground leads
    through it.

    Grounds depend on nothing; a circle that depends on nothing outside itself holds itself up, and
    so is ground too.
    """
    import rustworkx

    graph: Any = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(size + 1))
    graph.add_edges_from_no_data(
        list(zip(heads.tolist(), tails.tolist(), strict=True))
    )
    circle = _number_circles(graph, size + 1)
    grounds = _find_grounds(circle[:size], tails, heads)
    # one root below all grounds
    graph.add_edges_from_no_data([(size, ground) for ground in grounds])
    dominators = rustworkx.immediate_dominators(graph, size)
    above = [dominators[entry] for entry in range(size)]
    return _below(above, size)


def _number_circles(graph: Any, size: int) -> "Array":
    """Return the number of the circle of every node; one that is on none is a circle of its own."""
    import numpy
    import rustworkx

    circles = rustworkx.strongly_connected_components(graph)
    members = numpy.fromiter(chain.from_iterable(circles), numpy.int64, size)
    sizes = numpy.fromiter(map(len, circles), numpy.int64, len(circles))
    circle = numpy.empty(size, numpy.int64)
    circle[members] = numpy.repeat(numpy.arange(len(circles)), sizes)
    return circle


def _find_grounds(circle: "Array", tails: "Array", heads: "Array") -> list[int]:
    """Return the entries of circles that depend on nothing outside themselves."""
    import numpy

    leads_out = circle[tails] != circle[heads]
    rests = numpy.zeros(len(circle) + 1, bool)  # by circle
    rests[circle[tails[leads_out]]] = True
    grounds: list[int] = numpy.flatnonzero(~rests[circle]).tolist()
    return grounds


def _below(above: Sequence[int], root: int) -> list[int]:
    """Return the number of descendants of every node but the *root*, which is the last.

    *above* has the parent of each.
    """
    children = [0] * (root + 1)
    for parent in above:
        children[parent] += 1
    below = [0] * (root + 1)
    done = [node for node in range(root) if not children[node]]
    # grows while it is walked: children come before their parents
    for node in done:
        parent = above[node]
        below[parent] += below[node] + 1
        children[parent] -= 1
        if not children[parent] and parent != root:
            done.append(parent)
    return below[:root]


def count_cut_off(size: int, tails: "Array", heads: "Array") -> list[int]:
    """Return how many entries each entry would cut off from the largest rest of its component.

    Links hold together in both directions here: a reader follows them either way.
    """
    import numpy
    import rustworkx

    graph: Any = rustworkx.PyGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from_no_data(
        list(zip(tails.tolist(), heads.tolist(), strict=True))
    )
    # (parent, child), as they were reached
    tree: Any = numpy.array(rustworkx.dfs_edges(graph), numpy.int64).reshape(
        -1, 2
    )
    number = numpy.zeros(size, numpy.int64)  # of a root: none is below it
    number[tree[:, 1]] = numpy.arange(1, len(tree) + 1)
    least = number.copy()
    numpy.minimum.at(least, tails, number[heads])
    numpy.minimum.at(least, heads, number[tails])
    return _severed(size, tree.tolist(), number.tolist(), least.tolist())


def _severed(
    size: int,
    tree: Sequence[tuple[int, int]],
    number: Sequence[int],
    low: list[int],
) -> list[int]:
    """Return what each entry would cost in the forest *tree* of a walk depth first, parents before
    their children.

    *number* is the place of each in the walk, *low* the least number that its links lead to; it
    becomes the least that anything below it reaches.
    """
    below = [0] * size
    lost = [0] * size
    largest = [0] * size
    for up, here in reversed(tree):
        part = below[here] + 1
        reach = low[here]
        below[up] += part
        low[up] = min(low[up], reach)
        # nothing below reaches past *up*: it falls off with it
        if reach >= number[up]:
            lost[up] += part
            largest[up] = max(largest[up], part)
    root = list(range(size))
    for up, here in tree:
        root[here] = root[up]
    costs = [0] * size
    for entry, fallen in enumerate(lost):
        if fallen:
            rest = below[root[entry]]
            kept = max(largest[entry], rest - fallen)
            costs[entry] = rest - kept
    return costs


def _distinct(values: "Array") -> "Array":
    """Return *values* sorted, once each.

    numpy's own `unique` hashes, which takes ten times as long for these.
    """
    import numpy

    ordered = numpy.sort(values)
    distinct: Array = ordered[
        numpy.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    ]
    return distinct
