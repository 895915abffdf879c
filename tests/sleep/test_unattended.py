"""A wake by a timer: silent when well, one plain line when not, a log with times."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.sleep import nights, unattended
from tests.wiki import Wiki, check_health

GOOD = {"load": 0.1, "on_mains": True, "free": 1 << 36}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Anna moved to Kiel.")
    wiki.tick(hours=3)
    return wiki


def wake(
    wiki: Wiki, body: Any = None, **env: str
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "companion",
            "-C",
            str(wiki.root),
            "sleep",
            "--unattended",
        ],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={
            **os.environ,
            "COMPANION_NOW": wiki.ws.now(),
            "COMPANION_BODY": json.dumps(GOOD if body is None else body),
            **env,
        },
    )


def log(wiki: Wiki) -> list[str]:
    return Path(wiki.ws.place.state, unattended.LOG).read_text().splitlines()


def test_a_good_night_says_nothing_and_is_in_the_log(wiki: Wiki) -> None:
    done = wake(wiki)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = log(wiki)
    assert all(
        re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d ", line)
        for line in lines
    )
    assert any(
        "consolidate: 1 note became part of 1 page." in line for line in lines
    )
    assert nights.read_nights(wiki.ws)[-1].outcome == nights.SLEPT


#: the power goes while notes become pages
OUT_OF_POWER = """
import os, sys
from companion.operations.consolidate import run
run.consolidate = lambda *args, **options: os._exit(137)
from companion.__main__ import main
sys.exit(main())
"""


def test_a_night_whose_power_goes_leaves_what_it_did_until_then_in_the_log(
    wiki: Wiki,
) -> None:
    command = [sys.executable, "-c", OUT_OF_POWER, "-C", str(wiki.root)]
    done = subprocess.run(
        [*command, "sleep", "--force", "--unattended"],
        env={
            **os.environ,
            "COMPANION_NOW": wiki.ws.now(),
            "COMPANION_BODY": json.dumps(GOOD),
        },
    )
    assert done.returncode == 137
    words = [line[26:] for line in log(wiki)]
    assert words[0] == "asleep: You asked for it."
    assert words[-1].startswith("contextualize: No source waited.")

    wiki.tick(hours=1)
    assert wake(wiki).returncode == 0
    assert log(wiki)[-1].endswith("slept: It is done.")
    assert wiki.journal().open_count() == 0
    check_health(wiki)


@pytest.fixture
def desktop(tmp_path: Path) -> tuple[str, Path]:
    """A desktop whose notifications end up in a file."""
    folder = tmp_path / "bin"
    folder.mkdir()
    seen = tmp_path / "seen"
    program = folder / "notify-send"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >> "{seen}"\n')
    program.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}", seen


def test_a_night_that_fails_is_loud(
    wiki: Wiki, desktop: tuple[str, Path]
) -> None:
    """A model server that is down: the note waits, and the person hears it once."""
    settings = ".companion/companion.yaml"
    text = wiki.read(settings) + "reasoner: llm\nmodel: nobody-has-this\n"
    wiki.write(settings, text)
    wiki.commit("use a model")
    wiki.ingest("Ben moved to Bonn.", "Anna moved to Bonn.")
    wiki.tick(hours=3)
    path, seen = desktop

    done = wake(wiki, PATH=path)

    assert done.returncode == 69, done
    assert (
        len(done.stdout.splitlines()) == 1
        and "consolidate failed" in done.stdout
    )
    assert "consolidate failed" in seen.read_text()
    assert wiki.journal().open_count() == 3
    names = {
        step.name: step.outcome
        for step in nights.read_nights(wiki.ws)[-1].steps
    }
    assert names["consolidate"] == "failed" and names["decay"] in (
        "done",
        "nothing",
    )

    wiki.tick(minutes=20)
    again = wake(wiki, PATH=path)
    assert (again.returncode, again.stdout) == (0, ""), (
        "it is not tried again at once"
    )


def test_another_run_at_work_is_no_trouble(wiki: Wiki) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, 2);"
            " print('held', flush=True); time.sleep(60)",
            str(Path(wiki.ws.place.state, "night.lock")),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline()
        done = wake(wiki)
    finally:
        holder.kill()
        holder.wait()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "another companion is at work" in log(wiki)[-1]


def test_the_log_is_set_aside_before_it_grows_large(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unattended, "FULL", 1000)
    for number in range(100):
        unattended.write_log(wiki.ws, f"awake: wake {number}\nand more")
    sizes = [
        os.path.getsize(os.path.join(wiki.ws.place.state, name))
        for name in (unattended.LOG, unattended.OLDER_LOG)
    ]
    assert max(sizes) < 1200
    assert log(wiki)[-1].endswith("awake: wake 99 and more")


def test_a_wiki_in_a_merge_waits(wiki: Wiki) -> None:
    Path(wiki.root, ".git", "MERGE_HEAD").write_text(wiki.head + "\n")
    done = wake(wiki)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {step.outcome for step in nights.read_nights(wiki.ws)[-1].steps} == {
        "skipped"
    }
    Path(wiki.root, ".git", "MERGE_HEAD").unlink()
    wiki.tick(minutes=20)
    assert wake(wiki).returncode == 0
    assert wiki.journal().open_count() == 0
