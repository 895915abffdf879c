"""The facts section of a page: what its notes told and is no longer the whole truth, in lines a
person may edit.

    ## Facts

    - Anna, lives in:: Lisbon (since 2026-05-01)

    ### Earlier

    - Anna, lives in: Porto (told 2026-03-02, until 2026-05-01: then Lisbon)

A key appears where the page's own words alone would mislead: something it told was replaced,
disputed, taken back or ended by another telling, or will be replaced. A page whose words still are
all there is to say is not said twice. What stood before has one colon: Dataview takes the current
values for the field, and no others. Pure.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.ledger.supersession import Spell, Standing
from companion.pages.body import (
    EARLIER,
    EARLIER_LINE,
    FACT_LINE,
    HEADING,
    BodyParts,
    split_at_facts,
)
from companion.pages.ownership_merge import eol_of, lines_of
from companion.values.claims import Assertion, Precision, normal

VERSION = "factsheet-1"
_MOST = 20  # earlier values of one key; `companion claims X --history` has them all
_BEGINNING = "0001-01-01"
# a day of all others
_PLACES: Mapping[Precision, int] = {"year": 4, "month": 7, "hour": 16, "minute": 16}
_COLONS, _MARKS = re.compile(r":{2,}"), (("<!--", "&lt;!--"), ("%%", "%"))
_LINK = re.compile(r"!?\[\[(?:[^\[\]\n|]*\|)?([^\[\]\n]+)\]\]")
_MARKED = re.compile(r"(\*\*|__|\*|_|`)(.+)\1")


class Telling(NamedTuple):
    """An assertion in the words it was told in."""

    assertion: Assertion
    subject: str
    predicate: str
    object: str


class Line(NamedTuple):
    """One line that the section should have: what it is about and which value it says; and the line
    itself.
    """

    label: str
    object: str
    text: str


class Sheet(NamedTuple):
    """What a page's section should say now."""

    current: tuple[Line, ...]
    earlier: tuple[Line, ...]
    same: Mapping[str, str] = {}  # labels in other words -> the one that its lines have


# -- what the section should say -------------------------------------------------------------------


class Matter(NamedTuple):
    """One key as it stands now."""

    own: Collection[str]  # ids of what this page tells of it
    tellings: Sequence[Telling]  # everything told of it
    standings: Sequence[Standing]  # how that stands
    spells: Sequence[Spell]  # what stood when


def build_sheet(title: str, matters: Iterable[Matter], *, at: str) -> Sheet:
    """Return the lines for *matters*. *title* is the page's: a subject of that name is left out of
    the line.

    *at* is now, an instant.
    """
    current: list[Line] = []
    earlier: list[Line] = []
    same: dict[str, str] = {}
    for matter in sorted(matters, key=lambda matter: matter.tellings[0].assertion.key):
        if _misleads(matter.own, matter.standings):
            key = _Key(title, matter, at)
            now, before = key.lines()
            current += now
            earlier += before
            same |= {
                line_label(title, each.subject, each.predicate): key.label
                for each in matter.tellings
            }
    return Sheet(tuple(current), tuple(earlier), same)


def _misleads(own: Collection[str], standings: Sequence[Standing]) -> bool:
    """Tell whether what a page tells of a key is not all there is to say."""
    mine = [standing for standing in standings if standing.assertion.id in own]
    to_come = {
        s.assertion.value for s in standings if s.status == "future" and s.assertion.functional
    }
    return any(
        s.status in ("superseded", "disputed")
        or (s.status == "retracted" and s.assertion.mood != "retracted")
        or (s.status == "ended" and s.assertion.valid_to is None)
        or (
            s.status == "active" and not s.assertion.negated and bool(to_come - {s.assertion.value})
        )
        for s in mine
    )


