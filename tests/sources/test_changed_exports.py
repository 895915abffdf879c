"""Exports whose format changed: a named error or a document with its types right, never a crash."""

import copy
import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sources import wire
from companion.sources.document import Unreadable
from tests.sources.exports import find_reader, load

_PATHS = [
    "chat/messages.json",
    "chatgpt/conversation.json",
    "claude/conversation.json",
    "claude/memories.json",
    "claude/project.json",
    "gemini/MyActivity.json",
    "gemini/Ferry times",
    "mem0/get_all.json",
    "slack/general/2025-06-02.json",
    "telegram/result.json",
]
_LINES = [
    "chat/messages.jsonl",
    "claude_code/session.jsonl",
    "codex/rollout-2026-03-04T10-00-00-0196aaaa-1111-7222-8333-444455556666.jsonl",
    "codex/rollout-2025-06-01-old.jsonl",
    "mcp_memory/memory.jsonl",
    "mempalace/export.jsonl",
]
_OTHERS = st.sampled_from(
    [
        None,
        True,
        0,
        -1e300,
        10**40,
        "",
        "x",
        "\ud800",
        [],
        [None],
        [[]],
        [1, "a"],
        {},
        {"a": None},
        {"type": "text"},
        [{"type": "text"}],
        [{}],
        "2026-13-45",
    ]
)


def _places(value, path=()):
    """Yield the way to every value within *value*."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _places(inner, (*path, number))


def _put(value, path, new):
    new = copy.deepcopy(new)
    if not path:
        return new
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = new
    return value


def _check(reader, content: bytes, name: str) -> None:
    try:
        document = reader.read(content, name)
    except Unreadable as error:
        assert error.code and str(error) and error.hint
        return
    # what the reading process does with it
    wire.decode_document(wire.encode_document(wire.tidy_document(document)))


@pytest.mark.parametrize("path", _PATHS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_value_of_another_type_is_survived(path, data):
    content, name = load(path), os.path.basename(path)
    reader = find_reader(content, name)
    value = json.loads(content)
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(list(_places(value))))
        value = _put(value, way, data.draw(_OTHERS))

    _check(reader, json.dumps(value).encode(), name)


@pytest.mark.parametrize("path", _LINES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_value_of_a_log_of_another_type_is_survived(path, data):
    content, name = load(path), os.path.basename(path)
    reader = find_reader(content, name)
    records = [json.loads(line) for line in content.splitlines()]
    for _ in range(data.draw(st.integers(1, 3))):
        way = data.draw(st.sampled_from(list(_places(records))[1:]))
        try:
            records = _put(records, way, data.draw(_OTHERS))
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took the way away
    lines = [json.dumps(record) for record in records]

    _check(reader, "\n".join(lines).encode(), name)


@pytest.mark.parametrize(
    "path", ["gemini/MyActivity.html", "whatsapp/_chat.txt"]
)
@settings(max_examples=25, deadline=None)
@given(
    cut=st.integers(0, 5000),
    put=st.sampled_from([b"", b"<", b"\xff", b"\0", b": ", b"99"]),
)
def test_any_change_of_a_text_is_survived(path, cut, put):
    content, name = load(path), os.path.basename(path)
    reader = find_reader(content, name)
    at = cut % len(content)

    _check(reader, content[:at] + put + content[at + 1 :], name)


def test_a_line_that_is_nested_too_deeply_costs_itself():
    content = load("chat/messages.jsonl") + b"[" * 100_000 + b"\n"
    document = find_reader(content, "m.jsonl").read(content, "m.jsonl")

    assert len(document.turns) == 2
    assert "line 4 cannot be read: it is nested too deeply" in document.warnings
