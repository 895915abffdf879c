"""What travels of originals: cold memory, and neither what waits nor what is locked or private."""

from pathlib import Path

import pytest

from companion.maintenance import take_in as foreign
from companion.maintenance.remotes import remote
from companion.maintenance.take_in import ErasedThere
from companion.privacy import erased_words
from companion.reading import recall as recalling
from companion.reading.recall import recall
from companion.reading.status import describe_wiki
from companion.storage.cold import (
    cold_memory,
    locked_originals,
    originals,
    stream,
)
from tests.sources_made import TEXT, read_at_night, take_in
from tests.wiki import Wiki, git, person

SENTENCE = "Dogs travel free of charge."


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    return tmp_path / "hub.git"


@pytest.fixture
def desk(tmp_path: Path, hub: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    remote.add(wiki.ws, "hub", str(hub))
    return wiki


def clone(root: Path, hub: Path, like: Wiki) -> Wiki:
    """Clone the wiki, as another machine does."""
    like.git("push", "-q", "hub", "main")
    git(root.parent, "clone", "-q", "-o", "hub", str(hub), str(root))
    person(root)
    wiki = Wiki(root, like.now)
    wiki.init()
    remote.add(wiki.ws, "hub", str(hub))
    return wiki


def only_here(wiki: Wiki) -> int:
    return int(describe_wiki(wiki.ws)["only_here"]["originals_on_no_remote"])


def test_what_was_read_travels_and_comes_back_to_the_byte(
    desk: Wiki, hub: Path, tmp_path: Path
) -> None:
    item = take_in(desk)
    assert only_here(desk) == 1
    entry = read_at_night(desk, item, SENTENCE)
    assert only_here(desk) == 1
    sent = remote.sync(desk.ws)["sent"]["refs"]
    assert cold_memory.REF in sent
    assert originals.REF not in git(hub, "for-each-ref")
    assert only_here(desk) == 0
    assert describe_wiki(desk.ws)["only_here"]["refs"] == []
    laptop = clone(tmp_path / "laptop", hub, desk)
    with pytest.raises(recalling.Elsewhere, match=r"inbox/ferry\.md"):
        recall(laptop.ws, entry, output=str(tmp_path / "no.md"))
    remote.sync(laptop.ws)
    recall(laptop.ws, entry, output=str(tmp_path / "out.md"))
    assert (tmp_path / "out.md").read_bytes() == TEXT
    doc = recall(laptop.ws, entry, span=True)
    assert [each["text"] for each in doc["passages"]] == [SENTENCE]


def test_what_waits_is_locked_or_private_stays(desk: Wiki, hub: Path) -> None:
    waits = take_in(desk, b"waits", "waits.txt")
    locked = take_in(desk, b"locked", "locked.txt")
    locked_originals.lock(desk.repo(), [locked.id])
    private = take_in(desk, scope="private")
    read_at_night(desk, private, SENTENCE)
    desk.git("push", "-q", "hub", "main")
    remote.sync(desk.ws)
    for item in (waits, locked, private):
        with pytest.raises(AssertionError):
            git(hub, "cat-file", "-e", item.blob)
    assert only_here(desk) == 3


def test_erased_words_in_an_original_are_found_when_it_comes(
    desk: Wiki,
    hub: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream, "_SMALL", 100)
    monkeypatch.setattr(stream, "CHUNK", 1000)
    text = b"One line of many.\n" * 9000 + b"The launch code is swordfish.\n"
    item = take_in(desk, text, "code.txt", "text/plain")
    read_at_night(desk, item, "The launch code is swordfish.")
    laptop = clone(tmp_path / "laptop", hub, desk)
    key = b"k" * 32
    record = erased_words.remember("launch code is swordfish", "m", key)
    tree = str(cold_memory.find_tree(desk.repo()))
    known = ([record], key)
    with pytest.raises(ErasedThere):
        foreign._refuse(
            remote.Remote("hub", "", True, False),
            foreign._cold_texts(laptop_with(laptop, desk, tree), tree),
            known,
        )


def laptop_with(laptop: Wiki, desk: Wiki, tree: str):  # type: ignore[no-untyped-def]
    """Bring the objects of *tree* to the laptop, without any ref of companion's."""
    laptop.git("fetch", "-q", str(desk.root), f"{cold_memory.REF}:refs/x/cold")
    assert laptop.git("rev-parse", "refs/x/cold").strip() == tree
    return laptop.repo()
