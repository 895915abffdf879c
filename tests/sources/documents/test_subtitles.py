"""Subtitles: words by the time at which they are said."""

import pytest

from companion.sources.documents.subtitles import READER, read_subtitles
from tests.sources.samples import load


def _say(content: bytes) -> list[tuple[str, str]]:
    passages = read_subtitles(content, "x").passages
    return [(passage.place, passage.text) for passage in passages]


def test_cues_of_one_voice_go_on_and_a_pause_ends_them():
    assert _say(load("talk.vtt")) == [
        ("0:00:01", "Ida: The kiln was fired 14 times in 2025."),
        ("0:03:10", "Jörg: And it broke twice."),
    ]
    assert _say(load("talk.srt")) == [
        ("0:00:01", "The kiln was fired"),
        ("0:01:04", "again."),
    ]


def test_recordings_that_roll_say_each_line_once():
    cues = (
        "00:01.000 --> 00:02.000\nthe kiln\n\n"
        "00:02.000 --> 00:03.000\nthe kiln\nwas<00:02.500><c> fired</c>\n\n"
        "00:03.000 --> 00:04.000\nwas fired\ntwice &amp; again\n"
    )

    assert _say(f"WEBVTT\n\n{cues}".encode()) == [
        ("0:00:01", "the kiln was fired twice & again")
    ]


def test_a_long_talk_begins_a_passage_at_a_sentence():
    cues = "".join(
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\nSentence {n} is said.\n\n"
        for n in range(1, 200)
    )
    found = _say(cues.encode())

    assert 5 < len(found) < 40
    assert all(text.endswith("said.") for _, text in found)


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b"WEBVTT\n", True),
        (b"\xef\xbb\xbf1\r\n00:00:01,000 --> 00:00:02,000\r\n", True),
        (b"1\nA list that is numbered\n", False),
        (b"{}", False),
    ],
)
def test_subtitles_are_told_by_their_first_lines(head, known):
    assert READER.recognises(head, "x.srt") is known
