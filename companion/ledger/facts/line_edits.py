"""Read the changes that a person made to the lines of a facts section.

A line stands for everything that was told for its value, whoever told it.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.facts.edits import (
    Edit,
    LazyExtractor,
    begin_with_replaced,
    retract,
    select_upheld,
)
from companion.ledger.facts.merged_edits import read_facts_by_line
from companion.ledger.facts.section import (
    comparable_value,
    line_label,
    strip_links,
)
from companion.ledger.read_telling import is_useful
from companion.pages.body import Fact
from companion.storage.index.tables.claims import (
    RecordedClaim,
    list_claims_of_entry,
)
from companion.values.claims import Claim, Period, Precision, Span, normal
from companion.values.time import BadTime, parse_instant

LINE = "hand/line"
_PRECISIONS: Mapping[int, Precision] = {
    4: "year",
    7: "month",
    10: "day",
    16: "minute",
}


class LineReader:
    """Reads the edited lines of one page. *notes* collects what the person should know."""

    def __init__(
        self,
        db: sqlite3.Connection,
        extractor: LazyExtractor,
        entry: str,
        titles: Sequence[str],
    ) -> None:
        self.db = db
        self.extractor = extractor
        self.entry = entry
        self.titles = titles  # the page's now, and before the edit
        self.notes: list[str] = []

    def compare_lines(self, old: str, new: str) -> Edit:
        """Return what the lines of the section say in page *new* that they did not in *old*."""
        old_facts = read_facts_by_line(old)
        new_facts = read_facts_by_line(new)
        return self.compare_facts(old_facts, new_facts, new)

    def compare_facts(
        self,
        old_facts: Mapping[str, Fact],
        new_facts: Mapping[str, Fact],
        new: str,
    ) -> Edit:
        """Return what *new_facts*, lines of the page *new*, say that *old_facts* did not."""
        labels = self._list_labels()
        edit = Edit([], [])
        replaced: dict[str, list[RecordedClaim]] = {}
        for line, fact in old_facts.items():
            if line in new_facts:
                continue
            claims = self._list_claims_for(fact, labels.get(fact.label))
            if claims:
                edit.retracted.append(retract(claims, LINE))
                replaced.setdefault(fact.label, []).extend(claims)
        for line, fact in new_facts.items():
            if line in old_facts:
                continue
            claim = self._read_fact(fact, labels.get(fact.label), new)
            if is_useful(claim):
                earlier = replaced.get(fact.label, ())
                edit.told.append(begin_with_replaced(claim, earlier))
        return edit

    def _list_labels(self) -> dict[str, RecordedClaim]:
        """Return each label that a line of this page may have, with a claim that it is about."""
        labels: dict[str, RecordedClaim] = {}
        told_here = list_claims_of_entry(self.db, self.entry)
        for key in dict.fromkeys(claim.assertion.key for claim in told_here):
            for claim in list_claims_on_matter(self.db, key):
                for title in self.titles:
                    label = line_label(title, claim.subject, claim.predicate)
                    labels[label] = claim
        return labels

    def _list_claims_for(
        self, fact: Fact, like: RecordedClaim | None
    ) -> list[RecordedClaim]:
        """Return everything told for the value of a line; *like* is a claim on the same matter."""
        if like is None:
            return []
        value = comparable_value(fact.object)
        told = list_claims_on_matter(self.db, like.assertion.key)
        return [
            claim
            for claim in select_upheld(told)
            if comparable_value(claim.object) == value
            and not claim.assertion.negated
        ]

    def _read_fact(
        self, fact: Fact, like: RecordedClaim | None, page: str
    ) -> Claim:
        """Return a line of *page* as the owner tells it; *like* is a claim on the same matter."""
        object = strip_links(fact.object)
        if like is not None:
            subject = like.subject
            predicate = like.predicate
            key = like.assertion.key
            functional = like.assertion.functional
        else:
            about, _, predicate = fact.label.rpartition(", ")
            subject = about or self.titles[0]
            matter, functional = self._read_matter(predicate, object)
            key = (normal(subject), matter)
        start = page.find(fact.line)
        return Claim(
            subject=subject,
            predicate=predicate,
            object=object,
            key=key,
            functional=functional,
            negated=False,
            period=self._read_period(fact),
            mood="confirmed",
            change=False,
            span=Span(start, start + len(fact.line)),
            rule=LINE,
        )

    def _read_matter(self, predicate: str, object: str) -> tuple[str, bool]:
        """Return the key of *predicate* as a field's, and whether it has one value at a time."""
        for claim in self.extractor.extract(f"{predicate}:: {object}"):
            if claim.key[1]:
                return claim.key[1], claim.functional
        return normal(predicate), True

    def _read_period(self, fact: Fact) -> Period:
        """Return when a line says it was so.

        A line whose dates cannot be read has no period; a note says so.
        """
        try:
            start = _parse(fact.start)
            end = _parse(fact.end)
        except BadTime as error:
            self.notes.append(f"a fact's date was not read, {error}")
            return Period()
        if start is not None and end is not None and end <= start:
            self.notes.append(
                "a fact's dates were not read, it ends before it begins"
            )
            return Period()
        written = [date for date in (fact.start, fact.end) if date is not None]
        shortest = min(map(len, written), default=0)
        return Period(start, end, _PRECISIONS.get(shortest), fact.stated)


def _parse(date: str | None) -> str | None:
    return None if date is None else parse_instant(date)
