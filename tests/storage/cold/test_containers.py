"""Containers: split at the door, given back to the byte."""

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.storage.cold import containers, deflate, originals
from companion.storage.cold.containers import Container, Part, Piece
from companion.storage.cold.originals import Blanked, Original
from tests.wiki import Wiki

TIME = "2026-11-23T05:00:00.000000Z"
CHANCE = random.Random(15)
WORDS = [CHANCE.randbytes(CHANCE.randint(2, 9)) for _ in range(500)]
TEXTS = {
    "notes/garden.html": b" ".join(CHANCE.choices(WORDS, k=9000)),
    "empty.txt": b"",
    "deep/ferry.eml": b"Subject: Ferry\r\n\r\nIt leaves at seven.\r\n" * 90,
}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def make(content: bytes | str, name: str, **more: str) -> Original:
    """Return the original of *content*."""
    item = originals.make_original(
        content,
        media_type=more.pop("media_type", "text/html"),
        name=name,
        source=f"inbox/export.zip/{name}",
        received_at=TIME,
    )
    return item._replace(**more)  # type: ignore[arg-type]


def pack(texts: dict[str, bytes], level: int = 6) -> bytes:
    """Return a zip as Python writes it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, True, level) as out:
        for name, text in texts.items():
            out.writestr(name, text)
    return file.getvalue()


def split(whole: bytes, id: str) -> Iterator[Piece]:
    """Split a zip by byte ranges, as the door does."""
    at = 0
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        for info in archive.infolist():
            head = info.header_offset
            name, extra = struct.unpack("<HH", whole[head + 26 : head + 30])
            start = head + 30 + name + extra
            end = start + info.compress_size
            content = archive.read(info)
            yield Piece(whole[at:start])
            member = make(content, info.filename, container=id)
            yield Piece(whole[start:end], member, content)
            at = end
    yield Piece(whole[at:])


def store(wiki: Wiki, whole: bytes) -> Original:
    """Store a zip; return the original of the container."""
    item = make(whole, "export.zip")
    containers.put(wiki.repo(), item, "zip", split(whole, item.id))
    return originals.get(wiki.repo(), item.id)


@pytest.mark.parametrize("level", [1, 6, 9])
def test_a_zip_comes_back_to_the_byte(wiki: Wiki, level: int) -> None:
    whole = pack(TEXTS, level)
    item = store(wiki, whole)
    wiki.git("gc", "-q", "--prune=now")
    assert b"".join(containers.restore(wiki.repo(), item)) == whole
    parts = containers.read(wiki.repo(), item).parts
    members = [part for part in parts if part.kind == "member"]
    assert [part.name for part in members] == list(TEXTS)
    ids = originals.list_ids(wiki.repo())
    assert len(ids) == len(TEXTS) + 1


def test_a_stream_that_zlib_does_not_give_is_kept_as_it_is(wiki: Wiki) -> None:
    text = TEXTS["notes/garden.html"]
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 1)
    stream = packer.compress(text) + packer.flush()
    whole = b"head" + stream + b"tail"
    item = make(whole, "odd.zip")
    pieces = [
        Piece(b"head"),
        Piece(stream, make(text, "garden.html", container=item.id), text),
        Piece(b"tail"),
    ]
    container = containers.put(wiki.repo(), item, "zip", pieces)
    assert {part.kind for part in container.parts} == {"bytes"}
    stored = originals.get(wiki.repo(), item.id)
    assert b"".join(containers.restore(wiki.repo(), stored)) == whole
    member = originals.get(wiki.repo(), make(text, "").id)
    assert originals.read_bytes(wiki.repo(), member) == text


def test_a_container_in_a_container_comes_back(wiki: Wiki) -> None:
    inner = b'[{"a": 1}, {"b": 2}]'
    inside = make(inner, "conversations.json")
    pieces = [
        Piece(b"["),
        Piece(b'{"a": 1}', make(b'{"a": 1}', "1", container=inside.id)),
        Piece(b", "),
        Piece(b'{"b": 2}', make(b'{"b": 2}', "2", container=inside.id)),
        Piece(b"]"),
    ]
    containers.put(wiki.repo(), inside, "json", pieces)
    whole = pack({"conversations.json": inner})
    outer = make(whole, "export.zip")
    around = [
        piece
        if piece.member is None
        else piece._replace(member=inside._replace(container=outer.id))
        for piece in split(whole, outer.id)
    ]
    containers.put(wiki.repo(), outer, "zip", around)
    stored = originals.get(wiki.repo(), outer.id)
    assert b"".join(containers.restore(wiki.repo(), stored)) == whole


def test_an_export_that_grew_stores_only_the_new(wiki: Wiki) -> None:
    store(wiki, pack(TEXTS))
    before = originals.list_ids(wiki.repo())
    item = store(wiki, pack({**TEXTS, "new.html": b"<p>New</p>"}))
    new = originals.list_ids(wiki.repo()) - before
    assert new == {item.id, make(b"<p>New</p>", "").id}
    assert len(originals.read_tellings(wiki.repo(), min(before))) == 1


def test_a_blanked_member_is_named_and_its_secret_is_nowhere(
    wiki: Wiki,
) -> None:
    secret = b"key AKIA" + random.Random(3).randbytes(40) * 3
    blank = b"*" * len(secret)
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 1)
    stream = packer.compress(secret) + packer.flush()
    whole = b"head" + stream
    item = make(whole, "export.zip")
    member = make(blank, "keys.txt", container=item.id)
    member = member._replace(blanked=(Blanked(0, len(secret), "aws"),))
    pieces = [Piece(b"head"), Piece(stream, member, secret, blank)]
    containers.put(wiki.repo(), item, "zip", pieces)
    stored = originals.get(wiki.repo(), item.id)
    given = b"".join(containers.restore(wiki.repo(), stored))
    assert zlib.decompress(given[4:], -15) == blank
    assert containers.list_blanked(wiki.repo(), stored) == ["keys.txt"]
    tree = originals.find_tree(wiki.repo())
    for _, _, blob in wiki.repo().walk(tree):
        assert stream not in wiki.repo().blob(blob)
        assert secret not in wiki.repo().blob(blob)


def test_a_container_that_comes_back_otherwise_is_an_error(wiki: Wiki) -> None:
    item = make(b"abc", "x.zip")._replace(id="0" * 64)
    containers.put(wiki.repo(), item, "zip", [Piece(b"abc")])
    stored = originals.get(wiki.repo(), item.id)
    with pytest.raises(containers.DamagedContainer, match="to the byte"):
        list(containers.restore(wiki.repo(), stored))


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"{}",
        b"[]",
        b'{"v": 1, "parts": [3]}',
        b'{"v": 1, "parts": [["aa", 1e999, 0]]}',
        b'{"v": 2}',
    ],
)
def test_what_is_no_manifest_is_named(manifest: bytes) -> None:
    with pytest.raises(containers.DamagedContainer):
        containers.decode(manifest)


IDS = st.text("0123456789abcdef", min_size=64, max_size=64)
SIZES = st.integers(0, 1 << 40)
MEMBERS = st.builds(
    Part,
    st.just("member"),
    IDS,
    SIZES,
    st.sampled_from(["", "deflate-1", "deflate-9-9"]),
    st.just(0),
    st.text(),
    st.just(""),
)
LITERALS = st.builds(
    lambda id, length, offset, whose: Part(
        "bytes", id, length, "", offset, *whose
    ),
    IDS,
    SIZES,
    SIZES,
    st.just(("", "")) | st.tuples(st.text(), IDS),
)


@given(st.lists(MEMBERS | LITERALS), SIZES)
def test_a_manifest_says_all(parts: list[Part], size: int) -> None:
    container = Container("zip", tuple(parts), size)
    assert containers.decode(containers.encode(container)) == container


@given(
    st.integers(1, 9),
    st.sampled_from([8, 9]),
    st.integers(1, 5000),
    st.integers(0, 99),
)
def test_a_stream_does_not_depend_on_the_pieces(
    level: int, memory: int, step: int, seed: int
) -> None:
    chance = random.Random(seed)
    words = [chance.randbytes(chance.randint(1, 9)) for _ in range(300)]
    text = b" ".join(chance.choices(words, k=9000))
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, memory)
    whole = packer.compress(text) + packer.flush()
    codec = deflate.find_codec(text, whole)
    assert codec is not None
    pieces = (text[at : at + step] for at in range(0, len(text), step))
    assert b"".join(deflate.pack_stream(pieces, codec)) == whole


def test_a_part_that_lacks_fields_is_damage() -> None:
    text = b'{"v":1,"form":"zip","size":3,"zlib":"1.3","parts":[["n"]]}'
    with pytest.raises(containers.DamagedContainer):
        containers.decode(text)
