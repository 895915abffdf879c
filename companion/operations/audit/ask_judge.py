"""Answers judged in an audit: a language model is shown each answer with an entry and without it,
not which is which.

Asked are questions whose readers said nothing of the answer (`core.comparing`), twice each, with
either answer first: a model that prefers a place says nothing, and so does a page that praises
"answer A". What it is shown is what everybody may read, cut to length, with secrets taken out.
Every answer goes through the verdict log, and into the run's ledger file, so that clones replay it.
Without a language model nothing here is ever asked.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

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
from companion.lookup.excerpts import cut_snippet, read_page_bytes
from companion.operations.audit import judged_answers
from companion.operations.audit.judged_answers import Better, Judged
from companion.operations.audit.query_set import Probe
from companion.operations.audit.replay import ANSWERED, Replay
from companion.pages.body import words_to_judge
from companion.privacy import secret_formats
from companion.runs.run import Run
from companion.storage.index.tables.entries import find_page
from companion.storage.index.tables.pages import find_member_page
from companion.storage.journal.verdicts import Logged, Verdicts
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


class Jury:
    """A language model that holds answers against each other, for one audit."""

    def __init__(self, tonight: Run, comparer: Comparer, most: int) -> None:
        self.tonight, self.comparer, self.most = tonight, comparer, most
        self.name = str(comparer.identity)
        self.used: dict[str, Logged] = {}
        self.about: dict[str, str] = {}  # key -> the entry that was audited
        self.tallies: list[Tally] = []
        self._log, self._at = (
            Verdicts(tonight.journal, tonight.db),
            tonight.moment(),
        )

    def wanted(
        self,
        again: Replay,
        entry: str,
        probes: Sequence[Probe],
        before: Mapping[str, Sequence[str]],
        after: Mapping[str, Sequence[str]],
    ) -> list[Wanted]:
        """Return what is asked of *entry*; to be called while it is suspended from *again*."""
        asked = judged_answers.wanted(entry, probes, before, after, self.most)
        return [
            Wanted(probe, shown(again, probe, after[probe.id]))
            for probe in asked
        ]

    def judge(
        self,
        again: Replay,
        entry: str,
        wanted: Sequence[Wanted],
        before: Mapping[str, Sequence[str]],
    ) -> dict[str, Judged]:
        """Return what was judged, by groups of questions; to be called when *entry* is back."""
        sides = {
            each.probe.group: (
                shown(again, each.probe, before[each.probe.id]),
                each.bare,
            )
            for each in wanted
        }
        open_ = [
            each.probe
            for each in wanted
            if len(set(sides[each.probe.group])) == 2
        ]
        leads = {probe.group: _leads(probe.words) for probe in open_}
        once = self._ask(entry, open_, sides, leads)
        settled = {
            group: each for group, each in once.items() if each.better == "same"
        }
        preferred = [
            probe
            for probe in open_
            if probe.group in once.keys() - settled.keys()
        ]
        turned = self._ask(
            entry,
            preferred,
            sides,
            {group: not first for group, first in leads.items()},
        )
        return settled | {
            group: judged_answers.agreed(once[group], other)
            for group, other in turned.items()
        }

    def _ask(
        self,
        entry: str,
        probes: Sequence[Probe],
        sides: Mapping[str, tuple[str, str]],
        leads: Mapping[str, bool],
    ) -> dict[str, Judged]:
        """Ask of each group with the entry's answer first where *leads* says so."""
        questions = [
            _question(probe, *sides[probe.group], leads[probe.group])
            for probe in probes
        ]
        asked = ask_preferences(self._log, self.comparer, questions, self._at)
        self._file(entry, asked)
        answers = zip(probes, asked.answers, strict=True)
        return {
            probe.group: _judged(probe, said, leads[probe.group])
            for probe, said in answers
            if said is not None
        }

    def _file(self, entry: str, asked: Consultation[Preference]) -> None:
        self.used.update(asked.used)
        self.about |= {key: self.about.get(key, entry) for key in asked.used}
        self.tallies.append(asked.tally)
        if asked.tally.trouble is not None:
            self.comparer = _Silent(self.comparer.identity, asked.tally.trouble)

    def tally(self) -> "list[TallyResult]":
        """Return what asking came to in all, as reports have it."""
        if not any(each.questions for each in self.tallies):
            return []
        questions, replayed, asked, unanswered = (
            sum(c) for c in zip(*(t[1:5] for t in self.tallies), strict=True)
        )
        trouble = next(
            (each.trouble for each in self.tallies if each.trouble), None
        )
        whole = Tally(
            self.name, questions, replayed, asked, unanswered, trouble
        )
        return [describe_tally(whole)]

    def lines(self) -> list[dict[str, Any]]:
        """Return the ledger's lines for the answers that no ledger file has yet."""
        told = self._log.told(self.used)
        return [
            {
                "e": "verdict",
                "key": key,
                "task": logged.task,
                "judge": logged.judge,
                "about": self.about[key],
                "answer": {
                    name: value
                    for name, value in logged.answer.items()
                    if name != "reason"
                },
                "reason": logged.answer["reason"],
            }
            for key, logged in sorted(self.used.items())
            if key not in told
        ]


