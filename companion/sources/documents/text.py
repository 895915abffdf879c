"""Functions that readers of documents share: bytes to text, dates, names and addresses."""

import codecs
import os
import re
from collections.abc import Iterable

from companion.sources.document import Unreadable
from companion.values.time import BadTime, parse_instant

_ADDRESS = re.compile(r"https?://[^\s<>\"'\\|^`{}\[\]]+")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# charsets with one byte a letter
_SINGLE = ("iso-8859", "windows-125", "cp125", "latin", "us-ascii", "koi8")
_MOST_LINKS = 2000


def decode_text(content: bytes, charset: str = "") -> tuple[str, str]:
    """Return the text of *content*, and a warning where some of it is a guess.

    A byte order mark decides, then *charset*, which the source names, then UTF-8. Where *charset*
    has one byte a letter, UTF-8 comes first: any bytes fit such a charset, and browsers save pages
    as UTF-8 whose head still names the old one. Bytes that are none of these are read as
    Windows-1252, which has a letter for nearly every byte.
    """
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace"), ""
    names = (charset, "utf-8")
    if charset.lower().startswith(_SINGLE):
        names = ("utf-8", charset)
    for name in names:
        text = _try(content, name)
        if text is not None:
            return text, ""
    text = content.decode("cp1252", "replace")
    return text, "it is not UTF-8; it was read as Windows-1252"


def _try(content: bytes, charset: str) -> str | None:
    if not charset:
        return None
    try:
        return content.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return None


def is_text(head: bytes) -> bool:
    """Tell whether *head* is the beginning of a text: no NUL, and hardly a control character."""
    if any(head.startswith(mark) for mark, _ in _MARKS):
        return True
    if b"\0" in head:
        return False
    controls = sum(head.count(code) for code in _CONTROLS)
    return controls * 100 <= len(head)


# C0 controls without tab, line feed, form feed, carriage return and escape
_CONTROLS = tuple(
    bytes([code]) for code in range(32) if code not in (9, 10, 12, 13, 27)
)


def check_text(content: bytes) -> None:
    """Raise Unreadable where *content* is no text."""
    if not is_text(content):
        raise Unreadable("unknown", "it holds bytes that are no text")


def find_title(name: str) -> str:
    """Return a title for what has none: the name of its file, without folder and ending."""
    stem, _ = os.path.splitext(os.path.basename(name.rstrip("/")))
    return stem.replace("_", " ").strip() or name


def find_links(text: str) -> tuple[str, ...]:
    """Return the web addresses in *text*, each once."""
    found: list[str] = []
    for address in _ADDRESS.findall(text):
        found.append(address.rstrip(".,;:!?)*_"))
    return unique(found)


def unique(items: Iterable[str]) -> tuple[str, ...]:
    """Return *items* without empty and repeated ones, at most some thousand."""
    kept = [item for item in dict.fromkeys(items) if item]
    return tuple(kept[:_MOST_LINKS])


def is_address(text: str) -> bool:
    """Tell whether *text* is a web address."""
    return _ADDRESS.fullmatch(text) is not None


def read_date(text: str) -> str | None:
    """Return *text*, a date as formats write it, as an instant; None where it is none."""
    stripped = text.strip()
    for spelling in (stripped, stripped.replace(" ", "T", 1)):
        try:
            return parse_instant(spelling)
        except BadTime:
            continue
    return _read_mail_date(stripped)


def _read_mail_date(text: str) -> str | None:
    """Read a date as mails and feeds have it: Tue, 3 Nov 2026 10:00:00 +0100."""
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return parse_instant(moment.isoformat())
    except (ValueError, TypeError, OverflowError, BadTime):
        return None


def say_lines(first: int, last: int) -> str:
    """Return the place of the lines *first* to *last*, counted from 1."""
    if first == last:
        return f"line {first}"
    return f"lines {first}-{last}"
