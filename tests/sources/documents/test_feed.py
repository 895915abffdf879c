"""Feeds: entries with their titles, days, addresses and words."""

import pytest

from companion.sources.document import Unreadable
from companion.sources.documents.feed import READER, read_feed
from tests.sources.samples import load


def test_an_entry_of_rss_has_its_full_text_and_not_its_summary():
    document = read_feed(load("brick.rss"), "x")
    first = [item.text for item in document.passages if item.place == "entry 1"]

    assert document.title == "Brick & Fire"
    assert document.key == "https://brick.example/"
    assert first == [
        "New lining",
        "Ida Brandt, 2026-02-14, https://brick.example/lining",
        "The lining costs 8,400 euros.",
        "- one",
    ]


def test_an_entry_of_atom_may_hold_elements():
    document = read_feed(load("kilns.atom"), "x")

    assert [item.text for item in document.passages] == [
        "A & B",
        "2026-01-02, https://k.example/1",
        "Words here.",
    ]
    assert document.authors == ("Jörg",)


def test_entities_do_not_explode_and_no_file_is_read():
    bomb = b'<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY f SYSTEM "file:///etc/hostname">'
    for number in range(9):
        bomb += b'<!ENTITY b%d "%s">' % (number, b"&a;" * 50)
    content = (
        b"<?xml version='1.0'?>"
        + bomb
        + b"]><rss><channel><title>T</title><item>"
        b"<title>calm &b8; &f; words</title></item></channel></rss>"
    )
    document = read_feed(content, "x")

    assert len(document.text) < 100


@pytest.mark.parametrize("content", [b"<rss", b"<rss/>" + b"\0", b"<feed " * 9])
def test_what_is_no_feed_has_a_name(content):
    try:
        document = read_feed(content, "x")
    except Unreadable as error:
        assert error.code == "damaged"
    else:
        assert not document.passages


def test_a_feed_that_was_cut_off_keeps_its_first_entries():
    assert "8,400" in read_feed(load("brick.rss")[:-120], "x").text


def test_nesting_is_bounded():
    content = b"<rss><channel><item><title>T</title>" + b"<a>" * 100_000

    assert read_feed(content, "x").passages[0].text == "T"


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'<?xml version="1.0"?><rss version="2.0">', True),
        (b'<feed xmlns="http://www.w3.org/2005/Atom">', True),
        (b'<rdf:RDF xmlns="http://purl.org/rss/1.0/">', True),
        (b"<html><p>about <rss></p>", True),
        (b"<feed>animals</feed>", False),
        (b"words about <rss>", False),
    ],
)
def test_feeds_are_told_by_their_first_bytes(head, known):
    assert READER.recognises(head, "x.xml") is known
