"""Words go from originals, too: from texts, from what only a reader finds, from containers."""

import base64
import subprocess
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from companion.maintenance.doctor.run import doctor
from companion.maintenance.erase import run as erase
from companion.maintenance.erase.sources import GONE
from companion.reading.recall import recall
from companion.storage.cold import (
    cold_memory,
    containers,
    locked_originals,
    originals,
)
from companion.storage.cold.containers import Piece
from companion.storage.cold.originals import Original
from tests.sources_made import read_at_night, take_in
from tests.wiki import Wiki

SECRET = "Zebra-77/horse+staple"
TEXT = f"# Shed\n\nThe code is {SECRET}, ok.\n\nIt is red.\n".encode()


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def erase_words(wiki: Wiki, words: str = SECRET) -> dict[str, object]:
    """Preview, then carry out; return the preview."""
    preview = erase.erase(wiki.ws, [words])
    done = erase.erase(wiki.ws, [words], confirm=preview["confirm"])
    assert done["remains"] == []
    return dict(preview)


def find_anywhere(wiki: Wiki, words: str = SECRET) -> list[str]:
    """Return the objects of git's store that hold the words."""
    listing = subprocess.run(
        ["git", "cat-file", "--batch-all-objects", "--batch"],
        cwd=wiki.root,
        capture_output=True,
        check=True,
    ).stdout
    return [words] if words.encode() in listing else []


def only(wiki: Wiki) -> Original:
    (item,) = originals.read(wiki.repo())
    return item


def test_words_go_from_a_text_and_its_spans_stay(wiki: Wiki) -> None:
    item = take_in(wiki, TEXT, "shed.md")
    entry = read_at_night(wiki, item, "It is red.", title="Shed")
    erase_words(wiki)
    assert find_anywhere(wiki) == []
    new = only(wiki)
    assert new.id != item.id
    content = originals.read_bytes(wiki.repo(), new)
    assert content == TEXT.replace(SECRET.encode(), b"*" * len(SECRET))
    assert [each.kind for each in new.blanked] == ["erased words"]
    doc = recall(wiki.ws, entry, span=True)
    assert [each["text"] for each in doc["passages"]] == ["It is red."]
    assert doc["original"] == new.id
    (cold,) = cold_memory.read(wiki.repo())
    assert (cold.original, cold.blanked) == (new.id, 1)
    assert doctor(wiki.ws)["findings"] == []


def test_a_header_that_has_the_words_is_cleaned(wiki: Wiki) -> None:
    take_in(wiki, b"harmless", f"{SECRET.replace('/', '-')}.txt")
    name = take_in(wiki, b"other", "a.txt", source=f"inbox/{SECRET}")
    erase_words(wiki)
    assert find_anywhere(wiki) == []
    assert "erased-" in originals.get(wiki.repo(), name.id).source
    assert doctor(wiki.ws)["findings"] == []


@pytest.mark.parametrize("locked", [False, True])
def test_what_only_a_reader_finds_goes_whole(wiki: Wiki, locked: bool) -> None:
    mail = (
        b"From: a@example.org\r\nSubject: Shed\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    )
    mail += base64.b64encode(f"The code is {SECRET}, ok.".encode())
    item = take_in(wiki, mail, "shed.eml", "message/rfc822")
    if locked:
        locked_originals.lock(wiki.repo(), [item.id])
    preview = erase_words(wiki)
    assert "1 original whose text" in str(preview["notes"])
    repo = wiki.repo()
    assert not repo.has(item.blob)
    if locked:
        (id,) = locked_originals.list_locked(repo)
        new = locked_originals.get(repo, id)
    else:
        new = only(wiki)
    assert originals.read_bytes(repo, new) == GONE
    assert new.source == item.source
    assert doctor(wiki.ws)["findings"] == []


def test_a_container_keeps_no_packed_copy(wiki: Wiki) -> None:
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 1)
    stream = packer.compress(TEXT * 9) + packer.flush()
    whole = b"head" + stream + b"tail"
    item = originals.make_original(
        whole,
        media_type="application/zip",
        name="x.zip",
        source="x.zip",
        received_at=wiki.ws.now(),
    )
    member = originals.make_original(
        TEXT * 9,
        media_type="text/markdown",
        name="shed.md",
        source="x.zip/shed.md",
        received_at=wiki.ws.now(),
    )._replace(container=item.id)
    pieces = [Piece(b"head"), Piece(stream, member, TEXT * 9), Piece(b"tail")]
    containers.put(wiki.repo(), item, "zip", pieces)
    erase_words(wiki)
    assert find_anywhere(wiki) == []
    repo = wiki.repo()
    for _, _, blob in repo.walk(originals.find_tree(repo)):
        assert stream not in repo.blob(blob)
    stored = originals.get(repo, item.id)
    given = b"".join(containers.restore(repo, stored))
    assert given.startswith(b"head") and given.endswith(b"tail")
    assert containers.list_blanked(repo, stored) == ["shed.md"]
    assert doctor(wiki.ws)["findings"] == []


