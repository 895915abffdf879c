"""Each sample is known by its own reader, in a process of its own, whatever its media type."""

import os

import pytest

from companion.sources.document import Unreadable
from companion.sources.read import Readers
from tests.sources.exports import FOLDER, load
from tests.sources.originals import make

READERS = {
    "basic_memory/Coffee Brewing.md": "basic memory 1",
    "chat/messages.json": "chat 1",
    "chat/messages.jsonl": "chat 1",
    "chatgpt/canvas-and-voice.json": "chatgpt 2",
    "chatgpt/conversation-2023.json": "chatgpt 2",
    "chatgpt/conversation.json": "chatgpt 2",
    "claude/conversation-2023.json": "claude 1",
    "claude/conversation.json": "claude 1",
    "claude/memories.json": "claude memories 1",
    "claude/project.json": "claude project 1",
    "claude_code/agent-helper1.jsonl": "claude code 1",
    "claude_code/session.jsonl": "claude code 1",
    "codex/rollout-2025-06-01-old.jsonl": "codex 1",
    "codex/rollout-2026-03-04T10-00-00-0196aaaa-1111-7222-8333-444455556666.jsonl": "codex 1",
    "gemini/Ferry times": "ai studio 1",
    "gemini/MyActivity.html": "gemini page 1",
    "gemini/MyActivity.json": "gemini 1",
    "mcp_memory/memory.jsonl": "mcp memory 1",
    "mem0/get_all.json": "mem0 1",
    "mem0/history-0.0.9.db": "mem0 history 1",
    "mem0/history-0.1.0.db": "mem0 history 1",
    "mem0/history.db": "mem0 history 1",
    "mempalace/chroma.sqlite3": "mempalace database 1",
    "mempalace/export.jsonl": "mempalace 1",
    "mempalace/knowledge_graph.sqlite3": "mempalace database 1",
    "mempalace/sqlite_exact.sqlite3": "mempalace database 1",
    "slack/general/2025-06-02.json": "slack 1",
    "telegram/result.json": "telegram 1",
    "whatsapp/WhatsApp Chat with Anna.txt": "whatsapp 1",
    "whatsapp/_chat.txt": "whatsapp 1",
    "whatsapp/chat-us.txt": "whatsapp 1",
}
NOT_READ = {
    "basic_memory/memory.db": "derived",
    "claude/user.json": "no-conversation",
}


@pytest.fixture(scope="module")
def readers():
    with Readers() as readers:
        yield readers


@pytest.mark.parametrize(
    "media_type",
    ["", "application/octet-stream", "application/json"],
)
def test_every_sample_is_read_by_its_own_reader(readers, media_type):
    for path, name in READERS.items():
        reading = readers.read(
            load(path), make(load(path), os.path.basename(path), media_type)
        )

        assert reading.reader == name, path
        assert reading.document.title, path
        assert (
            reading.document.turns
            or reading.document.memories
            or reading.document.passages
        )


def test_what_is_known_and_not_read_says_what_it_is(readers):
    for path, kind in NOT_READ.items():
        with pytest.raises(Unreadable) as caught:
            readers.read(load(path), make(load(path), os.path.basename(path)))

        assert caught.value.code == kind
        assert caught.value.hint


def test_every_sample_is_named_here():
    found = []
    for folder, _, files in os.walk(FOLDER):
        found += [
            os.path.relpath(os.path.join(folder, name), FOLDER)
            for name in files
        ]

    known = {*READERS, *NOT_READ, "README.md"}
    assert {path.replace(os.sep, "/") for path in found} == known
