"""Many processes at once: everything acknowledged is there, nobody waits for a night, and no line
is lost.
"""

import itertools
import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.durability.scenes import SECOND_THOUGHT, Stage, harbour
from tests.living import Living, proceed, sound, stopped


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("wikis"))


def test_eight_processes_capture_at_once(stage: Stage) -> None:
    wiki = stage.fresh("grow")
    before = len(wiki.captures())
    children = [
        wiki.start("--json", "ingest", "--lines", "-") for _ in range(8)
    ]
    texts = [
        [f"Thought {n} of writer {who}" for n in range(25)]
        + ["The same for all"]
        for who in range(8)
    ]
    said = []
    for child, lines in zip(children, texts, strict=True):
        assert child.stdin is not None
        child.stdin.write("".join(line + "\n" for line in lines).encode())
    for child in children:
        out, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        said.append(json.loads(out))

    acknowledged = [c["id"] for doc in said for c in doc["captures"]]
    assert len(acknowledged) == 8 * 26 and len(set(acknowledged)) == 8 * 25 + 1
    assert sum(doc["counts"]["captured"] for doc in said) == 8 * 25 + 1
    assert len(wiki.captures()) == before + 8 * 25 + 1
    told = [
        moment
        for (moment,) in wiki.journal(
            "SELECT seen_at FROM sightings ORDER BY seq"
        )
    ]
    assert all(a < b for a, b in itertools.pairwise(told)), (
        "transaction times must strictly increase"
    )
    wiki.doc("consolidate")
    sound(wiki, acknowledged)


@pytest.mark.slow
def test_eight_processes_begin_a_lost_journal_together(stage: Stage) -> None:
    """Captures that git holds come back, once, and the new ones are not lost in the crowd."""
    wiki = stage.fresh("grow")
    # a bulk import is anchored in git
    wiki.ingest(*(f"Imported {n}" for n in range(70)))
    anchored = [
        id for (id,) in wiki.journal("SELECT id FROM captures WHERE anchored")
    ]
    for name in ("journal.db", "journal.db-wal", "journal.db-shm"):
        (wiki.state / name).unlink(missing_ok=True)
    children = [
        wiki.start("--json", "ingest", f"writer {who}") for who in range(8)
    ]
    said = [
        (child.communicate(timeout=60), child.returncode) for child in children
    ]

    assert [code for _, code in said] == [0] * 8, said
    new = [json.loads(out)["captures"][0]["id"] for (out, _), _ in said]
    assert set(wiki.captures()) == {*anchored, *new}
    wiki.doc("consolidate")
    sound(wiki, [*anchored, *new])


@pytest.mark.parametrize(
    "at",
    [
        "publish.files:before",
        pytest.param("pack.close:before", marks=pytest.mark.slow),
        pytest.param("fold.commit@2:before", marks=pytest.mark.slow),
    ],
)
def test_nobody_waits_for_a_night(stage: Stage, at: str) -> None:
    """GEN-1: captures and searches answer while a run stands still in the middle of its work."""
    wiki = stage.fresh("grow")
    begun = time.monotonic()
    alone = wiki.doc("search", "harbour")
    quiet = time.monotonic() - begun
    night = wiki.start("--json", "consolidate", fault=f"{at}:stop")
    assert stopped(night)

    begun = time.monotonic()
    during = wiki.doc("search", "harbour")
    took = time.monotonic() - begun
    (captured,) = wiki.ingest("Said while the wiki slept")
    late = wiki.doc("search", "wiki", "slept")["results"]
    status = wiki.doc("status")
    second = wiki.run("consolidate")
    code, out, _ = proceed(night)

    assert [hit["id"] for hit in during["results"]][:1] == [
        hit["id"] for hit in alone["results"]
    ][:1]
    assert took < quiet + 2.0, f"{took:.2f} s instead of {quiet:.2f} s"
    assert [hit["id"] for hit in late if hit["state"] == "pending"] == [
        captured
    ]
    assert status["pending"] >= 1
    assert (
        second.returncode == 75
        and b"another companion is at work" in second.stderr
    )
    assert code == 0, out
    assert captured not in [
        item["capture"] for item in json.loads(out)["integrated"]
    ], "git did not hold it yet"
    wiki.doc("consolidate")
    sound(wiki, [captured])


