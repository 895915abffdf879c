"""The graph of the pages that most depends on."""

from pathlib import Path

from companion.gravity.measure import weigh_entries
from companion.reading.overview.graph import graph_of_heaviest
from companion.runs.run import open_run
from tests.wiki import Wiki

PAGES = {
    "Huber.md": "He mends boilers.\n",
    "Boiler.md": "Serviced by [[Huber]].\n",
    "Cellar.md": "The boiler stands there; ask [[Huber]]. [[Cellar]]\n",
    "Alone.md": "Nothing links here.\n",
}


def titles(wiki: Wiki, most: int = 10) -> list[str]:
    graph = graph_of_heaviest(wiki.ws, most=most)
    return [node.title for node in graph.nodes]


def test_links_are_drawn_before_any_night_has_weighed_pages(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", PAGES)

    assert titles(wiki)[0] == "Huber"
    assert set(titles(wiki)) == {"Huber", "Boiler", "Cellar"}
    assert titles(wiki, 1) == ["Huber"]
    assert len(graph_of_heaviest(wiki.ws, most=10).links) == 2


def test_what_came_after_pages_were_weighed_is_drawn_too(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", PAGES)
    with open_run(wiki.ws, "rebuild") as run:
        weigh_entries(run)
    wiki.write("Garden.md", "The tap is on [[Alone]].\n")
    wiki.adopt()

    assert titles(wiki)[0] == "Huber"
    assert {"Alone", "Garden"} <= set(titles(wiki))