def test_a_container_in_a_container_keeps_no_packed_copy(wiki: Wiki) -> None:
    inner = b"[" + TEXT * 9 + b"]"
    packer = zlib.compressobj(6, zlib.DEFLATED, -15, 1)
    stream = packer.compress(inner) + packer.flush()
    inside = make(wiki, inner, "conversations.json")
    text = make(wiki, TEXT * 9, "1.md")._replace(container=inside.id)
    pieces = [Piece(b"["), Piece(TEXT * 9, text), Piece(b"]")]
    containers.put(wiki.repo(), inside, "json", pieces)
    outside = make(wiki, b"head" + stream, "x.zip")
    member = inside._replace(container=outside.id)
    around = [Piece(b"head"), Piece(stream, member, inner)]
    containers.put(wiki.repo(), outside, "zip", around)
    erase_words(wiki)
    repo = wiki.repo()
    for _, _, blob in repo.walk(originals.find_tree(repo)):
        assert stream not in repo.blob(blob)
    stored = originals.get(repo, outside.id)
    given = b"".join(containers.restore(repo, stored))
    blank = TEXT.replace(SECRET.encode(), b"*" * len(SECRET))
    assert zlib.decompress(given[4:], -15) == b"[" + blank * 9 + b"]"
    assert doctor(wiki.ws)["findings"] == []


def make(wiki: Wiki, content: bytes, name: str) -> Original:
    """Return the original of *content*."""
    return originals.make_original(
        content,
        media_type="text/markdown",
        name=name,
        source=name,
        received_at=wiki.ws.now(),
    )


def test_a_members_name_goes_from_the_container(wiki: Wiki) -> None:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as out:
        out.writestr("Zebra-77 horse.txt", "harmless")
    whole = file.getvalue()
    at = whole.index(b"harmless")
    item = originals.make_original(
        whole,
        media_type="application/zip",
        name="x.zip",
        source="x.zip",
        received_at=wiki.ws.now(),
    )
    member = originals.make_original(
        b"harmless",
        media_type="text/plain",
        name="Zebra-77 horse.txt",
        source="x.zip/Zebra-77 horse.txt",
        received_at=wiki.ws.now(),
    )._replace(container=item.id)
    pieces = [
        Piece(whole[:at]),
        Piece(b"harmless", member),
        Piece(whole[at + 8 :]),
    ]
    containers.put(wiki.repo(), item, "zip", pieces)
    erase_words(wiki, "Zebra-77 horse")
    assert find_anywhere(wiki, "Zebra-77 horse") == []
    stored = originals.get(wiki.repo(), item.id)
    given = b"".join(containers.restore(wiki.repo(), stored))
    assert given == whole.replace(b"Zebra-77 horse", b"*" * 14)
    assert doctor(wiki.ws)["findings"] == []


def test_two_that_become_one_keep_both_their_sources(wiki: Wiki) -> None:
    one = f"code {SECRET}".encode()
    other = f"code {SECRET.upper()}".encode()
    take_in(wiki, one, "one.txt", "text/plain")
    take_in(wiki, other, "other.txt", "text/plain")
    erase_words(wiki)
    new = only(wiki)
    told = originals.read_tellings(wiki.repo(), new.id)
    assert {each.name for each in told} == {"one.txt", "other.txt"}
    assert doctor(wiki.ws)["findings"] == []
