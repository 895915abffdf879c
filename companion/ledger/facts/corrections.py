"""What a person's edits of pages mean for the claim ledger: their hand is a voice, and names what
it corrects.

Read are the passages of managed pages that changed, and the lines of the facts section. What is new
in them the owner tells; what is gone they take back, by the ids of the assertions: a line of the
section stands for everything told for its value, a sentence for what its page told. With another
value instead it is a correction: the old value goes wherever it was told, and the new one holds
from when the old one did. Told as a change ("moved to") it is an update, and nothing is taken back.
A deleted page takes back what it told, and tells it again when it returns.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.language.protocols import Extractor
from companion.ledger import claims_of_key, read_notes
from companion.ledger.facts.section import (
    comparable_value,
    line_label,
    strip_links,
)
from companion.ledger.facts.writings import has_section, list_writings
from companion.pages.body import (
    Fact,
    count_facts_headings,
    dated_lines,
    split_at_facts,
    without_facts,
)
from companion.runs.run import Run
from companion.storage import claim_lines
from companion.storage.index.tables import claims as ledger
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.entries import find_entry, find_known
from companion.values.claims import Claim, Period, Precision, Span, normal
from companion.values.events import LedgerLine
from companion.values.time import BadTime, parse_instant
from companion.values.wording import FRONTMATTER

LINE, PASSAGE, DELETED, BACK = (
    "hand/line",
    "hand/passage",
    "hand/deleted",
    "hand/back",
)
VERSION = "corrections-1"
CHANNEL = "hand"
_PRECISIONS: Mapping[int, Precision] = {
    4: "year",
    7: "month",
    10: "day",
    16: "minute",
}
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


def read_corrections(
    run: Run, recorded: Sequence[LedgerLine], moment: str
) -> list[LedgerLine]:
    """Return the `claims` lines for what a person did to managed pages, as *recorded* says, told at
    *moment*.
    """
    reader = _EditReader(run, moment)
    lines = [reader.read_event(event) for event in recorded]
    return [line for line in lines if line is not None]


class _Retraction(NamedTuple):
    """What is taken back of one value, and by which kind of edit."""

    said: RecordedClaim
    ids: tuple[str, ...]
    rule: str


class _Edit(NamedTuple):
    """What an edit of a page says."""

    told: list[Claim]
    back: list[_Retraction]


class _Passages(NamedTuple):
    """The words of a page before and after an edit, and the whole page, to place spans in it."""

    old: str
    new: str
    page: str


class _EditReader:
    """Reads the edits of one run; word lists are loaded for the first page that was edited."""

    def __init__(self, run: Run, moment: str) -> None:
        self.run, self.db, self.moment = run, run.db, moment
        self._extractor: Extractor | None = None

    def read_event(self, event: LedgerLine) -> LedgerLine | None:
        """Return the `claims` line for one edit; None where it tells and takes back nothing."""
        entry = event["entry"]
        known = find_known(self.db, entry)
        if known is None:
            return None
        if event["e"] == "deleted":
            edit = _Edit([], self._retract_page(entry))
            return self._line(
                entry, known.blob, edit, "its page was deleted by hand"
            )
        blob = event["blob"]
        if known.deleted:
            edit = _Edit(self._tell_page_again(entry), [])
            return self._line(entry, blob, edit, "its page is back")
        row = find_entry(self.db, entry)
        if row is None or not row.managed or blob == known.blob:
            return None
        edit = self._read_edit(
            entry, row.title, event["path"], known.blob, blob
        )
        return self._line(entry, blob, edit, "corrected by hand")

    def _line(
        self, entry: str, blob: str, edit: _Edit, why: str
    ) -> LedgerLine | None:
        """Return the line of the ledger. What a hand tells rests in the page itself, so its capture
        is the *blob*.
        """
        back = [
            claim_lines.encode_claim(_retraction(each), each.ids)
            for each in edit.back
            if each.ids
        ]
        told = [claim_lines.encode_claim(claim) for claim in edit.told]
        counts = [f"{len(back)} taken back"] if back else []
        counts += [f"{len(told)} told"] if told else []
        if not counts:
            return None
        return {
            "e": "claims",
            "capture": blob,
            "entry": entry,
            "telling": {"seen_at": self.moment, "channel": CHANNEL},
            "claims": back + told,
            "reason": f"{why}: {', '.join(counts)}",
        }

    # -- pages that were deleted and came back -----------------------------------------------------

    def _retract_page(self, entry: str) -> list[_Retraction]:
        """Return the retractions of everything that a page told."""
        groups: dict[tuple[str, str, str], list[RecordedClaim]] = {}
        for each in _standing(ledger.list_claims_of_entry(self.db, entry)):
            groups.setdefault(
                (*each.assertion.key, each.assertion.value), []
            ).append(each)
        return [
            _Retraction(group[0], _ids(group), DELETED)
            for _, group in sorted(groups.items())
        ]

    def _tell_page_again(self, entry: str) -> list[Claim]:
        """Return again what the deletion of the page took back."""
        here = ledger.list_claims_of_entry(self.db, entry)
        back = [each.assertion for each in here if each.rule == DELETED]
        newest = max((each.told_at for each in back), default="")
        gone: set[str] = set()
        for each in back:
            if each.told_at == newest:
                gone.update(each.retracts)
        return [_again(each) for each in here if each.assertion.id in gone]

    # -- pages that changed ------------------------------------------------------------------------

    def _read_edit(
        self, entry: str, title: str, path: str, before: str, blob: str
    ) -> _Edit:
        old, new = self._text(before), self._text(blob)
        if not has_section(list_writings(self.db, entry)):
            return self._read_passages(entry, title, _Passages(old, new, new))
        words = _Passages(without_facts(old), without_facts(new), new)
        edit = self._read_passages(entry, title, words)
        if count_facts_headings(new) < count_facts_headings(old):
            return edit
        titles = (title, self.run.rules.parse(old, path).title)
        facts = self._read_facts(entry, titles, path, old, new)
        return _Edit([*edit.told, *facts.told], [*edit.back, *facts.back])

    def _text(self, blob: str) -> str:
        """Return a page as spans count in it: with LF."""
        return self.run.repo.text(blob).replace("\r\n", "\n")

    def _read_passages(self, entry: str, title: str, words: _Passages) -> _Edit:
        """Compare what the changed passages state: a claim that both state is none of the person's
        doing.
        """
        before, after = _passages(words.old), _passages(words.new)
        was = {
            _ident(claim): claim
            for claim in self._claims(before - after, title, words.old)
        }
        is_now = {
            _ident(claim): claim
            for claim in self._claims(after - before, title, words.page)
        }
        told = [claim for ident, claim in is_now.items() if ident not in was]
        gone = [claim for ident, claim in was.items() if ident not in is_now]
        back: list[_Retraction] = []
        replaced: dict[tuple[str, str], list[RecordedClaim]] = {}
        for claim in gone:
            said = self._taken_back(claim, told, entry)
            if said:
                back.append(_Retraction(said[0], _ids(said), PASSAGE))
                replaced.setdefault(claim.key, []).extend(said)
        dated = [
            _since_replaced(claim, replaced.get(claim.key, ()))
            for claim in told
        ]
        kept, _ = read_notes.fit_into_record(dated)
        return _Edit([claim._replace(rule=PASSAGE) for claim in kept], back)

    def _taken_back(
        self, claim: Claim, told: Sequence[Claim], entry: str
    ) -> list[RecordedClaim]:
        """Return what is taken back where *claim* is gone from the words of *entry*.

        With another value *told* in its place it is taken back wherever it was told; with a change
        told, nothing is.
        """
        if claim.mood == "retracted":
            return []
        rivals = [
            each
            for each in told
            if each.key == claim.key and each.mood == "confirmed"
        ]
        if any(each.change for each in rivals):
            return []
        everywhere = bool(rivals) and claim.functional
        value = normal(claim.object)
        return [
            each
            for each in _standing(
                claims_of_key.list_claims_on_matter(self.db, claim.key)
            )
            if each.assertion.value == value
            and (everywhere or each.entry == entry)
        ]

    def _claims(
        self, passages: Iterable[str], title: str, page: str
    ) -> list[Claim]:
        """Return what *passages* state, with their spans in *page*."""
        found: list[Claim] = []
        for passage in passages:
            at = max(page.find(passage), 0)
            for claim in self._extract(read_notes.readable_text(passage)):
                if not claim.key[0] and claim.key[1]:
                    claim = claim._replace(
                        subject=title, key=(normal(title), claim.key[1])
                    )
                if read_notes.is_useful(claim):
                    span = Span(at + claim.span.start, at + claim.span.end)
                    found.append(claim._replace(span=span))
        return found

    def _extract(self, text: str) -> list[Claim]:
        if self._extractor is None:
            # loads word lists: most runs have no edit to read
            from companion.language.claims.extract import LightExtractor

            self._extractor = LightExtractor()
        return self._extractor.extract(text, event_time=self.moment)

    # -- lines of the facts section ----------------------------------------------------------------

    def _read_facts(
        self, entry: str, titles: Sequence[str], path: str, old: str, new: str
    ) -> _Edit:
        """Compare the lines of the facts section before and after an edit."""
        was = {fact.line: fact for fact in dated_lines(split_at_facts(old))}
        is_now = {fact.line: fact for fact in dated_lines(split_at_facts(new))}
        labels = self._labels(entry, titles)
        back: list[_Retraction] = []
        replaced: dict[str, list[RecordedClaim]] = {}
        for fact in was.values():
            said = (
                []
                if fact.line in is_now
                else self._told_for(labels.get(fact.label), fact)
            )
            if said:
                back.append(_Retraction(said[0], _ids(said), LINE))
                replaced.setdefault(fact.label, []).extend(said)
        told: list[Claim] = []
        for fact in is_now.values():
            if fact.line in was:
                continue
            span = _span_of(fact.line, new)
            claim = self._claim_of(
                fact, titles[0], labels.get(fact.label), path, span
            )
            if read_notes.is_useful(claim):
                told.append(
                    _since_replaced(claim, replaced.get(fact.label, ()))
                )
        return _Edit(told, back)

    def _labels(
        self, entry: str, titles: Sequence[str]
    ) -> dict[str, RecordedClaim]:
        """Return what each label that a line of this page may have is about, as something told of
        it.
        """
        labels: dict[str, RecordedClaim] = {}
        about = dict.fromkeys(
            each.assertion.key
            for each in ledger.list_claims_of_entry(self.db, entry)
        )
        for key in about:
            for each in claims_of_key.list_claims_on_matter(self.db, key):
                for title in titles:
                    label = line_label(title, each.subject, each.predicate)
                    labels[label] = each
        return labels

    def _told_for(
        self, like: RecordedClaim | None, fact: Fact
    ) -> list[RecordedClaim]:
        """Return everything told for the value of a line, whoever told it."""
        if like is None:
            return []
        value = comparable_value(fact.object)
        return [
            each
            for each in _standing(
                claims_of_key.list_claims_on_matter(self.db, like.assertion.key)
            )
            if comparable_value(each.object) == value
            and not each.assertion.negated
        ]

    def _claim_of(
        self,
        fact: Fact,
        title: str,
        like: RecordedClaim | None,
        path: str,
        span: Span,
    ) -> Claim:
        """Return a line as the owner tells it; *like* is something told before on the same
        matter.
        """
        object = strip_links(fact.object)
        if like is not None:
            subject, predicate = like.subject, like.predicate
            key, functional = like.assertion.key, like.assertion.functional
        else:
            about, _, predicate = fact.label.rpartition(", ")
            subject = about or title
            matter, functional = self._matter_of(predicate, object)
            key = (normal(subject), matter)
        return Claim(
            subject=subject,
            predicate=predicate,
            object=object,
            key=key,
            functional=functional,
            negated=False,
            period=self._period(fact, path),
            mood="confirmed",
            change=False,
            span=span,
            rule=LINE,
        )

    def _matter_of(self, predicate: str, object: str) -> tuple[str, bool]:
        """Return the key of *predicate* as a field's, and whether it has one value at a time."""
        for claim in self._extract(f"{predicate}:: {object}"):
            if claim.key[1]:
                return claim.key[1], claim.functional
        return normal(predicate), True

    def _period(self, fact: Fact, path: str) -> Period:
        """Return when a line says it was so; no time where its dates cannot be read, with a note
        for the person.
        """
        try:
            start = None if fact.start is None else parse_instant(fact.start)
            end = None if fact.end is None else parse_instant(fact.end)
        except BadTime as error:
            self.run.notes.append(
                f"{path}: a fact's date was not read, {error}"
            )
            return Period()
        if start is not None and end is not None and end <= start:
            self.run.notes.append(
                f"{path}: a fact's dates were not read, it ends before it begins"
            )
            return Period()
        written = [each for each in (fact.start, fact.end) if each is not None]
        shortest = min(map(len, written), default=0)
        return Period(start, end, _PRECISIONS.get(shortest), fact.stated)


