"""Ask judges. Every question goes through here, and so through the verdict log (LED-7).

Known answers are looked up, the missing ones are asked for and made durable, and all are given from
the log. So a judge that would say something else the second time is not asked a second time. A
changed judge (rules, prompt, model, weights, parameters) has another key, and is asked.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from companion.judges.encode_answers import (
    decode_claims,
    decode_preference,
    decode_relation,
    decode_summary,
    encode_claims,
    encode_preference,
    encode_relation,
    encode_summary,
)
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
from companion.tuples import NamedTuple
from companion.values.claims import Claim
from companion.values.events import JsonDocument
from companion.values.progress import SILENT, Progress
from companion.values.relations import Relation, Statement
from companion.values.wording import many

if TYPE_CHECKING:
    from companion.judges.results import (
        TallyResult,
    )

Question = TypeVar("Question")
Answer = TypeVar("Answer")

RELATE = "relate"
EXTRACT = "extract"
SUMMARISE = "summarise"
COMPARE = "compare"
# Paid or slow answers become durable as soon as they come; rules are asked for all at once.
_AT_ONCE = {"llm": 1, "semantic": 64}
_ALL = 1_000


class Tally(NamedTuple):
    """The questions that one judge answered, for the person to read."""

    judge: str
    questions: int
    replayed: int  # answered from the log
    asked: int
    unanswered: int
    trouble: str | None  # why some have no answer

    def __str__(self) -> str:
        sentence = (
            f"{self.judge}: {many(self.questions, 'question')}, "
            f"{self.replayed} answered before, {self.asked} asked"
        )
        if not self.unanswered:
            return sentence
        return (
            f"{sentence}, {self.unanswered} without an answer ({self.trouble})"
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


@dataclass(frozen=True)
class _Task(Generic[Question, Answer]):
    """A kind of question: who answers it, and how its answers are kept."""

    name: str
    identity: Identity
    ask: Callable[[Sequence[Question]], Sequence[Answer]]
    encode: Callable[[Answer], JsonDocument]
    decode: Callable[[JsonDocument], Answer]
    # of rules, only decisive answers are kept: they give the rest again
    is_decisive: Callable[[Answer], bool]

    def key(self, question: Question) -> str:
        """Return the key of *question*: everything of it that the judge sees is hashed."""
        return question_key(self.name, self.identity, question)

    def is_kept(self, answer: Answer) -> bool:
        """Tell whether *answer* goes into the log."""
        return self.is_decisive(answer) or not is_recomputable(self.identity)


def ask_relations(
    log: Verdicts,
    judge: Relater,
    pairs: Sequence[tuple[Statement, Statement]],
    at: str,
    progress: Progress = SILENT,
    *,
    notes: Sequence[str] = (),
) -> Consultation[Relation]:
    """Ask how each (earlier, later) pair stands; *at* is the transaction time of new answers.

    *notes* are the ids of the notes that the pairs are about, in the order of the pairs: a language
    model is asked about each note at once.
    """
    task = _Task(
        name=RELATE,
        identity=judge.identity,
        ask=judge.relate,
        encode=encode_relation,
        decode=decode_relation,
        is_decisive=_moves_a_note,
    )
    return _consult(log, task, pairs, at, progress, notes)


def ask_claims(
    log: Verdicts, judge: Extractor, texts: Sequence[tuple[str, str]], at: str
) -> Consultation[list[Claim]]:
    """Ask what claims each (text, event time) states."""

    def extract_all(some: Sequence[tuple[str, str]]) -> list[list[Claim]]:
        """Return the claims of each text."""
        return [judge.extract(text, event_time=when) for text, when in some]

    task = _Task(
        name=EXTRACT,
        identity=judge.identity,
        ask=extract_all,
        encode=encode_claims,
        decode=decode_claims,
        is_decisive=bool,
    )
    return _consult(log, task, texts, at)


def ask_summaries(
    log: Verdicts,
    judge: Summariser,
    texts: Sequence[tuple[str, float]],
    at: str,
) -> Consultation[Summary]:
    """Ask for the summary of each (text, depth)."""

    def summarise_all(some: Sequence[tuple[str, float]]) -> list[Summary]:
        """Return the summary of each text."""
        return [judge.summarise(text, depth=depth) for text, depth in some]

    task = _Task(
        name=SUMMARISE,
        identity=judge.identity,
        ask=summarise_all,
        encode=encode_summary,
        decode=decode_summary,
        is_decisive=_always,
    )
    return _consult(log, task, texts, at)


def ask_preferences(
    log: Verdicts,
    judge: Comparer,
    questions: Sequence[tuple[str, str, str]],
    at: str,
) -> Consultation[Preference]:
    """Ask which of two answers is better, for each (question, first answer, second answer)."""
    task = _Task(
        name=COMPARE,
        identity=judge.identity,
        ask=judge.compare,
        encode=encode_preference,
        decode=decode_preference,
        is_decisive=_always,
    )
    return _consult(log, task, questions, at)


def list_unanswered(
    log: Verdicts,
    judge: Relater,
    pairs: Sequence[tuple[Statement, Statement]],
) -> list[int]:
    """Return the places of those of *pairs* that the log has no answer of *judge* for, each pair
    once.
    """
    places: dict[str, int] = {}
    for place, pair in enumerate(pairs):
        places.setdefault(question_key(RELATE, judge.identity, pair), place)
    logged = log.find(list(places))
    return [place for key, place in places.items() if key not in logged]


def _moves_a_note(answer: Relation) -> bool:
    """Tell whether *answer* is a contradiction; support only adds words to a reason."""
    return answer.label == "contradicts"


def _always(answer: object) -> bool:
    return True


def question_key(task: str, identity: Identity, inputs: object) -> str:
    """Return the key of one question: a sha256 of the task, the judge's identity and the inputs."""
    text = encode_canonical(inputs).encode("utf-8", "surrogatepass")
    whole = {
        "task": task,
        "judge": identity._asdict(),
        "inputs": hashlib.sha256(text).hexdigest(),
    }
    return hashlib.sha256(encode_canonical(whole).encode()).hexdigest()


