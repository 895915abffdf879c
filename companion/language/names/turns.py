"""Who speaks: a source by its name, and the speakers of a conversation that a note holds.

"I" is whoever speaks (spec TRI-8). A wrong guess puts words into a person's mouth, so what may hold
anybody's words ("mail", a web address) has no speaker, and lines are turns only where they surely
are.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from companion.language.names import naming
from companion.language.word_kinds import read_word_kinds

DATA = "speakers.txt"
OWNER = ""  # who keeps the wiki

_ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]*://|^www\.", re.IGNORECASE)
_FILE = re.compile(
    r"[/\\]|\.(?:md|txt|markdown|org|rst|eml|pdf|docx?|html?|csv|jsonl?|vtt|srt|log|odt|epub)$",
    re.IGNORECASE,
)
# what stands behind a name: "Moira (agency)", "Sister Maeve, Ward 9", "Ana <ana@example.org>"
_BEHIND = re.compile(r"\s*[(\[<,;|].*$", re.DOTALL)
_DETERMINER = re.compile(
    r"^(?:the|an?|my|our|der|die|das|eine?|meine?|unsere?|l[ea]s?|une?|mon|ma|el|los|una?|mi) ",
    re.IGNORECASE,
)
_LONGEST = 40  # characters of a speaker's name
# letters of a word that ends a compound: a shorter one ends surnames, too ("McCall")
_LONG = 5
_POSSESSIVE = re.compile(r"['\u2019]s ")  # "Tom's diary" is not the owner's
_PARTS = re.compile(r"[\s_-]+")
# "Ana: ", "- **Ana** (10:02): ", "[10:02] Ana: ", "01/05/2026, 10:02 - Ana Silva: ", "<ana> "
_TURN = re.compile(
    r"^[ \t]*+(?:[-*>+][ \t]+)?"
    r"(?:\[[\d.:/, \tTZapmAPM-]{4,30}\][ \t]*|[\d./:-]{4,10}(?:,?[ \t]+\d{1,2}:\d\d(?::\d\d)?)?"
    r"(?:[ \t]+[-\u2013\u2014])?[ \t]+)?"
    r"(?:<(?P<handle>[\w.-]{2,30})>"
    r"|(?:\*\*|__)?(?P<name>[^\W\d_][\w'\u2019.-]*(?:[ \t][^\W\d_][\w'\u2019.-]*){0,2})(?:\*\*|__)?"
    r"(?:[ \t]*[(\[][\d.:/, \tapmAPM-]{4,20}[)\]])?(?:\*\*|__)?:(?:\*\*|__)?)[ \t]+(?=\S)",
    re.MULTILINE,
)

_WORD = re.compile(r"[^\W\d_]+")


class Turn(NamedTuple):
    """What one speaker says: text[start:end], behind a label that begins at *opening*."""

    speaker: str  # as the text names it; `OWNER` for "me"
    opening: int
    start: int
    end: int


def find_speaker(source: str) -> str | None:
    """Return whom "I" means where *source* says something.

    `OWNER` for who keeps the wiki, as in a file or a diary; None for nobody known, as in a mail.
    """
    if _ADDRESS.search(source):
        return None
    if _FILE.search(source):
        return OWNER
    name = " ".join(_BEHIND.sub("", source).split()).lstrip("@")
    bare = _DETERMINER.sub("", name).lower()
    kind = _kind_of(bare)
    if kind == "own":
        return OWNER
    is_unknown = kind == "media" or bare != name.lower()
    if not name or len(name) > _LONGEST or is_unknown:
        return None
    return name


def _kind_of(source: str) -> str:
    """Return "own", "media" or nothing, by the word that says what a *source* is: the last one, or
    the end of a compound ("Praxisbrief").
    """
    kinds = read_word_kinds(DATA)
    first, *others = _PARTS.split(source)
    if source in kinds["owner"] | kinds["talk"] or first in kinds["self"]:
        return "own"
    head = others[-1] if others else first
    if _is_or_ends_in(head, kinds["own"]):
        return "media" if _POSSESSIVE.search(source) else "own"
    if _is_or_ends_in(head, kinds["media"]):
        return "media"
    talks = any(head.endswith(word) for word in kinds["talk"])
    return "media" if talks else ""


def _is_or_ends_in(name: str, words: Iterable[str]) -> bool:
    return any(
        name == word or (len(word) >= _LONG and name.endswith(word))
        for word in words
    )


def read_turns(text: str) -> list[Turn]:
    """Return the turns of the conversation that *text* holds; none where it holds none.

    Two speakers at least, and none called like a heading ("Goal: ", "Monday: "). What one says goes
    on until the next one speaks.
    """
    labels = list(_TURN.finditer(text))
    names = [label["name"] or label["handle"] for label in labels]
    if len(set(names)) < 2 or not all(map(_may_speak, labels)):
        return []
    ends = [label.start() for label in labels[1:]]
    turns: list[Turn] = []
    for name, label, end in zip(names, labels, [*ends, len(text)], strict=True):
        speaker = _speaker_of(name)
        turns.append(Turn(speaker, label.start(), label.end(), end))
    return turns


def blank_labels(text: str, turns: Iterable[Turn]) -> str:
    """Return *text* with line ends in place of the labels of *turns*, so that offsets stay."""
    for turn in turns:
        gap = "\n" * (turn.start - turn.opening)
        text = text[: turn.opening] + gap + text[turn.start :]
    return text


def find_turn_speaker(turns: Iterable[Turn], at: int) -> str | None:
    """Return who says what stands at the offset *at*; None where it stands in no turn."""
    for turn in turns:
        if turn.start <= at < turn.end:
            return turn.speaker
    return None


def is_in_first_person(sentence: str) -> bool:
    """Tell whether one person says *sentence* of themselves: "I", or a first word like "my".

    "We" may be everybody who reads it.
    """
    label = _TURN.match(sentence)
    kinds = read_word_kinds(DATA)
    start = label.end() if label else 0
    words = _WORD.findall(sentence[start:].lower())
    opens = not kinds["mine"].isdisjoint(words[:1])
    return opens or not kinds["first"].isdisjoint(words)


def find_label(sentence: str) -> str | None:
    """Return the speaker whose label opens *sentence*; None where none does."""
    label = _TURN.match(sentence)
    if label is None or not _may_speak(label):
        return None
    return _speaker_of(label["name"] or label["handle"])


def _may_speak(label: re.Match[str]) -> bool:
    if label["handle"]:
        return True
    words: list[str] = label["name"].split()
    headings = read_word_kinds(DATA)["labels"]
    if any(word.lower() in headings for word in words):
        return False
    particles = read_word_kinds(naming.DATA)["particles"]
    inner = [word for word in words[1:-1] if word not in particles]
    return all(word[0].isupper() for word in (words[0], *inner, words[-1]))


def _speaker_of(name: str) -> str:
    if name.lower() in read_word_kinds(DATA)["owner"]:
        return OWNER
    return name
