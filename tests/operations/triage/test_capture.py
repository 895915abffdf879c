"""TRIAGE: durable before it is acknowledged, idempotent, and without a handle to the wiki."""

import io
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.values.refusals import Refusal
from companion.workspace import Workspace
from tests.wiki import Wiki, check_captures


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
    assert done["counts"] == {"captured": 1, "seen": 0, "refused": 0}
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
    assert done["counts"] == {"captured": 2, "seen": 0, "refused": 2}
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
