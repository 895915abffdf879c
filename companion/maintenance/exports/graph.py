"""The graph of pages for programs that draw or count: GraphML, JSON, DOT."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from companion.storage.index.export_tables import Row
from companion.values.captures import has_controls

#: of a page, by their names in the graph
_OF_PAGES = ("title", "path", "state", "gravity", "vitality")
_UNPRINTABLE = "\ufffd"


def make_graph(entries: list[Row], edges: list[Row]) -> Any:
    """Return the pages that are not deleted and what connects them, as a networkx.MultiDiGraph.

    An edge goes from the page that depends to the one that it depends on; its key is its type.
    """
    import networkx

    graph = networkx.MultiDiGraph(name="companion")
    for entry in entries:
        if not entry["tombstone"]:
            known = {name: _clean(entry[name]) for name in _OF_PAGES}
            is_protected = bool(entry["gravity_protected"])
            graph.add_node(entry["id"], **known, protected=is_protected)
    for edge in edges:
        if edge["source"] in graph and edge["target"] in graph:
            kind, weight = str(edge["type"]), edge["weight"]
            graph.add_edge(
                edge["source"], edge["target"], kind, type=kind, weight=weight
            )
    return graph


def write_graph(graph: Any, form: str) -> bytes:
    """Return *graph* in the *form* "graphml", "json" (networkx's node-link) or "dot"."""
    import networkx

    if form == "graphml":
        lines = networkx.generate_graphml(graph, named_key_ids=True)
        return "\n".join(lines).encode() + b"\n"
    if form == "json":
        data = networkx.node_link_data(graph, edges="edges")
        return json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n"
    return ("\n".join(_write_dot(graph)) + "\n").encode()


def _clean(value: object) -> object:
    """Return *value* as XML can hold it: without control characters."""
    if not isinstance(value, str) or not has_controls(value):
        return value
    return "".join(
        _UNPRINTABLE if has_controls(char) else char for char in value
    )


def _write_dot(graph: Any) -> Iterator[str]:
    yield "digraph companion {"
    for id, known in graph.nodes(data=True):
        yield f"  {_quote(id)} [{_list_attributes(known, 'title')}];"
    for source, target, known in graph.edges(data=True):
        ends = f"{_quote(source)} -> {_quote(target)}"
        yield f"  {ends} [{_list_attributes(known, 'type')}];"
    yield "}"


def _list_attributes(known: Mapping[str, object], label: str) -> str:
    pairs = [("label", known[label]), *known.items()]
    return ", ".join(f"{name}={_quote(str(value))}" for name, value in pairs)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
