"""Texts, slides, sheets and books of office programs. Needs the extra `documents`."""

from collections.abc import Callable

from companion.sources.document import Document, Passage, Unreadable
from companion.sources.documents.tables import say_rows, split_table
from companion.sources.documents.text import find_title
from companion.sources.office.extraction import (
    Extraction,
    Node,
    extract,
    make_document,
)
from companion.sources.office.packages import find_format
from companion.sources.reader import HEAD, Reader

_OPEN_XML = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_MEDIA_TYPES = {
    "docx": _OPEN_XML + "wordprocessingml.document",
    "xlsx": _OPEN_XML + "spreadsheetml.sheet",
    "pptx": _OPEN_XML + "presentationml.presentation",
    "odt": _OPEN_DOCUMENT + "text",
    "ods": _OPEN_DOCUMENT + "spreadsheet",
    "odp": _OPEN_DOCUMENT + "presentation",
    "epub": "application/epub+zip",
    "rtf": "application/rtf",
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
}
_SHEETS = ("xlsx", "ods", "xls")
_SLIDES = ("pptx", "odp", "ppt")
_TITLE = (
    200  # characters; the first words of a slide that are longer are no title
)


def recognise_office(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a document of an office program."""
    return find_format(head, name) not in ("", "pdf")


def read_office(content: bytes, name: str) -> Document:
    """Return what the document *content* says. Raises Unreadable."""
    found = find_format(content[:HEAD], name)
    if found == "encrypted" or _is_locked(content, found):
        raise Unreadable(
            "encrypted",
            "it needs a password",
            hint="Save a copy without the password and ingest that.",
        )
    media_type = _MEDIA_TYPES[found]
    if found in _SHEETS:
        return _make_sheets(extract(content, name, media_type), name)
    if found in _SLIDES:
        return _make_slides(
            extract(content, name, media_type, plain=True), name
        )
    if found == "epub":
        return _make_book(extract(content, name, media_type), name)
    return make_document(extract(content, name, media_type), name, _say_number)


def _is_locked(content: bytes, found: str) -> bool:
    """Tell whether an OpenDocument is encrypted: its manifest says so."""
    if not found.startswith("od") and found != "epub":
        return False
    import io
    import zipfile
    import zlib

    damaged = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            names = package.namelist()
            if "META-INF/rights.xml" in names:
                return True
            if "META-INF/manifest.xml" not in names:
                return False
            with package.open("META-INF/manifest.xml") as manifest:
                return b"encryption-data" in manifest.read(2**20)
    except (*damaged, ValueError):
        return False  # what is wrong with it, its reader says


def _say_number(node: Node, number: int) -> str:
    return f"paragraph {number}"


def _make_book(found: Extraction, name: str) -> Document:
    """Return a book; its chapters are its headings of the first two levels."""
    chapters: list[str] = []
    chapter = "beginning"
    for node in found.nodes:
        if node.kind == "heading" and node.level <= 2:
            chapter = f'chapter "{node.text}"'
        chapters.append(chapter)
    return make_document(found, name, lambda node, number: chapters[number - 1])


def _make_slides(found: Extraction, name: str) -> Document:
    """Return slides; the first words on each are its heading, where they are short."""
    nodes: list[Node] = []
    page: int | None = None
    for node in found.nodes:
        first = node.page != page
        page = node.page
        if first and node.kind == "paragraph" and len(node.text) <= _TITLE:
            nodes.append(node._replace(kind="heading", level=2))
        else:
            nodes.append(node)
    return make_document(found._replace(nodes=nodes), name, _say_slide)


def _say_slide(node: Node, number: int) -> str:
    return "" if node.page is None else f"slide {node.page}"


def _make_sheets(found: Extraction, name: str) -> Document:
    """Return the sheets as tables of some rows each."""
    passages: list[Passage] = []
    warnings = list(found.warnings)
    sheet = ""
    for node in found.nodes:
        if node.kind == "heading":
            sheet = node.text
            place = f'sheet "{sheet}"'
            passages.append(Passage(sheet, "heading", node.level, place))
        elif node.kind == "table":
            table = split_table(node.cells, len(node.cells), _place_in(sheet))
            passages += table.passages
            warnings += table.warnings
        else:
            passages.append(
                Passage(node.text, node.kind, 0, f'sheet "{sheet}"')
            )
    return Document(
        title=found.title or find_title(name),
        passages=tuple(passages),
        authors=found.authors,
        published_at=found.created_at,
        links=found.links,
        warnings=tuple(warnings),
    )


def _place_in(sheet: str) -> Callable[[int, int], str]:
    return lambda first, last: f'sheet "{sheet}" {say_rows(first, last)}'


READER = Reader(
    "office",
    1,
    tuple(_MEDIA_TYPES.values()),
    recognise_office,
    read_office,
    package="xberg",
)
