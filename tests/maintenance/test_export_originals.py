"""An export brings originals along, to the byte, and an import takes them in."""

from pathlib import Path

import pytest

from companion.maintenance import importing
from companion.maintenance.exports import export
from companion.storage.cold import (
    cold_memory,
    containers,
    locked_originals,
    originals,
    store_originals,
)
from companion.storage.cold.containers import Piece
from tests.sources_made import TEXT, read_at_night, take_in
from tests.wiki import Wiki

SENTENCE = "Dogs travel free of charge."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def carry(wiki: Wiki, folder: Path, **options: bool) -> Wiki:
    """Export the wiki and import it elsewhere."""
    export.export(wiki.ws, str(folder / "out"), **options)
    importing.import_wiki(str(folder / "out"), str(folder / "new"))
    return Wiki(folder / "new", wiki.now)


def test_an_export_brings_originals_along(wiki: Wiki, tmp_path: Path) -> None:
    """CTX-4: bytes and headers, read or not."""
    read = take_in(wiki)
    read_at_night(wiki, read, SENTENCE)
    waits = take_in(wiki, bytes(range(256)) * 50_000, "film.mp4", "video/mp4")
    told = waits._replace(source="copy", agent="claude")
    store_originals.put(wiki.repo(), [(told, bytes(range(256)) * 50_000)])
    new = carry(wiki, tmp_path).repo()
    old = wiki.repo()
    assert originals.find_tree(new) == originals.find_tree(old)
    assert cold_memory.find_tree(new) == cold_memory.find_tree(old)
    assert originals.read_bytes(new, read) == TEXT
    assert originals.read_tellings(new, waits.id) == [waits, told]
    path = tmp_path / "out" / "originals" / waits.id[:2] / waits.id
    assert path.read_bytes() == bytes(range(256)) * 50_000


def test_a_container_is_whole_after_an_import(
    wiki: Wiki, tmp_path: Path
) -> None:
    whole = b"From a\n\nhello\n"
    item = originals.make_original(
        whole,
        media_type="application/mbox",
        name="mail.mbox",
        source="mail.mbox",
        received_at=wiki.ws.now(),
    )
    mail = originals.make_original(
        b"hello\n",
        media_type="message/rfc822",
        name="1",
        source="mail.mbox/1",
        received_at=wiki.ws.now(),
    )
    pieces = [Piece(b"From a\n\n"), Piece(b"hello\n", mail)]
    containers.put(wiki.repo(), item, "mbox", pieces)
    new = carry(wiki, tmp_path).repo()
    stored = originals.get(new, item.id)
    assert b"".join(containers.restore(new, stored)) == whole


def test_what_is_locked_stays(wiki: Wiki, tmp_path: Path) -> None:
    item = take_in(wiki)
    locked_originals.lock(wiki.repo(), [item.id])
    new = carry(wiki, tmp_path)
    assert not originals.has(new.repo(), item.id)
    assert not new.repo().has(item.blob)
    for path in (tmp_path / "out").rglob("*"):
        assert path.is_dir() or TEXT not in path.read_bytes()


@pytest.mark.parametrize("with_private", [True, False])
def test_what_is_private_goes_only_when_asked(
    wiki: Wiki, tmp_path: Path, with_private: bool
) -> None:
    item = take_in(wiki, scope="private")
    both = take_in(wiki, b"told both ways", "both.txt", scope="private")
    shared = both._replace(scope="shared", source="another path")
    store_originals.put(wiki.repo(), [(shared, b"told both ways")])
    read_at_night(wiki, item, SENTENCE)
    new = carry(wiki, tmp_path, with_private=with_private).repo()
    assert originals.has(new, item.id) == with_private
    assert new.has(item.blob) == with_private
    assert (cold_memory.find_private_tree(new) is not None) == with_private
    assert originals.read_bytes(new, both) == b"told both ways"
    scopes = {each.scope for each in originals.read_tellings(new, both.id)}
    assert scopes == ({"private", "shared"} if with_private else {"shared"})


def test_a_damaged_original_is_named_before_anything_is_changed(
    wiki: Wiki, tmp_path: Path
) -> None:
    item = take_in(wiki)
    out = tmp_path / "out"
    export.export(wiki.ws, str(out))
    path = out / "originals" / item.id[:2] / item.id
    path.write_bytes(b"something else")
    with pytest.raises(importing.BadExport, match="originals/"):
        importing.import_wiki(str(out), str(tmp_path / "new"))
    assert not (tmp_path / "new" / ".companion").exists()


@pytest.mark.parametrize(
    "path", ["../x", "ab/short", "ab/" + "0" * 64, "00/" + "0" * 64 + ".exe"]
)
def test_what_is_no_original_is_refused(wiki: Wiki, path: str) -> None:
    repo = wiki.repo()
    blob = wiki.git("hash-object", "-w", "--stdin", stdin="x").strip()
    folder, _, name = path.rpartition("/")
    folder = folder.replace("..", "zz")
    inner = wiki.git("mktree", stdin=f"100644 blob {blob}\t{name}\n").strip()
    tree = wiki.git("mktree", stdin=f"040000 tree {inner}\t{folder}\n").strip()
    with pytest.raises(originals.NotAnOriginal):
        originals.check(repo, tree)
