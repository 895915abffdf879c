"""The facts sections of pages, kept by the night: of every managed page that told something of what
was told since.

Work is in proportion to the keys that were told, withdrawn or came due since the last
consolidation, never to the wiki.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.comparison.pending import ConsolidationPlan, PlannedPage
from companion.ledger import claims_of_key as keys
from companion.ledger import corrections, facts_section
from companion.ledger.corrections import Writing, list_writings
from companion.ledger.facts_section import Matter, Telling
from companion.ledger.resolve import RuleBook, open_rule_book
from companion.pages.body import count_facts_headings, split_at_facts
from companion.runs.run import Run
from companion.storage.git import objects
from companion.storage.index import isolation
from companion.storage.index.history import find_last_run_of
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import Stated
from companion.storage.index.tables.entries import find_entry_at, list_writable_pages
from companion.storage.index.tables.verdicts import Verdicts
from companion.values.decisions import Write

Key = tuple[str, str]


class Update(NamedTuple):
    """A page of which only the facts change."""

    entry: str
    path: str
    content: bytes
    lines: int  # of its section


@dataclass(frozen=True)
class FactsUpdate:
    """The night's plan with facts in its pages, and what other pages become."""

    plan: ConsolidationPlan
    updates: tuple[Update, ...]
    # entry -> lines of the section that tonight writes into a page of the plan
    lines: Mapping[str, int]
    excluded: Mapping[str, str]  # pages whose facts must wait, and why

    def writes(self) -> list[Write]:
        return [Write(update.path, update.content) for update in self.updates]

    def events(self, planned: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the ledger's lines of the plan, saying which pages got facts, and those of the
        other pages.
        """
        wrote = {"created", "grown"}
        lines = [
            {**line, "facts": self.lines[line["entry"]]}
            if line["e"] in wrote and line["entry"] in self.lines
            else line
            for line in planned
        ]
        return lines + [_grown(update) for update in self.updates]


def _grown(update: Update) -> dict[str, Any]:
    return {
        "e": "grown",
        "entry": update.entry,
        "path": update.path,
        "blob": objects.blob_id(update.content),
        "facts": update.lines,
        "reason": f"its facts: {update.lines} lines by what was told of them elsewhere or since",
    }


def refresh_facts(
    tonight: Run,
    plan: ConsolidationPlan,
    told: Iterable[dict[str, Any]],
    moment: str,
    busy: Iterable[str],
) -> FactsUpdate:
    """Bring the facts of every page concerned up to date. *told* are tonight's lines; pages in
    *busy* wait.
    """
    with isolation.deciding(tonight.db) as view:
        book = open_rule_book(view, Verdicts(tonight.journal, tonight.db))
        return _refreshed(
            _Work(tonight, book, [line for line in told if line["e"] == "claims"], moment),
            plan,
            busy,
        )


def _refreshed(work: "_Work", plan: ConsolidationPlan, busy: Iterable[str]) -> FactsUpdate:
    planned = {sheet.entry: sheet for sheet in plan.sheets}
    sheets = {
        entry: done
        for entry, sheet in planned.items()
        if (done := work.in_sheet(sheet)) is not None
    }
    others = {row[1]: row for row in work.pages(work.concerned() - planned.keys())}
    blocked = work.tonight.excluded_paths(sorted(set(others) - set(busy)))
    free = sorted(set(others) - set(busy) - set(blocked))
    updates = [update for path in free if (update := work.update(*others[path])) is not None]
    changed = tuple(
        replace(s, content=sheets[s.entry][0]) if s.entry in sheets else s for s in plan.sheets
    )
    counts = {entry: lines for entry, (_, lines) in sheets.items()}
    return FactsUpdate(replace(plan, sheets=changed), tuple(updates), counts, blocked)


class _Work:
    """One night's work on facts: everything told of the keys concerned, the index's and
    tonight's.
    """

    def __init__(
        self, tonight: Run, book: RuleBook, lines: Sequence[dict[str, Any]], moment: str
    ) -> None:
        self.tonight, self.book, self.db, self.at = tonight, book, tonight.db, moment
        self.fresh: dict[str, list[Stated]] = {}  # by name
        self.new: dict[str, dict[Key, None]] = {}  # entry -> the keys that tonight tells in it
        for stated in (each for line in lines for each in claims.of_event(line)):
            self.fresh.setdefault(claims.name_of(stated.assertion.key[0]), []).append(stated)
            self.new.setdefault(stated.entry, {})[stated.assertion.key] = None
            self.at = max(self.at, stated.assertion.told_at)
        self.told: dict[Key, list[Stated]] = {}

    def concerned(self) -> set[str]:
        """Return the entries that told anything of a key that was told, withdrawn or came due, or
        had to wait.
        """
        last, waited = _last_run(self.tonight)
        keys = {key for told in self.new.values() for key in told}
        keys |= claims.keys_since(self.db, last, self.at) if last else set()
        found = {each.entry for key in keys if len(self._told(key)) > 1 for each in self._told(key)}
        found |= {
            entry
            for key in keys
            for entry in claims.entries_of(self.db, key)
            if list_writings(self.db, entry)
        }
        rows = (find_entry_at(self.db, path) for path in waited)
        return found | {row.id for row in rows if row is not None and self._keys(row.id)}

    def pages(self, entries: Iterable[str]) -> list[tuple[str, str, str, str]]:
        """Return (id, path, title, blob) of those of *entries* whose pages companion may write."""
        rows = list_writable_pages(self.db, sorted(entries))
        return [(row.id, row.path, row.title, row.blob) for row in rows]

    def in_sheet(self, sheet: PlannedPage) -> tuple[bytes, int] | None:
        if sheet.cohesion.bucket == "low":
            return None  # what is in quarantine says nothing of the matter yet
        before = [] if sheet.base_blob is None else list_writings(self.db, sheet.entry)
        if not before and all(len(self._told(key)) < 2 for key in self._keys(sheet.entry)):
            return None
        text = sheet.content.decode("utf-8", "surrogateescape")
        done = self._put(sheet.entry, sheet.title, text, before)
        if done is None or (done[0] == text and not before):
            return None
        return done[0].encode("utf-8", "surrogateescape"), done[1]

    def update(self, entry: str, path: str, title: str, blob: str) -> Update | None:
        text = self.tonight.repo.text(blob, exact=True)
        done = self._put(entry, title, text, list_writings(self.db, entry))
        if done is None or done[0] == text:
            return None
        return Update(entry, path, done[0].encode("utf-8", "surrogateescape"), done[1])

    def _put(
        self, entry: str, title: str, text: str, before: Sequence[Writing]
    ) -> tuple[str, int] | None:
        """Return the page with its facts, and how many lines they are; None where its owner wants
        none.
        """
        theirs, gone, wanted = self._by_hand(before, text)
        if not wanted:
            return None
        sheet = facts_section.build_sheet(title, self._matters(entry), at=self.at)
        has = corrections.has_section(before)
        new = facts_section.put_facts(text, sheet, theirs=theirs, gone=gone, has=has)
        left = (
            count_facts_headings(new) - count_facts_headings(text) + has
        )  # a heading of the note's own is none of companion's
        page = split_at_facts(new)
        return new, len(page.current) + len(page.earlier) if left else 0

    def _by_hand(self, before: Sequence[Writing], text: str) -> tuple[set[str], set[str], bool]:
        """Return the section's lines that are the person's, those they deleted, and whether they
        want it at all.
        """
        theirs, gone, wanted = set[str](), set[str](), True
        for n, writing in enumerate(before):
            latest = n + 1 == len(before)
            if writing.edited is None and not latest:
                continue
            was = self._text(writing.blob)
            now = text if latest else self._text(str(writing.edited))
            one, other = split_at_facts(was), split_at_facts(now)
            theirs |= {*other.current, *other.earlier} - {*one.current, *one.earlier}
            gone |= {*one.earlier} - {*other.earlier}
            wanted = not (latest and count_facts_headings(now) < count_facts_headings(was))
        return theirs, gone, wanted

    def _text(self, blob: str) -> str:
        return self.tonight.repo.text(blob, exact=True)

    def _keys(self, entry: str) -> list[Key]:
        known = [each.assertion.key for each in claims.of_entry(self.db, entry)]
        return list(dict.fromkeys([*known, *self.new.get(entry, ())]))

    def _own(self, entry: str, key: Key) -> set[str]:
        """Return what the page tells of a key; not what its owner took out of its words."""
        told = self._told(key)
        here = [each for each in told if each.entry == entry]
        gone = {
            id
            for each in here
            if each.rule == corrections.PASSAGE
            for id in each.assertion.retracts
        }
        return {each.assertion.id for each in here} - gone

    def _told(self, key: Key) -> list[Stated]:
        if key not in self.told:
            names = claims.things(self.db, claims.name_of(key[0]))[0]
            fresh = [each for name in names for each in self.fresh.get(name, ())]
            known, new = keys.known_and_new(self.db, names, key[1], fresh)
            self.told[key] = sorted(
                [*known, *new], key=lambda each: (each.assertion.told_at, each.assertion.id)
            )
        return self.told[key]

    def _matters(self, entry: str) -> list[Matter]:
        """Return each matter once, by whichever of its keys."""
        told = (
            (key, frozenset(each.assertion.id for each in self._told(key)))
            for key in self._keys(entry)
        )
        once = {ids: key for key, ids in reversed(list(told)) if ids}
        return [self._matter(entry, key) for key in once.values()]

    def _matter(self, entry: str, key: Key) -> Matter:
        told = self._told(key)
        tellings = [
            Telling(each.assertion, each.subject, each.predicate, each.object) for each in told
        ]
        standings = self.book.settle(told, at=self.at, known_at=self.at)
        return Matter(
            self._own(entry, key), tellings, standings, self.book.history(told, known_at=self.at)
        )


def _last_run(tonight: Run) -> tuple[str | None, Sequence[str]]:
    """Return when the last consolidation was, and the pages it left out."""
    last = find_last_run_of(tonight.db, "consolidate")
    return (None, ()) if last is None else (last.time, last.input.get("excluded", ()))
