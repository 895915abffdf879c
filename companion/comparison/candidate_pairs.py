"""Choose the pairs worth judging: a few for every capture, never all with all (MaM §5.5, phases 1
and 2).

This module names pairs of passages; others ask a judge about them and read the answers.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from companion.language.sentence_ends import split_lines
from companion.values.wording import without_frontmatter

NEAR = 4  # others that one capture is compared with, per phase
BEST = 2  # pairs of passages per two texts
PASSAGES = 40  # of one text that are looked at
# Overlap below which rules have never found an opposition (no finding lost on SICK, BMB and BEAM;
# docs/adr): they need words in common and likeness of 1.18 together, and texts that share so
# few words are not that alike.
FRAME = 0.15
_LONGEST = 400  # characters of a passage
_SHORTEST = 2  # words of a passage

_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
_MARKER = re.compile(r"^\s*(?:[-*+>]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_WORD = re.compile(r"\w+")
_LINK = re.compile(r"!?\[\[[^\]]*\]\]|\]\([^)]*\)|https?://\S+")


class SideId(NamedTuple):
    """The thing that a passage belongs to: a capture, a page, or one statement of a page."""

    other: str  # a capture's id or an entry's
    # the capture whose statement on the page is meant; empty: no single one
    statement: str = ""


class Wanted(NamedTuple):
    """A pair to be judged: a capture's passage against one of another text."""

    capture: str
    other: str  # a capture's id or an entry's
    earlier: str
    later: str  # the capture's own words
    # the capture whose statement on the page *earlier* is of; empty: the page is one text
    statement: str = ""

    @property
    def side(self) -> SideId:
        """The thing that the earlier passage belongs to."""
        return SideId(self.other, self.statement)


class PassageIndex:
    """The passages of a page of several statements, found by their words.

    A long page costs a capture no more than the passages that have words in common with it.
    """

    def __init__(self, passages: Iterable[tuple[str, str]]) -> None:
        """Take (statement, passage) of the page, in the order in which they were told.

        They are read when they are first asked for.
        """
        self._given = passages

    @cached_property
    def passages(self) -> list[tuple[str, str]]:
        """The passages of the page, each with its statement."""
        return list(self._given)

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        return [_split_words(passage) for _, passage in self.passages]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(self._words):
            for word in sorted(words):
                places[word].append(place)
        return places

    def measure(self, text: str) -> dict[int, float]:
        """Return the overlap of *text* with each passage, by place, where there is any."""
        words = _split_words(text)
        common: Counter[int] = Counter()
        for word in sorted(words):
            common.update(self._places.get(word, ()))
        return {
            place: _share(count, len(words), len(self._words[place]))
            for place, count in common.items()
        }

    def rank_statements(self, texts: Iterable[str], most: int) -> list[str]:
        """Return the statements with most words in common with one of *texts*, at most *most*.

        Of equals, and of those that have none, the last told come first.
        """
        last: dict[str, int] = {}
        best: dict[str, float] = {}
        for place, (statement, _) in enumerate(self.passages):
            last[statement] = place
            best.setdefault(statement, 0.0)
        for text in texts:
            for place, overlap in self.measure(text).items():
                statement = self.passages[place][0]
                best[statement] = max(best[statement], overlap)
        ranked = sorted(best, key=lambda one: (-best[one], -last[one]))
        return ranked[:most]


def split_passages(text: str) -> list[str]:
    """Return the sentences and list items of *text* worth judging, at most PASSAGES.

    Frontmatter, headings, tables, code and mere links are left out.
    """
    body = _FENCE.sub("", without_frontmatter(text))
    found: list[str] = []
    for line in split_lines(body):
        if line.lstrip().startswith(("#", "|")):
            continue
        words = " ".join(_MARKER.sub("", line).split())[:_LONGEST]
        long_enough = len(_WORD.findall(words)) >= _SHORTEST
        if long_enough and _WORD.search(_LINK.sub("", words)):
            found.append(words)
        if len(found) == PASSAGES:
            break
    return found


