"""Reading in a process of its own: what a bad reader does costs one item, and has a name."""

import json
import subprocess
import sys
from importlib import metadata

import pytest

from companion.sources import wire
from companion.sources.document import (
    Document,
    Memory,
    Passage,
    Turn,
    Unreadable,
)
from companion.sources.read import (
    Readers,
    Reading,
    decode_answer,
    read_document,
)
from companion.sources.reader import Limits
from tests.sources.originals import make

SHORT = Limits(cpu_seconds=1, wall_seconds=30, memory=400 * 2**20, answer=2**20)
BAD = "tests.sources.misbehaving"


@pytest.fixture
def readers():
    with Readers(SHORT, registry=BAD) as readers:
        yield readers


def _read(readers: Readers, content: bytes, name: str = "x.bad") -> Reading:
    return readers.read(content, make(content, name))


@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        (b"loop", "too-slow"),
        (b"eat", "out-of-memory"),
        (b"eat like rust", "out-of-memory"),
        (b"die", "crashed"),
        (b"exit", "crashed"),
        (b"fail", "crashed"),
        (b"sink", "too-deep"),
        (b"write", "crashed"),
        (b"lock", "encrypted"),
        (b"blank", "empty"),
        (b"long", "too-large"),
        (b"", "empty"),
    ],
)
def test_a_bad_reader_costs_one_item_and_has_a_name(readers, deed, kind):
    with pytest.raises(Unreadable) as caught:
        _read(readers, deed)

    assert caught.value.code == kind
    assert str(caught.value)
    assert caught.value.hint
    assert _read(readers, b"good").document.passages[0].text == "good"


def test_the_two_limits_of_time_are_told_apart(readers):
    with pytest.raises(Unreadable, match="more than 1 CPU seconds"):
        _read(readers, b"loop")

    limits = SHORT._replace(wall_seconds=2)
    with Readers(limits, registry=BAD) as sleepers:
        with pytest.raises(Unreadable, match="more than 2 seconds") as caught:
            _read(sleepers, b"sleep")
        assert caught.value.code == "too-slow"


def test_a_crash_names_the_signal(readers):
    with pytest.raises(Unreadable, match="SIGSEGV"):
        _read(readers, b"die")


def test_an_error_of_a_reader_never_quotes_the_original(readers):
    with pytest.raises(Unreadable) as caught:
        _read(readers, b"fail")

    assert "words of the person" not in str(caught.value)
    assert "ValueError" in str(caught.value)


def test_many_items_share_one_process_and_a_crash_begins_another(readers):
    first = _read(readers, b"pid").document
    second = _read(readers, b"pid").document
    with pytest.raises(Unreadable):
        _read(readers, b"die")
    third = _read(readers, b"pid").document

    assert first == second
    assert third != first


def test_what_a_reader_prints_is_no_answer(readers):
    assert _read(readers, b"chatter").document.title == "good"


def test_a_document_has_no_control_characters(readers):
    document = _read(readers, b"controls").document

    assert document.title == "a[31m b"
    assert document.passages[0].text == "cde\nf?"


def test_what_no_reader_knows_is_unknown(readers):
    with pytest.raises(Unreadable) as caught:
        _read(readers, b"anything", "x.xyz")

    assert caught.value.code == "unknown"


def test_an_original_beyond_the_limit_starts_no_process():
    with Readers(SHORT._replace(content=10), registry=BAD) as readers:
        with pytest.raises(Unreadable) as caught:
            _read(readers, b"x" * 11)

        assert caught.value.code == "too-large"
        assert readers._process is None


def test_a_reading_names_its_reader(readers):
    assert _read(readers, b"good").reader == "bad 7"


def test_a_reading_names_the_library_that_decides_about_its_text():
    page = b"<html><body><p>Green tea.</p></body></html>"
    with Readers() as readers:
        reading = readers.read(page, make(page, "tea.html"))

    version = metadata.version("trafilatura")
    assert reading.reader == f"html 1, trafilatura {version}"


def test_no_process_is_left_behind(readers):
    _read(readers, b"good")
    process = readers._process.popen
    readers.close()

    assert process.returncode == 0


def test_the_watch_ends_a_process_where_the_system_keeps_no_limit():
    code = (
        "from companion.sources.child import watch_memory\n"
        "watch_memory(100 * 2**20)\n"
        "eaten = []\n"
        "while True: eaten.append(b'x' * 2**20)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], timeout=60)

    assert ended.returncode == 86


def test_a_document_survives_the_way_between_processes():
    document = Document(
        "Title",
        (Passage("words", "heading", 2, "line 1"),),
        (Turn("Ann", "other", "hi", None, "turn 1", ("a.pdf",)),),
        (Memory("tea", "2026-01-01T00:00:00.000000Z"),),
        key="k",
        authors=("A",),
        links=("https://example.org",),
        warnings=("w",),
    )

    assert wire.decode_document(wire.encode_document(document)) == document


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{}",
        b"[1]",
        b"null",
        b"[" * 100_000,
        json.dumps([1] * 11).encode(),
    ],
)
def test_an_answer_that_is_no_document_is_refused(answer):
    with pytest.raises(Unreadable) as caught:
        wire.decode_document(answer)

    assert caught.value.code == "crashed"


@pytest.mark.parametrize(
    "answer",
    [b"", b"{}", b'["a", 1]', b'["a", "b", []]', b'["a", 1, ["b"]]', b"1"],
)
def test_an_answer_of_another_shape_is_refused(answer):
    with pytest.raises(Unreadable) as caught:
        decode_answer(answer)

    assert caught.value.code == "crashed"


def test_a_process_that_served_long_makes_room_for_another(
    readers, monkeypatch
):
    monkeypatch.setattr("companion.sources.read._MOST_ITEMS", 3)
    pids = [_read(readers, b"pid").document.text for _ in range(7)]

    assert [len(set(pids[n : n + 3])) for n in (0, 3)] == [1, 1]
    assert len(set(pids)) == 3


def test_an_interrupted_reading_leaves_no_process(readers, monkeypatch):
    def interrupt(*arguments: object) -> bytes:
        raise KeyboardInterrupt

    _read(readers, b"good")
    process = readers._process.popen
    monkeypatch.setattr("companion.sources.read._receive", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _read(readers, b"loop")

    assert process.poll() is not None


def test_one_document_is_read_by_one_call():
    document = read_document(b"# Tea\n\nGreen.\n", make(b"", "tea.md"))

    assert document.title == "Tea"
    assert document.passages == (
        Passage("Tea", "heading", 1, "line 1"),
        Passage("Green.", "paragraph", 0, "line 3"),
    )
