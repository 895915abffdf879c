"""Read a person's edits of pages into the claim ledger: their hand is a voice, and names what it
corrects.

Read are the passages of managed pages that changed, and the lines of the facts section. What is new
in them the owner tells; what is gone they take back, by the ids of the assertions: a line of the
section stands for everything told for its value, a sentence for what its page told. With another
value instead it is a correction: the old value goes wherever it was told, and the new one holds
from when the old one did. Told as a change ("moved to") it is an update, and nothing is taken back.
A deleted page takes back what it told, and tells it again when it returns.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.facts.edits import (
    Edit,
    LazyExtractor,
    Retraction,
    begin_with_replaced,
    retell,
    retract,
    retraction_claim,
    select_upheld,
)
from companion.ledger.facts.line_edits import LineReader
from companion.ledger.facts.merged_edits import (
    compare_with_machines,
    list_passages,
)
from companion.ledger.facts.writings import has_section, list_writings
from companion.ledger.read_telling import (
    fit_into_record,
    is_useful,
    readable_text,
)
from companion.pages.body import count_facts_headings, without_facts
from companion.pages.frontmatter import read_front
from companion.pages.merge_statements import has_markers, has_new_markers
from companion.pages.page import parse
from companion.pages.statements import (
    Statement,
    bare_lines,
    find_statement,
    read_statements,
)
from companion.runs.parallel_texts import ParallelTexts, find_parallel_texts
from companion.runs.run import Run
from companion.storage.claim_lines import encode_claim
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.claims import (
    RecordedClaim,
    list_claims_of_entry,
)
from companion.storage.index.tables.pages.entries import (
    KnownEntry,
    find_entry,
    find_entry_at,
    find_known,
)
from companion.storage.index.tables.pages.statements import (
    list_paths_with_statement,
)
from companion.values.claims import Claim, Span, normal
from companion.values.events import LedgerLine
from companion.values.wording import many

PASSAGE = "hand/passage"
DELETED = "hand/deleted"
VERSION = "corrections-1"
CHANNEL = "hand"
# by what makes a claim the same after an edit
_Claims = dict[tuple[object, ...], Claim]


def read_corrections(
    run: Run, recorded: Sequence[LedgerLine], moment: str
) -> list[LedgerLine]:
    """Return the `claims` lines, told at *moment*, for what a person did to managed pages.

    *recorded* are the run's lines for these edits.
    """
    reader = _EditReader(run, moment)
    edits = [event for event in recorded if event["e"] != "moved"]
    lines = [reader.read_event(event) for event in edits]
    return [line for line in lines if line is not None]


class _Passages(NamedTuple):
    """The words of a page before and after an edit, and the whole page, to place spans in it."""

    old: str
    new: str
    page: str


class _EditReader:
    """Reads the edits of one run."""

    def __init__(self, run: Run, moment: str) -> None:
        self.run = run
        self.db = run.db
        self.moment = moment
        self.extractor = LazyExtractor(moment)

    def read_event(self, event: LedgerLine) -> LedgerLine | None:
        """Return the `claims` line for one edit; None where it tells and takes back nothing."""
        entry = event["entry"]
        known = find_known(self.db, entry)
        if known is None:
            return None
        if event["e"] == "deleted":
            if self._is_of_another(entry, known):
                return None
            edit = Edit([], self._retract_page(entry))
            reason = "Its page was deleted by hand"
            return self._make_line(entry, known.blob, edit, reason)
        blob = event["blob"]
        if known.deleted:
            edit = Edit(self._retell_page(entry), [])
            return self._make_line(entry, blob, edit, "Its page is back")
        row = find_entry(self.db, entry)
        if row is None or not row.managed or blob == known.blob:
            return None
        old = self._read_page(known.blob)
        new = self._read_page(blob)
        first = self._read_first(entry)
        if has_new_markers(old, first) or self._is_nobodys_word(
            entry, blob, new, first
        ):
            return None
        edit = self._read_edit(entry, row.title, event["path"], old, new)
        return self._make_line(entry, blob, edit, "Corrected by hand")

    def _make_line(
        self, entry: str, blob: str, edit: Edit, reason: str
    ) -> LedgerLine | None:
        """Return the line of the ledger.

        What a hand tells rests in the page itself, so its capture is the *blob* of the page.
        """
        retractions = [
            encode_claim(retraction_claim(retraction), retraction.ids)
            for retraction in edit.retracted
        ]
        told = [encode_claim(claim) for claim in edit.told]
        counts: list[str] = []
        if retractions:
            counts.append(f"{many(len(retractions), 'claim')} withdrawn")
        if told:
            counts.append(f"{many(len(told), 'claim')} added")
        if not counts:
            return None
        return {
            "e": "claims",
            "capture": blob,
            "entry": entry,
            "telling": {"seen_at": self.moment, "channel": CHANNEL},
            "claims": retractions + told,
            "reason": f"{reason}: {', '.join(counts)}.",
        }

    def _read_first(self, entry: str) -> str:
        """Return the page as it began; empty where git has lost that."""
        began = list_entry_events(self.db, entry, ["created", "registered"])
        blobs = [event.data["blob"] for event in began[:1]]
        return "".join(map(self._read_page, filter(self.run.repo.has, blobs)))

    def _is_nobodys_word(
        self, entry: str, blob: str, new: str, first: str
    ) -> bool:
        """Tell whether git or a run made the page *new*, which is *blob*.

        What git wrote between the sides of a merge is nobody's word. Nor is what a run wrote where
        a machine has the page as *entry*, and another machine by the id that stands in it. Marks
        that stood on the *first* page are words of it.
        """
        if has_new_markers(new, first):
            return True
        id = read_front(new).meta.get("id")
        if id == entry or not isinstance(id, str):
            return False
        written = list_entry_events(self.db, id, ["created", "grown"])
        return any(event.data["blob"] == blob for event in written)

    def _is_of_another(self, entry: str, known: KnownEntry) -> bool:
        """Tell whether the page of *entry* is still there, as one of another entry.

        Two machines began it at two paths with one id: after a merge one of the paths is no page
        of the id, until the other is. Or they began two pages at one path, and git marked both.
        """
        here = find_entry_at(self.db, known.path)
        if here is None or here.id == entry:
            return False
        front = read_front(self.run.repo.text(known.blob))
        is_second = front.meta.get("id") == here.id
        return is_second or has_markers(self._read_page(here.blob))

    # -- pages that were deleted and came back -----------------------------------------------------

    def _retract_page(self, entry: str) -> list[Retraction]:
        """Return the retractions of everything that a page told, value by value."""
        by_value: dict[tuple[str, str, str], list[RecordedClaim]] = {}
        for claim in select_upheld(list_claims_of_entry(self.db, entry)):
            value = (*claim.assertion.key, claim.assertion.value)
            by_value.setdefault(value, []).append(claim)
        return [retract(by_value[value], DELETED) for value in sorted(by_value)]

    def _retell_page(self, entry: str) -> list[Claim]:
        """Return again what the last deletion of the page took back."""
        claims = list_claims_of_entry(self.db, entry)
        deletions = [
            claim.assertion for claim in claims if claim.rule == DELETED
        ]
        last = max((deletion.told_at for deletion in deletions), default="")
        retracted: set[str] = set()
        for deletion in deletions:
            if deletion.told_at == last:
                retracted.update(deletion.retracts)
        return [
            retell(claim) for claim in claims if claim.assertion.id in retracted
        ]

    # -- pages that changed ------------------------------------------------------------------------

    def _read_page(self, blob: str) -> str:
        """Return a page as spans count in it: with LF."""
        return self.run.repo.text(blob).replace("\r\n", "\n")

    def _read_edit(
        self, entry: str, title: str, path: str, old: str, new: str
    ) -> Edit:
        """Return what the owner changed in a page, in its own words and in its facts section."""
        parallel = find_parallel_texts(self.run, entry)
        if parallel is not None:
            return self._read_merged(entry, (title, path), parallel, new)
        if not has_section(list_writings(self.db, entry)):
            passages = _Passages(old, new, new)
            return self._compare_passages(entry, title, passages)
        passages = _Passages(without_facts(old), without_facts(new), new)
        edit = self._compare_passages(entry, title, passages)
        if count_facts_headings(new) < count_facts_headings(old):
            # the owner wants no section: its lines are not taken back
            return edit
        titles = (title, parse(old, path).title)
        reader = LineReader(self.db, self.extractor, entry, titles)
        lines = reader.compare_lines(old, new)
        self.run.notes.extend(f"{path}: {note}" for note in reader.notes)
        return _join(edit, lines)

    def _read_merged(
        self,
        entry: str,
        page: tuple[str, str],
        parallel: ParallelTexts,
        new: str,
    ) -> Edit:
        """Return what the owner changed in a page that machines wrote in parallel, beside what git
        made of their texts; *page* is its title and its path.
        """
        title, path = page
        merged = compare_with_machines(parallel, new)
        copied = self._list_copied(entry, parallel.tips[0], new)
        written = [one for one in merged.new_passages if one not in copied]
        told = self._extract_claims(written, title, new)
        lost = self._extract_claims(merged.lost_passages, title, "")
        if told:
            known = map(list_passages, parallel.tips)
            told = self._without(told, chain.from_iterable(known), title)
        if lost:
            lost = self._without(lost, list_passages(new), title)
        edit = self._compare_claims(entry, lost, told)
        if not has_section(list_writings(self.db, entry)):
            return edit
        titles = (title, *(parse(tip, path).title for tip in parallel.tips))
        reader = LineReader(self.db, self.extractor, entry, titles)
        lines = reader.compare_facts(merged.lost_facts, merged.new_facts, new)
        self.run.notes.extend(f"{path}: {note}" for note in reader.notes)
        return _join(edit, lines)

    def _without(
        self, claims: _Claims, passages: Iterable[str], title: str
    ) -> _Claims:
        """Return *claims* without those that *passages* state."""
        stated = self._extract_claims(passages, title, "")
        return {id: one for id, one in claims.items() if id not in stated}

    def _compare_passages(
        self, entry: str, title: str, passages: _Passages
    ) -> Edit:
        """Return what the changed passages state otherwise.

        A claim that stands before and after the edit is not the person's.
        """
        before = _count_passages(passages.old)
        after = _count_passages(passages.new)
        told = set(after - before)
        told -= self._list_copied(entry, passages.old, passages.new)
        old = self._extract_claims(before - after, title, passages.old)
        new = self._extract_claims(
            [one for one in after if one in told], title, passages.page
        )
        return self._compare_claims(entry, old, new)

    def _list_copied(self, entry: str, old: str, new: str) -> set[str]:
        """Return the passages of notes that *new* has, *old* had not, and another page has, too.

        A merge of pages that two machines began leaves them on both.
        """
        before = {block.id for block in read_statements(old)}
        copied: set[str] = set()
        for block in read_statements(new):
            if block.id not in before and self._stands_beside(entry, block):
                lines = bare_lines(new)[block.start + 1 : block.stop]
                copied.update(list_passages("\n".join(lines)))
        return copied

    def _stands_beside(self, entry: str, block: Statement) -> bool:
        """Tell whether *block* stands in the same words on another page than that of *entry*."""
        for path in list_paths_with_statement(self.db, block.id):
            row = find_entry_at(self.db, path)
            if row is None or row.id == entry:
                continue
            other = find_statement(self._read_page(row.blob), block.id)
            if other is not None and other.words == block.words:
                return True
        return False

    def _compare_claims(self, entry: str, old: _Claims, new: _Claims) -> Edit:
        told = [new[identity] for identity in new if identity not in old]
        retracted: list[Retraction] = []
        replaced: dict[tuple[str, str], list[RecordedClaim]] = {}
        for identity, claim in old.items():
            if identity in new:
                continue
            claims = self._list_taken_back(claim, told, entry)
            if claims:
                retracted.append(retract(claims, PASSAGE))
                replaced.setdefault(claim.key, []).extend(claims)
        dated = [
            begin_with_replaced(claim, replaced.get(claim.key, ()))
            for claim in told
        ]
        kept, _ = fit_into_record(dated)
        return Edit([claim._replace(rule=PASSAGE) for claim in kept], retracted)

    def _list_taken_back(
        self, claim: Claim, told: Sequence[Claim], entry: str
    ) -> list[RecordedClaim]:
        """Return what is taken back where *claim* is gone from the words of *entry*.

        With another value *told* in its place it is taken back wherever it was told; with a change
        told, nothing is.
        """
        if claim.mood == "retracted":
            return []
        rivals = [
            other
            for other in told
            if other.key == claim.key and other.mood == "confirmed"
        ]
        if any(rival.change for rival in rivals):
            return []
        everywhere = bool(rivals) and claim.functional
        return self._list_upheld(claim, None if everywhere else entry)

    def _list_upheld(
        self, claim: Claim, entry: str | None
    ) -> list[RecordedClaim]:
        """Return the upheld claims that say the same as *claim*: those of *entry*, None for all."""
        value = normal(claim.object)
        upheld = []
        for other in select_upheld(list_claims_on_matter(self.db, claim.key)):
            is_here = entry is None or other.entry == entry
            if is_here and other.assertion.value == value:
                upheld.append(other)
        return upheld

    def _extract_claims(
        self, passages: Iterable[str], title: str, page: str
    ) -> _Claims:
        """Return what *passages* state, with their spans in *page*, by what makes a claim the same
        after an edit.
        """
        claims: _Claims = {}
        for passage in passages:
            start = max(page.find(passage), 0)
            for claim in self.extractor.extract(readable_text(passage)):
                if not claim.key[0] and claim.key[1]:
                    key = (normal(title), claim.key[1])
                    claim = claim._replace(subject=title, key=key)
                if is_useful(claim):
                    span = Span(
                        start + claim.span.start, start + claim.span.end
                    )
                    claims[_identity(claim)] = claim._replace(span=span)
        return claims


def _count_passages(text: str) -> Counter[str]:
    """Return the passages of a page; what only moved is in both pages."""
    return Counter(list_passages(text))


def _join(words: Edit, lines: Edit) -> Edit:
    return Edit(
        [*words.told, *lines.told], [*words.retracted, *lines.retracted]
    )


def _identity(claim: Claim) -> tuple[object, ...]:
    return (
        claim.key,
        normal(claim.object),
        claim.negated,
        claim.mood,
        claim.period,
    )
