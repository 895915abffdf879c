"""Containers at the door: split by byte ranges, given back to the byte, and broken ones named."""

import io
import json
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.triage import capture, readers
from companion.operations.triage.containers import json_arrays, mailboxes
from companion.operations.triage.containers.stretches import Problem, Stretch
from companion.storage.cold import containers, originals, store_originals
from companion.storage.git.repo import Repo
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"a.md": "x"})


KEY = "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def members(
    split: Callable[[BinaryIO], Iterator[Stretch | Problem]], content: bytes
) -> list[bytes]:
    """Return the members, after checking that the stretches cover *content* without gaps."""
    found = []
    place = 0
    for item in split(io.BytesIO(content)):
        if isinstance(item, Problem):
            continue
        assert item.offset == place
        place += item.length
        if item.name is not None:
            found.append(content[item.offset : place])
    assert place == len(content)
    return found


def elements(content: bytes) -> list[bytes]:
    start = json_arrays.find_array(content[: json_arrays.LOOK])
    assert start is not None
    return members(lambda file: json_arrays.split_array(file, start), content)


words = st.text(alphabet='ab"\\[]{},: é\n🙂', max_size=8)
values = st.recursive(
    words | st.integers() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.lists(values, min_size=1, max_size=5),
    st.integers(1, 30),
    st.booleans(),
    st.booleans(),
)
def test_elements_are_found_wherever_the_file_is_cut(
    trees: list[Any], size: int, is_ascii: bool, is_inside: bool
) -> None:
    """Each piece of the file goes on with what was open at the end of the one before."""
    array = [{"mapping": tree} for tree in trees]
    content = json.dumps(array, ensure_ascii=is_ascii, indent=1).encode()
    if is_inside:
        content = b'{"a]\\"": [1], "all": ' + content + b', "z": "]["}'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_arrays, "CHUNK", size)
        found = elements(content)

    assert [json.loads(item) for item in found] == array


def test_only_arrays_of_conversations_are_split() -> None:
    for content in (
        b"[1, 2]",
        b'[{"a": 1}]',
        b'{"a": {"messages": []}}',
        b'"mapping"',
        b"[[",
        b"",
        b"\xff\xfe",
    ):
        assert json_arrays.find_array(content) is None


@given(
    st.lists(st.sampled_from(["a", "From x", ">From 1", "", "é"]), max_size=4),
    st.integers(1, 4),
    st.sampled_from(["\n", "\r\n"]),
)
def test_mails_are_split_and_the_last_one_is_like_the_others(
    lines: list[str], count: int, end: str
) -> None:
    body = end.join(["Subject: s", "", *[line or "x" for line in lines]]) + end
    mail = f"From a@b Mon Jan  1 00:00:00 2024{end}{body}{end}".encode()
    for size in (1030, 4096):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mailboxes, "CHUNK", size)
            found = members(mailboxes.split_mailbox, mail * count)
        assert found == [body.encode()] * count


# -- through the door


def take(wiki: Wiki, *paths: Path, **options: Any) -> dict[str, Any]:
    wiki.tick()
    items = [item for path in paths for item in readers.read_path(str(path))]
    return dict(capture.ingest(wiki.ws, items, **options))


def give_back(wiki: Wiki, name: str) -> bytes:
    repo = Repo(wiki.ws.place)
    whole = [
        item
        for item in originals.read(repo)
        if item.name == name and item.media_type == originals.CONTAINER
    ]
    newest = max(whole, key=lambda item: item.received_at)
    return b"".join(containers.restore(repo, newest))


def conversations(count: int, words: str = "hello") -> bytes:
    array = [
        {"title": f"Talk {n}", "mapping": {"a": {"parts": [f"{words} {n}"]}}}
        for n in range(count)
    ]
    return json.dumps(array, indent=1).encode()


