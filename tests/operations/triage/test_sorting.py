"""What is a note at the door, what an original, and what is passed over or refused."""

import os
from pathlib import Path
from typing import Any

import pytest

from companion.operations.triage import capture
from companion.operations.triage.media_types import tell_media_type
from companion.operations.triage.parcels import Parcel
from companion.operations.triage.readers import read_path
from companion.operations.triage.sort import LONGEST_NOTE
from companion.privacy.erased_words import remember
from companion.storage.cold import originals
from companion.storage.git.repo import Repo
from companion.values.captures import Draft
from companion.values.refusals import Refusal
from tests.wiki import Wiki

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"a.md": "x"})


def sort(path: Path) -> str:
    """Return "note", a media type, or the kind of a refusal."""
    (item,) = read_path(str(path))
    if isinstance(item, Draft):
        return "note"
    return item.media_type if isinstance(item, Parcel) else item.kind


CLIPPED = '---\ntitle: A page\nsource: "https://example.org/a"\n---\nText'
CASES: dict[str, tuple[str | bytes, str, str]] = {
    # name: content, named, in a folder
    "a.md": ("# Mine", "note", "note"),
    "notes": ("plain", "note", "note"),
    "clipped.md": (CLIPPED, "text/markdown", "text/markdown"),
    "url.md": (
        CLIPPED.replace("source", "url"),
        "text/markdown",
        "text/markdown",
    ),
    "mine.md": ("---\nsource: my head\n---\nText", "note", "note"),
    "body.md": ("Text\nsource: https://example.org\n", "note", "note"),
    "long.txt": ("x " * LONGEST_NOTE, "text/plain", "text/plain"),
    "edge.txt": ("x" * LONGEST_NOTE, "note", "note"),
    "chat.txt": (
        "12.03.24, 18:05 - Anna: Hi\n12.03.24, 18:06 - Ben: Yes\n" * 3,
        "text/plain",
        "text/plain",
    ),
    "letter.docx": (b"%PDF-1.7", "application/pdf", "application/pdf"),
    "page.md": (b"%PDF-1.7", "application/pdf", "application/pdf"),
    "page": ("<!DOCTYPE html><p>x", "text/html", "text/html"),
    "box": (
        "From a@b Mon Jan 1 00:00:00 2024\nSubject: x\n\nx\n",
        "application/mbox",
        "application/mbox",
    ),
    "latin.html": (b"<p>caf\xe9</p>", "text/html", "text/html"),
    "data.csv": ("a,b\n", "text/csv", "text/csv"),
    "store.db": (
        b"SQLite format 3\0" + bytes(99),
        "application/vnd.sqlite3",
        "application/vnd.sqlite3",
    ),
    "pic.png": (PNG, "image/png", "not-text"),
    "code.py": ("print()", "text/plain", "not-text"),
    "run": (b"\x7fELF\2\1\1\0", "binary", "not-text"),
    "a.exe": (b"MZ\0\0", "binary", "not-text"),
    "a.tar.gz": (b"\x1f\x8b\x08", "binary", "not-text"),
    "junk.dat": (b"\0\1\2", "binary", "not-text"),
    "empty.pdf": (b"", "empty", "empty"),
    "empty.png": (b"", "empty", "not-text"),
    "fake.csv": (b"a\0b", "text/csv", "text/csv"),
    "fake.md": (b"a\0b", "binary", "binary"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_name_and_the_first_bytes_decide(tmp_path: Path, name: str) -> None:
    content, named, walked = CASES[name]
    path = tmp_path / "in" / name
    path.parent.mkdir()
    path.write_bytes(content.encode() if isinstance(content, str) else content)

    assert sort(path) == named
    assert sort(path.parent) == walked


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"RIFF1234WEBP", "a", "image/webp"),
        (b"\0\0\0\x18ftypheic", "a.jpg", "image/heic"),
        (b"PK\3\4", "a.odt", "application/vnd.oasis.opendocument.text"),
        (b"PK\3\4", "a.txt", "application/zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc", "application/msword"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "a.x",
            "application/octet-stream",
        ),
        (b"From here on, 1 thing\nno header", "a", "text/plain"),
        (b"\xff\xfea\0", "a.unknown", "text/plain"),
        (b"\xc3", "a.unknown", "text/plain"),
    ],
)
def test_media_types(head: bytes, name: str, expected: str) -> None:
    assert tell_media_type(head, name) == expected


