"""The interface of a reader, and the limits of its use of the machine."""

from collections.abc import Callable
from typing import NamedTuple

from companion.sources.document import Document

HEAD = 65_536  # bytes of the beginning that `Reader.recognises` is shown


class Reader(NamedTuple):
    """Reads one kind of file: bytes in, a Document out; no clock, no files, no network.

    *recognises* decides by the first bytes, and by the name only where bytes cannot tell: a PDF
    that is called letter.docx is a PDF. *read* raises Unreadable where it knows why; whatever else
    it raises is reported as a crash of this reader.
    """

    name: str  # e.g. "html"
    version: int  # raised when the same bytes give another text
    media_types: tuple[str, ...]
    recognises: Callable[[bytes, str], bool]  # the first HEAD bytes, the name
    read: Callable[[bytes, str], Document]  # all bytes, the name
    package: str = ""  # the one whose version decides about the text too


class Limits(NamedTuple):
    """The most that the reading of one original may use."""

    cpu_seconds: int = 120
    wall_seconds: float = 600
    memory: int = 1536 * 2**20  # bytes of address space of the child
    content: int = 256 * 2**20  # bytes of the original
    answer: int = 64 * 2**20  # bytes of the document, as JSON


LIMITS = Limits()
