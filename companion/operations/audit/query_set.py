"""AUDIT's query set: what was asked where an entry had a part, and never only its own echo (AUD-6).

Four kinds of questions, each with what the user made of it: *recorded* ones that touched the entry;
a fifth of those *held out*, which decide nothing by themselves; *neighbouring* ones that touched
what rests on the entry or what it rests on; and *challenges*, the words of those who stand against
it in a minority branch. What is asked again, in nearly the same words, is one question, and so is
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


class Asked(NamedTuple):
    """A query as it was recorded."""

    id: str
    at: str
    words: str
    verb: str
    shown: Sequence[str]  # entries, the best first
    opened: Sequence[str]  # entries, in the order in which they were opened
    outcome: str | None  # good, bad, or nothing said


class Challenge(NamedTuple):
    """What one voice of an open branch says against the entry."""

    id: str
    words: str
    weight: float  # of the branch's threshold that its pressure has, at most 1


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


def choose(
    entry: str,
    names: Iterable[str],
    asked: Sequence[Asked],
    nearby: Sequence[Asked],
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
    own = groups.told(" ".join(names))
    # each half stays as it was
    ranked = sorted(asked, key=lambda each: not _had_part(entry, each))
    probes = [_recorded(each, groups, own) for each in ranked[:NEWEST]]
    probes += [
        _nearby(each, groups) for each in nearby[:NEWEST] if judged(each)
    ]
    probes += [_challenge(entry, each, groups) for each in challenges]
    return _limited(probes)


def judged(query: Asked) -> bool:
    """Tell whether the user's part in *query* says what was useful or harmful."""
    return bool(worth(query) or blamed(query))


def worth(query: Asked) -> dict[str, float]:
    """Return what *query* showed to be useful: what was opened last, and a little of what was
    opened before.

    A good answer to a question that needed no opening is that of what was shown first.
    """
    if query.outcome == "bad":
        return {}
    opened = list(query.opened) or (
        list(query.shown[:1]) if query.outcome == "good" else []
    )
    return {**dict.fromkeys(opened, EARLIER), **dict.fromkeys(opened[-1:], 1.0)}


def blamed(query: Asked) -> frozenset[str]:
    """Return what a bad outcome is laid at: what was opened last, or what an answer is made of; no
    mere listing.
    """
    if query.outcome != "bad":
        return frozenset()
    return frozenset(
        query.opened[-1:] or (query.shown if query.verb == "ask" else ())
    )


def performance(probe: Probe, ranking: Sequence[str]) -> float:
    """Return how well *ranking* (entries, the best first) answers *probe*, in [-1, 1]: rank-biased
    precision of what was useful, in shares of the best ranking there could be, less the exposure of
    what was harmful.
    """
    gains = {
        entry: PATIENCE**place for place, entry in enumerate(ranking[:DEPTH])
    }
    best = sum(
        value * PATIENCE**place
        for place, value in enumerate(
            sorted(probe.useful.values(), reverse=True)
        )
    )
    found = sum(
        value * gains.get(entry, 0.0) for entry, value in probe.useful.items()
    )
    exposed = sum(gains.get(entry, 0.0) for entry in probe.harmful) / max(
        1, len(probe.harmful)
    )
    return (found / best if best else 0.0) - exposed


def is_tested(entry: str, probe: Probe, ranking: Sequence[str]) -> bool:
    """Tell whether suspending *entry* asks anything of *probe*: it leads there, or the user took it
    up.
    """
    return (
        entry in ranking[:TOP]
        or entry in probe.useful
        or entry in probe.harmful
    )


def _had_part(entry: str, query: Asked) -> bool:
    """Tell whether *entry* stood where it was looked at when *query* was asked, or was opened."""
    return (
        entry in query.shown[:TOP]
        or entry in query.opened
        or (query.verb == "ask" and entry in query.shown)
    )


class _Groups:
    """Questions that ask the same, by their words without the *little* ones that hold every
    sentence together.
    """

    def __init__(self, little: Collection[str]) -> None:
        self._little, self._known = (
            frozenset(little),
            dict[str, frozenset[str]](),
        )

    def told(self, text: str) -> frozenset[str]:
        """Return the words of *text* that say something; all of them where none does."""
        said = frozenset(_WORD.findall(text.casefold()))
        return said - self._little or said

    def of(self, said: frozenset[str]) -> str:
        """Return the group of a question in these words: that of the first one alike, else its
        own.
        """
        for name, known in self._known.items():
            if said == known or len(said & known) >= ALIKE * len(said | known):
                return name
        name = " ".join(sorted(said))
        self._known[name] = said
        return name


def _recorded(query: Asked, groups: _Groups, own: frozenset[str]) -> Probe:
    said = groups.told(query.words)
    group = BY_NAME if said and said <= own else groups.of(said)
    held = (
        group != BY_NAME
        and int(hashlib.sha256(group.encode()).hexdigest(), 16) % HELD_OUT == 0
    )
    kind: Kind = "held out" if held else "recorded"
    return Probe(
        query.id,
        kind,
        group,
        query.words,
        query.verb,
        query.at,
        *_judgement(query),
    )


def _nearby(query: Asked, groups: _Groups) -> Probe:
    group = groups.of(groups.told(query.words))
    return Probe(
        query.id,
        "neighbouring",
        group,
        query.words,
        query.verb,
        query.at,
        *_judgement(query),
    )


def _judgement(
    query: Asked,
) -> tuple[dict[str, float], frozenset[str], float, bool]:
    spoken = query.outcome is not None
    return worth(query), blamed(query), 1.0 if spoken else SILENT, spoken


def _challenge(entry: str, each: Challenge, groups: _Groups) -> Probe:
    group = groups.of(groups.told(each.words))
    return Probe(
        each.id,
        "challenge",
        group,
        each.words,
        "search",
        "",
        {},
        frozenset({entry}),
        each.weight,
    )


def _limited(probes: Iterable[Probe]) -> list[Probe]:
    """Return *probes* within the sizes of a set, and each group's newest only; a group is of its
    first kind.
    """
    most = {
        "recorded": RECORDED,
        "held out": RECORDED // HELD_OUT,
        "neighbouring": NEIGHBOURING,
        "challenge": CHALLENGES,
    }
    taken: dict[str, list[Probe]] = {}
    of_kind: dict[str, set[str]] = {kind: set() for kind in most}
    for probe in probes:
        group = taken.setdefault(
            f"{probe.kind == 'challenge'} {probe.group}", []
        )
        if group and (group[0].kind != probe.kind or len(group) >= REPEATS):
            continue
        if group or len(of_kind[probe.kind]) < most[probe.kind]:
            of_kind[probe.kind].add(probe.group)
            group.append(probe)
    return [probe for group in taken.values() for probe in group]
