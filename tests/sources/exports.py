"""The samples of exports, and what the registered readers find in them."""

import os

from companion.sources.document import Document
from companion.sources.reader import HEAD, Reader
from companion.sources.registry import choose_reader

FOLDER = os.path.join(os.path.dirname(__file__), "samples", "exports")


def load(path: str) -> bytes:
    """Return the bytes of the sample *path*."""
    with open(os.path.join(FOLDER, path), "rb") as file:
        return file.read()


def find_reader(content: bytes, name: str) -> Reader:
    """Return the reader that knows *content*."""
    reader = choose_reader(content[:HEAD], name, "")
    assert reader is not None, name
    return reader


def read_sample(path: str) -> Document:
    """Return what the registered reader finds in the sample *path*."""
    content = load(path)
    name = os.path.basename(path)
    return find_reader(content, name).read(content, name)


def say(document: Document) -> list[tuple[str, str, str]]:
    """Return role, speaker and words of every turn."""
    return [(turn.role, turn.speaker, turn.text) for turn in document.turns]
