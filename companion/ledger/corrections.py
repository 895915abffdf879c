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
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.language.protocols import Extractor
from companion.ledger import claims_of_key, facts_section, read_notes
from companion.pages.body import (
    Fact,
    count_facts_headings,
    dated_lines,
    split_at_facts,
    without_facts,
)
from companion.runs.run import Run
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables import claims as ledger
from companion.storage.index.tables.claims import Stated
from companion.storage.index.tables.entries import find_entry, find_known
from companion.values.claims import Claim, Period, Precision, Span, normal
from companion.values.time import BadTime, parse_instant
from companion.values.wording import FRONTMATTER

LINE, PASSAGE, DELETED, BACK = "hand/line", "hand/passage", "hand/deleted", "hand/back"
VERSION = "corrections-1"
CHANNEL = "hand"
_PRECISIONS: Mapping[int, Precision] = {4: "year", 7: "month", 10: "day", 16: "minute"}
_NEXT: Mapping[Precision, int] = {"year": 0, "month": 1, "day": 2}
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")
_WRITINGS = ("created", "grown", "edited", "renamed")


class Writing(NamedTuple):
    """One time that companion wrote a page's facts, and what the person made of it."""

    blob: str
    edited: str | None  # the page as their next edit left it; None: not edited since
    run: str
    lines: int  # of the section, whoever's; 0: there was nothing to say


def list_writings(db: sqlite3.Connection, entry: str) -> list[Writing]:
    """Return each writing of the facts of *entry* that is not undone, oldest first."""
    found: list[Writing] = []
    undone: dict[str, list[Writing]] = {}  # by the run that took them back
    for event in list_entry_events(db, entry, _WRITINGS):
        line, target = event.data, event.reason.rpartition(" ")[2]
        if "facts" in line:
            found.append(Writing(line["blob"], None, event.run, line["facts"]))
        elif event.operation == "undo":
            undone[event.run] = [each for each in found if each.run == target]
            found = [each for each in found if each.run != target] + undone.get(target, [])
        elif found and found[-1].edited is None:
            found[-1] = found[-1]._replace(edited=line["blob"])
    return found


def has_section(before: Sequence[Writing]) -> bool:
    """Tell whether companion left a section there the last time it wrote the page's facts."""
    return bool(before) and before[-1].lines > 0


def correction_events(
    tonight: Run, recorded: Sequence[dict[str, Any]], moment: str
) -> list[dict[str, Any]]:
    """Return the `claims` lines for what a person did to managed pages, as *recorded* says, told at
    *moment*.
    """
    reader = _Reader(tonight, moment)
    return [line for event in recorded if (line := reader.read(event)) is not None]


class _Back(NamedTuple):
    """What is taken back of one value, and by which kind of edit."""

    said: Stated
    ids: tuple[str, ...]
    rule: str


class _Edit(NamedTuple):
    """What an edit of a page says."""

    told: list[Claim]
    back: list[_Back]


