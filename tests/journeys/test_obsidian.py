"""The wiki is at home in an editor like Obsidian: links, backlinks, embeds, tags, properties."""

import datetime
from pathlib import Path

import pytest

from companion.reading.links import list_links
from companion.reading.overview.links_of_page import list_links_of_page
from tests.journeys.obsidian import Vault
from tests.wiki import Wiki, like

VAULT = {
    "Home.md": (
        "---\naliases: [Start, Haus]\ntags: [home, work/berlin]\ndue: 2026-12-01\n---\n"
        "# Home\n\nSee [[plans/Week]], [[WEEK|the week]], [[Boiler#Pressure]], "
        "[[Boiler#^valve]] and ![[boiler.png]]. #house\n\n`[[Not a link]]`\n\n"
        "%% [[Nor this]] %%\n"
    ),
    "plans/Week.md": "Monday: [[./Boiler]]. Up: [[Home]]. Self: [[#Rest]]\n\n## Rest\n\nOf it.\n",
    "plans/Boiler.md": "The boiler of the plan; the real one is [[../Boiler]].\n",
    "Boiler.md": "# Boiler\n\n## Pressure\n\n1.4 bar. [[Week]] [[Nowhere]]\n\nThe valve drips. ^valve\n",
    "old/deep/Week.md": "An old week. ![[Boiler]]\n",
    "boiler.png": "not really a picture",
}


@pytest.fixture
def vault(tmp_path: Path) -> Wiki:
    """A vault as its owner keeps it."""
    return Wiki.new(tmp_path / "wiki", VAULT)


def _live(root: Path) -> Wiki:
    """Live four days of notes in a new wiki."""
    wiki = Wiki.made(root)
    for day in (
        ("# Restic\n\nRestic backs up the laptop. #backup", "Lena likes tea."),
        (
            "Restic needs 40 minutes. See [[Restic]].",
            "The boiler shows 1.4 bar.",
        ),
        (
            "# Lena\n\nLena runs [[Restic]] on Sundays.",
            "The boiler shows 1.3 bar.",
        ),
        (
            "Lena moved to Oslo.",
            "# What is it: a/b?\n\nA title no file can hold.",
        ),
        ("The boiler shows 1.2 bar.", "Restic failed. [[Lena]] knows why."),
    ):
        wiki.ingest(*day, source="me")
        wiki.consolidate()
        wiki.tick(days=1)
    return wiki


@pytest.fixture
def lived(tmp_path: Path) -> Wiki:
    """A wiki that the program wrote over four nights."""
    return like("journeys.obsidian", tmp_path / "wiki", _live)


def test_no_link_of_a_lived_wiki_is_dead(lived: Wiki) -> None:
    seen = Vault(lived.root)
    links = list(seen.links())
    assert len(links) > 4
    for link in links:
        path = seen.resolve(link.target, link.source)
        assert path is not None, link
        assert not link.place or seen.has_place(path, link.place), link


def test_the_editor_opens_the_pages_that_companion_means(lived: Wiki) -> None:
    seen = Vault(lived.root)
    ours = {
        (link["page"], link["target"].partition("#")[0].strip()): link["path"]
        for link in list_links(lived.ws)["links"]
    }
    assert len(ours) > 3
    for (page, target), path in ours.items():
        assert seen.resolve(target, page) == path, (page, target)


def test_backlinks_are_those_that_links_tells(lived: Wiki) -> None:
    seen = Vault(lived.root)
    told = list_links_of_page(lived.ws, "Restic")
    ours = {page["path"] for page in told["in"]}
    ours |= {mention["page"]["path"] for mention in told["mentions"]}
    path = told["page"]["path"]
    assert path is not None
    assert {page["path"] for page in told["in"]} <= seen.backlinks(path)
    assert seen.backlinks(path) <= ours | {page["path"] for page in told["out"]}


def test_nothing_of_ours_is_in_the_graph(lived: Wiki) -> None:
    seen = Vault(lived.root)
    assert set(seen.notes) == set(seen.files)
    for path in seen.notes:
        assert path.startswith(("entries/", "journal/")), path


def test_properties_have_types_and_tags_are_tags(lived: Wiki) -> None:
    seen = Vault(lived.root)
    kinds = {
        "tags": list,
        "aliases": list,
        "title": str,
        "created": (datetime.date, datetime.datetime, str),
    }
    for path in seen.notes:
        for key, value in seen.properties(path).items():
            assert isinstance(value, kinds.get(key, object)), (path, key)
    restic = list_links_of_page(lived.ws, "Restic")["page"]["path"]
    assert restic is not None
    assert "backup" in seen.tags(restic)


def test_a_vault_s_own_links_mean_the_same_to_both(vault: Wiki) -> None:
    seen = Vault(vault.root)
    written = list(seen.links())
    assert sum(link.is_embed for link in written) == 2
    ours = {
        (link["page"], link["target"].partition("#")[0].strip()): link["path"]
        for link in list_links(vault.ws)["links"]
    }
    notes = [link for link in written if not link.target.endswith(".png")]
    for link in notes:
        if not link.target:
            continue
        path = seen.resolve(link.target, link.source)
        assert ours[link.source, link.target] == path, link
        assert not link.place or seen.has_place(path or "", link.place), link
    assert seen.resolve("Week", "Home.md") == "plans/Week.md"
    assert ours["Boiler.md", "Nowhere"] is None
    assert not any("link" in target for _, target in ours)
    for path, text in VAULT.items():
        assert vault.read(path) == text


def test_notes_of_days_move_to_the_page_that_a_click_made(lived: Wiki) -> None:
    for words in (
        "Solveig from the ward wants to come along.",
        "Ragnhild knows that Solveig passed her exam.",
    ):
        lived.ingest(words, source="me")
        lived.consolidate()
    lived.tick(days=1)
    lived.write("Solveig.md", "")
    lived.adopt()
    lived.ingest("Solveig steers well.", source="me")
    lived.consolidate()
    page = lived.read("Solveig.md")
    for words in ("steers well", "to come along", "passed her exam"):
        assert page.count(words) == 1, page


def test_a_page_that_a_click_made_joins_its_subject(lived: Wiki) -> None:
    # Obsidian makes an empty file where a link that leads nowhere is clicked
    lived.ingest("Talk to [[Tomasz]] about the roof.")
    lived.consolidate()
    lived.tick(days=1)
    lived.write("Tomasz.md", "")
    lived.adopt()
    for words in ("Tomasz knows roofs.", "Tomasz has time in May."):
        lived.ingest(words, source="me")
        lived.consolidate()
        lived.tick(days=1)
    assert "Tomasz knows roofs." in lived.read("Tomasz.md")
    seen = Vault(lived.root)
    named = [path for path in seen.notes if Path(path).stem == "Tomasz"]
    assert named == ["Tomasz.md"]
    assert seen.backlinks("Tomasz.md")
