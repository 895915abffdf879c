"""`doctor` on originals: what is lost or damaged is named, what can be derived comes back."""

import os
from pathlib import Path

import pytest

from companion.maintenance.doctor.run import doctor
from companion.storage.cold import cold_memory, locked_originals, originals
from companion.storage.erasure import scrub
from tests.sources_made import TEXT, read_at_night, take_in
from tests.wiki import Wiki

SENTENCE = "Dogs travel free of charge."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def find(wiki: Wiki, **options: bool) -> dict[str, str]:
    """Return what the doctor finds, by kind."""
    found = doctor(wiki.ws, **options)["findings"]
    return {each["kind"]: each["what"] for each in found}


def test_whole_originals_are_no_finding(wiki: Wiki) -> None:
    read_at_night(wiki, take_in(wiki), SENTENCE)
    take_in(wiki, b"waits", "waits.txt")
    assert find(wiki) == {}


@pytest.mark.parametrize("locked", [False, True])
def test_lost_bytes_are_named(wiki: Wiki, locked: bool) -> None:
    item = take_in(wiki, os.urandom(900), "film.mp4")
    if locked:
        locked_originals.lock(wiki.repo(), [item.id])
    scrub.drop_objects(wiki.ws.place, {item.blob})
    found = find(wiki)
    assert "inbox/film.mp4" in found["original-lost"]


def test_damaged_bytes_are_named(wiki: Wiki) -> None:
    item = take_in(wiki, os.urandom(900), "film.mp4")
    scrub.drop_objects(wiki.ws.place, {item.blob})
    folder = wiki.root / ".git/objects" / item.blob[:2]
    folder.mkdir(exist_ok=True)
    other = wiki.git("hash-object", "-w", "--stdin", stdin="other").strip()
    source = wiki.root / ".git/objects" / other[:2] / other[2:]
    (folder / item.blob[2:]).write_bytes(source.read_bytes())
    assert "the original inbox/film.mp4" in find(wiki)["git-fsck"]


def test_a_header_that_cannot_be_read_is_named(wiki: Wiki) -> None:
    item = take_in(wiki)
    blob = wiki.git("hash-object", "-w", "--stdin", stdin="{").strip()
    inner = wiki.git(
        "mktree",
        stdin=f"100644 blob {item.blob}\t{item.id}\n"
        f"100644 blob {blob}\t{item.id}.json\n",
    ).strip()
    tree = wiki.git("mktree", stdin=f"040000 tree {inner}\t{item.id[:2]}\n")
    wiki.git("update-ref", originals.REF, tree.strip())
    assert item.id[:12] in find(wiki)["original-header"]


def test_a_cold_object_is_put_back_from_its_original(wiki: Wiki) -> None:
    """CTX-3, INV-2: with its id and its way back."""
    item = take_in(wiki)
    read_at_night(wiki, item, SENTENCE)
    before = wiki.git("rev-parse", cold_memory.REF)
    wiki.git("update-ref", "-d", cold_memory.REF)
    assert "The ferry" in find(wiki)["original-not-cold"]
    assert "original-not-cold" not in find(wiki, repair=True)
    (cold,) = cold_memory.read(wiki.repo())
    assert b"".join(cold_memory.stream(wiki.repo(), cold)) == TEXT
    assert wiki.git("rev-parse", cold_memory.REF) == before


def test_a_clone_without_originals_says_so(wiki: Wiki, tmp_path: Path) -> None:
    read_at_night(wiki, take_in(wiki), SENTENCE)
    wiki.git("clone", "-q", str(wiki.root), str(tmp_path / "clone"))
    clone = Wiki(tmp_path / "clone", wiki.now)
    clone.init()
    clone.consolidate()
    found = doctor(clone.ws)["findings"]
    kinds = {each["kind"]: each["severity"] for each in found}
    assert kinds["originals-elsewhere"] == "note"
    assert "damage" not in kinds.values()