class _Reader:
    """Reads the edits of one run; word lists are loaded for the first page that was edited."""

    def __init__(self, tonight: Run, moment: str) -> None:
        self.tonight, self.db, self.moment = tonight, tonight.db, moment
        self._extractor: Extractor | None = None

    def read(self, event: Mapping[str, Any]) -> dict[str, Any] | None:
        entry = event["entry"]
        known = find_known(self.db, entry)
        if known is None:
            return None
        if event["e"] == "deleted":
            return self._line(
                entry, known.blob, _Edit([], self._told_by(entry)), "its page was deleted by hand"
            )
        if known.deleted:
            return self._line(
                entry, event["blob"], _Edit(self._told_again(entry), []), "its page is back"
            )
        row = find_entry(self.db, entry)
        if row is None or not row.managed or event["blob"] == known.blob:
            return None
        edit = self._edit(entry, row.title, event["path"], known.blob, event["blob"])
        return self._line(entry, event["blob"], edit, "corrected by hand")

    def _line(self, entry: str, blob: str, edit: _Edit, why: str) -> dict[str, Any] | None:
        """Return the line of the ledger. What a hand tells rests in the page itself, so its capture
        is the *blob*.
        """
        back = [ledger.item(_retraction(each), each.ids) for each in edit.back if each.ids]
        told = [ledger.item(claim) for claim in edit.told]
        if not back and not told:
            return None
        what = ", ".join(
            [f"{len(back)} taken back"] * bool(back) + [f"{len(told)} told"] * bool(told)
        )
        telling = {"seen_at": self.moment, "channel": CHANNEL}
        return {
            "e": "claims",
            "capture": blob,
            "entry": entry,
            "telling": telling,
            "claims": back + told,
            "reason": f"{why}: {what}",
        }

    # -- pages that went and came back -------------------------------------------------------------

    def _told_by(self, entry: str) -> list[_Back]:
        groups: dict[tuple[str, str, str], list[Stated]] = {}
        for each in self._standing(ledger.of_entry(self.db, entry)):
            groups.setdefault((*each.assertion.key, each.assertion.value), []).append(each)
        return [_Back(group[0], _ids(group), DELETED) for _, group in sorted(groups.items())]

    def _told_again(self, entry: str) -> list[Claim]:
        """Return again what the deletion of the page took back."""
        here = ledger.of_entry(self.db, entry)
        back = [each.assertion for each in here if each.rule == DELETED]
        newest = max((a.told_at for a in back), default="")
        gone = {id for a in back if a.told_at == newest for id in a.retracts}
        return [_again(each) for each in here if each.assertion.id in gone]

    def _standing(self, told: Iterable[Stated]) -> list[Stated]:
        """Leave out retractions and what a hand took back before."""
        listed = list(told)
        gone = {id for each in listed for id in each.assertion.retracts}
        return [
            each
            for each in listed
            if each.assertion.mood != "retracted" and each.assertion.id not in gone
        ]

    # -- pages that changed ------------------------------------------------------------------------

    def _edit(self, entry: str, title: str, path: str, before: str, blob: str) -> _Edit:
        old, new = (self._text(each) for each in (before, blob))
        has = has_section(list_writings(self.db, entry))
        words = (without_facts(old), without_facts(new)) if has else (old, new)
        edit = self._passages(entry, title, *words, page=new)
        if has and count_facts_headings(new) >= count_facts_headings(old):
            titles = (title, self.tonight.rules.parse(old, path).title)
            facts = self._facts(entry, titles, path, old, new)
            return _Edit([*edit.told, *facts.told], [*edit.back, *facts.back])
        return edit

    def _text(self, blob: str) -> str:
        """Return a page as spans count in it: with LF."""
        return self.tonight.repo.text(blob).replace("\r\n", "\n")

    def _passages(self, entry: str, title: str, old: str, new: str, *, page: str) -> _Edit:
        """Compare what the changed passages state: a claim that both state is none of the person's
        doing.

        Spans are those of the whole new *page*.
        """
        before, after = _passages(old), _passages(new)
        was = {_ident(claim): claim for claim in self._claims(before - after, title, old)}
        is_now = {_ident(claim): claim for claim in self._claims(after - before, title, page)}
        told = [claim for ident, claim in is_now.items() if ident not in was]
        gone = [
            claim
            for ident, claim in was.items()
            if ident not in is_now and claim.mood != "retracted"
        ]
        back, instead = [], dict[tuple[str, str], list[Stated]]()
        for claim in gone:
            rivals = [each for each in told if each.key == claim.key and each.mood == "confirmed"]
            if any(each.change for each in rivals):
                continue
            everywhere = bool(rivals) and claim.functional
            said = [
                each
                for each in self._standing(claims_of_key.claims_on_matter(self.db, claim.key))
                if each.assertion.value == normal(claim.object)
                and (everywhere or each.entry == entry)
            ]
            if said:
                back.append(_Back(said[0], _ids(said), PASSAGE))
                instead.setdefault(claim.key, []).extend(said)
        kept = read_notes.fit_into_record(
            [_from(claim, instead.get(claim.key, ())) for claim in told]
        )[0]
        return _Edit([claim._replace(rule=PASSAGE) for claim in kept], back)

    def _claims(self, passages: Iterable[str], title: str, page: str) -> list[Claim]:
        found: list[Claim] = []
        for passage in passages:
            at = max(page.find(passage), 0)
            for claim in self._extract(read_notes.readable_text(passage)):
                if not claim.key[0] and claim.key[1]:
                    claim = claim._replace(subject=title, key=(normal(title), claim.key[1]))
                if read_notes.is_useful(claim):
                    found.append(
                        claim._replace(span=Span(at + claim.span.start, at + claim.span.end))
                    )
        return found

    def _extract(self, text: str) -> list[Claim]:
        if self._extractor is None:
            from companion.language.claims.extract import (
                LightExtractor,  # loads word lists: most runs have no edit to read
            )

            self._extractor = LightExtractor()
        return self._extractor.extract(text, event_time=self.moment)

    # -- lines of the facts section ----------------------------------------------------------------

    def _facts(self, entry: str, titles: Sequence[str], path: str, old: str, new: str) -> _Edit:
        was, is_now = (
            {fact.line: fact for fact in dated_lines(split_at_facts(text))} for text in (old, new)
        )
        labels = self._labels(entry, titles)
        back, instead = [], dict[str, list[Stated]]()
        for fact in (fact for line, fact in was.items() if line not in is_now):
            said = self._behind(labels.get(fact.label), fact)
            if said:
                back.append(_Back(said[0], _ids(said), LINE))
                instead.setdefault(fact.label, []).extend(said)
        told = []
        for fact in (fact for line, fact in is_now.items() if line not in was):
            claim = self._told(fact, titles[0], labels.get(fact.label), path, new.find(fact.line))
            if read_notes.is_useful(claim):
                told.append(_from(claim, instead.get(fact.label, ())))
        return _Edit(told, back)

    def _labels(self, entry: str, titles: Sequence[str]) -> dict[str, Stated]:
        """Return what each label that a line of this page may have is about, as something told of
        it.
        """
        about = dict.fromkeys(each.assertion.key for each in ledger.of_entry(self.db, entry))
        told = [each for key in about for each in claims_of_key.claims_on_matter(self.db, key)]
        return {
            facts_section.line_label(title, each.subject, each.predicate): each
            for each in told
            for title in titles
        }

    def _behind(self, like: Stated | None, fact: Fact) -> list[Stated]:
        """Return everything told for the value of a line, whoever told it."""
        if like is None:
            return []
        said = self._standing(claims_of_key.claims_on_matter(self.db, like.assertion.key))
        value = facts_section.comparable_value(fact.object)
        return [
            each
            for each in said
            if facts_section.comparable_value(each.object) == value and not each.assertion.negated
        ]

    def _told(self, fact: Fact, title: str, like: Stated | None, path: str, start: int) -> Claim:
        """Return a line as the owner tells it; *like* is something told before on the same
        matter.
        """
        object = facts_section.strip_links(fact.object)
        span, period = Span(start, start + len(fact.line)), self._period(fact, path)
        if like is not None:
            a = like.assertion
            return Claim(
                like.subject,
                like.predicate,
                object,
                a.key,
                a.functional,
                False,
                period,
                "confirmed",
                False,
                span,
                LINE,
            )
        about, _, predicate = fact.label.rpartition(", ")
        subject = about or title
        read = [claim for claim in self._extract(f"{predicate}:: {object}") if claim.key[1]]
        matter = read[0].key[1] if read else normal(predicate)
        single = read[0].functional if read else True
        key = (normal(subject), matter)
        return Claim(
            subject, predicate, object, key, single, False, period, "confirmed", False, span, LINE
        )

    def _period(self, fact: Fact, path: str) -> Period:
        try:
            start = None if fact.start is None else parse_instant(fact.start)
            end = None if fact.end is None else parse_instant(fact.end)
        except BadTime as error:
            self.tonight.notes.append(f"{path}: a fact's date was not read, {error}")
            return Period()
        if start is not None and end is not None and end <= start:
            self.tonight.notes.append(
                f"{path}: a fact's dates were not read, it ends before it begins"
            )
            return Period()
        shortest = min(
            (len(each) for each in (fact.start, fact.end) if each is not None), default=0
        )
        return Period(start, end, _PRECISIONS.get(shortest), fact.stated)


