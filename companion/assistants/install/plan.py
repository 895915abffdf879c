"""The files that each assistant reads, and the lines that go into each. Pure.

Formats as documented in 2026: Claude Code reads `mcpServers` of ~/.claude.json and of a project's
.mcp.json, skills, CLAUDE.md, and hooks of settings.json; Codex `[mcp_servers.NAME]` of config.toml,
AGENTS.md, hooks.json and .agents/skills; Cursor `mcpServers` of mcp.json, skills, and a project's
AGENTS.md.
"""

import json
import os
import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.assistants.install.changes import (
    Block,
    Change,
    JsonValue,
    JsonValues,
    OwnFile,
)
from companion.assistants.install.json_text import Place
from companion.assistants.install.texts import LINES, SKILL
from companion.errors import CompanionError

NAMES = ("claude-code", "codex", "cursor")
SERVER = "companion"  # the name of our entry among the servers
_MARKDOWN = ("<!-- ", " -->")
_TOML = ("# ", "")
#: the event at which the hook that captures a session runs, by assistant
EVENTS = {"claude-code": "SessionEnd", "codex": "Stop"}
_SECONDS = 20  # that the start of a session waits for the hook
_STARTS = (
    "startup|clear|compact"  # of a session, after which its context is empty
)


class NoHooks(CompanionError):
    """Cursor has no hook that takes words, and none at the end of a session."""

    exit_code = 2
    hint = (
        "Leave --with-hooks and --with-sessions out: the skill tells Cursor "
        "where to look."
    )


class Setup(NamedTuple):
    """One setup: the assistant, the wiki and the program that it is to call."""

    assistant: str
    agent: str  # the name under which it reads
    wiki: str  # absolute path
    program: tuple[str, ...]
    home: str
    folders: Mapping[
        str, str
    ]  # CLAUDE_CONFIG_DIR, CODEX_HOME where they are set
    project: str | None = (
        None  # absolute path; else for all projects of the person
    )
    with_hooks: bool = False
    # the person agreed that what they type in a session is captured
    with_sessions: bool = False


class PlannedChange(NamedTuple):
    """One change to one file."""

    path: str
    change: Change


def plan_changes(setup: Setup) -> list[PlannedChange]:
    """Return the changes for an assistant, in the order in which they are made. Raises NoHooks."""
    return {
        "claude-code": _plan_claude_code,
        "codex": _plan_codex,
        "cursor": _plan_cursor,
    }[setup.assistant](setup)


def _plan_claude_code(setup: Setup) -> list[PlannedChange]:
    named = setup.folders.get("CLAUDE_CONFIG_DIR")
    folder = named or os.path.join(setup.home, ".claude")
    servers = os.path.join(named or setup.home, ".claude.json")
    lines = os.path.join(folder, "CLAUDE.md")
    if setup.project is not None:
        folder = os.path.join(setup.project, ".claude")
        servers = os.path.join(setup.project, ".mcp.json")
        lines = os.path.join(setup.project, "CLAUDE.md")
    entry = {"type": "stdio", **_server(setup)}
    changes = [
        PlannedChange(servers, _json_entry(entry)),
        _skill(setup, folder),
        _lines(setup, lines),
    ]
    return changes + _hooks(setup, os.path.join(folder, "settings.json"))


def _hooks(setup: Setup, path: str) -> list[PlannedChange]:
    """Return the hooks that the person agreed to, which all stand in the file at *path*."""
    hooks = []
    if setup.with_hooks:
        hooks.append(_start_hook(setup))
    if setup.with_sessions:
        hooks.append(_end_hook(setup))
    if not hooks:
        return []
    if len(hooks) == 1:
        return [PlannedChange(path, hooks[0])]
    return [PlannedChange(path, JsonValues(tuple(hooks)))]


