"""A newcomer drops a folder, sleeps, and asks about it next morning; two machines keep one page."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.maintenance.remotes import remote as remotes
from companion.reading.sources import list_all_sources
from tests.operations.contextualize.sources import (
    PAPER,
    drop,
    page_of,
    read_sources,
)
from tests.operations.contextualize.test_conversations import TURNS, export
from tests.wiki import Wiki, git, person

SAMPLES = Path(__file__).parents[1] / "sources/samples"
CLIP = """<html><head><title>Kiel harbour</title>
<link rel="canonical" href="https://example.org/kiel"></head><body><article>
<h1>Kiel harbour</h1>
<p>The harbour of Kiel handles 7 million tons a year. It was founded in 1242 by Count Adolf.</p>
<p>The canal to the North Sea begins here. Ships wait two hours on average at the lock.</p>
</article></body></html>"""
MAIL = """From: Dr. Weber <weber@example.org>
To: ada@example.org
Subject: Your appointment
Date: Mon, 16 Nov 2026 09:00:00 +0000
Message-ID: <a1@example.org>
Content-Type: text/plain; charset=utf-8

Dear Ada,

your appointment is on 30 November at 9:30. Please bring your insurance card.
"""


class Machine:
    """A shell in which companion is installed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.env = {
            **os.environ,
            "HOME": str(root),
            "COMPANION_WIKI": str(root / "wiki"),
            "COMPANION_NOW": "2026-11-23T22:00:00Z",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
        }

    def companion(self, *words: str) -> Any:
        """Run the command; its document."""
        done = subprocess.run(
            [sys.executable, "-m", "companion", "--json", *words],
            cwd=self.root,
            env=self.env,
            capture_output=True,
            text=True,
        )
        assert done.stdout, (words, done.stderr)
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """A wiki on the morning after a folder was dropped."""
    machine = Machine(tmp_path_factory.mktemp("newcomer"))
    folder = machine.root / "inbox"
    folder.mkdir()
    for name in ("firings.csv", "pandoc.ipynb"):
        shutil.copy(SAMPLES / name, folder)
    (folder / "clip.html").write_text(CLIP)
    (folder / "dentist.eml").write_text(MAIL)
    (folder / "idea.md").write_text("I want to grow tomatoes on the roof.\n")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n%truncated")
    with zipfile.ZipFile(folder / "chatgpt.zip", "w") as archive:
        conversations = f"[{export(*TURNS)}]"
        archive.writestr("conversations.json", conversations)
    machine.companion("init", str(machine.root / "wiki"))
    machine.companion("ingest", str(folder))
    machine.companion("contextualize")
    machine.companion("consolidate")
    machine.env["COMPANION_NOW"] = "2026-11-24T07:00:00Z"
    return machine


def test_every_source_has_its_page(machine: Machine) -> None:
    listed = machine.companion("sources")
    titles = {source["title"] for source in listed["sources"]}
    assert {"Kiel harbour", "Your appointment", "Moving to Kiel"} <= titles
    assert listed["waiting"] == 0
    for source in listed["sources"]:
        shown = machine.companion("show", source["entry"])
        assert shown["source"]["original"] == source["original"]
        assert "companion recall" in shown["text"]


def test_what_cannot_be_read_is_named_with_what_to_do(machine: Machine) -> None:
    (unread,) = machine.companion("sources")["unread"]
    assert unread["origin"].endswith("broken.pdf")
    assert unread["reason"] and unread["hint"]
    assert machine.companion("status")["sources"]["unread"] == 1


def test_the_words_of_every_source_are_found(machine: Machine) -> None:
    for words, title in (
        ("insurance card", "Your appointment"),
        ("ships wait at the lock", "Kiel harbour"),
        ("landlord Petersen", "Moving to Kiel"),
    ):
        results = machine.companion("search", words)["results"]
        assert results[0]["title"] == title, words


def test_questions_are_answered_from_sources(machine: Machine) -> None:
    for question, answer in (
        ("What is my rent?", "900 euros"),
        ("Who is my landlord?", "Mrs. Petersen"),
        ("Where do I live?", "Kiel"),
        ("How many tons does the harbour of Kiel handle?", "7 million tons"),
    ):
        assert answer in json.dumps(machine.companion("ask", question)), (
            question
        )


