"""Update the facts sections of pages in a run.

A page is concerned if it told something of a key that was told since. Work is in proportion to the
keys that were told, withdrawn or came due since the last consolidation, never to the wiki.
"""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from companion.comparison.pending import ConsolidationPlan, PlannedPage
from companion.ledger.facts.concerned import (
    Concerned,
    Key,
    KnownClaims,
    find_concerned_keys,
)
from companion.ledger.facts.corrections import PASSAGE
from companion.ledger.facts.hand_edits import (
    HandEdits,
    add_hand_edits,
    list_fact_lines,
)
from companion.ledger.facts.local_days import LocalDays
from companion.ledger.facts.put_section import put_facts
from companion.ledger.facts.section import (
    Matter,
    Sheet,
    Telling,
    build_sheet,
    has_lines,
    line_label,
)
from companion.ledger.facts.unchanged import is_settled_since
from companion.ledger.facts.writings import (
    Writing,
    has_section,
    list_all_writings,
)
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.ledger.settlement import Resolution
from companion.ledger.supersession import Spell
from companion.pages.body import (
    BodyParts,
    count_facts_headings,
    split_at_facts,
)
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.entries import (
    EntryRow,
    list_writable_pages,
)
from companion.storage.index.tables.pages.statements import (
    find_subject,
    list_entries_gathering,
)
from companion.storage.index.tables.sources import list_entries_of_sources
from companion.storage.journal.verdicts import Verdicts
from companion.values.decisions import Write
from companion.values.events import LedgerLine


class Update(NamedTuple):
    """A page of which only the facts change."""

    entry: str
    path: str
    content: bytes
    lines: int  # of its section


@dataclass(frozen=True)
class FactsUpdate:
    """The run's plan with facts in its pages, and what other pages become."""

    plan: ConsolidationPlan
    updates: tuple[Update, ...]
    # entry -> lines of the section that this run writes into a page of the plan
    lines: Mapping[str, int]
    excluded: Mapping[str, str]  # pages whose facts must wait, and why

    def writes(self) -> list[Write]:
        """Return the pages of which only the facts change."""
        return [Write(update.path, update.content) for update in self.updates]

    def events(self, planned: Iterable[LedgerLine]) -> list[LedgerLine]:
        """Return the *planned* lines, with their counts of facts, and lines of the other pages."""
        lines = [self._with_facts(line) for line in planned]
        return lines + [_grown_line(update) for update in self.updates]

    def _with_facts(self, line: LedgerLine) -> LedgerLine:
        if line["e"] in ("created", "grown") and line["entry"] in self.lines:
            return {**line, "facts": self.lines[line["entry"]]}
        return line


class PageWithFacts(NamedTuple):
    """The text of a page with its facts section up to date."""

    text: str
    lines: int  # of its section


def _grown_line(update: Update) -> LedgerLine:
    reason = (
        f"Brought its facts up to date with other notes. ({update.lines} lines)"
    )
    line = make_grown_line(update.entry, update.path, update.content, reason)
    return {**line, "facts": update.lines}


def refresh_facts(
    run: Run,
    plan: ConsolidationPlan,
    lines: Iterable[LedgerLine],
    moment: str,
    busy: Iterable[str],
) -> FactsUpdate:
    """Return the up to date facts of every page concerned.

    *lines* are the run's own; pages in *busy* wait.
    """
    new = _list_new_claims(lines)
    with isolation.deciding(run.db) as view:
        book = open_rule_book(view, Verdicts(run.journal, run.db))
        now = max([moment, *(claim.assertion.told_at for claim in new)])
        known = KnownClaims(run.db, new)
        tonight = [told for page in plan.pages for told in page.captures]
        days = LocalDays(run.db, tonight)
        writer = _FactsWriter(run, book, known, now, days)
        concerned = find_concerned_keys(known, now)
        planned = writer.write_planned(plan, concerned)
        others = concerned.keys() - {page.entry for page in plan.pages}
        by_path = _find_pages(run.db, others)
        open_paths = by_path.keys() - set(busy)
        excluded = run.excluded_paths(sorted(open_paths))
        free = sorted(open_paths - excluded.keys())
        rows = [by_path[path] for path in free]
        updates = writer.update_pages(rows, concerned)
    counts = {entry: page.lines for entry, page in planned.items()}
    return FactsUpdate(_with_texts(plan, planned), updates, counts, excluded)


def write_facts(
    run: Run, entry: str, title: str, text: str, moment: str
) -> PageWithFacts:
    """Return *text*, which the page of *entry* is to have, with its facts as they are at *moment*.

    A page on which companion has no section stays as it is. Of another, lines of any machine are
    no person's.
    """
    before = list_all_writings(run.db, entry)
    if not has_section(before):
        return PageWithFacts(text, 0)
    with isolation.deciding(run.db) as view:
        book = open_rule_book(view, Verdicts(run.journal, run.db))
        known = KnownClaims(run.db, [])
        writer = _FactsWriter(run, book, known, moment, LocalDays(run.db, []))
        page = writer.write(entry, title, text, before, anew=True)
        return page or PageWithFacts(text, 0)


