"""Subtitles and transcripts with times: WebVTT and SubRip."""

import re
from typing import NamedTuple

from companion.sources.document import Document, Passage
from companion.sources.documents.text import (
    check_text,
    decode_text,
    find_title,
    is_text,
)
from companion.sources.reader import Reader

_MEDIA_TYPES = ("text/vtt", "application/x-subrip")
_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{3})"
_CUE = re.compile(_TIME + r"[ \t]+-->[ \t]+" + _TIME)
_VOICE = re.compile(r"<v(?:\.[^ >]*)?[ \t]+([^>]{1,100})>")
_TAG = re.compile(r"</?[a-z][^>]{0,100}>|<[\d:.]+>|\{\\[^}]{1,40}\}", re.I)
_LONG = 400  # characters; then the next sentence begins a passage
_PAUSE = 4.0  # seconds; after it the next cue begins a passage
_END = (".", "!", "?", "…", '."', "。")


class Cue(NamedTuple):
    """Words that are shown for a while."""

    start: float  # seconds
    end: float
    voice: str
    text: str


def recognise_subtitles(head: bytes, name: str) -> bool:
    """Tell whether *head* begins subtitles: WEBVTT, or a numbered cue with its times."""
    if not is_text(head):
        return False
    start = decode_text(head[:400])[0].lstrip("\ufeff \r\n")
    if start.startswith("WEBVTT"):
        return True
    lines = start.splitlines()[:2]
    numbered = bool(lines) and lines[0].strip().isdigit()
    return numbered and len(lines) == 2 and bool(_CUE.match(lines[1].strip()))


def read_subtitles(content: bytes, name: str) -> Document:
    """Return the words of the subtitles *content*; their places are times of the recording."""
    check_text(content)
    text, warning = decode_text(content)
    passages: list[Passage] = []
    last: Cue | None = None
    for cue in _find_cues(text):
        if last is not None and _goes_on(passages[-1], last, cue):
            joined = f"{passages[-1].text} {cue.text}"
            passages[-1] = passages[-1]._replace(text=joined)
        else:
            passages.append(Passage(_say(cue), place=say_time(cue.start)))
        last = cue
    return Document(
        title=find_title(name),
        passages=tuple(passages),
        warnings=(warning,) if warning else (),
    )


def say_time(seconds: float) -> str:
    """Return *seconds* as h:mm:ss."""
    minutes, second = divmod(int(seconds), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}"


def _find_cues(text: str) -> list[Cue]:
    cues: list[Cue] = []
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = ""  # the last line, which recordings that roll show again
    for block in re.split(r"\n[ \t]*\n", plain):
        lines = block.strip("\n").split("\n")
        cue = _read_cue(lines, shown)
        if cue is None:
            continue
        shown = _clean(lines[-1])
        if cue.text:
            cues.append(cue)
    return cues


def _read_cue(lines: list[str], shown: str) -> Cue | None:
    """Read a block; None where it is a note, a style or the head of the file."""
    for number, line in enumerate(lines[:2]):
        times = _CUE.match(line.strip())
        if times is not None:
            words = lines[number + 1 :]
            voice = _VOICE.search("\n".join(words))
            said = [_clean(word) for word in words]
            if said and said[0] == shown:
                said = said[1:]
            return Cue(
                _count_seconds(times.groups()[:4]),
                _count_seconds(times.groups()[4:]),
                voice[1].strip() if voice else "",
                " ".join(word for word in said if word),
            )
    return None


def _clean(line: str) -> str:
    from html import unescape

    return " ".join(unescape(_TAG.sub("", line)).split())


def _count_seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, thousandths = (int(part or 0) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000


def _goes_on(passage: Passage, last: Cue, cue: Cue) -> bool:
    if cue.voice != last.voice or cue.start - last.end > _PAUSE:
        return False
    return len(passage.text) < _LONG or not passage.text.endswith(_END)


def _say(cue: Cue) -> str:
    return f"{cue.voice}: {cue.text}" if cue.voice else cue.text


READER = Reader(
    "subtitles", 1, _MEDIA_TYPES, recognise_subtitles, read_subtitles
)
