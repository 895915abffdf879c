"""Bookmarks: a list a folder, with addresses and days."""

from companion.sources.documents.bookmarks import READER, read_bookmarks
from companion.sources.registry import choose_reader
from tests.sources.samples import load


def test_folders_are_lists_with_addresses_and_days():
    document = read_bookmarks(load("bookmarks.html"), "bookmarks.html")
    found = [
        (item.place, item.text)
        for item in document.passages
        if item.kind == "list"
    ]

    assert found == [
        (
            'folder "Bookmarks bar" items 1-1',
            "- [The lining & more](<https://example.org/lining>) (2026-02-14)",
        ),
        (
            'folder "Bookmarks bar / Kilns" items 1-1',
            "- [Holm](<https://example.org/holm>) (2026-02-14)",
        ),
        (
            'folder "Bookmarks bar" items 1-1',
            "- [After](<https://example.org/after>)",
        ),
    ]
    assert document.links == (
        "https://example.org/lining",
        "https://example.org/holm",
        "https://example.org/after",
    )


def test_addresses_that_run_scripts_are_left_out():
    assert "javascript" not in read_bookmarks(load("bookmarks.html"), "x").text


def test_bookmarks_are_no_web_page():
    reader = choose_reader(
        load("bookmarks.html"), "bookmarks.html", "text/html"
    )

    assert reader is READER


def test_many_bookmarks_and_broken_days_are_read():
    items = "".join(
        f'<DT><A HREF="https://example.org/{n}" ADD_DATE="{"9" * 30}">[{n}]</A>'
        for n in range(3000)
    )
    page = f"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>{items}".encode()
    passages = read_bookmarks(page, "x").passages

    assert len(passages) == 75
    assert passages[0].text.startswith("- [\\[0\\]](<https://example.org/0>)\n")
