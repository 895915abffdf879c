"""The surroundings of a passage, beyond its words: its speaker, and the tellings around it.

Who answers a question seldom repeats its words, so a turn of a conversation takes a part of what
the turns beside it have. Only a question does that: who looks for one or two words wants these
words. On the hot path of a search.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from companion.annotations import TYPE_CHECKING
from companion.storage.index.ranking.beside import Beside, list_beside
from companion.storage.index.ranking.meaning import read_codes
from companion.storage.index.ranking.speakers import (
    list_named,
    list_told_by_assistants,
    wants_assistant,
)
from companion.storage.index.ranking.tellings import (
    Telling,
    list_tellings,
    name_sessions,
)
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.storage.index.ranking.together import Rare

# of what a passage has, to what was told beside it (ADR 203)
BESIDE = 0.5
# of what one side of it gives less than the other, what counts (ADR 450)
_LESSER = 0.5
# of what a question in a conversation has, to what somebody else said next (ADR 236)
ANSWER = 0.5
# of what a passage has, to what was told two turns from it
FURTHER = 0.15
# of the best passage's worth, to what a person says whom the question names
SPEAKER = 0.3
# of it, to what was told in the session of which the best notes are found, by what those are worth
# (ADR 308)
SESSION = 0.5
_BEST_OF_SESSION = 3
# of the best passage's worth, to what has with its neighbours every rare word (ADR 451)
TOGETHER = 0.25
# of what it has, what an assistant's words lose at least, for they say again what a person told it
ECHO = 0.4
# of what it has, what they lose for pointing just where what was told before them points (ADR 306)
REPEATED = 1.2
# of what stands around a passage, what counts where the first is chosen
_LEAD = 0.5
QUESTION = 3  # telling words that make a question
_MOST = 200  # passages whose surroundings are looked at, the best first

ANSWERS = "answer"  # the part of what answers a question of a conversation

Parts = tuple[tuple[str, float], ...]


class Surroundings(NamedTuple):
    """The parts of passages beyond their words, and how each was told."""

    parts: Mapping[int, Parts]
    told: Mapping[int, Telling]


def weigh_surroundings(
    db: sqlite3.Connection,
    scores: Mapping[int, float],
    words: Sequence[str],
    is_question: bool,
    find_rare: "Callable[[], Rare] | None" = None,
) -> Surroundings:
    """Return what the passages with *scores*, and those told beside them, have by *words* of a
    question, and by those that *find_rare* returns.
    """
    best = sorted(scores, key=lambda doc: (-scores[doc], doc))[:_MOST]
    tellings = list_tellings(db, best)
    if not is_question or not best:
        return Surroundings({}, {one.doc: one for one in tellings})
    parts: dict[int, dict[str, float]] = {}
    neighbours = list_beside(db, tellings)
    _add_neighbours(neighbours, scores, parts)
    if neighbours and find_rare:
        share = TOGETHER * scores[best[0]]
        _add_together(neighbours, find_rare(), share, parts)
    beside = parts.keys() - scores.keys()
    tellings += list_tellings(db, beside)
    _add_speakers(db, tellings, words, SPEAKER * scores[best[0]], parts)
    _add_sessions(tellings, scores, parts)
    _keep_best_first(best[0], scores, parts)
    tellings += list_tellings(db, scores.keys() - {*best, *beside})
    if not wants_assistant(words):
        repeated = _measure_repeated(db, tellings, neighbours)
        _lower_echoes(repeated, scores, parts)
    return Surroundings(
        {doc: tuple(some.items()) for doc, some in parts.items()},
        {one.doc: one for one in tellings},
    )


_PartsOf = dict[int, dict[str, float]]


def _add_speakers(
    db: sqlite3.Connection,
    tellings: Sequence[Telling],
    words: Sequence[str],
    share: float,
    parts: _PartsOf,
) -> None:
    named = list_named(db, words)
    for one in tellings:
        if one.speaker in named:
            parts.setdefault(one.doc, {})["speaker"] = share


def _add_neighbours(
    neighbours: Sequence[Beside],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    """Give each passage its shares of what was told around it; of what was told before it and what
    was told after it the lesser counts half.
    """
    sides: dict[int, tuple[float, float]] = {}
    for one in neighbours:
        worth = scores[one.telling.doc]
        if not one.is_next:
            _add(parts, one.other, "further", FURTHER * worth)
            continue
        before, after = sides.get(one.other, (0.0, 0.0))
        _add(parts, one.other, "beside", BESIDE * worth)
        if not one.follows:
            sides[one.other] = before, after + BESIDE * worth
            continue
        answer = ANSWER * worth if one.telling.asks else 0.0
        if answer:
            _add(parts, one.other, ANSWERS, answer)
        sides[one.other] = before + BESIDE * worth + answer, after
    for doc, both in sides.items():
        if min(both):
            _add(parts, doc, "beside", -_LESSER * min(both))


def _add_together(
    neighbours: Sequence[Beside],
    rare: "Rare",
    share: float,
    parts: _PartsOf,
) -> None:
    """Give each passage of a conversation a part of *share* for the rare words that it has with
    what was told right before it and right after it.
    """
    had = {
        doc: rare.had.get(doc, 0)
        for one in neighbours
        for doc in (one.telling.doc, one.other)
    }
    together = dict(had)
    for one in neighbours:
        if one.is_next:
            together[one.other] |= had[one.telling.doc]
    for doc, bits in together.items():
        if bits:
            _add(parts, doc, "together", share * rare.measure(bits))


def _add(parts: _PartsOf, doc: int, name: str, worth: float) -> None:
    own = parts.setdefault(doc, {})
    own[name] = own.get(name, 0.0) + worth


def _add_sessions(
    tellings: Sequence[Telling],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    """Give each passage a share for the session in which it was told, as its best passages fit."""
    sessions = name_sessions(one.told_at for one in tellings)
    found: dict[str, list[float]] = {}
    for one in tellings:
        scored = found.setdefault(sessions[one.told_at], [])
        scored.append(scores.get(one.doc, 0.0))
    worths = {}
    for session, some in found.items():
        best = sorted(some, reverse=True)[:_BEST_OF_SESSION]
        worths[session] = sum(best) / _BEST_OF_SESSION
    most = max(worths.values(), default=0.0)
    if len(worths) < 2 or not most:
        return
    share = SESSION * max(scores.values()) / most
    for one in tellings:
        worth = share * worths[sessions[one.told_at]]
        parts.setdefault(one.doc, {})["session"] = worth


def _measure_repeated(
    db: sqlite3.Connection,
    told: Sequence[Telling],
    neighbours: Sequence[Beside],
) -> dict[int, float]:
    """Return of each passage that an assistant told how near it is to what was told right before
    it: a cosine, 0 where nothing was.
    """
    speakers = [(one.capture, one.speaker) for one in told]
    captures = list_told_by_assistants(db, speakers)
    echoes = {one.doc for one in told if one.capture in captures}
    before = _pair_with_before(neighbours) if echoes else {}
    pairs = {doc: before[doc] for doc in echoes & before.keys()}
    codes = read_codes(db, {*pairs, *pairs.values()})
    repeated = dict.fromkeys(sorted(echoes), 0.0)
    for doc, other in pairs.items():
        if doc in codes and other in codes:
            repeated[doc] = codes[doc].measure_cosine(codes[other])
    return repeated


def _pair_with_before(neighbours: Sequence[Beside]) -> dict[int, int]:
    """Return what somebody else told right before each passage."""
    before: dict[int, int] = {}
    for one in neighbours:
        if one.is_next and one.follows:
            before[one.other] = one.telling.doc
        elif one.is_next:
            before[one.telling.doc] = one.other
    return before


def _lower_echoes(
    repeated: Mapping[int, float],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    """Take from what an assistant told its share: the more, the more it says again."""
    for doc, cosine in repeated.items():
        own = parts.setdefault(doc, {})
        whole = scores.get(doc, 0.0) + sum(own.values())
        own["echo"] = -min(1.0, max(ECHO, REPEATED * cosine)) * whole


def _keep_best_first(
    best: int,
    scores: Mapping[int, float],
    parts: dict[int, dict[str, float]],
) -> None:
    """Let the first be chosen by its own words and its speaker, and half of what stands around.

    Of what has nothing but its words only *best* can be it.
    """

    def own(doc: int) -> float:
        speaker = parts.get(doc, {}).get("speaker", 0.0)
        return scores.get(doc, 0.0) + speaker

    def whole(doc: int) -> float:
        return scores.get(doc, 0.0) + sum(parts.get(doc, {}).values())

    def lead(doc: int) -> float:
        return (1 - _LEAD) * own(doc) + _LEAD * whole(doc)

    every = sorted({best, *parts})
    first = max(every, key=lead)
    others = (whole(doc) for doc in every if doc != first)
    top = max(others, default=0.0)
    if top >= whole(first):
        own_parts = parts.setdefault(first, {})
        own_parts["best words"] = top - whole(first) + 1e-3
