"""Readers: bytes as they stand, one refusal for each thing that cannot be read, and the rest goes
on.
"""

import io
import os
import socket
import tempfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.operations.triage import readers
from companion.operations.triage.parcels import Parcel
from companion.operations.triage.readers import (
    Record,
    read_jsonl,
    read_lines,
    read_path,
    source_of,
)
from companion.values.captures import Draft
from companion.values.refusals import MAX_BYTES, PASSED_OVER, Refusal


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            content.encode() if isinstance(content, str) else content
        )
    return root


def refusals(path: Path) -> list[tuple[str, str]]:
    return [
        (os.path.basename(r.origin), r.kind)
        for r in read_path(str(path))
        if isinstance(r, Refusal)
    ]


def parcels(path: Path) -> list[Parcel]:
    return [p for p in read_path(str(path)) if isinstance(p, Parcel)]


def drafts(path: Path) -> list[Draft]:
    return [d for d in read_path(str(path)) if isinstance(d, Draft)]


def only_refusal(path: Path) -> Refusal:
    (refusal,) = read_path(str(path))
    assert isinstance(refusal, Refusal)
    assert refusal.hint
    return refusal


def test_a_file_is_read_byte_for_byte(tmp_path: Path) -> None:
    content = "\ufeff---\r\ntitle: x\r\n---\r\nBody é\n\tmixed\r\n\n"
    path = write(tmp_path / "notes", {"My note.md": content}) / "My note.md"

    assert list(read_path(str(path))) == [
        Draft(
            content,
            title="My note",
            channel="file",
            source="notes/My note.md",
            origin=str(path),
        )
    ]


def test_a_heading_is_left_to_be_the_title_and_options_win(
    tmp_path: Path,
) -> None:
    path = write(tmp_path, {"a.md": "# Heading\n"}) / "a.md"
    given_ = Draft("", title="T", source="S", channel="c", scope="private")

    assert drafts(path)[0].title is None
    assert list(read_path(str(path), defaults=given_)) == [
        given_._replace(text="# Heading\n", origin=str(path))
    ]


def test_a_file_that_is_named_is_read_whatever_its_suffix_and_through_links(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"data": "a,b\n", ".hidden.md": "x"})
    (tmp_path / "link.md").symlink_to("data")

    assert [
        drafts(tmp_path / name)[0].text
        for name in ("data", ".hidden.md", "link.md")
    ] == [
        "a,b\n",
        "x",
        "a,b\n",
    ]


def test_a_folder_in_order_with_what_was_passed_over(tmp_path: Path) -> None:
    root = write(
        tmp_path / "vault",
        {
            "b.md": "b",
            "a/z.txt": "z",
            "a/y.rst": "y",
            "a.org": "o",
            "README": "r",
            "c.MARKDOWN": "c",
            "pic.png": b"\x89PNG\0",
            "doc.pdf": b"%PDF-1.7",
            "a/.hidden.md": "h",
            ".git/config": "g",
            ".obsidian/x.md": "x",
            ".companion/y.md": "y",
            "a/.trash/t.md": "t",
        },
    )

    assert [d.source for d in drafts(root)] == [
        "vault/README",
        "vault/a/y.rst",
        "vault/a/z.txt",
        "vault/a.org",
        "vault/b.md",
        "vault/c.MARKDOWN",
    ]
    assert [parcel.source for parcel in parcels(root)] == ["vault/doc.pdf"]
    assert refusals(root) == [
        (".hidden.md", "hidden"),
        ("pic.png", "not-text"),
    ]
    assert {kind for _, kind in refusals(root)} <= PASSED_OVER


def test_notes_of_a_vault_have_its_titles_and_days(tmp_path: Path) -> None:
    logseq = write(
        tmp_path / "graph",
        {
            "journals/2024_01_02.md": "- met Anna",
            "pages/a___b.md": "- x",
            "logseq/config.edn": "{}",
        },
    )
    plain = write(tmp_path / "plain", {"2024-01-02.md": "met Anna"})
    (day, page), (other,) = drafts(logseq), drafts(plain)

    assert (day.title, day.event_time) == (
        "2024-01-02",
        "2024-01-02T00:00:00.000000Z",
    )
    assert (page.title, page.event_time) == ("a/b", None)
    assert (other.title, other.event_time) == ("2024-01-02", None)


def test_a_folder_is_the_same_source_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "vault", {"a/b.md": "x"})
    monkeypatch.chdir(root)

    names = [str(root), str(root) + "/", ".", "../vault", "./"]
    assert [
        [d.source for d in read_path(name) if isinstance(d, Draft)]
        for name in names
    ] == [["vault/a/b.md"]] * 5