def test_a_zip_is_given_back_to_the_byte_and_known_again(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "export.zip"
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("deep.html", "<html>deep</html>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", conversations(4))
        archive.writestr("letter.pdf", b"%PDF-1.7 text")
        archive.writestr("pic.png", b"\x89PNG\r\n\x1a\n" + os.urandom(99))
        archive.writestr("../../evil.md", "# no path")
        archive.writestr("caf\u00e9/\u202ename.txt", "x")
        archive.writestr("inner.zip", inner.getvalue())
    outside = set(os.listdir(tmp_path.parent))

    done = take(wiki, path)

    assert done["counts"]["kept"] == 8
    assert [
        item["origin"].rpartition("/")[2] for item in done["passed_over"]
    ] == ["pic.png"]
    assert done["refused"] == []
    assert give_back(wiki, "export.zip") == path.read_bytes()
    assert set(os.listdir(tmp_path.parent)) == outside
    again = take(wiki, path)
    assert (again["counts"]["kept"], again["counts"]["known"]) == (0, 8)


@pytest.mark.parametrize("form", ["json", "mbox"])
def test_what_grew_brings_only_the_new(
    wiki: Wiki, tmp_path: Path, form: str
) -> None:
    path = tmp_path / f"all.{form}"
    mail = b"From a@b Mon Jan  1 00:00:00 2024\nSubject: %d\n\nbody\n\n"
    sizes = []
    for count in (3, 5):
        content = conversations(count)
        if form == "mbox":
            content = b"".join(mail % n for n in range(count))
        path.write_bytes(content)
        sizes.append(take(wiki, path)["counts"])
        assert give_back(wiki, path.name) == content

    assert [(size["kept"], size["known"]) for size in sizes] == [(3, 0), (2, 3)]


def test_a_secret_is_blanked_and_every_other_byte_keeps_its_place(
    wiki: Wiki, tmp_path: Path
) -> None:
    content = conversations(3, f'my token is {KEY} she said \\ \\" é')
    path = tmp_path / "conversations.json"
    path.write_bytes(content)

    done = take(wiki, path)

    back = give_back(wiki, path.name)
    assert KEY.encode() not in back and len(back) == len(content)
    assert back == content.replace(KEY.encode(), b"*" * len(KEY))
    blanked = [row for row in done["originals"] if row["blanked"]]
    assert [row["blanked"] for row in blanked] == [["GitHub token"]] * 3
    item = originals.get(Repo(wiki.ws.place), blanked[0]["id"])
    stored = originals.read_bytes(Repo(wiki.ws.place), item)
    (span,) = item.blanked
    assert stored[span.start : span.start + span.length] == b"*" * len(KEY)


def test_a_secret_in_a_zip_is_nowhere_in_the_repository(
    wiki: Wiki, tmp_path: Path
) -> None:
    """Also not in the packed bytes, which are kept where zlib packs otherwise."""
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.json", conversations(2, KEY))
        archive.writestr("b.html", f"<html>{KEY}</html>")
    take(wiki, path)

    assert KEY.encode() not in give_back(wiki, "all.zip")
    assert KEY.encode() not in everything(wiki)
    kept = take(wiki, path, store_anyway=True)
    assert kept["counts"]["known"] == 3  # the container is known
    whole = tmp_path / "other.zip"
    whole.write_bytes(path.read_bytes() + b"\0")
    take(wiki, whole, store_anyway=True)
    assert KEY.encode() in everything(wiki)


def everything(wiki: Wiki) -> bytes:
    repo = Repo(wiki.ws.place)
    blobs = (blob for _, _, blob in repo.walk(originals.find_tree(repo)))
    return b"\0".join(repo.blob(blob) for blob in blobs)


def damaged(content: bytes, name: bytes) -> bytes:
    """Return a zip in which the first byte of the member *name* is another one."""
    place = content.index(name) + len(name)
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def test_what_is_wrong_in_a_zip_is_named_and_the_rest_goes_on(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "bad.zip"
    deep = io.BytesIO(b"x")
    for name in ("c.txt", "b.zip", "a.zip"):
        outer = io.BytesIO()
        with zipfile.ZipFile(outer, "w") as archive:
            archive.writestr(name, deep.getvalue())
        deep = outer
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("good.html", "<html>good</html>")
        archive.writestr("bomb.txt", b"0" * (4 * 2**20))
        archive.writestr("nested.zip", deep.getvalue())
        info = zipfile.ZipInfo("crc.csv")
        archive.writestr(info, "a,b\n1,2\n")
        archive.writestr("locked.pdf", b"%PDF-1.7 locked")
    content = bytearray(damaged(path.read_bytes(), b"crc.csv"))
    # the flag of encryption, in the table of contents
    at = content.rindex(b"locked.pdf") - 46 + 8
    content[at] |= 1
    path.write_bytes(content)

    done = take(wiki, path)

    assert {
        item["origin"].rpartition("/")[2]: item["kind"]
        for item in done["refused"]
    } == {
        "bomb.txt": "bomb",
        "a.zip": "nested",
        "crc.csv": "damaged",
        "locked.pdf": "encrypted",
    }
    assert all(item["reason"] and item["hint"] for item in done["refused"])
    assert "good.html" in [row["name"] for row in done["originals"]]
    assert give_back(wiki, "bad.zip") == bytes(content)


@pytest.mark.parametrize("keep", [0.3, 0.9])
def test_a_cut_export_gives_what_is_whole(
    wiki: Wiki, tmp_path: Path, keep: float
) -> None:
    whole = conversations(10)
    path = tmp_path / "conversations.json"
    path.write_bytes(whole[: int(len(whole) * keep)])

    done = take(wiki, path)

    (refusal,) = done["refused"]
    assert refusal["kind"] == "truncated"
    assert 0 < done["counts"]["kept"] < 10
    assert give_back(wiki, path.name) == path.read_bytes()


def test_a_mailbox_is_read_in_pieces_while_mails_are_taken(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailboxes, "CHUNK", 2000)
    monkeypatch.setattr(json_arrays, "CHUNK", 2000)
    mail = b"From a@b Mon Jan  1 00:00:00 2024\nSubject: %d\n\nbody\n\n"
    path = tmp_path / "all.mbox"
    path.write_bytes(b"".join(mail % number for number in range(500)))
    other = tmp_path / "all.json"
    other.write_bytes(conversations(500))

    assert take(wiki, path)["counts"]["kept"] == 500
    assert take(wiki, other)["counts"]["kept"] == 500
    assert give_back(wiki, "all.mbox") == path.read_bytes()


@pytest.mark.parametrize("form", ["json", "mbox"])
def test_a_member_that_is_too_large_is_named_and_the_others_are_taken(
    wiki: Wiki,
    tmp_path: Path,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from companion.operations.triage.containers import keep

    monkeypatch.setattr(keep, "LARGEST_MEMBER", 1000)
    monkeypatch.setattr(json_arrays, "LARGEST_MEMBER", 1000)
    path = tmp_path / f"all.{form}"
    mail = b"From a@b Mon Jan  1 00:00:00 2024\nSubject: s\n\n%b\n\n"
    if form == "mbox":
        path.write_bytes(mail % b"a" + mail % (b"b" * 2000) + mail % b"c")
    else:
        chats = [{"mapping": "a"}, {"mapping": "b" * 2000}, {"mapping": "c"}]
        path.write_text(json.dumps(chats))
    done = take(wiki, path)

    assert done["counts"]["kept"] == 2
    assert [item["kind"] for item in done["refused"]] == ["too-large"]
    assert give_back(wiki, path.name) == path.read_bytes()


def test_a_cut_zip_gives_what_is_whole(wiki: Wiki, tmp_path: Path) -> None:
    path = tmp_path / "cut.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("caf\u00e9.html", "<html>whole</html>")
        archive.writestr("a.csv", random.Random(1).randbytes(50_000).hex())
    path.write_bytes(path.read_bytes()[:20_000])

    done = take(wiki, path)

    assert [item["kind"] for item in done["refused"]] == ["damaged", "damaged"]
    assert done["counts"]["kept"] == 1
    assert done["originals"][0]["name"] == "caf\u00e9.html"
    assert give_back(wiki, "cut.zip") == path.read_bytes()


@pytest.mark.parametrize(
    "members", [1_000, pytest.param(10_000, marks=pytest.mark.slow)]
)
def test_thousands_of_members(wiki: Wiki, tmp_path: Path, members: int) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(members):
            archive.writestr(f"{number}.html", f"<html>{number}</html>")

    assert take(wiki, path)["counts"]["kept"] == members
    assert give_back(wiki, "many.zip") == path.read_bytes()


def test_a_dry_run_counts_and_stores_nothing(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(conversations(3))
    (tmp_path / "note.md").write_text("a note")
    paths = (path, tmp_path / "note.md")

    dry = take(wiki, *paths, dry_run=True)

    assert originals.find_tree(Repo(wiki.ws.place)) is None
    assert wiki.journal().counts() == (0, 0)
    assert dry["counts"] == take(wiki, *paths)["counts"]


def test_a_killed_call_goes_on_where_it_stopped(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(conversations(40))
    monkeypatch.setattr(store_originals, "_MOST_ITEMS", 10)
    read = readers.read_path
    real = capture.ingest
    from companion.operations.triage.containers import keep

    def stop(pieces: Any, *_: Any) -> Iterator[Any]:
        for number, piece in enumerate(pieces):
            if number == 60:
                raise KeyboardInterrupt
            yield piece

    with monkeypatch.context() as patch:
        patch.setattr(keep, "_until_changed", stop)
        with pytest.raises(KeyboardInterrupt):
            real(wiki.ws, read(str(path)))
    counts = take(wiki, path)["counts"]

    assert counts["known"] >= 10 and counts["known"] + counts["kept"] == 40
    assert give_back(wiki, path.name) == path.read_bytes()
