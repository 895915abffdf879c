"""Laws of every reader of conversations: no word is lost, the order stays, times are UTC."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sources.document import Unreadable
from companion.sources.reader import HEAD
from companion.sources.registry import choose_reader
from companion.values.time import parse_instant
from tests.sources.conversations.writers import WRITERS, Saying, time_of

# words as people type them; a time at the beginning of a line would begin a message in WhatsApp
_WORDS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Zl", "Zp")
    ),
    min_size=1,
    max_size=40,
).map(lambda text: "said " + text.strip())
_TEXTS = st.lists(_WORDS, min_size=1, max_size=3).map("\n".join)
_TALKS = st.lists(st.builds(Saying, st.booleans(), _TEXTS), max_size=6).map(
    lambda more: [
        Saying(True, "said first"),
        Saying(False, "said second"),
        *more,
    ]
)


def _read(content: bytes, name: str):
    reader = choose_reader(content[:HEAD], name, "")
    assert reader is not None
    return reader, reader.read(content, name)


@pytest.mark.parametrize("format", WRITERS)
@given(talk=_TALKS)
def test_every_word_is_read_in_order_with_who_said_it(format, talk):
    name, write = WRITERS[format]
    reader, document = _read(write(talk), name)

    assert reader.name == format
    read = [
        (turn.role == "owner", turn.text.strip()) for turn in document.turns
    ]
    assert read == [(saying.mine, saying.text.strip()) for saying in talk]


@pytest.mark.parametrize("format", WRITERS)
@given(talk=_TALKS)
def test_times_are_utc_and_the_ones_that_were_written(format, talk):
    name, write = WRITERS[format]
    _, document = _read(write(talk), name)

    for number, turn in enumerate(document.turns):
        assert turn.at == parse_instant(time_of(number).isoformat())


@pytest.mark.parametrize("format", WRITERS)
@given(talk=_TALKS)
def test_every_place_finds_its_turn(format, talk):
    name, write = WRITERS[format]
    content = write(talk)
    _, document = _read(content, name)

    lines = content.decode().split("\n")
    for number, turn in enumerate(document.turns):
        kind, _, where = turn.place.partition(" ")
        if kind == "turn":
            assert int(where) == number + 1
            continue
        first, _, last = where.partition("-")
        there = "\n".join(lines[int(first) - 1 : int(last or first)])
        assert turn.text in there or json.dumps(turn.text)[1:-1] in there


@pytest.mark.parametrize(
    "format", ["chatgpt", "claude", "ai studio", "telegram"]
)
@given(talk=_TALKS, cut=st.integers(1, 10_000))
def test_an_export_that_is_cut_off_is_no_shorter_conversation(
    format, talk, cut
):
    name, write = WRITERS[format]
    whole = write(talk)
    reader, _ = _read(whole, name)

    with pytest.raises(Unreadable) as caught:
        reader.read(whole[: cut % len(whole)], name)

    assert caught.value.code == "truncated"


@pytest.mark.parametrize("format", ["claude code", "codex", "chat"])
@given(talk=_TALKS, cut=st.integers(1, 10_000))
def test_a_log_that_is_cut_off_is_read_up_to_there_and_says_so(
    format, talk, cut
):
    name, write = WRITERS[format]
    whole = write(talk)
    reader, document = _read(whole, name)
    # within the last line, whose end is missing
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    part = whole[: last + 1 + cut % (len(whole) - last - 3)]

    read = reader.read(part, name)

    assert read.turns == document.turns[:-1]
    assert any("cannot be read" in warning for warning in read.warnings)


@pytest.mark.parametrize("format", WRITERS)
def test_any_bytes_are_an_error_with_a_name(format):
    name, write = WRITERS[format]
    reader, _ = _read(
        write([Saying(True, "said a"), Saying(False, "said b")]), name
    )

    for content in (
        b"{}",
        b"[]",
        b"[1]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b"{",
        b"x" * 9,
    ):
        with pytest.raises(Unreadable) as caught:
            document = reader.read(content, name)
            # nothing in it: the process that reads says so
            assert not document.turns
            raise Unreadable("empty", "")
        assert caught.value.code
