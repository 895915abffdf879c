"""Cold memory: what is stored stays, under a name that tells nothing of it, with the way back."""

from pathlib import Path

import pytest

from companion.storage.cold import cold_memory, originals, store_originals
from companion.storage.cold.cold_memory import Cold
from companion.storage.cold.originals import Original
from companion.storage.git import append_only_tree, objects
from companion.storage.git.objects import Pack
from companion.storage.git.trees import FILE
from tests.wiki import Wiki

AT = "2026-11-22T08:00:00.000001Z"
LATER = "2027-02-01T08:00:00.000001Z"
ENTRY = "abcdefghij234567"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def item(
    content: bytes, at: str = AT, entry: str = ENTRY, **about: str
) -> tuple[Cold, bytes]:
    where = about or {"path": "entries/a.md"}
    return Cold(
        cold_memory.make_id(entry, at),
        objects.hash_blob(content),
        entry,
        at,
        **where,
    ), content


def names(wiki: Wiki) -> set[str]:
    return set(wiki.git("ls-tree", "-r", cold_memory.REF).splitlines())


def test_what_is_stored_comes_back_with_the_way_to_it(wiki: Wiki) -> None:
    """OBJ-3, INV-2."""
    one, other = (
        item(b"one\r\n\xff"),
        item(
            b"two",
            LATER,
            url="https://example.org/a",
            previous=item(b"one")[0].id,
        ),
    )
    cold_memory.put(wiki.repo(), [one])
    cold_memory.put(wiki.repo(), [other])
    repo = wiki.repo()
    assert cold_memory.get(repo, one[0].id) == one
    assert cold_memory.get(repo, other[0].id) == other
    assert list(cold_memory.read(repo)) == [one[0], other[0]]
    assert all(
        each.linkout and (each.path or each.url)
        for each in cold_memory.read(repo)
    )


def test_compressing_again_adds_an_object_and_replaces_none(wiki: Wiki) -> None:
    cold_memory.put(wiki.repo(), [item(b"as it was")])
    before = names(wiki)
    cold_memory.put(wiki.repo(), [item(b"as it was", LATER)])
    assert before < names(wiki)
    assert len(list(cold_memory.read(wiki.repo()))) == 2


def test_git_collects_nothing_of_it(wiki: Wiki) -> None:
    """INV-6: no commit names these objects, and the ref is enough."""
    cold_memory.put(wiki.repo(), [item(b"kept by a ref")])
    wiki.git("reflog", "expire", "--expire=now", "--all")
    wiki.git("gc", "--prune=now", "--quiet")
    assert cold_memory.get(wiki.repo(), item(b"")[0].id)[1] == b"kept by a ref"


def test_the_name_of_an_object_tells_nothing_of_its_content() -> None:
    """A hash of words that were erased could be guessed against."""
    assert item(b"one")[0].id == item(b"two")[0].id


def test_what_is_not_there_is_named(wiki: Wiki) -> None:
    with pytest.raises(cold_memory.ColdLost, match="20261122T080000000001"):
        cold_memory.get(wiki.repo(), cold_memory.make_id(ENTRY, AT))
    with pytest.raises(cold_memory.NotCold):
        cold_memory.get(wiki.repo(), "../../HEAD")


def test_an_object_whose_bytes_git_lost_is_named(wiki: Wiki) -> None:
    cold_memory.put(wiki.repo(), [item(b"soon gone")])
    for path in (wiki.root / ".git" / "objects" / "pack").iterdir():
        path.unlink()
    with pytest.raises(cold_memory.ColdLost):
        cold_memory.get(wiki.repo(), item(b"")[0].id)


