"""What its owner decides on an original in which a night found a secret."""

from pathlib import Path

import pytest

from companion.lookup.find import NothingFound
from companion.operations.contextualize.decide import decide
from companion.reading.review import list_review
from companion.storage.cold import locked_originals, originals
from companion.storage.cold.originals import Original
from companion.storage.git.repo import Repo
from tests.operations.contextualize.sources import drop, events, read_sources
from tests.wiki import Wiki

SECRET = "AKIA2E0A8F3B244C9986"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def drop_secret(wiki: Wiki) -> Original:
    """An original whose secret only a reader sees, read by a night."""
    text = f"# Access\n\nThe key of the pond pump is {SECRET} for now.\n"
    item = drop(wiki, "notes.txt", text.encode("utf-16"))
    assert len(read_sources(wiki)["locked"]) == 1
    wiki.tick()
    return item


def test_review_lists_what_is_kept_back(wiki):
    item = drop_secret(wiki)
    (locked,) = list_review(wiki.ws)["locked"]
    assert locked["original"] == item.id
    assert locked["origin"] == "inbox/notes.txt"


def test_what_is_kept_is_read_by_the_next_night(wiki):
    item = drop_secret(wiki)
    done = decide(wiki.ws, item.id[:8], "keep")
    assert [line["e"] for line in events(wiki, done["run"])] == ["released"]
    assert list_review(wiki.ws)["locked"] == []

    (source,) = read_sources(wiki)["sources"]
    assert source["original"] == item.id
    wiki.consolidate()
    assert wiki.search("pond pump")


def test_what_is_erased_is_gone_for_good(wiki):
    item = drop_secret(wiki)
    decide(wiki.ws, "inbox/notes.txt", "erase")

    repo = Repo(wiki.ws.place)
    assert not repo.has(item.blob)
    assert locked_originals.list_locked(repo) == set()
    assert not originals.has(repo, item.id)
    assert list_review(wiki.ws)["locked"] == []
    assert read_sources(wiki)["commit"] is None


def test_a_killed_erasure_goes_on(wiki, monkeypatch):
    item = drop_secret(wiki)
    with monkeypatch.context() as patch:
        patch.setattr(locked_originals, "drop", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            decide(wiki.ws, item.id, "erase")
    wiki.tick()
    decide(wiki.ws, item.id, "erase")
    assert not Repo(wiki.ws.place).has(item.blob)


def test_only_what_is_kept_back_can_be_decided_on(wiki):
    with pytest.raises(NothingFound):
        decide(wiki.ws, "abcdef12", "keep")
