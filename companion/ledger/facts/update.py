"""The facts sections of pages, as a run updates them: of every managed page that told something of
what was told since.

Work is in proportion to the keys that were told, withdrawn or came due since the last
consolidation, never to the wiki.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.comparison.pending import ConsolidationPlan, PlannedPage
from companion.ledger.claims_of_key import split_known_and_new
from companion.ledger.facts.corrections import PASSAGE
from companion.ledger.facts.section import (
    Matter,
    Telling,
    build_sheet,
    put_facts,
)
from companion.ledger.facts.writings import Writing, has_section, list_writings
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.pages.body import count_facts_headings, split_at_facts
from companion.runs.run import Run
from companion.storage import claim_lines
from companion.storage.git import objects
from companion.storage.index import claim_names, isolation
from companion.storage.index.history import find_last_run_of
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.entries import (
    EntryRow,
    find_entry_at,
    list_writable_pages,
)
from companion.storage.journal.verdicts import Verdicts
from companion.values.decisions import Write
from companion.values.events import LedgerLine

Key = tuple[str, str]


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
        """Return the ledger's lines of the plan, saying which pages got facts, and those of the
        other pages.
        """
        lines = [self._with_facts(line) for line in planned]
        return lines + [_grown_line(update) for update in self.updates]

    def _with_facts(self, line: LedgerLine) -> LedgerLine:
        if line["e"] in ("created", "grown") and line["entry"] in self.lines:
            return {**line, "facts": self.lines[line["entry"]]}
        return line


class _PageWithFacts(NamedTuple):
    text: str
    lines: int  # of its section


class _HandEdits(NamedTuple):
    """What a person did to the facts section of a page."""

    theirs: set[str]  # lines that are the person's
    gone: set[str]  # lines that they deleted
    wanted: bool  # False: they deleted the whole section


def _grown_line(update: Update) -> LedgerLine:
    return {
        "e": "grown",
        "entry": update.entry,
        "path": update.path,
        "blob": objects.hash_blob(update.content),
        "facts": update.lines,
        "reason": f"its facts: {update.lines} lines by what was told of them elsewhere or since",
    }


def refresh_facts(
    run: Run,
    plan: ConsolidationPlan,
    told: Iterable[LedgerLine],
    moment: str,
    busy: Iterable[str],
) -> FactsUpdate:
    """Return the up to date facts of every page concerned. *told* are the run's lines; pages in
    *busy* wait.
    """
    stated: list[RecordedClaim] = []
    for line in told:
        if line["e"] == "claims":
            stated += claims.decode_claims(line)
    with isolation.deciding(run.db) as view:
        book = open_rule_book(view, Verdicts(run.journal, run.db))
        writer = _FactsWriter(run, book, stated, moment)
        sheets = writer.write_planned(plan)
        concerned = writer.concerned_entries() - {
            sheet.entry for sheet in plan.pages
        }
        pages = {
            row.path: row
            for row in list_writable_pages(run.db, sorted(concerned))
        }
        open_paths = pages.keys() - set(busy)
        blocked = run.excluded_paths(sorted(open_paths))
        rows = [pages[path] for path in sorted(open_paths - blocked.keys())]
        updates = [
            update
            for update in map(writer.update_page, rows)
            if update is not None
        ]
    counts = {entry: page.lines for entry, page in sheets.items()}
    return FactsUpdate(
        _with_texts(plan, sheets), tuple(updates), counts, blocked
    )


def _with_texts(
    plan: ConsolidationPlan, pages: Mapping[str, _PageWithFacts]
) -> ConsolidationPlan:
    sheets = []
    for sheet in plan.pages:
        page = pages.get(sheet.entry)
        if page is not None:
            sheet = replace(
                sheet, content=page.text.encode("utf-8", "surrogateescape")
            )
        sheets.append(sheet)
    return replace(plan, pages=tuple(sheets))


class _FactsWriter:
    """Writes facts from everything told of the keys concerned: the index's claims and the run's."""

    def __init__(
        self,
        run: Run,
        book: RuleBook,
        stated: Sequence[RecordedClaim],
        moment: str,
    ) -> None:
        self.run, self.book, self.db = run, book, run.db
        self.at = max([moment, *(each.assertion.told_at for each in stated)])
        self.fresh: dict[str, list[RecordedClaim]] = {}  # by name
        # entry -> the keys that this run tells in it
        self.new: dict[str, dict[Key, None]] = {}
        for each in stated:
            self.fresh.setdefault(
                claim_lines.normalize_name(each.assertion.key[0]), []
            ).append(each)
            self.new.setdefault(each.entry, {})[each.assertion.key] = None
        self._told_of: dict[Key, list[RecordedClaim]] = {}

    # -- which pages -------------------------------------------------------------------------------

    def concerned_entries(self) -> set[str]:
        """Return the entries that told anything of a key that was told, withdrawn or came due, or
        had to wait.
        """
        keys = {key for told in self.new.values() for key in told}
        last = find_last_run_of(self.db, "consolidate")
        if last is not None:
            keys |= claims.list_keys_changed(self.db, last.time, self.at)
        found: set[str] = set()
        for key in keys:
            told = self._told(key)
            if len(told) > 1:
                found.update(each.entry for each in told)
            entries = claims.list_entries_of_key(self.db, key)
            found.update(
                entry for entry in entries if list_writings(self.db, entry)
            )
        waited = last.input.get("excluded", ()) if last is not None else ()
        for path in waited:
            row = find_entry_at(self.db, path)
            if row is not None and self._keys(row.id):
                found.add(row.id)
        return found

    # -- what they become --------------------------------------------------------------------------

    def write_planned(
        self, plan: ConsolidationPlan
    ) -> dict[str, _PageWithFacts]:
        """Return the pages of *plan* that get facts, by entry."""
        found = {}
        for sheet in plan.pages:
            page = self._write_sheet(sheet)
            if page is not None:
                found[sheet.entry] = page
        return found

    def _write_sheet(self, sheet: PlannedPage) -> _PageWithFacts | None:
        if sheet.cohesion.bucket == "low":
            return None  # what is in quarantine says nothing of the matter yet
        before = (
            []
            if sheet.base_blob is None
            else list_writings(self.db, sheet.entry)
        )
        if not before and all(
            len(self._told(key)) < 2 for key in self._keys(sheet.entry)
        ):
            return None
        text = sheet.content.decode("utf-8", "surrogateescape")
        page = self._write(sheet.entry, sheet.title, text, before)
        if page is None or (page.text == text and not before):
            return None
        return page

    def update_page(self, row: EntryRow) -> Update | None:
        """Return the page with its facts up to date; None where nothing changes."""
        text = self.run.repo.text(row.blob, exact=True)
        page = self._write(
            row.id, row.title, text, list_writings(self.db, row.id)
        )
        if page is None or page.text == text:
            return None
        content = page.text.encode("utf-8", "surrogateescape")
        return Update(row.id, row.path, content, page.lines)

    def _write(
        self, entry: str, title: str, text: str, before: Sequence[Writing]
    ) -> _PageWithFacts | None:
        """Return the page with its facts; None where its owner wants none."""
        edits = self._read_hand_edits(before, text)
        if not edits.wanted:
            return None
        sheet = build_sheet(title, self._matters(entry), at=self.at)
        has = has_section(before)
        new = put_facts(
            text, sheet, theirs=edits.theirs, gone=edits.gone, has=has
        )
        # a heading of the note's own is none of companion's
        headings = count_facts_headings(new) - count_facts_headings(text) + has
        if not headings:
            return _PageWithFacts(new, 0)
        page = split_at_facts(new)
        return _PageWithFacts(new, len(page.current) + len(page.earlier))

    def _read_hand_edits(
        self, before: Sequence[Writing], text: str
    ) -> _HandEdits:
        """Return what the person did to the sections that companion wrote *before*; *text* is the
        page now.
        """
        theirs: set[str] = set()
        gone: set[str] = set()
        wanted = True
        for number, writing in enumerate(before, 1):
            is_latest = number == len(before)
            if writing.edited is None and not is_latest:
                continue
            was = self.run.repo.text(writing.blob, exact=True)
            now = (
                text
                if is_latest
                else self.run.repo.text(str(writing.edited), exact=True)
            )
            old, new = split_at_facts(was), split_at_facts(now)
            theirs |= {*new.current, *new.earlier} - {
                *old.current,
                *old.earlier,
            }
            gone |= {*old.earlier} - {*new.earlier}
            wanted = not is_latest or count_facts_headings(
                now
            ) >= count_facts_headings(was)
        return _HandEdits(theirs, gone, wanted)

    # -- what was told -----------------------------------------------------------------------------

    def _keys(self, entry: str) -> list[Key]:
        known = [
            each.assertion.key
            for each in claims.list_claims_of_entry(self.db, entry)
        ]
        return list(dict.fromkeys([*known, *self.new.get(entry, ())]))

    def _own_ids(self, entry: str, key: Key) -> set[str]:
        """Return what the page tells of a key; not what its owner took out of its words."""
        here = [each for each in self._told(key) if each.entry == entry]
        gone: set[str] = set()
        for each in here:
            if each.rule == PASSAGE:
                gone.update(each.assertion.retracts)
        return {each.assertion.id for each in here} - gone

    def _told(self, key: Key) -> list[RecordedClaim]:
        """Return everything told of *key*, in the order of telling."""
        if key not in self._told_of:
            names = claim_names.list_things_called(
                self.db, claim_lines.normalize_name(key[0])
            )[0]
            fresh = [
                each for name in names for each in self.fresh.get(name, ())
            ]
            known, new = split_known_and_new(self.db, names, key[1], fresh)
            self._told_of[key] = sorted([*known, *new], key=_telling_order)
        return self._told_of[key]

    def _matters(self, entry: str) -> list[Matter]:
        """Return each matter of a page once, by the first of its keys."""
        key_of: dict[frozenset[str], Key] = {}
        for key in reversed(self._keys(entry)):
            ids = frozenset(each.assertion.id for each in self._told(key))
            if ids:
                key_of[ids] = key
        return [self._matter(entry, key) for key in key_of.values()]

    def _matter(self, entry: str, key: Key) -> Matter:
        told = self._told(key)
        tellings = [
            Telling(each.assertion, each.subject, each.predicate, each.object)
            for each in told
        ]
        standings = self.book.settle(told, at=self.at, known_at=self.at)
        spells = self.book.list_spells(told, known_at=self.at)
        return Matter(self._own_ids(entry, key), tellings, standings, spells)


def _telling_order(each: RecordedClaim) -> tuple[str, str]:
    return each.assertion.told_at, each.assertion.id
