"""`companion agent`: what is installed works, comes out to the byte, and nothing else is touched."""

import json
import os
import shlex
import stat
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.assistants.install import run
from companion.assistants.install.changes import Occupied, Unreadable
from companion.assistants.install.plan import NAMES, NoHooks, Setup
from companion.assistants.install.run import NotInstalled
from tests.wiki import Wiki

WIKI = "/home/ada/notes & more"
PROGRAM = ("/opt/companion/bin/companion",)

#: settings as their owners keep them: order, indentation, escapes and line ends of their own
CLAUDE = (
    '{\n    "numStartups": 12,\n    "mcpServers": {\n        "git": {"command": '
    '"git-mcp", "args": []}\n    },\n    "name": "Zo\\u00eb", "cost": 1.50\n}'
)
SETTINGS = (
    '{\n  "model": "opus",\n  "hooks": {\n    "SessionStart": [\n      {"hooks": '
    '[{"type": "command", "command": "date"}]}\n    ]\n  }\n}\n'
)
CODEX = '# mine\nmodel = "gpt"\n\n[mcp_servers.git]\ncommand = "git-mcp" # keep'
AGENTS = "# House rules\r\n\r\nBe brief."
CURSOR = '{"mcpServers":{}}'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in which all three assistants have settings."""
    home = tmp_path / "home"
    files = {
        ".claude.json": CLAUDE,
        ".claude/settings.json": SETTINGS,
        ".codex/config.toml": CODEX,
        ".codex/AGENTS.md": AGENTS,
        ".cursor/mcp.json": CURSOR,
    }
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (home / ".claude.json").chmod(0o600)
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


def setup(name: str, **more: Any) -> Setup:
    options = {"project": None, "with_hooks": name != "cursor", **more}
    return run.make_setup(name, WIKI, PROGRAM, **options)


def tree(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return every file below *root*, and every folder, with its permissions."""
    found = {}
    for path in sorted(root.rglob("*")):
        if ".local" in path.parts:
            continue  # companion's own state
        data = path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(root))] = (data, path.stat().st_mode)
    return found


def states(doc: Any) -> dict[str, str]:
    return {os.path.basename(one["path"]): one["state"] for one in doc["files"]}


@pytest.mark.parametrize("name", NAMES)
def test_it_comes_out_to_the_byte(home: Path, name: str) -> None:
    before = tree(home)
    run.install(setup(name))
    assert tree(home) != before

    run.uninstall(name, None)
    assert tree(home) == before
    with pytest.raises(NotInstalled):
        run.uninstall(name, None)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_installation_changes_nothing(home: Path, name: str) -> None:
    run.install(setup(name))
    first = tree(home.parent)
    done = run.install(setup(name))

    assert set(states(done).values()) == {"unchanged"}
    assert tree(home.parent) == first


@pytest.mark.parametrize("name", NAMES)
def test_a_dry_run_shows_everything_and_writes_nothing(
    home: Path, name: str
) -> None:
    before = tree(home)
    shown = run.install(setup(name), dry_run=True)
    assert tree(home) == before
    assert not (home / ".local").exists()

    done = run.install(setup(name))
    assert {**done, "dry_run": True} == shown
    installed = tree(home)
    run.uninstall(name, None, dry_run=True)
    assert tree(home) == installed


def test_claude_code_is_told_where_the_server_is(home: Path) -> None:
    run.install(setup("claude-code"))

    servers = json.loads((home / ".claude.json").read_text())["mcpServers"]
    assert list(servers) == ["git", "companion"]
    assert servers["companion"] == {
        "type": "stdio",
        "command": PROGRAM[0],
        "args": [
            *("--wiki", WIKI, "--quiet", "mcp", "--agent", "claude-code"),
        ],
    }
    assert (home / ".claude.json").stat().st_mode & 0o777 == 0o600
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    mine, ours = hooks["SessionStart"]
    assert mine == {"hooks": [{"type": "command", "command": "date"}]}
    assert shlex.split(ours["hooks"][0]["command"])[-4:] == [
        *("--quiet", "context", "--agent", "claude-code"),
    ]
    skill = (home / ".claude/skills/companion/SKILL.md").read_text()
    assert skill.startswith("---\nname: companion\n")
    assert "{" not in skill
    assert "Memory" in (home / ".claude/CLAUDE.md").read_text()


def test_codex_is_told_where_the_server_is(home: Path) -> None:
    run.install(setup("codex"))

    text = (home / ".codex/config.toml").read_text()
    assert text.startswith(CODEX)
    servers = tomllib.loads(text)["mcp_servers"]
    assert servers["git"] == {"command": "git-mcp"}
    assert servers["companion"]["args"][1] == WIKI
    agents = (home / ".codex/AGENTS.md").read_bytes().decode()
    assert agents.startswith(AGENTS)


