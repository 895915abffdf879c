"""`links TARGET`: direct links apart from what else needs the page."""

from pathlib import Path

import pytest

from companion.lookup.find import NothingFound
from companion.reading.overview.links_of_page import list_links_of_page
from tests.wiki import Wiki


def test_links_in_and_out_and_those_to_no_page(tmp_path: Path) -> None:
    wiki = Wiki.new(
        tmp_path / "wiki",
        {
            "Hub.md": "[[Spoke]] and ![[Picture]] and [[Nobody]], [[Hub]].\n",
            "Spoke.md": "[[Hub|the hub]]\n",
            "Picture.md": "a picture\n",
            "Far.md": "[[Spoke]]\n",
        },
    )
    found = list_links_of_page(wiki.ws, "hub")

    assert found["page"]["path"] == "Hub.md"
    out = [(page["title"], page["type"]) for page in found["out"]]
    assert out == [("Picture", "embed"), ("Spoke", "link")]
    assert [page["title"] for page in found["in"]] == ["Spoke"]
    assert found["unresolved"] == ["Nobody"]
    # it needs the hub only by way of the spoke, which links to it
    assert [one["title"] for one in found["rests"]] == ["Far"]


def test_a_note_on_a_page_means_that_page_and_one_that_waits_none(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Quay.md": "[[Crane]]\n"})
    (told,) = wiki.ingest("# Crane\n\nIt was painted green.")
    for target in (told["id"], "Crane", "painted green"):
        with pytest.raises(NothingFound, match="no page yet"):
            list_links_of_page(wiki.ws, target)
    wiki.consolidate()

    found = list_links_of_page(wiki.ws, told["id"])
    assert found["page"]["title"] == "Crane"
    assert [page["title"] for page in found["in"]] == ["Quay"]


def test_what_rests_on_a_page_of_many_links_is_not_looked_up(
    tmp_path: Path,
) -> None:
    pages = {f"Spoke {n}.md": "[[Hub]]\n" for n in range(4)}
    far = {"Far.md": "[[Spoke 1]]\n", "Hub.md": "all of it\n"}
    wiki = Wiki.new(tmp_path / "wiki", pages | far)

    few = list_links_of_page(wiki.ws, "Hub", most=4)
    assert (len(few["in"]), few["rests"], few["beyond"]) == (4, [], True)
    more = list_links_of_page(wiki.ws, "Hub", most=5)
    assert [one["title"] for one in more["rests"]] == ["Far"]


def test_a_page_that_a_note_names_without_a_link_is_listed_on_both(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Anna\n\nAnna keeps bees.")
    wiki.ingest("# Boiler\n\nIt is loud.")
    wiki.consolidate()
    wiki.tick()
    wiki.ingest("The boiler was mended, Anna paid for it.")
    wiki.consolidate()

    found = list_links_of_page(wiki.ws, "Boiler")

    assert [page["title"] for page in found["names"]] == ["Anna"]
    back = list_links_of_page(wiki.ws, "Anna")
    assert [one["page"]["title"] for one in back["mentions"]] == ["Boiler"]
    assert back["names"] == []


def test_a_page_that_is_named_and_linked_is_listed_once(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Anna\n\nAnna keeps bees.")
    wiki.ingest("# Boiler\n\nIt is loud.")
    wiki.consolidate()
    wiki.tick()
    wiki.ingest("The boiler was mended, [[Anna]] paid for it.")
    wiki.consolidate()

    found = list_links_of_page(wiki.ws, "Boiler")

    assert [page["title"] for page in found["out"]] == ["Anna"]
    assert found["names"] == []
