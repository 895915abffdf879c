"""Find what rests directly on an entry, a statement, a claim or a name.

An entry rests on what it links to. A page that gathers several notes does not rest on anything as a
whole: of its notes, those that link to the thing do. A claim rests on the note that tells it; "X
depends on Y" makes X rest on Y, and on everything that is told of Y.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence

from companion.language.words.question_words import find_dependence_words
from companion.ledger.dependents.follow import Node, RestsOn
from companion.pages import links, page, statements
from companion.storage import claim_lines
from companion.storage.index import claim_names
from companion.storage.index.tables import claims
from companion.storage.index.tables.captures import (
    find_entry_of_capture,
    list_captures_of_entry,
)
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.pages.edges import list_dependents
from companion.storage.index.tables.pages.entries import (
    EntryRow,
    find_entry,
    find_page,
    find_title,
)
from companion.storage.index.tables.pages.links import (
    list_entries_with_unresolved_link,
    list_link_targets_to,
)

#: reads the text of a page
ReadPage = Callable[[EntryRow], str]

TOLD = "was told in it"
LINKS = "links to it"
_WIDE = 500  # claims that are asked for one name


class DependentsIndex:
    """Finds what rests on one node directly, in the index and among claims not yet in it."""

    def __init__(
        self,
        db: sqlite3.Connection,
        read: ReadPage,
        new: Sequence[RecordedClaim] = (),
    ) -> None:
        """*new* are claims that the index does not have yet."""
        self.db = db
        self._read = read
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
        if node.kind == "page":
            return []
        return self._on_names([node.id])

    def entry_of(self, node: Node) -> str:
        """Return the entry that *node* is, or whose page tells it; "" where there is none."""
        if node.kind in ("entry", "page"):
            return node.id
        if node.kind == "statement":
            return find_entry_of_capture(self.db, node.id) or ""
        claim = self._claim_of(node)
        return claim.entry if claim is not None else ""

    def statement_of(self, node: Node) -> str:
        """Return the note of a page of several that *node* is, or that tells it, by its capture.

        "" where the page gathers no others: then the whole page is meant.
        """
        capture = node.id if node.kind == "statement" else ""
        claim = self._claim_of(node)
        if claim is not None:
            capture = claim.capture
        if capture and self._gathers(self.entry_of(node)):
            return capture
        return ""

    def is_told_by(self, node: Node, fallen: Node) -> bool:
        """Tell whether *node* is a claim of the note or the page that fell: they fall as one."""
        claim = self._claim_of(node)
        if claim is None:
            return False
        if fallen.kind == "statement":
            return claim.capture == fallen.id
        return fallen.kind == "entry" and claim.entry == fallen.id

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

    def _claim_of(self, node: Node) -> RecordedClaim | None:
        return self._find_claim(node.id) if node.kind == "claim" else None

    def _gathers(self, entry: str) -> bool:
        """Tell whether the page of *entry* gathers several notes."""
        return len(list_captures_of_entry(self.db, entry)) > 1

    def _links(self, entry: str) -> Iterator[RestsOn]:
        # A page that contradicts it does not rest on it: members of branches are no dependents of
        # their incumbent.
        row = find_entry(self.db, entry)
        for source in list_dependents(self.db, entry):
            targets = set()
            if row is not None:
                targets = list_link_targets_to(self.db, source, row.path)
            yield from self._linking(source, targets)
        # the links to a deleted page lead nowhere, but they are still there
        if row is not None and row.tombstone:
            keys = links.key(row.path), links.title_key(row.title)
            for source in list_entries_with_unresolved_link(self.db, *keys):
                targets = list_link_targets_to(self.db, source, None, *keys)
                yield from self._linking(source, targets)

    def _linking(self, source: str, targets: set[str]) -> Iterator[RestsOn]:
        """Yield the notes on the page of *source* that link to one of *targets*, or the page: where
        it gathers nothing, or where the link stands beside its notes.
        """
        row = find_page(self.db, source)
        if row is None or not self._gathers(source):
            yield RestsOn(Node("entry", source), LINKS)
            return

        def is_linking(words: str) -> bool:
            return _has_link(words, row.path, targets)

        yield from self._notes_where(source, self._read(row), is_linking)

    def _notes_where(
        self, source: str, text: str, holds: Callable[[str], bool]
    ) -> Iterator[RestsOn]:
        """Yield the notes of a page of several whose words *holds* is true of, or the page itself
        where it is true of none.

        What a note said that lost rests on nothing any more.
        """
        captures = list_captures_of_entry(self.db, source)
        by_id = {statements.statement_id(one): one for one in captures}
        words = _words_of_notes(text, by_id)
        found = {id for id in words if id in by_id and holds(words[id])}
        blocks = statements.read_statements(text)
        lost = {block.id for block in blocks if block.earlier}
        for id in sorted(found - lost):
            yield RestsOn(Node("statement", by_id[id]), LINKS)
        if not found:
            yield RestsOn(Node("page", source), LINKS)

    def _on_statement(self, capture: str) -> Iterator[RestsOn]:
        """Yield what links to the block of *capture*, and what its note tells."""
        anchor = f"#^{statements.statement_id(capture)}"
        home = find_entry_of_capture(self.db, capture) or ""
        for source in sorted({home, *list_dependents(self.db, home)} - {""}):
            row = find_page(self.db, source)
            text = self._read(row) if row is not None else ""
            text = statements.without_derived(text)
            if anchor in text:
                yield from self._naming(source, text, anchor, home)
        for claim in claims.list_claims_of_capture(self.db, capture):
            yield RestsOn(Node("claim", claim.assertion.id), TOLD)

    def _naming(
        self, source: str, text: str, anchor: str, home: str
    ) -> Iterator[RestsOn]:
        """Yield the notes on a page, or the page, whose words have a link to the block *anchor*."""
        if not self._gathers(source):
            yield RestsOn(Node("entry", source), LINKS)
            return

        def is_naming(words: str) -> bool:
            return anchor in words

        for rest in self._notes_where(source, text, is_naming):
            # a page names its own blocks in lines of ours: it does not rest on itself
            if rest.node.kind == "statement" or source != home:
                yield rest

    def _told_in(self, entry: str) -> Iterator[RestsOn]:
        for claim in claims.list_claims_of_entry(self.db, entry):
            yield RestsOn(Node("claim", claim.assertion.id), TOLD)

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


def _has_link(words: str, path: str, targets: set[str]) -> bool:
    """Tell whether *words* of the page at *path* link to one of *targets*."""
    return any(link.target in targets for link in page.parse(words, path).links)


def _words_of_notes(text: str, ids: Iterable[str]) -> dict[str, str]:
    """Return the words of every block of a page by its id, those of its opening among them.

    A page begins with a note whose block has no id: the one of *ids* that no block has.
    """
    blocks = statements.read_statements(text)
    words = {block.id: block.words for block in blocks}
    first = [id for id in ids if id not in words]
    if len(first) == 1:
        words[first[0]] = statements.read_opening(text)
    return words