def test_two_machines_unite_whatever_the_order(
    wiki: Wiki, tmp_path: Path
) -> None:
    cold_memory.put(wiki.repo(), [item(b"both have it")])
    shared = cold_memory.find_tree(wiki.repo())
    other = wiki.copy(tmp_path / "other")
    cold_memory.put(wiki.repo(), [item(b"here", LATER)])
    cold_memory.put(other.repo(), [item(b"there", LATER, "zyxwvutsrq765432")])
    ours, theirs = (
        cold_memory.find_tree(wiki.repo()),
        cold_memory.find_tree(other.repo()),
    )
    assert ours and theirs and shared not in (ours, theirs)
    for one, two in ((wiki, other), (other, wiki)):
        one.git("fetch", "-q", str(two.root), f"{cold_memory.REF}:refs/test")
    assert cold_memory.unite(wiki.repo(), theirs) == cold_memory.unite(
        other.repo(), ours
    )
    assert len(list(cold_memory.read(wiki.repo()))) == 3
    cold_memory.check(wiki.repo(), str(cold_memory.find_tree(wiki.repo())))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("../x", "x"),
        ("2026-11-22/20261122T080000000001-abcdefghij234567.json", "{"),
        ("2026-11-22/20261122T080000000001-abcdefghij234567.json", '{"v": 3}'),
        (
            "2026-11-22/20261122T080000000001-abcdefghij234567.json",
            '{"v": 1, "id": "20261122T080000000001-abcdefghij234567", "blob": "0", "entry":'
            ' "abcdefghij234567", '
            '"stored_at": "2026-11-22", "path": "a.md", "linkout": false}',
        ),
        (
            "2026-11-22/20261122T080000000001-abcdefghij234567.json",
            '{"v": 1, "id": "20261122T080000000001-abcdefghij234567", "blob": "0", "entry":'
            ' "abcdefghij234567", '
            '"stored_at": "2026-11-22", "linkout": true}',
        ),
    ],
    ids=[
        "elsewhere",
        "half",
        "newer",
        "without the commitment",
        "from nowhere",
    ],
)
def test_what_another_machine_sends_is_looked_at_first(
    wiki: Wiki, path: str, text: str
) -> None:
    """INV-2: an object without its linkout is none."""
    repo = wiki.repo()
    with Pack(repo.place.common_dir) as pack:
        tree = append_only_tree.add_files(
            repo,
            pack,
            None,
            {path.lstrip("./"): (FILE, pack.add("blob", text.encode()))},
        )
    with pytest.raises(cold_memory.NotCold):
        cold_memory.check(wiki.repo(), tree)


def paper(content: bytes, **about: str) -> tuple[Original, Cold]:
    """Return an original and its cold object."""
    original = originals.make_original(
        content,
        media_type="application/pdf",
        name="paper.pdf",
        source="inbox/paper.pdf",
        received_at=AT,
    )._replace(**about)  # type: ignore[arg-type]
    return original, cold_memory.make_cold(original, ENTRY, LATER)


def test_an_original_becomes_a_cold_object_without_a_copy(wiki: Wiki) -> None:
    """OBJ-3, CTX-1, CTX-4: the same blob, by its hash, with the way back."""
    original, cold = paper(b"%PDF-1.7 " * 2000)
    repo = wiki.repo()
    store_originals.put(repo, [(original, b"%PDF-1.7 " * 2000)])
    cold_memory.put(wiki.repo(), [(cold, None), item(b"a page")])
    repo = wiki.repo()
    assert cold_memory.find(repo, cold.id) == cold
    assert (cold.original, cold.path) == (original.id, "inbox/paper.pdf")
    assert cold.blob == original.blob
    assert b"".join(cold_memory.stream(repo, cold)) == b"%PDF-1.7 " * 2000
    cold_memory.check(repo, str(cold_memory.find_tree(repo)))


def test_bytes_that_are_not_in_git_make_no_object(wiki: Wiki) -> None:
    _, cold = paper(b"never stored")
    with pytest.raises(cold_memory.ColdLost):
        cold_memory.put(wiki.repo(), [(cold, None)])
    assert cold_memory.find_tree(wiki.repo()) is None


def test_bytes_that_are_not_the_originals_are_not_given_out(
    wiki: Wiki,
) -> None:
    _, cold = paper(b"as it came")
    other = cold._replace(blob=objects.hash_blob(b"something else"))
    cold_memory.put(wiki.repo(), [(other, b"something else")])
    with pytest.raises(cold_memory.ColdLost, match="not the original's"):
        cold_memory.get(wiki.repo(), cold.id)


@pytest.mark.parametrize(
    "broken",
    [
        {"linkout": False},
        {"path": None, "url": None},
        {"original": "abc"},
        {"media_type": None},
        {"received_at": ""},
        {"blob": "0"},
    ],
)
def test_an_original_without_its_way_back_is_never_stored(
    wiki: Wiki, broken: dict[str, str]
) -> None:
    """CTX-1: the linkout is never traded away."""
    _, cold = paper(b"as it came")
    with pytest.raises(cold_memory.NotCold):
        cold_memory.put(
            wiki.repo(),
            [(cold._replace(**broken), b"as it came")],  # type: ignore[arg-type]
        )


def test_what_was_told_in_private_stays_out_of_what_travels(
    wiki: Wiki,
) -> None:
    _, cold = paper(b"a private paper", scope="private")
    cold_memory.put(wiki.repo(), [(cold, b"a private paper")])
    assert cold_memory.find_tree(wiki.repo()) is None
    assert cold_memory.get(wiki.repo(), cold.id)[0] == cold
    with pytest.raises(cold_memory.NotCold):
        tree = cold_memory.find_private_tree(wiki.repo())
        cold_memory.check(wiki.repo(), str(tree))
