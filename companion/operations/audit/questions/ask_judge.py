"""Let a language model judge the answers with an entry and without it, not knowing which is which.

It is asked about questions whose readers said nothing of the answer (`judged_answers`), twice each,
with either answer first: a model that prefers a place says nothing, and so does a page that praises
"answer A". The model is shown what everybody may read, cut to length, with secrets taken out. Every
answer goes through the verdict log and into the run's ledger file, so that clones replay it.
Without a language model nothing here is ever asked.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.answers.budget import fit_into_budget, pack_as_text
from companion.comparison import candidate_pairs
from companion.judges import configured
from companion.judges.ask import (
    Consultation,
    Tally,
    ask_preferences,
    describe_tally,
)
from companion.language.protocols import (
    Comparer,
    Identity,
    ModelUnavailable,
    Preference,
)
from companion.lookup.excerpts import cut_snippet
from companion.lookup.read_page import read_page_bytes
from companion.operations.audit.questions import judged_answers
from companion.operations.audit.questions.judged_answers import Better, Judged
from companion.operations.audit.questions.query_set import Probe
from companion.operations.audit.questions.replay import ANSWERED, Replay
from companion.pages.body import words_to_judge
from companion.privacy import secret_formats
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.names import find_member_page
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.allowance import Allowance
from companion.values.events import LedgerLine
from companion.values.wording import many

if TYPE_CHECKING:
    from companion.judges.results import (
        TallyResult,
    )

Announce = Callable[[str], None]
_Question = tuple[str, str, str]  # what was asked, and two answers

_PLACES = 5  # of a list of results that are shown
_PASSAGES = 2  # of a page
_LONGEST = 240  # characters of a passage, and of a title
_TOKENS = 400  # of an answer from claims
_NOTHING = "(nothing is found)"
_WORD = re.compile(r"\w+")


class Wanted(NamedTuple):
    """A question for the model, with the answer that there is without the entry."""

    probe: Probe
    bare: str


class _Pair(NamedTuple):
    """A question with the answer that the entry has a part in, and the bare one."""

    probe: Probe
    whole: str
    bare: str


class Jury:
    """A language model that compares answers, for one audit."""

    def __init__(self, run: Run, comparer: Comparer, most: int) -> None:
        self.comparer = comparer
        self.most = most
        self.name = str(comparer.identity)
        self.used: dict[str, Logged] = {}
        self.about: dict[str, str] = {}  # key -> the entry that was audited
        self.tallies: list[Tally] = []
        self._log = Verdicts(run.journal, run.db)
        self._at = run.moment()

    def wanted(
        self,
        again: Replay,
        entry: str,
        probes: Sequence[Probe],
        before: Mapping[str, Sequence[str]],
        after: Mapping[str, Sequence[str]],
    ) -> list[Wanted]:
        """Return what is asked of *entry*; to be called while it is suspended from *again*."""
        chosen = judged_answers.choose_questions(
            entry, probes, before, after, self.most
        )
        return [
            Wanted(probe, describe_answer(again, probe, after[probe.id]))
            for probe in chosen
        ]

    def judge(
        self,
        again: Replay,
        entry: str,
        wanted: Sequence[Wanted],
        before: Mapping[str, Sequence[str]],
    ) -> dict[str, Judged]:
        """Return what was judged, by groups of questions; to be called when *entry* is back.

        A question whose first answer is a preference is asked again with the answers turned round.
        """
        pairs = []
        for probe, bare in wanted:
            whole = describe_answer(again, probe, before[probe.id])
            if whole != bare:
                pairs.append(_Pair(probe, whole, bare))
        judged = self._ask(entry, pairs, turned=False)
        preferred = [
            pair
            for pair in pairs
            if pair.probe.group in judged
            and judged[pair.probe.group].better != "same"
        ]
        turned = self._ask(entry, preferred, turned=True)
        for pair in preferred:
            group = pair.probe.group
            once = judged.pop(group)
            if group in turned:
                judged[group] = judged_answers.combine_orders(
                    once, turned[group]
                )
        return judged

    def _ask(
        self, entry: str, pairs: Sequence[_Pair], *, turned: bool
    ) -> dict[str, Judged]:
        """Return what the model says of each group; groups without an answer are left out."""
        whole_first = [
            _is_whole_first(pair.probe.words) != turned for pair in pairs
        ]
        questions = [
            _question(pair, first)
            for pair, first in zip(pairs, whole_first, strict=True)
        ]
        asked = ask_preferences(self._log, self.comparer, questions, self._at)
        self._record(entry, asked)
        judged = {}
        for pair, first, preference in zip(
            pairs, whole_first, asked.answers, strict=True
        ):
            if preference is not None:
                judged[pair.probe.group] = _judged(
                    pair.probe, preference, first
                )
        return judged

    def _record(self, entry: str, asked: Consultation[Preference]) -> None:
        """Remember what was used and what it cost; a model that stopped answering is not asked
        again.
        """
        self.used.update(asked.used)
        for key in asked.used:
            self.about.setdefault(key, entry)
        self.tallies.append(asked.tally)
        if asked.tally.trouble is not None:
            self.comparer = _Silent(self.comparer.identity, asked.tally.trouble)

    def tally(self) -> "list[TallyResult]":
        """Return what asking came to in all, as reports have it."""
        if not any(tally.questions for tally in self.tallies):
            return []
        troubles = [tally.trouble for tally in self.tallies if tally.trouble]
        whole = Tally(
            self.name,
            sum(tally.questions for tally in self.tallies),
            sum(tally.replayed for tally in self.tallies),
            sum(tally.asked for tally in self.tallies),
            sum(tally.unanswered for tally in self.tallies),
            troubles[0] if troubles else None,
        )
        return [describe_tally(whole)]

    def lines(self) -> list[LedgerLine]:
        """Return the ledger's lines for the answers that no ledger file has yet."""
        recorded = self._log.told(self.used)
        lines: list[LedgerLine] = []
        for key, logged in sorted(self.used.items()):
            if key not in recorded:
                lines.append(_verdict_line(key, logged, self.about[key]))
        return lines