def _list_new_claims(lines: Iterable[LedgerLine]) -> list[RecordedClaim]:
    """Return the claims that the run's *lines* record."""
    new: list[RecordedClaim] = []
    for line in lines:
        if line["e"] == "claims":
            new += claims.decode_claims(line)
    return new


def _find_pages(
    db: sqlite3.Connection, entries: Collection[str]
) -> dict[str, EntryRow]:
    """Return the pages of *entries* that have facts, by path.

    Facts are of subjects, not of days; and a source says what it says.
    """
    others = list_entries_gathering(db, entries, "day")
    others |= list_entries_of_sources(db, entries)
    rows = list_writable_pages(db, sorted(entries))
    return {row.path: row for row in rows if row.id not in others}


def _with_texts(
    plan: ConsolidationPlan, texts: Mapping[str, PageWithFacts]
) -> ConsolidationPlan:
    pages: list[PlannedPage] = []
    for page in plan.pages:
        if page.entry in texts:
            page = replace(page, content=_encode(texts[page.entry].text))
        pages.append(page)
    return replace(plan, pages=tuple(pages))


class _FactsWriter:
    """Writes the facts of pages from the claims that are known *now*."""

    def __init__(
        self,
        run: Run,
        book: RuleBook,
        known: KnownClaims,
        now: str,
        days: LocalDays,
    ) -> None:
        self.run = run
        self.db = run.db
        self.book = book
        self.known = known
        self.days = days
        self.now = now
        self._settled: dict[Key, Resolution] = {}
        self._spells: dict[Key, list[Spell]] = {}

    def write_planned(
        self, plan: ConsolidationPlan, concerned: Concerned
    ) -> dict[str, PageWithFacts]:
        """Return the pages of *plan* that get facts, by entry.

        Of a page that is not *concerned* nothing was told, withdrawn or came due.
        """
        written: dict[str, PageWithFacts] = {}
        for planned in plan.pages:
            page = self._write_planned_page(planned, concerned)
            if page is not None:
                written[planned.entry] = page
        return written

    def _write_planned_page(
        self, planned: PlannedPage, concerned: Concerned
    ) -> PageWithFacts | None:
        if not self._may_have_facts(planned):
            return None
        before: Sequence[Writing] = ()
        if planned.base_blob is not None:
            before = self.known.list_writings(planned.entry)
        if not before and not self._tells_what_others_tell(planned.entry):
            return None
        text = planned.content.decode("utf-8", "surrogateescape")
        keys = concerned.get(planned.entry, set())
        page = self._keep(planned.entry, text, before, keys)
        page = page or self.write(planned.entry, planned.title, text, before)
        if before or page is None:
            return page
        return None if page.text == text else page

    def _may_have_facts(self, planned: PlannedPage) -> bool:
        """Tell whether a page counts, and is none of a day or a source.

        One in quarantine does not count yet.
        """
        if planned.cohesion.bucket == "low" or self._gathers_a_day(planned):
            return False
        return not _is_of_source(self.db, planned)

    def _gathers_a_day(self, planned: PlannedPage) -> bool:
        """Tell whether a page gathers a day: facts are of subjects."""
        subject = find_subject(self.db, planned.entry)
        if subject is not None:
            return subject.kind == "day"
        return planned.subject is not None and planned.subject[0] == "day"

    def _tells_what_others_tell(self, entry: str) -> bool:
        keys = self.known.list_keys(entry)
        return any(len(self.known.list_claims(key)) > 1 for key in keys)

    def _keep(
        self,
        entry: str,
        text: str,
        before: Sequence[Writing],
        keys: Collection[Key] | None,
    ) -> PageWithFacts | None:
        """Return the page with the facts that it has; None where they may be other than those that
        were written last. Of all its keys only *keys* were told, withdrawn or came due.
        """
        if not before or keys is None:
            return None
        last = before[-1]
        settled = is_settled_since(
            self.run, self.book, entry, last.run, self.now
        )
        if not settled:
            return None
        was = split_at_facts(self.run.repo.text(last.blob, exact=True))
        page = split_at_facts(text)
        if page.section != was.section:
            return None
        if any(self._may_have_lines(entry, key, page) for key in keys):
            return None
        return PageWithFacts(text, len(page.current) + len(page.earlier))

    def _may_have_lines(self, entry: str, key: Key, page: BodyParts) -> bool:
        """Tell whether a key has lines on the *page* of an entry, or had some."""
        if self._make_matter(entry, key) is not None:
            return True
        section = "\n".join(page.section)
        told = self.known.list_claims(key)
        # every line has the words of one of them
        return any(_label(claim) in section for claim in told)

    def update_pages(
        self, rows: Iterable[EntryRow], concerned: Concerned
    ) -> tuple[Update, ...]:
        """Return the pages of which the facts change."""
        updates = [self.update_page(row, concerned[row.id]) for row in rows]
        return tuple(update for update in updates if update is not None)

    def update_page(
        self, row: EntryRow, keys: Collection[Key] | None
    ) -> Update | None:
        """Return the page with its facts up to date; None where nothing changes."""
        text = self.run.repo.text(row.blob, exact=True)
        before = self.known.list_writings(row.id)
        if self._keep(row.id, text, before, keys) is not None:
            return None
        page = self.write(row.id, row.title, text, before)
        if page is None or page.text == text:
            return None
        return Update(row.id, row.path, _encode(page.text), page.lines)

    def write(
        self,
        entry: str,
        title: str,
        text: str,
        before: Sequence[Writing],
        *,
        anew: bool = False,
    ) -> PageWithFacts | None:
        """Return the page with its facts; None where its owner wants none.

        Lines of companion stay where they are, or come *anew* in their own order.
        """
        edits = self._read_hand_edits(before, text)
        if not edits.wanted:
            return None
        sheet = build_sheet(title, self._list_matters(entry), at=self.now)
        has = has_section(before)
        put = partial(put_facts, theirs=edits.theirs, gone=edits.gone, has=has)
        new = put(put(text, Sheet((), ())) if anew else text, sheet)
        # a heading of the note's own is none of companion's
        headings = count_facts_headings(new) - count_facts_headings(text) + has
        if not headings:
            return PageWithFacts(new, 0)
        page = split_at_facts(new)
        return PageWithFacts(new, len(page.current) + len(page.earlier))

    def _read_hand_edits(
        self, before: Sequence[Writing], text: str
    ) -> HandEdits:
        """Return what the person did to the sections that companion wrote *before*; *text* is the
        page now.
        """
        edits = HandEdits(set(), set(), wanted=True)
        if not before:
            return edits
        *earlier, last = before
        written: set[str] = set()
        for writing in earlier:
            was = self.run.repo.text(writing.blob, exact=True)
            written |= list_fact_lines(was)
            if writing.edited is not None:
                now = self.run.repo.text(writing.edited, exact=True)
                edits = add_hand_edits(edits, was, now, written)
        was = self.run.repo.text(last.blob, exact=True)
        written |= list_fact_lines(was)
        edits = add_hand_edits(edits, was, text, written)
        wanted = count_facts_headings(text) >= count_facts_headings(was)
        return edits._replace(wanted=wanted)

    # -- what was told -----------------------------------------------------------------------------

    def _list_matters(self, entry: str) -> list[Matter]:
        """Return each matter of a page that has lines there once, by the first of its keys."""
        key_of: dict[frozenset[str], Key] = {}
        for key in reversed(self.known.list_keys(entry)):
            told = self.known.list_claims(key)
            ids = frozenset(claim.assertion.id for claim in told)
            if ids:
                key_of[ids] = key
        matters = [self._make_matter(entry, key) for key in key_of.values()]
        return [matter for matter in matters if matter is not None]

    def _make_matter(self, entry: str, key: Key) -> Matter | None:
        """Return what stands of *key*, None where the page of *entry* has no lines for it."""
        told = self.known.list_claims(key)
        tellings = [
            Telling(
                claim.assertion, claim.subject, claim.predicate, claim.object
            )
            for claim in told
        ]
        own = _own_ids(told, entry)
        standings = self._settle(key, told)
        if not has_lines(own, tellings, standings):
            return None
        spells = self._list_spells(key, told)
        return Matter(own, tellings, standings, spells, self.days.find(told))

    def _settle(self, key: Key, told: Sequence[RecordedClaim]) -> Resolution:
        """Return how *key* stands: the same for every page that tells of it."""
        if key not in self._settled:
            self._settled[key] = self.book.settle(
                told, at=self.now, known_at=self.now
            )
        return self._settled[key]

    def _list_spells(
        self, key: Key, told: Sequence[RecordedClaim]
    ) -> list[Spell]:
        """Return what stood of *key* when: the same for every page that tells of it."""
        if key not in self._spells:
            self._spells[key] = self.book.list_spells(told, known_at=self.now)
        return self._spells[key]


def _label(claim: RecordedClaim) -> str:
    """Return the words of a claim that a line of its key has, whatever the page is called."""
    return line_label("", "", claim.predicate)


def _is_of_source(db: sqlite3.Connection, planned: PlannedPage) -> bool:
    """Tell whether a page is of a source: it shows what the source says, and nothing else."""
    return bool(list_entries_of_sources(db, [planned.entry]))


def _own_ids(told: Iterable[RecordedClaim], entry: str) -> set[str]:
    """Return what the page of *entry* tells; not what its owner took out of its words."""
    own: set[str] = set()
    retracted: set[str] = set()
    for claim in told:
        if claim.entry == entry:
            own.add(claim.assertion.id)
            if claim.rule == PASSAGE:
                retracted.update(claim.assertion.retracts)
    return own - retracted


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
