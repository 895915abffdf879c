"""Gemini: the activity that Google Takeout exports as JSON, the whole file or one record of it.

Takeout has no conversations, only prompts with their answers, the newest first. Each record is a
question and an answer; they are read in the order of their times.
"""

from companion.sources.document import Document, Turn
from companion.sources.reader import Reader
from companion.sources.records.html_text import read_html
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    get_first,
    get_list,
    get_records,
    get_text,
    load_records,
)
from companion.sources.records.wording import choose_title, number_turns

_PRODUCTS = (b"Gemini", b"Bard")
_SPEAKER = "Gemini"
TITLE = "Questions to Gemini"
# how English exports begin the title of a prompt
_VERBS = ("Prompted ", "Asked ", "Branched ", "Answered ")
# what people do with the program that is no question
_DEEDS = ("Created ", "Used ", "Added ", "Gave ", "Selected ", "Shared ")


def recognise_activity(head: bytes, name: str) -> bool:
    """Tell whether *head* begins an activity of Gemini."""
    shape = find_shape(head)
    if not {"header", "title", "time"} <= shape.keys:
        return False
    return any(product in head[:4096] for product in _PRODUCTS)


def read_activity(content: bytes, name: str) -> Document:
    """Return the questions and answers of *content* by their times. Raises Unreadable."""
    omissions = Omissions()
    records = load_records(content)
    records.sort(key=lambda record: get_text(record, "time"))
    turns: list[Turn] = []
    for record in records:
        turns += _read_record(record, omissions)
    numbered = number_turns(turns)
    alone = len(records) == 1
    first = numbered[0].at if numbered else None
    return Document(
        title=choose_title("" if alone else TITLE, numbered, TITLE),
        turns=numbered,
        key=_find_key(records[0]) if alone else None,
        site=_SPEAKER,
        url=get_text(records[0], "titleUrl") or None if alone else None,
        published_at=first,
        warnings=omissions.sentences(),
    )


def _find_key(record: Record) -> str | None:
    """Return what tells *record* from others: its time, which has milliseconds."""
    time = read_time(record.get("time"))
    return f"gemini:{time}" if time else None


def _read_record(record: Record, omissions: Omissions) -> list[Turn]:
    """Return the question and the answers of *record*."""
    header = get_text(record, "header")
    if not any(product.decode() in header for product in _PRODUCTS):
        omissions.count("activities in other programs")
        return []
    answers = [
        get_text(item, "html") for item in get_records(record, "safeHtmlItem")
    ]
    question = _find_question(get_first(record, "title"), bool(answers))
    files = _find_files(record)
    if not question and not answers and not files:
        omissions.count("activities that are no questions")
        return []
    at = read_time(record.get("time"))
    turns = [Turn("", "owner", question, at, attachments=files)]
    words = "\n\n".join(read_html(answer) for answer in answers)
    if words:
        turns.append(Turn(_SPEAKER, "assistant", words, at))
    return turns


def _find_question(title: str, answered: bool) -> str:
    """Return the prompt in *title*; nothing where it tells of another deed."""
    for verb in _VERBS:
        if title.startswith(verb):
            return title.removeprefix(verb)
    if title.startswith(_DEEDS) or not answered:
        return ""
    # another language: its verb cannot be told from the prompt
    return title


def _find_files(record: Record) -> tuple[str, ...]:
    names: list[str] = []
    for key in ("attachedFiles", "imageFile"):
        value = record.get(key)
        for item in get_list(record, key) or [value]:
            names.append(
                get_first(item, "name", "fileName")
                if isinstance(item, dict)
                else str(item or "")
            )
    return tuple(dict.fromkeys(name for name in names if name))


READER = Reader(
    "gemini", 1, ("application/json",), recognise_activity, read_activity
)
