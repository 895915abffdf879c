"""TRIAGE: durable before it is acknowledged, idempotent, and without a handle to the wiki."""

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.operations.triage import arguments, capture, filter
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.values.refusals import Refusal
from companion.values.time import local_day, parse_instant
from companion.workspace import Workspace
from tests.wiki import Wiki, check_captures
from tests.zone import BERLIN, KOLKATA, NEW_YORK, set_zone


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", {"a.md": "x"})


def stream(wiki: Wiki, data: bytes, **options: Any) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    capture.triage_stream(
        wiki.ws,
        io.BytesIO(data),
        Draft(""),
        acknowledge=answers.append,
        **options,
    )
    return answers


def test_a_capture_is_acknowledged_with_what_it_is(wiki: Wiki) -> None:
    done = wiki.ingest("# Oat milk\n\nBuy some", source="cli")[0]
    assert (done["title"], done["status"], done["source"]) == (
        "Oat milk",
        "captured",
        "cli",
    )
    assert (
        wiki.git(
            "hash-object", "--stdin", stdin="# Oat milk\n\nBuy some"
        ).strip()
        == done["blob"]
    )
    assert (
        wiki.git("cat-file", "blob", done["blob"]) == "# Oat milk\n\nBuy some"
    ), "the pointer is valid at once"
    again = wiki.ingest("# Oat milk\n\nBuy some", source="cli")[0]
    assert (again["status"], again["id"]) == ("seen", done["id"])


def test_the_branch_the_index_and_the_pages_are_as_before(wiki: Wiki) -> None:
    """TRI-4."""
    before = (
        wiki.head,
        wiki.git("ls-files", "-s"),
        wiki.status(),
        wiki.git("for-each-ref"),
    )
    wiki.ingest("one", "two")
    stream(wiki, b"three\nfour\n")
    assert (
        wiki.head,
        wiki.git("ls-files", "-s"),
        wiki.status(),
        wiki.git("for-each-ref"),
    ) == before


def test_triage_works_where_the_wiki_cannot_be_read(wiki: Wiki) -> None:
    """TRI-5: pages, index and heads could be gone altogether."""
    ws = wiki.ws
    for path in (
        wiki.root / "a.md",
        wiki.root / ".git" / "index",
        wiki.root / ".git" / "companion" / "index.db",
    ):
        path.unlink()
    for folder in (
        wiki.root / ".companion",
        wiki.root / ".git" / "refs" / "heads",
        wiki.root / ".git" / "logs",
    ):
        shutil.rmtree(folder)
    done = capture.ingest(ws, [Draft("still captured")])
    assert done["counts"] == {
        "captured": 1,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 0,
    }
    assert layout.find_place(str(wiki.root)).journal_db == ws.place.journal_db


def test_every_refusal_is_reported_and_the_rest_is_stored(wiki: Wiki) -> None:
    given = [
        Draft("good"),
        Draft("  ", origin="two"),
        Refusal("three", "binary", "not text", "…"),
        Draft("also good"),
    ]
    wiki.tick()
    done = capture.ingest(wiki.ws, given)
    assert done["counts"] == {
        "captured": 2,
        "seen": 0,
        "kept": 0,
        "known": 0,
        "passed_over": 0,
        "refused": 2,
    }
    assert [(item["origin"], item["kind"]) for item in done["refused"]] == [
        ("two", "empty"),
        ("three", "binary"),
    ]
    assert wiki.journal().counts() == (2, 2)


SECRET = "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYqq11223344"


def test_a_secret_is_refused_redacted_or_kept_as_told(wiki: Wiki) -> None:
    wiki.tick()
    refused = capture.ingest(wiki.ws, [Draft(SECRET)])
    assert (refused["counts"]["refused"], refused["refused"][0]["kind"]) == (
        1,
        "secret",
    )
    assert "wJalr" not in str(refused)
    redacted = capture.ingest(wiki.ws, [Draft(SECRET)], redact=True)[
        "captures"
    ][0]
    assert "wJalr" not in wiki.show(redacted["id"])["text"]
    kept = capture.ingest(wiki.ws, [Draft(SECRET)], store_anyway=True)[
        "captures"
    ][0]
    assert wiki.show(kept["id"])["text"] == SECRET
    everything = b"".join(
        p.read_bytes()
        for p in (wiki.root / ".git" / "companion").glob("journal.db*")
    )
    assert everything.count(b"bPxRfiCYqq") >= 1


