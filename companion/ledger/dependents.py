"""What rests on an entry or a claim, as the index knows it, and the flags that a night raises when
one falls (LED-12).

An entry rests on what it links to. A claim rests on the page that tells it; "X depends on Y" makes
X rest on Y, and on everything that is told of Y. When a value changes, nothing says that what rests
on it is wrong: it is to be looked at.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.language import question_words
from companion.ledger import claims_of_key as keys
from companion.ledger.cascade import NAMED, Cascade, Dependent, Node, RestsOn, follow_dependents
from companion.ledger.private_view import show_to_owner
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.lookup import index as reads
from companion.pages import links
from companion.runs.run import Run
from companion.storage.index import isolation
from companion.storage.index.tables import claims
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.claims import Stated
from companion.storage.index.tables.entries import find_entry, find_title
from companion.storage.index.tables.gravity import list_dependents
from companion.storage.index.tables.pages import list_entries_with_unresolved_link
from companion.storage.index.tables.verdicts import Verdicts
from companion.values import time as times
from companion.workspace import Workspace

KIND = "rests on"
_TOLD = "was told in it"
_LATEST = "9999-12-31T23:59:59.999999Z"
_WIDE = 500  # claims that are asked for one name


class Fall(NamedTuple):
    """Something that no longer stands as it did."""

    node: Node
    entry: str  # whose page it is or was told in
    why: str  # in ids and numbers: "superseded by 3f…", "deleted"
    by: str = ""  # what brought it about: another fall of the same thing is another question


def flag_falls(
    db: sqlite3.Connection, falls: Iterable[Fall], told: Sequence[Stated] = ()
) -> list[dict[str, Any]]:
    """Return a `flagged` line for each fall that anything rests on: one line names the dependents,
    with their paths.

    *told* are claims that the index does not have yet.
    """
    resting = DependentsIndex(db, told)
    found = ((fall, follow_dependents([fall.node], resting.on)) for fall in falls)
    return [
        _line(resting, fall, cascade) for fall, cascade in found if _entries(resting, fall, cascade)
    ]


def falls_of_entries(ids: Iterable[str], why: str) -> list[Fall]:
    """Return the falls of entries: deleted, undone, or set decaying by a branch that won."""
    return [Fall(Node("entry", id), id, why, why) for id in sorted(set(ids))]


def flag_run(night: Run, lines: Sequence[Mapping[str, Any]], moment: str) -> list[dict[str, Any]]:
    """Return the flags for what falls by the *lines* that a night is going to write."""
    falls = falls_of_entries(
        (line["entry"] for line in lines if line["e"] == "deleted"), "its page was deleted"
    )
    for line in lines:
        if line["e"] == "decaying":
            falls += falls_of_entries([line["entry"]], f"decaying by {line['by']}")
    told = [said for line in lines if line["e"] == "claims" for said in claims.of_event(line)]
    if told and DependentsIndex(night.db, told).targets():
        with isolation.deciding(night.db) as view:
            book = open_rule_book(view, Verdicts(night.journal, night.db))
            falls += _superseded(book, told, moment)
    return flag_falls(night.db, falls, told)


def _superseded(book: RuleBook, told: Sequence[Stated], moment: str) -> list[Fall]:
    """Return the claims that stood before tonight and do not any more; what came and went in one
    night held nothing.
    """
    falls = []
    for key in sorted({said.assertion.key for said in told}):
        names = claims.things(book.view.db, claims.name_of(key[0]))[0]
        own = [said for said in told if claims.name_of(said.assertion.key[0]) in names]
        before, now = keys.known_and_new(book.view.db, names, key[1], own)
        if before:
            stood, holds = (
                _standing(book, before, moment),
                _standing(book, [*before, *now], moment),
            )
            values = {said.assertion.value for said in holds.values()}
            by = ", ".join(sorted(set(holds) - set(stood)))
            falls += [
                Fall(
                    Node("claim", id),
                    said.entry,
                    f"no longer stands{f', {by} does' if by else ''}",
                    by,
                )
                for id, said in sorted(stood.items())
                if said.assertion.value not in values
            ]
    return falls


def _standing(book: RuleBook, group: Sequence[Stated], moment: str) -> dict[str, Stated]:
    at = times.reached(moment, (each.assertion.told_at for each in group))
    by_id = {each.assertion.id: each for each in group}
    return {
        s.assertion.id: by_id[s.assertion.id]
        for s in book.settle(group, at=at, known_at=_LATEST)
        if holds(s)
    }


def _line(resting: "DependentsIndex", fall: Fall, cascade: Cascade) -> dict[str, Any]:
    rests = _entries(resting, fall, cascade)
    named = rests[:NAMED]
    key = f"{KIND} {fall.node.kind} {fall.node.id} {fall.by}"
    more = f"; {len(rests) - len(named)} more are not named here" if len(rests) > len(named) else ""
    beyond = "; and what lies beyond was not followed" if cascade.beyond else ""
    return {
        "e": "flagged",
        "flag": hashlib.sha256(key.encode()).hexdigest()[:12],
        "kind": KIND,
        "entry": fall.entry,
        "rests": [{"entry": entry, "path": path} for entry, path in named],
        "reason": f"{fall.node.kind} {fall.node.id}: {fall.why}; {_many(len(rests))} on it{more}{beyond}",
    }


def _many(count: int) -> str:
    return "1 entry rests" if count == 1 else f"{count} entries rest"


def _entries(
    resting: "DependentsIndex", fall: Fall, cascade: Cascade
) -> list[tuple[str, list[str]]]:
    """Return (entry, path) for the entries that rest on *fall*, or tell what does; each once, the
    nearest first.
    """
    found: dict[str, list[str]] = {}
    for node, path in cascade.dependents:
        said = resting.claim(node.id) if node.kind == "claim" else None
        entry = node.id if node.kind == "entry" else said.entry if said is not None else ""
        # a page and what it tells fall as one
        itself = node.kind == "claim" and path[-1].how == _TOLD
        if entry and not (itself or (entry == fall.entry and fall.node.kind == "entry")):
            found.setdefault(
                entry, [f"{rest.node.kind} {rest.node.id}: {rest.how}" for rest in path]
            )
    return list(found.items())


class DependentsIndex:
    """What rests on one node directly."""

    def __init__(self, db: sqlite3.Connection, told: Sequence[Stated] = ()) -> None:
        self.db = db
        self.dependence = question_words.dependence()
        self._endings = tuple(f" {matter}" for matter in self.dependence.predicates)
        self.told = {said.assertion.id: said for said in told}

    def on(self, node: Node) -> Iterable[RestsOn]:
        if node.kind == "entry":
            return [*self._links(node.id), *self._told_in(node.id), *self._on_title(node.id)]
        if node.kind == "claim":
            return self._on_claim(node.id)
        return self._on_names([node.id])

    def claim(self, id: str) -> Stated | None:
        return self.told.get(id) or claims.of_id(self.db, id)

    def targets(self) -> bool:
        """Tell whether anything at all was told to depend on anything."""
        if any(map(self.depends, self.told.values())):
            return True
        return any(self._says_so(key) for key in claims.list_predicates(self.db))

    def _links(self, entry: str) -> Iterator[RestsOn]:
        # Who contradicts it does not rest on it: members of branches are no dependents of their
        # incumbent.
        for source in list_dependents(self.db, entry):
            yield RestsOn(Node("entry", source), "links to it")
        row = find_entry(self.db, entry)
        # the links to a page that is gone lead nowhere, but they are still there
        if row is not None and row.tombstone:
            keys = links.key(row.path), links.title_key(row.title)
            for source in list_entries_with_unresolved_link(self.db, *keys):
                yield RestsOn(Node("entry", source), "links to it")

    def _told_in(self, entry: str) -> Iterator[RestsOn]:
        for said in claims.of_entry(self.db, entry):
            yield RestsOn(Node("claim", said.assertion.id), _TOLD)

    def _on_title(self, entry: str) -> Iterator[RestsOn]:
        title = find_title(self.db, entry)
        return self._on_names([claims.name_of(title)]) if title else iter(())

    def _on_claim(self, id: str) -> Iterable[RestsOn]:
        """What depends on whom the claim is about, or on what of them it says; what depends falls
        with its reason.
        """
        said = self.claim(id)
        if said is None:
            return []
        subject = claims.name_of(said.assertion.key[0])
        if self.depends(said):
            return self._on_names([subject, claims.name_of(said.subject)])
        matter = claims.name_of(said.predicate)
        if said.assertion.key[0] in ("me", "us"):
            return self._on_names(
                [f"my {matter}", f"our {matter}", f"mein {matter}", f"meine {matter}", matter]
            )
        return self._on_names(
            [subject, f"{matter} of {subject}", f"{subject} {matter}", f"{matter} von {subject}"]
        )

    def _on_names(self, names: Sequence[str]) -> Iterator[RestsOn]:
        """Yield the claims by which something depends on one of *names*."""
        spelled = [
            each
            for name in dict.fromkeys(names)
            for each in claims.spelled(name, self.dependence.articles)
        ]
        new = (said for said in self.told.values() if claims.name_of(said.object) in spelled)
        for said in (*claims.of_value(self.db, spelled, _WIDE), *new):
            if self.depends(said):
                yield RestsOn(Node("claim", said.assertion.id), "depends on it")

    def depends(self, said: Stated) -> bool:
        """Tell whether a claim says that its subject depends on its object."""
        if said.assertion.negated or said.assertion.mood == "retracted":
            return False
        return self._says_so(said.assertion.key[1])

    def _says_so(self, predicate: str) -> bool:
        return f" {predicate}".endswith(self._endings)


# -- as it is read ---------------------------------------------------------------------------------


def find_dependents(ws: Workspace, target: str) -> dict[str, Any]:
    """Return everything that rests on an entry or a claim, with the path. Raises NothingFound or
    Ambiguous.
    """
    journal = ws.journal()
    db = show_to_owner(ws, journal, reads.current_index(ws, journal))
    if db is None:
        raise reads.NothingFound(f"not known: {target}")
    node = _node(ws, db, target)
    cascade = follow_dependents([node], DependentsIndex(db).on)
    rests = [_shown(db, dependent) for dependent in cascade.dependents]
    return {
        "target": target,
        **_named(db, node),
        "rests": rests,
        "count": len(rests),
        "beyond": cascade.beyond,
    }


def _node(ws: Workspace, db: sqlite3.Connection, target: str) -> Node:
    said = claims.of_id(db, target.lower())
    if said is not None:
        return Node("claim", said.assertion.id)
    try:
        kind, id = reads.find(ws, db, ws.journal(), target)
    except reads.NothingFound:
        if claims.known_names(db, [claims.name_of(target)]):
            return Node("name", claims.name_of(target))
        raise
    if kind == "capture":
        entry = find_entry_of_capture(db, id)
        if entry is None:
            raise reads.NothingFound(
                f"{target} is no page yet", hint="`companion consolidate` makes pages."
            )
        return Node("entry", entry)
    return Node("entry", id)


def _shown(db: sqlite3.Connection, dependent: Dependent) -> dict[str, Any]:
    path = [{**_named(db, rest.node), "how": rest.how} for rest in dependent.path]
    return {**_named(db, dependent.node), "path": path}


def _named(db: sqlite3.Connection, node: Node) -> dict[str, Any]:
    if node.kind == "claim":
        said = claims.of_id(db, node.id)
        assert said is not None
        title = f"{said.subject} {said.predicate}: {said.object}"
        return {"kind": "claim", "id": node.id, "title": title, "entry": said.entry or None}
    if node.kind == "name":
        return {"kind": "name", "id": node.id, "title": node.id, "entry": None}
    return {"kind": "entry", "id": node.id, "title": find_title(db, node.id), "entry": node.id}
