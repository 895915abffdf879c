"""Split a mailbox (mbox) into its mails.

A mail begins at a line `From …` at the start or after an empty line (RFC 4155, and what mutt,
Thunderbird and Google Takeout write). `>From` stays as it stands: a reader may unquote it.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from companion.operations.triage.containers.stretches import (
    CHUNK,
    Problem,
    Stretch,
)

# A line that begins a mail, with a time somewhere in it, and the empty line before it.
_BEGIN = re.compile(rb"(?:\A|(?<=\n)\r?\n)From [^\r\n]*[0-9:][^\r\n]*\r?\n")
_LONGEST = 1024  # bytes of such a line


def split_mailbox(file: BinaryIO) -> Iterator[Stretch | Problem]:
    """Yield the mails of *file* and the lines between them. The names are numbers from 1."""
    end = _find_end(file)
    begins = _find_begins(file)
    start, after = next(begins, (end, 0))
    if after == 0:
        yield Problem(
            "",
            "structure",
            "no mail begins in it",
            "It is kept whole. A mailbox has lines that begin with `From `.",
        )
    if start > 0:
        yield Stretch(0, start)
    number = 0
    while after:
        number += 1
        yield Stretch(start, after - start)
        start, following = next(begins, (end, 0))
        yield Stretch(after, start - after, f"{number:06}.eml")
        after = following
    size = file.seek(0, 2)
    if end < size:
        yield Stretch(end, size - end)


def _find_end(file: BinaryIO) -> int:
    """Return where the last mail ends.

    Programs write an empty line after each mail. It is no part of the mail: the same mail must be
    the same bytes when another follows.
    """
    size = file.seek(0, 2)
    file.seek(max(size - 4, 0))
    tail = file.read(4)
    for end in (b"\r\n\r\n", b"\n\n"):
        if tail.endswith(end):
            return size - len(end) // 2
    return size


def _find_begins(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Yield start and end of every line that begins a mail, and of the empty line before it."""
    offset = 0  # of the window in the file
    window = b""
    while True:
        # whoever takes the mails reads the same file meanwhile
        file.seek(offset + len(window))
        chunk = file.read(CHUNK)
        window += chunk
        # a begin that may still be cut waits for the next chunk
        limit = len(window) if not chunk else len(window) - _LONGEST
        last = 0
        for found in _BEGIN.finditer(window):
            if found.start() >= limit:
                break
            if found.start() == 0 and offset > 0:
                continue
            yield offset + found.start(), offset + found.end()
            last = found.end()
        if not chunk:
            return
        # two bytes before what is looked at next, for the line end before an empty line
        keep = max(last, limit, 2) - 2
        offset += keep
        window = window[keep:]