@pytest.mark.parametrize("field", ["title", "source", "channel", "agent"])
def test_a_secret_in_a_field_is_refused_too(wiki: Wiki, field: str) -> None:
    token = "ghp_" + "wWzJ0aLr1XUtnFEMI7MDENGbPxRfiCYq1122"
    wiki.tick()
    draft = Draft("fine", **{field: token})

    (refused,) = capture.ingest(wiki.ws, [draft])["refused"]
    assert f"GitHub token in the {field}" in refused["reason"]
    assert token not in str(refused)
    (kept,) = capture.ingest(wiki.ws, [draft], redact=True)["captures"]
    assert token not in str(wiki.show(kept["id"]))


def test_a_refused_secret_is_nowhere_on_disk(wiki: Wiki) -> None:
    wiki.tick()
    capture.ingest(wiki.ws, [Draft(SECRET), Draft("fine")])
    stream(wiki, SECRET.encode() + b"\n")
    for path in wiki.root.rglob("*"):
        assert not path.is_file() or b"bPxRfiCYqq" not in path.read_bytes(), (
            path
        )


@pytest.mark.parametrize(
    "count",
    [1, capture.BULK - 1, capture.BULK, capture.BATCH, capture.BATCH + 1],
)
def test_a_bulk_is_complete_at_every_border(wiki: Wiki, count: int) -> None:
    seen: list[int] = []
    wiki.tick()
    done = capture.ingest(
        wiki.ws,
        (Draft(f"text {n}") for n in range(count)),
        progress=seen.append,
    )
    assert done["counts"]["captured"] == count == sum(seen)
    assert len({item["ingested_at"] for item in done["captures"]}) == count
    check_captures(
        wiki,
        {
            item["id"]: f"text {n}".encode()
            for n, item in enumerate(done["captures"])
        },
    )
    repo = wiki.repo()
    assert all(repo.has(item["blob"]) for item in done["captures"])


def test_a_bulk_beside_a_night_is_durable_and_anchored_later(
    wiki: Wiki,
) -> None:
    from companion.storage.files import lock

    with lock.lock_file(f"{wiki.ws.place.state}/sleep.lock", "a night"):
        wiki.ingest(*(f"text {n}" for n in range(capture.BULK)))
        assert wiki.journal().loose_count() == capture.BULK
    assert wiki.consolidate()["counts"]["captures"] == capture.BULK


def test_what_came_before_a_failure_stays_and_the_failure_is_told(
    wiki: Wiki,
) -> None:
    def items() -> Any:
        for n in range(capture.BATCH + 10):
            yield Draft(f"text {n}")
        raise OSError("the stick was pulled out")

    wiki.tick()
    with pytest.raises(OSError, match="stick"):
        capture.ingest(wiki.ws, items())
    assert wiki.journal().counts()[0] == capture.BATCH


def test_a_stream_is_durable_line_by_line(wiki: Wiki) -> None:
    held: list[int] = []

    def acknowledge(answer: dict[str, Any]) -> None:
        journal = wiki.journal()
        held.append(journal.counts()[0])
        journal.close()

    capture.triage_stream(
        wiki.ws,
        io.BytesIO(b"one\ntwo\n\none\n"),
        Draft(""),
        acknowledge=acknowledge,
    )
    assert held == [1, 2, 2]


def test_a_stream_answers_every_line(wiki: Wiki) -> None:
    answers = stream(
        wiki, b"one\n" + SECRET.encode() + b"\n\xff\xfe\ntwo\none\none\n"
    )
    assert [answer["status"] for answer in answers] == [
        "captured",
        "refused",
        "refused",
        "captured",
        "seen",
        "seen",
    ]
    tellings = wiki.journal().sightings(answers[0]["id"])
    assert len(tellings) == 2, "one, two, one: it ends at one"


def test_two_processes_at_once_lose_nothing(wiki: Wiki) -> None:
    """The same and different words from several writers: each word once, each telling once."""
    pids = []
    for n in range(4):
        pid = os.fork()
        if pid == 0:
            ws = Workspace(wiki.ws.place, f"2026-11-01T09:00:0{n}.000000Z")
            done = capture.ingest(
                ws,
                [
                    Draft(f"text {m}", source=f"writer {n}")
                    for m in range(n, n + 20)
                ],
            )
            os._exit(
                0
                if done["counts"]["captured"] + done["counts"]["seen"] == 20
                else 1
            )
        pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    assert wiki.journal().counts() == (23, 80)
    times = [
        s.seen_at
        for id, _, _ in wiki.journal().ids()
        for s in wiki.journal().sightings(id)
    ]
    assert len(set(times)) == len(times)