def take(wiki: Wiki, path: Path, **options: Any) -> Any:
    wiki.tick()
    return capture.ingest(wiki.ws, read_path(str(path)), **options)


def test_what_vanishes_or_becomes_something_else_is_refused(
    wiki: Wiki, tmp_path: Path
) -> None:
    root = tmp_path / "in"
    root.mkdir()
    for name in ("a", "b", "c", "d"):
        (root / f"{name}.html").write_text(f"<html>{name}</html>")
    items = list(read_path(str(root)))
    (root / "a.html").unlink()
    (root / "b.html").unlink()
    os.mkfifo(root / "b.html")
    (root / "c.html").unlink()
    (root / "c.html").symlink_to("d.html")
    done = capture.ingest(wiki.ws, items)

    assert [item["kind"] for item in done["refused"]] == ["unreadable"] * 3
    assert [row["name"] for row in done["originals"]] == ["d.html"]


def test_a_sparse_gigabyte_is_refused_unread(tmp_path: Path) -> None:
    for name, head in (("a.pdf", b"%PDF-1.7"), ("b.csv", b"a," * 9000)):
        path = tmp_path / name
        path.write_bytes(head)
        os.truncate(path, 2**30)
        (refusal,) = read_path(str(path))
        assert isinstance(refusal, Refusal) and refusal.kind == "too-large"


def test_names_are_shown_escaped_and_composed(
    wiki: Wiki, tmp_path: Path
) -> None:
    for name in ("new\nline.html", "cafe\u0301.html", "\u202egnp.html"):
        (tmp_path / name).write_text(f"<html>{name!r}</html>")
    done = take(wiki, tmp_path, dry_run=True)

    names = [
        row["name"] for row in done["originals"] if "md" not in row["name"]
    ]
    assert names == ["café.html", "new\\nline.html", "\\u202egnp.html"]


def test_a_mail_with_attachments_is_kept_whole(
    wiki: Wiki, tmp_path: Path
) -> None:
    content = (
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n"
        b"text\r\n--b\r\nContent-Type: application/pdf\r\n\r\n%PDF\xff\0\r\n--b--\r\n"
    )
    path = tmp_path / "mail.eml"
    path.write_bytes(content)
    repo = Repo(wiki.ws.place)

    (row,) = take(wiki, path)["originals"]

    assert originals.read_bytes(repo, originals.get(repo, row["id"])) == content


def test_the_same_words_from_two_places_are_known(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html>x</html>")
    other = tmp_path / "b.html"
    other.write_text("<html>x</html>")

    assert take(wiki, path)["counts"]["kept"] == 1
    assert take(wiki, other)["counts"]["known"] == 1
    tellings = originals.read_tellings(
        Repo(wiki.ws.place), take(wiki, path)["originals"][0]["id"]
    )
    assert {item.name for item in tellings} == {"a.html", "b.html"}


def test_words_that_were_erased_come_back_in_no_document(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = b"k" * 32
    known = ([remember("Project Nightjar", "[erased]", key)], key)
    monkeypatch.setattr(capture, "_read_erased_words", lambda ws: known)
    root = tmp_path / "in"
    root.mkdir()
    (root / "a.html").write_text("<p>About Project Nightjar</p>")
    (root / "Project Nightjar.html").write_text("<p>x</p>")
    done = take(wiki, root, store_anyway=True)

    assert [item["kind"] for item in done["refused"]] == ["secret"]
    (row,) = done["originals"]
    repo = Repo(wiki.ws.place)
    stored = originals.read_bytes(repo, originals.get(repo, row["id"]))
    assert stored == b"<p>About ****************</p>"