def is_recomputable(identity: Identity) -> bool:
    """Tell whether a judge is rules alone.

    The log keeps only its decisive answers: the rules give the rest again.
    """
    return identity.name == "light"


def _consult(
    log: Verdicts,
    task: _Task[Question, Answer],
    questions: Sequence[Question],
    at: str,
    progress: Progress = SILENT,
    groups: Sequence[str] = (),
) -> Consultation[Answer]:
    """Answer *questions* from the log, and from the judge where the log has no answer.

    A paid judge is asked each of the *groups*, which the questions belong to in order, at once.
    """
    keys = [task.key(question) for question in questions]
    logged = log.find(keys)
    missing: dict[str, Question] = {}
    for key, question in zip(keys, questions, strict=True):
        if key not in logged:
            missing[key] = question
    progress(len(questions) - len(missing))
    batches = _batch(task, list(missing), dict(zip(keys, groups, strict=False)))
    fresh, trouble = _ask_missing(log, task, missing, batches, at, progress)
    # From the log, not from the judge: another process may have been first.
    kept = [key for key, answer in fresh.items() if task.is_kept(answer)]
    used = logged | log.find(kept)
    answers: list[Answer | None] = []
    for key in keys:
        if key in used:
            answers.append(task.decode(dict(used[key].answer)))
        else:
            answers.append(fresh.get(key))
    tally = Tally(
        judge=str(task.identity),
        questions=len(set(keys)),
        replayed=len(logged),
        asked=len(fresh),
        unanswered=answers.count(None),
        trouble=trouble,
    )
    return Consultation(answers, keys, used, tally)


def _batch(
    task: _Task[Question, Answer],
    keys: Sequence[str],
    group_by_key: Mapping[str, str],
) -> list[list[str]]:
    """Return *keys* in batches: a paid judge's are groups, the others' are of one size."""
    if group_by_key and task.identity.name == "llm":
        groups: dict[str, list[str]] = {}
        for key in keys:
            groups.setdefault(group_by_key[key], []).append(key)
        return list(groups.values())
    size = _AT_ONCE.get(task.identity.name, _ALL)
    starts = range(0, len(keys), size)
    return [list(keys[start : start + size]) for start in starts]


def _ask_missing(
    log: Verdicts,
    task: _Task[Question, Answer],
    missing: Mapping[str, Question],
    batches: Sequence[Sequence[str]],
    at: str,
    progress: Progress,
) -> tuple[dict[str, Answer], str | None]:
    """Return the answers to *missing*, after the log has them, and why some have none.

    The keys of what is asked at once are one of *batches*. A model that stops answering leaves the
    rest without an answer.
    """
    fresh: dict[str, Answer] = {}
    for batch in batches:
        try:
            answers = task.ask([missing[key] for key in batch])
        except ModelUnavailable as error:
            return fresh, str(error)
        lines = []
        for key, answer in zip(batch, answers, strict=True):
            fresh[key] = answer
            if task.is_kept(answer):
                judge = str(task.identity)
                document = task.encode(answer)
                lines.append(Logged(key, task.name, judge, document))
        log.add(lines, at)
        progress(len(batch))
    return fresh, None
