"""Describe sources: how one was read, where its original lies, and which originals wait."""

import sqlite3
from typing import TYPE_CHECKING

from companion.lookup.index import current_index
from companion.reading.status import count_sources, has_originals
from companion.storage.index.tables.pages.statements import find_subject
from companion.storage.index.tables.sources import (
    Source,
    list_locked,
    list_readings,
    list_sources,
    list_unread,
    read_line,
)
from companion.values.events import PASSED_OVER
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.source_results import (
        LockedOriginalResult,
        SourceList,
        SourceOfPage,
        SourceReading,
        UnreadOriginalResult,
    )


def describe_source_of_page(
    db: sqlite3.Connection, entry: str
) -> "SourceOfPage | None":
    """Return how the source of a page was read; None for a page that is of no source."""
    subject = find_subject(db, entry)
    if subject is None or subject.kind not in ("source", "chat"):
        return None
    readings = list_readings(db, subject.key)
    if not readings:
        return None
    source = readings[0]
    line = read_line(db, source)
    kept, sentences = line.get("kept", (0, 0))
    return {
        **_describe_reading(source),
        "reader": source.reader,
        "cold": source.cold,
        "evidence": list(line.get("evidence", ())),
        "kept": kept,
        "sentences": sentences,
        "dropped": dict(line.get("dropped", {})),
        "earlier": [_describe_reading(one) for one in readings[1:]],
    }


def _describe_reading(source: Source) -> "SourceReading":
    return {
        "source": source.key,
        "original": source.original,
        "title": source.title,
        "kind": source.kind,
        "media_type": source.media_type,
        "depth": source.depth,
        "url": source.url,
        "origin": source.origin,
        "read_at": source.at,
        "run": source.run,
    }


def list_all_sources(ws: Workspace) -> "SourceList":
    """Return every source as it was read last, and what waits."""
    db = current_index(ws, ws.journal())
    listed = [] if db is None else list_sources(db)
    tried = [] if db is None else describe_unread(db)
    return {
        "sources": [
            {**_describe_reading(one), "entry": one.entry}
            for one in listed
            if one.kind != "container"
        ],
        "waiting": count_sources(ws, db)["pending"],
        "unread": [one for one in tried if one["code"] not in PASSED_OVER],
        "passed_over": [one for one in tried if one["code"] in PASSED_OVER],
        "locked": [] if db is None else describe_locked(db),
    }


def count_waiting_sources(ws: Workspace) -> int:
    """Return how many originals wait for a night; where none ever came in, no index is opened."""
    if not has_originals(ws):
        return 0
    return count_sources(ws, current_index(ws, ws.journal()))["pending"]


def describe_unread(db: sqlite3.Connection) -> "list[UnreadOriginalResult]":
    """Return the originals that could not be read or hold nothing, and what to do about each."""
    return [
        {
            "original": one.original,
            "origin": one.origin,
            "code": one.code,
            "reason": one.reason,
            "hint": one.hint,
        }
        for one in list_unread(db)
    ]


def describe_locked(db: sqlite3.Connection) -> "list[LockedOriginalResult]":
    """Return the originals that wait for their owner because of secrets in them."""
    return [
        {
            "original": one.original,
            "origin": one.origin,
            "kinds": list(one.kinds),
        }
        for one in list_locked(db)
        if one.choice is None
    ]
