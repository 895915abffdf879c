"""Documents of office programs and PDF through xberg, the library of the extra `documents`.

xberg parses in Rust, without a network and without models as it is called here. It gives nodes in
reading order; this module says what each means in our terms, and why a file cannot be read.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.sources.document import Document, Kind, Passage, Unreadable
from companion.sources.documents.tables import format_table
from companion.sources.documents.text import (
    find_links,
    find_title,
    is_address,
    read_date,
    unique,
)
from companion.sources.office.recognition import LanguageData

if TYPE_CHECKING:
    from xberg import ExtractedDocument, OcrConfig

_MOST_CELLS = 500_000  # of a sheet; each costs 2 kB of memory while it is read
# what programs write where a person gave no title
_PROGRAM = re.compile(r"^Microsoft (?:Office )?(?:Word|PowerPoint|Excel) - ")
_FILE_NAME = re.compile(
    r"\.(?:docx?|odt|rtf|tex|dvi|pptx?|xlsx?|indd|qxd|pdf|html?|txt)$", re.I
)
_NO_TITLES = (
    *("untitled", "untitled document", "document", "document1", "title"),
    *("unbenannt", "unbenanntes dokument", "dokument1", "sans titre"),
    *("powerpoint presentation", "powerpoint-präsentation", "slide 1"),
    *("sin título", "folie 1", "(anonymous)", "unknown", "none", "pdf"),
)
# what programs write where a person gave no name
_NO_AUTHORS = (
    *("openpyxl", "python-docx", "apache poi", "anonymous", "(anonymous)"),
    *("microsoft office user", "unspecified", "unknown", "admin", "user"),
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[\s-]?){1,4}")
_EXTRA = "pip install 'companion-wiki[documents]'"
_KINDS: dict[str, Kind] = {
    "title": "heading",
    "heading": "heading",
    "paragraph": "paragraph",
    "list_item": "list",
    "code": "code",
    "formula": "code",
    "footnote": "paragraph",
    "citation": "paragraph",
    "table": "table",
}
# what its messages begin with or hold, in lower case, and what we call it
_REASONS = (
    ("password", "encrypted", "it needs a password"),
    ("encrypted", "encrypted", "it needs a password"),
    ("eocd", "truncated", "its end is missing"),
    ("unexpected end", "truncated", "its end is missing"),
    ("cross-reference", "truncated", "its end is missing or damaged"),
    ("zip bomb", "too-large", "it unpacks to more than it should"),
    ("limit", "too-large", "it unpacks to more than it should"),
    ("too large", "too-large", "it unpacks to more than it should"),
    ("timed out", "too-slow", "reading it took too long"),
    ("unsupported", "unknown", "its format is not supported"),
)
_HINTS = {
    "encrypted": "Save a copy without the password and ingest that.",
    "truncated": "Fetch the file again; its bytes are kept as they came.",
}


class Node(NamedTuple):
    """A piece of a document as xberg found it."""

    kind: Kind
    text: str
    level: int
    page: int | None
    last_page: int | None
    cells: list[list[str]]  # of a table, by row


class Extraction(NamedTuple):
    """The content that xberg found in a file."""

    nodes: list[Node]
    title: str
    authors: tuple[str, ...]
    created_at: str | None
    links: tuple[str, ...]
    warnings: tuple[str, ...]


Place = Callable[[Node, int], str]  # of a node and its number, from 1


def extract(
    content: bytes,
    name: str,
    media_type: str,
    *,
    plain: bool = False,
    ocr: LanguageData | None = None,
) -> Extraction:
    """Return what xberg finds in *content*. Raises Unreadable.

    *plain*: ask for text without Markdown, which xberg else puts into slides. *ocr*: recognise the
    words of pictures, of which there may be one a page.
    """
    document = _run(content, name, media_type, plain, ocr)
    metadata = document.metadata
    return Extraction(
        nodes=_find_nodes(document),
        title=clean_title(metadata.title or ""),
        authors=clean_authors(metadata.authors or ()),
        created_at=read_date(metadata.created_at or ""),
        links=_find_links(document),
        warnings=_list_warnings(document, ocr),
    )


def clean_authors(names: Iterable[str]) -> tuple[str, ...]:
    """Return *names* as a file has them, without those of programs.

    xberg parts them at commas: initials belong to the surname before them.
    """
    authors: list[str] = []
    for name in names:
        words = name.strip().rstrip(";").strip()
        if _INITIALS.fullmatch(words) and authors:
            authors[-1] += f", {words}"
        elif words and words.lower() not in _NO_AUTHORS:
            authors.append(words)
    return unique(authors)


def clean_title(title: str) -> str:
    """Return *title* as a file has it; "" where a program put it there and not a person."""
    words = _PROGRAM.sub("", " ".join(title.split()))
    if _FILE_NAME.search(words) or words.lower() in _NO_TITLES:
        return ""
    return words


def _run(
    content: bytes,
    name: str,
    media_type: str,
    plain: bool,
    ocr: LanguageData | None,
) -> "ExtractedDocument":
    import asyncio

    try:
        import xberg
    except ImportError as error:
        raise Unreadable(
            "needs-documents",
            "PDF and office documents need the extra `documents`",
            hint=f"Run `{_EXTRA}`; the bytes are kept and read in the next night.",
        ) from error
    config = xberg.ExtractionConfig(
        use_cache=False,
        enable_quality_processing=False,
        disable_ocr=ocr is None,
        ocr=None if ocr is None else _configure(ocr),
        escape_markdown=False,
        include_document_structure=True,
        output_format="plain" if plain else "markdown",
        security_limits=xberg.SecurityLimits(max_table_cells=_MOST_CELLS),
    )
    given = xberg.ExtractInput(
        kind="bytes", bytes=content, filename=name, mime_type=media_type
    )
    try:
        result = asyncio.run(xberg.extract(given, config))
    except (RuntimeError, ValueError, xberg.XbergError) as error:
        raise _explain(str(error)) from error
    if not result.results:
        raise _explain("; ".join(str(item) for item in result.errors))
    return result.results[0]


def _list_warnings(
    document: "ExtractedDocument", ocr: LanguageData | None
) -> tuple[str, ...]:
    """Say which parts xberg warns about; its own words may quote the file.

    Its warnings about cameras, and about OCR that nobody asked for, say nothing of words.
    """
    idle = ("exif",) if ocr else ("exif", "ocr")
    parts = unique(item.source for item in document.processing_warnings or ())
    return tuple(
        f"not all could be read: {part}" for part in parts if part not in idle
    )


def _configure(data: LanguageData) -> "OcrConfig":
    import xberg

    return xberg.OcrConfig(
        enabled=True,
        backend="tesseract",
        language=list(data.languages),
        tessdata_path=data.folder,
        # its cache would keep words of the person where `erase` does not look
        tesseract_config=xberg.TesseractConfig(use_cache=False),
    )


def _explain(message: str) -> Unreadable:
    """Return the error that *message* of xberg stands for; it quotes no word of the file."""
    lower = message.lower()
    for words, kind, reason in _REASONS:
        if words in lower:
            return Unreadable(kind, reason, hint=_HINTS.get(kind, ""))
    return Unreadable("damaged", "its structure is damaged")


def _find_nodes(document: "ExtractedDocument") -> list[Node]:
    structure = document.document
    if structure is None:
        return []
    nodes: list[Node] = []
    slide: int | None = None
    for item in structure.nodes:
        if str(item.content_layer) in ("header", "footer"):
            continue
        fields: dict[str, Any] = json.loads(str(item.content))
        if fields["node_type"] == "slide":
            slide = fields["number"]
        kind = _KINDS.get(fields["node_type"])
        if kind is not None:
            page = item.page or slide
            last = item.page_end or page
            nodes.append(_make_node(fields, kind, page, last))
    return nodes


def _make_node(
    fields: dict[str, Any], kind: Kind, page: int | None, last: int | None
) -> Node:
    cells = _find_cells(fields["grid"]) if kind == "table" else []
    level = fields.get("level", 1) if kind == "heading" else 0
    text = fields.get("text", "").strip()
    if kind == "heading":
        text = text.strip("*_ ")
    return Node(kind, text, level, page, last, cells)


def _find_cells(grid: dict[str, Any]) -> list[list[str]]:
    rows: list[list[str]] = []
    for _ in range(grid["rows"]):
        rows.append([""] * grid["cols"])
    for cell in grid["cells"]:
        rows[cell["row"]][cell["col"]] = cell["content"]
    return rows


def _find_links(document: "ExtractedDocument") -> tuple[str, ...]:
    addresses = [uri.url for uri in document.uris or ()]
    marked = [address for address in addresses if is_address(address)]
    return unique([*marked, *find_links(document.content)])


def make_document(found: Extraction, name: str, place: Place) -> Document:
    """Return *found* as a document; *place* says where a node stands."""
    nodes = _mark_title(found)
    return Document(
        title=found.title or _find_heading(nodes) or find_title(name),
        passages=make_passages(nodes, place),
        authors=found.authors,
        published_at=found.created_at,
        links=found.links,
        warnings=found.warnings,
    )


def _mark_title(found: Extraction) -> list[Node]:
    """Return the nodes; the first is a heading where it is the title."""
    if not found.nodes:
        return []
    first = found.nodes[0]
    if first.kind == "paragraph" and first.text == found.title:
        first = first._replace(kind="heading", level=1)
    return [first, *found.nodes[1:]]


def make_passages(nodes: list[Node], place: Place) -> tuple[Passage, ...]:
    """Return *nodes* as passages; the items of one list on one page are one passage."""
    passages: list[Passage] = []
    page: int | None = None
    for number, node in enumerate(nodes, start=1):
        text = _write(node)
        last = passages[-1] if passages else None
        together = last is not None and last.kind == node.kind == "list"
        if last is not None and together and page == node.page:
            passages[-1] = last._replace(text=f"{last.text}\n{text}")
        else:
            where = place(node, number)
            passages.append(Passage(text, node.kind, node.level, where))
        page = node.page
    return tuple(passages)


def _write(node: Node) -> str:
    if node.kind == "table":
        return format_table(node.cells)
    if node.kind == "list":
        return f"- {node.text}"
    if node.kind == "code":
        return f"```\n{node.text}\n```"
    return node.text


def _find_heading(nodes: list[Node]) -> str:
    for node in nodes:
        if node.kind == "heading":
            return node.text
    return ""
