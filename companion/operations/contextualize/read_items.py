"""Read originals, one after another: a bad one costs only itself.

What a reader gives is looked through for secrets. Those that the door could see in the bytes, it
blanked, or their owner kept them; those that only a reader sees, in a PDF or in a mail's encoded
part, lock the original until its owner decides.
"""

import importlib.util
from collections.abc import Iterator
from typing import NamedTuple

from companion import __version__
from companion.privacy import secret_formats
from companion.runs.run import Run
from companion.sources.document import Document, Unreadable
from companion.sources.read import Readers
from companion.sources.reader import LIMITS
from companion.sources.registry import READERS, load_reader
from companion.storage.cold import originals
from companion.storage.cold.originals import CONTAINER, Original
from companion.values.hashing import sha256

#: packages whose presence changes what can be read
_EXTRAS = ("xberg", "trafilatura")
_TOO_LARGE = "Its bytes are kept; split it and ingest the parts."


class ReadOriginal(NamedTuple):
    """An original that was read."""

    item: Original
    content: bytes
    document: Document
    reader: str  # name and version


class UnreadItem(NamedTuple):
    """An original that could not be read."""

    item: Original
    code: str
    reason: str
    hint: str


class SecretFound(NamedTuple):
    """An original that holds secrets which only a reader can see."""

    item: Original
    kinds: tuple[str, ...]
    reader: str


def read_item(
    run: Run, readers: Readers, item: Original, *, keep_secrets: bool
) -> ReadOriginal | UnreadItem | SecretFound:
    """Return what an original says, why it cannot be read, or which secrets it holds."""
    if item.size > LIMITS.content and item.media_type != CONTAINER:
        size = f"it is larger than {LIMITS.content // 2**20} MiB"
        return UnreadItem(item, "too-large", size, _TOO_LARGE)
    try:
        content = originals.read_bytes(run.repo, item)
        document, reader = _read(readers, content, item)
    except Unreadable as error:
        return UnreadItem(item, error.code, str(error), error.hint)
    except (originals.NotAnOriginal, originals.DamagedOriginal) as error:
        return UnreadItem(item, "damaged", str(error), error.hint)
    if not keep_secrets:
        kinds = find_hidden_secrets(document, content)
        if kinds:
            return SecretFound(item, kinds, reader)
    if not document.title.strip():
        document = document._replace(title=item.name)
    return ReadOriginal(item, content, document, reader)


def _read(
    readers: Readers, content: bytes, item: Original
) -> tuple[Document, str]:
    if item.media_type == CONTAINER:
        return Document(item.name), "container 1"
    reading = readers.read(content, item)
    return reading.document, reading.reader


def find_hidden_secrets(document: Document, content: bytes) -> tuple[str, ...]:
    """Return the kinds of secrets in a document that do not stand in its bytes as they are."""
    kinds: set[str] = set()
    for text in (document.title, document.text):
        for secret in secret_formats.find(text):
            words = text[secret.start : secret.end]
            if words.encode("utf-8", "replace") not in content:
                kinds.add(secret.kind)
    return tuple(sorted(kinds))


def describe_readers() -> str:
    """Return a name for the readers that are here; others may read what these could not."""
    digest = sha256()
    for part in _list_readers():
        digest.update(f"{part}\n".encode())
    return f"readers-{digest.hexdigest()[:12]}"


def _list_readers() -> Iterator[str]:
    yield __version__
    for entry in READERS:
        reader = load_reader(entry)
        yield f"{reader.name} {reader.version}"
    for name in _EXTRAS:
        if importlib.util.find_spec(name) is not None:
            yield name
