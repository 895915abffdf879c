"""A document as bytes: what a reader's process sends back.

It is JSON and it is checked, because a hostile file may have taken that process over.
"""

import json

from companion.errors import MALFORMED
from companion.sources.document import (
    Document,
    Memory,
    Passage,
    Turn,
    Unreadable,
)

# C0 and C1 controls without tab and line feed: no text, and dangerous in a terminal
_CONTROLS = dict.fromkeys(
    code for code in (*range(32), *range(127, 160)) if code not in (9, 10)
)


class Malformed(Unreadable):
    """A reader's process sent back something that is no document."""

    def __init__(self) -> None:
        super().__init__("crashed", "the reader gave no document")


def encode_document(document: Document) -> bytes:
    """Return *document* as JSON in UTF-8; lone surrogates become U+FFFD."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def decode_document(data: bytes) -> Document:
    """Return the document that *data* is. Raises Malformed."""
    try:
        return _build(json.loads(data))
    except MALFORMED as error:
        raise Malformed() from error


def _build(fields: list[object]) -> Document:
    made = Document._make(fields)
    document = made._replace(
        passages=tuple(Passage._make(item) for item in made.passages),
        turns=tuple(_build_turn(item) for item in made.turns),
        memories=tuple(Memory._make(item) for item in made.memories),
        authors=tuple(made.authors),
        links=tuple(made.links),
        warnings=tuple(made.warnings),
    )
    _check(document)
    return document


def _build_turn(fields: Turn) -> Turn:
    turn = Turn._make(fields)
    return turn._replace(attachments=tuple(turn.attachments))


def _check(document: Document) -> None:
    """Raise TypeError where a text is no string: every other room trusts the types."""
    texts: list[object] = [document.title, document.site]
    texts += [*document.authors, *document.links, *document.warnings]
    for passage in document.passages:
        texts += [passage.text, passage.kind, passage.place]
        if not isinstance(passage.level, int):
            raise TypeError("level")
    for turn in document.turns:
        texts += [turn.speaker, turn.role, turn.text, turn.place]
        texts += turn.attachments
    for memory in document.memories:
        texts += [memory.text, memory.place]
    for text in texts:
        if not isinstance(text, str):
            raise TypeError("text")


def tidy_document(document: Document) -> Document:
    """Return *document* without control characters, and without pieces that hold no words."""
    return document._replace(
        title=" ".join(tidy_text(document.title).split()),
        passages=tuple(_tidy_passages(document.passages)),
        turns=tuple(
            turn._replace(
                text=tidy_text(turn.text), speaker=tidy_text(turn.speaker)
            )
            for turn in document.turns
        ),
        memories=tuple(
            memory._replace(text=tidy_text(memory.text))
            for memory in document.memories
            if tidy_text(memory.text)
        ),
        authors=tuple(tidy_text(author) for author in document.authors),
        site=tidy_text(document.site),
    )


def _tidy_passages(passages: tuple[Passage, ...]) -> list[Passage]:
    kept = []
    for passage in passages:
        text = tidy_text(passage.text)
        if text:
            kept.append(passage._replace(text=text))
    return kept


def tidy_text(text: str) -> str:
    """Return *text* with plain line ends, without control characters and outer blank lines."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.translate(_CONTROLS).rstrip().lstrip("\n")
