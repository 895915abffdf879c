"""Gemini: the activity that Google Takeout exports as HTML, My Activity.html."""

import re

from companion.sources.conversations.gemini import TITLE
from companion.sources.document import Document, Turn
from companion.sources.documents.text import decode_text
from companion.sources.reader import Reader
from companion.sources.records.html_text import read_html
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.values import changed
from companion.sources.records.wording import number_turns

_CELL = re.compile(r'<div class="outer-cell[^"]*"[^>]*>')
_HEADER = re.compile(r'mdl-typography--title">\s*([^<]*)')
_BODY = re.compile(
    r'mdl-typography--body-1">(.*?)</div>\s*<div class="content-cell', re.DOTALL
)
_TIME = re.compile(
    r"(?P<month>[A-Z][a-z]{2}) (?P<day>\d{1,2}), (?P<year>\d{4}),"
    r"\s(?P<hour>\d{1,2}):(?P<minute>\d\d):(?P<second>\d\d)\s?(?P<half>[AP]M)?"
    r"\s(?P<zone>[A-Z]{2,5}|GMT[+-]\d\d:\d\d)<br>"
)
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
# names of zones by the hours that they are east of UTC; CST is taken for the American one
_ZONES = {
    0: ("UTC", "GMT", "WET"),
    1: ("BST", "WEST", "CET"),
    2: ("CEST", "EET"),
    3: ("EEST", "MSK"),
    9: ("JST", "KST"),
    -4: ("EDT",),
    -5: ("EST", "CDT"),
    -6: ("CST", "MDT"),
    -7: ("MST", "PDT"),
    -8: ("PST",),
}
_VERBS = ("Prompted", "Asked", "Branched", "Answered")
_SPEAKER = "Gemini"


def recognise_page(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a page of activity of Gemini."""
    if b"outer-cell" not in head and b"My Activity" not in head[:4096]:
        return False
    return b">Gemini Apps" in head or b">Bard" in head


def read_page(content: bytes, name: str) -> Document:
    """Return the questions and answers of *content* by their times. Raises Unreadable."""
    omissions = Omissions()
    html, _ = decode_text(content)
    cells = _CELL.split(html)[1:]
    if not cells:
        raise changed("no record of activity was found")
    pairs: list[tuple[Turn, ...]] = []
    for number, cell in enumerate(cells, 1):
        pair = _read_cell(cell, number, omissions)
        if pair:
            pairs.append(pair)
    omissions.check(len(pairs))
    pairs.sort(key=lambda pair: pair[0].at or "")
    turns = number_turns(turn for pair in pairs for turn in pair)
    return Document(
        title=TITLE,
        turns=turns,
        site=_SPEAKER,
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _read_cell(
    cell: str, number: int, omissions: Omissions
) -> tuple[Turn, ...]:
    """Return the question and the answer of the record *cell*."""
    header = _HEADER.search(cell)
    body = _BODY.search(cell)
    if header is None or body is None:
        omissions.report(f"record {number}", changed("it has no text"))
        return ()
    if not header[1].startswith((_SPEAKER, "Bard")):
        omissions.count("activities in other programs")
        return ()
    said, time, answer = _split_body(body[1])
    if time is None:
        unknown = changed("its time is not written as in English exports")
        omissions.report(f"record {number}", unknown)
        return ()
    question = _find_question(said)
    if not question:
        omissions.count("activities that are no questions")
        return ()
    at = _read_instant(time)
    turns = [Turn("", "owner", question, at)]
    words = read_html(answer)
    if words:
        turns.append(Turn(_SPEAKER, "assistant", words, at))
    return tuple(turns)


def _split_body(
    body: str,
) -> tuple[str, re.Match[str] | None, str]:
    """Return what stands before the time, the time, and what stands after it."""
    time = _TIME.search(body)
    if time is None:
        return body, None, ""
    return body[: time.start()], time, body[time.end() :]


def _find_question(said: str) -> str:
    """Return the prompt in *said*; nothing where it tells of another deed."""
    text = read_html(said.replace("&nbsp;", " ", 1)).strip()
    for verb in _VERBS:
        if text.startswith(verb + " "):
            return text.removeprefix(verb).strip()
    return ""


def _read_instant(time: re.Match[str]) -> str | None:
    """Return *time* as an instant; None where its zone is not known."""
    hour = int(time["hour"])
    if time["half"]:
        hour = hour % 12 + 12 * (time["half"] == "PM")
    month = _MONTHS.find(time["month"]) // 3 + 1
    day = f"{time['year']}-{month:02}-{int(time['day']):02}"
    clock = f"{hour:02}:{time['minute']}:{time['second']}"
    offset = _find_offset(time["zone"])
    return read_time(f"{day}T{clock}{offset}") if offset else None


def _find_offset(zone: str) -> str:
    """Return the offset of *zone* from UTC as +01:00; nothing where it is not known."""
    if zone[3:4] in ("+", "-"):
        return zone[3:]
    for hours, names in _ZONES.items():
        if zone in names:
            return f"{hours:+03}:00"
    return ""


READER = Reader("gemini page", 1, ("text/html",), recognise_page, read_page)
