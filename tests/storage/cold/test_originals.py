"""Originals: bytes as they came in, each once, under a ref of their own."""

import subprocess
from pathlib import Path

import pytest

from companion.storage.cold import originals, store_originals
from companion.storage.git.repo import Repo
from tests.wiki import Wiki

TIME = "2026-11-23T05:00:00.000000Z"
LATER = "2026-11-24T05:00:00.000000Z"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def make(content: bytes, name: str = "paper.pdf") -> originals.Original:
    """Return the original of a file named *name*."""
    return originals.make_original(
        content,
        media_type="application/pdf",
        name=name,
        source=f"inbox/{name}",
        received_at=TIME,
    )


def test_bytes_come_back_and_survive_gc(wiki: Wiki) -> None:
    content = bytes(range(256)) * 40
    item = make(content)
    store_originals.put(wiki.repo(), [(item, content)])
    subprocess.run(
        ["git", "gc", "-q", "--prune=now"], cwd=wiki.root, check=True
    )
    fresh = Repo(wiki.repo().place)
    assert originals.get(fresh, item.id) == item
    assert originals.read_bytes(fresh, item) == content
    assert originals.list_ids(fresh) == {item.id}


def test_what_is_there_costs_nothing(wiki: Wiki) -> None:
    item = make(b"one")
    store_originals.put(wiki.repo(), [(item, b"one")])
    before = wiki.git("count-objects", "-v")
    later = item._replace(received_at=LATER)
    store_originals.put(wiki.repo(), [(later, b"one")])
    assert wiki.git("count-objects", "-v") == before


def test_the_same_bytes_from_elsewhere_are_another_telling(wiki: Wiki) -> None:
    item = make(b"one")
    copy = make(b"one", "copy.pdf")._replace(received_at=LATER, agent="claude")
    store_originals.put(wiki.repo(), [(item, b"one"), (copy, b"one")])
    store_originals.put(wiki.repo(), [(copy, b"one")])
    assert originals.get(wiki.repo(), item.id) == item
    assert originals.read_tellings(wiki.repo(), item.id) == [item, copy]
    assert [each.id for each in originals.read(wiki.repo())] == [item.id]


def test_an_unknown_id_is_no_original(wiki: Wiki) -> None:
    with pytest.raises(originals.NotAnOriginal):
        originals.get(wiki.repo(), "0" * 64)


def test_what_was_blanked_is_told(wiki: Wiki) -> None:
    blanked = (originals.Blanked(3, 20, "aws-access-key"),)
    item = make(b"two")._replace(blanked=blanked)
    store_originals.put(wiki.repo(), [(item, b"two")])
    assert originals.get(wiki.repo(), item.id).blanked == blanked
