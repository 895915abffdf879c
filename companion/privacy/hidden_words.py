"""Find words past what hides them: characters without width, and letters of two bytes. Pure.

A reader sees no difference between a word and the same word with U+200B between its letters, and
an editor none between UTF-8 and UTF-16.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from companion.patterns import lazy
from companion.tuples import NamedTuple

# Characters without width, that a reader does not see and a pattern would stumble over.
ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
)
_HIDDEN = lazy(f"[{ZERO_WIDTH}]+")
# The same in UTF-8, escaped in JSON (once or more), in an address, and named in HTML.
_GAP = lazy(
    rb"(?:\xc2\xad|\xcd\x8f|\xd8\x9c|\xe1\xa0\x8e|\xe2\x80[\x8b-\x8f\xaa-\xae]"
    rb"|\xe2\x81[\xa0-\xa9]|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf"
    rb"|\xf3\xa0[\x80-\x87][\x80-\xbf]"
    rb"|\\+u(?:00ad|034f|061c|180e|200[b-f]|202[a-e]|206[0-9]|fe0[0-9a-f]|feff)"
    rb"|%C2%AD|%CD%8F|%D8%9C|%E1%A0%8E|%E2%80%(?:8[B-F]|A[A-E])"
    rb"|%E2%81%A[0-9]|%EF%B8%8[0-9A-F]|%EF%BB%BF"
    rb"|&(?:shy|zwnj|zwj|ZeroWidthSpace|NoBreak|#173|#820[3-7]|#x200[b-f]);)+",
    re.IGNORECASE,
)
# what begins a gap in ASCII
_ESCAPES = (b"\\", b"%", b"&")
_WIDE = ("utf-16-le", "utf-16-be")
_BEGINNINGS = (b"\xff\xfe", b"\xfe\xff")  # of a text in UTF-16
_ZEROS = 4  # a text with so many bytes for each zero may be in UTF-16


class Hit(NamedTuple):
    """A place that holds words, in bytes, and what is to stand there."""

    start: int
    end: int
    mark: bytes


Find = Callable[[bytes], list[Hit]]


def bare(text: str) -> str:
    """Return *text* without characters that have no width."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def find_hidden(data: bytes, find: Find, signs: Iterable[str]) -> list[Hit]:
    """Return where *data* holds words that *find* finds only in what a reader sees.

    *find* takes UTF-8; *signs* are beginnings of the words, in lower case, one of which stands in
    UTF-16 wherever the words do, unless they are hidden twice.
    """
    found = _find_between(data, find)
    if _may_be_wide(data, signs):
        for encoding in _WIDE:
            for shift in (0, 1):
                found += _find_wide(data, find, encoding, shift)
    return list(_without_overlap(found))


def replace(data: bytes, hits: Iterable[Hit]) -> bytes:
    """Return *data* with the marks of *hits*, which are in order and do not overlap."""
    parts: list[bytes] = []
    at = 0
    for hit in hits:
        parts += [data[at : hit.start], hit.mark]
        at = hit.end
    return b"".join([*parts, data[at:]])


def _find_between(data: bytes, find: Find) -> list[Hit]:
    """Return the words of *data* that have characters without width between their letters."""
    if not _may_have_gaps(data):
        return []
    seen = _GAP.sub(b"", data)
    found = find(seen) if len(seen) < len(data) else []
    return _place_in(data, found) if found else []


def _may_have_gaps(data: bytes) -> bool:
    return not data.isascii() or any(sign in data for sign in _ESCAPES)


def _place_in(data: bytes, found: Iterable[Hit]) -> list[Hit]:
    """Return where in *data* those of *found* stand that have a gap in them."""
    gaps = [match.span() for match in _GAP.finditer(data)]
    removed = [0, *accumulate(end - start for start, end in gaps)]
    starts = [
        start - before
        for (start, _), before in zip(gaps, removed, strict=False)
    ]
    hits = []
    for start, end, mark in found:
        first = start + removed[bisect_right(starts, start)]
        last = end + removed[bisect_right(starts, end - 1)]
        if last - first > end - start:
            hits.append(Hit(first, last, mark))
    return hits


def _may_be_wide(data: bytes, signs: Iterable[str]) -> bool:
    if b"\0" not in data:
        return False
    if data[:2] in _BEGINNINGS or data.count(0) * _ZEROS >= len(data):
        return True
    lowered = data.lower()
    return any(
        sign.encode(encoding, "surrogatepass").lower() in lowered
        for sign in signs
        for encoding in _WIDE
    )


def _find_wide(
    data: bytes, find: Find, encoding: str, shift: int
) -> Iterator[Hit]:
    """Yield the words of *data* read in UTF-16 from its byte *shift* on."""
    whole = len(data) - (len(data) - shift) % 2
    narrow = data[shift:whole].decode(encoding, "replace").encode()

    def lead_back(at: int) -> int:
        before = narrow[:at].decode("utf-8", "ignore")
        return shift + len(before.encode(encoding))

    for start, end, mark in [*find(narrow), *_find_between(narrow, find)]:
        wide_mark = mark.decode().encode(encoding)
        yield Hit(lead_back(start), lead_back(end), wide_mark)


def _without_overlap(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield *hits* in order, and of those that overlap the first."""
    at = 0
    for hit in sorted(hits):
        if hit.start >= at:
            yield hit
            at = hit.end
