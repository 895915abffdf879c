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
    KnownMatters,
    find_concerned_keys,
)
from companion.ledger.facts.hand_edits import (
    HandEdits,
    add_hand_edits,
    list_fact_lines,
)
from companion.ledger.facts.local_days import LocalDays
from companion.ledger.facts.put_section import put_facts
from companion.ledger.facts.section import Sheet, build_sheet, line_label
from companion.ledger.facts.unchanged import (
    have_names_changed_since,
    is_settled_since,
)
from companion.ledger.facts.writings import (
    Writing,
    has_section,
    list_all_writings,
)
from companion.ledger.resolve import RuleBook, open_rule_book
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
        self.now = now
        self.matters = KnownMatters(book, known, days, now)

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
        at = (planned.entry, planned.title, text, before)
        page = self._refresh(*at, keys) or self.write(*at)
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

    def _refresh(
        self,
        entry: str,
        title: str,
        text: str,
        before: Sequence[Writing],
        keys: Collection[Key] | None,
    ) -> PageWithFacts | None:
        """Return the page with the facts that it has, those of *keys* up to date: of all its keys
        only these were told, withdrawn or came due. None where others may have changed too.
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
        if not any(self._may_have_lines(entry, key, page) for key in keys):
            return PageWithFacts(text, len(page.current) + len(page.earlier))
        if have_names_changed_since(self.run, self.known.new_keys, last.run):
            return None
        # what is told of one thing may change how all that was told of it reads
        names = self.known.list_names(keys)
        return self.write(entry, title, text, before, names=names)

    def _may_have_lines(self, entry: str, key: Key, page: BodyParts) -> bool:
        """Tell whether a key has lines on the *page* of an entry, or had some."""
        if self.matters.make(entry, key) is not None:
            return True
        section = "\n".join(page.section)
        told = self.known.list_claims(key)
        # every line has the words of one of them
        return any(
            line_label("", "", claim.predicate) in section for claim in told
        )

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
        at = (row.id, row.title, text, self.known.list_writings(row.id))
        page = self._refresh(*at, keys) or self.write(*at)
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
        names: Collection[str] | None = None,
    ) -> PageWithFacts | None:
        """Return the page with its facts, or with those of the things called *names*; None where
        its owner wants none.

        Lines of companion stay where they are, or come *anew* in their own order.
        """
        edits = self._read_hand_edits(before, text)
        if not edits.wanted:
            return None
        matters = self.matters.list_of(entry, names)
        sheet = build_sheet(title, matters, at=self.now)
        labels: set[str] | None = None
        if names is not None:
            labels = self.matters.list_labels(entry, title, names)
        has = has_section(before)
        put = partial(
            put_facts,
            theirs=edits.theirs,
            gone=edits.gone,
            has=has,
            labels=labels,
        )
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


def _is_of_source(db: sqlite3.Connection, planned: PlannedPage) -> bool:
    """Tell whether a page is of a source: it shows what the source says, and nothing else."""
    return bool(list_entries_of_sources(db, [planned.entry]))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