class _Key:
    """One key on its way to lines."""

    def __init__(self, title: str, matter: Matter, at: str) -> None:
        self.by_id = {telling.assertion.id: telling for telling in matter.tellings}
        self.said = {
            telling.assertion.value: one_line(telling.object)
            for telling in reversed(matter.tellings)
        }
        as_said = min(matter.tellings, key=lambda telling: _plainness(telling, matter.own))
        self.label = line_label(title, as_said.subject, as_said.predicate)
        self.standings, self.spells, self.at = matter.standings, matter.spells, at

    def lines(self) -> tuple[list[Line], list[Line]]:
        """Return the lines of what is so or will be so, and of what was so, in the order in which
        it became so.
        """
        sides: dict[str, list[Standing]] = {}
        for standing in self.standings:
            if not standing.assertion.negated and standing.assertion.mood == "confirmed":
                sides.setdefault(standing.assertion.value, []).append(standing)
        now, before = [], []
        for value, side in sides.items():
            live = [s for s in side if s.status in ("active", "disputed", "future")]
            if live:
                latest = [s for s in live if s.assertion.valid_from >= self._begun(value)]
                now.append(self._line(value, "::", _now(latest or live)))
            before += [self._line(value, ":", when) for when in self._before(value, side, live)]
        return now, before[-_MOST:]

    def _line(self, value: str, colon: str, when: str) -> Line:
        object = self.said[value]
        return Line(self.label, object, f"- {self.label}{colon} {object} ({when})")

    def _begun(self, value: str) -> str:
        """Return since when a value has been so this time."""
        begun = ""
        for n, spell in enumerate(self.spells):
            if (
                value in spell.values
                and (n == 0 or value not in self.spells[n - 1].values)
                and spell.start <= self.at
            ):
                begun = spell.start
        return begun

    def _before(self, value: str, side: Sequence[Standing], live: Sequence[Standing]) -> list[str]:
        """Say when a value was so: by its past spells, else (it never came to be so) by its
        telling.
        """
        past = [
            n
            for n, s in enumerate(self.spells)
            if value in s.values and s.end is not None and s.end <= self.at
        ]
        said = {s.assertion.valid_from: s.assertion for s in side}
        spans = [
            self._spell(n, value, said.get(self.spells[n].start))
            for n in past
            if self._ends(n, value)
        ]
        if spans or live:
            return spans
        last = side[-1]
        told = f"told {_date(last.assertion)}"
        if last.status == "retracted":
            return [f"{told}, taken back {self._taken_back(last)}"]
        others = [self.said[self.by_id[id].assertion.value] for id in last.by if id in self.by_id]
        return [f"{told}: then {others[0]}" if others else told]

    def _ends(self, n: int, value: str) -> bool:
        """A dispute may begin or end while a value goes on."""
        return n + 1 == len(self.spells) or value not in self.spells[n + 1].values

    def _spell(self, n: int, value: str, first: Assertion | None) -> str:
        spell = self.spells[n]
        then = (
            [self.said[next] for next in self.spells[n + 1].values]
            if n + 1 < len(self.spells)
            else []
        )
        until = f"until {(spell.end or '')[:10]}"
        without_dated_facts = (
            until
            if spell.start.startswith(_BEGINNING)
            else f"{_how(first)} {spell.start[:10]}, {until}"
        )
        return f"{without_dated_facts}: then {' or '.join(then)}" if then else without_dated_facts

    def _taken_back(self, standing: Standing) -> str:
        back = [self.by_id[id].assertion for id in standing.by if id in self.by_id]
        if not back:
            return "since"
        return f"{min(a.told_at for a in back)[:10]}" + (
            " by hand" if any(a.retracts for a in back) else ""
        )


def _now(live: Sequence[Standing]) -> str:
    first = live[0].assertion
    end = max((s.assertion.valid_to or "" for s in live), default="")
    without_dated_facts = (
        "from " + _date(first) if live[0].status == "future" else f"{_how(first)} {_date(first)}"
    )
    if first.valid_from.startswith(_BEGINNING):
        without_dated_facts = ""
    until = f"until {end[:10]}" if end and all(s.assertion.valid_to for s in live) else ""
    said = ", ".join(part for part in (without_dated_facts, until) if part)
    return "disputed, " * any(s.status == "disputed" for s in live) + said


def _plainness(telling: Telling, own: Collection[str]) -> tuple[bool, bool, str, str]:
    """Order tellings by how well their words name a matter: "lives in" rather than "moved to", this
    page's first.
    """
    a = telling.assertion
    return a.change or a.mood != "confirmed", a.id not in own, a.told_at, a.id


