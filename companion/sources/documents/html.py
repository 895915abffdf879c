"""Web pages, also saved ones: the main text, and what the page says about itself.

trafilatura finds the main text among menus and notices. No script runs and nothing is fetched.
"""

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.sources.document import Document, Passage, Unreadable
from companion.sources.documents.markup import read_markup
from companion.sources.documents.tables import format_table
from companion.sources.documents.text import (
    decode_text,
    find_title,
    is_address,
    is_text,
    read_date,
    unique,
)
from companion.sources.reader import Reader

if TYPE_CHECKING:
    from lxml.etree import _Element

_MEDIA_TYPES = ("text/html", "application/xhtml+xml", "multipart/related")
_ENDINGS = (".html", ".htm", ".xhtml")
_ARCHIVES = (".mht", ".mhtml")
_MARKS = (b"<!doctype html", b"<html", b"<head", b"<body")
# elements of trafilatura's tree that stand on lines of their own
_LINES = ("p", "head", "lb", "list", "item", "quote", "table", "row", "cell")
_HEAD = 200_000  # characters that a page's own address is looked for in
_NETSCAPE = b"<!doctype netscape-bookmark"
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w:.-]{2,40})", re.I)
_DECLARED = re.compile(
    rb"<\?xml[^>]{0,200}encoding\s*=\s*[\"']([\w:.-]+)", re.I
)
_DECLARATION = re.compile(r"\s*<\?xml[^>]{0,200}\?>")
# what SingleFile and browsers write into pages that they save
_SAVED = re.compile(
    r"<!--[^>]{0,200}?\burl[:=]\s*(?:\(\d+\))?(https?://[^\s>]+)"
)
# what surrounds the main text of pages of the web
_AROUND = re.compile(
    r"<(?:nav|aside|footer|form|iframe)\b"
    r"|(?:class|id|role)\s*=\s*[\"']?[^\"'>]{0,80}"
    r"(?:nav|menu|sidebar|footer|cookie|comment|share|breadcrumb)",
    re.I,
)
_DATES = {
    "extensive_search": False,
    "original_date": True,
    # htmldate asks the clock otherwise
    "min_date": "1990-01-01",
    "max_date": "2200-01-01",
}


class Markup(NamedTuple):
    """A page as text, with the address that it was saved from."""

    text: str
    address: str
    warning: str


