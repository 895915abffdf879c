"""Follow what depends on a claim or an entry that falls, with the path to each (LED-12).

Edges point from dependent to depended-upon (MaM §4); a cascade follows them backwards, breadth
first, so that each dependent has its shortest path. Circles end, because nothing is visited twice;
what is beyond the bounds is counted.
"""

from collections.abc import Callable, Iterable, Sequence

from companion.tuples import NamedTuple

VERSION = "cascade-2"
LIMIT = 50_000  # dependents of one fall
DEPTH = 64  # steps of a path
NAMED = 200  # dependents that one event names


class Node(NamedTuple):
    """An entry, a statement, a claim or a name: it rests on others, and others rest on it."""

    # entry; statement (by its capture); claim; name: of what is spoken of and has no page; page: an
    # entry that gathers several notes, for a link that stands beside them; nothing rests on that
    kind: str
    id: str


class RestsOn(NamedTuple):
    """One step backwards: *node* rests on what was asked about, because of *how*."""

    node: Node
    how: str  # links to it, was told in it, depends on it


class Dependent(NamedTuple):
    """A node that rests on a fallen thing, and the steps to it, the nearest to the fall first."""

    node: Node
    path: tuple[RestsOn, ...]


class Cascade(NamedTuple):
    """Everything that rests on something."""

    fallen: tuple[Node, ...]
    dependents: tuple[Dependent, ...]
    beyond: bool  # more rests on it than the bounds allow to follow


Resting = Callable[[Node], Iterable[RestsOn]]


def follow_dependents(
    fallen: Iterable[Node],
    resting: Resting,
    *,
    limit: int = LIMIT,
    depth: int = DEPTH,
) -> Cascade:
    """Return what rests on *fallen*, transitively: nearest first, and in one order on every
    machine.

    *resting* returns what rests on one node directly. At most *limit* dependents are returned, over
    at most *depth* steps; *beyond* says that there are more.
    """
    first = tuple(sorted(set(fallen)))
    came: dict[Node, tuple[Node, RestsOn] | None] = dict.fromkeys(first)
    order: list[Node] = []
    found = _next(first, resting, came)
    for _ in range(depth):
        taken = found[: limit - len(order)]
        edge = [node for node, _, _ in taken]
        came.update((node, (before, rest)) for node, before, rest in taken)
        order += edge
        if len(taken) < len(found):
            break
        found = _next(edge, resting, came)
    dependents = [Dependent(node, _path(node, came)) for node in order]
    return Cascade(first, tuple(dependents), bool(found))


def _next(
    edge: Sequence[Node],
    resting: Resting,
    came: dict[Node, tuple[Node, RestsOn] | None],
) -> list[tuple[Node, Node, RestsOn]]:
    """Return what rests on *edge* and was not met before, each with the node that it rests on."""
    found: dict[Node, tuple[Node, Node, RestsOn]] = {}
    for before in edge:
        for rest in sorted(set(resting(before))):
            if rest.node not in came:
                found.setdefault(rest.node, (rest.node, before, rest))
    return list(found.values())


def _path(
    node: Node, came: dict[Node, tuple[Node, RestsOn] | None]
) -> tuple[RestsOn, ...]:
    path: list[RestsOn] = []
    step = came[node]
    while step is not None:
        before, rest = step
        path.append(rest)
        step = came[before]
    return tuple(reversed(path))
