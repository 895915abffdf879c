"""What is in the journal already and cannot be believed: no night ends by it, and it is named."""

import sqlite3
from typing import Any

import pytest

from companion.maintenance.doctor.run import doctor, examine
from companion.operations.consolidate.run import consolidate
from companion.operations.triage.capture import ingest
from companion.storage.git import capture_buffer
from companion.storage.journal.queries import Pending
from companion.values.captures import Draft, make_capture, make_sighting
from companion.values.time import BadTime
from companion.workspace import Workspace
from tests.maintenance.machines import name_of, sync, told
from tests.wiki import Wiki, check_index

BAD = "the bad one"
ID = name_of(BAD)
NOW = "2026-11-01T08:00:00.000000Z"


def take_in(wiki: Wiki, at: str, **fields: Any) -> None:
    """Let the journal have a telling as an older companion took it in."""
    made = make_capture(Draft(BAD), at)._replace(**fields)
    telling = make_sighting(Draft(BAD), ID, at)
    wiki.journal().take_in([Pending(made, (telling,))], [], {})


def set_content(wiki: Wiki, id: str, content: bytes) -> None:
    """Change bytes of the journal as a failing disk does."""
    with sqlite3.connect(wiki.ws.place.journal_db) as journal:
        journal.execute("DROP TRIGGER content_immutable")
        journal.execute(
            "UPDATE captures SET content = ? WHERE id = ?", (content, id)
        )


@pytest.mark.parametrize(
    ("at", "fields"),
    [
        ("2026-02-31T08:00:00.000000Z", {}),
        (NOW, {"channel": "a\nb"}),
        (NOW, {"priority": 7.0}),
        ("2026-11-01T08:00:00Z", {}),  # without the width by which times sort
    ],
)
def test_a_bad_telling_in_the_journal_ends_no_night_and_is_said(
    desk: Wiki, at: str, fields: dict[str, Any]
) -> None:
    take_in(desk, at, **fields)
    desk.ingest("a good note")
    night = desk.consolidate()
    assert night["run"] is not None
    (said,) = [note for note in night["notes"] if "`companion doctor`" in note]
    assert said.startswith("1 note is set aside")
    assert desk.journal().open_ids() == [ID]
    (finding,) = [
        one for one in examine(desk.ws) if one.kind == "telling-doubtful"
    ]
    assert ID[:12] in finding.what
    check_index(desk)


@pytest.mark.parametrize(
    "at", ["9999-12-31T23:59:59.999999Z", "2026-11-01T99:00:00.000000Z"]
)
def test_a_time_that_nothing_can_follow_is_mended(desk: Wiki, at: str) -> None:
    before = desk.ingest("a good note")[0]["ingested_at"]
    take_in(desk, at)
    with pytest.raises((BadTime, ValueError)):
        desk.ingest("another")
    repaired = doctor(desk.ws, repair=True)["repaired"]
    assert "time-impossible" in [one["kind"] for one in repaired]
    assert desk.journal().get("last_time") == before
    assert desk.ingest("another")[0]["ingested_at"] < "2027"
    assert desk.consolidate()["run"] is not None
    assert desk.journal().open_ids() == [ID], "it waits for its day"


def test_a_note_told_at_a_whole_second_is_read(desk: Wiki) -> None:
    """A clock given without fractions sorted after every instant of its second."""
    clock = "2026-11-01T08:00:00Z"
    ws = Workspace(desk.ws.place, clock)
    told = ingest(ws, [Draft("Bob lives in Rome.")])
    assert told["captures"][0]["ingested_at"] == NOW
    assert consolidate(ws)["run"] is not None
    assert desk.journal().open_ids() == []


def test_a_journal_that_was_moved_decades_ahead_comes_back(desk: Wiki) -> None:
    desk.ingest("a good note")
    take_in(desk, "2045-06-01T08:00:00.000000Z")
    assert desk.ingest("another")[0]["ingested_at"] > "2045"
    assert "journal-ahead" in {one.kind for one in examine(desk.ws)}

    repaired = doctor(desk.ws, repair=True)["repaired"]

    assert "journal-ahead" in [one["kind"] for one in repaired]
    assert desk.ingest("a third")[0]["ingested_at"] < "2027"
    assert desk.consolidate()["run"] is not None
    assert ID in desk.journal().open_ids(), "it waits for its day"
    assert "journal-ahead" not in {one.kind for one in examine(desk.ws)}