def test_hooks_come_only_with_consent_and_go_without(home: Path) -> None:
    before = tree(home)
    run.install(setup("claude-code", with_hooks=False))
    assert (
        tree(home)[".claude/settings.json"] == before[".claude/settings.json"]
    )

    run.install(setup("claude-code"))
    done = run.install(setup("claude-code", with_hooks=False))
    assert states(done)["settings.json"] == "changed"
    assert (
        tree(home)[".claude/settings.json"] == before[".claude/settings.json"]
    )
    with pytest.raises(NoHooks):
        run.install(setup("cursor", with_hooks=True))


def test_what_others_wrote_meanwhile_stays(home: Path) -> None:
    run.install(setup("claude-code"))
    run.install(setup("codex"))
    # Claude Code writes its whole file anew, in its own way, and the person goes on writing
    path = home / ".claude.json"
    document = json.loads(path.read_text())
    document["numStartups"] = 13
    document["mcpServers"]["new"] = {"command": "x"}
    path.write_text(json.dumps(document, indent=1))
    agents = home / ".codex/AGENTS.md"
    agents.write_bytes(agents.read_bytes() + b"\nMore rules.\n")
    config = home / ".codex/config.toml"
    config.write_text(config.read_text() + "\n[tui]\ntheme = 1\n")
    run.uninstall("claude-code", None)
    run.uninstall("codex", None)

    del document["mcpServers"]["companion"]
    assert path.read_text() == json.dumps(document, indent=1)
    assert agents.read_bytes() == AGENTS.encode() + b"\nMore rules.\n"
    assert config.read_text() == CODEX + "\n[tui]\ntheme = 1\n"


def test_two_assistants_share_one_file(home: Path) -> None:
    project = home / "work"
    project.mkdir()
    (project / "AGENTS.md").write_text("Mine.\n")
    before = tree(project)
    for name in ("codex", "cursor"):
        run.install(setup(name, project=str(project), with_hooks=False))
    text = (project / "AGENTS.md").read_text()
    assert text.count("## Memory") == 2

    run.uninstall("codex", str(project))
    assert (project / "AGENTS.md").read_text().count("## Memory") == 1
    run.uninstall("cursor", str(project))
    assert tree(project) == before


def test_a_skill_that_the_person_changed_is_theirs(home: Path) -> None:
    run.install(setup("cursor"))
    skill = home / ".cursor/skills/companion/SKILL.md"
    skill.write_text(skill.read_text() + "Also: be kind.\n")

    assert states(run.install(setup("cursor")))["SKILL.md"] == "left"
    done = run.uninstall("cursor", None)
    assert "Also: be kind." in skill.read_text()
    assert len(done["notes"]) == 1


@pytest.mark.parametrize(
    ("file", "text", "error"),
    [
        (".claude.json", "// mine\n{}", Unreadable),
        (".claude.json", "[]", Unreadable),
        (".claude.json", '{"mcpServers": {"companion": {}}}', Occupied),
        (".claude/skills/companion/SKILL.md", "mine", Occupied),
        (".claude/settings.json", '{"hooks": []}', Unreadable),
        (".codex/config.toml", "model = ", Unreadable),
        (".codex/config.toml", "[mcp_servers.companion]\n", Occupied),
        (".codex/config.toml", "mcp_servers = {}\n", Occupied),
    ],
)
def test_what_is_in_the_way_stops_it_before_anything_is_written(
    home: Path, file: str, text: str, error: type[Exception]
) -> None:
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text(text)
    before = tree(home)
    with pytest.raises(error, match=os.path.basename(file)):
        run.install(setup("codex" if "codex" in file else "claude-code"))

    assert tree(home) == before
    assert not (home / ".local").exists()


def test_copies_are_for_the_person_alone(home: Path) -> None:
    run.install(setup("claude-code"))

    kept = home / ".local/state/companion/assistants/claude-code"
    assert (kept / "0.before").read_text() == CLAUDE
    for path in kept.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


def test_settings_that_are_a_link_stay_one(home: Path) -> None:
    real = home / "dotfiles.json"
    (home / ".claude.json").rename(real)
    (home / ".claude.json").symlink_to(real)
    run.install(setup("claude-code"))

    assert (home / ".claude.json").is_symlink()
    assert "companion" in json.loads(real.read_text())["mcpServers"]


def test_the_command_that_is_installed_starts_the_server(
    home: Path, tmp_path: Path
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    for words in (
        ["agent", "install", "claude-code", "--with-hooks"],
        ["agent"],
        ["agent", "install", "eliza"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "companion", "--json", *words],
            cwd=wiki.root,
            capture_output=True,
            text=True,
        )
        assert done.returncode == (2 if "eliza" in words else 0), done.stdout
        json.loads(done.stdout)
    entry = json.loads((home / ".claude.json").read_text())["mcpServers"]
    command = [entry["companion"]["command"], *entry["companion"]["args"]]
    served = subprocess.run(command, input="", capture_output=True, text=True)
    assert (served.returncode, served.stderr) == (0, "")

    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    line = hooks["SessionStart"][1]["hooks"][0]["command"]
    context = subprocess.run(
        line, shell=True, capture_output=True, text=True, cwd="/"
    )
    assert context.returncode == 0
    assert "no instructions" in context.stdout
