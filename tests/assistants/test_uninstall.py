"""`uninstall` takes away what is companion's, and nothing else."""

import os
import stat
from pathlib import Path

import pytest

from companion.assistants.install import run as installing
from companion.assistants.uninstall import uninstall
from companion.sleep.schedule import install as schedule
from tests.wiki import Wiki

PROGRAM = ("/opt/companion/bin/companion",)
CRONTAB = """\
#!/bin/sh
if [ "$1" = "-l" ]; then cat "$FAKE_CRONTAB"; else cat > "$FAKE_CRONTAB"; fi
"""
BASHRC = "alias ll='ls -l'\n{}\nexport EDITOR=nano\n"
THEIRS = "0 4 * * * backup\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a crontab, an assistant's settings and a shell's."""
    home = tmp_path / "home"
    folder = home / "bin"
    folder.mkdir(parents=True)
    (folder / "crontab").write_text(CRONTAB)
    (folder / "crontab").chmod(0o755)
    (home / "crontab.txt").write_text(THEIRS)
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text('{"mcpServers":{}}')
    (home / ".bash_completions").mkdir()
    script = home / ".bash_completions" / "companion.sh"
    script.write_text("complete …")
    (home / ".bash_completions" / "other.sh").write_text("theirs")
    (home / ".bashrc").write_text(BASHRC.format(f"source '{script}'"))
    (home / ".bashrc").chmod(0o600)
    monkeypatch.setenv("FAKE_CRONTAB", str(home / "crontab.txt"))
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", {"Garden.md": "# Garden\n\nPeas.\n"})
    wiki.ingest("A note that waits.")
    assert wiki.search("peas")
    return wiki


def install(wiki: Wiki) -> None:
    schedule.install(wiki.ws, kind="cron")
    root = str(wiki.root)
    installing.install(
        installing.make_setup(
            "cursor", root, PROGRAM, project=None, with_hooks=False
        )
    )


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "sleep.lock" not in path.name
    }


def test_first_it_only_shows(home: Path, wiki: Wiki) -> None:
    install(wiki)
    before = files(home), files(wiki.root)

    shown = uninstall(wiki.ws, str(home), dry_run=True)

    assert (files(home), files(wiki.root)) == before
    whats = {one["what"] for one in shown["removed"]}
    assert whats == {"schedule", "cursor", "completion", "cache"}


def test_it_takes_what_is_ours_and_leaves_what_is_theirs(
    home: Path, wiki: Wiki
) -> None:
    install(wiki)
    shown = uninstall(wiki.ws, str(home), dry_run=True)

    done = uninstall(wiki.ws, str(home), dry_run=False)

    assert done["removed"] == shown["removed"]
    assert (home / "crontab.txt").read_text() == THEIRS
    assert (home / ".cursor" / "mcp.json").read_text() == '{"mcpServers":{}}'
    bashrc = home / ".bashrc"
    assert bashrc.read_text() == "alias ll='ls -l'\nexport EDITOR=nano\n"
    assert stat.S_IMODE(bashrc.stat().st_mode) == 0o600
    assert os.listdir(home / ".bash_completions") == ["other.sh"]
    assert not os.path.exists(wiki.ws.place.index_db)
    again = uninstall(wiki.ws, str(home), dry_run=True)
    assert again["removed"] == []


def test_the_wiki_is_as_it_was(home: Path, wiki: Wiki) -> None:
    install(wiki)
    head = wiki.head

    uninstall(wiki.ws, str(home), dry_run=False)

    assert (wiki.head, wiki.status()) == (head, "")
    assert wiki.journal().open_count(wiki.ws.who) == 1
    assert [hit["title"] for hit in wiki.search("peas")] == ["Garden"]
    assert wiki.search("waits")


def test_what_serves_another_wiki_stays(
    home: Path, wiki: Wiki, tmp_path: Path
) -> None:
    install(wiki)
    other = Wiki.new(tmp_path / "other")

    uninstall(other.ws, str(home), dry_run=False)

    assert "companion" in (home / "crontab.txt").read_text()
    assert "companion" in (home / ".cursor" / "mcp.json").read_text()


def test_what_was_installed_for_one_project_goes_too(
    home: Path, wiki: Wiki, tmp_path: Path
) -> None:
    project = tmp_path / "project"
    (project / ".cursor").mkdir(parents=True)
    (project / "AGENTS.md").write_text("Be brief.\n")
    before = files(project)
    setup = installing.make_setup(
        "cursor",
        str(wiki.root),
        PROGRAM,
        project=str(project),
        with_hooks=False,
    )
    installing.install(setup)
    assert files(project) != before

    shown = uninstall(wiki.ws, str(home), dry_run=True)
    assert {"what": "cursor", "path": str(project / "AGENTS.md")} in shown[
        "removed"
    ]
    uninstall(wiki.ws, str(home), dry_run=False)
    assert files(project) == before
    assert "companion" not in str(files(home / ".local"))
