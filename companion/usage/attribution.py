"""Which outcome belongs to what was shown when: reads, openings and words of feedback become
evidence of entries.

An opening belongs to its reader's last query that showed the entry, and counts the less the later
it comes; what stood above was passed over. What somebody says goes to what was opened from the
query, else to all that it showed, by place. The same words of one reader are one question, however
often: in one run an entry gains by it once, so that no loop stuffs the ballot; only accesses count
each time. Who thinks better of an answer takes back what the earlier word gave, also where a run
has that already: the last word counts, once. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from companion.usage.utility import OPENED, OUTCOMES, PASSED, SAID, opening_weight, spread_credit
from companion.values.ageing import growth
from companion.values.wording import times_in_words

VERSION = "use-2"
QUERIES = ("search", "ask", "claims")
OPENINGS = ("show", "recall")
FEEDBACK = "feedback"
READ = 3  # places of a search that are taken for read; an answer is read whole
_BACK = 200  # queries of a reader that an opening is looked for in, the newest first


class Read(NamedTuple):
    """One use, its ids those of entries by now."""

    id: str
    at: str  # RFC 3339 UTC
    agent: str
    verb: str
    words: str  # what was asked; of feedback, what was said
    shown: tuple[str, ...]  # the first one first
    about: str | None = None  # of feedback: the use that it is about
    quiet: bool = False  # its words are nobody else's business


@dataclass
class Tally:
    """What came to pass of one entry."""

    accesses: int = 0
    last: str = ""
    shown: int = 0
    opened: int = 0
    good: float = 0.0
    bad: float = 0.0
    gain: float = 0.0
    loss: float = 0.0

    def read(self, at: str) -> None:
        self.accesses += 1
        self.last = max(self.last, at)

    def credit(self) -> dict[str, float]:
        """Return what is not zero of everything but accesses."""
        names = ("shown", "opened", "good", "bad", "gain", "loss")
        return {name: round(value, 4) for name in names if (value := getattr(self, name))}


@dataclass
class AskedQuestion:
    """Every time that a reader asked the same."""

    id: str  # of the first time
    agent: str
    verb: str
    words: str
    at: str = ""
    count: int = 0  # times since the last run
    shown: tuple[str, ...] = ()
    opened: list[str] = field(default_factory=list)
    outcome: str = ""
    quiet: bool = False
    # since the last run:
    news: bool = False  # something came of it
    # entries that gained or lost by what was opened
    credited: set[str] = field(default_factory=set)
    said: "Opinion | None" = None


class Opinion(NamedTuple):
    """What somebody said, and what it gave."""

    outcome: str
    at: str
    shares: Mapping[str, float]  # by entry, 1 in all


class Evidence(NamedTuple):
    """What the reads since the last run come to."""

    tallies: dict[str, Tally]
    questions: list[
        AskedQuestion
    ]  # asked since the last run, or of which something came since then


def attribute(new: Sequence[Read], earlier: Sequence[Read]) -> Evidence:
    """Return what *new* reads tell; *earlier* ones, which a run has already, say what was shown
    then.
    """
    book = _Book()
    for read in earlier:
        book.take(read)
    book.counting = True
    for read in new:
        book.take(read)
    return Evidence(
        book.tallies, [each for each in book.questions.values() if each.count or each.news]
    )


class _Book:
    def __init__(self) -> None:
        self.counting = False
        self.tallies: dict[str, Tally] = {}
        self.questions: dict[tuple[str, str, str], AskedQuestion] = {}
        self.uses: dict[str, tuple[AskedQuestion, Read]] = {}
        self.of: dict[str, list[tuple[AskedQuestion, Read]]] = {}
        self.said: dict[str, Opinion] = {}  # the last word on each answer
        # entries of which somebody said something
        self.apart: dict[tuple[str, tuple[str, ...]], AskedQuestion] = {}

    def take(self, read: Read) -> None:
        if read.verb in QUERIES:
            self._ask(read)
        elif read.verb in OPENINGS:
            self._open(read)
        elif read.verb == FEEDBACK and read.words in OUTCOMES:
            self._hear(read)

    def _tally(self, entry: str) -> Tally:
        # What a run has already is looked at for what was shown, and not counted again.
        return self.tallies.setdefault(entry, Tally()) if self.counting else Tally()

    def _ask(self, read: Read) -> None:
        key = (read.agent, read.verb, read.words)
        question = self.questions.setdefault(key, AskedQuestion(read.id, *key))
        question.at, question.shown = max(question.at, read.at), read.shown
        question.quiet |= read.quiet
        question.count += self.counting
        self.uses[read.id] = question, read
        self.of.setdefault(read.agent, []).append((question, read))
        for entry in read.shown[: READ if read.verb == "search" else None]:
            tally = self._tally(entry)
            tally.shown += 1
            tally.read(read.at)

    def _open(self, read: Read) -> None:
        for entry in read.shown:
            tally = self._tally(entry)
            tally.opened += 1
            tally.read(read.at)
            found = self._shown_in(read.agent, entry)
            if found is not None:
                self._opened(*found, entry, read.at)

    def _shown_in(self, agent: str, entry: str) -> tuple[AskedQuestion, Read] | None:
        asked = self.of.get(agent, [])
        return next(((q, r) for q, r in reversed(asked[-_BACK:]) if entry in r.shown), None)

    def _opened(self, question: AskedQuestion, asked: Read, entry: str, at: str) -> None:
        fresh = opening_weight(_minutes(asked.at, at))
        if not fresh:
            return
        question.opened = [*(each for each in question.opened if each != entry), entry]
        if self.counting and entry not in question.credited:
            question.news = True
            question.credited.add(entry)
            self._tally(entry).gain += OPENED * fresh
            passed = set(asked.shown[: asked.shown.index(entry)]).difference(
                question.opened, question.credited
            )
            question.credited |= passed
            for above in sorted(passed):
                self._tally(above).loss += PASSED * fresh

    def _hear(self, read: Read) -> None:
        outcome = OUTCOMES[read.words]
        question, asked = self.uses.get(read.about or "", (None, read))
        # only the ledger has it still, or it is about an entry: it says itself what it showed
        if question is None:
            question = self._question_of(read)
        question.outcome = outcome
        opened = [each for each in asked.shown if each in question.opened]
        entries = opened or asked.shown
        word = Opinion(
            outcome, read.at, dict(zip(entries, spread_credit(len(entries)), strict=True))
        )
        # In one run a question has one word; what an earlier run has is taken back where it is the
        # same answer.
        before = question.said or self.said.get(read.about or "")
        if read.about is not None:
            self.said[read.about] = word if before is None or before.outcome != outcome else before
        if not self.counting:
            return
        if before is None or before.outcome != outcome:
            if before is not None:
                self._credit(before, -min(1.0, growth(before.at) / growth(read.at)))
            self._credit(word, 1.0)
            question.said, question.news = word, True

    def _question_of(self, read: Read) -> AskedQuestion:
        if read.about is None:
            return self.apart.setdefault(
                (read.agent, read.shown), AskedQuestion(read.id, read.agent, "", "")
            )
        return self.questions.setdefault(
            ("", "", read.about), AskedQuestion(read.about, read.agent, "", "")
        )

    def _credit(self, word: Opinion, weight: float) -> None:
        for entry, share in word.shares.items():
            tally = self._tally(entry)
            if word.outcome == "good":
                tally.good += share if weight > 0 else -share
                tally.gain += SAID * share * weight
            else:
                tally.bad += share if weight > 0 else -share
                tally.loss += SAID * share * weight


def _minutes(since: str, until: str) -> float:
    passed = datetime.fromisoformat(until) - datetime.fromisoformat(since)
    return passed.total_seconds() / 60


def use_events(
    evidence: Evidence, known: Iterable[str], *, now: str, most: int
) -> list[dict[str, Any]]:
    """Return the ledger's lines, at most *most* of questions: those of which something came first,
    then the most asked.

    *known* are the questions that the ledger has already; no time is after *now*.
    """
    recorded = set(known)
    told = [_used(entry, tally, now) for entry, tally in sorted(evidence.tallies.items())]
    open_ = [
        each for each in evidence.questions if not each.quiet and (each.words or not each.count)
    ]
    ranked = sorted(open_, key=lambda q: (not q.outcome, not q.opened, -q.count, q.id))[:most]
    for question in sorted(ranked, key=lambda q: (q.at, q.id)):
        if question.count:
            told.append(_asked(question, now))
        elif question.id in recorded:
            told.append(_rated(question))
    return told


def _used(entry: str, tally: Tally, now: str) -> dict[str, Any]:
    reason = "an outcome of an earlier read"
    if tally.accesses:
        reason = f"read {times_in_words(tally.accesses)}"
    line = {
        "e": "used",
        "entry": entry,
        "accesses": tally.accesses,
        "last": min(tally.last, now),
        "reason": reason,
    }
    credit: Mapping[str, float] = tally.credit()
    return {**line, "credit": credit} if credit else line


def _asked(question: AskedQuestion, now: str) -> dict[str, Any]:
    return {
        "e": "asked",
        "query": question.id,
        "words": question.words,
        "at": min(question.at, now),
        "verb": question.verb,
        "shown": list(question.shown),
        "opened": question.opened,
        "outcome": question.outcome,
        "agent": question.agent,
        "count": question.count,
        "reason": f"asked {times_in_words(question.count)}",
    }


def _rated(question: AskedQuestion) -> dict[str, Any]:
    reason = (
        f"of an earlier query: opened {len(question.opened)}, {question.outcome or 'nothing said'}"
    )
    return {
        "e": "rated",
        "query": question.id,
        "opened": question.opened,
        "outcome": question.outcome,
        "reason": reason,
    }
