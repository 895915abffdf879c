"""Choose the questions by which an entry is audited: never only those that name it (AUD-6).

There are four kinds of questions, each with what the user made of its answer: *recorded* ones that
touched the entry; a fifth of those *held out*, which decide nothing by themselves; *neighbouring*
ones that touched what rests on the entry or what it rests on; and *challenges*, the words of those
who contradict it in a minority branch. Questions in nearly the same words count as one, and so does
everything that only names the entry: a log full of one query is one query. Words that every
question has (what, is, the) make no two alike. Pure.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

Kind = Literal["recorded", "held out", "neighbouring", "challenge"]

VERSION = "queries-2"

RECORDED = 60  # groups of questions that touched the entry, the newest
NEIGHBOURING = 20  # groups that touched its neighbours only
CHALLENGES = 20  # tellings of open branches
REPEATS = 3  # of one group that are replayed, the newest
NEWEST = 600  # recorded queries that are looked at
HELD_OUT = 5  # one group of so many
ALIKE = 0.6  # of their words in common, from which two questions are one
DEPTH = 10  # places of a ranking that count
TOP = 3  # places from which an entry had a part in what was shown
# share of readers who go on to the next place (Moffat & Zobel 2008)
PATIENCE = 0.8
EARLIER = 0.1  # what an opening is worth that another followed
# what a question weighs of whose answer nobody said anything (as `core.utility` weighs an opening)
SILENT = 0.3
BY_NAME = "by its name"  # the group of everything that only names the entry

_WORD = re.compile(r"\w+")


class RecordedQuery(NamedTuple):
    """A query as it was recorded."""

    id: str
    at: str
    words: str
    verb: str
    shown: Sequence[str]  # entries, the best first
    opened: Sequence[str]  # entries, in the order in which they were opened
    outcome: str | None  # good, bad, or nothing said


class Challenge(NamedTuple):
    """The words of one voice of an open branch, against the entry."""

    id: str
    words: str
    weight: float  # of the branch's threshold that its pressure has, at most 1
    # the capture whose statement it contradicts; None: the page, or its first note
    statement: str | None = None


class Probe(NamedTuple):
    """One question of the set, and what counts as a good answer."""

    id: str
    kind: Kind
    group: str  # what asks the same shares it
    words: str
    verb: str
    at: str
    useful: Mapping[str, float]  # entries and their worth
    harmful: frozenset[str]  # entries that a bad outcome is laid at
    weight: float = 1.0
    spoken: bool = True  # somebody said what they thought
    # of a challenge: the capture whose statement it contradicts
    statement: str | None = None


def build_query_set(
    entry: str,
    names: Iterable[str],
    asked: Sequence[RecordedQuery],
    nearby: Sequence[RecordedQuery],
    challenges: Sequence[Challenge],
    little: Collection[str] = (),
) -> list[Probe]:
    """Return the query set of *entry*, which is called *names*.

    *asked* touched it, *nearby* touched its neighbours and not it; the newest first. Where there is
    more than a set may have, questions in which it had a part go before those that only listed it.
    What says nothing of what was useful or harmful is left out of *nearby*, but not of *asked*:
    that an entry was shown and passed over is news, too. *little* words say nothing of what is
    asked (what, is, the).
    """
    groups = _Groups(little)
    own_words = groups.telling_words(" ".join(names))
    # each half stays as it was
    ranked = sorted(asked, key=lambda query: not _had_part(entry, query))
    probes = [
        _recorded_probe(query, groups, own_words) for query in ranked[:NEWEST]
    ]
    for query in nearby[:NEWEST]:
        if says_what_helped(query):
            group = groups.group_of(groups.telling_words(query.words))
            probes.append(_probe(query, "neighbouring", group))
    for challenge in challenges:
        probes.append(_challenge_probe(entry, challenge, groups))
    return _limit(probes)


def says_what_helped(query: RecordedQuery) -> bool:
    """Tell whether the user's part in *query* says what was useful or harmful."""
    return bool(useful_entries(query) or harmful_entries(query))


def useful_entries(query: RecordedQuery) -> dict[str, float]:
    """Return what *query* showed to be useful: what was opened last, and a little of what was
    opened before.

    A good answer to a question that needed no opening is that of what was shown first.
    """
    if query.outcome == "bad":
        return {}
    opened = list(query.opened)
    if not opened and query.outcome == "good":
        opened = list(query.shown[:1])
    worth = dict.fromkeys(opened, EARLIER)
    if opened:
        worth[opened[-1]] = 1.0
    return worth


def harmful_entries(query: RecordedQuery) -> frozenset[str]:
    """Return the entries blamed for a bad outcome: what was opened last, or what an answer is made
    of; no mere listing.
    """
    if query.outcome != "bad":
        return frozenset()
    if query.opened:
        return frozenset(query.opened[-1:])
    return frozenset(query.shown if query.verb == "ask" else ())