@pytest.mark.parametrize(
    ("content", "kind", "reason"),
    [
        (b"", "empty", "empty"),
        (b"text\0more", "binary", "offset 4"),
        (b"caf\xe9 au lait", "encoding", "byte 0xe9 at byte offset 3"),
        ("x" * 9000 + "é", None, ""),
        (b"x" * 9000 + b"\xff", "encoding", "offset 9000"),
        (b"\xed\xa0\x80", "encoding", "offset 0"),
        ("hello".encode("utf-16"), "encoding", "UTF-16"),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(
    tmp_path: Path, content: str | bytes, kind: str | None, reason: str
) -> None:
    path = write(tmp_path, {"x.md": content}) / "x.md"

    if kind is None:
        assert drafts(path)
    else:
        assert only_refusal(path).kind == kind
        assert reason in only_refusal(path).reason


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = write(tmp_path, {"huge.md": "x" * 10_000}) / "huge.md"
    os.truncate(path, 2**30)
    tracemalloc.start()

    assert only_refusal(path).kind == "too-large"
    assert only_refusal(path).hint
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    """A FIFO without a writer would hang, here for ever."""
    os.mkfifo(tmp_path / "fifo.md")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "s.md"))

    assert refusals(tmp_path) == [
        ("fifo.md", "special-file"),
        ("s.md", "special-file"),
    ]
    assert only_refusal(tmp_path / "fifo.md").reason == "a FIFO, not a file"
    assert only_refusal(Path("/dev/zero")).reason == "a device, not a file"
    server.close()


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", {"a.md": "a", "sub/b.md": "b"})
    write(tmp_path, {"outside.md": "o", "vault2/x.md": "x"})
    for name, target in {
        "in.md": "a.md",
        "loop": ".",
        "out.md": "../outside.md",
        "outdir": "../vault2",
        "lost.md": "gone",
        "self.md": "self.md",
    }.items():
        (root / name).symlink_to(target)

    assert [d.text for d in drafts(root)] == ["a", "b"]
    assert refusals(root) == [
        ("in.md", "duplicate"),
        ("loop", "duplicate"),
        ("lost.md", "symlink"),
        ("out.md", "symlink"),
        ("outdir", "symlink"),
        ("self.md", "symlink"),
    ]


