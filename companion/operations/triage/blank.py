"""Blank secrets in the bytes of an original before they are stored, and words that were erased.

A note with a secret is refused, because its owner can take it out. A document is somebody's else's
bytes: the secret is overwritten by as many filler bytes, so that every other byte keeps its place,
and the header says where and of what kind. In JSON nothing outside the string that holds the secret
is touched, so that it stays JSON. What only the cycle can read (PDF, Office, encoded mail) is
looked through there.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.operations.triage.media_types import is_text
from companion.privacy import erased_words, secret_formats
from companion.privacy.erased_words import Erased

FILLER = b"*"
ERASED = "erased words"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ROUNDS = 100
_STRING_END = re.compile(rb'(?<!\\)(?:\\\\)*"')


class Span(NamedTuple):
    """A stretch of bytes that must not be stored."""

    start: int  # byte offset
    length: int  # bytes
    kind: str


class Door(NamedTuple):
    """Words kept out of originals: secrets unless told otherwise, and erased words always."""

    keeps_secrets: bool = False  # --store-anyway
    erased: Sequence[Erased] = ()
    key: bytes = b""  # of the erased words' hashes


def blank(
    content: bytes, media_type: str, door: Door
) -> tuple[bytes, tuple[Span, ...]]:
    """Return *content* with filler in place of what *door* keeps out, and where that stood."""
    if not is_text(media_type):
        return content, ()
    is_json = media_type.endswith(("json", "jsonl"))
    if is_json and not content.startswith(_UTF16):
        spans = _find_spans_in_json(content, door)
    else:
        spans = _find_spans(content, door)
    if not spans:
        return content, ()
    return fill(content, spans), tuple(sorted(spans))


def fill(content: bytes, spans: Sequence[Span]) -> bytes:
    """Return *content* with filler at *spans*."""
    blanked = bytearray(content)
    for start, length, _ in spans:
        blanked[start : start + length] = FILLER * length
    return bytes(blanked)


def _find_spans_in_json(content: bytes, door: Door) -> list[Span]:
    """Return the spans of *content*, each within one string.

    A key without an end goes on to the end of the text. It is cut where its string ends, and what
    follows is looked through again.
    """
    spans: list[Span] = []
    begin = 0
    for _ in range(_ROUNDS):
        cut = None
        for start, length, kind in _find_spans(content[begin:], door):
            span = Span(begin + start, length, kind)
            inner = _within_string(content, span)
            spans.append(inner)
            if inner.start + inner.length + 1 < span.start + span.length:
                cut = inner.start + inner.length
                break
        if cut is None:
            return spans
        begin = cut
    # nobody has so many keys: this was made to be slow
    return [*spans, Span(begin, len(content) - begin, "private key")]


def _find_spans(content: bytes, door: Door) -> list[Span]:
    text, encoding, offset = _decode(content)
    found: list[tuple[int, int, str]] = []
    if not door.keeps_secrets:
        for secret in secret_formats.find(text):
            found.append((secret.start, secret.end, secret.kind))
    if door.erased:
        for start, end, _ in erased_words.find(text, door.erased, door.key):
            found.append((start, end, ERASED))
    if not found:
        return []
    return list(_place(text, encoding, offset, sorted(found)))


def _decode(content: bytes) -> tuple[str, str, int]:
    """Return the text of *content*, an encoding that gives its bytes back, and where it begins.

    What is no UTF-8 is read byte by byte: keys and passwords are ASCII in all other encodings.
    """
    for mark, encoding in zip(_UTF16, ("utf-16-le", "utf-16-be"), strict=True):
        if content.startswith(mark):
            return content[2:].decode(encoding, "surrogatepass"), encoding, 2
    try:
        return content.decode(), "utf-8", 0
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1", 0


def _place(
    text: str, encoding: str, offset: int, found: list[tuple[int, int, str]]
) -> Iterator[Span]:
    """Yield the byte spans of stretches of *text*, in order and without overlaps."""
    counted = 0  # characters
    at = offset  # their bytes
    for start, end, kind in found:
        start = max(start, counted)
        if start >= end:
            continue
        at += _count(text[counted:start], encoding)
        length = _count(text[start:end], encoding)
        yield Span(at, length, kind)
        counted = end
        at += length


def _count(text: str, encoding: str) -> int:
    if encoding == "latin-1" or (encoding == "utf-8" and text.isascii()):
        return len(text)
    return len(text.encode(encoding, "surrogatepass"))


def _within_string(content: bytes, span: Span) -> Span:
    """Return *span* without what lies outside the JSON string in which it begins.

    An escape that it would cut is left out or taken in as a whole.
    """
    start = span.start
    if _slashes_before(content, start) % 2:
        start += 1
    end = span.start + span.length
    closing = _STRING_END.search(content, start, end)
    if closing is not None:
        end = closing.end() - 1
    if _slashes_before(content, end, start) % 2:
        end -= 1
    return Span(start, max(end - start, 0), span.kind)


def _slashes_before(content: bytes, place: int, first: int = 0) -> int:
    """Return how many backslashes stand right before *place*, at most back to *first*."""
    count = 0
    while place - count > first and content[place - count - 1] == 0x5C:
        count += 1
    return count
