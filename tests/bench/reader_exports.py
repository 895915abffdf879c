"""Exports of a few megabytes for the bench of readers: conversations, sessions, memories."""

import json
import sqlite3
from collections.abc import Callable

from tests.sources.conversations.writers import WRITERS, Saying

TURNS = 6_000

_NAMES = {
    "chatgpt": "chatgpt.json",
    "claude": "claude.json",
    "ai studio": "studio.json",
    "claude code": "claude.jsonl",
    "codex": "codex.jsonl",
    "chat": "chat.jsonl",
    "telegram": "telegram.json",
    "whatsapp": "whatsapp.txt",
}


def _talk() -> list[Saying]:
    return [
        Saying(
            number % 2 == 0,
            f"On day {number} the kiln was fired to {number % 400 + 900} degrees.\n"
            f"Batch {number * 7} was dry, so we waited until {number % 12} o'clock.",
        )
        for number in range(TURNS)
    ]


def _write(format: str) -> Callable[[], bytes]:
    return lambda: WRITERS[format][1](_talk())


def _write_palace() -> bytes:
    records = [
        {
            "id": f"drawer_{number}",
            "document": saying.text,
            "metadata": {"wing": "kiln", "room": f"day {number % 30}"},
        }
        for number, saying in enumerate(_talk())
    ]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _write_history() -> bytes:
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE TABLE history (id TEXT, memory_id TEXT, new_memory TEXT, event TEXT)"
    )
    rows = [
        (f"h{number}", f"m{number % 4000}", saying.text, "ADD")
        for number, saying in enumerate(_talk())
    ]
    db.executemany("INSERT INTO history VALUES (?, ?, ?, ?)", rows)
    db.commit()
    return db.serialize()


#: name of a file, what writes it
EXPORTS: dict[str, Callable[[], bytes]] = {
    name: _write(format) for format, name in _NAMES.items()
} | {"palace.jsonl": _write_palace, "mem0.db": _write_history}
