"""The journal: what a call acknowledged survives it, and nothing in it is ever deleted or
changed.
"""

import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.storage.journal.errors import JournalBusy, JournalError
from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import CAPTURE, SIGHTING, Pending
from companion.storage.journal.schema import SCHEMAS, prepare
from companion.storage.sqlite import statements
from companion.values.captures import (
    Capture,
    Draft,
    Sighting,
    make_capture,
    make_sighting,
)

CLOCK = "2026-11-01T00:00:{:02}.000000Z"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(str(tmp_path / "journal.db"))
    yield journal
    journal.close()


def tell(journal: Journal, draft: Draft, second: int) -> tuple[bool, bool]:
    """Record one telling, as TRIAGE does."""
    now = CLOCK.format(second)
    journal.begin()
    capture = make_capture(draft, now)
    told = journal.add(capture, make_sighting(draft, capture.id, now))
    journal.commit(now)
    return told


def id_of(text: str) -> str:
    return make_capture(Draft(text), CLOCK.format(0)).id


def test_a_capture_told_once_is_there_with_its_telling(
    journal: Journal,
) -> None:
    assert tell(
        journal,
        Draft(
            "oat milk",
            title="Oats",
            source="a.md",
            agent="bot",
            event_time=CLOCK.format(9),
        ),
        1,
    ) == (
        True,
        True,
    )
    held = journal.capture(id_of("oat milk"))[0]
    assert (held.content, held.title, held.ingested_at) == (
        b"oat milk",
        "Oats",
        CLOCK.format(1),
    )
    assert journal.sightings(held.id) == (
        Sighting(
            held.id,
            CLOCK.format(1),
            CLOCK.format(9),
            True,
            "a.md",
            "cli",
            "bot",
            "shared",
        ),
    )
    assert journal.get("last_time") == CLOCK.format(1)


def test_saying_it_twice_in_a_row_is_one_telling_and_a_b_a_ends_at_a(
    journal: Journal,
) -> None:
    told = [
        tell(journal, Draft(text), n)
        for n, text in enumerate(["A", "A", "B", "A", "A"])
    ]
    assert told == [
        (True, True),
        (False, False),
        (True, True),
        (False, True),
        (False, False),
    ]
    assert [s.seen_at for s in journal.sightings(id_of("A"))] == [
        CLOCK.format(0),
        CLOCK.format(3),
    ]


@pytest.mark.parametrize(
    ("one", "other", "two_voices"),
    [
        (Draft("x", source="a"), Draft("x", source="a"), False),
        (Draft("x", source="a"), Draft("x", source="b"), True),
        (Draft("x", source="a"), Draft("x"), True),
        (Draft("x", agent="a"), Draft("x", agent="b"), True),
        (Draft("x", agent="a"), Draft("x", agent="a"), False),
        (
            Draft("x", event_time=CLOCK.format(1)),
            Draft("x", event_time=CLOCK.format(1)),
            False,
        ),
        (
            Draft("x", event_time=CLOCK.format(1)),
            Draft("x", event_time=CLOCK.format(2)),
            True,
        ),
        (Draft("x", scope="private"), Draft("x"), True),
        (Draft("x"), Draft("x", scope="private"), True),
        (Draft("x", scope="private"), Draft("x", scope="private"), False),
        (Draft("x", channel="cli"), Draft("x", channel="file"), False),
        (Draft("x", title="T", priority=0.9), Draft("x", title="U"), False),
    ],
)
def test_a_telling_is_idempotent_on_content_source_time_agent_and_scope(
    journal: Journal, one: Draft, other: Draft, two_voices: bool
) -> None:
    tell(journal, one, 1)
    assert tell(journal, other, 2) == (False, two_voices)
    assert tell(journal, other, 3)[1] is False


def test_a_source_tells_the_same_once_however_much_lies_between(
    journal: Journal,
) -> None:
    """Importing the same files again is one telling each, not A, B, A."""
    drafts = [Draft("A", source="a.md"), Draft("B", source="b.md")]
    assert [
        tell(journal, draft, n)[1] for n, draft in enumerate(drafts * 2)
    ] == [
        True,
        True,
        False,
        False,
    ]