class _Silent:
    """Stands in for a model that stopped answering: one wait is enough, and what it said before is
    in the log.
    """

    def __init__(self, identity: Identity, trouble: str) -> None:
        self.identity, self._trouble = identity, trouble

    def compare(self, questions: Sequence[_Question]) -> list[Preference]:
        raise ModelUnavailable(self._trouble)


def jury(tonight: Run, entries: int, announce: Announce | None) -> Jury | None:
    """Return who judges answers in an audit of so many *entries*; None where no language model is
    chosen, or none answers, which the notes say then.
    """
    if tonight.config.reasoner != "llm" or not entries:
        return None
    found, calls = (
        configured.open_judges(tonight.config),
        tonight.config.max_calls,
    )
    assert found.comparer is not None  # a language model can
    most = judged_answers.share(calls, entries)
    if not most:
        tonight.notes.append(
            f"no answer was judged: {many(calls, 'call')} are too few for {many(entries, 'entry')}"
        )
        return None
    try:
        made = Jury(tonight, found.comparer, most)
    except ModelUnavailable as error:
        tonight.notes.append(f"no answer was judged: {error}")
        return None
    asked = f"at most {many(most, 'question')} of each of {many(entries, 'entry')}, at most {many(calls, 'call')}"
    if announce is not None:
        announce(f"answers are judged by {made.name}: {asked}")
    return made


def shown(again: Replay, probe: Probe, ranking: Sequence[str]) -> str:
    """Return what a reader is shown of an answer to *probe*: what claims say, else the first
    results with the passages that have most of its words.
    """
    made = again.chains(probe.words) if probe.verb in ANSWERED else []
    if made:
        return _plain(pack_as_text(fit_into_budget(made, _TOKENS)))
    results = [_result(again, id, probe.words) for id in ranking[:_PLACES]]
    return (
        "\n".join(
            f"{n}. {result}"
            for n, result in enumerate(filter(None, results), 1)
        )
        or _NOTHING
    )


def _result(again: Replay, id: str, words: str) -> str:
    # what is no entry is set aside, or of a branch
    page = find_page(again.db, id) or find_member_page(again.db, id)
    if page is None:
        return ""
    text = _plain(
        words_to_judge(
            read_page_bytes(again.ws, page.path, page.blob).decode(
                "utf-8", "replace"
            )
        )
    )
    return f"{_plain(page.title or page.path)[:_LONGEST]}: {' … '.join(_passages(text, words))}"


def _passages(text: str, words: str) -> list[str]:
    """Return the few passages of *text* that have most of *words*; where none has any, how it
    begins.
    """
    asked = set(_WORD.findall(words.casefold()))
    known = candidate_pairs.split_passages(text)
    scored = sorted(
        (-len(asked & set(_WORD.findall(each.casefold()))), n)
        for n, each in enumerate(known)
    )
    best = [n for score, n in scored[:_PASSAGES] if score == scored[0][0] < 0]
    return (
        [known[n][:_LONGEST] for n in best]
        or known[:1]
        or [cut_snippet(text, [])]
    )


def _plain(text: str) -> str:
    """Return *text* without what should be in no prompt: pages that were adopted may hold a
    secret.
    """
    return secret_formats.redact(text, secret_formats.find(text))


def _leads(words: str) -> bool:
    """Tell whether the answer with the entry is shown first at first: the question decides, and no
    order is usual.
    """
    return (
        hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[0] % 2
        == 0
    )


def _question(probe: Probe, whole: str, bare: str, leads: bool) -> _Question:
    first, second = (whole, bare) if leads else (bare, whole)
    return _plain(probe.words), first, second


def _judged(probe: Probe, said: Preference, leads: bool) -> Judged:
    better: Better = "same"
    if said.better != "same":
        better = "with" if (said.better == "first") == leads else "without"
    return Judged(probe.id, better, said.confidence, said.basis)
