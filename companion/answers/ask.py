"""Answer a question from claims; where no claim answers, show the passages nearest to it (LED-15).

Three readings of the question are tried in turn: as it stands; without the time that it names ("in
March 2026"), at that time; and as a question for what was so before. Only the last one looks at
superseded claims.
"""

import sqlite3
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.answers.asked import Asked, Tense, read_asked
from companion.answers.asked_tense import (
    ask_plainly,
    asks_for_event,
    asks_for_hour,
    asks_what_happened,
    end_of_time,
    is_better,
    just_before,
    list_otherwise,
    says_when,
)
from companion.answers.budget import fit_into_budget, fit_passages
from companion.answers.known import open_index, pack_answers
from companion.answers.polar import asks_only_yes_or_no, find_polar_answers
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.values.claims import split_words
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.notes.later_notes import LaterNotes
    from companion.answers.results import (
        AnswerResult,
        DatedPack,
        PassageResult,
        PlainAnswer,
        UnphrasedAnswer,
    )
    from companion.language.times.mentions import Tense as GrammaticalTense
    from companion.lookup.results import ObjectionResult


class _Asking(NamedTuple):
    """A question, for when it is asked, and where its answer is looked for."""

    ws: Workspace
    journal: Journal
    db: sqlite3.Connection
    question: str
    as_of: str | None
    budget: int


class _TimedQuestion(NamedTuple):
    """A question without its time."""

    question: str
    at: str


class _HistoricalQuestion(NamedTuple):
    """A question without what makes it historical."""

    question: str
    later_words: list[str]  # the words behind "before"


def ask(
    ws: Workspace, question: str, *, as_of: str | None, budget: int
) -> "UnphrasedAnswer":
    """Return the answer to *question* with its claims, or, where it is not known, the passages
    nearest to it.

    Raises BadTime, and NotKnown where no night has read anything yet.
    """
    plain = ask_plainly(question)
    # "Wednesdays" is no answer to "At what time …"
    hourly = asks_for_hour(question)
    answer = _ask(ws, plain, as_of=as_of, budget=budget, hourly=hourly)
    for meant, wants_name in list_otherwise(plain, hourly=hourly):
        if answer["known"]:
            break
        other = _ask(ws, meant, as_of=as_of, budget=budget, hourly=hourly)
        if is_better(other, answer, wants_name=wants_name):
            answer = other
    answer["question"] = question
    return answer


def _ask(
    ws: Workspace,
    question: str,
    *,
    as_of: str | None,
    budget: int,
    hourly: bool,
) -> "UnphrasedAnswer":
    """Return the answer to a *question* that asks plainly."""
    journal = ws.journal()
    db = open_index(ws, journal)
    asking = _Asking(ws, journal, db, question, as_of, budget)
    answers = find_polar_answers(ws, db, journal, question, as_of=as_of)
    # what merely has the question's words answers no question for yes or no
    is_open = not answers and not asks_only_yes_or_no(question)
    is_plain = is_open and not hourly
    asked = None
    if is_open:
        asked = read_asked(db, question).ask_for_hour(hourly)
        answers = _find_open_answers(asking, asked)
    answer = pack_answers(question, answers, as_of=as_of, budget=budget)
    if is_plain and not answer["known"]:
        answer = _answer_at_named_time(asking) or answer
    since = _find_since(asking, answer, answers, is_polar=not is_open)
    if since is None or not since.overtaking:
        found = _pack_known(asking, answer, since, is_plain=is_plain)
        if found is not None:
            return found
    return _pack_unknown(asking, _list_nearest(asking, asked, since))


