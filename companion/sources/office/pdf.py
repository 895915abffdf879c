"""PDF: text by pages. Needs the extra `documents`."""

from companion.sources.document import Document, Unreadable
from companion.sources.office.extraction import Node, extract, make_document
from companion.sources.office.packages import find_format
from companion.sources.office.recognition import (
    HINT,
    RECOGNISED,
    find_language_data,
    holds_words,
)
from companion.sources.reader import Reader

_MOST_PAGES = 40  # of a scan; each takes one to two CPU seconds
_END = b"%%EOF"
_MEDIA_TYPE = "application/pdf"


def recognise_pdf(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a PDF."""
    return find_format(head, name) == "pdf"


def read_pdf(content: bytes, name: str) -> Document:
    """Return the text of the PDF *content*. Raises Unreadable, also for a scan without text."""
    found = extract(content, name, _MEDIA_TYPE)
    if not any(node.text or node.cells for node in found.nodes):
        return _read_scan(content, name)
    document = make_document(found, name, _say_page)
    if _END in content[-2048:]:
        return document
    lost = "its end is missing; what is there was read"
    return document._replace(warnings=(*document.warnings, lost))


def _read_scan(content: bytes, name: str) -> Document:
    """Recognise the words of a scan, where the system can and it is no book."""
    data = find_language_data()
    if data is None:
        scan = "its pages are pictures without text, and Tesseract is not here"
        raise Unreadable("needs-ocr", scan, hint=HINT)
    import xberg

    count = xberg.pdf_page_count(content)
    if count > _MOST_PAGES:
        raise Unreadable(
            "too-large",
            f"its {count} pages are pictures; at most {_MOST_PAGES} are recognised",
            hint="Let a program recognise the text (e.g. ocrmypdf) and ingest the result.",
        )
    found = extract(content, name, _MEDIA_TYPE, ocr=data)
    document = make_document(found, name, _say_page)
    if not holds_words(document.text):
        raise Unreadable("empty", "there are no words in its pictures")
    return document._replace(warnings=(*document.warnings, RECOGNISED))


def _say_page(node: Node, number: int) -> str:
    if node.page is None:
        return ""
    if node.last_page is not None and node.last_page > node.page:
        return f"pages {node.page}-{node.last_page}"
    return f"page {node.page}"


READER = Reader(
    "pdf",
    1,
    (_MEDIA_TYPE,),
    recognise_pdf,
    read_pdf,
    package="xberg",
)