def test_what_vanishes_while_we_read_is_reported_and_the_rest_goes_on(
    tmp_path: Path,
) -> None:
    root = write(
        tmp_path / "v", {"a.md": "a", "b.md": "b", "c/d.md": "d", "e.md": "e"}
    )
    reading = read_path(str(root))
    first = next(reading)
    (root / "b.md").unlink()
    (root / "c/d.md").unlink()
    (root / "c").rmdir()

    rest = list(reading)

    assert [
        getattr(item, "text", None) or getattr(item, "kind", None)
        for item in [first, *rest]
    ] == ["a", "unreadable", "unreadable", "e"]


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder with locked parts, seen by a user who is not root: root may read everything."""
    was = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = write(
            Path(name),
            {"a.md": "a", "b.md": "b", "locked/c.md": "c", "z.md": "z"},
        )
        folder.chmod(0o755)
        (folder / "b.md").chmod(0)
        (folder / "locked").chmod(0)
        if was == 0:
            os.seteuid(65534)
        yield folder
        os.seteuid(was)
        (folder / "locked").chmod(0o700)


def test_what_may_not_be_read_is_reported_and_the_rest_goes_on(
    as_nobody: Path,
) -> None:
    assert [d.text for d in drafts(as_nobody)] == ["a", "z"]
    assert refusals(as_nobody) == [
        ("b.md", "unreadable"),
        ("locked", "unreadable"),
    ]


@pytest.mark.parametrize("path", ["/no/such/file", "a\0b", "x" * 5000, ""])
def test_no_such_path(path: str) -> None:
    (refusal,) = read_path(path)

    assert isinstance(refusal, Refusal)
    assert refusal.kind == "unreadable"


def test_names_that_cannot_be_shown_are_escaped_and_composed(
    tmp_path: Path,
) -> None:
    root = tmp_path / "v"
    root.mkdir()
    for name in (b"bad\xff.md", b"new\nline.md", "cafe\u0301.md".encode()):
        Path(os.fsdecode(os.path.join(os.fsencode(root), name))).write_text("x")

    assert [(d.title, d.source) for d in drafts(root)] == [
        ("bad\\xff", "v/bad\\xff.md"),
        ("café", "v/café.md"),
        ("new\\nline", "v/new\\nline.md"),
    ]


def test_a_deep_folder_is_walked(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(210):
        os.mkdir("d" * 20, dir_fd=here)
        below = os.open("d" * 20, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    write(tmp_path, {"z.md": "z"})

    assert [d.text for d in drafts(tmp_path)] == ["z"]
    assert [kind for _, kind in refusals(tmp_path)] == ["unreadable"]


def test_lines_become_drafts() -> None:
    stream = io.BytesIO(
        b"\xef\xbb\xbfone\r\n\n  \n two \nbad \xff\n\xef\xbb\xbfthree\nlast"
    )

    items = list(
        read_lines(
            stream,
            name="/x/notes/log.txt",
            defaults=Draft("", channel="lines", agent="me"),
        )
    )

    assert [
        item.text if isinstance(item, Draft) else item.kind for item in items
    ] == [
        "one",
        " two ",
        "encoding",
        "\ufeffthree",
        "last",
    ]
    assert items[0] == Draft(
        "one",
        channel="lines",
        agent="me",
        source="notes/log.txt",
        origin="/x/notes/log.txt line 1",
    )
    assert items[2].origin == "/x/notes/log.txt line 5"
    assert [
        d.source for d in read_lines(io.BytesIO(b"x\n")) if isinstance(d, Draft)
    ] == [None]
    assert [d.origin for d in read_lines(io.BytesIO(b"\nx"))] == [
        "stdin line 2"
    ]


def test_json_lines_go_on_after_a_broken_one() -> None:
    stream = io.BytesIO(
        b'\xef\xbb\xbf{"text": "one"}\r\n\n{"text": \n[1]\n{"text": NaN}\n'
        + (b"[" * 100_000 + b"\n" + b"1" * 5000 + b"\n\xff\n")
        + b'{"text": "last"'
    )

    items = list(read_jsonl(stream, name="c.jsonl"))

    assert [
        item.value if isinstance(item, Record) else item.kind for item in items
    ] == [
        {"text": "one"},
        "json",
        [1],
        "json",
        "json",
        "json",
        "encoding",
        "json",
    ]
    assert [item.origin for item in items] == [
        f"c.jsonl line {n}" for n in (1, 3, 4, 5, 6, 7, 8, 9)
    ]
    assert all(item.hint for item in items if isinstance(item, Refusal))


class Endless(io.RawIOBase):
    """A line of 200 MiB, then a short one; it counts what was asked for at once."""

    left = 200 * 2**20

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = max(min(len(buffer), self.left), 0)
        buffer[:size] = b"x" * size
        self.left -= size
        if size or self.left < 0:
            return size
        self.left = -1
        tail = b"\nshort\n"
        buffer[: len(tail)] = tail
        return len(tail)


def test_a_line_that_never_seems_to_end_is_not_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readers, "MAX_BYTES", 2**20)
    stream = io.BufferedReader(Endless())
    stream.read1(0)
    tracemalloc.start()

    big, short = (item for item in read_lines(stream))

    assert isinstance(big, Refusal) and big.kind == "too-large"
    assert isinstance(short, Draft) and short.text == "short"
    assert tracemalloc.get_traced_memory()[1] < 8 * 2**20
    tracemalloc.stop()


def test_the_limit_is_on_the_text_of_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readers, "MAX_BYTES", 4)
    stream = io.BytesIO(b"1234\n12345\n1234\r\n12345\r\n123456\n1234567\nok")

    kinds = [
        item.text if isinstance(item, Draft) else item.kind
        for item in read_lines(stream)
    ]

    assert kinds == [
        "1234",
        "too-large",
        "1234",
        "too-large",
        "too-large",
        "too-large",
        "ok",
    ]
    assert MAX_BYTES > 4


def test_a_stream_is_read_as_it_arrives() -> None:
    read_end, write_end = os.pipe()
    with (
        os.fdopen(read_end, "rb") as stream,
        os.fdopen(write_end, "wb", buffering=0) as sender,
    ):
        lines = read_lines(stream)
        sender.write(b"first\n")
        assert next(lines).origin == "stdin line 1"
        sender.write(b"second\n")
        assert next(lines).origin == "stdin line 2"


@given(
    st.lists(
        st.text(
            st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]),
            max_size=10,
        )
    )
)
def test_every_line_that_is_not_blank_comes_out(lines: list[str]) -> None:
    stream = io.BytesIO("\n".join(["#", *lines]).encode())

    texts = [
        draft.text for draft in read_lines(stream) if isinstance(draft, Draft)
    ]

    assert texts == ["#", *(line for line in lines if line.strip())]


def test_a_source_has_its_folder_and_its_name() -> None:
    assert source_of("/home/bob/notes/a.md") == "notes/a.md"
    assert source_of("/a.md") == "a.md"
