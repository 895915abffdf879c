"""The graph: pages and the links between them, drawn without a script, and the same as a list."""

from collections.abc import Mapping

from companion.reading.overview.graph import (
    PageGraph,
    graph_around,
    graph_of_heaviest,
)
from companion.reading.report.html import Html
from companion.web.elements import (
    address_of,
    bullets,
    element,
    join,
    link_page,
    write_page,
)
from companion.workspace import Workspace

_MOST = 40  # pages of one drawing
_WIDTH, _HEIGHT, _MARGIN = 800, 560, 70
_ROUNDS = 60  # of the layout
_SEED = 7
_LONGEST = 22  # characters of a title in the drawing
_SMALL, _LARGE = 5.0, 14.0  # radius

Places = Mapping[str, tuple[float, float]]


def make_graph_page(ws: Workspace, id: str | None) -> str:
    """Return the graph around the page of *id*, or of the pages that most depends on.

    Raises NothingFound.
    """
    if id is None:
        graph = graph_of_heaviest(ws, most=_MOST)
        title = "The pages on which most depends"
    else:
        graph = graph_around(ws, id, most=_MOST)
        title = f"Around {graph.nodes[0].title}" if graph.nodes else "Graph"
    if not graph.nodes:
        nothing = "No page depends on another yet."
        return write_page(
            title,
            element("h1", title),
            element("p", nothing, klass="soft"),
            here="/graph",
        )
    more = ""
    if graph.left_out:
        more = element(
            "p", f"{graph.left_out} more are not drawn.", klass="soft"
        )
    return write_page(
        title,
        element("h1", title),
        element(
            "div",
            _draw(graph),
            klass="wide drawing",
            tabindex="0",
            role="region",
            aria_label="Drawing",
        ),
        more,
        element("h2", "The same as a list"),
        bullets(
            [_write_node(graph, place) for place in range(len(graph.nodes))]
        ),
        here="/graph",
    )


def _write_node(graph: PageGraph, place: int) -> Html:
    node = graph.nodes[place]
    titles: dict[str, str] = {one.id: one.title for one in graph.nodes}
    targets = [end for start, end in graph.links if start == node.id]
    parts: list[str] = [link_page(node.id, node.title)]
    for number, target in enumerate(targets):
        parts += [
            " → " if number == 0 else ", ",
            link_page(target, titles[target]),
        ]
    return join(parts)


def _draw(graph: PageGraph) -> Html:
    places = place_nodes(graph)
    lines = [_draw_line(places, *ends) for ends in graph.links]
    heaviest = max(node.gravity for node in graph.nodes) or 1.0
    circles = []
    for node in graph.nodes:
        x, y = places[node.id]
        radius = _SMALL + (_LARGE - _SMALL) * node.gravity / heaviest
        shown = node.title
        if len(shown) > _LONGEST:
            shown = shown[: _LONGEST - 1] + "…"
        dot = element("circle", cx=f"{x:.0f}", cy=f"{y:.0f}", r=f"{radius:.1f}")
        words = element(
            "text",
            shown,
            x=f"{x:.0f}",
            y=f"{y - radius - 5:.0f}",
            text_anchor="middle",
        )
        inner = join([element("title", node.title), dot, words])
        circles.append(element("a", inner, href=address_of(node.id)))
    return element(
        "svg",
        element("g", *lines, klass="lines"),
        *circles,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="group",
        aria_label="Pages as dots, and links between them as lines",
    )


def _draw_line(places: Places, start: str, end: str) -> Html:
    (x1, y1), (x2, y2) = places[start], places[end]
    return element(
        "line", x1=f"{x1:.0f}", y1=f"{y1:.0f}", x2=f"{x2:.0f}", y2=f"{y2:.0f}"
    )


def place_nodes(graph: PageGraph) -> Places:
    """Return where each page stands in the drawing: the same graph is always drawn alike."""
    import networkx  # heavy, and only here

    drawn = networkx.Graph()
    drawn.add_nodes_from(node.id for node in graph.nodes)
    drawn.add_edges_from(graph.links)
    laid = networkx.spring_layout(drawn, seed=_SEED, iterations=_ROUNDS, k=0.7)
    xs = [float(x) for x, _ in laid.values()]
    ys = [float(y) for _, y in laid.values()]
    return {
        id: (
            _scale(float(x), min(xs), max(xs), _WIDTH),
            _scale(float(y), min(ys), max(ys), _HEIGHT),
        )
        for id, (x, y) in laid.items()
    }


def _scale(value: float, least: float, most: float, size: int) -> float:
    if most == least:
        return size / 2
    share = (value - least) / (most - least)
    return _MARGIN + share * (size - 2 * _MARGIN)
