"""The append that every read makes: it waits for nobody, and loses no line to those who take them
away.
"""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.storage.git.layout import Place
from companion.storage.journal import reads, reads_file
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def line(n: int, words: str = "port") -> reads_file.Line:
    return (
        f"{n:016x}",
        "2026-11-01T12:00:00.000000Z",
        "owner",
        "search",
        words,
        ("a", "b"),
    )


def take(wiki: Wiki) -> list[reads.Row]:
    journal = wiki.journal()
    reads.take_reads(wiki.ws.place, journal, lambda words: words)
    return reads.list_rows(journal)


def folder(where: Path) -> Place:
    return Place("", "", "", "", str(where))


def test_a_line_becomes_a_row_once(wiki: Wiki) -> None:
    assert reads_file.append(wiki.ws.place, line(1)) is None
    assert [row.use.words for row in take(wiki)] == ["port"]
    assert len(take(wiki)) == 1
    assert not (Path(wiki.ws.place.state) / reads_file.NAME).exists()


def test_a_use_is_readable_by_its_owner_alone(wiki: Wiki) -> None:
    reads_file.append(wiki.ws.place, line(1))
    assert (
        Path(wiki.ws.place.state) / reads_file.NAME
    ).stat().st_mode & 0o777 == 0o600


def test_an_append_waits_for_no_writer_of_the_journal(wiki: Wiki) -> None:
    other = sqlite3.connect(wiki.ws.place.journal_db, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    assert reads_file.append(wiki.ws.place, line(1)) is None
    assert time.monotonic() - began < 1
    other.execute("ROLLBACK")
    assert len(take(wiki)) == 1


def test_a_crash_between_taking_and_clearing_counts_nothing_twice(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads_file.append(wiki.ws.place, line(1))
    with monkeypatch.context() as broken:
        broken.setattr(
            os,
            "unlink",
            lambda path: (_ for _ in ()).throw(OSError(5, "killed here")),
        )
        with pytest.raises(OSError):
            take(wiki)
    reads_file.append(wiki.ws.place, line(2))
    assert [row.use.id for row in take(wiki)] == [line(1)[0]], (
        "what was left behind first"
    )
    assert [row.use.id for row in take(wiki)] == [line(1)[0], line(2)[0]]


def test_a_line_that_a_full_disk_cut_short_spoils_no_other(wiki: Wiki) -> None:
    path = Path(wiki.ws.place.state) / reads_file.NAME
    path.write_bytes(b'\n["0000000000000001","2026-11-01T1')
    reads_file.append(wiki.ws.place, line(2))
    with path.open("ab") as file:
        file.write(
            b'\n\xff\xfe{}\n[1,2]\n"x"\n'
            + b"[" * 200_000
            + b"\n"
            + json.dumps([1, 2, 3, 4, 5, [6]]).encode()
        )
    reads_file.append(wiki.ws.place, line(3))
    assert [row.use.id for row in take(wiki)] == [line(2)[0], line(3)[0]]


def test_many_readers_and_one_that_takes_lose_nothing(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    code = (
        "import sys; from companion.storage.journal import reads_file as uses; from"
        " companion.storage.git.layout import Place\n"
        "place = Place('', '', '', '', sys.argv[1])\n"
        "for n in range(400):\n"
        "    said = uses.append(place, (f'{sys.argv[2]}-{n}', 'then', 'owner', 'search', 'w',"
        " ('a',)))\n"
        "    assert said is None, said\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, wiki.ws.place.state, str(n)]
        )
        for n in range(4)
    ]
    stop = threading.Event()

    def keep_taking() -> None:
        while not stop.is_set():
            take(wiki)

    thread = threading.Thread(target=keep_taking)
    thread.start()
    assert [child.wait() for child in children] == [0] * 4
    stop.set()
    thread.join()
    take(wiki)
    assert len(take(wiki)) == 1600


def test_a_folder_that_cannot_be_written_is_said_and_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert reads_file.append(folder(tmp_path), line(1)) == "Permission denied"
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert reads_file.find_trouble(folder(tmp_path)) is not None


def test_a_disk_that_takes_half_a_line_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", lambda file, data: len(data) // 2)
    assert (
        reads_file.append(folder(tmp_path), line(1))
        == "No space left on device"
    )


def test_a_file_that_no_night_ever_takes_stays_bounded_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads_file, "FULL", 1000)
    said = [reads_file.append(folder(tmp_path), line(n)) for n in range(50)]
    assert (
        said[0] is None and said[-1] is not None and "consolidate" in said[-1]
    )
    assert (tmp_path / reads_file.NAME).stat().st_size < 1400
    assert reads_file.find_trouble(folder(tmp_path)) is not None
