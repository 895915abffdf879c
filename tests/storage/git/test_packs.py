"""Many packs become few, and no object goes."""

from pathlib import Path

import pytest

from companion.storage.git import setup
from companion.storage.git.objects import Pack, release_packs
from tests.wiki import Wiki, check_health, git


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def pack(wiki: Wiki, text: str) -> str:
    """Write *text* into a pack of its own that no ref names; return its id."""
    with Pack(wiki.ws.place.common_dir) as one:
        return one.add("blob", text.encode())


def packs(wiki: Wiki) -> set[str]:
    folder = Path(wiki.ws.place.common_dir, "objects", "pack")
    return {path.name for path in folder.glob("*.pack")}


def test_many_packs_become_few_and_every_object_stays(wiki: Wiki) -> None:
    wiki.ingest("The boat is at pier 7.")
    wiki.consolidate()
    ids = [pack(wiki, f"text {n}") for n in range(setup.MOST_PACKS + 1)]
    release_packs(wiki.ws.place.common_dir)
    tree = wiki.tree

    assert setup.gather_packs(wiki.ws.place)

    assert len(packs(wiki)) < 5
    for n, id in enumerate(ids):
        assert git(wiki.root, "cat-file", "blob", id) == f"text {n}"
    assert wiki.tree == tree
    check_health(wiki)


def test_few_packs_stay_as_they_are(wiki: Wiki) -> None:
    pack(wiki, "text")
    release_packs(wiki.ws.place.common_dir)
    before = packs(wiki)

    assert not setup.gather_packs(wiki.ws.place)

    assert packs(wiki) == before


def test_a_pack_that_somebody_keeps_is_neither_counted_nor_touched(
    wiki: Wiki,
) -> None:
    for n in range(setup.MOST_PACKS + 1):
        pack(wiki, f"text {n}")
    before = packs(wiki)

    assert not setup.gather_packs(wiki.ws.place)

    assert packs(wiki) == before


def test_a_night_by_hand_leaves_few_packs(wiki: Wiki) -> None:
    for n in range(setup.MOST_PACKS + 1):
        pack(wiki, f"text {n}")
    release_packs(wiki.ws.place.common_dir)
    wiki.ingest("The boat is at pier 7.")

    wiki.consolidate()

    assert len(packs(wiki)) < 5
    check_health(wiki)


def test_a_preview_leaves_packs_as_they_are(wiki: Wiki) -> None:
    for n in range(setup.MOST_PACKS + 1):
        pack(wiki, f"text {n}")
    release_packs(wiki.ws.place.common_dir)
    before = packs(wiki)
    wiki.ingest("The boat is at pier 7.")

    wiki.consolidate(dry_run=True)

    assert packs(wiki) >= before
