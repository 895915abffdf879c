"""Attribute outcomes to entries: turn reads, openings and feedback into evidence.

An opening belongs to the last query by the same reader that showed the entry. It counts less the
later it comes, and the entries above it count as passed over. Feedback on a query goes to the
entries opened from it, else to all entries that it showed, by place.

The same words by the same reader are one question, however often they are asked: within one run an
entry gains only once by it, so that a loop cannot inflate utility. Only accesses count every time.
A later opinion on the same answer replaces the earlier one, also when an earlier run has recorded
that one. Pure.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from companion.tuples import NamedTuple
from companion.usage.utility import (
    OPENED,
    OUTCOMES,
    PASSED,
    SAID,
    opening_weight,
    spread_credit,
)
from companion.values.decay.ageing import remain
from companion.values.events import LedgerLine
from companion.values.wording import many, times_in_words

VERSION = "use-3"
QUERIES = ("search", "ask", "claims")
ORIGINAL = "recall original"  # of a source: its page was too shallow
OPENINGS = ("show", "recall", ORIGINAL)
FEEDBACK = "feedback"
# the first results of a search count as read; all that an answer shows does
PLACES_READ = 3
# an opening is attributed to one of this many newest queries of its reader
_QUERIES_BACK = 200


class Read(NamedTuple):
    """One use whose captures have been replaced by the entries they went into."""

    id: str
    at: str  # RFC 3339 UTC
    agent: str
    verb: str
    words: str  # the question; for feedback, the opinion
    shown: tuple[str, ...]  # entries, the first one first
    about: str | None = None  # for feedback: the id of the use it is about
    quiet: bool = False  # its words must not go into the shared ledger


@dataclass
class Tally:
    """Accesses and credit of one entry."""

    accesses: int = 0
    last: str = ""
    shown: int = 0
    opened: int = 0
    recalled: int = 0  # openings that went for the original
    good: float = 0.0
    bad: float = 0.0
    gain: float = 0.0
    loss: float = 0.0

    def count_access(self, at: str) -> None:
        """Count one more access, at the instant *at*."""
        self.accesses += 1
        self.last = max(self.last, at)

    def credit(self) -> dict[str, float]:
        """Return the values other than accesses that are not zero, rounded to four digits."""
        credit: dict[str, float] = {}
        for name in (
            "shown",
            "opened",
            "recalled",
            "good",
            "bad",
            "gain",
            "loss",
        ):
            value = getattr(self, name)
            if value:
                credit[name] = round(value, 4)
        return credit


class Opinion(NamedTuple):
    """The outcome a reader stated, and how its credit was spread."""

    outcome: str
    at: str
    shares: Mapping[str, float]  # by entry, 1 in all


@dataclass
class AskedQuestion:
    """All the times that one reader asked the same words with the same verb."""

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
    has_news: bool = False  # an entry was opened, or an opinion was stated
    # entries credited for an opening
    credited: set[str] = field(default_factory=set)
    opinion: Opinion | None = None


class Evidence(NamedTuple):
    """Tallies and questions since the last run."""

    tallies: dict[str, Tally]
    questions: list[AskedQuestion]  # asked, opened or judged since the last run


def attribute(new: Sequence[Read], earlier: Sequence[Read]) -> Evidence:
    """Return the evidence in *new* reads.

    *earlier* reads are on record already: they tell what was shown, and are not counted again.
    """
    book = _Book()
    for read in earlier:
        book.add(read)
    book.counting = True
    for read in new:
        book.add(read)
    questions = [
        each for each in book.questions.values() if each.count or each.has_news
    ]
    return Evidence(book.tallies, questions)


class _Showing(NamedTuple):
    """One query as it was asked once."""

    question: AskedQuestion
    read: Read


class _Book:
    """Tallies and questions while reads are added in the order of time."""

    def __init__(self) -> None:
        self.counting = False
        self.days: set[str] = set()  # on which anything was read
        self.tallies: dict[str, Tally] = {}
        self.questions: dict[tuple[str, str, str], AskedQuestion] = {}
        self.showings: dict[str, _Showing] = {}  # by the id of the use
        self.showings_of_agent: dict[str, list[_Showing]] = {}
        # the last one, by the id of the use it is about
        self.opinions: dict[str, Opinion] = {}
        # feedback on entries, without a query
        self.judged_entries: dict[
            tuple[str, tuple[str, ...]], AskedQuestion
        ] = {}

    def add(self, read: Read) -> None:
        """Add one read; reads must come in the order of time."""
        self.days.add(read.at[:10])
        if read.verb in QUERIES:
            self._add_query(read)
        elif read.verb in OPENINGS:
            self._add_opening(read)
        elif read.verb == FEEDBACK and read.words in OUTCOMES:
            self._add_feedback(read)

    def _count_days(self, since: str, until: str) -> int:
        """Return on how many days after that of *since*, up to *until*, anything was read."""
        return sum(since[:10] < day <= until[:10] for day in self.days)

    def _tally(self, entry: str) -> Tally:
        # Reads on record must not be counted again: they change a tally that nobody keeps.
        if not self.counting:
            return Tally()
        return self.tallies.setdefault(entry, Tally())

    def _add_query(self, read: Read) -> None:
        key = (read.agent, read.verb, read.words)
        question = self.questions.setdefault(key, AskedQuestion(read.id, *key))
        question.at = max(question.at, read.at)
        question.shown = read.shown
        question.quiet |= read.quiet
        question.count += self.counting
        showing = _Showing(question, read)
        self.showings[read.id] = showing
        self.showings_of_agent.setdefault(read.agent, []).append(showing)
        entries = (
            read.shown[:PLACES_READ] if read.verb == "search" else read.shown
        )
        for entry in entries:
            tally = self._tally(entry)
            tally.shown += 1
            tally.count_access(read.at)

    def _add_opening(self, read: Read) -> None:
        for entry in read.shown:
            tally = self._tally(entry)
            tally.opened += 1
            tally.recalled += read.verb == ORIGINAL
            tally.count_access(read.at)
            showing = self._find_showing(read.agent, entry)
            if showing is not None:
                self._credit_opening(showing, entry, read.at)

    def _find_showing(self, agent: str, entry: str) -> _Showing | None:
        """Return the last query by *agent* that showed *entry*."""
        newest = self.showings_of_agent.get(agent, [])[-_QUERIES_BACK:]
        for showing in reversed(newest):
            if entry in showing.read.shown:
                return showing
        return None

    def _credit_opening(self, showing: _Showing, entry: str, at: str) -> None:
        question, asked = showing
        weight = opening_weight(_minutes_between(asked.at, at))
        if not weight:
            return
        question.opened = [each for each in question.opened if each != entry]
        question.opened.append(entry)
        if not self.counting or entry in question.credited:
            return
        question.has_news = True
        question.credited.add(entry)
        self._tally(entry).gain += OPENED * weight
        above = asked.shown[: asked.shown.index(entry)]
        passed = set(above).difference(question.opened, question.credited)
        question.credited |= passed
        for each in sorted(passed):
            self._tally(each).loss += PASSED * weight

    def _add_feedback(self, read: Read) -> None:
        showing = self._showing_of_feedback(read)
        question = showing.question
        question.outcome = OUTCOMES[read.words]
        opinion = _opinion(showing, read)
        # Within one run a question has one opinion; what an earlier run recorded is taken back only
        # when it is about the same answer.
        before = question.opinion or self.opinions.get(read.about or "")
        is_new = before is None or before.outcome != opinion.outcome
        if read.about is not None:
            self.opinions[read.about] = (
                opinion if is_new or before is None else before
            )
        if not self.counting or not is_new:
            return
        if before is not None:
            self._credit(before, -remain(self._count_days(before.at, read.at)))
        self._credit(opinion, 1.0)
        question.opinion = opinion
        question.has_news = True

    def _showing_of_feedback(self, read: Read) -> _Showing:
        """Return the query that feedback is about.

        Where only the ledger still has the query, or the feedback is about an entry, the feedback
        itself says which entries were shown.
        """
        showing = self.showings.get(read.about or "")
        if showing is not None:
            return showing
        return _Showing(self._question_of_feedback(read), read)

    def _question_of_feedback(self, read: Read) -> AskedQuestion:
        if read.about is None:
            new = AskedQuestion(read.id, read.agent, "", "")
            return self.judged_entries.setdefault((read.agent, read.shown), new)
        new = AskedQuestion(read.about, read.agent, "", "")
        return self.questions.setdefault(("", "", read.about), new)

    def _credit(self, opinion: Opinion, weight: float) -> None:
        """Credit *opinion* with *weight*; a negative weight takes it back."""
        sign = 1 if weight > 0 else -1
        for entry, share in opinion.shares.items():
            tally = self._tally(entry)
            if opinion.outcome == "good":
                tally.good += sign * share
                tally.gain += SAID * share * weight
            else:
                tally.bad += sign * share
                tally.loss += SAID * share * weight


def _opinion(showing: _Showing, feedback: Read) -> Opinion:
    shown = showing.read.shown
    opened = [each for each in shown if each in showing.question.opened]
    entries = opened or shown
    shares = dict(zip(entries, spread_credit(len(entries)), strict=True))
    return Opinion(OUTCOMES[feedback.words], feedback.at, shares)


def _minutes_between(since: str, until: str) -> float:
    passed = datetime.fromisoformat(until) - datetime.fromisoformat(since)
    return passed.total_seconds() / 60


def use_events(
    evidence: Evidence, known: Iterable[str], *, now: str, most: int
) -> list[LedgerLine]:
    """Return the ledger lines of *evidence*: one for each entry, and at most *most* for questions.

    Questions with an outcome or an opening go first, then those asked most. *known* are the ids of
    the questions already on record. No time in the lines is after *now*.
    """
    recorded = set(known)
    lines = [
        _used_line(entry, tally, now)
        for entry, tally in sorted(evidence.tallies.items())
    ]
    for question in _select_questions(evidence.questions, most):
        if question.count:
            lines.append(_asked_line(question, now))
        elif question.id in recorded:
            lines.append(_rated_line(question))
    return lines


def _select_questions(
    questions: Collection[AskedQuestion], most: int
) -> list[AskedQuestion]:
    """Return at most *most* questions that may be shared, in the order of time."""
    shareable = [
        q for q in questions if not q.quiet and (q.words or not q.count)
    ]
    shareable.sort(key=lambda q: (not q.outcome, not q.opened, -q.count, q.id))
    return sorted(shareable[:most], key=lambda q: (q.at, q.id))


def _used_line(entry: str, tally: Tally, now: str) -> LedgerLine:
    reason = "An earlier read turned out good or bad."
    if tally.accesses:
        reason = f"Read {times_in_words(tally.accesses)}."
    line: LedgerLine = {
        "e": "used",
        "entry": entry,
        "accesses": tally.accesses,
        "last": min(tally.last, now),
        "reason": reason,
    }
    credit = tally.credit()
    if credit:
        line["credit"] = credit
    return line


def _asked_line(question: AskedQuestion, now: str) -> LedgerLine:
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
        "reason": f"Asked {times_in_words(question.count)}.",
    }


def _rated_line(question: AskedQuestion) -> LedgerLine:
    opened = many(len(question.opened), "entry")
    judged = "nobody judged the answer"
    if question.outcome:
        judged = f"its answer was judged {question.outcome}"
    return {
        "e": "rated",
        "query": question.id,
        "opened": question.opened,
        "outcome": question.outcome,
        "reason": f"An earlier question: {opened} opened, {judged}.",
    }