def score_ranking(probe: Probe, ranking: Sequence[str]) -> float:
    """Return how well *ranking* (entries, the best first) answers *probe*, in [-1, 1]: rank-biased
    precision of what was useful, in shares of the best ranking there could be, less the exposure of
    what was harmful.
    """
    gains: dict[str, float] = {}
    for place, entry in enumerate(ranking[:DEPTH]):
        gains[entry] = PATIENCE**place
    best = 0.0
    for place, value in enumerate(sorted(probe.useful.values(), reverse=True)):
        best += value * PATIENCE**place
    found = sum(
        value * gains.get(entry, 0.0) for entry, value in probe.useful.items()
    )
    exposed = sum(gains.get(entry, 0.0) for entry in probe.harmful)
    exposure = exposed / max(1, len(probe.harmful))
    precision = found / best if best else 0.0
    return precision - exposure


def is_tested(entry: str, probe: Probe, ranking: Sequence[str]) -> bool:
    """Tell whether suspending *entry* asks anything of *probe*: it leads there, or the user took it
    up.
    """
    if entry in ranking[:TOP]:
        return True
    return entry in probe.useful or entry in probe.harmful


def _had_part(entry: str, query: RecordedQuery) -> bool:
    """Tell whether *entry* stood where it was looked at when *query* was asked, or was opened."""
    if entry in query.shown[:TOP] or entry in query.opened:
        return True
    return query.verb == "ask" and entry in query.shown


class _Groups:
    """Questions that ask the same, by their words without the *little* ones that hold every
    sentence together.
    """

    def __init__(self, little: Collection[str]) -> None:
        self._little = frozenset(little)
        self._known: dict[str, frozenset[str]] = {}

    def telling_words(self, text: str) -> frozenset[str]:
        """Return the words of *text* that say something; all of them where none does."""
        words = frozenset(_WORD.findall(text.casefold()))
        return words - self._little or words

    def group_of(self, words: frozenset[str]) -> str:
        """Return the group of a question in these words: that of the first one alike, else its
        own.
        """
        for name, known in self._known.items():
            if words == known:
                return name
            if len(words & known) >= ALIKE * len(words | known):
                return name
        name = " ".join(sorted(words))
        self._known[name] = words
        return name


def _recorded_probe(
    query: RecordedQuery, groups: _Groups, own_words: frozenset[str]
) -> Probe:
    """Return a question that touched the entry; *own_words* are those of its names."""
    words = groups.telling_words(query.words)
    if words and words <= own_words:
        return _probe(query, "recorded", BY_NAME)
    group = groups.group_of(words)
    digest = hashlib.sha256(group.encode()).hexdigest()
    if int(digest, 16) % HELD_OUT == 0:
        return _probe(query, "held out", group)
    return _probe(query, "recorded", group)


def _probe(query: RecordedQuery, kind: Kind, group: str) -> Probe:
    spoken = query.outcome is not None
    return Probe(
        id=query.id,
        kind=kind,
        group=group,
        words=query.words,
        verb=query.verb,
        at=query.at,
        useful=useful_entries(query),
        harmful=harmful_entries(query),
        weight=1.0 if spoken else SILENT,
        spoken=spoken,
    )


def _challenge_probe(
    entry: str, challenge: Challenge, groups: _Groups
) -> Probe:
    return Probe(
        id=challenge.id,
        kind="challenge",
        group=groups.group_of(groups.telling_words(challenge.words)),
        words=challenge.words,
        verb="search",
        at="",
        useful={},
        harmful=frozenset({entry}),
        weight=challenge.weight,
        statement=challenge.statement,
    )


_MOST: Mapping[Kind, int] = {
    "recorded": RECORDED,
    "held out": RECORDED // HELD_OUT,
    "neighbouring": NEIGHBOURING,
    "challenge": CHALLENGES,
}


def _limit(probes: Iterable[Probe]) -> list[Probe]:
    """Return *probes* within the sizes of a set, and each group's newest only; a group is of its
    first kind.
    """
    groups: dict[tuple[bool, str], list[Probe]] = {}
    names: dict[Kind, set[str]] = {kind: set() for kind in _MOST}
    for probe in probes:
        # the words of a branch may be those of a question, and stay apart
        key = (probe.kind == "challenge", probe.group)
        group = groups.setdefault(key, [])
        if group and (group[0].kind != probe.kind or len(group) >= REPEATS):
            continue
        if group or len(names[probe.kind]) < _MOST[probe.kind]:
            names[probe.kind].add(probe.group)
            group.append(probe)
    limited: list[Probe] = []
    for group in groups.values():
        limited += group
    return limited