def test_of_two_nights_at_once_each_works_or_says_to_try_later(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    commits = wiki.commits()
    nights = [wiki.start("consolidate") for _ in range(4)]
    codes = sorted(
        (night.communicate(timeout=60), night.returncode)[1] for night in nights
    )

    assert codes[0] == 0 and set(codes) <= {0, 75}
    assert wiki.commits() == commits + 1
    sound(wiki)


# --- editors
# ------------------------------------------------------------------------------------------------


class Writer(threading.Thread):
    """Does something again and again until told to stop; remembers what it wrote."""

    def __init__(self, once: Callable[[int], None], pause: float) -> None:
        super().__init__(daemon=True)
        self.once, self.pause = once, pause
        self.done, self.count = threading.Event(), 0
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.done.is_set():
                self.once(self.count)
                self.count += 1
                time.sleep(self.pause)
        except Exception as error:
            self.failure = error
            raise


@contextmanager
def at_work(
    once: Callable[[int], None], pause: float = 0.02
) -> Iterator[Writer]:
    writer = Writer(once, pause)
    writer.start()
    try:
        yield writer
    finally:
        writer.done.set()
        writer.join(30)
        assert writer.failure is None


def line(n: int) -> str:
    return f"editor line {n:05}."


def in_place(page: Path) -> Callable[[int], None]:
    """Read the page, add a line, write it back over itself: as vim with backupcopy=yes, or nano."""

    def save(n: int) -> None:
        text = page.read_text()
        with page.open("w") as file:
            file.write(text + line(n) + "\n")

    return save


def by_rename(page: Path) -> Callable[[int], None]:
    """Write a new file and rename it over the page: as most editors and Obsidian do."""

    def save(n: int) -> None:
        text = page.read_text()
        beside = page.with_name(f"{page.name}~")
        beside.write_text(text + line(n) + "\n")
        beside.rename(page)

    return save


def held_open(page: Path) -> Callable[[int], None]:
    """Append to one open file for ever: as `tee -a`, or a logging plugin."""
    file = page.open("a")

    def save(n: int) -> None:
        file.write(line(n) + "\n")
        file.flush()

    return save


@pytest.mark.parametrize(
    "editor",
    [
        by_rename,
        pytest.param(in_place, marks=pytest.mark.slow),
        pytest.param(held_open, marks=pytest.mark.slow),
    ],
)
def test_no_line_is_lost_while_an_editor_saves_through_the_nights(
    stage: Stage, editor: Callable[[Path], Callable[[int], None]]
) -> None:
    wiki = stage.fresh("grow")
    page = wiki.root / harbour(wiki)
    with at_work(editor(page)) as writer:
        for n in range(2):
            wiki.ingest(f"Night {n} has something to add.", title="Harbour")
            for verb in ("adopt", "consolidate"):
                assert wiki.run(verb).returncode in (0, 75)
    for verb in ("consolidate", "adopt", "consolidate", "adopt"):
        assert wiki.run(verb).returncode == 0
    words = everything(wiki)

    missing = [n for n in range(writer.count) if line(n) not in words]
    assert (missing, writer.count > 20) == ([], True)
    sound(wiki)


def everything(wiki: Living) -> str:
    """Return every text of the branch, and every capture that still waits."""
    pending = wiki.journal(
        "SELECT content FROM captures WHERE content IS NOT NULL"
    )
    pages = wiki.git("grep", "-h", "", "HEAD", "--", "*.md")
    return pages + "\n".join(content.decode() for (content,) in pending)


def test_a_person_commits_again_and_again_during_the_nights(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    diary = wiki.root / "Garden.md"

    def commit(n: int) -> None:
        with diary.open("a") as file:
            file.write(line(n) + "\n")
        # Refused while the files are moved; the line then goes into the next one.
        subprocess.run(
            ["git", "commit", "-qam", "mine"],
            cwd=wiki.root,
            env=wiki.env,
            capture_output=True,
        )

    captured = []
    with at_work(commit, pause=0.05) as writer:
        for n in range(2):
            captured += wiki.ingest(f"Night {n}: {SECOND_THOUGHT}")
            assert wiki.run("consolidate").returncode in (0, 75)
    wiki.doc("consolidate")
    wiki.git("commit", "-qam", "mine", code=None)
    wiki.doc("consolidate")

    committed = wiki.git("show", "HEAD:Garden.md")
    assert [n for n in range(writer.count) if line(n) not in committed] == []
    assert writer.count > 10
    gone = wiki.git(
        "log",
        "--diff-filter=D",
        "--name-only",
        "--format=",
        "--",
        "entries",
        ".companion",
    )
    assert gone == "", "a commit of theirs took our files away"
    sound(wiki, captured)


# --- words that come late
# -----------------------------------------------------------------------------------


def test_words_written_into_a_replaced_file_become_a_capture_and_then_part_of_the_page(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    page = harbour(wiki)
    with (wiki.root / page).open("a") as editor:
        wiki.doc("consolidate")
        editor.write("A line for the harbour, late.\n")
        editor.flush()
        assert "late" not in (wiki.root / page).read_text()

        night = wiki.doc("consolidate")
        assert [item["path"] for item in night["integrated"]] == [page]
        assert any("were captured" in note for note in night["notes"])
        assert "A line for the harbour, late." in wiki.git(
            "show", f"HEAD:{page}"
        )
        assert wiki.git("show", f"HEAD:{page}").count("opens at six") == 1
        told = wiki.journal(
            "SELECT channel, source FROM sightings ORDER BY seq DESC LIMIT 1"
        )
        assert told == [("recovered", page)]

        assert wiki.doc("consolidate")["run"] is None
        editor.write("And one more.\n")
    assert len(wiki.doc("consolidate")["integrated"]) == 1
    assert (
        "And one more." in wiki.text()
        and wiki.text().count("for the harbour, late") == 1
    )
    sound(wiki)


@pytest.mark.slow
def test_replaced_files_go_after_a_day_unless_somebody_wrote_into_them(
    stage: Stage,
) -> None:
    wiki = stage.fresh("grow")
    page = wiki.root / harbour(wiki)
    with page.open("ab", buffering=0) as editor:
        wiki.doc("consolidate")
        (kept,) = (wiki.state / "kept").iterdir()
        stamp, rest = kept.name.split(".", 1)
        wiki.doc("adopt")
        assert kept.exists(), "not before a day is over"
        aged = kept.rename(kept.with_name(f"{int(stamp) - 90_000}.{rest}"))
        (wiki.state / "kept" / ".companion-1-1").write_bytes(b"half a page")
        os.utime(wiki.state / "kept" / ".companion-1-1", (1, 1))
        editor.write("naïve caf\xe9 \x00\n".encode("latin-1"))

        wiki.doc("consolidate")
        assert "naïve caf\\xe9" in wiki.text().replace("na\\xefve", "naïve"), (
            "words in another encoding are words"
        )
    wiki.doc("consolidate")
    assert aged.exists() is False
    assert [
        p.name
        for p in (wiki.state / "kept").iterdir()
        if p.name.startswith(".companion-")
    ] == []
    sound(wiki)
