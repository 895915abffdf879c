"""Texts: Markdown, plain text, Org, reStructuredText; of a web clipping, what its head says."""

from companion.pages.frontmatter import Meta, Value, read_front
from companion.sources.document import Document, Passage
from companion.sources.documents.blocks import split_blocks
from companion.sources.documents.text import (
    check_text,
    decode_text,
    find_links,
    find_title,
    is_address,
    is_text,
    read_date,
)
from companion.sources.reader import Reader

_MEDIA_TYPES = ("text/markdown", "text/plain", "text/org", "text/x-rst")


def recognise_text(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a text: any text, so this reader is asked last."""
    return is_text(head)


def read_text(content: bytes, name: str) -> Document:
    """Return the text *content* as passages by lines. Raises Unreadable where it is none."""
    check_text(content)
    text, warning = decode_text(content)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front = read_front(text)
    before = text[: len(text) - len(front.body)].count("\n")
    org = name.lower().endswith(".org")
    passages = split_blocks(front.body, org=org, offset=before)
    address = find_address(front.meta)
    return Document(
        title=_find_title(front.meta, passages, name),
        passages=passages,
        key=address,
        authors=_find_authors(front.meta),
        site=_first(front.meta, ("site", "publisher")),
        url=address,
        published_at=_find_date(front.meta),
        links=find_links(front.body),
        warnings=tuple(part for part in (warning, front.problem) if part),
    )


def find_address(meta: Meta) -> str | None:
    """Return the web address that a clipping's frontmatter says it was clipped from."""
    for key in ("source", "url", "link"):
        address = _say(meta.get(key))
        if is_address(address):
            return address
    return None


def _find_title(meta: Meta, passages: tuple[Passage, ...], name: str) -> str:
    title = _first(meta, ("title",))
    if title:
        return title
    headings = [item for item in passages if item.kind == "heading"]
    if headings and headings[0].level == 1:
        return headings[0].text
    return find_title(name)


def _find_authors(meta: Meta) -> tuple[str, ...]:
    value = meta.get("author", meta.get("authors", ""))
    names = value if isinstance(value, list) else [value]
    said = [_say(name).strip("[]") for name in names]
    return tuple(name for name in said if name)


def _find_date(meta: Meta) -> str | None:
    for key in ("published", "date"):
        date = read_date(_say(meta.get(key)))
        if date is not None:
            return date
    return None


def _first(meta: Meta, keys: tuple[str, ...]) -> str:
    for key in keys:
        value = _say(meta.get(key))
        if value:
            return value
    return ""


def _say(value: Value | None) -> str:
    """Return *value* as text; of a list, its first item."""
    if isinstance(value, list):
        return _say(value[0]) if value else ""
    return value.strip() if isinstance(value, str) else ""


READER = Reader("text", 1, _MEDIA_TYPES, recognise_text, read_text)
