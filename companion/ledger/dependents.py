"""The flags that a run raises where something falls that other entries rest on (LED-12).

An entry rests on what it links to. A claim rests on the page that tells it; "X depends on Y" makes
X rest on Y, and on everything that is told of Y. One statement of a page may fall alone: on it rest
the links to its block, and what its note tells. When a value changes, nothing says that what rests
on it is wrong: somebody should look at it.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.language.question_words import find_dependence_words
from companion.ledger.cascade import (
    NAMED,
    Cascade,
    Node,
    RestsOn,
    follow_dependents,
)
from companion.ledger.claims_of_key import split_known_and_new
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.pages import links
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage import claim_lines
from companion.storage.index import claim_names, isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.gravity import list_dependents
from companion.storage.index.tables.pages.entries import (
    find_entry,
    find_page,
    find_title,
)
from companion.storage.index.tables.pages.links import (
    list_entries_with_unresolved_link,
)
from companion.storage.journal.verdicts import Verdicts
from companion.values.events import LedgerLine
from companion.values.time import LATEST, reached
from companion.values.wording import many

KIND = "rests on"
_TOLD = "was told in it"
_WIDE = 500  # claims that are asked for one name


class Fall(NamedTuple):
    """Something that no longer stands as it did."""

    node: Node
    entry: str  # whose page it is or was told in
    why: str  # what happened to it, in ids: "was replaced by 3f…"
    # what brought it about: another fall of the same thing is another question
    by: str = ""


class _RestingEntry(NamedTuple):
    """An entry that rests on a fall, and over which steps."""

    entry: str
    path: list[str]


def flag_falls(
    db: sqlite3.Connection,
    falls: Iterable[Fall],
    new: Sequence[RecordedClaim] = (),
    linked: Mapping[str, Sequence[str]] | None = None,
) -> list[LedgerLine]:
    """Return a `flagged` line for each fall that anything rests on; it names the dependents, with
    their paths.

    *new* are claims that the index does not have yet; *linked* has the entries that link to the
    block of a statement that fell, by its capture.
    """
    index = DependentsIndex(db, new, linked)
    flagged = []
    for fall in falls:
        cascade = follow_dependents([fall.node], index.on)
        resting = _list_resting(index, fall, cascade)
        if resting:
            flagged.append(_flag(fall, resting, beyond=cascade.beyond))
    return flagged


def list_entry_falls(ids: Iterable[str], why: str, by: str) -> list[Fall]:
    """Return the falls of entries: deleted, undone, or set decaying by a branch that won."""
    return [Fall(Node("entry", id), id, why, by) for id in sorted(set(ids))]


def flag_run(
    run: Run, lines: Sequence[LedgerLine], moment: str
) -> list[LedgerLine]:
    """Return the flags for what falls by the *lines* that a run is going to write at *moment*."""
    deleted = [line["entry"] for line in lines if line["e"] == "deleted"]
    falls = list_entry_falls(deleted, "was deleted", "its page was deleted")
    for line in lines:
        if line["e"] == "decaying":
            falls += list_entry_falls(
                [line["entry"]],
                f"was replaced by {line['by']}",
                f"decaying by {line['by']}",
            )
    linked: dict[str, list[str]] = {}
    for line in lines:
        if line["e"] == "statement" and line["state"] == "decaying":
            capture = line["capture"]
            linked[capture] = _list_linking(run, line["entry"], capture)
            falls.append(_statement_fall(line))
    new: list[RecordedClaim] = []
    for line in lines:
        if line["e"] == "claims":
            new += claims.decode_claims(line)
    if new and DependentsIndex(run.db, new).has_dependences():
        with isolation.deciding(run.db) as view:
            book = open_rule_book(view, Verdicts(run.journal, run.db))
            falls += _superseded(book, new, moment)
    return flag_falls(run.db, falls, new, linked)


def _statement_fall(line: LedgerLine) -> Fall:
    why = "no longer stands"
    by = line.get("by") or ""
    if by:
        why = f"was replaced by the note {statement_id(by)}"
    node = Node("statement", line["capture"])
    return Fall(node, line["entry"], why, f"decaying by {by}")


def _list_linking(run: Run, entry: str, capture: str) -> list[str]:
    """Return the entries whose pages link to the block of *capture* on the page of *entry*."""
    anchor = f"#^{statement_id(capture)}"
    linking = []
    for source in list_dependents(run.db, entry):
        page = find_page(run.db, source)
        if page is not None and anchor in run.repo.text(page.blob):
            linking.append(source)
    return sorted(linking)


def _superseded(
    book: RuleBook, new: Sequence[RecordedClaim], moment: str
) -> list[Fall]:
    """Return the falls of claims that stood before this run and do not any more.

    A claim that came and went in this run held nothing.
    """
    falls: list[Fall] = []
    # a night of thousands of claims must not go through all of them for each key
    named: dict[str, list[int]] = {}
    for place, claim in enumerate(new):
        named.setdefault(_subject_name(claim), []).append(place)
    for key in sorted({claim.assertion.key for claim in new}):
        name = claim_lines.normalize_name(key[0])
        names = claim_names.list_things_called(book.view.db, name)[0]
        places = sorted(at for each in set(names) for at in named.get(each, ()))
        own = [new[place] for place in places]
        before, now = split_known_and_new(book.view.db, names, key[1], own)
        if before:
            stood = _standing_claims(book, before, moment)
            stands = _standing_claims(book, [*before, *now], moment)
            falls += _falls_of_claims(stood, stands)
    return falls


def _subject_name(claim: RecordedClaim) -> str:
    return claim_lines.normalize_name(claim.assertion.key[0])


def _falls_of_claims(
    stood: Mapping[str, RecordedClaim], stands: Mapping[str, RecordedClaim]
) -> list[Fall]:
    """Return the falls of what *stood* and whose value stands no more."""
    values = {claim.assertion.value for claim in stands.values()}
    by = ", ".join(sorted(stands.keys() - stood.keys()))
    why = "no longer stands"
    if by:
        why = f"no longer stands; {by} does"
    return [
        Fall(Node("claim", id), claim.entry, why, by)
        for id, claim in sorted(stood.items())
        if claim.assertion.value not in values
    ]


def _standing_claims(
    book: RuleBook, group: Sequence[RecordedClaim], moment: str
) -> dict[str, RecordedClaim]:
    """Return those of *group* that stand at *moment*, by id."""
    at = reached(moment, (claim.assertion.told_at for claim in group))
    standings = book.settle(group, at=at, known_at=LATEST)
    by_id = {claim.assertion.id: claim for claim in group}
    ids = [each.assertion.id for each in standings if holds(each)]
    return {id: by_id[id] for id in ids}


def _flag(
    fall: Fall, resting: Sequence[_RestingEntry], *, beyond: bool
) -> LedgerLine:
    named = resting[:NAMED]
    key = f"{KIND} {fall.node.kind} {fall.node.id} {fall.by}"
    depend = "depends" if len(resting) == 1 else "depend"
    dependents = f"{many(len(resting), 'entry')} {depend} on it"
    reason = f"{_name_fall(fall)} {fall.why}. {dependents}."
    if len(resting) > len(named):
        reason += f" Only the {len(named)} nearest are named."
    if beyond:
        reason += " Entries further away were not looked at."
    return {
        "e": "flagged",
        "flag": hashlib.sha256(key.encode()).hexdigest()[:12],
        "kind": KIND,
        "entry": fall.entry,
        "rests": [{"entry": each.entry, "path": each.path} for each in named],
        "reason": reason,
    }


def _name_fall(fall: Fall) -> str:
    node = fall.node
    if node.kind == "statement":
        return f"The note {statement_id(node.id)} on the page {fall.entry}"
    subject = "The claim" if node.kind == "claim" else "The page"
    return f"{subject} {node.id}"


def _list_resting(
    index: "DependentsIndex", fall: Fall, cascade: Cascade
) -> list[_RestingEntry]:
    """Return the entries that rest on *fall*, or tell what does; each once, the nearest first."""
    found: dict[str, _RestingEntry] = {}
    for node, path in cascade.dependents:
        entry = index.entry_of(node)
        # a page and what it tells fall as one
        is_own_claim = node.kind == "claim" and path[-1].how == _TOLD
        is_itself = entry == fall.entry and fall.node.kind == "entry"
        if entry and entry not in found and not is_own_claim and not is_itself:
            steps = [
                f"{rest.node.kind} {rest.node.id}: {rest.how}" for rest in path
            ]
            found[entry] = _RestingEntry(entry, steps)
    return list(found.values())


class DependentsIndex:
    """Finds what rests on one node directly, in the index and among claims not yet in it."""

    def __init__(
        self,
        db: sqlite3.Connection,
        new: Sequence[RecordedClaim] = (),
        linked: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.db = db
        self.linked = linked or {}
        self.dependence = find_dependence_words()
        self._endings = tuple(
            f" {matter}" for matter in self.dependence.predicates
        )
        self.new = {claim.assertion.id: claim for claim in new}

    def on(self, node: Node) -> Iterable[RestsOn]:
        """Return what rests on *node* directly, and why."""
        if node.kind == "entry":
            return [
                *self._links(node.id),
                *self._told_in(node.id),
                *self._on_title(node.id),
            ]
        if node.kind == "statement":
            return self._on_statement(node.id)
        if node.kind == "claim":
            return self._on_claim(node.id)
        return self._on_names([node.id])

    def entry_of(self, node: Node) -> str:
        """Return the entry that *node* is, or whose page tells it; "" where there is none."""
        if node.kind == "entry":
            return node.id
        claim = self._find_claim(node.id) if node.kind == "claim" else None
        return claim.entry if claim is not None else ""

    def has_dependences(self) -> bool:
        """Tell whether anything at all was told to depend on anything."""
        if any(map(self._is_dependence, self.new.values())):
            return True
        return any(
            self._says_dependence(key)
            for key in claims.list_predicates(self.db)
        )

    def _find_claim(self, id: str) -> RecordedClaim | None:
        return self.new.get(id) or claims.find_claim(self.db, id)

    def _links(self, entry: str) -> Iterator[RestsOn]:
        # A page that contradicts it does not rest on it: members of branches are no dependents of
        # their incumbent.
        for source in list_dependents(self.db, entry):
            yield RestsOn(Node("entry", source), "links to it")
        row = find_entry(self.db, entry)
        # the links to a deleted page lead nowhere, but they are still there
        if row is not None and row.tombstone:
            keys = links.key(row.path), links.title_key(row.title)
            for source in list_entries_with_unresolved_link(self.db, *keys):
                yield RestsOn(Node("entry", source), "links to it")

    def _on_statement(self, capture: str) -> Iterator[RestsOn]:
        for source in self.linked.get(capture, ()):
            yield RestsOn(Node("entry", source), "links to it")
        for claim in claims.list_claims_of_capture(self.db, capture):
            yield RestsOn(Node("claim", claim.assertion.id), _TOLD)

    def _told_in(self, entry: str) -> Iterator[RestsOn]:
        for claim in claims.list_claims_of_entry(self.db, entry):
            yield RestsOn(Node("claim", claim.assertion.id), _TOLD)

    def _on_title(self, entry: str) -> Iterator[RestsOn]:
        title = find_title(self.db, entry)
        return (
            self._on_names([claim_lines.normalize_name(title)])
            if title
            else iter(())
        )

    def _on_claim(self, id: str) -> Iterable[RestsOn]:
        """Return what depends on the claim's subject, or on the attribute that it tells of it; a
        claim of dependence takes with it what depends on its subject.
        """
        claim = self._find_claim(id)
        if claim is None:
            return []
        subject = claim_lines.normalize_name(claim.assertion.key[0])
        if self._is_dependence(claim):
            return self._on_names(
                [subject, claim_lines.normalize_name(claim.subject)]
            )
        matter = claim_lines.normalize_name(claim.predicate)
        if claim.assertion.key[0] in ("me", "us"):
            owned = [
                f"{mine} {matter}" for mine in ("my", "our", "mein", "meine")
            ]
            return self._on_names([*owned, matter])
        attribute = [
            f"{matter} of {subject}",
            f"{subject} {matter}",
            f"{matter} von {subject}",
        ]
        return self._on_names([subject, *attribute])

    def _on_names(self, names: Sequence[str]) -> Iterator[RestsOn]:
        """Yield the claims by which something depends on one of *names*."""
        spelled: list[str] = []
        for name in dict.fromkeys(names):
            spelled += claim_names.list_spellings(
                name, self.dependence.articles
            )
        known = claims.list_claims_with_value(self.db, spelled, _WIDE)
        new = [
            claim
            for claim in self.new.values()
            if claim_lines.normalize_name(claim.object) in spelled
        ]
        for claim in (*known, *new):
            if self._is_dependence(claim):
                yield RestsOn(
                    Node("claim", claim.assertion.id), "depends on it"
                )

    def _is_dependence(self, claim: RecordedClaim) -> bool:
        """Tell whether a claim says that its subject depends on its object."""
        if claim.assertion.negated or claim.assertion.mood == "retracted":
            return False
        return self._says_dependence(claim.assertion.key[1])

    def _says_dependence(self, predicate: str) -> bool:
        return f" {predicate}".endswith(self._endings)
