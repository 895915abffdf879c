"""The parsers of foreign bytes, each with a corpus of good ones."""

import io
import json
from collections.abc import Callable
from typing import NamedTuple

from companion import config
from companion.errors import BadInput
from companion.federation.unit import parse_unit
from companion.fleet import protocol
from companion.operations.triage.filter import from_record, judge
from companion.operations.triage.readers import Record, read_jsonl
from companion.pages import page, series_table, statements
from companion.pages.frontmatter import read_front
from companion.routing.peers import Heard, encode_peers, parse_peers
from companion.routing.signals import parse_signals
from companion.storage import ledger_file
from companion.storage.boundary.tellings import Doubtful, read_telling
from companion.storage.cold import cold_memory, containers, originals
from companion.storage.git import lease
from companion.storage.git.repo import Repo
from companion.storage.journal import reads, schema
from companion.values.captures import Draft
from companion.values.refusals import Refusal
from companion.values.time import parse_instant
from tests.maintenance.machines import header, name_of


class Parser(NamedTuple):
    """One parser: it returns, or raises an error that says what is wrong."""

    read: Callable[[bytes], object]
    corpus: tuple[bytes, ...]


PAGE = b"""---
id: 0123456789abcdef
title: "Oat milk: a trial"
aliases: [oats, 'milk']
created: 2026-11-01
companion: managed
tags:
  - food
  - "two words"
---
# Oat milk

Opening words. See [[Bread|the bread]] and [x](a%20b.md#c).

- **1 November 2026** told by Ada ^c-0123456789ab
  > quoted
- 2026-11-02: 3 litres

## Facts

- price: 2.50 (since 2026-10)

| when | what |
|---|---|
| 2026-11-01 | 3 |
"""
RUN = ledger_file.make_run(
    "consolidate",
    "2026-11-01T08:00:00.000000Z",
    {"base": "0" * 40, "high_water": {"buffer": 3}},
    [
        {
            "e": "consumed",
            "capture": "a" * 64,
            "outcome": "consolidated",
            "entry": "e1",
            "sightings": [],
            "reason": "none",
        }
    ],
)
SETTINGS = b"""adopt: commit
exclude: ["README.md", 'templates/**']
trust: {journal/*: high, "https://example.org": 0.7}
vitality: {gravity: 2, decaying: 0.05}
claims: {price: evidence}
depth: {books: brief}
role: an engineer
max_calls: 20
"""
LINES = b"""{"text": "one", "title": "t", "priority": 0.5}
{"text": "two", "event_time": "2026-11-01T08:00:00Z", "agent": "bot"}
"""
USE = json.dumps(
    ["id", "2026-11-01T08:00:00.000000Z", "", "search", "words", ["e1"], 0]
).encode()
ROW = json.dumps(
    ["a" * 64, "b" * 40, "2026-11-01T08:00:00.000000Z", "cli", 0.5, None, "[]"]
).encode()
CONTAINER = b'{"v":1,"form":"zip","size":3,"zlib":"1.3","parts":[["aa",3,0],["bb",9,8,"deflate","n"]]}'
LEASE = b'{"holder": "bbbb", "until": "2026-11-02T03:00:00Z"}'
SIGNALS = b"""{"by": "Ada", "why": "it hurt", "entry": "e1"}
{"by": "Bob", "why": "no", "claim": "oats cure all"}
"""
AT = "2026-11-01T08:00:00.000000Z"
PEERS = encode_peers(
    [
        Heard(
            "c" * 16,
            "e1",
            AT,
            AT,
            5,
            30,
            3,
            4,
            1,
            0,
            1,
            0.9,
            0.5,
            0.1,
            0.1,
            9,
            5,
        )
    ]
)
CARD = {
    "name": "Ada",
    "address": "ada.example.org:7411",
    "certificate": "-----BEGIN CERTIFICATE-----",
    "exchange": "ab" * 32,
}
UNIT = json.dumps(
    {
        "kind": "team",
        "salt": "cd" * 32,
        "relay": None,
        "members": [CARD],
        "profile": {"trust": 0.5, "life": 4},
    }
).encode()
COLD = json.dumps(
    {
        "v": 1,
        "id": "20261101T080000000000-" + "ab" * 8,
        "blob": "c" * 40,
        "entry": "e1",
        "stored_at": AT,
        "path": "a/Oat milk.md",
        "linkout": True,
    }
).encode()
ORIGINAL = json.dumps(
    {
        "v": 1,
        "id": "a" * 64,
        "blob": "c" * 40,
        "size": 3,
        "media_type": "text/plain",
        "name": "a.txt",
        "source": "a.txt",
        "received_at": AT,
        "blanked": [[0, 3, "key"]],
    }
).encode()
ANSWER = protocol.encode(protocol.Answer(problem="none", exit_code=1))
WORDS = "a note"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _ledger(data: bytes) -> object:
    """Read lines as a run whose name fits, so that the lines below the first are reached."""
    first = data.split(b"\n", 1)[0]
    name = RUN.id
    try:
        line = json.loads(first)
        name = ledger_file._id(line["operation"], line["now"], first + b"\n")
    # the name then fits no line, and decoding says so
    except (ValueError, TypeError, KeyError, RecursionError):
        name = RUN.id
    return list(ledger_file.decode(name, data).events)


