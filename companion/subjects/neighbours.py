"""Read a note that says only "she" of whom the note told just before it is about."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from companion.pages import links
from companion.subjects.values import About, Note
from companion.subjects.words import READ, blank_links, words_of_kinds
from companion.values.wording import many

# seconds between two notes of which the later may go on with the earlier: what comes sooner was
# handed over by a program
_SOONEST = 20
_LATEST = 30 * 60
# words at the beginning of a note among which it says of whom it goes on to speak
_BEGINNING = 3
_SENTENCE = re.compile(r"[.!?;:\n]+\s+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019]\w+)?")


class Followed(NamedTuple):
    """The note that another goes on with."""

    before: str  # its capture
    minutes: int  # between the two

    @property
    def reason(self) -> str:
        """Say that the note goes on with it."""
        return f"it goes on with the note told {many(self.minutes, 'minute')} before"


def follow_neighbours(
    notes: Sequence[Note], about: Mapping[str, About]
) -> dict[str, About]:
    """Return *about*, where a note that goes on with the one told before is about its page.

    *notes* may come in any order. A note goes on if it names no page and speaks of "she", "it", or
    of nobody: "has apologised".
    """
    decided = dict(about)
    known = {note.capture for note in notes if about[note.capture].entry}
    free = {
        note.capture
        for note in notes
        if about[note.capture].rule == "unknown"
        and not about[note.capture].mentions
    }
    for capture, followed in find_followers(notes, known, free).items():
        decided[capture] = replace(
            decided[capture],
            entry=decided[followed.before].entry,
            rule="follows",
            reason=followed.reason,
        )
    return decided


def find_followers(
    notes: Iterable[Note], known: Collection[str], free: Collection[str]
) -> dict[str, Followed]:
    """Return which of the notes *free* go on with the one told just before, in their order.

    That one is among *known*, or goes on with such a note itself. *notes* are all, in any order.
    """
    told = [note for note in notes if note.told_at is not None]
    told.sort(key=lambda note: (note.told_at, note.capture))
    found: dict[str, Followed] = {}
    for before, note in pairwise(told):
        if note.capture not in free:
            continue
        if before.capture not in known and before.capture not in found:
            continue
        minutes = _count_minutes(before, note)
        if minutes is not None and goes_on(note.text):
            found[note.capture] = Followed(before.capture, minutes)
    return found


def goes_on(text: str) -> bool:
    """Tell whether a note's words speak of what was spoken of before."""
    sentences = _SENTENCE.split(blank_links(text[:READ]).strip())
    pronouns = words_of_kinds("pronouns")
    for number, sentence in enumerate(sentences):
        words = [links.fold(word) for word in _WORD.findall(sentence)]
        first = words[: 1 if number else _BEGINNING]
        if not pronouns.isdisjoint(first):
            return True
    opening = _WORD.findall(sentences[0])
    if not opening or "?" in text:
        return False
    verbs = words_of_kinds("copulas", "auxiliaries")
    return links.fold(opening[0]) in verbs


def _count_minutes(before: Note, note: Note) -> int | None:
    """Return the minutes between two notes of one teller; None if they are too many or too few."""
    if before.teller != note.teller:
        return None
    if before.told_at is None or note.told_at is None:
        return None
    passed = _read_time(note.told_at) - _read_time(before.told_at)
    seconds = passed.total_seconds()
    if not _SOONEST <= seconds <= _LATEST:
        return None
    return max(1, round(seconds / 60))


def _read_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