def _plan_codex(setup: Setup) -> list[PlannedChange]:
    folder = setup.folders.get("CODEX_HOME") or os.path.join(
        setup.home, ".codex"
    )
    shared = os.path.join(setup.home, ".agents")
    lines = os.path.join(folder, "AGENTS.md")
    if setup.project is not None:
        folder = os.path.join(setup.project, ".codex")
        shared = os.path.join(setup.project, ".agents")
        lines = os.path.join(setup.project, "AGENTS.md")
    command, *words = _command(setup, "mcp")
    # a string and an array of strings are written alike in JSON and in TOML
    table = (
        f"[mcp_servers.{SERVER}]\n"
        f"command = {json.dumps(command, ensure_ascii=False)}\n"
        f"args = {json.dumps(words, ensure_ascii=False)}\n"
    )
    config = os.path.join(folder, "config.toml")
    changes = [
        PlannedChange(
            config, Block(setup.assistant, table, _TOML, is_toml=True)
        ),
        _skill(setup, shared),
        _lines(setup, lines),
    ]
    return changes + _hooks(setup, os.path.join(folder, "hooks.json"))


def _plan_cursor(setup: Setup) -> list[PlannedChange]:
    if setup.with_hooks or setup.with_sessions:
        raise NoHooks
    folder = os.path.join(setup.project or setup.home, ".cursor")
    servers = os.path.join(folder, "mcp.json")
    changes = [
        PlannedChange(servers, _json_entry(_server(setup))),
        _skill(setup, folder),
    ]
    if setup.project is not None:
        changes.append(_lines(setup, os.path.join(setup.project, "AGENTS.md")))
    return changes


# -- what goes in ----------------------------------------------------------------------------------


def _command(setup: Setup, verb: str) -> list[str]:
    """Return a command that works from anywhere."""
    words = [*setup.program, "--wiki", setup.wiki, "--quiet", verb]
    return [*words, "--agent", setup.agent]


def _server(setup: Setup) -> dict[str, object]:
    command, *words = _command(setup, "mcp")
    return {"command": command, "args": words}


def _json_entry(entry: object) -> JsonValue:
    return JsonValue(Place(("mcpServers",), SERVER), entry)


def _start_hook(setup: Setup) -> JsonValue:
    """Return a hook that prints the context at the start of a session."""
    hook = {
        "type": "command",
        "command": shlex.join(_command(setup, "context")),
        "timeout": _SECONDS,
    }
    entry = {"matcher": _STARTS, "hooks": [hook]}
    return JsonValue(Place(("hooks", "SessionStart"), None), entry)


def _end_hook(setup: Setup) -> JsonValue:
    """Return a hook that captures what the person typed in the session."""
    words = [*setup.program, "--wiki", setup.wiki, "--quiet"]
    hook = {
        "type": "command",
        "command": shlex.join([*words, "agent", "session", setup.assistant]),
        "timeout": _SECONDS,
    }
    event = EVENTS[setup.assistant]
    return JsonValue(Place(("hooks", event), None), {"hooks": [hook]})


def _skill(setup: Setup, folder: str) -> PlannedChange:
    path = os.path.join(folder, "skills", "companion", "SKILL.md")
    return PlannedChange(path, OwnFile(_fill(SKILL, setup)))


def _lines(setup: Setup, path: str) -> PlannedChange:
    return PlannedChange(
        path, Block(setup.assistant, _fill(LINES, setup), _MARKDOWN)
    )


def _fill(text: str, setup: Setup) -> str:
    program = shlex.join([*setup.program, "--wiki", setup.wiki])
    return text.format(program=program, agent=setup.agent)


def describe_addition(change: Change) -> Sequence[str]:
    """Return the lines that a change adds, as a person reads them."""
    if isinstance(change, JsonValue):
        return json.dumps(change.value, indent=2, ensure_ascii=False).split(
            "\n"
        )
    if isinstance(change, JsonValues):
        added: list[str] = []
        for value in change.values:
            added += describe_addition(value)
        return added
    if isinstance(change, Block):
        return change.lines.rstrip("\n").split("\n")
    return change.text.rstrip("\n").split("\n")
