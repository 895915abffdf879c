"""`companion schedule` with a crontab of the test's own, and with real cron."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.sleep import nights
from companion.sleep.schedule.cron import take_lines
from companion.sleep.schedule.install import make_job
from tests.wiki import Wiki

CRONTAB = """\
#!/bin/sh
file="$FAKE_CRONTAB"
if [ "$1" = "-l" ]; then
  [ -f "$file" ] || { echo "no crontab for ada" >&2; exit 1; }
  cat "$file"
else
  cat > "$file"
fi
"""


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


@pytest.fixture
def crontab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A crontab(1) that keeps one file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "crontab"
    program.write_text(CRONTAB)
    program.chmod(0o755)
    file = tmp_path / "crontab.txt"
    monkeypatch.setenv("FAKE_CRONTAB", str(file))
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return file


def companion(wiki: Wiki, *words: str, ok: bool = True, **env: str) -> Any:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "companion",
            "-C",
            str(wiki.root),
            "--json",
            *words,
        ],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
    )
    assert not ok or done.returncode == 0, done
    return json.loads(done.stdout)


def test_it_is_installed_once_and_removed_without_a_trace(
    wiki: Wiki, crontab: Path
) -> None:
    crontab.write_text("5 4 * * * backup\n")
    dry = companion(wiki, "schedule", "install", "--kind", "cron", "--dry-run")
    assert (
        dry["files"][0]["text"] and crontab.read_text() == "5 4 * * * backup\n"
    )

    companion(wiki, "schedule", "install", "--kind", "cron")
    once = crontab.read_text()
    again = companion(wiki, "schedule", "install", "--kind", "cron")
    assert crontab.read_text() == once and again["commands"] == []
    assert (
        once.startswith("5 4 * * * backup\n")
        and once.count("--unattended") == 1
    )
    assert companion(wiki, "schedule", "status", "--kind", "cron")["installed"]

    companion(wiki, "schedule", "install", "--kind", "cron", "--every", "30")
    assert crontab.read_text().count("--unattended") == 1
    assert (
        companion(wiki, "schedule", "status", "--kind", "cron")["minutes"] == 30
    )

    companion(wiki, "schedule", "remove", "--kind", "cron")
    assert crontab.read_text() == "5 4 * * * backup\n"
    status = companion(wiki, "schedule", "status", "--kind", "cron", ok=False)
    assert not status["installed"]


def test_two_wikis_have_two_schedules(
    wiki: Wiki, crontab: Path, tmp_path: Path
) -> None:
    other = Wiki.new(tmp_path / "elsewhere" / "wiki")
    for each in (wiki, other):
        companion(each, "schedule", "install", "--kind", "cron")
    assert crontab.read_text().count("--unattended") == 2
    companion(wiki, "schedule", "remove", "--kind", "cron")
    assert str(other.root) in crontab.read_text()
    assert f" {wiki.root} " not in crontab.read_text()


def test_two_wikis_woken_in_one_minute_both_get_their_night(
    wiki: Wiki, crontab: Path, tmp_path: Path
) -> None:
    """Cron starts all lines of one minute at once."""
    wikis = [wiki, Wiki.new(tmp_path / "elsewhere" / "wiki")]
    for each in wikis:
        each.ingest("Anna moved to Kiel.")
        each.tick(hours=3)
        companion(each, "schedule", "install", "--kind", "cron")
    lines = find_lines(crontab)
    assert len(lines) == 2
    now = {"COMPANION_NOW": wiki.ws.now(), "COMPANION_BODY": '{"load": 0.1}'}
    running = [
        subprocess.Popen(["/bin/sh", "-c", line], env=BARE | now)
        for line in lines
    ]
    assert [each.wait(120) for each in running] == [0, 0]
    for each in wikis:
        assert nights.read_nights(each.ws)[-1].outcome == nights.SLEPT
        assert each.journal().open_count() == 0


def test_no_timer_at_all_is_a_named_error(wiki: Wiki, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    git = shutil.which("git")
    assert git is not None
    (folder / "git").symlink_to(git)
    failed = companion(wiki, "schedule", "install", ok=False, PATH=str(folder))
    assert failed["error"]["kind"] == "no-timer"
    assert "apt install cron" in failed["error"]["hint"]


#: what cron gives to a command
BARE = {"LOGNAME": "ada", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}


def find_lines(crontab: Path) -> list[str]:
    """Return the commands of a crontab as cron hands them to a shell."""
    found = re.findall(
        r"^\S+ \* \* \* \* (.*)$", crontab.read_text(), re.MULTILINE
    )
    return [line.replace("\\%", "%") for line in found]


def run_line(crontab: Path, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run the line as cron does: by sh, with next to no environment, without a terminal."""
    (line,) = find_lines(crontab)
    return subprocess.run(
        ["/bin/sh", "-c", line],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=home,
        env=BARE | {"HOME": str(home)},
    )


