"""Conversations as the programs write them: one list of sayings, in every format."""

import json
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

START = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
ROOT = "00000000-0000-4000-8000-000000000000"


class Saying(NamedTuple):
    """What the owner or the assistant said."""

    mine: bool
    text: str


def time_of(number: int) -> datetime:
    """Return the time of the saying *number*, from 0."""
    return START + timedelta(minutes=number)


def _iso(number: int) -> str:
    return time_of(number).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _lines(records: list[dict]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def write_chatgpt(sayings: list[Saying]) -> bytes:
    mapping = {
        "n0": {"id": "n0", "message": None, "parent": None, "children": ["n1"]}
    }
    for number, saying in enumerate(sayings, 1):
        message = {
            "id": f"n{number}",
            "author": {"role": "user" if saying.mine else "assistant"},
            "create_time": time_of(number - 1).timestamp(),
            "content": {"content_type": "text", "parts": [saying.text]},
            "metadata": {},
            "recipient": "all",
        }
        mapping[f"n{number}"] = {
            "id": f"n{number}",
            "message": message,
            "parent": f"n{number - 1}",
            "children": [f"n{number + 1}"] if number < len(sayings) else [],
        }
    conversation = {
        "title": "t",
        "create_time": START.timestamp(),
        "mapping": mapping,
        "current_node": f"n{len(sayings)}",
        "conversation_id": "c",
    }
    return json.dumps(conversation).encode()


def write_claude(sayings: list[Saying]) -> bytes:
    messages = []
    for number, saying in enumerate(sayings):
        messages.append(
            {
                "uuid": f"m{number}",
                "text": saying.text,
                "content": [{"type": "text", "text": saying.text}],
                "sender": "human" if saying.mine else "assistant",
                "created_at": _iso(number),
                "attachments": [],
                "files": [],
                "parent_message_uuid": f"m{number - 1}" if number else ROOT,
            }
        )
    conversation = {
        "uuid": "c",
        "name": "t",
        "created_at": _iso(0),
        "chat_messages": messages,
    }
    return json.dumps(conversation).encode()


def write_ai_studio(sayings: list[Saying]) -> bytes:
    chunks = [
        {
            "text": saying.text,
            "role": "user" if saying.mine else "model",
            "createTime": _iso(number),
        }
        for number, saying in enumerate(sayings)
    ]
    prompt = {
        "runSettings": {"model": "models/g"},
        "chunkedPrompt": {"chunks": chunks},
    }
    return json.dumps(prompt).encode()


def write_claude_code(sayings: list[Saying]) -> bytes:
    records = []
    for number, saying in enumerate(sayings):
        kind = "user" if saying.mine else "assistant"
        message = {
            "role": kind,
            "content": [{"type": "text", "text": saying.text}],
        }
        if not saying.mine:
            message["model"] = "m"
        records.append(
            {
                "type": kind,
                "uuid": f"u{number}",
                "parentUuid": f"u{number - 1}" if number else None,
                "isSidechain": False,
                "sessionId": "s",
                "timestamp": _iso(number),
                "message": message,
            }
        )
    return _lines(records)


def write_codex(sayings: list[Saying]) -> bytes:
    meta = {"id": "s", "timestamp": _iso(0), "cwd": "/"}
    records = [{"timestamp": _iso(0), "type": "session_meta", "payload": meta}]
    for number, saying in enumerate(sayings):
        kind = "input_text" if saying.mine else "output_text"
        payload = {
            "type": "message",
            "role": "user" if saying.mine else "assistant",
            "content": [{"type": kind, "text": saying.text}],
        }
        records.append(
            {
                "timestamp": _iso(number),
                "type": "response_item",
                "payload": payload,
            }
        )
    return _lines(records)


def write_chat(sayings: list[Saying]) -> bytes:
    records = [
        {
            "role": "user" if saying.mine else "assistant",
            "content": saying.text,
            "timestamp": _iso(number),
        }
        for number, saying in enumerate(sayings)
    ]
    return _lines(records)


def write_telegram(sayings: list[Saying]) -> bytes:
    messages = [
        {
            "id": number,
            "type": "message",
            "date": _iso(number)[:19],
            "date_unixtime": str(int(time_of(number).timestamp())),
            "from": "Me" if saying.mine else "Mira",
            "from_id": "user1" if saying.mine else "user2",
            "text": [{"type": "plain", "text": saying.text}],
        }
        for number, saying in enumerate(sayings)
    ]
    chat = {
        "name": "Mira",
        "type": "personal_chat",
        "id": 2,
        "messages": messages,
    }
    return json.dumps(chat).encode()


def write_whatsapp(sayings: list[Saying]) -> bytes:
    lines = []
    for number, saying in enumerate(sayings):
        time = time_of(number).strftime("%d/%m/%Y, %H:%M")
        lines.append(
            f"{time} - {'Ben' if saying.mine else 'Anna'}: {saying.text}\n"
        )
    return "".join(lines).encode()


#: name of the file, what writes it
WRITERS = {
    "chatgpt": ("conversations.json/0", write_chatgpt),
    "claude": ("conversations.json/0", write_claude),
    "ai studio": ("Prompt", write_ai_studio),
    "claude code": ("s.jsonl", write_claude_code),
    "codex": ("rollout-s.jsonl", write_codex),
    "chat": ("chat.jsonl", write_chat),
    "telegram": ("result.json", write_telegram),
    "whatsapp": ("WhatsApp Chat with Anna.txt", write_whatsapp),
}
