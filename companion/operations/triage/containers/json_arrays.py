"""Split the array of an export into its elements, without reading them as JSON.

Only strings and brackets are told apart, a megabyte at a time: an export of gigabytes takes no
more memory than a small one. Quotes and brackets are ASCII, and no byte of a longer UTF-8 character
is. The state that goes on into the next piece of the file is small: whether a string is open,
whether a backslash is waiting, and how deep we are.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import numpy
from numpy.typing import NDArray

from companion.operations.triage.containers.stretches import (
    CHUNK,
    LARGEST_MEMBER,
    Problem,
    Stretch,
    refuse_large,
)

LOOK = 2**20  # bytes in which an export shows its shape

#: What a conversation of ChatGPT, Claude and others is made of. An array whose first element has
#: such a key is one of conversations; other arrays are one document.
_KEYS = frozenset(
    {
        *(b"mapping", b"chat_messages", b"messages", b"turns"),
        *(b"conversation", b"chunkedPrompt", b"exchanges"),
    }
)
# brackets that are open where such an array begins: Telegram has its chats in {"chats": {"list": [
_ARRAYS = (b"[", b"{[", b"{{[")
_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"|[\[\]{}:]', re.DOTALL)
_BLANKS = b" \t\r\n"
_MARK = b"\xef\xbb\xbf"

_Places = NDArray[numpy.int64]


def find_array(head: bytes) -> int | None:
    """Return where the array of conversations opens; None where *head*, the beginning of a file,
    shows none.

    It is the whole file, or a value of the object that the file is, or of one in it.
    """
    if not head.removeprefix(_MARK).lstrip(_BLANKS).startswith((b"[", b"{")):
        return None
    open_brackets = b""
    array = 0
    key = b""
    for token in _TOKEN.finditer(head):
        sign = token[0]
        if sign in (b"[", b"{"):
            open_brackets += sign
            if open_brackets in _ARRAYS:
                array = token.start()
        elif sign in (b"]", b"}"):
            open_brackets = open_brackets[:-1]
            if not open_brackets:
                return None
        elif sign == b":":
            if open_brackets[:-1] in _ARRAYS and key in _KEYS:
                return array
        else:
            key = token[1]
    return None


def split_array(file: BinaryIO, start: int) -> Iterator[Stretch | Problem]:
    """Yield the elements of the array that opens at *start*, and the bytes between them.

    An element's name is its number, from 1.
    """
    size = file.seek(0, 2)
    done = 0  # up to where stretches were yielded
    number = 0
    begin = start + 1
    ended = False
    for mark in _find_marks(file, start):
        number += 1
        yield from _cut(file, done, begin, mark.offset, number)
        done = mark.offset
        begin = mark.offset + 1
        ended = mark.ends
    if not ended:
        yield Problem(
            "",
            "truncated",
            f"it ends within element {number + 1:,}",
            "What came before is taken. Export or copy it again to get the rest.",
        )
    if done < size:
        yield Stretch(done, size - done)


def _cut(
    file: BinaryIO, done: int, begin: int, end: int, number: int
) -> Iterator[Stretch | Problem]:
    """Yield the element between *begin* and *end*, and the bytes before and after it."""
    first, last = _trim(file, begin, end)
    name = f"{number:06}.json"
    if first == last:
        yield Stretch(done, end - done)
        return
    if last - first > LARGEST_MEMBER:
        yield refuse_large(name)
        yield Stretch(done, end - done)
        return
    yield Stretch(done, first - done)
    yield Stretch(first, last - first, name)
    if last < end:
        yield Stretch(last, end - last)


def _trim(file: BinaryIO, begin: int, end: int) -> tuple[int, int]:
    """Return *begin* and *end* without the white space at both ends."""
    here = file.tell()
    while begin < end:
        file.seek(begin)
        lead = file.read(min(256, end - begin))
        blank = len(lead) - len(lead.lstrip(_BLANKS))
        begin += blank
        if blank < len(lead):
            break
    while begin < end:
        start = max(begin, end - 256)
        file.seek(start)
        tail = file.read(end - start)
        blank = len(tail) - len(tail.rstrip(_BLANKS))
        end -= blank
        if blank < len(tail):
            break
    file.seek(here)
    return begin, end


class _Mark(NamedTuple):
    """The comma or bracket after an element."""

    offset: int
    ends: bool  # it is the bracket that closes the array


class _State(NamedTuple):
    """The state of the scan where one piece of the file ends and the next begins."""

    in_string: bool = False
    escaped: bool = False  # a backslash waits for its character
    depth: int = 0


def _find_marks(file: BinaryIO, start: int) -> Iterator[_Mark]:
    """Yield the end of each element of the array that opens at *start*."""
    offset = start
    state = _State()
    while True:
        file.seek(offset)
        data = file.read(CHUNK)
        if not data:
            return
        signs, depths, state = _scan(data, state)
        found = numpy.frombuffer(data, numpy.uint8)[signs]
        commas = (found == ord(",")) & (depths == 1)
        ends = depths == 0
        for at in numpy.flatnonzero(commas | ends).tolist():
            yield _Mark(offset + int(signs[at]), bool(ends[at]))
            if ends[at]:
                return
        offset += len(data)


def _scan(data: bytes, state: _State) -> tuple[_Places, _Places, _State]:
    """Return where brackets and commas stand outside strings, the depth after each, and what is
    open at the end.
    """
    array = numpy.frombuffer(data, numpy.uint8)
    quotes, escaped = _find_quotes(array, state)
    signs = numpy.flatnonzero(_IS_SIGN[array])
    before = numpy.searchsorted(quotes, signs) + int(state.in_string)
    signs = signs[before % 2 == 0]
    depths = numpy.cumsum(_STEPS[array[signs]]) + state.depth
    depth = int(depths[-1]) if len(depths) else state.depth
    in_string = bool((len(quotes) + int(state.in_string)) % 2)
    return signs, depths, _State(in_string, escaped, depth)


def _find_quotes(
    array: NDArray[numpy.uint8], state: _State
) -> tuple[_Places, bool]:
    """Return where quotes stand that no backslash escapes, and whether one waits at the end.

    Of several backslashes in a row each second one is escaped itself.
    """
    slashes = numpy.flatnonzero(array == ord("\\"))
    quotes = numpy.flatnonzero(array == ord('"'))
    if state.escaped and len(array):
        # the first character is spent on the last piece's backslash
        slashes = slashes[slashes > 0]
        quotes = quotes[quotes > 0]
    if not len(slashes):
        return quotes, False
    begins = numpy.concatenate(([True], numpy.diff(slashes) != 1))
    run_of = numpy.maximum.accumulate(
        numpy.where(begins, numpy.arange(len(slashes)), 0)
    )
    place = numpy.arange(len(slashes)) - run_of
    # the backslashes that escape what follows them
    active = slashes[place % 2 == 0]
    waits = bool(active[-1] == len(array) - 1)
    return quotes[~numpy.isin(quotes - 1, active, assume_unique=True)], waits


def _table(of: dict[str, int]) -> NDArray[numpy.int64]:
    values = numpy.zeros(256, numpy.int64)
    for sign, value in of.items():
        values[ord(sign)] = value
    return values


_STEPS = _table({"[": 1, "{": 1, "]": -1, "}": -1})
_IS_SIGN = _table({"[": 1, "{": 1, "]": 1, "}": 1, ",": 1}).astype(bool)
