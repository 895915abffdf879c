"""Recall of originals: to the byte, or the very passages, and on record."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.lookup.find import NothingFound
from companion.operations.contextualize.run import contextualize
from companion.operations.triage import readers
from companion.operations.triage.capture import ingest
from companion.reading import recall as recalling
from companion.reading.log import list_runs
from companion.reading.recall import recall
from companion.reading.sources import list_all_sources
from companion.storage.cold import (
    cold_memory,
    containers,
    locked_originals,
    originals,
)
from companion.storage.cold.containers import Piece
from companion.storage.cold.originals import Blanked
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.use import count_recalls
from tests.sources_made import TEXT, read_at_night, take_in
from tests.wiki import Wiki

SENTENCE = "In winter it leaves at nine, because the harbour freezes."
DOGS = "Dogs travel free of charge."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def test_the_original_comes_back_to_the_byte(
    wiki: Wiki, tmp_path: Path
) -> None:
    """CTX-1, CTX-4."""
    item = take_in(wiki)
    entry = read_at_night(wiki, item, SENTENCE)
    wiki.git("gc", "-q", "--prune=now")
    for name in (entry, "The ferry", "inbox/ferry.md", item.id[:8]):
        out = tmp_path / f"{len(name)}.md"
        doc = recall(wiki.ws, name, output=str(out))
        assert out.read_bytes() == TEXT
        assert doc["file"] == str(out)
        assert doc["original"] == item.id


def test_a_page_keeps_its_way_back_when_its_night_is_undone(
    wiki: Wiki, tmp_path: Path
) -> None:
    """CTX-1: the page still stands."""
    item = take_in(wiki)
    entry = read_at_night(wiki, item, SENTENCE)
    run_id = list_runs(wiki.ws)["runs"][0]["run"]
    assert "contextualize" in run_id
    undo.undo(wiki.ws, run_id)
    recall(wiki.ws, entry, output=str(tmp_path / "out.md"))
    assert (tmp_path / "out.md").read_bytes() == TEXT


def test_nothing_is_written_over(wiki: Wiki, tmp_path: Path) -> None:
    item = take_in(wiki)
    read_at_night(wiki, item, SENTENCE)
    out = tmp_path / "ferry.md"
    out.write_text("my own")
    with pytest.raises(recalling.FileIsThere):
        recall(wiki.ws, "The ferry", output=str(out))
    # a folder takes it under its own name
    with pytest.raises(recalling.FileIsThere):
        recall(wiki.ws, "The ferry", output=str(tmp_path))
    assert out.read_text() == "my own"
    assert list(tmp_path.glob(".companion-*")) == []


def test_damaged_bytes_leave_no_file(wiki: Wiki, tmp_path: Path) -> None:
    item = take_in(wiki)
    entry = read_at_night(wiki, item, SENTENCE)
    cold = cold_memory.find(wiki.repo(), recall(wiki.ws, entry)["cold"])
    wrong = take_in(wiki, b"something else", "other.md")
    header = {"v": 2, **cold._asdict(), "blob": wrong.blob}
    text = json.dumps({k: v for k, v in header.items() if v is not None})
    blob = wiki.git("hash-object", "-w", "--stdin", stdin=text).strip()
    day = f"{cold.id[:4]}-{cold.id[4:6]}-{cold.id[6:8]}"
    folder = wiki.git(
        "mktree", stdin=f"100644 blob {blob}\t{cold.id}.json\n"
    ).strip()
    top = wiki.git("mktree", stdin=f"040000 tree {folder}\t{day}\n").strip()
    wiki.git("update-ref", cold_memory.REF, top)
    with pytest.raises(cold_memory.ColdLost, match="not the original's"):
        recall(wiki.ws, entry, output=str(tmp_path / "out.md"))
    assert [path.name for path in tmp_path.iterdir()] == ["wiki"]


def test_spans_are_the_very_passages(wiki: Wiki) -> None:
    item = take_in(wiki)
    entry = read_at_night(wiki, item, SENTENCE, DOGS)
    doc = recall(wiki.ws, entry, span=True)
    assert [each["text"] for each in doc["passages"]] == [SENTENCE, DOGS]
    assert doc["passages"][0]["place"]
    assert doc["warning"] is None


def test_a_claim_leads_to_its_own_passage(wiki: Wiki) -> None:
    item = take_in(wiki, b"# Anna\n\nAnna lives in Kiel.\n\nIt rained.\n")
    read_at_night(wiki, item, "Anna lives in Kiel.", "It rained.", title="Anna")
    db = open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    ((claim,),) = db.execute("SELECT id FROM claims").fetchall()
    doc = recall(wiki.ws, claim, span=True)
    assert [each["text"] for each in doc["passages"]] == ["Anna lives in Kiel."]


def test_a_page_of_notes_has_no_original(wiki: Wiki) -> None:
    wiki.ingest("A thought about bread.", title="Bread")
    wiki.consolidate()
    with pytest.raises(recalling.NoOriginal):
        recall(wiki.ws, "Bread", span=True)
    with pytest.raises(NothingFound):
        recall(wiki.ws, "no such page")


def test_what_no_night_has_read_is_given_by_its_id(
    wiki: Wiki, tmp_path: Path
) -> None:
    item = take_in(wiki)
    recall(wiki.ws, item.id[:10], output=str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == TEXT
    with pytest.raises(recalling.NoOriginal, match="no night"):
        recall(wiki.ws, item.id[:10], span=True)


def test_what_no_night_could_read_is_given_by_its_path_or_its_name(
    wiki: Wiki, tmp_path: Path
) -> None:
    scan = b"%PDF-1.7 nothing that a reader knows"
    item = take_in(wiki, scan, "scan.pdf", "application/pdf")
    contextualize(wiki.ws)
    (unread,) = list_all_sources(wiki.ws)["unread"]
    for number, name in enumerate((unread["origin"], item.name)):
        out = tmp_path / str(number)
        recall(wiki.ws, name, output=str(out))
        assert out.read_bytes() == scan
    with pytest.raises(recalling.NoOriginal, match="of other"):
        recall(wiki.ws, "other.pdf", output=str(tmp_path / "none"))


def test_a_name_that_two_files_have_is_the_name_of_neither(
    wiki: Wiki, tmp_path: Path
) -> None:
    take_in(wiki, b"One.", "a.md", source="one/a.md")
    take_in(wiki, b"Two.", "a.md", source="two/a.md")
    with pytest.raises(recalling.NoOriginal):
        recall(wiki.ws, "a.md", output=str(tmp_path / "out"))
    recall(wiki.ws, "two/a.md", output=str(tmp_path / "out"))
    assert (tmp_path / "out").read_bytes() == b"Two."


def test_what_is_private_is_its_owners(wiki: Wiki) -> None:
    item = take_in(wiki, scope="private", agent="claude")
    with pytest.raises(NothingFound):
        recall(wiki.ws, item.id[:10])
    doc = recall(wiki.as_("claude"), item.id[:10])
    assert doc["original"] == item.id


def test_a_locked_original_is_not_given_out(wiki: Wiki, tmp_path: Path) -> None:
    item = take_in(wiki)
    locked_originals.lock(wiki.repo(), [item.id])
    with pytest.raises(NothingFound):
        recall(wiki.ws, item.id[:10])
    for name in (item.name, item.source):
        with pytest.raises(recalling.NoOriginal):
            recall(wiki.ws, name, output=str(tmp_path / "out"))


def test_a_container_comes_back_and_says_what_is_blank(
    wiki: Wiki, tmp_path: Path
) -> None:
    whole = b"From a\n\nkey ****\nFrom b\n\nhello\n"
    item = originals.make_original(
        whole,
        media_type="application/mbox",
        name="mail.mbox",
        source="mail.mbox",
        received_at=wiki.ws.now(),
    )
    mail = originals.make_original(
        b"key ****\n",
        media_type="message/rfc822",
        name="1.eml",
        source="mail.mbox/1.eml",
        received_at=wiki.ws.now(),
    )._replace(container=item.id, blanked=(Blanked(4, 4, "password"),))
    pieces = [Piece(b"From a\n\n"), Piece(whole[8:17], mail)]
    containers.put(wiki.repo(), item, "mbox", [*pieces, Piece(whole[17:])])
    out = tmp_path / "mail.mbox"
    doc = recall(wiki.ws, item.id[:10], output=str(out))
    assert out.read_bytes() == whole
    assert doc["blanked"] == ["1.eml"]
    assert doc["size"] == len(whole)
    assert doc["warning"] is None


def test_a_zip_with_blanked_secrets_says_that_it_does_not_open(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "notes.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "a.json", json.dumps({"key": "AKIA" + "IOSFODNN7REALKEY"})
        )
    ingest(wiki.ws, readers.read_path(str(path)))
    doc = recall(wiki.ws, "notes.zip")
    assert doc["blanked"] == ["a.json"]
    assert "one by one" in str(doc["warning"])


def run(wiki: Wiki, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a person does."""
    return subprocess.run(
        [sys.executable, "-m", "companion", "-C", str(wiki.root), *words],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_stdout_has_the_bytes_and_nothing_else(wiki: Wiki) -> None:
    content = bytes(range(256)) * 9
    item = take_in(wiki, content, "x.bin")
    done = run(wiki, "recall", item.id[:10], "-o", "-")
    assert (done.returncode, done.stdout) == (0, content)
    both = run(wiki, "--json", "recall", item.id[:10], "-o", "-")
    assert both.returncode == 2


def test_a_recall_is_on_record(wiki: Wiki) -> None:
    """CTX-8: the night can tell that the page was too shallow."""
    item = take_in(wiki)
    entry = read_at_night(wiki, item, SENTENCE)
    assert run(wiki, "recall", entry).returncode == 0
    assert run(wiki, "recall", entry, "-o", "-").stdout == TEXT
    shown = run(wiki, "recall", entry, "--span").stdout.decode()
    assert SENTENCE in shown
    wiki.ingest("Something else.")
    wiki.consolidate()
    db = open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    assert count_recalls(db, entry) == 2