def test_the_very_passage_and_the_original_come_back(machine: Machine) -> None:
    passages = machine.companion("recall", "Kiel harbour", "--span")
    assert "7 million tons a year" in json.dumps(passages)
    file = machine.root / "again.html"
    machine.companion("recall", "Kiel harbour", "-o", str(file))
    assert file.read_text() == CLIP


def test_why_tells_the_way_of_a_source(machine: Machine) -> None:
    events = machine.companion("why", "Kiel harbour")["events"]
    names = [event["event"] for event in events]
    assert names[:2] == ["contextualized", "created"]
    assert "Fitted to" in events[0]["reason"]


# -- two machines ----------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    git(
        tmp_path,
        "init",
        "-q",
        "--bare",
        "-b",
        "main",
        str(tmp_path / "hub.git"),
    )
    desk = Wiki.new(tmp_path / "desk")
    remotes.add(desk.ws, "hub", str(tmp_path / "hub.git"))
    desk.git("push", "-q", "hub", "main")
    return desk


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    root = tmp_path / "laptop"
    git(
        tmp_path,
        "clone",
        "-q",
        "-o",
        "hub",
        str(tmp_path / "hub.git"),
        str(root),
    )
    person(root)
    laptop = Wiki(root, desk.now)
    laptop.init()
    remotes.add(laptop.ws, "hub", str(tmp_path / "hub.git"))
    return laptop


def sync(wiki: Wiki) -> None:
    wiki.tick()
    remotes.sync(wiki.ws)


def list_titles(wiki: Wiki) -> list[str]:
    return [one["title"] for one in list_all_sources(wiki.ws)["sources"]]


def test_two_machines_that_read_one_file_have_one_page(
    desk: Wiki, laptop: Wiki
) -> None:
    for wiki, folder in ((desk, "/home/ada/inbox"), (laptop, "/Users/ada")):
        drop(wiki, "sleep.md", source=f"{folder}/sleep.md")
        read_sources(wiki)
        wiki.consolidate()
    for wiki in (desk, laptop, desk, laptop):
        sync(wiki)
    for wiki in (desk, laptop):
        wiki.consolidate()
        sync(wiki)

    for wiki in (desk, laptop):
        assert list_titles(wiki) == ["Sleep and memory"]
        pages = [
            path
            for path in wiki.root.glob("entries/**/*.md")
            if "slow-wave" in path.read_text()
        ]
        assert len(pages) == 1, pages
        text = pages[0].read_text()
        assert text.count("slow-wave sleep") == 1
        assert "<<<<" not in text


def test_another_machine_reads_no_original_again(
    desk: Wiki, laptop: Wiki
) -> None:
    drop(desk, "sleep.md")
    (source,) = read_sources(desk)["sources"]
    desk.consolidate()
    sync(desk)
    desk.git("push", "-q", "hub", "main")
    laptop.git("pull", "-q", "hub", "main")
    sync(laptop)

    drop(laptop, "sleep.md")
    assert read_sources(laptop)["commit"] is None
    assert "slow-wave" in page_of(laptop, source["entry"])
    # and yet can fit it anew, from cold memory
    again = read_sources(laptop, target=source["entry"], step="linkout")
    assert again["sources"][0]["depth"] == "linkout"


def test_an_original_travels_after_a_night_has_read_it(
    desk: Wiki, laptop: Wiki, tmp_path: Path
) -> None:
    """Before, it may hold a secret that only a reader sees (GEN-2)."""
    item = drop(desk, "sleep.md")
    sync(desk)
    hub = tmp_path / "hub.git"
    objects = git(hub, "cat-file", "--batch-check", "--batch-all-objects")
    assert item.blob not in objects

    read_sources(desk)
    desk.consolidate()
    sync(desk)
    objects = git(hub, "cat-file", "--batch-check", "--batch-all-objects")
    assert item.blob in objects
    assert PAPER in git(hub, "cat-file", "blob", item.blob)