def test_nothing_is_deleted_and_no_content_changes(journal: Journal) -> None:
    tell(journal, Draft("oat milk"), 1)
    for attack in (
        "DELETE FROM captures",
        "DELETE FROM sightings",
        "UPDATE captures SET content = x'00'",
        "UPDATE captures SET title = 'other'",
        "UPDATE captures SET blob = ''",
        "INSERT OR REPLACE INTO captures SELECT * FROM captures",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            journal.connection.execute(attack)
    assert journal.capture(id_of("oat milk"))[0].content == b"oat milk"


def test_settled_bytes_leave_the_row_only_once_git_has_them(
    journal: Journal,
) -> None:
    tell(journal, Draft("oat milk"), 1)
    id = id_of("oat milk")
    journal.settle([id])
    assert (journal.open_ids(), journal.capture(id)[0].content) == (
        [],
        b"oat milk",
    )
    journal.mark_anchored([id], journal.sightings(id))
    assert (journal.loose_count(), journal.capture(id)[0].content) == (0, b"")
    journal.unsettle([(id, b"oat milk")])
    assert (journal.open_ids(), journal.capture(id)[0].content) == (
        [id],
        b"oat milk",
    )
    journal.unsettle([(id, b"oat milk")])
    journal.settle([id])
    assert journal.capture(id)[0].content == b""


def test_bytes_that_are_gone_here_are_asked_of_git(journal: Journal) -> None:
    tell(journal, Draft("oat milk"), 1)
    tell(journal, Draft("bread"), 2)
    id = id_of("oat milk")
    journal.mark_anchored([id], journal.sightings(id))
    journal.settle([id])
    contents = journal.contents(lambda blob: f"git has {blob}".encode())
    assert contents[id] == f"git has {journal.blob(id)}".encode()
    assert contents[id_of("bread")] == b"bread"
    assert list(contents) == [id, id_of("bread")]
    with pytest.raises(KeyError):
        contents["0" * 64]


def test_an_id_prefix_finds_at_most_two(journal: Journal) -> None:
    for n in range(40):
        tell(journal, Draft(f"text {n}"), n)
    ids = sorted(id for id, _, _ in journal.ids())
    assert [c.id for c in journal.capture(ids[0][:12])] == [ids[0]]
    assert len(journal.capture("")) == 2
    assert [c.id for c in journal.capture("f" * 64)] == []
    assert all(journal.capture(id)[0].id == id for id in ids)


def test_what_git_holds_comes_back_once_and_in_the_order_of_its_times(
    journal: Journal, tmp_path: Path
) -> None:
    for n, text in enumerate(["A", "B", "A"]):
        tell(journal, Draft(text), n)
    items = [
        Pending(c, journal.sightings(c.id))
        for text in "AB"
        for c in journal.capture(id_of(text))
    ]
    other = Journal.open(str(tmp_path / "other" / "journal.db"))
    assert other.fresh
    assert other.restore(items) == 2
    assert other.restore(items) == 0
    assert not Journal.open(str(tmp_path / "other" / "journal.db")).fresh
    assert [other.sightings(id_of(text)) for text in "AB"] == [
        journal.sightings(id_of(text)) for text in "AB"
    ]
    assert tell(other, Draft("A"), 9) == (False, False), (
        "A, B, A was the end: A again is no new telling"
    )
    assert tell(other, Draft("B"), 10) == (False, True)
    assert other.get("last_time") == CLOCK.format(10)


def test_a_restore_that_was_killed_is_made_up_for(
    journal: Journal, tmp_path: Path
) -> None:
    tell(journal, Draft("A"), 1)
    path = str(tmp_path / "other" / "journal.db")
    killed = Journal.open(path)

    def items() -> Iterator[Pending]:
        yield Pending(
            journal.capture(id_of("A"))[0], journal.sightings(id_of("A"))
        )
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        killed.restore(items())
    killed.close()
    again = Journal.open(path)
    assert again.fresh
    assert again.counts() == (0, 0)


def test_a_writer_that_waits_in_vain_says_try_later(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = journal.connection.execute("PRAGMA database_list").fetchone()[2]
    monkeypatch.setattr("companion.storage.journal.journal.BUSY_SECONDS", 0.01)
    other = Journal.open(path)
    journal.begin()
    with pytest.raises(JournalBusy) as caught:
        other.begin()
    assert caught.value.exit_code == 75
    journal.rollback()


def test_a_file_that_is_no_journal_is_named_and_left_alone(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"not a database" * 100)
    with pytest.raises(JournalError, match=r"journal\.db"):
        Journal.open(str(path))
    assert path.read_bytes() == b"not a database" * 100


def test_a_newer_journal_is_not_touched(journal: Journal) -> None:
    path = journal.connection.execute("PRAGMA database_list").fetchone()[2]
    journal.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(JournalError, match="newer"):
        Journal.open(path)


texts = st.lists(
    st.tuples(st.sampled_from("ABC"), st.sampled_from([None, "s", "t"])),
    max_size=12,
)


@given(texts)
def test_telling_everything_again_at_once_adds_nothing_but_order(
    said: list[tuple[str, str | None]],
) -> None:
    """Where there are sources, a second import of the same lines is idempotent; content always
    is.
    """
    journal = _memory()
    for n, (text, source) in enumerate(said):
        tell(journal, Draft(text, source=source), n)
    captures, sightings = journal.counts()
    assert captures == len({text for text, _ in said})
    for n, (text, source) in enumerate(said):
        if source is not None:
            assert tell(journal, Draft(text, source=source), n + 20) == (
                False,
                False,
            )
    assert journal.counts() == (captures, sightings)


def _memory() -> Journal:
    from companion.storage.journal.journal import BUSY_SECONDS

    db = sqlite3.connect(":memory:", isolation_level=None)
    return Journal(db, fresh=prepare(db, BUSY_SECONDS))


def test_captures_are_values(journal: Journal) -> None:
    tell(journal, Draft("see [[A]] and [[B|b]]"), 1)
    held = journal.capture(id_of("see [[A]] and [[B|b]]"))[0]
    assert isinstance(held, Capture)
    assert held.edges == ("A", "B")


def test_a_telling_that_was_heard_is_not_asked_for_again(
    journal: Journal,
) -> None:
    # Every night would else look at every telling there ever was.
    for second, text in enumerate(("oat milk", "bread", "oat milk"), 1):
        tell(journal, Draft(text), second)
    id = id_of("oat milk")
    captures, later = journal.loose()
    journal.mark_anchored(
        (item.capture.id for item in captures),
        [s for item in captures for s in item.sightings],
    )
    assert (journal.retold(), later) == ([], [])  # nothing is settled yet
    journal.settle([id])
    assert journal.retold() == [id]

    journal.hear([(id, CLOCK.format(1)), (id, CLOCK.format(3))])

    assert journal.retold() == []
    journal.unhear()
    assert journal.retold() == [id]


def test_what_is_asked_every_night_does_not_look_at_what_was_heard(
    journal: Journal,
) -> None:
    asked: list[str] = []
    journal.connection.set_trace_callback(asked.append)
    journal.retold()
    journal.private_count("bot")
    journal.connection.set_trace_callback(None)

    plans = [
        [
            row[3]
            for row in journal.connection.execute("EXPLAIN QUERY PLAN " + query)
        ]
        for query in asked
    ]
    assert all(
        "SCAN" not in step or "INDEX" in step for plan in plans for step in plan
    ), plans
    assert [
        any(index in step for plan in plans for step in plan)
        for index in ("unheard", "own")
    ] == [True, True]


def make_older(path: Path, version: int) -> Sighting:
    """Write a journal as *version* of its schema made it, with one telling."""
    now = CLOCK.format(1)
    capture = make_capture(Draft("oat milk"), now)
    telling = make_sighting(Draft("oat milk"), capture.id, now)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    for schema in SCHEMAS[:version]:
        for statement in statements(schema):
            db.execute(statement)
    db.execute(f"PRAGMA user_version={version}")
    db.execute(
        f"INSERT INTO captures ({CAPTURE}) VALUES (?,?,?,?,?,?,?,?)",
        (*capture[:6], "[]", capture.content),
    )
    fields = SIGHTING.removesuffix(", utc_offset, device")
    db.execute(
        f"INSERT INTO sightings ({fields}) VALUES (?,?,?,?,?,?,?,?)",
        telling[:8],
    )
    db.execute("INSERT INTO meta VALUES ('last_time', ?)", (now,))
    db.close()
    return telling


@pytest.mark.parametrize("version", range(1, len(SCHEMAS)))
def test_a_journal_of_an_older_version_is_taken_over(
    tmp_path: Path, version: int
) -> None:
    telling = make_older(tmp_path / "journal.db", version)

    again = Journal.open(str(tmp_path / "journal.db"))

    assert again.sightings(telling.capture) == (telling,)
    assert tell(again, Draft("oat milk"), 2) == (False, False)
    assert tell(again, Draft("tea", utc_offset=-210), 3) == (True, True)
    assert again.sightings(id_of("tea"))[0].utc_offset == -210
    assert again.capture(id_of("oat milk"))[0].content == b"oat milk"
    indexes = again.connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'index'"
    ).fetchall()
    assert {
        ("sightings_unheard",),
        ("sightings_private",),
        ("sightings_own",),
    } <= set(indexes)
    again.close()


@pytest.mark.parametrize("version", range(1, len(SCHEMAS)))
def test_a_journal_of_an_older_version_is_read_where_it_may_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    path = tmp_path / "journal.db"
    telling = make_older(path, version)
    before = path.read_bytes()
    monkeypatch.setattr("os.access", lambda path, mode: False)

    journal = Journal.open(str(path))

    assert journal.sightings(telling.capture) == (telling,)
    assert [item.sightings for item in journal.unsettled()] == [(telling,)]
    assert journal.is_known_to("owner", telling.capture)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        tell(journal, Draft("tea"), 2)
    journal.close()
    assert path.read_bytes() == before


def test_the_offset_of_a_telling_does_not_make_it_another(
    journal: Journal,
) -> None:
    time = {"event_time": CLOCK.format(9), "source": "a.md"}
    assert tell(journal, Draft("x", **time, utc_offset=120), 1)[1]
    assert not tell(journal, Draft("x", **time, utc_offset=-300), 2)[1]
    assert not tell(journal, Draft("x", **time), 3)[1]
    assert [s.utc_offset for s in journal.sightings(id_of("x"))] == [120]


@given(
    st.permutations([None, 60, None, 120]), st.lists(st.booleans(), min_size=4)
)
def test_copies_of_a_telling_give_one_offset_in_any_order(
    offsets: list[int | None], apart: list[bool]
) -> None:
    now = CLOCK.format(1)
    capture = make_capture(Draft("x"), now)
    plain = make_sighting(Draft("x", source="a.md"), capture.id, now)
    # told at the same time by another source: it keeps what it has
    other = plain._replace(source="b.md", utc_offset=-60)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(f"{folder}/journal.db")
        journal.take_in([Pending(capture, (other,))], [], {})
        for offset, is_later in zip(offsets, apart, strict=False):
            copy = plain._replace(utc_offset=offset)
            whole = [] if is_later else [Pending(capture, (copy,))]
            journal.take_in(whole, [copy] if is_later else [], {})
        assert set(journal.sightings(capture.id)) == {
            other,
            plain._replace(utc_offset=60),
        }
        journal.close()


def test_who_begins_a_journal_waits_for_who_begins_it_too(
    tmp_path: Path,
) -> None:
    """SQLite switches to WAL without waiting: of eight at once, one in fifty was told to try
    again.
    """
    other = sqlite3.connect(
        tmp_path / "journal.db", isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN IMMEDIATE")
    let_go = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    let_go.start()
    Journal.open(str(tmp_path / "journal.db")).close()
    let_go.join()
    other.close()
