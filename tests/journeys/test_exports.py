"""From the zip of an export at the door to conversations, one page each."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.operations.triage import capture, readers
from companion.sources.document import Document, Unreadable
from companion.sources.read import Readers
from companion.storage.cold import originals
from companion.storage.cold.originals import CONTAINER
from companion.storage.git.repo import Repo
from tests.sources.exports import load, read_sample
from tests.wiki import Wiki

CHATGPT = ("chatgpt/conversation.json", "chatgpt/canvas-and-voice.json")
CLAUDE = ("claude/conversation.json", "claude/conversation-2023.json")


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"a.md": "x"})


def pack(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return path


def join(*paths: str) -> str:
    return json.dumps([json.loads(load(path)) for path in paths])


def take(wiki: Wiki, path: Path) -> dict[str, int]:
    done = capture.ingest(wiki.ws, readers.read_path(str(path)))
    return dict(done["counts"])


def read_all(wiki: Wiki) -> Iterator[tuple[str, Document | Unreadable]]:
    """Yield what the readers find in each original that is no container."""
    repo = Repo(wiki.ws.place)
    with Readers() as pool:
        for item in originals.read(repo):
            if item.media_type == CONTAINER:
                continue
            try:
                content = originals.read_bytes(repo, item)
                yield item.source, pool.read(content, item).document
            except Unreadable as error:
                yield item.source, error


def by_title(wiki: Wiki) -> dict[str, Document]:
    return {
        document.title: document
        for _, document in read_all(wiki)
        if isinstance(document, Document)
    }


def test_an_export_of_chatgpt_becomes_its_conversations(wiki, tmp_path):
    members = {
        "conversations.json": join(*CHATGPT),
        "user.json": '{"id": "u", "email": "a@example.org", "chatgpt_plus_user": true}',
        "chat.html": "<html><script>var jsonData = [];</script></html>",
    }
    take(wiki, pack(tmp_path / "chatgpt.zip", members))

    found = dict(read_all(wiki))
    documents = [d for d in found.values() if isinstance(d, Document)]
    errors = {s: e for s, e in found.items() if isinstance(e, Unreadable)}
    expected = [read_sample(path) for path in CHATGPT]
    assert sorted(documents, key=str) == sorted(expected, key=str)
    assert {source.rsplit("/", 1)[1] for source in errors} == {
        "user.json",
        "chat.html",
    }
    assert {error.code for error in errors.values()} == {"no-conversation"}


def test_an_export_of_claude_becomes_conversations_projects_and_memories(
    wiki, tmp_path
):
    project = json.loads(load("claude/project.json"))
    members = {
        "conversations.json": join(*CLAUDE),
        "projects.json": json.dumps(
            [project, project | {"uuid": "b", "name": "Kitchen"}]
        ),
        "memories.json": load("claude/memories.json").decode(),
        "users.json": json.dumps([json.loads(load("claude/user.json"))]),
    }
    take(wiki, pack(tmp_path / "claude.zip", members))

    documents = by_title(wiki)
    assert set(documents) == {
        "Allotment plan",
        "Is slate a good roof for a shed?",
        "Projects of Claude",
        "Memories of Claude",
    }
    assert documents["Allotment plan"] == read_sample(CLAUDE[0])


def test_an_export_that_grew_brings_only_the_new_conversation(wiki, tmp_path):
    path = tmp_path / "export.zip"
    first = take(wiki, pack(path, {"conversations.json": join(CHATGPT[0])}))
    second = take(wiki, pack(path, {"conversations.json": join(*CHATGPT)}))

    assert (first["kept"], first["known"]) == (1, 0)
    assert (second["kept"], second["known"]) == (1, 1)
    keys = {d.key for d in by_title(wiki).values()}
    assert keys == {read_sample(path).key for path in CHATGPT}


def test_logs_chats_and_stores_of_a_folder_are_read(wiki, tmp_path):
    folder = tmp_path / "drop"
    folder.mkdir()
    samples = {
        "session.jsonl": "claude_code/session.jsonl",
        "result.json": "telegram/result.json",
        "WhatsApp Chat with Anna.txt": "whatsapp/WhatsApp Chat with Anna.txt",
        "Ferry times": "gemini/Ferry times",
        "memory.jsonl": "mcp_memory/memory.jsonl",
    }
    for name, sample in samples.items():
        (folder / name).write_bytes(load(sample))
    counts = take(wiki, folder)

    assert counts["captured"] == 0  # a chat is no note of its owner
    documents = by_title(wiki)
    for sample in samples.values():
        expected = read_sample(sample)
        assert documents[expected.title] == expected


def test_an_account_of_telegram_becomes_its_chats(wiki, tmp_path):
    chat = json.loads(load("telegram/result.json"))
    account = {
        "about": "Here is the data you requested.",
        "personal_information": {"user_id": 17, "first_name": "Jo"},
        "frequent_contacts": {
            "about": "",
            "list": [{"id": 4001, "type": "user"}],
        },
        "chats": {
            "about": "",
            "list": [chat, chat | {"name": "Club", "type": "private_group"}],
        },
    }
    path = tmp_path / "result.json"
    path.write_text(json.dumps(account), encoding="utf-8")
    take(wiki, path)

    documents = by_title(wiki)
    assert set(documents) == {"Mira", "Club"}
    assert {turn.role for turn in documents["Mira"].turns} == {"owner", "other"}
    assert {turn.role for turn in documents["Club"].turns} == {"other"}
