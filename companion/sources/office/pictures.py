"""Pictures of text. Needs the extra `documents` and the language data of Tesseract."""

from companion.sources.document import Document, Unreadable
from companion.sources.office.extraction import Node, extract, make_document
from companion.sources.office.recognition import (
    HINT,
    RECOGNISED,
    find_language_data,
    holds_words,
)
from companion.sources.reader import Reader

_MARKS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)


def recognise_picture(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a picture: PNG, JPEG, TIFF."""
    return bool(_find_type(head))


def _find_type(head: bytes) -> str:
    for mark, media_type in _MARKS:
        if head.startswith(mark):
            return media_type
    return ""


def read_picture(content: bytes, name: str) -> Document:
    """Return the words in the picture *content*. Raises Unreadable, also where it has none."""
    data = find_language_data()
    if data is None:
        raise Unreadable(
            "needs-ocr", "it is a picture, and Tesseract is not here", hint=HINT
        )
    found = extract(content, name, _find_type(content), ocr=data)
    document = make_document(found, name, _say_number)
    if not holds_words(document.text):
        raise Unreadable("empty", "there are no words in the picture")
    return document._replace(warnings=(*document.warnings, RECOGNISED))


def _say_number(node: Node, number: int) -> str:
    return f"paragraph {number}"


READER = Reader(
    "picture",
    1,
    ("image/png", "image/jpeg", "image/tiff"),
    recognise_picture,
    read_picture,
    package="xberg",
)