def _standing(told: Iterable[RecordedClaim]) -> list[RecordedClaim]:
    """Return those of *told* that are no retractions and that no hand took back before."""
    listed = list(told)
    gone: set[str] = set()
    for each in listed:
        gone.update(each.assertion.retracts)
    return [
        each
        for each in listed
        if each.assertion.mood != "retracted" and each.assertion.id not in gone
    ]


def _span_of(line: str, page: str) -> Span:
    start = page.find(line)
    return Span(start, start + len(line))


def _passages(text: str) -> Counter[str]:
    """Return the passages of a page, its frontmatter first; what only moved is in both."""
    front = FRONTMATTER.match(text)
    head = front[0] if front else ""
    passages = [head, *_PARAGRAPHS.split(text[len(head) :])]
    return Counter(passage for passage in passages if passage.strip())


def _ident(claim: Claim) -> tuple[object, ...]:
    return (
        claim.key,
        normal(claim.object),
        claim.negated,
        claim.mood,
        claim.period,
    )


def _ids(said: Iterable[RecordedClaim]) -> tuple[str, ...]:
    return tuple(sorted(each.assertion.id for each in said))


def _since_replaced(claim: Claim, replaced: Iterable[RecordedClaim]) -> Claim:
    """Let a correction that says no time of its own hold from when what it corrects did."""
    first = min(
        (each.assertion for each in replaced),
        key=lambda a: a.valid_from,
        default=None,
    )
    if (
        first is None
        or claim.period.stated
        or claim.change
        or first.valid_from == claim_lines.BEGINNING_OF_TIME
    ):
        return claim
    period = Period(
        first.valid_from, claim.period.end, first.precision, first.stated
    )
    return claim._replace(period=period)


def _retraction(back: _Retraction) -> Claim:
    return _again(back.said)._replace(
        mood="retracted", rule=back.rule, period=Period()
    )


def _again(said: RecordedClaim) -> Claim:
    """Return *said* as the owner tells it again."""
    told = said.assertion
    return Claim(
        subject=said.subject,
        predicate=said.predicate,
        object=said.object,
        key=told.key,
        functional=told.functional,
        negated=told.negated,
        period=Period(
            told.valid_from, told.valid_to, told.precision, told.stated
        ),
        mood=told.mood,
        change=told.change,
        span=Span(*said.span),
        rule=BACK,
    )
