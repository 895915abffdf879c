"""Feeds: RSS and Atom, entry by entry."""

from typing import TYPE_CHECKING

from companion.sources.document import Document, Passage, Unreadable
from companion.sources.documents.markup import read_markup
from companion.sources.documents.text import (
    find_title,
    is_address,
    read_date,
    unique,
)
from companion.sources.reader import Reader

if TYPE_CHECKING:
    from lxml.etree import _Element

_MEDIA_TYPES = ("application/rss+xml", "application/atom+xml")
_TEXTS = ("encoded", "content", "description", "summary")  # the fullest first
_DATES = ("pubDate", "published", "date", "updated")


def recognise_feed(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a feed: RSS 0.9 to 2.0, or Atom."""
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start.startswith(b"<"):
        return False
    if b"<feed" in start:
        return b"w3.org/2005/atom" in start or b"purl.org/atom" in start
    return b"<rss" in start or (
        b"<rdf:rdf" in start and b"purl.org/rss" in start
    )


def read_feed(content: bytes, name: str) -> Document:
    """Return the entries of the feed *content*. Raises Unreadable."""
    root = _parse(content)
    channel = _find(root, "channel")
    head = root if channel is None else channel
    passages: list[Passage] = []
    links: list[str] = []
    entries = list(root.iter("{*}item", "{*}entry"))
    for number, entry in enumerate(entries, start=1):
        link = _find_link(entry)
        links.append(link)
        passages += _read_entry(entry, link, f"entry {number}")
    address = _find_link(head)
    return Document(
        title=_say(head, "title") or find_title(name),
        passages=tuple(passages),
        key=address or None,
        authors=_find_authors(head),
        url=address or None,
        published_at=_find_date(head),
        links=unique(links),
    )


def _parse(content: bytes) -> "_Element":
    """Parse *content* without entities, without a network, and as far as it is well formed."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, load_dtd=False
    )
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable("damaged", "it is no XML") from error
    if root is None:
        raise Unreadable("damaged", "it is no XML")
    return root


def _read_entry(entry: "_Element", link: str, place: str) -> list[Passage]:
    """Return the title of an entry, its day and address, and its words."""
    title = _say(entry, "title") or link
    passages = [Passage(title, "heading", 2, place)]
    day = (_find_date(entry) or "")[:10]
    byline = ", ".join(
        part for part in (*_find_authors(entry), day, link) if part
    )
    if byline:
        passages.append(Passage(byline, place=place))
    for passage in read_markup(_find_text(entry)).passages:
        level = passage.level + 2 if passage.level else 0
        passages.append(passage._replace(place=place, level=level))
    return passages


def _find_text(entry: "_Element") -> str:
    """Return the words of an entry as HTML: what is escaped, or the elements themselves."""
    from lxml import etree

    for name in _TEXTS:
        element = _find(entry, name)
        if element is None:
            continue
        if len(element):
            return str(etree.tostring(element, encoding="unicode"))
        if element.text and element.text.strip():
            return str(element.text)
    return ""


def _find_link(element: "_Element") -> str:
    """Return the address of the page that a feed or an entry stands for."""
    for link in element.iterfind("{*}link"):
        address = (link.get("href") or link.text or "").strip()
        if link.get("rel", "alternate") == "alternate" and is_address(address):
            return address
    return ""


def _find_authors(element: "_Element") -> tuple[str, ...]:
    names = [_say(author, "name") for author in element.iterfind("{*}author")]
    names += [_say(element, "creator"), _say(element, "author")]
    return unique(names)


def _find_date(element: "_Element") -> str | None:
    for name in _DATES:
        date = read_date(_say(element, name))
        if date is not None:
            return date
    return None


def _find(element: "_Element", name: str) -> "_Element | None":
    return element.find("{*}" + name)


def _say(element: "_Element", name: str) -> str:
    """Return the words of a child, without marks; "" where there is none."""
    child = _find(element, name)
    if child is None or len(child):
        return ""
    words = [passage.text for passage in read_markup(child.text or "").passages]
    return " ".join(" ".join(words).split())


READER = Reader(
    "feed",
    1,
    _MEDIA_TYPES,
    recognise_feed,
    read_feed,
    package="lxml",
)