def _find_since(
    asking: _Asking,
    answer: "PlainAnswer",
    answers: "Sequence[AnswerResult]",
    *,
    is_polar: bool,
) -> "LaterNotes | None":
    """Return the notes told after what is known now: none after an answer at an earlier time."""
    ws, journal, db, question, as_of, _ = asking
    if not answer["known"] or as_of is not None:
        return None
    # only behind an answer
    from companion.answers.notes.later_notes import find_later_notes

    shown = answers or answer["answers"]
    since = find_later_notes(
        ws, journal, db, question, shown, is_polar=is_polar
    )
    if since.overtaking and asks_what_happened(question):
        # what happened stays so, whatever came after the time that is asked for
        return since.keep_until(answer["as_of"])
    return since


def _pack_known(
    asking: _Asking,
    answer: "PlainAnswer",
    since: "LaterNotes | None",
    *,
    is_plain: bool,
) -> "UnphrasedAnswer | None":
    """Return the *answer* with what was told since, or what stood before where the question asks
    plainly for that; None where neither is known.
    """
    if answer["known"]:
        shown = [] if since is None else since.shown
        pack, passages = fit_passages(shown, answer)
        return {
            **answer,
            **pack,
            "question": asking.question,
            "earlier": False,
            "passages": passages,
            "objections": _list_objections(asking.ws, asking.db, answer),
        }
    before = _answer_before(asking) if is_plain else None
    if before is None:
        return None
    return {
        **before,
        "question": asking.question,
        "known": True,
        "earlier": True,
        "passages": [],
        "objections": [],
    }


def _list_nearest(
    asking: _Asking, asked: Asked | None, since: "LaterNotes | None"
) -> "Sequence[PassageResult]":
    """Return what is nearest to the question, behind what was told *since* and overtakes."""
    ws, journal, db, question, _, _ = asking
    nearest = nearest_passages(ws, journal, db, question, asked)
    return nearest if since is None else since.put_before(nearest)


def _pack_unknown(
    asking: _Asking, nearest: "Sequence[PassageResult]"
) -> "UnphrasedAnswer":
    """Return that nothing answers the question, with what is *nearest* to it."""
    pack, passages = fit_passages(nearest, fit_into_budget([], asking.budget))
    return {
        "question": asking.question,
        "as_of": asking.as_of,
        **pack,
        "known": False,
        "earlier": False,
        "passages": passages,
        "objections": _list_objections_beside(asking, passages),
    }


def _list_objections_beside(
    asking: _Asking, passages: "Sequence[PassageResult]"
) -> "list[ObjectionResult]":
    """Return what waits on open branches against what *passages* say of the subject asked."""
    entries: list[str] = []
    statements: list[str | None] = []
    for one in passages:
        if one["of_subject"]:
            entries.append(one["id"])
            statements.append(one["statement"])
    if not entries or asking.as_of is not None:
        return []
    from companion.lookup.objections import list_objections_to_pages

    return list_objections_to_pages(asking.ws, asking.db, entries, statements)


def _find_open_answers(asking: _Asking, asked: Asked) -> "list[AnswerResult]":
    """Return the answers to a question for more than yes or no: at its time, or at that of what is
    asked.
    """
    if not asked.question.names:
        return []  # a chain begins at a name
    # all that reads and weighs claims
    from companion.answers.claims import find_answers

    ws, journal, db, question, as_of, _ = asking
    answers = find_answers(ws, db, journal, asked, as_of=as_of)
    if answers or as_of is not None:
        return answers
    tense = _other_tense(question)
    if tense is None:
        return []
    return find_answers(ws, db, journal, asked, as_of=None, tense=tense)


def _other_tense(question: str) -> Tense | None:
    """Return whether *question* is for what is over, or to come, by its own time."""
    if asks_what_happened(question):
        return "past"
    return "coming" if asks_for_event(question) else None


def _list_objections(
    ws: Workspace, db: sqlite3.Connection, answer: "PlainAnswer"
) -> "list[ObjectionResult]":
    """Return what waits on open branches against the notes that *answer* rests on."""
    from companion.lookup.objections import list_objections

    captures: dict[str, None] = {}
    for each in answer["answers"]:
        for step in each["path"]:
            captures.update(
                dict.fromkeys(source["capture"] for source in step["sources"])
            )
    return list_objections(ws, db, captures, until=answer["as_of"])


