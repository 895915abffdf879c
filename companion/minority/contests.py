"""What notes of tonight contest in load-bearing pages, and which challengers take the same position
(MaM §5.5).

A page that much rests on is seldom contradicted in its own words. So notes that name it, link to it
or are near it are held against all of it, with a lower bar than other pages (`reason.contest`):
what is found is a belief conflict and goes to a branch. And challengers of one page are compared by
what each of them puts in the place of the belief: equal positions support each other, different
ones are rivals.
"""

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from companion.comparison import candidate_pairs
from companion.comparison.consistency import Judged
from companion.gravity.measure import weigh_load_bearing_entries
from companion.judges.ask import Consultation, ask_relations
from companion.language.protocols import Relater
from companion.language.relations.contest import (
    CONTESTED,
    Contest,
    are_rivals,
    find_contest,
    is_same_position,
    takes_position,
)
from companion.minority.clusters import Tie
from companion.pages import links
from companion.pages.body import words_to_judge
from companion.pages.title import headline
from companion.runs.run import Run
from companion.storage.git.repo import Repo
from companion.storage.index.tables.entries import find_page, find_path
from companion.storage.index.tables.gravity import has_dependents, has_edges
from companion.storage.index.tables.pages import list_active_entries_named
from companion.storage.journal.verdicts import Verdicts
from companion.values.relations import Relation, Statement

# nearest pages among which a load-bearing one is looked for: what rests on it lies nearer to it
# than a note
WIDE = 12
MOST = 6  # load-bearing pages that one note is held against
# support between two of one position, of a note for one, of a denial for either
SAME, JOINS, DENIES = 0.8, 0.55, 0.6
_NAMED_IN = 200  # characters of a note in which titles of pages are looked for
_LONGEST_NAME = 5  # words

_WORD = re.compile(r"[\w'\u2019-]+")


def any_bears(tonight: Run) -> bool:
    """Tell whether anything in the wiki leads anywhere."""
    return has_edges(tonight.db)


def bearing(
    tonight: Run, passages: Sequence[str], known: Sequence[str]
) -> list[str]:
    """Return the entries of *known* and those named in *passages* to which anything leads: others
    bear nothing.
    """
    named = [*_named(tonight, " ".join(passages)[:_NAMED_IN]), *known]
    return [
        id for id in dict.fromkeys(named) if has_dependents(tonight.db, id)
    ][:MOST]


def _named(tonight: Run, text: str) -> list[str]:
    words = [word.strip("'\u2019-") for word in _WORD.findall(text)]
    runs = {
        links.title_key(" ".join(words[n : n + size]))
        for n in range(len(words))
        for size in range(1, _LONGEST_NAME + 1)
    }
    return list_active_entries_named(tonight.db, runs)


def against(
    tonight: Run,
    log: Verdicts,
    relater: Relater,
    notes: Mapping[str, Statement],
    about: Mapping[str, Sequence[str]],
    at: str,
) -> Iterator[tuple[Consultation[Relation], list[Judged]]]:
    """Yield what *notes* contest in the load-bearing ones among the entries that they may be
    *about*.
    """
    pages = {
        entry: page(tonight, entry)
        for entry in sorted(
            {entry for found in about.values() for entry in found}
        )
    }
    pairs = [
        (capture, entry, held)
        for capture in sorted(about)
        for entry in about[capture]
        if (held := pages[entry]) is not None
    ]
    if not pairs:
        return
    asked = ask_relations(
        log, relater, [(held, notes[capture]) for capture, _, held in pairs], at
    )
    contested = [
        Judged(
            capture, entry, 2, answer, key, False, None, _path(tonight, entry)
        )
        for (capture, entry, _), key, answer in zip(
            pairs, asked.keys, asked.answers, strict=True
        )
        if answer is not None and answer.label == "contradicts"
    ]
    if contested:  # only now: weighing a wiki takes a second
        borne = weigh_load_bearing_entries(tonight)
        yield asked, [each for each in contested if each.other in borne]


def _path(tonight: Run, entry: str) -> str:
    return find_path(tonight.db, entry) or ""


def page(tonight: Run, entry: str) -> Statement | None:
    """Return a page as one side of a contest: its sentences by line, and its title; None where it
    is gone.
    """
    return page_of(tonight.db, tonight.repo, entry)


def page_of(db: sqlite3.Connection, repo: Repo, entry: str) -> Statement | None:
    """Return the same, of an index and its repository."""
    page = find_page(db, entry)
    if page is None:
        return None
    text = repo.text(page.blob)
    return Statement(
        "\n".join(candidate_pairs.split_passages(words_to_judge(text))),
        page.title,
    )


def plainest(
    db: sqlite3.Connection, repo: Repo, incumbent: str, texts: Sequence[str]
) -> str | None:
    """Return what a branch says, as a title: of its sentences against *incumbent* the shortest that
    gives a value.

    Where none gives one, the shortest that denies; None where no sentence by itself says anything
    against it.
    """
    held = page_of(db, repo, incumbent)
    if held is None:
        return None
    said = dict.fromkeys(
        sentence
        for text in texts
        for sentence in candidate_pairs.split_passages(text)
    )
    found = [
        (find_contest(held, Statement(sentence)), sentence) for sentence in said
    ]
    plain = [
        (not each.taken, len(text), text)
        for each, text in found
        if each.strength >= CONTESTED
    ]
    return headline(min(plain)[2]) if plain else None


def note(text: str, title: str | None) -> Statement:
    """Return a note as the other side."""
    return Statement("\n".join(candidate_pairs.split_passages(text)), title)


def ties(
    incumbent: Statement,
    challengers: Mapping[str, Statement],
    others: Mapping[str, Statement],
    fresh: Collection[str],
) -> list[Tie]:
    """Return how the positions of *challengers* on *incumbent* stand to each other, and what
    *others* speak for.

    Only pairs with one of *fresh*, tonight's: what was found before is in the ledger.
    """
    if not others and challengers.keys().isdisjoint(fresh):
        return []
    held = {
        id: find_contest(incumbent, said)
        for id, said in sorted(challengers.items())
    }
    found = [
        tie
        for one, other in combinations(held, 2)
        if (one in fresh or other in fresh)
        and (tie := _tie(one, other, held, challengers)) is not None
    ]
    return found + [
        tie
        for id in sorted(others)
        for tie in _joins(id, others[id], incumbent, held)
    ]


def _tie(
    one: str,
    other: str,
    held: Mapping[str, Contest],
    said: Mapping[str, Statement],
) -> Tie | None:
    a, b = held[one], held[other]
    if min(a.strength, b.strength) < CONTESTED:
        return None
    low, high = sorted((one, other))
    if is_same_position(a, b):
        return Tie(
            low,
            high,
            SAME,
            False,
            0.0,
            "they put the same in the place of the belief",
        )
    if not a.taken or not b.taken:
        return Tie(
            low,
            high,
            DENIES,
            False,
            0.0,
            "one denies what the other replaces"
            if a.taken or b.taken
            else "both deny it",
        )
    if are_rivals(a, b, said[one].text, said[other].text):
        return Tie(
            low,
            high,
            0.0,
            True,
            0.0,
            "they put different things in the place of the belief",
        )
    return None


def _joins(
    id: str, said: Statement, incumbent: Statement, held: Mapping[str, Contest]
) -> Iterable[Tie]:
    for other, position in held.items():
        if other != id and takes_position(position, said, incumbent):
            low, high = sorted((id, other))
            yield Tie(
                low,
                high,
                JOINS,
                False,
                0.0,
                "it gives what the other puts in the place of the belief",
            )
