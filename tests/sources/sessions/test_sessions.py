"""Logs of Claude Code and Codex: what was typed, what was answered, and nothing put in between."""

import json

import pytest

from companion.sources.sessions.branches import find_abandoned
from companion.sources.sessions.claude_code import READER
from companion.sources.sessions.injected import find_typed
from tests.sources.exports import load, read_sample, say

MODEL = "claude-sonnet-4-20250514"


def test_a_session_of_claude_code_is_what_the_person_typed_and_the_model_answered():
    document = read_sample("claude_code/session.jsonl")

    assert say(document) == [
        (
            "owner",
            "",
            "The timetable parser drops the last ferry. Please find out why.",
        ),
        ("assistant", MODEL, "I will read the parser first."),
        ("tool", "Read", "/home/a/ferry/parse.py"),
        ("assistant", MODEL, "The loop leaves out the last row: `rows[:-1]`."),
        (
            "owner",
            "",
            "Just mend the slice. The winter timetable starts on 12 December.",
        ),
        ("owner", "", "and add a test"),
        ("assistant", MODEL, "Mended, with a test."),
        ("tool", "Bash", "pytest -q"),
        ("owner", "", "/review the parser only"),
    ]
    assert document.title == "Mend the ferry timetable parser"
    assert document.key == "claude-code:8d1f6a52-0c4e-4c9f-9a6e-1b2c3d4e5f60"
    assert document.warnings[0] == (
        "only the current branch is read: 2 lines of earlier versions are not"
    )


@pytest.mark.parametrize("sign", ["isMeta", "isCompactSummary"])
def test_a_text_that_the_program_marks_as_its_own_was_not_typed(sign):
    lines = load("claude_code/session.jsonl").splitlines()
    record = json.loads(lines[2])
    record["message"]["content"] = "Summary: the person wanted ferries."
    record[sign] = True
    lines[2] = json.dumps(record).encode()

    document = READER.read(b"\n".join(lines), "session.jsonl")

    assert "Summary" not in document.text
    assert "texts of the program (3)" in document.warnings[-1]


def test_what_one_agent_asks_another_is_never_the_owners_word():
    document = read_sample("claude_code/agent-helper1.jsonl")

    assert [turn.role for turn in document.turns] == ["assistant", "assistant"]
    assert (
        document.key
        == "claude-code:8d1f6a52-0c4e-4c9f-9a6e-1b2c3d4e5f60/helper1"
    )


def test_a_line_that_is_no_record_is_named_and_the_rest_is_read():
    lines = load("claude_code/session.jsonl").split(b"\n")
    lines[4] = b'{"type": "assistant", "message": 7, "uuid": "a2"}'
    lines[8] = lines[8][:50]
    document = READER.read(b"\n".join(lines), "session.jsonl")

    assert [warning[:26] for warning in document.warnings[:2]] == [
        "line 9 cannot be read: the",
        'line 5 cannot be read: "me',
    ]
    assert len(document.turns) == 7


def test_a_branch_that_was_left_takes_its_answers_along_and_results_side_by_side_stay():
    nodes = [
        ("q1", "", True),
        ("a1", "q1", False),
        ("q2", "a1", True),
        ("a2", "q2", False),
        ("q3", "a1", True),
        ("t1", "q3", False),
        ("r1", "t1", False),
        ("t2", "t1", False),
        ("r2", "t2", False),
    ]

    assert find_abandoned(nodes) == {"q2", "a2"}


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Do it.\n<system-reminder>\nx\n</system-reminder>", "Do it."),
        (
            "<command-name>/model</command-name>\n<command-args></command-args>",
            "",
        ),
        (
            "<command-name>/fix</command-name><command-args>the door</command-args>",
            "/fix the door",
        ),
        ("<bash-input>ls</bash-input>", "! ls"),
        (
            "<user-memory-input>Tabs, not spaces</user-memory-input>",
            "Tabs, not spaces",
        ),
        ("[Request interrupted by user for tool use]", ""),
        ("<b>bold</b> is what I want", "<b>bold</b> is what I want"),
        ("# AGENTS.md instructions for /x", ""),
    ],
)
def test_what_the_program_put_in_is_told_from_what_was_typed(text, typed):
    assert find_typed(text) == typed


def test_a_rollout_of_codex_is_read_once_though_it_tells_most_things_twice():
    path = "codex/rollout-2026-03-04T10-00-00-0196aaaa-1111-7222-8333-444455556666.jsonl"
    document = read_sample(path)

    assert say(document) == [
        ("owner", "", "List the harbours we serve."),
        ("tool", "exec_command", "cat harbours.txt"),
        ("assistant", "gpt-5-codex", "We serve Vitte and Kloster."),
        ("owner", "", "Add Neuendorf; it opens in May."),
        ("tool", "apply_patch", "*** Begin Patch"),
        ("assistant", "gpt-5-codex", "Added."),
    ]
    assert document.title == "List the harbours we serve."


def test_a_rollout_of_mid_2025_is_read():
    assert say(read_sample("codex/rollout-2025-06-01-old.jsonl")) == [
        ("owner", "", "Rename the flag to --quiet."),
        ("tool", "local_shell", "bash -lc grep -rn verbose"),
        ("assistant", "Codex", "Renamed."),
    ]


def test_a_rollout_with_events_only_is_read_from_them():
    def line(kind, payload):
        return json.dumps(
            {
                "timestamp": "2026-01-01T00:00:01Z",
                "type": kind,
                "payload": payload,
            }
        )

    content = "\n".join(
        [
            line("session_meta", {"id": "s", "source": {"subagent": "review"}}),
            line(
                "event_msg", {"type": "user_message", "message": "Review it."}
            ),
            line("event_msg", {"type": "agent_message", "message": "Done."}),
        ]
    )
    from companion.sources.sessions.codex import READER as CODEX

    document = CODEX.read(content.encode(), "rollout-x.jsonl")

    # another agent asked
    assert say(document) == [
        ("assistant", "Codex", "Review it."),
        ("assistant", "Codex", "Done."),
    ]