def nearest_passages(
    ws: Workspace,
    journal: Journal,
    db: sqlite3.Connection,
    question: str,
    asked: Asked | None = None,
) -> "list[PassageResult]":
    """Return the passages nearest to *question*, the best first; *asked* is it as read before."""
    # only where no claim answers
    from companion.answers.notes.passages import find_passages

    asked = asked or read_asked(db, question)
    return find_passages(ws, journal, db, question, asked.question)


# -- times in a question ---------------------------------------------------------------------------


def _answer_at_named_time(asking: _Asking) -> "PlainAnswer | None":
    """Return the answer at the time that the question names; None where it names none, where
    nothing answers it then, or where it is asked as of another time.
    """
    ws, question = asking.ws, asking.question
    if asking.as_of is not None:
        return None
    # word lists: only a question that nothing answers needs them
    from companion.language.times.telling import (
        find_telling_words,
        may_name_time,
    )

    language = question_language(split_words(question))
    if not may_name_time(question, find_telling_words(language)):
        return None
    # "Where do we go in August?" asks of the August to come, and else of the last one
    ways: Sequence[GrammaticalTense] = ("future", "past")
    if asks_what_happened(question):
        ways = ("past",)
    for tense in ways:
        timed = _without_time(ws, question, tense)
        if timed is None:
            return None
        # few questions name a time
        from companion.answers.claims import answer_question

        answer = answer_question(
            ws, timed.question, as_of=timed.at, budget=asking.budget
        )
        if answer["known"]:
            return answer
    return None


def _without_time(
    ws: Workspace, question: str, tense: "GrammaticalTense"
) -> _TimedQuestion | None:
    """Return *question* without the time that it names, and the last instant of that time; *tense*
    says whether a month without a year is to come or over.
    """
    from companion.language.times import calendar
    from companion.language.times.phrases import time_reader

    reader = time_reader(question_language(split_words(question)))
    now = calendar.parse_moment(ws.now())
    for mention in reader.mentions(question, now, tense=tense):
        if not says_when(mention):
            continue
        edge = end_of_time(mention)
        if edge is None:
            return None
        rest = question[: mention.start] + question[mention.end :]
        return _TimedQuestion(rest, just_before(edge))
    return None


# -- what was so before ----------------------------------------------------------------------------


def _answer_before(asking: _Asking) -> "DatedPack | None":
    """Return what stood before what stands, or before the value that the question names behind
    "before"; None where the question does not ask for it, or nothing stood.
    """
    asked = _without_history(asking.question)
    if asked is None:
        return None
    # few questions ask for what was so before
    from companion.answers.chains.earlier import find_earlier_answers
    from companion.answers.claims import answer_question

    ws, budget = asking.ws, asking.budget
    current = answer_question(
        ws, asked.question, as_of=asking.as_of, budget=budget
    )
    if not current["known"]:
        return None
    answers = find_earlier_answers(
        ws, asking.db, current["answers"][0], asked.later_words
    )
    if not answers:
        return None
    return {"as_of": current["as_of"], **fit_into_budget(answers, budget)}


def _without_history(question: str) -> _HistoricalQuestion | None:
    """Return the question without what makes it historical; None: it is not historical."""
    language = question_language(split_words(question))
    data = read_question_data()[language]["words"]
    history_words = set(data["history"].split())
    before_words = set(data["after"].split())
    kept: list[str] = []
    pieces = question.split()
    for place, piece in enumerate(pieces):
        word = "".join(split_words(piece))
        if word in before_words:
            rest = " ".join(pieces[place + 1 :])
            return _HistoricalQuestion(" ".join(kept), split_words(rest))
        if word not in history_words:
            kept.append(piece)
    if len(kept) == len(pieces):
        return None
    return _HistoricalQuestion(" ".join(kept), [])