def recognise_html(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a web page, or an archive of one."""
    start = head[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(_NETSCAPE):
        return False
    if _is_archive(start, name):
        return True
    if not start.startswith(b"<") and b"\0" not in head[:100]:
        return False
    if any(mark in start.replace(b"\0", b"") for mark in _MARKS):
        return True
    return name.lower().endswith(_ENDINGS) and is_text(head)


def _is_archive(start: bytes, name: str) -> bool:
    if b"multipart/related" not in start:
        return False
    named = name.lower().endswith(_ARCHIVES)
    return named or b"snapshot-content-location:" in start


def read_html(content: bytes, name: str) -> Document:
    """Return the main text of the web page *content*. Raises Unreadable."""
    page = _load(content, name)
    found = _extract(page)
    passages, links = _find_content(page, found)
    address = _find_address(page)
    return Document(
        title=(found.title or "").strip() or find_title(name),
        passages=passages,
        key=address,
        authors=_list_authors(found.author or ""),
        site=found.sitename or "",
        url=address,
        published_at=read_date(found.date or ""),
        links=links,
        warnings=tuple(filter(None, [page.warning])),
    )


def _find_content(
    page: Markup, found: Any
) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
    """Return the passages and the links of *page*. Raises Unreadable where it has no words."""
    passages = _split(found.body)
    links = _find_links(found.body)
    if not passages or _is_plain(page.text):
        words = read_markup(page.text)
        passages = _number(words.passages)
        links = unique(link for link in words.links if is_address(link))
    if not passages:
        raise Unreadable(
            "empty", "there are no words in it; a script may show them"
        )
    return passages, links


def _list_authors(names: str) -> tuple[str, ...]:
    """Return the authors that *names* lists, parted by semicolons."""
    return unique(part.strip() for part in names.split(";"))


def _load(content: bytes, name: str) -> Markup:
    if _is_archive(content[:4096].lower(), name):
        return _load_archive(content)
    text, warning = decode_text(content, _find_charset(content))
    saved = _SAVED.search(text[:4096])
    return Markup(_undeclare(text), saved[1] if saved else "", warning)


def _load_archive(content: bytes) -> Markup:
    """Return the page of an MHTML archive: its first part of HTML."""
    import email
    import email.policy

    message = email.message_from_bytes(content, policy=email.policy.default)
    address = str(message.get("Snapshot-Content-Location", "")).strip()
    for part in message.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            if isinstance(payload, bytes):
                charset = part.get_content_charset() or _find_charset(payload)
                text, warning = decode_text(payload, charset)
                return Markup(_undeclare(text), address, warning)
    raise Unreadable("truncated", "the archive holds no page")


def _find_charset(content: bytes) -> str:
    """Return the charset that a page names in its head; "" where it names none."""
    head = content[:4096]
    found = _CHARSET.search(head) or _DECLARED.search(head)
    return found[1].decode("ascii", "replace") if found else ""


def _undeclare(text: str) -> str:
    """Return *text* without a declaration of XML, which text must not have for lxml."""
    declared = _DECLARATION.match(text)
    return text[declared.end() :] if declared else text


def _extract(page: Markup) -> Any:
    """Return what trafilatura finds: a Document with title, body and so on."""
    from trafilatura import settings
    from trafilatura.core import bare_extraction

    found = bare_extraction(
        page.text,
        url=page.address or None,
        with_metadata=True,
        favor_recall=True,  # a notice too many costs less than a lost list
        include_comments=False,
        include_formatting=True,
        include_links=True,
        date_extraction_params=_DATES,
    )
    return found if found is not None else settings.Document()


class _Addresses(HTMLParser):
    """Collects the addresses that a page calls its own."""

    def __init__(self) -> None:
        super().__init__()
        self.canonical = ""
        self.shared = ""

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        """Take the address of `link rel=canonical` and of `og:url`."""
        fields = {name: value or "" for name, value in attrs}
        if tag == "link" and "canonical" in fields.get("rel", "").lower():
            self.canonical = self.canonical or fields.get("href", "")
        elif tag == "meta" and fields.get("property") == "og:url":
            self.shared = self.shared or fields.get("content", "")


def _find_address(page: Markup) -> str | None:
    """Return the address of a page: as it says itself, else as it was saved.

    No guess: a wrong one would make two pages one source.
    """
    parser = _Addresses()
    parser.feed(page.text[:_HEAD])
    for address in (parser.canonical, parser.shared, page.address):
        plain = address.strip().partition("#")[0]
        if is_address(plain):
            return plain
    return None


def _is_plain(text: str) -> bool:
    """Tell whether a page has no menus, margins and notices that could be left out."""
    return _AROUND.search(text) is None


def _find_links(body: "_Element | None") -> tuple[str, ...]:
    if body is None:
        return ()
    targets = [item.get("target", "") for item in body.iter("ref")]
    return unique(target for target in targets if is_address(target))


def _split(body: "_Element | None") -> tuple[Passage, ...]:
    """Return the blocks of the tree that trafilatura gives."""
    if body is None:
        return ()
    passages: list[Passage] = []
    for block in body:
        passages.append(_read_block(block))
        passages.append(Passage(" ".join((block.tail or "").split())))
    return _number([passage for passage in passages if passage.text])


def _read_block(block: "_Element") -> Passage:
    if block.tag == "head":
        level = int(block.get("rend", "h2")[1:] or 2)
        return Passage(_join(block), "heading", level)
    if block.tag == "list":
        return Passage("\n".join(_list_items(block)), "list")
    if block.tag == "table":
        return Passage(format_table(_list_rows(block)), "table")
    if block.tag == "quote":
        return Passage(_quote(block), "quote")
    if block.tag == "code":
        return Passage(_fence(block), "code")
    return Passage(_join(block))


def _quote(block: "_Element") -> str:
    """Return the lines of a quotation, each marked as one."""
    lines = [" ".join(line.split()) for line in _walk(block).split("\n")]
    return "\n".join(f"> {line}" for line in lines if line)


def _fence(block: "_Element") -> str:
    """Return the code of *block* between fences; "" where there is none."""
    code = "".join(block.itertext()).strip("\n")
    return f"```\n{code}\n```" if code.strip() else ""


def _list_items(block: "_Element") -> list[str]:
    """Return the items of a list, one a line, those of inner lists indented."""
    lines = []
    for item in block.iter("item"):
        words = " ".join(_walk(item, "list").split())
        outer = sum(1 for above in item.iterancestors("item"))
        if words:
            lines.append("  " * min(outer, 9) + f"- {words}")
    return lines


def _list_rows(table: "_Element") -> list[list[str]]:
    rows = []
    for row in table.iter("row"):
        rows.append([_join(cell) for cell in row.iter("cell")])
    return rows


def _join(element: "_Element") -> str:
    return " ".join(_walk(element).split())


def _walk(element: "_Element", without: str = "") -> str:
    """Return the words of *element*, a line a block, leaving out elements called *without*."""
    from lxml import etree

    words: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        mark = "\n" if inner.tag in _LINES else ""
        if event == "start" and inner is not element and inner.tag == without:
            walk.skip_subtree()
        elif event == "start":
            words += (mark, inner.text or "")
        elif inner is not element:
            words += (mark, inner.tail or "")
    return "".join(words)


def _number(passages: list[Passage]) -> tuple[Passage, ...]:
    numbered = []
    for number, passage in enumerate(passages, start=1):
        numbered.append(passage._replace(place=f"paragraph {number}"))
    return tuple(numbered)


READER = Reader(
    "html",
    1,
    _MEDIA_TYPES,
    recognise_html,
    read_html,
    package="trafilatura",
)