def _how(a: Assertion | None) -> str:
    return "since" if a is None or a.stated else "told"


def _date(a: Assertion) -> str:
    return a.valid_from[: _PLACES.get(a.precision, 10)].replace("T", " ")


def line_label(title: str, subject: str, predicate: str) -> str:
    """Return what a line is about: the predicate, after the subject where that is not the page's
    own title.
    """
    about = predicate if normal(subject) == normal(title) else f"{subject}, {predicate}"
    return _COLONS.sub(":", one_line(about)).strip(": ")


def one_line(said: str) -> str:
    """Return words as they stand in a line: on one line, and opening no comment that would hide the
    rest.
    """
    flat = " ".join(said.split())
    for mark, instead in _MARKS:
        while mark in flat:
            flat = flat.replace(mark, instead)
    return "".join(char for char in flat if char.isprintable())


# -- the section in a page -------------------------------------------------------------------------


def put_facts(
    text: str, wanted: Sheet, *, theirs: Collection[str], gone: Collection[str], has: bool
) -> str:
    """Return *text* with its section saying *wanted*; *has*: companion wrote it one.

    Lines in *theirs* stay as they are and where they are, also when they are not so any more; an
    earlier line in *gone* was deleted by its owner and stays so. Everything outside the section
    stays byte for byte.
    """
    page = (
        split_at_facts(text)
        if has
        else BodyParts([line.rstrip("\r\n") for line in lines_of(text)], [], [])
    )
    before = [line for line in wanted.earlier if line.text not in gone]
    current = _placed(page.current, wanted.current, theirs, FACT_LINE, wanted.same)
    earlier = _placed(page.earlier, before, theirs, EARLIER_LINE, wanted.same)
    section = [HEADING, "", *current] if current or earlier else []
    section += [*([""] if current else []), EARLIER, "", *earlier] if earlier else []
    if section == page.section or not (section or page.section):
        return text
    return _set(text, page, section)


def _set(text: str, page: BodyParts, section: Sequence[str]) -> str:
    eol, raw = eol_of(text), lines_of(text)
    start, stop = len(page.before), len(page.before) + len(page.section)
    before, after = "".join(raw[:start]), "".join(raw[stop:])
    if not section:
        parts = [
            part
            for part in (before.rstrip("\r\n") + eol * bool(before), after.lstrip("\r\n"))
            if part
        ]
        return eol.join(parts)
    if before and not before.endswith(("\n", "\r")):
        before += eol
    gap = "" if not before or not page.before[-1:] or not page.before[-1] else eol
    return before + gap + eol.join(section) + eol + after


def _placed(
    there: Sequence[str],
    wanted: Sequence[Line],
    theirs: Collection[str],
    shape: re.Pattern[str],
    same: Mapping[str, str],
) -> list[str]:
    """Return the lines of a list: a person's as they are, companion's as they should be, new ones
    with their like.
    """
    rest = list(wanted)
    placed: list[tuple[str, str]] = []  # (label, line)
    for line in there:
        match = shape.fullmatch(line)
        about = same.get(match["label"], match["label"]) if match else ""
        like = [each for each in rest if match is not None and _says(each, about, match["object"])]
        if line in theirs or match is None:
            placed.append((about, line))
            rest = [each for each in rest if each not in like]
            continue
        placed.append((about, like[0].text if like else ""))  # "": what follows it takes its place
        rest = [each for each in rest if each not in like[:1]]
    for each in rest:
        beside = [n for n, (about, _) in enumerate(placed) if about == each.label]
        placed.insert(beside[-1] + 1 if beside else len(placed), (each.label, each.text))
    return [line for _, line in placed if line]


def _says(line: Line, about: str, object: str) -> bool:
    return line.label == about and comparable_value(line.object) == comparable_value(object)


def strip_links(said: str) -> str:
    """Return a value without links and emphasis around it, as it reads."""
    text = _LINK.sub(r"\1", said.strip())
    marked = _MARKED.fullmatch(text)
    return marked[2] if marked else text


def comparable_value(said: str) -> str:
    """Return a value as two lines' values are compared."""
    return normal(strip_links(one_line(said)))
