"""Find whose words a note repeats, among all notes of one matter (TRI-8).

A voice that only repeats another's words is that other's voice. Notes are compared in the order in
which they were seen, each with those before it: a later note changes nothing for an earlier one. A
matter is everything that challenges one incumbent, in whatever branch or in none, with what else is
known to hold the same words: a copy of a note that no judge tied to the branch is a copy.

A source that told something of its own elsewhere is believed to speak for itself in the same words
also: of a short sentence there is one wording only. A note that says whose word it passes on
("Heiner says …") is that one's word, whoever passes it on and in whatever words; and "Wuttke" is
one with "Gast Wuttke".
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.detect import language_of
from companion.minority.clusters import Tie
from companion.minority.pressure import Telling, told_order, voice_of

# Shares of words in common, in one order, from which two wordings are one, and cosines from which
# they are. Who copies copies soon: of what was told within a day less is asked than of what was
# told apart, where two that know the same may well use the same words.
SOON, ECHO_SOON, ECHO = 1.0, 0.6, 0.85
NEAR_SOON, NEAR = 0.97, 0.99

COMPARED = 2000  # characters of a text that are looked at
_LONGEST = 400  # words of a text that are compared
_OPENING = 80  # characters in which a note says whose word it passes on
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W\d_][\w'\u2019-]{2,}")


class Note(NamedTuple):
    """A capture of a matter, as its words are compared."""

    capture: str
    text: str
    tellings: Sequence[Telling]  # at least one
    # the first telling of the same words outside the matter, if one is known
    copied: Telling | None = None

    @property
    def first(self) -> Telling:
        """Return its first telling here."""
        return min(self.tellings, key=told_order)


def find_first_tellings(
    notes: Iterable[Note], ties: Iterable[Tie] = ()
) -> dict[str, Telling]:
    """Return, for the capture of every note, the first telling of its words.

    It is the note's own, or that of the earliest one which it repeats, or which that repeats.
    """
    cosines = {(tie.one, tie.other): tie.similarity for tie in ties}
    earlier: list[Note] = []
    first: dict[str, Telling] = {}
    for note in sorted(notes, key=lambda one: told_order(one.first)):
        repeated = _find_repeated(note, earlier, cosines)
        if repeated is None:
            first[note.capture] = _find_first(note)
        else:
            first[note.capture] = first[repeated.capture]
        earlier.append(note)
    return first


def find_copied(note: Note, others: Iterable[Note]) -> Telling | None:
    """Return the first telling before *note* among *others* that have its words; None if none does.

    They are no notes of its matter, so that more likeness is asked of them, however soon they came.
    """
    words = split_words(note.text)
    repeated = [
        other.first
        for other in others
        if other.capture != note.capture
        and told_order(other.first) < told_order(note.first)
        and is_echo(words, split_words(other.text), ECHO)
    ]
    return min(repeated, key=told_order, default=None)


def credit_voices(
    notes: Iterable[Note],
    first: Mapping[str, Telling],
    known: Collection[str],
) -> list[Telling]:
    """Return the tellings of *notes*, each of those that only repeat as the telling they repeat.

    A note that *first* does not have repeats nobody. *known* are the voices that told something of
    their own elsewhere.
    """
    credited = set()
    for note in notes:
        origin = first.get(note.capture, note.first)
        for telling in note.tellings:
            voice = voice_of(telling)
            own = voice == voice_of(origin)
            if voice in known and not _speaks_for(note, origin):
                own = True
            credited.add(telling if own else origin)
    return sorted(credited)


def _find_first(note: Note) -> Telling:
    if note.copied is None:
        return note.first
    return min(note.first, note.copied, key=told_order)


def _find_repeated(
    note: Note,
    earlier: Iterable[Note],
    cosines: Mapping[tuple[str, str], float],
) -> Note | None:
    """Return the first of the notes *earlier* whose words *note* has; None if all differ."""
    words = split_words(note.text)
    for other in earlier:
        if _speaks_for(note, other.first):
            return other
        low, high = sorted((note.capture, other.capture))
        cosine = cosines.get((low, high), 0.0)
        if _is_repeated(
            words, split_words(other.text), cosine, soon=_is_soon(note, other)
        ):
            return other
    return None


def _speaks_for(note: Note, other: Telling) -> bool:
    """Tell whether *note* is the word of who told *other*, by its own words or by its source."""
    return passes_on(note.text, other.source) or is_name_of(
        note.first.source, other.source
    )


@lru_cache(maxsize=4096)
def is_name_of(one: str, other: str) -> bool:
    """Tell whether one of two names of sources is the other's, with more words: "Wuttke" and "Gast
    Wuttke".
    """
    names, others = set(_NAME.findall(one)), set(_NAME.findall(other))
    if not names < others and not others < names:
        return False
    return any(name[0].isupper() for name in names & others)


@lru_cache(maxsize=4096)
def passes_on(text: str, source: str) -> bool:
    """Tell whether *text* begins by saying that *source* says it: "Heiner says …", of a source
    "Uncle Heiner".
    """
    names = {name for name in _NAME.findall(source) if name[0].isupper()}
    opening = text[:_OPENING]
    if not names or names.isdisjoint(_NAME.findall(opening)):
        return False
    language = language_of(text)
    if language is None:
        return False
    said = grammar_of(language).find("mood.reported", opening)
    if said is None:
        return False
    before = opening[: said.end()].splitlines()[-1]
    behind = opening[said.end() :].split()[:1]  # "according to Heiner"
    named = {*_NAME.findall(before), *_NAME.findall(" ".join(behind))}
    return not names.isdisjoint(named)


def _is_soon(note: Note, other: Note) -> bool:
    """Tell whether two notes were told within a day, by what they say or by when they were seen."""
    one, two = note.first, other.first
    said = abs(_days(one.event_time) - _days(two.event_time))
    seen = abs(_days(one.seen_at) - _days(two.seen_at))
    return min(said, seen) <= SOON


def _is_repeated(
    one: tuple[str, ...], other: tuple[str, ...], cosine: float, *, soon: bool
) -> bool:
    if soon:
        return is_echo(one, other, ECHO_SOON) or cosine >= NEAR_SOON
    return is_echo(one, other, ECHO) or cosine >= NEAR


def _days(time: str) -> float:
    return datetime.fromisoformat(time).timestamp() / 86_400


@lru_cache(maxsize=1 << 16)  # a branch compares its members again every night
def is_echo(one: tuple[str, ...], other: tuple[str, ...], share: float) -> bool:
    """Tell whether two wordings (as words) are one.

    They are if twice their longest common subsequence is at least *share* of their lengths.
    """
    least = share * (len(one) + len(other)) / 2
    if min(len(one), len(other)) < least:
        return False
    return _count_common(one, other) >= least


@lru_cache(maxsize=4096)
def split_words(text: str) -> tuple[str, ...]:
    """Return the first words of *text*, as wordings are compared."""
    return tuple(_WORD.findall(text.casefold()))[:_LONGEST]


def _count_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, by bits of one integer per row (Hyyrö
    2004).
    """
    places: defaultdict[str, int] = defaultdict(int)
    for n, word in enumerate(one):
        places[word] |= 1 << n
    full = (1 << len(one)) - 1
    row = full
    for word in other:
        kept = row & places[word]
        row = ((row + kept) | (row - kept)) & full
    return len(one) - row.bit_count()
