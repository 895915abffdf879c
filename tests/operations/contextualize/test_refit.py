"""A source whose reader moves is fitted again, from its original (CTX-6)."""

from pathlib import Path

import pytest

from companion.operations.contextualize import run as contextualizing
from companion.storage.cold import cold_memory
from companion.storage.git.repo import Repo
from companion.usage.attribution import ORIGINAL
from companion.usage.record_read import record_read
from tests.operations.contextualize.sources import (
    drop,
    events,
    find,
    page_of,
    read_sources,
)
from tests.wiki import Wiki

#: a paper long enough to be shortened
BAKING = "# The crumb of sourdough bread\n\n" + "\n\n".join(
    f"Loaf {n} of the series rose for {n} hours at {20 + n % 9} degrees. "
    f"Its sourdough crumb held {60 + n % 17} percent of water. "
    f"The baker of loaf {n} fed the starter with rye flour."
    for n in range(1, 61)
)
NOTES = [
    "The sourdough starter lives on rye flour and smells of apples.",
    "A sourdough loaf with 80 percent water spreads in the oven.",
    "Anna gave me her baker's scale; it weighs a loaf to the gram.",
    "The crumb of my sourdough opens when the loaf rests over night.",
    "The oven needs 250 degrees before a sourdough loaf goes in.",
    "The rye starter doubles in 4 hours on the radiator.",
    "I fold the dough of a sourdough loaf 4 times.",
    "The starter is fed on Fridays, with as much water as rye flour.",
    "A wet dough needs a hot stone; the crumb stays dense without one.",
    "The baker in Kiel keeps her sourdough at 5 degrees.",
    "My crumb experiment compares rye and wheat loaves.",
    "The crust of a sourdough loaf crackles while it cools.",
]
OTHER = [
    f"The cello needs a new string {n}, says the luthier of street {n}."
    for n in range(1, 60)
]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(*OTHER)
    wiki.consolidate()
    drop(wiki, "baking.md", BAKING)
    read_sources(wiki)
    wiki.consolidate()
    return wiki


def bake(wiki: Wiki) -> None:
    """The person begins to work on the topic of the paper."""
    wiki.ingest(*NOTES)
    wiki.consolidate()


def test_a_move_is_recorded_and_the_next_cycle_fits_the_source_again(wiki):
    entry = find(wiki, "inbox/baking.md").entry
    before = find(wiki, entry)
    shallow = page_of(wiki, entry)
    wiki.tick(days=10)
    bake(wiki)

    first = read_sources(wiki)
    assert first["sources"] == []
    (line,) = events(wiki, first["run"])
    assert (line["e"], line["entry"]) == ("shifted", entry)

    wiki.tick(days=1)
    second = read_sources(wiki)
    (source,) = second["sources"]
    assert source["again"]
    after = find(wiki, entry)
    assert after.depth != before.depth
    assert after.original == before.original
    # a new object; the old representation is in git, the old object in cold memory
    colds = {one.id: one for one in cold_memory.read(Repo(wiki.ws.place))}
    assert colds[after.cold].previous == before.cold
    wiki.consolidate()
    assert len(page_of(wiki, entry)) > len(shallow)


def test_never_twice_a_week(wiki):
    wiki.tick(days=1)
    bake(wiki)
    read_sources(wiki)
    wiki.tick(days=1)
    assert read_sources(wiki)["sources"] == []


def test_without_a_move_nothing_is_recorded(wiki):
    wiki.tick(days=10)
    wiki.ingest("The bees of the roof hive are calm.")
    wiki.consolidate()
    done = read_sources(wiki)
    assert done["commit"] is None


def test_a_quiet_night_opens_no_original(wiki, monkeypatch):
    wiki.tick(days=10)
    opened: list[object] = []
    monkeypatch.setattr(
        contextualizing, "read_item", lambda *_, **__: opened.append(1)
    )
    monkeypatch.setattr(
        "companion.operations.contextualize.refit.read_item",
        lambda *_, **__: opened.append(1),
    )
    assert read_sources(wiki)["commit"] is None
    assert opened == []


def test_what_a_person_writes_about_a_topic_stands_on_no_source(wiki):
    """An article is no home for what the person thinks of its subject."""
    entry = find(wiki, "inbox/baking.md").entry
    bake(wiki)
    assert NOTES[0] not in page_of(wiki, entry)


def test_a_depth_that_a_person_asked_for_stays(wiki):
    read_sources(wiki, target="inbox/baking.md", step="linkout")
    wiki.consolidate()
    wiki.tick(days=10)
    bake(wiki)
    assert read_sources(wiki)["commit"] is None
    assert find(wiki, "inbox/baking.md").depth == "linkout"


def test_a_recalled_original_is_looked_at_again(wiki):
    source = find(wiki, "inbox/baking.md")
    wiki.tick(days=10)
    for _ in range(3):
        record_read(wiki.ws, ORIGINAL, "", [source.entry])
        wiki.tick()
    # uses go into the next run
    wiki.ingest("The bees of the roof hive are calm.")
    wiki.consolidate()
    done = read_sources(wiki)
    (line,) = events(wiki, done["run"])
    assert line["e"] == "shifted"
    assert line["score"] > 0