def _passages(text: str) -> Counter[str]:
    """Return the passages of a page, its frontmatter first; what only moved is in both."""
    front = FRONTMATTER.match(text)
    head = front[0] if front else ""
    return Counter(filter(str.strip, [head, *_PARAGRAPHS.split(text[len(head) :])]))


def _ident(claim: Claim) -> tuple[object, ...]:
    return claim.key, normal(claim.object), claim.negated, claim.mood, claim.period


def _ids(said: Iterable[Stated]) -> tuple[str, ...]:
    return tuple(sorted(each.assertion.id for each in said))


def _from(claim: Claim, replaced: Iterable[Stated]) -> Claim:
    """Let a correction that says no time of its own hold from when what it corrects did."""
    first = min((each.assertion for each in replaced), key=lambda a: a.valid_from, default=None)
    if first is None or claim.period.stated or claim.change or first.valid_from == ledger.BEGINNING:
        return claim
    period = Period(first.valid_from, claim.period.end, first.precision, first.stated)
    return claim._replace(period=period)


def _retraction(back: _Back) -> Claim:
    return _again(back.said)._replace(mood="retracted", rule=back.rule, period=Period())


def _again(said: Stated) -> Claim:
    a = said.assertion
    period = Period(a.valid_from, a.valid_to, a.precision, a.stated)
    return Claim(
        said.subject,
        said.predicate,
        said.object,
        a.key,
        a.functional,
        a.negated,
        period,
        a.mood,
        a.change,
        Span(*said.span),
        BACK,
    )