def pair_passages(
    capture: str,
    ours: Sequence[str],
    other: str,
    theirs: Sequence[str],
    *,
    statement: str = "",
    floor: float = 0.0,
) -> list[Wanted]:
    """Return the few pairs of passages with the most words in common, each of ours at most once.

    *theirs* are of *other*, or of a *statement* of it. Pairs with less overlap than *floor*, or
    without any, are left out.
    """
    foreign = [_split_words(text) for text in theirs]
    scored = []
    for n, text in enumerate(ours):
        overlap, m = _find_closest(_split_words(text), foreign)
        if overlap > 0 and overlap >= floor:
            scored.append((-overlap, n, m))
    return [
        Wanted(capture, other, theirs[m], ours[n], statement)
        for _, n, m in sorted(scored)[:BEST]
    ]


def pair_with_any(
    capture: str,
    ours: Sequence[str],
    other: str,
    theirs: PassageIndex,
    *,
    floor: float = 0.0,
) -> list[Wanted]:
    """Return what `pair_passages` does, for all statements of a page at once.

    Of equals that which was told last is taken.
    """
    scored = []
    for n, text in enumerate(ours):
        overlaps = theirs.measure(text)
        if overlaps:
            place = max(overlaps, key=lambda m: (overlaps[m], m))
            if overlaps[place] >= floor:
                scored.append((-overlaps[place], n, place))
    pairs = []
    for _, n, place in sorted(scored)[:BEST]:
        statement, passage = theirs.passages[place]
        pairs.append(Wanted(capture, other, passage, ours[n], statement))
    return pairs


def list_earlier_candidates(
    order: Sequence[str],
    titles: Mapping[str, str | None],
    targets: Mapping[str, Iterable[str]],
    near: Mapping[str, Sequence[str]],
) -> dict[str, list[str]]:
    """Return, for each capture in *order*, the earlier ones to compare it with, at most NEAR.

    They share a title, a target or, by *near*, the neighbourhood; those first, the newest of each
    first. No knowledge of the wiki is used (phase 1).
    """
    by_title: defaultdict[str, list[str]] = defaultdict(list)
    by_target: defaultdict[str, list[str]] = defaultdict(list)
    candidates = {}
    seen: set[str] = set()
    for id in order:
        title = titles.get(id)
        links = sorted(set(targets.get(id, ())))
        others: list[str] = []
        if title:
            others += _newest(by_title[title])
            by_title[title].append(id)
        for link in links:
            others += _newest(by_target[link])
            by_target[link].append(id)
        others += [other for other in near.get(id, ()) if other in seen]
        seen.add(id)
        if others:
            candidates[id] = list(dict.fromkeys(others))[:NEAR]
    return candidates


def rank_load_bearing(
    standing: Iterable[tuple[str, float, float]], limit: int
) -> list[str]:
    """Return the entries that most depends on, heaviest first, at most *limit*.

    *standing* has (id, gravity, weight of what depends on it). Gravity decides where a night has
    weighed the wiki; before that it is 0 everywhere, and the weight of the links that point to an
    entry stands in for it. An entry to which no link leads is left out.
    """
    ranked = []
    for id, gravity, weight in standing:
        if weight > 0:
            ranked.append((-gravity, -weight, id))
    return [id for _, _, id in sorted(ranked)[:limit]]


def _newest(ids: Sequence[str]) -> Iterable[str]:
    return islice(reversed(ids), NEAR)  # a thousand notes may share one target


@lru_cache(maxsize=512)
def _split_words(text: str) -> frozenset[str]:
    return frozenset(
        word
        for word in _WORD.findall(text.casefold())
        if len(word) > 2 or word.isdigit()
    )


def _find_closest(
    words: frozenset[str], others: Sequence[frozenset[str]]
) -> tuple[float, int]:
    """Return the largest overlap of *words* with one of *others*, and the first place it has."""
    best = 0.0
    place = 0
    for n, other in enumerate(others):
        overlap = _overlap(words, other)
        if overlap > best:
            best = overlap
            place = n
    return best, place


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the Jaccard index, in [0, 1], rounded so that machines agree."""
    return _share(len(one & other), len(one), len(other))


def _share(common: int, one: int, other: int) -> float:
    if not common:
        return 0.0
    return round(common / (one + other - common), 6)
