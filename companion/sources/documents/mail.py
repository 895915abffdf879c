"""Mails: their text, what they quote, and attachments that have a reader."""

import re
from typing import TYPE_CHECKING, NamedTuple

from companion.sources.document import Document, Passage, Unreadable
from companion.sources.documents.blocks import split_blocks
from companion.sources.documents.markup import read_markup
from companion.sources.documents.text import (
    decode_text,
    find_links,
    find_title,
    is_address,
    read_date,
    unique,
)
from companion.sources.reader import HEAD, Reader

if TYPE_CHECKING:
    from email.message import Message

_MEDIA_TYPES = ("message/rfc822",)
_HEADER = re.compile(rb"([A-Za-z][A-Za-z0-9-]{1,40}):")
_KNOWN = frozenset(
    (
        *(b"from", b"to", b"subject", b"date", b"message-id", b"received"),
        *(b"mime-version", b"return-path", b"delivered-to", b"content-type"),
    )
)
_ENVELOPE = re.compile(rb"From [^\r\n]{0,200}\r?\n")
_DEPTH = 3  # of mails within mails
_MOST_PARTS = 200


class _Found(NamedTuple):
    """The findings in the parts of a mail."""

    passages: tuple[Passage, ...] = ()
    links: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def recognise_mail(head: bytes, name: str) -> bool:
    """Tell whether *head* begins with the headers of a mail."""
    start = _ENVELOPE.sub(b"", head[:16_384], count=1).lstrip()
    headers = re.split(rb"\r?\n\r?\n", start, maxsplit=1)[0]
    names = set()
    for line in headers.splitlines():
        found = _HEADER.match(line)
        if found is not None:
            names.add(found[1].lower())
        elif line[:1] not in (b" ", b"\t"):
            return False
    known = names & _KNOWN
    return len(known) >= 3 and bool(known & {b"from", b"received"})


def read_mail(content: bytes, name: str) -> Document:
    """Return the mail *content*. Raises Unreadable where it is encrypted."""
    return _read(content, name, 0)


def _read(content: bytes, name: str, depth: int) -> Document:
    import email

    message = email.message_from_bytes(_ENVELOPE.sub(b"", content, count=1))
    _check_open(message)
    found = _read_parts(message, depth)
    return Document(
        title=_say_header(message, "Subject") or find_title(name),
        passages=found.passages,
        key=_say_header(message, "Message-ID").strip("<> ") or None,
        authors=_find_authors(message),
        published_at=read_date(_say_header(message, "Date")),
        links=found.links,
        warnings=found.warnings,
    )


def _check_open(message: "Message") -> None:
    kind = message.get_content_type()
    enveloped = kind == "application/pkcs7-mime"
    signed = message.get_param("smime-type") == "signed-data"
    if kind == "multipart/encrypted" or (enveloped and not signed):
        raise Unreadable(
            "encrypted",
            "the mail is encrypted",
            hint="Export it from your mail program in plain form and ingest that.",
        )


def _say_header(message: "Message", name: str) -> str:
    """Return a header as text; where its coding is broken, as it stands."""
    from email.errors import HeaderParseError
    from email.header import decode_header, make_header

    value = message.get(name)
    if value is None:
        return ""
    raw = str(value)
    try:
        said = str(make_header(decode_header(raw)))
    except (HeaderParseError, LookupError, ValueError):
        said = raw
    return " ".join(said.split())


def _find_authors(message: "Message") -> tuple[str, ...]:
    from email.utils import getaddresses

    pairs = getaddresses([_say_header(message, "From")])
    return unique(name or address for name, address in pairs)


def _read_parts(message: "Message", depth: int) -> _Found:
    """Read the text of a mail once, as text or else as HTML, and then its attachments."""
    body = _choose_body(message)
    found = _Found() if body is None else _read_body(body)
    for number, part in enumerate(_list_parts(message)):
        if part is body or not _is_attached(part):
            continue
        if number >= _MOST_PARTS:
            lost = f"of its parts only the first {_MOST_PARTS} were read"
            return found._replace(warnings=(*found.warnings, lost))
        found = _join(found, _read_attachment(part, depth))
    return found


