"""Originals that a night locked are in nothing that reads or leaves, until a person decides."""

import zlib
from pathlib import Path

import pytest

from companion.storage.cold import (
    containers,
    locked_originals,
    originals,
    store_originals,
)
from companion.storage.cold.containers import Piece
from companion.storage.cold.originals import NotAnOriginal, Original
from companion.storage.erasure import scrub
from tests.wiki import Wiki

AT = "2026-11-23T05:00:00.000000Z"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def store(wiki: Wiki, content: bytes, name: str = "pay.pdf") -> Original:
    """Store an original, told twice."""
    item = originals.make_original(
        content,
        media_type="application/pdf",
        name=name,
        source=name,
        received_at=AT,
    )
    told = item._replace(source=f"copy of {name}")
    store_originals.put(wiki.repo(), [(item, content), (told, content)])
    return item


def test_a_locked_original_is_in_no_read(wiki: Wiki) -> None:
    item = store(wiki, b"secret")
    other = store(wiki, b"other", "other.pdf")
    locked_originals.lock(wiki.repo(), [item.id])
    locked_originals.lock(wiki.repo(), [item.id])
    repo = wiki.repo()
    assert originals.list_ids(repo) == {other.id}
    assert [each.id for each in originals.read(repo)] == [other.id]
    with pytest.raises(NotAnOriginal):
        originals.get(repo, item.id)
    assert locked_originals.list_locked(repo) == {item.id}
    assert locked_originals.get(repo, item.id) == item
    wiki.git("gc", "-q", "--prune=now")
    assert originals.read_bytes(wiki.repo(), item) == b"secret"


def test_a_locked_original_that_comes_again_stays_locked(wiki: Wiki) -> None:
    item = store(wiki, b"secret")
    locked_originals.lock(wiki.repo(), [item.id])
    store(wiki, b"secret")
    assert originals.has(wiki.repo(), item.id)
    assert originals.list_ids(wiki.repo()) == set()


def test_release_brings_it_back_with_its_tellings(wiki: Wiki) -> None:
    item = store(wiki, b"secret")
    before = originals.find_tree(wiki.repo())
    locked_originals.lock(wiki.repo(), [item.id])
    locked_originals.release(wiki.repo(), [item.id])
    assert originals.find_tree(wiki.repo()) == before
    assert locked_originals.list_locked(wiki.repo()) == set()
    assert len(originals.read_tellings(wiki.repo(), item.id)) == 2


def test_what_is_dropped_leaves_the_store(wiki: Wiki) -> None:
    item = store(wiki, b"secret")
    other = store(wiki, b"other", "other.pdf")
    locked_originals.lock(wiki.repo(), [item.id, other.id])
    objects = locked_originals.drop(wiki.repo(), [item.id])
    scrub.drop_objects(wiki.ws.place, objects)
    repo = wiki.repo()
    assert not originals.has(repo, item.id)
    assert not repo.has(item.blob)
    assert locked_originals.get(repo, other.id) == other
    assert wiki.git("fsck", "--full", "--no-dangling") == ""


def test_what_is_not_there_cannot_be_locked(wiki: Wiki) -> None:
    with pytest.raises(NotAnOriginal):
        locked_originals.lock(wiki.repo(), ["0" * 64])
    with pytest.raises(NotAnOriginal):
        locked_originals.drop(wiki.repo(), ["0" * 64])


@pytest.mark.parametrize("nested", [False, True])
def test_packed_bytes_in_a_container_are_locked_along(
    wiki: Wiki, nested: bool
) -> None:
    words = b" ".join(b"%d" % (n * n) for n in range(3000))
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 1)
    stream = packer.compress(words) + packer.flush()
    inner = store_nested(wiki, stream, words)
    whole = inner
    if nested:
        packer = zlib.compressobj(5, zlib.DEFLATED, -15, 1)
        content = b"in" + stream
        outer = packer.compress(content * 90) + packer.flush()
        whole = make_item(b"out" + outer, "outer.zip")
        member = inner._replace(container=whole.id)
        pieces = [Piece(b"out"), Piece(outer, member, content * 90)]
        containers.put(wiki.repo(), whole, "zip", pieces)
    pay = make_item(words, "pay.pdf")
    locked_originals.lock(wiki.repo(), [pay.id])
    held = wiki.git("ls-tree", "-r", originals.REF)
    repo = wiki.repo()
    for line in held.splitlines():
        content = repo.blob(line.split()[2])
        assert stream not in content and words not in content
        assert not nested or outer not in content
    kept = originals.get(repo, whole.id)
    with pytest.raises(NotAnOriginal):
        list(containers.restore(repo, kept))
    before = len(held)
    locked_originals.release(wiki.repo(), [pay.id])
    assert len(wiki.git("ls-tree", "-r", originals.REF)) > before
    locked_originals.lock(wiki.repo(), [pay.id])
    objects = locked_originals.drop(wiki.repo(), [pay.id])
    scrub.drop_objects(wiki.ws.place, objects)
    assert wiki.git("ls-tree", "-r", originals.LOCKED) == ""


def make_item(content: bytes, name: str) -> Original:
    """Return the original of *content*."""
    return originals.make_original(
        content,
        media_type="application/pdf",
        name=name,
        source=name,
        received_at=AT,
    )


def store_nested(wiki: Wiki, stream: bytes, words: bytes) -> Original:
    """Store a container whose member is packed by another program than zlib."""
    inner = make_item(b"in" + stream, "inner.zip")
    pay = make_item(words, "pay.pdf")._replace(container=inner.id)
    pieces = [Piece(b"in"), Piece(stream, pay, words)]
    containers.put(wiki.repo(), inner, "zip", pieces)
    return originals.get(wiki.repo(), inner.id)
