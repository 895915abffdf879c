"""`python -m tests.bench retrieval --data DIR [--half score] [--only SET]`: the program's own search
beside plain BM25, in one run.

Each turn is told as a note of its speaker with its own time, with a night after each session. A
result counts as the note that it shows. BM25 has one document a turn: its speaker and its words,
with porter stems and a stop list, as SQLite's FTS5 scores them.
"""

import sqlite3
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from companion.lookup.index import current_index
from companion.lookup.search import search_wiki
from companion.storage.index.terms import split_words
from companion.values.captures import Draft
from tests.bench import bare
from tests.bench.life import LIGHT, Life, life
from tests.bench.retrieval.measures import Marks, Ranking, mark
from tests.bench.retrieval.sets import SETS, Half, Talk, Turn
from tests.bench.words import STOP_WORDS

_LIMIT = 10


def retrieval(data: Path, half: Half, only: str | None) -> None:
    """Print, for each set, what the rankings of the program and of BM25 are worth."""
    bare.forget_durability()
    for name, load in SETS.items():
        if only not in (None, name):
            continue
        program, plain = Marks(), Marks()
        for talk in load(data, half):
            sessions = {turn.id: turn.session for turn in talk.turns}
            rankings = rank_by_program(talk)
            others = _rank_by_bm25(talk)
            for question, own, other in zip(
                talk.questions, rankings, others, strict=True
            ):
                program += mark(question, own, sessions)
                plain += mark(question, other, sessions)
        print(f"{name}, {half}: {program.questions} questions")
        print(f"  companion  {program.show()}")
        print(f"  BM25       {plain.show()}")


def rank_by_program(
    talk: Talk, limit: int = _LIMIT, reasoner: str = LIGHT
) -> list[Ranking]:
    """Return what a search shows for each question, after a night for each session."""
    with life(format_time(talk.turns[0].said_at), reasoner) as home:
        told = tell_talk(home, talk)
        shown = Shown(home, told, limit)
        return [shown.rank(question.text) for question in talk.questions]


def tell_talk(home: Life, talk: Talk) -> dict[str, set[str]]:
    """Tell the turns, with a night after each session; the turns of each capture."""
    told: dict[str, set[str]] = {}

    def name_night(turn: Turn) -> str:
        return format_time(turn.said_at)[:7] if talk.is_pool else turn.session

    for _, some in groupby(talk.turns, key=name_night):
        session = list(some)
        home.at(format_time(session[-1].said_at + timedelta(hours=1)))
        ids = home.tell(
            Draft(
                turn.text,
                source=turn.speaker,
                event_time=format_time(turn.said_at),
            )
            for turn in session
        )
        for turn, id in zip(session, ids, strict=True):
            if id is not None:
                told.setdefault(id, set()).add(turn.id)
        home.night()
    return told


class Shown:
    """The turns that results of a search show."""

    def __init__(
        self, home: Life, told: dict[str, set[str]], limit: int
    ) -> None:
        self._home = home
        self._limit = limit
        self._told = told
        self._of_statement = {id[:12]: turns for id, turns in told.items()}
        self._of_page: dict[str, set[str]] = {}
        db = current_index(home.ws, home.ws.journal())
        assert db is not None
        placed = {id for (id,) in db.execute("SELECT id FROM statements")}
        for capture, entry in db.execute("SELECT capture, entry FROM consumed"):
            if capture[:12] not in placed:
                turns = self._of_page.setdefault(entry, set())
                turns |= told.get(capture, set())

    def rank(self, query: str) -> Ranking:
        """Return the turns of each result of a search for *query*."""
        found = search_wiki(self._home.ws, query, limit=self._limit)
        ranking = []
        for hit in found["results"]:
            if hit["statement"]:
                turns = self._of_statement.get(hit["statement"], set())
            elif hit["path"] is None:
                turns = self._told.get(hit["id"], set())
            else:
                turns = self._of_page.get(hit["id"], set())
            ranking.append(frozenset(turns))
        return ranking


def _rank_by_bm25(talk: Talk) -> list[Ranking]:
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='porter unicode61')"
    )
    db.executemany(
        "INSERT INTO turns(rowid, text) VALUES (?, ?)",
        (
            (number, f"{turn.speaker} {turn.text}")
            for number, turn in enumerate(talk.turns)
        ),
    )
    rankings: list[Ranking] = []
    for question in talk.questions:
        words = dict.fromkeys(split_words(question.text))
        telling = [word for word in words if word not in STOP_WORDS]
        rows = db.execute(
            "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?",
            (" OR ".join(f'"{word}"' for word in telling or words), _LIMIT),
        )
        rankings.append([frozenset((talk.turns[n].id,)) for (n,) in rows])
    db.close()
    return rankings


def format_time(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
