"""Find which statements of a page misled readers, and move them under "Earlier" (DEC-7, CON-17).

A question that was called bad used the one statement that has words of it that nothing else on the
page has. What misled by one statement is no fault of its page, nor of the others there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.answers.asked import question_words
from companion.lifecycle.transitions import Changes
from companion.minority.contested.contested_page import ContestedPage, Standing
from companion.minority.contested.read_contested_page import (
    is_edited,
    read_contested_page,
)
from companion.operations.decay.plan import MISLEADS
from companion.pages.statement_edits import retire_opening, retire_statement
from companion.pages.statements import read_statements, statement_id
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.index.tables.pages.statement_states import (
    list_shelves,
)
from companion.storage.index.tables.use import list_queries
from companion.storage.index.terms import split_words
from companion.usage.own_words import find_own_words
from companion.values.decisions import Write
from companion.values.wording import many

_WHY = "It misled its readers again and again."


class Misled(NamedTuple):
    """The reads of a page that one of its statements misled."""

    page: ContestedPage
    bad: float  # reads called so that one statement or another answers for
    by: tuple[Standing, ...]  # that misled again and again, and never helped


def find_misled(run: Run, entry: str) -> Misled | None:
    """Return the reads of *entry* that its statements answer for; None where it never had more than
    one, or where all that stand misled: then it is the page that misleads.
    """
    page = read_contested_page(run.db, run.repo, entry)
    words = {} if page is None else _list_words(run, page)
    if page is None or len(words) < 2:
        return None
    bad: Counter[str] = Counter()
    good: set[str] = set()
    for id, outcome, times in _list_outcomes(run, page, words):
        if outcome == "bad":
            bad[id] += times
        elif outcome == "good":
            good.add(id)
    by = []
    for one in page.standing:
        id = statement_id(one.capture)
        if bad[id] >= MISLEADS and id not in good:
            by.append(one)
    if len(by) == len(page.standing):
        return None
    return Misled(page, bad.total(), tuple(by))


def _list_outcomes(
    run: Run, page: ContestedPage, words: Mapping[str, list[str]]
) -> Iterator[tuple[str, str, int]]:
    """Yield for each question that one statement answered its id, the outcome, and how often it was
    asked.
    """
    questions = [one for one in list_queries(run.db, page.entry) if one.outcome]
    others = set(split_words(page.title))
    for one in questions:
        others.update(question_words(one.words).stop)
    own = find_own_words(words, others)
    for one in questions:
        asked = set(split_words(one.words))
        used = [id for id, its in own.items() if asked & its]
        if len(used) == 1 and one.outcome:
            yield used[0], one.outcome, one.times


def _list_words(run: Run, page: ContestedPage) -> Mapping[str, list[str]]:
    """Return the words of each statement of *page* by its id, also of those that lost."""
    words = {}
    for capture, shelf in list_shelves(run.db, page.entry).items():
        text = run.repo.text(shelf.blob, exact=True)
        words[statement_id(capture)] = split_words(text)
    for lost in read_statements(page.text):
        words[lost.id] = split_words(lost.words)
    for one in page.standing:
        words[statement_id(one.capture)] = split_words(one.words)
    return words


def fade_statements(run: Run, misled: Misled, day: str) -> Changes:
    """Return what moves the statements that misled under "Earlier", on a *day* (`YYYY-MM-DD`)."""
    changes = Changes()
    page = misled.page
    obstacle = run.excluded_paths([page.path]).get(page.path)
    if obstacle is not None:
        changes.left_out[page.path] = obstacle
        return changes
    text = page.text
    for one in misled.by:
        if is_edited(run.db, run.repo, page, one):
            changes.left_out[page.path] = f"{one.when}: somebody wrote in it"
            continue
        text = _retire(page, one, text, day)
        changes.lines.append(
            {
                "e": "statement",
                "entry": page.entry,
                "capture": one.capture,
                "state": "decaying",
                "path": page.path,
                "reason": f"Decaying: {_WHY[0].lower()}{_WHY[1:]}",
            }
        )
    if changes.lines:
        content = text.encode("utf-8", "surrogateescape")
        changes.writes.append(Write(page.path, content))
        notes = many(len(changes.lines), "note")
        reason = f'{notes} that misled readers went under "Earlier".'
        changes.lines.append(
            make_grown_line(page.entry, page.path, content, reason)
        )
    return changes


def _retire(page: ContestedPage, one: Standing, text: str, day: str) -> str:
    id = statement_id(one.capture)
    if page.is_opening(one):
        return retire_opening(text, id, one.when or day, day, "", _WHY)
    return retire_statement(text, id, day, "", _WHY)