def test_a_clock_set_back_never_reorders(wiki: Wiki) -> None:
    one = wiki.ingest("one")[0]
    wiki.tick(days=-1)
    two = wiki.ingest("two")[0]
    assert two["ingested_at"] > one["ingested_at"]


# -- the teller's UTC offset -----------------------------------------------------------------------


def offset_of(wiki: Wiki, id: str) -> int | None:
    (telling,) = wiki.journal().sightings(id)
    return telling.utc_offset


@pytest.mark.parametrize(
    ("zone", "month", "offset"),
    [
        ("UTC", 1, None),
        (BERLIN, 1, 60),
        (BERLIN, 7, 120),
        (NEW_YORK, 1, -300),
        (NEW_YORK, 7, -240),
        (KOLKATA, 1, 330),
        ("FAR-15", 1, None),
    ],
)
def test_a_note_keeps_the_offset_of_the_machine_at_that_moment(
    wiki: Wiki,
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
    month: int,
    offset: int | None,
) -> None:
    """Also where the clock of the machine stands in another season by now."""
    set_zone(monkeypatch, zone)
    wiki.now = wiki.now.replace(year=2027, month=month, day=15)
    told = wiki.ingest("a thought")[0]
    assert offset_of(wiki, told["id"]) == offset
    streamed = stream(wiki, b"another\n")[0]
    assert offset_of(wiki, streamed["id"]) == offset


@pytest.mark.parametrize(
    ("given", "offset", "day"),
    [
        ("2026-11-22T23:30+02:00", 120, "2026-11-22"),
        ("2026-11-22T23:30-11:00", -660, "2026-11-22"),
        ("2026-11-22T23:30Z", None, "2026-11-22"),
        ("2026-11-22T23:30", None, "2026-11-22"),
        ("2026-11-22", None, "2026-11-22"),
        ("2026-11-22T23:30+15:00", None, "2026-11-22"),
    ],
)
def test_a_time_that_was_given_keeps_its_own_offset_and_its_day(
    wiki: Wiki,
    monkeypatch: pytest.MonkeyPatch,
    given: str,
    offset: int | None,
    day: str,
) -> None:
    """Without a zone it is UTC, on every machine: its day is the one that was written."""
    set_zone(monkeypatch, NEW_YORK)
    told = wiki.ingest("a thought", event_time=given)[0]
    (telling,) = wiki.journal().sightings(told["id"])
    assert telling.utc_offset == offset
    assert telling.event_time == parse_instant(given)
    assert local_day(telling.event_time, telling.utc_offset) == day


def test_the_same_words_from_another_zone_are_the_same_telling(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = {"source": "mail", "event_time": "2026-11-22T23:30+02:00"}
    told = wiki.ingest("a thought", **about)[0]
    set_zone(monkeypatch, NEW_YORK)
    about["event_time"] = "2026-11-22T16:30-05:00"
    again = wiki.ingest("a thought", **about)[0]
    assert (again["id"], again["status"]) == (told["id"], "seen")
    assert offset_of(wiki, told["id"]) == 120


def test_a_time_in_a_json_line_does_not_borrow_the_offset_of_another() -> None:
    defaults = Draft("", event_time="2026-03-01T08:00+02:00")
    lines = [
        {"text": "a"},
        {"text": "b", "event_time": "2026-03-01"},
        {"text": "c", "event_time": "2026-03-01T08:00-05:00"},
    ]
    data = "\n".join(map(json.dumps, lines)).encode()
    items = arguments.drafts(
        [],
        lines=False,
        jsonl="-",
        defaults=defaults,
        stdin=io.BytesIO(data),
    )
    judged = [filter.judge(item) for item in items if isinstance(item, Draft)]
    assert [item.utc_offset for item in judged if isinstance(item, Draft)] == [
        120,
        None,
        -300,
    ]


def test_the_offset_comes_back_from_git_with_a_lost_journal(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_zone(monkeypatch, BERLIN)
    told = wiki.ingest("a thought")[0]
    wiki.consolidate()
    for path in Path(wiki.ws.place.state).glob("journal.db*"):
        path.unlink()
    set_zone(monkeypatch, NEW_YORK)
    assert offset_of(wiki, told["id"]) == 60
    assert wiki.show(told["id"])["sightings"][0]["utc_offset"] == 60