@pytest.mark.parametrize(
    ("year", "day", "words"),
    [(2045, "2026-11-01", "own day"), (2030, "2030-11-01", "as of that day")],
)
def test_nights_that_are_years_ahead_are_named(
    desk: Wiki, year: int, day: str, words: str
) -> None:
    desk.ingest("a good note")
    then, desk.now = desk.now, desk.now.replace(year=year)
    desk.ingest("told ahead", event_time=f"{desk.now:%Y-%m-%d}")
    desk.consolidate()
    desk.now = then
    found = [one for one in examine(desk.ws) if one.kind == "time-ahead"]
    assert found and words in found[0].hint
    id = desk.ingest("told now")[0]["id"]
    (telling,) = desk.journal().sightings(id)
    assert telling.event_time[:10] == day


def test_a_flipped_bit_of_a_waiting_note_is_read_from_git(desk: Wiki) -> None:
    id = desk.ingest("Bob lives in Rome.")[0]["id"]
    capture_buffer.anchor(desk.journal(), desk.repo())
    set_content(desk, id, b"Bob lives in Nome.")
    desk.consolidate()
    pages = "".join(path.read_text() for path in desk.root.rglob("*.md"))
    assert "Rome" in pages and "Nome" not in pages


def forget_object(wiki: Wiki, text: str) -> None:
    """Take the bytes of a note from git, as a power cut may: they are not synced at a capture."""
    (capture,) = wiki.journal().capture(name_of(text))
    blob = capture.blob
    (wiki.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def test_a_flipped_bit_before_the_first_night_is_read_from_git(
    desk: Wiki,
) -> None:
    id = desk.ingest("Bob lives in Rome.")[0]["id"]
    set_content(desk, id, b"Bob lives in Nome.")

    desk.consolidate()

    pages = "".join(path.read_text() for path in desk.root.rglob("*.md"))
    assert "Rome" in pages and "Nome" not in pages
    assert desk.journal().open_ids() == []


def test_a_flipped_bit_before_the_first_night_goes_nowhere(
    desk: Wiki, laptop: Wiki
) -> None:
    id = desk.ingest("Bob lives in Rome.")[0]["id"]
    desk.ingest("a good note")
    set_content(desk, id, b"Bob lives in Nome.")
    forget_object(desk, "Bob lives in Rome.")
    assert desk.consolidate()["run"] is not None
    assert desk.journal().open_ids() == [id]
    pages = "".join(path.read_text() for path in desk.root.rglob("*.md"))
    assert "Nome" not in pages and "a good note" in pages
    assert "capture-changed" in {one.kind for one in examine(desk.ws)}
    sync(desk)
    assert sync(laptop)["received"]["captures"] == 1


def test_words_that_another_machine_told_too_bring_back_a_flipped_note(
    desk: Wiki, laptop: Wiki
) -> None:
    id = desk.ingest("Bob lives in Rome.", source="desk.md")[0]["id"]
    set_content(desk, id, b"Bob lives in Nome.")
    forget_object(desk, "Bob lives in Rome.")
    laptop.ingest("Bob lives in Rome.", source="laptop.md")
    sync(laptop)

    sync(desk)
    sync(desk)
    sync(laptop)

    assert told(laptop) == told(desk)
    assert len(told(laptop)[id]) == 2
    assert desk.consolidate()["run"] is not None
    assert desk.journal().open_ids() == []
    assert "capture-changed" not in {one.kind for one in examine(desk.ws)}


def test_words_told_again_bring_back_a_flipped_note(desk: Wiki) -> None:
    id = desk.ingest("Bob lives in Rome.")[0]["id"]
    set_content(desk, id, b"Bob lives in Nome.")
    forget_object(desk, "Bob lives in Rome.")

    desk.ingest("Bob lives in Rome.")

    assert desk.journal().capture(id)[0].content == b"Bob lives in Rome."
    assert desk.consolidate()["run"] is not None
    assert desk.journal().open_ids() == []
