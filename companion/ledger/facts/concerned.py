"""Find what is known of each key, and which pages the keys of a run concern."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.ledger.claims_of_key import split_known_and_new
from companion.ledger.facts.corrections import PASSAGE
from companion.ledger.facts.local_days import LocalDays
from companion.ledger.facts.section import (
    Matter,
    Telling,
    has_lines,
    line_label,
)
from companion.ledger.facts.writings import Writing, list_writings
from companion.ledger.resolve import RuleBook
from companion.ledger.settlement import Resolution
from companion.ledger.supersession import Spell
from companion.storage import claim_lines
from companion.storage.index import claim_names
from companion.storage.index.history import find_last_run_of
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.entries import find_entry_at

Key = tuple[str, str]
# entry -> its keys that are concerned; None: any may be
Concerned = Mapping[str, set[Key] | None]


def name_of(key: Key) -> str:
    """Return the name of the thing that *key* is about."""
    return claim_lines.normalize_name(key[0])


class KnownClaims:
    """The claims of the index and of this run, key by key."""

    def __init__(
        self, db: sqlite3.Connection, new: Iterable[RecordedClaim]
    ) -> None:
        self.db = db
        self.by_name: dict[str, list[RecordedClaim]] = {}  # of this run
        # entry -> the keys that this run tells in it
        self.new_keys: dict[str, dict[Key, None]] = {}
        self._of_key: dict[Key, list[RecordedClaim]] = {}
        self._writings: dict[str, list[Writing]] = {}
        for claim in new:
            key = claim.assertion.key
            self.by_name.setdefault(name_of(key), []).append(claim)
            self.new_keys.setdefault(claim.entry, {})[key] = None

    def list_keys(self, entry: str) -> list[Key]:
        """Return the keys of which the page of *entry* tells anything."""
        keys = dict.fromkeys(claims.list_keys_of_entry(self.db, entry))
        keys |= self.new_keys.get(entry, {})
        return list(keys)

    def list_writings(self, entry: str) -> list[Writing]:
        """Return the earlier writings of the facts of *entry*, read once a run."""
        if entry not in self._writings:
            self._writings[entry] = list_writings(self.db, entry)
        return self._writings[entry]

    def list_names(self, keys: Iterable[Key]) -> set[str]:
        """Return all names of the things that *keys* are about."""
        names: set[str] = set()
        for name in {name_of(key) for key in keys}:
            names.update(claim_names.list_things_called(self.db, name)[0])
        return names

    def list_claims(self, key: Key) -> list[RecordedClaim]:
        """Return everything told of *key*, in the order of telling."""
        if key not in self._of_key:
            self._of_key[key] = sorted(self._collect(key), key=_telling_order)
        return self._of_key[key]

    def _collect(self, key: Key) -> list[RecordedClaim]:
        names = claim_names.list_things_called(self.db, name_of(key))[0]
        fresh: list[RecordedClaim] = []
        for each in names:
            fresh += self.by_name.get(each, ())
        known, new = split_known_and_new(self.db, names, key[1], fresh)
        return [*known, *new]


class KnownMatters:
    """How what is known of each key stands *now*, and which lines pages have for it."""

    def __init__(
        self, book: RuleBook, known: KnownClaims, days: LocalDays, now: str
    ) -> None:
        self.book = book
        self.known = known
        self.days = days
        self.now = now
        self._settled: dict[Key, Resolution] = {}
        self._spells: dict[Key, list[Spell]] = {}

    def list_of(
        self, entry: str, names: Collection[str] | None = None
    ) -> list[Matter]:
        """Return each matter of a page that has lines there once, by the first of its keys; of the
        things called *names*, or of all.
        """
        key_of: dict[frozenset[str], Key] = {}
        for key in reversed(self._list_keys(entry, names)):
            told = self.known.list_claims(key)
            ids = frozenset(claim.assertion.id for claim in told)
            if ids:
                key_of[ids] = key
        matters = [self.make(entry, key) for key in key_of.values()]
        return [matter for matter in matters if matter is not None]

    def list_labels(
        self, entry: str, title: str, names: Collection[str]
    ) -> set[str]:
        """Return what lines of the things called *names* may begin with on the page of *entry*."""
        labels: set[str] = set()
        for key in self._list_keys(entry, names):
            told = self.known.list_claims(key)
            for subject, predicate in {(c.subject, c.predicate) for c in told}:
                label = line_label(title, subject, predicate)
                # an earlier line is read up to its first colon
                labels |= {label, label.partition(": ")[0]}
        return labels

    def _list_keys(
        self, entry: str, names: Collection[str] | None
    ) -> list[Key]:
        keys = self.known.list_keys(entry)
        if names is None:
            return keys
        return [key for key in keys if name_of(key) in names]

    def make(self, entry: str, key: Key) -> Matter | None:
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


def _telling_order(claim: RecordedClaim) -> tuple[str, str]:
    return claim.assertion.told_at, claim.assertion.id


def find_concerned_keys(known: KnownClaims, now: str) -> Concerned:
    """Return the entries that told anything of a key that was told, withdrawn or came due, each
    with the keys concerned; and those that had to wait in the last run, with None.
    """
    keys: set[Key] = set()
    for new_keys in known.new_keys.values():
        keys.update(new_keys)
    last = find_last_run_of(known.db, "consolidate")
    if last is not None:
        keys |= claims.list_keys_changed(known.db, last.time, now)
        # its slices write no facts
        keys |= claims.list_keys_moved(known.db, last.time, "gather")
    concerned: dict[str, set[Key] | None] = {}
    for key in keys:
        for entry in _list_entries(known, key):
            of_entry = concerned.setdefault(entry, set())
            assert of_entry is not None  # those that wait come last
            of_entry.update(_list_keys_in(known, key, entry))
    if last is not None:
        waiting = _find_waiting(known, last.input.get("excluded", ()))
        concerned.update(dict.fromkeys(waiting))
    return concerned


def _list_entries(known: KnownClaims, key: Key) -> set[str]:
    """Return the entries that *key* concerns: that told of it beside others, or have facts."""
    entries: set[str] = set()
    told = known.list_claims(key)
    if len(told) > 1:
        entries.update(claim.entry for claim in told)
    for entry in claims.list_entries_of_key(known.db, key):
        if known.list_writings(entry):
            entries.add(entry)
    return entries


def _list_keys_in(known: KnownClaims, key: Key, entry: str) -> set[Key]:
    """Return *key*, and those under which the page of *entry* told of its matter."""
    keys = {key}
    for claim in known.list_claims(key):
        if claim.entry == entry:
            subject, predicate = claim.assertion.key
            keys.add((subject, claim.told_as or predicate))
    return keys


def _find_waiting(known: KnownClaims, paths: Iterable[str]) -> set[str]:
    """Return the entries at *paths* that tell anything."""
    rows = [find_entry_at(known.db, path) for path in paths]
    entries = [row.id for row in rows if row is not None]
    return {entry for entry in entries if known.list_keys(entry)}
