"""`list`: the newest first, and filters that narrow each other."""

from pathlib import Path

import pytest

from companion.lookup.find import NothingFound
from companion.reading.overview.list_pages import Asked, list_pages
from companion.values.time import BadTime
from tests.wiki import Wiki

FILES = {
    "Garden.md": "---\ntags: [travel/italy]\n---\nSee [[Ferry]].\n",
    "Ferry.md": "It leaves at seven. #Travel\n",
    "Alone.md": "Nothing links here. #traveller\n",
    "Self.md": "It links to [[Self]] alone, and to [[Nobody]].\n",
}


def titles(wiki: Wiki, asked: Asked, limit: int = 20) -> list[str]:
    found = list_pages(wiki.ws, asked, limit=limit)
    return [item["title"] for item in found["items"]]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", FILES)


def test_what_changed_last_comes_first_and_notes_that_wait_among_it(
    wiki: Wiki,
) -> None:
    wiki.ingest("# First\n\nSomething else.")
    wiki.tick(days=1)
    wiki.write("Ferry.md", "It leaves at eight.\n")
    wiki.adopt()
    wiki.ingest("# Second\n\nAnother thing.")

    assert titles(wiki, Asked())[:3] == ["Second", "Ferry", "First"]
    assert titles(wiki, Asked(state="pending")) == ["Second", "First"]
    assert titles(wiki, Asked(state="active"))[0] == "Ferry"


def test_a_limit_says_that_there_is_more(wiki: Wiki) -> None:
    found = list_pages(wiki.ws, Asked(), limit=3)
    assert (len(found["items"]), found["more"]) == (3, True)
    found = list_pages(wiki.ws, Asked(), limit=4)
    assert (len(found["items"]), found["more"]) == (4, False)


def test_a_tag_means_those_below_it_in_any_case_and_no_longer_word(
    wiki: Wiki,
) -> None:
    assert titles(wiki, Asked(tags=("travel",))) == ["Ferry", "Garden"]
    assert titles(wiki, Asked(tags=("#TRAVEL/italy/",))) == ["Garden"]
    assert titles(wiki, Asked(tags=("travel", "traveller"))) == []
    wiki.ingest("To pack: rope. #travel")
    assert len(titles(wiki, Asked(tags=("travel",)))) == 3


def test_orphans_have_no_link_from_or_to_another_page(wiki: Wiki) -> None:
    wiki.ingest("# Waiting\n\nNo page yet.")
    assert titles(wiki, Asked(orphan=True)) == ["Alone", "Self"]
    assert titles(wiki, Asked(linked_to="Ferry")) == ["Garden"]
    with pytest.raises(NothingFound):
        titles(wiki, Asked(linked_to="No such page"))
    with pytest.raises(NothingFound):
        titles(wiki, Asked(linked_to="Waiting"))


def test_since_and_before_are_days_of_the_last_change(wiki: Wiki) -> None:
    wiki.tick(days=3)
    wiki.write("Ferry.md", "It leaves at eight.\n")
    wiki.adopt()

    assert titles(wiki, Asked(since="today")) == ["Ferry"]
    assert titles(wiki, Asked(since="yesterday")) == ["Ferry"]
    assert "Ferry" not in titles(wiki, Asked(before="today"))
    assert len(titles(wiki, Asked(before="today"))) == 3
    with pytest.raises(BadTime):
        titles(wiki, Asked(since="whenever"))


def test_a_private_note_is_listed_to_its_owner_alone(wiki: Wiki) -> None:
    wiki.ingest("# Safe\n\nA small key.", scope="private", agent="scribe")

    assert "Safe" not in titles(wiki, Asked())
    found = list_pages(wiki.as_("scribe"), Asked(), limit=9)
    assert found["items"][0]["title"] == "Safe"


def test_a_deleted_page_is_in_the_archive_only(wiki: Wiki) -> None:
    (wiki.root / "Alone.md").unlink()
    wiki.adopt()
    assert "Alone" not in titles(wiki, Asked())
