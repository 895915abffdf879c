"""Write the page of a source: what says where it comes from, and its representation. Pure.

The page of a conversation has its turns in their order, with who spoke and when.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.pages import page
from companion.storage.index.tables.sources import HandedCapture, Source
from companion.values.events import LedgerLine
from companion.values.time import local_moment
from companion.values.wording import name_file


class SpokenTurn(NamedTuple):
    """A turn of a conversation, and its words."""

    handed: HandedCapture
    words: str


class SourceText(NamedTuple):
    """A reading of a source, and the words that it handed over."""

    source: Source
    line: LedgerLine  # of the ledger
    text: str  # of a document; of a conversation its head
    turns: Sequence[SpokenTurn]
    utc_offset: int | None = None  # of the times of turns, minutes


def compose_source(text: SourceText, created: str) -> str:
    """Return the page of a source as a night writes it; *created* is its day."""
    body = text.text.rstrip("\n") + "\n"
    day = ""
    for turn in text.turns:
        moment = _local_moment(turn, text.utc_offset)
        if moment[:10] != day:
            day = moment[:10]
            body += f"\n## {day or 'Undated'}\n"
        body += f"\n**{_name_speaker(turn.handed)}{moment[10:]}:** {turn.words.strip()}\n"
    return page.compose(make_frontmatter(text, created), body)


def make_frontmatter(
    text: SourceText, created: str
) -> dict[str, str | list[str]]:
    """Return what the frontmatter of a source's page says."""
    source = text.source
    kind = "chat" if source.kind == "chat" else "source"
    meta: dict[str, str | list[str]] = {
        "id": source.entry,
        "type": kind,
        "title": source.title,
        "created": created,
    }
    authors = text.line.get("authors")
    if authors:
        meta["authors"] = list(map(str, authors))
    published = text.line.get("published")
    if published:
        meta["published"] = str(published)[:10]
    if source.url:
        meta["url"] = source.url
    elif source.origin:
        # of the path only what is alike on every machine
        meta["file"] = name_file(source.origin)
    return meta


def _local_moment(turn: SpokenTurn, utc_offset: int | None) -> str:
    if not turn.handed.said_at:
        return ""
    return local_moment(turn.handed.said_at, utc_offset)


def _name_speaker(turn: HandedCapture) -> str:
    if turn.speaker:
        return turn.speaker
    return {"owner": "You", "assistant": "Assistant"}.get(turn.role, "Somebody")
