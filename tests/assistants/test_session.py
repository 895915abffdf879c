"""What the person typed in a session is captured as typed: privately, once, and only if agreed."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.assistants.install import run as installing
from companion.assistants.install.plan import EVENTS
from companion.assistants.session import (
    NotASession,
    capture_session,
    switch_off,
    switch_on,
)
from companion.lookup.search import search_wiki
from companion.reading.captures import read_capture
from tests.sources.exports import load
from tests.wiki import Wiki

TYPED = [
    "The timetable parser drops the last ferry. Please find out why.",
    "Just mend the slice. The winter timetable starts on 12 December.",
    "and add a test",
    "/review the parser only",
]
ANSWERED = "The loop leaves out the last row"
KEY = "AKIA" + "QYLPMN5HHHFPZAM2"


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A new wiki of a person whose state lies in a folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Wiki.new(tmp_path / "wiki")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of a session, in which the person also typed a key."""
    path = tmp_path / "session.jsonl"
    lines = load("claude_code/session.jsonl").decode().splitlines()
    [review] = [line for line in lines if "parser only" in line]
    last = json.loads(review)
    last["parentUuid"], last["uuid"] = last["uuid"], "last"
    last["message"] = {
        "role": "user",
        "content": f"My AWS key is {KEY}, use it",
    }
    path.write_text("\n".join([*lines, json.dumps(last)]) + "\n")
    return path


def end(wiki: Wiki, log: Path) -> Any:
    """Let the hook run at the end of the session."""
    given = {"session_id": "s", "transcript_path": str(log)}
    return capture_session(wiki.ws, "claude-code", json.dumps(given).encode())


def texts(wiki: Wiki) -> list[str]:
    journal = wiki.journal()
    waiting = journal.unsettled(who="owner")
    captures = [
        read_capture(wiki.ws, journal, each.capture.id)[0] for each in waiting
    ]
    return [capture.content.decode() for capture in captures]


def test_the_person_s_own_turns_come_in_as_typed(wiki: Wiki, log: Path) -> None:
    done = end(wiki, log)
    assert sorted(texts(wiki)) == sorted(TYPED)
    assert (done["captured"], done["refused"]) == (len(TYPED), 1)
    everything = b"".join(wiki.files().values()).decode("utf-8", "replace")
    assert ANSWERED not in "".join(texts(wiki)) + everything
    assert KEY not in "".join(texts(wiki)) + everything


def test_they_are_private_to_the_person(wiki: Wiki, log: Path) -> None:
    end(wiki, log)
    wiki.consolidate()
    assert not any(b"ferry" in data for data in wiki.files().values())
    assert wiki.search("ferry")
    assistant = wiki.as_("claude-code")
    assert search_wiki(assistant, "ferry")["results"] == []


def test_a_hook_that_runs_twice_captures_once(wiki: Wiki, log: Path) -> None:
    end(wiki, log)
    journal = wiki.journal()
    [first, *_] = [each.capture.id for each in journal.unsettled(who="owner")]
    told = len(journal.all_sightings(first))
    again = end(wiki, log)
    assert (again["captured"], again["seen"]) == (0, len(TYPED))
    assert len(wiki.journal().all_sightings(first)) == told
    wiki.consolidate()
    assert end(wiki, log)["captured"] == 0


def test_one_word_switches_it_off(wiki: Wiki, log: Path) -> None:
    assert switch_off() == {"sessions": "off"}
    assert end(wiki, log)["off"] is True
    assert texts(wiki) == []
    switch_on()
    assert end(wiki, log)["captured"] == len(TYPED)


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"[" * 100_000,
        b"7",
        b"{}",
        b'{"transcript_path": ["a"]}',
        b'{"transcript_path": "a\\u0000b"}',
        b'{"transcript_path": "/nowhere/at/all.jsonl"}',
        b'{"transcript_path": "/dev/zero"}',
        b'{"transcript_path": "/"}',
    ],
)
def test_what_is_no_session_is_refused(wiki: Wiki, given: bytes) -> None:
    with pytest.raises(NotASession):
        capture_session(wiki.ws, "claude-code", given)
    assert texts(wiki) == []


@pytest.mark.parametrize(("name", "event"), EVENTS.items())
def test_the_hook_comes_with_consent_alone_and_goes_to_the_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, event: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / (".claude" if name == "claude-code" else ".codex")
    folder.mkdir()
    path = folder / ("settings.json" if name == "claude-code" else "hooks.json")
    mine = f'{{"hooks": {{"{event}": [{{"hooks": []}}]}}, "a": 1.50}}'
    path.write_text(mine)

    def setup(**more: bool) -> Any:
        """Return a setup for the assistant."""
        options = {"with_hooks": True, "project": None, **more}
        return installing.make_setup(name, "/wiki", ("companion",), **options)

    installing.install(setup())
    assert "agent session" not in path.read_text()
    installing.install(setup(with_sessions=True))
    hooks = json.loads(path.read_text())["hooks"]
    command = hooks[event][-1]["hooks"][0]["command"]
    assert command == f"companion --wiki /wiki --quiet agent session {name}"
    assert len(hooks["SessionStart"]) == 1
    installing.install(setup())
    assert "agent session" not in path.read_text()
    installing.install(setup(with_sessions=True))
    installing.uninstall(name, None)
    assert path.read_text() == mine
