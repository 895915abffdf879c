"""Find contradictions of load-bearing pages, and challengers that take one position (MaM §5.5).

A page that much rests on is seldom contradicted in its own words. So notes that name it, link to it
or are near it are compared with all of it, with a lower bar than other pages
(`language.relations.contest`). A contradiction found so is a belief conflict and goes to a branch.
Challengers of one page are compared by what each of them puts in the place of the belief: equal
positions support each other, different ones are rivals.
"""

import sqlite3
from collections.abc import (
    Collection,
    Container,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import combinations
from typing import NamedTuple

from companion.comparison.candidate_pairs import (
    NEAR,
    SideId,
    split_passages,
)
from companion.comparison.consistency import CHANGED, Judged
from companion.comparison.pages import ComparablePages, PageText
from companion.gravity.measure import weigh_load_bearing_entries
from companion.judges.ask import Consultation, ask_relations
from companion.language.protocols import Relater
from companion.language.relations.contest import (
    CONTESTED,
    are_rivals,
    find_contest,
    is_same_position,
    takes_position,
)
from companion.language.relations.contest_signs import Contest
from companion.ledger.person_answers import list_confirmed_doubts
from companion.minority.clusters import Tie, make_tie
from companion.minority.contested.contested_page import (
    ContestedPage,
    Standing,
    find_belief,
)
from companion.minority.contested.doubts import (
    believe_doubts,
    is_ruled,
    list_to_ask,
    read_doubted,
    read_voice,
)
from companion.pages.body import words_to_judge
from companion.runs.run import Run
from companion.storage.git.repo import Repo
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.journal.verdicts import Verdicts
from companion.values.relations import Relation, Statement

# support between two of one position, of a note for one, of a denial for either, of one in which
# a judge hears a contradiction and no rule a position
SAME, JOINS, DENIES, HEARD = 0.8, 0.55, 0.6, 0.55


class Contested(NamedTuple):
    """What notes say against load-bearing entries."""

    asked: Consultation[Relation]
    judged: list[Judged]  # the contradictions
    # not believed, but likely enough to ask a person, the likeliest first
    doubts: list[Judged]


def find_contested(
    pages: ComparablePages,
    run: Run,
    log: Verdicts,
    relater: Relater,
    notes: Mapping[str, Statement],
    about: Mapping[str, Sequence[str]],
    at: str,
    sources: Mapping[str, str | None],
) -> Contested | None:
    """Return the contradictions of load-bearing entries by *notes*, and what was asked for them.

    *about* has, for each capture, the entries that it may be about, *sources* who told it. Of a
    page of several statements those are asked about that have most words in common with the note,
    and a contradiction names the one that it is with. Returns None if there is no contradiction.
    *at* is the time of the answers (RFC 3339 UTC).
    """
    pairs = _pair_with_pages(pages, notes, about)
    if not pairs:
        return None
    statements = _list_statements(pairs, notes)
    captures = [capture for capture, _, _ in pairs]
    asked = ask_relations(log, relater, statements, at, notes=captures)
    contested = _judge_answers(pairs, asked)
    believed = _keep_believed(run, log, pages, contested, notes, sources)
    doubts = list_to_ask(contested, believed, sources)
    if not believed and not doubts:
        return None
    protected = weigh_load_bearing_entries(run)  # only now: it takes a second
    return Contested(
        asked,
        _keep_protected(believed, protected),
        _keep_protected(doubts, protected),
    )


def _keep_protected(
    judged: Sequence[Judged], protected: Container[str]
) -> list[Judged]:
    """Return what is *judged* of the entries that are *protected*."""
    return [one for one in judged if one.other in protected]


def list_contest_pairs(
    pages: ComparablePages,
    notes: Mapping[str, Statement],
    about: Mapping[str, Sequence[str]],
) -> list[tuple[str, tuple[Statement, Statement]]]:
    """Return what `find_contested` asks, each with the capture it is about."""
    pairs = _pair_with_pages(pages, notes, about)
    statements = _list_statements(pairs, notes)
    captures = [capture for capture, _, _ in pairs]
    return list(zip(captures, statements, strict=True))


def _judge_answers(
    pairs: Sequence[tuple[str, PageText, SideId]], asked: Consultation[Relation]
) -> list[Judged]:
    """Return which of *pairs* contradict each other, by what was *asked* of them in their order."""
    judged = []
    answers = zip(pairs, asked.keys, asked.answers, strict=True)
    for (capture, page, side), key, answer in answers:
        if answer is not None and _contests(answer):
            judged.append(_judge_contest(capture, page, side, key, answer))
    return judged


def _contests(answer: Relation) -> bool:
    """Tell whether *answer* is a contradiction, and not rather a newer value."""
    if answer.label != "contradicts":
        return False
    return answer.update < max(CHANGED, answer.opposition)


def _keep_believed(
    run: Run,
    log: Verdicts,
    pages: ComparablePages,
    contested: Sequence[Judged],
    notes: Mapping[str, Statement],
    sources: Mapping[str, str | None],
) -> list[Judged]:
    """Return what rules see to be *contested*, and the doubts that are believed (`doubts`)."""
    if all(map(is_ruled, contested)):
        return list(contested)
    doubters = {
        one.capture: read_voice(
            one.capture, notes[one.capture].text, sources.get(one.capture)
        )
        for one in contested
    }
    texts = {one.other: _whole_page(pages, one.other) for one in contested}
    confirmed = list_confirmed_doubts(run.db, log)
    doubted = read_doubted(run.db, run.repo, texts, confirmed)
    return believe_doubts(contested, doubters, doubted)


def _whole_page(pages: ComparablePages, entry: str) -> Statement:
    page = pages.read(entry)
    assert page is not None  # it was contested
    lines = [line for lines in page.passages.values() for line in lines]
    return Statement("\n".join(lines), page.title)


def _list_statements(
    pairs: Sequence[tuple[str, PageText, SideId]],
    notes: Mapping[str, Statement],
) -> list[tuple[Statement, Statement]]:
    return [
        (_side_statement(page, side), notes[capture])
        for capture, page, side in pairs
    ]


def _judge_contest(
    capture: str, page: PageText, side: SideId, key: str, answer: Relation
) -> Judged:
    return Judged(
        capture,
        side.other,
        2,
        answer,
        key,
        later=False,
        path=page.path,
        statement=side.statement or None,
        name=page.names.get(side.statement, ""),
    )


def _pair_with_pages(
    pages: ComparablePages,
    notes: Mapping[str, Statement],
    about: Mapping[str, Sequence[str]],
) -> list[tuple[str, PageText, SideId]]:
    """Return (capture, page, side) for each entry in *about* that has a page."""
    pairs = []
    for capture, entries in sorted(about.items()):
        for entry in entries:
            page = pages.read(entry)
            if page is not None:
                for side in _list_sides(page, notes[capture]):
                    pairs.append((capture, page, side))
    return pairs


def _list_sides(page: PageText, note: Statement) -> list[SideId]:
    if page.statements is None:
        return [SideId(page.entry)]
    passages = note.text.splitlines()
    statements = page.statements.rank_statements(passages, NEAR)
    return [SideId(page.entry, statement) for statement in statements]


def _side_statement(page: PageText, side: SideId) -> Statement:
    return Statement("\n".join(page.passages[side.statement]), page.title)


def page_statement(
    db: sqlite3.Connection, repo: Repo, entry: str
) -> Statement | None:
    """Return a page as one side of a contest: its sentences by line, and its title.

    None if the entry has no page.
    """
    page = find_page(db, entry)
    if page is None:
        return None
    text = words_to_judge(repo.text(page.blob))
    return note_statement(text, page.title)


def note_statement(text: str, title: str | None) -> Statement:
    """Return a note as the other side of a contest."""
    return Statement("\n".join(split_passages(text)), title)


def side_of(page: ContestedPage, standing: Sequence[Standing]) -> Statement:
    """Return statements of *page* as one side of a contest."""
    words = "\n\n".join(one.words for one in standing)
    return note_statement(words, page.title)


def find_contradicted(
    page: ContestedPage, named: str | None, note: Statement
) -> str:
    """Return the name of what *note* contradicts on *page*.

    A judge may have *named* the statement; else it is the one that the note contests most.
    """
    if not page.gathers or page.list_same(named):
        return find_belief(page, named)
    most = 0.0
    contradicted = None
    for one in page.standing:
        strength = find_contest(side_of(page, [one]), note).strength
        if strength > most:
            most = strength
            contradicted = one.capture
    return find_belief(page, contradicted)


def find_plainest_sentence(
    db: sqlite3.Connection, repo: Repo, incumbent: str, texts: Sequence[str]
) -> str | None:
    """Return the shortest sentence of *texts* that gives a value against *incumbent*.

    If none gives a value, the shortest that denies; None if no sentence by itself says anything
    against it.
    """
    page = page_statement(db, repo, incumbent)
    if page is None:
        return None
    sentences: dict[str, None] = {}
    for text in texts:
        sentences.update(dict.fromkeys(split_passages(text)))
    plain = []
    for sentence in sentences:
        contest = find_contest(page, Statement(sentence))
        if contest.strength >= CONTESTED:
            plain.append((not contest.note_value, len(sentence), sentence))
    if not plain:
        return None
    return min(plain)[2]


def tie_positions(
    incumbent: Statement,
    challengers: Mapping[str, Statement],
    others: Mapping[str, Statement],
    fresh: Collection[str],
) -> list[Tie]:
    """Return how *challengers* stand to each other by their positions on *incumbent*.

    Also return which position each of *others* speaks for. Only pairs with one of *fresh*,
    tonight's captures, are compared: earlier ties are in the ledger.
    """
    if not others and challengers.keys().isdisjoint(fresh):
        return []
    contests = {
        id: find_contest(incumbent, note)
        for id, note in sorted(challengers.items())
    }
    ties = []
    for one, other in combinations(contests, 2):
        if one in fresh or other in fresh:
            tie = _tie_contests(one, other, contests, challengers)
            if tie is not None:
                ties.append(tie)
    for id, note in sorted(others.items()):
        ties += _join_positions(id, note, incumbent, contests)
    return ties


def _tie_contests(
    one: str,
    other: str,
    contests: Mapping[str, Contest],
    notes: Mapping[str, Statement],
) -> Tie | None:
    a = contests[one]
    b = contests[other]
    if min(a.strength, b.strength) < CONTESTED:
        # they were held to contradict it, or they would be no challengers
        reason = "both contradict it, one in words that no rule reads"
        return make_tie(one, other, HEARD, reason, heard=True)
    if is_same_position(a, b):
        reason = "they put the same in the place of the belief"
        return make_tie(one, other, SAME, reason)
    if not a.note_value and not b.note_value:
        return make_tie(one, other, DENIES, "both deny it")
    if not a.note_value or not b.note_value:
        reason = "one denies what the other replaces"
        return make_tie(one, other, DENIES, reason)
    if are_rivals(a, b, notes[one].text, notes[other].text):
        reason = "they put different things in the place of the belief"
        return make_tie(one, other, 0.0, reason, rival=True)
    return None


def _join_positions(
    id: str,
    note: Statement,
    incumbent: Statement,
    contests: Mapping[str, Contest],
) -> Iterator[Tie]:
    reason = "it gives what the other puts in the place of the belief"
    for other, position in contests.items():
        if other != id and takes_position(position, note, incumbent):
            yield make_tie(id, other, JOINS, reason)
