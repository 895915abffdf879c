"""Originals for tests of readers."""

from companion.sources.document import Document
from companion.sources.read import Readers
from companion.sources.reader import LIMITS, Limits
from companion.storage.cold.originals import Original, make_original

NOW = "2026-11-23T08:00:00.000000Z"


def make(content: bytes, name: str, media_type: str = "") -> Original:
    """Return *content* as an original called *name*."""
    return make_original(
        content,
        media_type=media_type or "application/octet-stream",
        name=name,
        source=name,
        received_at=NOW,
    )


def read(
    content: bytes, name: str, media_type: str = "", limits: Limits = LIMITS
) -> Document:
    """Return what the registered reader finds in *content*, read in a process of its own."""
    with Readers(limits) as readers:
        return readers.read(content, make(content, name, media_type)).document