def _verdict_line(key: str, logged: Logged, entry: str) -> LedgerLine:
    answer = dict(logged.answer)
    reason = answer.pop("reason")
    return {
        "e": "verdict",
        "key": key,
        "task": logged.task,
        "judge": logged.judge,
        "about": entry,
        "answer": answer,
        "reason": reason,
    }


class _Silent:
    """Stands in for a model that stopped answering: one wait is enough, and what it said before is
    in the log.
    """

    def __init__(self, identity: Identity, trouble: str) -> None:
        self.identity = identity
        self._trouble = trouble

    def compare(self, questions: Sequence[_Question]) -> list[Preference]:
        """Raise ModelUnavailable."""
        raise ModelUnavailable(self._trouble)


def open_jury(
    run: Run,
    entries: int,
    announce: Announce | None,
    allowance: Allowance | None = None,
) -> Jury | None:
    """Return who judges answers in an audit of so many *entries*.

    None where no language model is chosen, where it may be called too rarely, or where it does not
    answer; the run's notes say then which.
    """
    if run.config.reasoner != "llm" or not entries:
        return None
    allowance = allowance or Allowance()
    calls = allowance.count_calls_left(run.config.max_calls)
    most = judged_answers.questions_per_entry(calls, entries)
    call_words = many(calls, "call")
    verb = "is" if calls == 1 else "are"
    entry_words = many(entries, "entry")
    comparer = configured.open_judges(run.config, allowance=allowance).comparer
    assert comparer is not None  # a language model can
    if not most:
        run.notes.append(
            f"no answer was judged: {call_words} {verb} too few for {entry_words}"
        )
        return None
    try:
        jury = Jury(run, comparer, most)
    except ModelUnavailable as error:
        run.notes.append(f"no answer was judged: {error}")
        return None
    if announce is not None:
        questions = many(most, "question")
        announce(
            f"answers are judged by {jury.name}: at most {questions} of each of {entry_words}, "
            f"at most {call_words}"
        )
    return jury


def _is_whole_first(words: str) -> bool:
    """Tell whether the answer with the entry is shown first at first.

    The question decides, so that no order is usual.
    """
    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()
    return digest[0] % 2 == 0


def _question(pair: _Pair, whole_first: bool) -> _Question:
    words = _redact(pair.probe.words)
    if whole_first:
        return words, pair.whole, pair.bare
    return words, pair.bare, pair.whole


def _judged(probe: Probe, preference: Preference, whole_first: bool) -> Judged:
    better: Better = "same"
    if preference.better != "same":
        is_first = preference.better == "first"
        better = "with" if is_first == whole_first else "without"
    return Judged(probe.id, better, preference.confidence, preference.basis)


# -- what the model is shown -----------------------------------------------------------------------


def describe_answer(again: Replay, probe: Probe, ranking: Sequence[str]) -> str:
    """Return what a reader is shown of an answer to *probe*: what claims say, else the first
    results with the passages that have most of its words.
    """
    if probe.verb in ANSWERED:
        answers = again.chains(probe.words)
        if answers:
            return _redact(pack_as_text(fit_into_budget(answers, _TOKENS)))
    lines: list[str] = []
    for id in ranking[:_PLACES]:
        result = _describe_result(again, id, probe.words)
        if result:
            lines.append(f"{len(lines) + 1}. {result}")
    return "\n".join(lines) or _NOTHING


def _describe_result(again: Replay, id: str, words: str) -> str:
    """Return the title and passages of a page; "" where there is none any more."""
    # what is no entry is set aside, or of a branch
    page = find_page(again.db, id) or find_member_page(again.db, id)
    if page is None:
        return ""
    data = read_page_bytes(again.ws, page.path, page.blob)
    text = _redact(words_to_judge(data.decode("utf-8", "replace")))
    title = _redact(page.title or page.path)[:_LONGEST]
    return f"{title}: {' … '.join(_best_passages(text, words))}"


def _best_passages(text: str, words: str) -> list[str]:
    """Return the few passages of *text* that have most of *words*; where none has any, its
    beginning.
    """
    asked = _words_of(words)
    passages = candidate_pairs.split_passages(text)
    shared = [len(asked & _words_of(passage)) for passage in passages]
    most = max(shared, default=0)
    best = [
        passage[:_LONGEST]
        for passage, count in zip(passages, shared, strict=True)
        if count == most > 0
    ]
    if best:
        return best[:_PASSAGES]
    return passages[:1] or [cut_snippet(text, [])]


def _words_of(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _redact(text: str) -> str:
    """Return *text* without secrets: pages that were adopted may hold some, and no prompt may."""
    return secret_formats.redact(text, secret_formats.find(text))
