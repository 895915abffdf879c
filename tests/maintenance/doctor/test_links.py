"""Links that lead nowhere are told of, and are no damage; what came in by hand is named, with the
way to take it in.
"""

from pathlib import Path

from companion.lookup.index import current_index
from companion.maintenance.doctor import run as health
from tests.lifecycle.test_transitions import archived
from tests.lifecycle.test_transitions import wiki as depots
from tests.wiki import Wiki, check_health

wiki = depots


def notes(wiki: Wiki) -> list[str]:
    done = health.doctor(wiki.ws)
    assert done["ok"], done
    return [
        finding["what"]
        for finding in done["findings"]
        if finding["kind"] == "links-open"
    ]


def test_links_to_no_page_are_counted_and_the_first_few_named(
    wiki: Wiki,
) -> None:
    assert notes(wiki) == [], (
        "a page of companion's own may name what nobody wrote yet"
    )
    wiki.write(
        "Index.md",
        "# Index\n\n[[Depot 1]], [[Mine]], [[A]], [[B]] and [[C]], again [[C]]; ![[photo.png]]\n",
    )
    wiki.write("More.md", "# More\n\n[[D]]\n")
    wiki.adopt()
    assert notes(wiki) == [
        "4 links lead to no page: [[A]] in Index.md, [[B]] in Index.md, [[C]] in Index.md and 1"
        " more"
    ]


def test_a_link_that_a_rename_outside_broke_is_one_and_one_to_an_archived_page_is_none(
    wiki: Wiki,
) -> None:
    archived(wiki)
    wiki.write("Index.md", "# Index\n\n[[Depot 1]] and [[Mine]]\n")
    wiki.adopt()
    assert notes(wiki) == []
    (wiki.root / "Mine.md").rename(wiki.root / "Ours.md")
    wiki.write("Ours.md", wiki.read("Ours.md").replace("# Mine", "# Ours"))
    wiki.adopt()
    assert notes(wiki) == ["1 link leads to no page: [[Mine]] in Index.md"]


def test_captures_fetched_by_hand_are_named_with_the_way_to_take_them_in(
    wiki: Wiki, tmp_path: Path
) -> None:
    other = wiki.clone(tmp_path / "other")
    other.git("fetch", "-q", "origin", "+refs/companion/*:refs/companion/*")
    other.consolidate()
    wiki.ingest("# Elsewhere\nTold on the first machine.")
    wiki.consolidate()
    other.git("fetch", "-q", "origin", "+refs/companion/*:refs/companion/*")
    (found,) = [
        each
        for each in health.doctor(other.ws)["findings"]
        if each["kind"] == "journal-forgot"
    ]
    assert (
        found["severity"] == "damage"
        and "1 of them in no page yet: the buffer was fetched by hand"
        in found["what"]
    )
    assert (
        "doctor --repair" in found["hint"]
        and "nothing is lost" in found["hint"]
    )
    other.git("pull", "-q", "--no-rebase", "origin", "HEAD")
    current_index(other.ws, other.journal())
    (found,) = [
        each
        for each in health.doctor(other.ws)["findings"]
        if each["kind"] == "journal-forgot"
    ]
    assert found["severity"] == "warning", (
        "the page is here, and with it every word"
    )
    assert health.doctor(other.ws, repair=True)["ok"]
    check_health(other)
