"""Ask recorded questions again, with an entry and without it, for AUDIT to compare (MaM §5.8).

A replay is no access: it reads on a connection of its own and records nothing. It sees what
everybody may see, and what nights have taken in: no private tellings, and no pending captures.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.answers.asked import read_asked
from companion.answers.claims import find_answers
from companion.gravity.measure import GraphWithoutEntry
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.operations.audit.questions.query_set import DEPTH, Probe
from companion.pages import links
from companion.storage.index import isolation, suspension
from companion.storage.index.ranking.query import read_query, read_statistics
from companion.storage.index.search.hits import (
    keep_best_of_each_page,
    put_named_first,
    rank,
)
from companion.storage.index.search.passages import find_passages
from companion.storage.index.search.suspended import TextLeft
from companion.storage.index.suspension import SuspendedStatement
from companion.storage.index.tables import claims, routing
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.time import LATEST
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        AnswerResult,
    )

_WIDE = 5 * (DEPTH + 1)  # passages: several may be of one page
MATTERS = 40  # of an entry or a statement, that are looked at
ANSWERED = ("ask", "claims")  # verbs whose questions are answered from claims


class Replay:
    """The wiki as of the last fold, from which one entry, or one statement of a page, can be
    suspended at a time.
    """

    def __init__(self, ws: Workspace, db: sqlite3.Connection, now: str) -> None:
        self.ws = ws
        self.db = db
        self.now = now
        self._gravity = GraphWithoutEntry(db)
        self._left: TextLeft | None = None

    @contextmanager
    def without(self, entry: str) -> Iterator[None]:
        """Suspend *entry* for the block: a view of this connection, which dies with it."""
        suspension.suspend(self.db, entry, self._gravity.without)
        try:
            yield
        finally:
            suspension.restore(self.db)

    @contextmanager
    def without_statement(
        self, statement: SuspendedStatement, left: TextLeft
    ) -> Iterator[None]:
        """Suspend one *statement* of a page for the block; *left* is what its page still says."""
        suspension.suspend_statement(
            self.db, statement, self._gravity.without_edges
        )
        self._left = left
        try:
            yield
        finally:
            self._left = None
            suspension.restore(self.db)

    def ranking(self, probe: Probe) -> list[str]:
        """Return what answers *probe*, the best first: entries that an answer rests on, else what a
        search finds.
        """
        if probe.verb in ANSWERED:
            entries = self.answering(probe.words)
            if entries:
                return entries
        return self.search(probe.words)

    def search(self, words: str) -> list[str]:
        """Return what a search for *words* finds, by id, the best first."""
        asked = read_query(self.db, words)
        key = links.title_key(words)
        stats = read_statistics(self.db, asked.phrases)
        # the index counts what is suspended, too
        passages = find_passages(
            self.db, asked, stats, key, _WIDE, None, self._left
        )
        mirrored = routing.list_mirrored(self.db, key)
        hits = put_named_first(
            self.db, passages, {one["entry"] for one in mirrored}
        )
        hits.sort(key=rank)
        pages = keep_best_of_each_page(hits)
        return [hit.id for hit in pages[:DEPTH]]

    def chains(self, question: str) -> "list[AnswerResult]":
        """Return the answers that claims give to *question*, the best first; none: it is not
        known.
        """
        asked = read_asked(self.db, question)
        journal = self.ws.journal()
        return find_answers(self.ws, self.db, journal, asked, as_of=None)

    def answering(self, question: str) -> list[str]:
        """Return the entries whose claims answer *question*, the best answer's first; none: it is
        not known.
        """
        told = self.answering_claims(question)
        entries = dict.fromkeys(claim.entry for claim in told if claim.entry)
        return list(entries)[:DEPTH]

    def answering_claims(self, question: str) -> list[RecordedClaim]:
        """Return the claims that answer *question*, the best answer's first."""
        ids: dict[str, None] = {}
        for answer in self.chains(question):
            for step in answer["path"]:
                ids.update((source["id"], None) for source in step["sources"])
        return claims.list_claims(self.db, ids)

    def standing(
        self, matters: Iterable[tuple[str, str]]
    ) -> dict[tuple[str, str], dict[str, set[str]]]:
        """Return what stands of each matter now: its values, each with the voices that say so."""
        with isolation.reading(self.db) as view:
            book = open_rule_book(view)
            return {key: self._values(book, key) for key in matters}

    def _values(
        self, book: RuleBook, key: tuple[str, str]
    ) -> dict[str, set[str]]:
        """Return the values of one matter that stand, each with the voices that say so."""
        group = list_claims_on_matter(self.db, key)
        if not group:
            return {}
        assertions = {claim.assertion.id: claim.assertion for claim in group}
        voices: dict[str, set[str]] = {}
        for standing in book.settle(group, at=self.now, known_at=LATEST):
            if holds(standing):
                assertion = assertions[standing.assertion.id]
                voice = assertion.source or assertion.agent or "owner"
                voices.setdefault(assertion.value, set()).add(voice)
        return voices


def list_matters(
    told: Iterable[RecordedClaim], most: int
) -> list[tuple[str, str]]:
    """Return the matters of the claims *told*, at most so many, those told last first."""
    told = sorted(
        told,
        key=lambda claim: claim.assertion.told_at,
        reverse=True,
    )
    return list(dict.fromkeys(claim.assertion.key for claim in told))[:most]