def test_a_wake_is_silent_when_all_is_well(
    wiki: Wiki, crontab: Path, tmp_path: Path
) -> None:
    companion(wiki, "schedule", "install", "--kind", "cron")
    done = run_line(crontab, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    log = Path(wiki.ws.place.state, "sleep.log").read_text()
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d awake: ", log)
    assert companion(wiki, "schedule", "status", "--kind", "cron")["last_wake"]


def test_a_sleep_by_hand_is_no_wake(wiki: Wiki, crontab: Path) -> None:
    companion(wiki, "schedule", "install", "--kind", "cron")
    companion(wiki, "sleep", "--force")
    status = companion(wiki, "schedule", "status", "--kind", "cron")
    assert status["last_wake"] is None


def test_a_wiki_on_a_removed_drive_is_told_once_a_day(
    wiki: Wiki, crontab: Path, tmp_path: Path
) -> None:
    companion(wiki, "schedule", "install", "--kind", "cron")
    wiki.root.rename(tmp_path / "away")
    first, second = (run_line(crontab, tmp_path) for _ in range(2))
    assert first.returncode == second.returncode == 10
    assert first.stderr.startswith("error: ") and second.stderr == ""
    companion(wiki, "schedule", "remove", "--kind", "cron")
    assert "--unattended" not in crontab.read_text()


def read_crontab() -> str | None:
    """Return root's real crontab; None where there is none."""
    done = subprocess.run(["crontab", "-l"], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    assert "no crontab" in done.stderr, done.stderr
    return None


def write_crontab(text: str | None) -> None:
    if text is None:
        subprocess.run(["crontab", "-r"], check=True)
    else:
        subprocess.run(["crontab", "-"], input=text, text=True, check=True)


@pytest.fixture
def cron_daemon() -> Iterator[None]:
    """Real cron, which looks at its tables each minute."""
    daemon = subprocess.Popen(["cron", "-f"])
    try:
        yield
    finally:
        daemon.terminate()
        daemon.wait()


@pytest.mark.needs("cron", "crontab")
@pytest.mark.usefixtures("cron_daemon")
@pytest.mark.skipif(
    os.getuid() != 0, reason="only root may start a daemon of cron"
)
def test_cron_really_wakes_it(wiki: Wiki) -> None:
    before = read_crontab()
    log = Path(wiki.ws.place.state, "sleep.log")
    try:
        companion(wiki, "schedule", "install", "--kind", "cron")
        written = read_crontab()
        assert written is not None
        # only our line: others keep their own times
        ours = written.removeprefix(before or "")
        write_crontab((before or "") + ours.replace("*/20 ", "* "))
        for _ in range(130):
            if log.exists():
                break
            time.sleep(1)
    finally:
        # our lines alone: what others wrote meanwhile stays
        name = make_job(str(wiki.root)).name
        left = take_lines(read_crontab() or "", name)
        write_crontab(left if left or before is not None else None)
    assert "awake: " in log.read_text()
    assert read_crontab() == before
