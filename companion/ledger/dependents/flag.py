"""The flags that a run raises where something falls that other entries rest on (LED-12).

An entry rests on what it links to. A claim rests on the page that tells it; "X depends on Y" makes
X rest on Y, and on everything that is told of Y. One statement of a page may fall alone: on it rest
the links to its block, and what its note tells. When a value changes, nothing says that what rests
on it is wrong: somebody should look at it.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.ledger.claims_of_key import split_known_and_new
from companion.ledger.dependents.follow import (
    NAMED,
    Cascade,
    Node,
    follow_dependents,
)
from companion.ledger.dependents.index import DependentsIndex, ReadPage
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage import claim_lines
from companion.storage.index import claim_names, isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.entries import EntryRow
from companion.storage.journal.verdicts import Verdicts
from companion.values.events import LedgerLine
from companion.values.time import LATEST, reached
from companion.values.wording import many

KIND = "rests on"


class Fall(NamedTuple):
    """Something that no longer stands as it did."""

    node: Node
    entry: str  # whose page it is or was told in
    why: str  # what happened to it, in ids: "was replaced by 3f…"
    # what brought it about: another fall of the same thing is another question
    by: str = ""


class _Resting(NamedTuple):
    """What rests on a fall, and over which steps: an entry, or one note of a page of several."""

    entry: str
    statement: str  # the note's capture; "" for the whole page
    path: list[str]


def flag_falls(
    db: sqlite3.Connection,
    falls: Iterable[Fall],
    read: ReadPage,
    new: Sequence[RecordedClaim] = (),
) -> list[LedgerLine]:
    """Return a `flagged` line for each fall that anything rests on; it names the dependents, with
    their paths.

    *new* are claims that the index does not have yet.
    """
    index = DependentsIndex(db, read, new)
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
    falls += _list_falls(lines)
    new: list[RecordedClaim] = []
    for line in lines:
        if line["e"] == "claims":
            new += claims.decode_claims(line)

    def read(row: EntryRow) -> str:
        return run.repo.text(row.blob)

    if new and DependentsIndex(run.db, read, new).has_dependences():
        with isolation.deciding(run.db) as view:
            book = open_rule_book(view, Verdicts(run.journal, run.db))
            falls += _superseded(book, new, moment)
    return flag_falls(run.db, falls, read, new)


def _list_falls(lines: Sequence[LedgerLine]) -> list[Fall]:
    """Return the pages and statements that begin to decay by *lines*."""
    falls: list[Fall] = []
    for line in lines:
        if line["e"] == "decaying":
            falls.append(_entry_fall(line))
        if line["e"] == "statement" and line["state"] == "decaying":
            falls.append(_statement_fall(line))
    return falls


def _entry_fall(line: LedgerLine) -> Fall:
    by = line.get("by") or ""
    why = f"was replaced by {by}" if by else "left answers better without it"
    id = line["entry"]
    return Fall(Node("entry", id), id, why, f"decaying by {by}")


def _statement_fall(line: LedgerLine) -> Fall:
    why = "left answers better without it"
    by = line.get("by") or ""
    if by:
        why = f"was replaced by the note {statement_id(by)}"
    node = Node("statement", line["capture"])
    return Fall(node, line["entry"], why, f"decaying by {by}")


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
    fall: Fall, resting: Sequence[_Resting], *, beyond: bool
) -> LedgerLine:
    named = resting[:NAMED]
    key = f"{KIND} {fall.node.kind} {fall.node.id} {fall.by}"
    entries = len({each.entry for each in resting})
    depend = "depends" if entries == 1 else "depend"
    dependents = f"{many(entries, 'entry')} {depend} on it"
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
        "rests": [_describe_resting(each) for each in named],
        "reason": reason,
    }


def _describe_resting(resting: _Resting) -> LedgerLine:
    line: LedgerLine = {"entry": resting.entry, "path": resting.path}
    if resting.statement:
        line["statement"] = resting.statement
    return line


def _name_fall(fall: Fall) -> str:
    node = fall.node
    if node.kind == "statement":
        return f"The note {statement_id(node.id)} on the page {fall.entry}"
    subject = "The claim" if node.kind == "claim" else "The page"
    return f"{subject} {node.id}"


def _list_resting(
    index: DependentsIndex, fall: Fall, cascade: Cascade
) -> list[_Resting]:
    """Return what rests on *fall*, or tells what does: notes of pages of several, else entries.

    Each is there once, the nearest first.
    """
    found: dict[tuple[str, str], _Resting] = {}
    for node, path in cascade.dependents:
        entry = index.entry_of(node)
        statement = index.statement_of(node)
        is_itself = entry == fall.entry and fall.node.kind == "entry"
        is_known = (entry, statement) in found
        if not entry or is_known or is_itself:
            continue
        if index.is_told_by(node, fall.node):
            continue
        steps = [
            f"{rest.node.kind} {rest.node.id}: {rest.how}" for rest in path
        ]
        found[entry, statement] = _Resting(entry, statement, steps)
    return list(found.values())