def _list_parts(message: "Message") -> list["Message"]:
    """Return the leaves of a mail; a mail within it is a leaf."""
    leaves: list[Message] = []
    open_parts = [message]
    while open_parts:
        part = open_parts.pop()
        whole = part.get_content_type() == "message/rfc822"
        if part.is_multipart() and not whole:
            open_parts += reversed(_list_inner(part))
        else:
            leaves.append(part)
    return leaves


def _list_inner(part: "Message") -> list["Message"]:
    inner: list[Message] = []
    if part.is_multipart():
        inner += part.get_payload()  # type: ignore[arg-type]
    return inner


def _choose_body(message: "Message") -> "Message | None":
    # a leaf of a multipart kind is a mail whose parts were lost: it is read as text
    for kind in ("text/plain", "text/html", "multipart/"):
        for part in _list_parts(message):
            if part.get_content_type().startswith(kind) and not _is_file(part):
                return part
    return None


def _is_file(part: "Message") -> bool:
    return part.get_content_disposition() == "attachment"


def _is_attached(part: "Message") -> bool:
    """Tell whether *part* is more than another form of the text."""
    if _is_file(part) or part.get_content_type() == "message/rfc822":
        return True
    # pictures that are not attached are logos and the like
    shown = part.get_content_maintype() in ("text", "multipart", "image")
    return bool(part.get_filename()) and not shown


def _read_body(part: "Message") -> _Found:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return _Found()
    text, warning = decode_text(content, part.get_content_charset() or "")
    warnings = (warning,) if warning else ()
    if part.get_content_type() != "text/html":
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        return _Found(split_blocks(plain), find_links(plain), warnings)
    words = read_markup(text)
    passages = tuple(
        passage._replace(place=f"paragraph {number}")
        for number, passage in enumerate(words.passages, start=1)
    )
    links = unique(link for link in words.links if is_address(link))
    return _Found(passages, links, warnings)


def _read_attachment(part: "Message", depth: int) -> _Found:
    name = part.get_filename() or "mail"
    place = f'attachment "{name}"'
    try:
        document = _open_attachment(part, name, depth)
    except Unreadable as error:
        return _Found(warnings=(f"{place} was not read: {error}",))
    passages = [Passage(name, "heading", 2, place)]
    for passage in document.passages:
        where = f"{place} {passage.place}".strip()
        level = passage.level + 2 if passage.level else 0
        passages.append(passage._replace(place=where, level=level))
    warnings = tuple(f"{place}: {warning}" for warning in document.warnings)
    return _Found(tuple(passages), document.links, warnings)


def _open_attachment(part: "Message", name: str, depth: int) -> Document:
    from companion.sources.registry import choose_reader

    if depth >= _DEPTH:
        raise Unreadable("too-deep", "it lies in too many mails")
    if part.get_content_type() == "message/rfc822":
        inner = _list_inner(part)
        whole = inner[0].as_bytes() if inner else b""
        return _read(whole, name, depth + 1)
    payload = part.get_payload(decode=True)
    content = payload if isinstance(payload, bytes) else b""
    reader = choose_reader(content[:HEAD], name, part.get_content_type())
    if reader is None or not content:
        raise Unreadable("unknown", "no reader knows this kind of file")
    if reader is READER:
        return _read(content, name, depth + 1)
    return reader.read(content, name)


def _join(one: _Found, other: _Found) -> _Found:
    return _Found(
        one.passages + other.passages,
        unique(one.links + other.links),
        one.warnings + other.warnings,
    )


READER = Reader("mail", 1, _MEDIA_TYPES, recognise_mail, read_mail)
