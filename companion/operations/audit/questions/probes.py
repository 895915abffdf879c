"""Gather the questions that are asked with an entry and without it (MaM §5.8)."""

import re
import sqlite3
from datetime import timedelta

from companion.answers.asked import question_words
from companion.operations.audit.questions import query_set
from companion.operations.audit.questions.query_set import (
    Challenge,
    Probe,
    RecordedQuery,
)
from companion.runs import owned_lines
from companion.runs.run import Run
from companion.storage.index.tables import minority, promotions
from companion.storage.index.tables.pages.edges import list_related
from companion.storage.index.tables.pages.names import list_names
from companion.storage.index.tables.use import (
    Query,
    list_queries,
    list_use_records,
)
from companion.values.time import days_between
from companion.values.wording import without_frontmatter

_NEAR = 30  # neighbours whose questions are asked, too
_MEMBER_WORDS = 12  # words of a branch's member that make a question
_PRESSES = 0.5  # share of the threshold from which a branch's members are heard
_LATELY = timedelta(days=180)  # how long an opening by name speaks for an entry
_WORD = re.compile(r"\w+")


def gather_probes(run: Run, entry: str, title: str) -> list[Probe]:
    """Return the questions by which *entry* is audited."""
    db = run.db
    asked = [_asked(query) for query in list_queries(db, entry)]
    near = _questions_of_neighbours(
        db, entry, {question.id for question in asked}
    )
    near = [*_questions_after_promotion(run, entry), *near]
    little: set[str] = set()
    for question in (*asked, *near):
        little.update(question_words(question.words).stop)
    names = [title, *list_names(db, entry)]
    challenges = _challenges(run, entry)
    return query_set.build_query_set(
        entry, names, asked, near, challenges, frozenset(little)
    )


def count_openings_by_name(db: sqlite3.Connection, entry: str, now: str) -> int:
    """Return how often *entry* was opened in the last 180 days without a question before it."""
    record = next(list_use_records(db, entry), None)
    if record is None or record.last is None:
        return 0
    if days_between(record.last, now) > _LATELY.days:
        return 0
    explained = sum(entry in query.opened for query in list_queries(db, entry))
    return max(0, record.opened - explained)


def _asked(query: Query) -> RecordedQuery:
    return RecordedQuery(
        id=query.id,
        at=query.at,
        words=query.words,
        verb=query.verb,
        shown=query.shown,
        opened=query.opened,
        outcome=query.outcome,
    )


def _questions_of_neighbours(
    db: sqlite3.Connection, entry: str, own: set[str]
) -> list[RecordedQuery]:
    """Return the questions about neighbours of *entry* that are not its *own*, newest first."""
    questions: dict[str, RecordedQuery] = {}
    for other in list_related(db, entry, _NEAR):
        for query in list_queries(db, other):
            if query.id not in own:
                questions[query.id] = _asked(query)
    return sorted(
        questions.values(), key=lambda each: (each.at, each.id), reverse=True
    )


def _challenges(run: Run, entry: str) -> list[Challenge]:
    """Return what members of open branches say against *entry*, where their pressure is high."""
    challenges = []
    for branch in minority.list_branches(run.db):
        if branch.state != "open" or branch.incumbent != entry:
            continue
        share = _share_of_threshold(branch)
        if share < _PRESSES:
            continue
        for member in minority.list_members(run.db, branch.name):
            id = f"{branch.name}/{member.capture[:12]}"
            words = _first_words(run, member)
            challenges.append(Challenge(id, words, share, branch.statement))
    return challenges


def _share_of_threshold(branch: minority.Branch) -> float:
    if not branch.pressure or not branch.threshold:
        return 0.0
    return min(1.0, branch.pressure / branch.threshold)


def _questions_after_promotion(run: Run, entry: str) -> list[RecordedQuery]:
    """Return questions in the words of the branch to which *entry* lost its place.

    The entry that took its place is what answers them.
    """
    shift = promotions.list_shifts(run.db).get(entry)
    if shift is None:
        return []
    members = minority.list_members(run.db, shift.branch)
    queries: list[RecordedQuery] = []
    for member in members:
        queries.append(
            RecordedQuery(
                id=f"{shift.branch}/{member.capture[:12]}",
                at="",
                words=_first_words(run, member),
                verb="search",
                shown=(),
                opened=(shift.entry,),
                outcome=None,
            )
        )
    return queries


def _first_words(run: Run, member: minority.Member) -> str:
    text = owned_lines.read_member_text(run, member.blob, member.capture)
    return " ".join(_WORD.findall(without_frontmatter(text))[:_MEMBER_WORDS])
