"""Asking judges: every question of every kind goes through here, and so through the verdict log
(LED-7).

Look up, ask what is missing, make the answers durable, answer from the log. A judge that would say
something else the second time is not asked a second time; a changed judge (rules, prompt, model,
weights, parameters) is a new key.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from companion.language.protocols import (
    Comparer,
    Extractor,
    Identity,
    ModelUnavailable,
    Preference,
    Relater,
    Summariser,
    Summary,
)
from companion.storage.journal.verdicts import (
    Logged,
    Verdicts,
    encode_canonical,
)
from companion.values.claims import Claim, Period, Span
from companion.values.relations import Relation, Statement
from companion.values.wording import many

if TYPE_CHECKING:
    from companion.judges.results import (
        TallyResult,
    )

Question = TypeVar("Question")
Answer = TypeVar("Answer")

RELATE, EXTRACT, SUMMARISE, COMPARE = (
    "relate",
    "extract",
    "summarise",
    "compare",
)
# What a paid or slow answer cost is safe as soon as it came; rules are asked for all at once.
_AT_ONCE = {"llm": 1, "semantic": 64}
_ALL = 10_000


class Tally(NamedTuple):
    """What asking came to, for the person to read."""

    judge: str
    questions: int
    replayed: int  # answered from the log
    asked: int
    unanswered: int
    trouble: str | None  # why some have no answer

    def __str__(self) -> str:
        said = f"{self.judge}: {many(self.questions, 'question')}, {self.replayed} answered before, {self.asked} asked"
        return said + (
            f", {self.unanswered} without an answer ({self.trouble})"
            if self.unanswered
            else ""
        )


def describe_tally(tally: Tally) -> "TallyResult":
    """Return a tally as documents have it."""
    return {
        "judge": tally.judge,
        "questions": tally.questions,
        "replayed": tally.replayed,
        "asked": tally.asked,
        "unanswered": tally.unanswered,
        "trouble": tally.trouble,
        "said": str(tally),
    }


@dataclass(frozen=True)
class Consultation(Generic[Answer]):
    """The answers in the order of the questions; None where the judge gave none."""

    answers: list[Answer | None]
    keys: list[str]
    # what the answers rest on, but for what rules would say again
    used: Mapping[str, Logged]
    tally: Tally


class _Task(NamedTuple, Generic[Question, Answer]):
    name: str
    identity: Identity
    # what is hashed: everything of the question that the judge sees
    inputs: Callable[[Question], object]
    ask: Callable[[Sequence[Question]], Sequence[Answer]]
    encode: Callable[[Answer], dict[str, Any]]
    decode: Callable[[Mapping[str, Any]], Answer]
    decisive: Callable[[Answer], bool]


def ask_relations(
    log: Verdicts,
    judge: Relater,
    pairs: Sequence[tuple[Statement, Statement]],
    at: str,
) -> Consultation[Relation]:
    """Ask how each (earlier, later) pair stands; *at* is the transaction time of new answers."""
    task = _Task(
        RELATE,
        judge.identity,
        _pair,
        judge.relate,
        _relation,
        _as_relation,
        _is_decisive,
    )
    return _through(log, task, pairs, at)


def ask_claims(
    log: Verdicts, judge: Extractor, texts: Sequence[tuple[str, str]], at: str
) -> Consultation[list[Claim]]:
    """Ask what claims each (text, event time) states."""

    def ask(some: Sequence[tuple[str, str]]) -> list[list[Claim]]:
        return [judge.extract(text, event_time=when) for text, when in some]

    return _through(
        log,
        _Task(EXTRACT, judge.identity, list, ask, _claims, _as_claims, bool),
        texts,
        at,
    )


def ask_summaries(
    log: Verdicts,
    judge: Summariser,
    texts: Sequence[tuple[str, float]],
    at: str,
) -> Consultation[Summary]:
    """Ask for the summary of each (text, depth)."""

    def ask(some: Sequence[tuple[str, float]]) -> list[Summary]:
        return [judge.summarise(text, depth=depth) for text, depth in some]

    task = _Task(
        SUMMARISE,
        judge.identity,
        list,
        ask,
        _summary,
        _as_summary,
        lambda summary: True,
    )
    return _through(log, task, texts, at)


def ask_preferences(
    log: Verdicts,
    judge: Comparer,
    questions: Sequence[tuple[str, str, str]],
    at: str,
) -> Consultation[Preference]:
    """Ask which of two answers is better, for each (question, first answer, second answer)."""
    task = _Task(
        COMPARE,
        judge.identity,
        list,
        judge.compare,
        _preference,
        _as_preference,
        lambda answer: True,
    )
    return _through(log, task, questions, at)


def question_key(task: str, identity: Identity, inputs: object) -> str:
    """Return the key of one question: sha256 over the task, all of the judge's identity, and the
    inputs' hash.
    """
    hashed = hashlib.sha256(
        encode_canonical(inputs).encode("utf-8", "surrogatepass")
    ).hexdigest()
    whole = encode_canonical(
        {"task": task, "judge": identity._asdict(), "inputs": hashed}
    )
    return hashlib.sha256(whole.encode()).hexdigest()


def is_recomputable(identity: Identity) -> bool:
    """Tell whether a judge is rules alone: of its answers only the decisive ones are kept, the rest
    it gives again.
    """
    return identity.name == "light"


def _through(
    log: Verdicts,
    task: _Task[Question, Answer],
    questions: Sequence[Question],
    at: str,
) -> Consultation[Answer]:
    keys = [
        question_key(task.name, task.identity, task.inputs(question))
        for question in questions
    ]
    before = log.find(keys)
    missing = {
        k: question
        for k, question in zip(keys, questions, strict=True)
        if k not in before
    }
    fresh, trouble = _ask(log, task, missing, at)
    # From the log, not from the judge: another process may have been first.
    used = before | log.find(
        k for k, answer in fresh.items() if _is_kept(task, answer)
    )
    answers = [
        task.decode(used[k].answer) if k in used else fresh.get(k) for k in keys
    ]
    lacking = sum(answer is None for answer in answers)
    tally = Tally(
        str(task.identity),
        len(set(keys)),
        len(before),
        len(fresh),
        lacking,
        trouble,
    )
    return Consultation(answers, keys, used, tally)


def _ask(
    log: Verdicts,
    task: _Task[Question, Answer],
    missing: Mapping[str, Question],
    at: str,
) -> tuple[dict[str, Answer], str | None]:
    """Ask and make durable; a model that stops answering leaves the rest without an answer, and
    says why.
    """
    fresh: dict[str, Answer] = {}
    keys, size = list(missing), _AT_ONCE.get(task.identity.name, _ALL)
    for start in range(0, len(keys), size):
        some = keys[start : start + size]
        try:
            given = task.ask([missing[k] for k in some])
        except ModelUnavailable as error:
            return fresh, str(error)
        answers = dict(zip(some, given, strict=True))
        fresh |= answers
        kept = {k: a for k, a in answers.items() if _is_kept(task, a)}
        log.add(
            [
                Logged(k, task.name, str(task.identity), task.encode(a))
                for k, a in kept.items()
            ],
            at,
        )
    return fresh, None


def _is_kept(task: _Task[Question, Answer], answer: Answer) -> bool:
    return task.decisive(answer) or not is_recomputable(task.identity)


# -- answers as JSON -------------------------------------------------------------------------------


def _pair(pair: tuple[Statement, Statement]) -> object:
    return [list(statement) for statement in pair]


def _is_decisive(answer: Relation) -> bool:
    """Only a contradiction moves a note; what supports it is words for the reason, which rules find
    again.
    """
    return answer.label == "contradicts"


def _relation(answer: Relation) -> dict[str, Any]:
    """Return a relation as the log keeps it: scores to 1e-6, zeros left out."""
    scores = {
        name: round(getattr(answer, name), 6)
        for name in ("score", "opposition", "update", "similarity")
    }
    return {
        "label": answer.label,
        "reason": answer.reason,
        **{name: s for name, s in scores.items() if s},
    }


def _as_relation(data: Mapping[str, Any]) -> Relation:
    return Relation(**{"score": 0.0, **data})


def _claims(answer: list[Claim]) -> dict[str, Any]:
    return {
        "claims": [
            {
                **claim._asdict(),
                "key": list(claim.key),
                "period": claim.period._asdict(),
                "span": list(claim.span),
            }
            for claim in answer
        ]
    }


def _as_claims(data: Mapping[str, Any]) -> list[Claim]:
    return [
        Claim(
            **{
                **each,
                "key": tuple(each["key"]),
                "period": Period(**each["period"]),
                "span": Span(*each["span"]),
            }
        )
        for each in data["claims"]
    ]


def _summary(answer: Summary) -> dict[str, Any]:
    return {
        "title": answer.title,
        "text": answer.text,
        "spans": [list(span) for span in answer.spans],
    }


def _as_summary(data: Mapping[str, Any]) -> Summary:
    return Summary(
        data["title"],
        data["text"],
        tuple(Span(*span) for span in data["spans"]),
    )


def _preference(answer: Preference) -> dict[str, Any]:
    return {**answer._asdict(), "confidence": round(answer.confidence, 6)}


def _as_preference(data: Mapping[str, Any]) -> Preference:
    return Preference(**data)
