"""What rests on what: links, claims that say so, over several steps; what falls flags all of it and
nothing else.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.reading import review
from companion.reading.entry.dependents import find_dependents
from companion.reading.entry.show import show_target
from companion.storage.index import schema as index
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str, **about: Any) -> None:
    wiki.ingest_pages(*texts, **about)
    wiki.consolidate()


def resting(wiki: Wiki, target: str) -> list[str]:
    return [
        each["title"]
        for each in find_dependents(wiki.ws, target)["rests"]
        if each["kind"] == "claim"
    ]


def flagged(wiki: Wiki) -> list[dict[str, Any]]:
    return [
        item
        for item in review.list_review(wiki.ws)["items"]
        if item["kind"] == "rests on"
    ]


def entries(wiki: Wiki) -> list[str]:
    db = index.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    return [id for (id,) in db.execute("SELECT id FROM entries ORDER BY id")]


CHAIN = (
    "The budget approval is Friday.",
    "The launch depends on the budget approval.",
    "The campaign relies on the launch.",
    "The festival requires the permit.",
)


def test_what_depends_on_a_thing_is_found_over_several_steps_with_the_path(
    wiki: Wiki,
) -> None:
    tell(wiki, *CHAIN)
    doc = find_dependents(wiki.ws, "budget approval")
    claims = [each for each in doc["rests"] if each["kind"] == "claim"]
    assert [each["title"] for each in claims] == [
        "The launch depends on: budget approval",
        "The campaign relies on: launch",
    ]
    assert [step["how"] for step in claims[1]["path"]] == [
        "depends on it",
        "depends on it",
    ]
    assert resting(wiki, "permit") == ["The festival requires: permit"]


def test_in_german_too(wiki: Wiki) -> None:
    tell(
        wiki,
        "Der Start hängt von der Freigabe ab.",
        "Die Kampagne basiert auf dem Start.",
    )
    assert len(resting(wiki, "Freigabe")) == 2


def test_a_value_that_changes_flags_what_rests_on_it_and_nothing_else(
    wiki: Wiki,
) -> None:
    tell(wiki, *CHAIN)
    assert flagged(wiki) == []
    tell(wiki, "The budget approval is Monday now.")
    (question,) = flagged(wiki)
    assert question["reason"] == (
        "The claim “The budget approval is: Friday” no longer stands; “The budget approval is:"
        " Monday” does. "
        "2 entries depend on it."
    )
    assert [claim["object"] for claim in question["claims"]] == [
        "Friday",
        "Monday",
    ]
    written = "".join(
        path.read_text()
        for path in (wiki.root / ".companion/ledger").rglob("*.jsonl")
    )
    (flag,) = [
        line
        for line in map(json.loads, written.splitlines())
        if line["e"] == "flagged"
    ]
    assert (
        flag["reason"].startswith("The claim ")
        and "Friday" not in flag["reason"]
    )
    marked = [
        entry
        for entry in entries(wiki)
        if show_target(wiki.ws, entry)["rests_on"]
    ]
    assert len(marked) == 2
    check_index(wiki)
    tell(wiki, "Paul lives in Rome.")
    assert len(flagged(wiki)) == 1
    review.answer_question(wiki.ws, question["id"], "accept")
    wiki.consolidate()
    assert not any(
        show_target(wiki.ws, entry)["rests_on"] for entry in entries(wiki)
    )


def test_an_attribute_of_a_thing_that_others_depend_on(wiki: Wiki) -> None:
    tell(
        wiki,
        "The capacity of Harbour is 300.",
        "The schedule depends on the capacity of Harbour.",
    )
    tell(wiki, "The capacity of Harbour is 200 now.")
    assert len(flagged(wiki)) == 1


def test_the_same_value_told_again_is_no_fall(wiki: Wiki) -> None:
    tell(wiki, *CHAIN)
    tell(wiki, "The budget approval is Friday.", source="mail")
    assert flagged(wiki) == []


def test_a_circle_ends(wiki: Wiki) -> None:
    tell(
        wiki,
        "The launch depends on the budget.",
        "The budget depends on the launch.",
    )
    assert len(resting(wiki, "launch")) == 2


def test_a_page_that_a_person_deletes_flags_the_pages_that_link_to_it(
    wiki: Wiki,
) -> None:
    wiki.write("foundation.md", "# Foundation\n\nstone\n")
    wiki.write("house.md", "# House\n\nstands on [[foundation]]\n")
    wiki.write("roof.md", "# Roof\n\nlies on [[house]]\n")
    wiki.write("tree.md", "# Tree\n\ngrows\n")
    wiki.commit("pages")
    wiki.consolidate()
    doc = find_dependents(wiki.ws, "foundation.md")
    assert [each["title"] for each in doc["rests"]] == ["House", "Roof"]
    (wiki.root / "foundation.md").unlink()
    wiki.commit("gone")
    wiki.consolidate()
    (question,) = flagged(wiki)
    assert "2 entries depend on it" in question["reason"]
    assert [
        bool(show_target(wiki.ws, name)["rests_on"])
        for name in ("House", "Roof", "Tree")
    ] == [
        True,
        True,
        False,
    ]
    check_index(wiki)


def note_of(wiki: Wiki, title: str, words: str) -> str:
    """Return the capture on the page *title* whose words contain *words*."""
    for capture in show_target(wiki.ws, title)["captures"]:
        if words in show_target(wiki.ws, capture)["text"]:
            return str(capture)
    raise AssertionError(words)


def marked_notes(wiki: Wiki, *titles: str) -> dict[str, list[str]]:
    """Return by page which of its notes are marked; "" is the whole page."""
    marked = {}
    for title in titles:
        marked[title] = [
            (fallen["statement"] or {}).get("capture", "")
            for fallen in show_target(wiki.ws, title)["rests_on"]
        ]
    return marked


def test_of_a_page_of_many_the_notes_that_link_to_it_rest_on_what_fell(
    wiki: Wiki,
) -> None:
    wiki.write("foundation.md", "# Foundation\n\nstone\n")
    wiki.commit("pages")
    for words in (
        "The walls stand on [[foundation]].",
        "The windows are of oak.",
    ):
        wiki.ingest_pages(words, title="House")
        wiki.consolidate()
    walls = note_of(wiki, "House", "walls")
    windows = note_of(wiki, "House", "windows")
    for name, words in (
        ("roof", f"lies on [[House#^{walls[:12]}]]"),
        ("curtain", f"hangs before [[House#^{windows[:12]}]]"),
        ("street", "[[House]] stands there"),
    ):
        wiki.write(f"{name}.md", f"# {name.title()}\n\n{words}\n")
    (wiki.root / "foundation.md").unlink()
    wiki.commit("gone")
    wiki.consolidate()

    assert marked_notes(wiki, "House", "Roof", "Curtain", "Street") == {
        "House": [walls],
        "Roof": [""],
        "Curtain": [],
        "Street": [],
    }
    rests = find_dependents(wiki.ws, f"^{walls[:12]}")["rests"]
    assert [each["title"] for each in rests if each["kind"] == "entry"] == [
        "Roof"
    ]
    check_index(wiki)


def test_on_one_page_the_note_that_depends_on_another_is_marked(
    wiki: Wiki,
) -> None:
    for words in (
        "The budget approval is Friday.",
        "The launch depends on the budget approval.",
        "The colour is blue.",
    ):
        wiki.ingest_pages(words, title="Campaign")
        wiki.consolidate()
    wiki.ingest_pages("The budget approval is Monday now.", title="Campaign")
    wiki.consolidate()
    launch = note_of(wiki, "Campaign", "launch")
    assert marked_notes(wiki, "Campaign") == {"Campaign": [launch]}