def _draft(each: Record | Refusal) -> object:
    if isinstance(each, Refusal):
        return each
    draft = from_record(each.value, origin=each.origin, defaults=Draft(""))
    return draft if isinstance(draft, Refusal) else judge(draft)


def _page(data: bytes) -> object:
    text = _text(data)
    parsed = page.parse(text, "a/Oat milk.md")
    blocks = statements.read_statements(text)
    return parsed, blocks, statements.read_mentions(text)


def _telling(data: bytes) -> object:
    try:
        return read_telling(data, name_of(WORDS))
    # what a sync sets aside, with these words as the reason
    except Doubtful as doubt:
        assert str(doubt)
        return doubt


def _row(data: bytes) -> object:
    try:
        row = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, list) or len(row) < 7:
        return None
    return schema.read_capture_row([*row[:7], data])


def _take_lines(found: tuple[object, list[str]]) -> object:
    """Return what a parser of lines *found*; BadInput with its words for those that it refused."""
    taken, problems = found
    if problems:
        raise BadInput("; ".join(problems))
    return taken


class _Blob(Repo):
    """A repository of one blob, whatever its id."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def blob(self, id: str) -> bytes:
        return self._data


PARSERS: dict[str, Parser] = {
    "frontmatter": Parser(lambda data: read_front(_text(data)), (PAGE,)),
    "page": Parser(_page, (PAGE,)),
    "table": Parser(lambda data: series_table.read_rows(_text(data)), (PAGE,)),
    "ledger": Parser(_ledger, (ledger_file.encode(RUN),)),
    "journal rows": Parser(_row, (ROW,)),
    "reads": Parser(lambda data: list(reads._parse(data)), (USE,)),
    "jsonl": Parser(
        lambda data: [_draft(each) for each in read_jsonl(io.BytesIO(data))],
        (LINES,),
    ),
    "buffer headers": Parser(
        _telling,
        (header(WORDS).encode(),),
    ),
    "settings": Parser(config.parse, (SETTINGS,)),
    "set settings": Parser(
        lambda data: config.set_values(data, {"reasoner": "vectors"}),
        (SETTINGS,),
    ),
    "instants": Parser(
        lambda data: parse_instant(_text(data)),
        (b"2026-11-01T08:00:00+02:00", b"2026-11", b"1999"),
    ),
    "containers": Parser(containers.decode, (CONTAINER,)),
    "leases": Parser(lease.decode, (LEASE,)),
    "signals": Parser(
        lambda data: _take_lines(parse_signals(data)), (SIGNALS,)
    ),
    "words of units": Parser(
        lambda data: _take_lines(parse_peers(data)), (PEERS,)
    ),
    "units": Parser(parse_unit, (UNIT,)),
    "cold headers": Parser(
        lambda data: cold_memory.read_header(_Blob(data), "c" * 40), (COLD,)
    ),
    "headers of originals": Parser(
        lambda data: originals.decode(_Blob(data), "c" * 40), (ORIGINAL,)
    ),
    "answers of workers": Parser(protocol.read_answer, (ANSWER,)),
}
