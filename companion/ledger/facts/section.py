"""The facts section of a page: lines for what its notes told that is no longer the whole truth.

A person may edit the lines.

    ## Facts

    - Anna, lives in:: Lisbon (since 2026-05-01)

    ### Earlier

    - Anna, lives in: Porto (told 2026-03-02, until 2026-05-01: then Lisbon)

A key appears where the page's own words alone would mislead: something it told was replaced,
disputed, taken back or ended by another telling, or will be replaced; and only where it was
certainly understood. A page whose words still are all there is to say is not said twice. What stood
before has one colon: Dataview takes the current values for the field, and no others. Pure.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.ledger.facts.certainty import is_certain
from companion.ledger.settlement import Standing
from companion.ledger.supersession import Spell
from companion.values.claims import Assertion, Precision, normal

VERSION = "factsheet-3"
# earlier values of one key; `companion claims X --history` has them all
_MOST = 20
_BEGINNING = "0001-01-01"
_LIVE = ("active", "disputed", "future")
# a day of all others
_PLACES: Mapping[Precision, int] = {
    "year": 4,
    "month": 7,
    "hour": 16,
    "minute": 16,
}
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
    """The facts section that a page should have now."""

    current: tuple[Line, ...]
    earlier: tuple[Line, ...]
    # labels in other words -> the one that its lines have
    same: Mapping[str, str] = {}


# -- what the section should say -------------------------------------------------------------------


class Matter(NamedTuple):
    """One key as it stands now."""

    own: Collection[str]  # ids of what this page tells of it
    tellings: Sequence[Telling]  # everything told of it
    standings: Sequence[Standing]  # how that stands
    spells: Sequence[Spell]  # what stood when
    # the day of an instant by the clock of its teller, where that is another than in UTC
    days: Mapping[str, str] = {}


def build_sheet(title: str, matters: Iterable[Matter], *, at: str) -> Sheet:
    """Return the lines for *matters*. *title* is the page's: a subject of that name is left out of
    the line.

    *at* is now, an instant.
    """
    current: list[Line] = []
    earlier: list[Line] = []
    same: dict[str, str] = {}
    for matter in sorted(
        matters, key=lambda matter: matter.tellings[0].assertion.key
    ):
        if not has_lines(matter.own, matter.tellings, matter.standings):
            continue
        key = _KeyLines(title, matter, at)
        now, before = key.list_lines()
        current += now
        earlier += before
        # a key of years is told hundreds of times in the same words
        for subject, predicate in {
            (t.subject, t.predicate) for t in matter.tellings
        }:
            same[line_label(title, subject, predicate)] = key.label
    return Sheet(tuple(current), tuple(earlier), same)


def has_lines(
    own: Collection[str],
    tellings: Sequence[Telling],
    standings: Sequence[Standing],
) -> bool:
    """Tell whether a key has lines: what the page tells of it misleads, and is certain.

    Most keys have none, so that nobody need know what stood when.
    """
    if not _misleads(own, standings):
        return False
    return is_certain([(each.assertion, each.object) for each in tellings])


def _misleads(own: Collection[str], standings: Sequence[Standing]) -> bool:
    """Tell whether what a page tells of a key is not all there is to say."""
    to_come: set[str] = set()
    for standing in standings:
        if standing.status == "future" and standing.assertion.functional:
            to_come.add(standing.assertion.value)
    for standing in standings:
        if standing.assertion.id in own and _is_outdated(standing, to_come):
            return True
    return False


def _is_outdated(standing: Standing, to_come: Collection[str]) -> bool:
    """Tell whether an assertion alone misleads; *to_come* are the values that will replace it."""
    assertion = standing.assertion
    if standing.status in ("superseded", "disputed"):
        return True
    if standing.status == "retracted":
        return assertion.mood != "retracted"
    if standing.status == "ended":
        return assertion.valid_to is None
    if standing.status == "active" and not assertion.negated:
        return any(value != assertion.value for value in to_come)
    return False


class _KeyLines:
    """The lines of one key."""

    def __init__(self, title: str, matter: Matter, at: str) -> None:
        self.by_id = {
            telling.assertion.id: telling for telling in matter.tellings
        }
        first = {
            telling.assertion.value: telling.object
            for telling in reversed(matter.tellings)
        }
        self.words_of = {
            value: one_line(object) for value, object in first.items()
        }
        plainest = min(
            matter.tellings, key=lambda telling: _plainness(telling, matter.own)
        )
        self.label = line_label(title, plainest.subject, plainest.predicate)
        self.standings = matter.standings
        self.spells = matter.spells
        self.days = matter.days
        self.at = at

    def list_lines(self) -> tuple[list[Line], list[Line]]:
        """Return the lines of what is so or will be so, and of what was so, each in the order of
        becoming so.
        """
        by_value: dict[str, list[Standing]] = {}
        for standing in self.standings:
            if _is_statement(standing.assertion):
                value = standing.assertion.value
                by_value.setdefault(value, []).append(standing)
        now: list[Line] = []
        before: list[Line] = []
        for value, standings in by_value.items():
            live = [each for each in standings if each.status in _LIVE]
            if live:
                latest = self._select_latest(value, live)
                time = _time_now(latest, self.days)
                now.append(self._line(value, "::", time))
            times = self._past_times(value)
            if not times and not live:
                times = [self._time_told(standings[-1])]
            before += [self._line(value, ":", time) for time in times]
        return now, before[-_MOST:]

    def _line(self, value: str, colon: str, when: str) -> Line:
        object = self.words_of[value]
        text = f"- {self.label}{colon} {object} ({when})"
        return Line(self.label, object, text)

    def _select_latest(
        self, value: str, live: Sequence[Standing]
    ) -> Sequence[Standing]:
        """Return those of *live* that say since when a value has been so this time, if any do."""
        begun = self._begun(value)
        latest = [each for each in live if each.assertion.valid_from >= begun]
        return latest or live

    def _begun(self, value: str) -> str:
        """Return since when a value has been so this time; "" where it never was."""
        begun = ""
        before: Sequence[str] = ()
        for spell in self.spells:
            begins = value in spell.values and value not in before
            if begins and spell.start <= self.at:
                begun = spell.start
            before = spell.values
        return begun

    def _past_times(self, value: str) -> list[str]:
        """Return when a value was so, for each of its past spells."""
        told = {
            standing.assertion.valid_from: standing.assertion
            for standing in self.standings
            if standing.assertion.value == value
            and _is_statement(standing.assertion)
        }
        times: list[str] = []
        for place, spell in enumerate(self.spells):
            is_past = spell.end is not None and spell.end <= self.at
            if not is_past or value not in spell.values:
                continue
            if self._ends_with(place, value):
                first = told.get(spell.start)
                times.append(self._time_of_spell(place, first))
        return times

    def _ends_with(self, place: int, value: str) -> bool:
        """Tell whether a value ends with a spell: a dispute may begin or end while it goes on."""
        following = self.spells[place + 1 : place + 2]
        return not following or value not in following[0].values

    def _time_of_spell(self, place: int, first: Assertion | None) -> str:
        spell = self.spells[place]
        time = f"until {self._day(spell.end or '')}"
        if not spell.start.startswith(_BEGINNING):
            time = f"{_how(first)} {self._day(spell.start)}, {time}"
        for following in self.spells[place + 1 : place + 2]:
            if following.values:
                then = [self.words_of[value] for value in following.values]
                return f"{time}: then {' or '.join(then)}"
        return time

    def _day(self, instant: str) -> str:
        return self.days.get(instant, instant[:10])

    def _time_told(self, last: Standing) -> str:
        """Return when a value was told that never came to be so, and what replaced it."""
        told = f"told {_date(last.assertion, self.days)}"
        if last.status == "retracted":
            return f"{told}, taken back {self._time_taken_back(last)}"
        for other in self._list_told(last.by):
            return f"{told}: then {self.words_of[other.value]}"
        return told

    def _time_taken_back(self, standing: Standing) -> str:
        retractions = self._list_told(standing.by)
        if not retractions:
            return "since"
        day = min(retraction.told_at for retraction in retractions)[:10]
        if any(retraction.retracts for retraction in retractions):
            return f"{day} by hand"
        return day

    def _list_told(self, ids: Iterable[str]) -> list[Assertion]:
        """Return the assertions *ids*, as far as they are of this key."""
        return [self.by_id[id].assertion for id in ids if id in self.by_id]


def _is_statement(assertion: Assertion) -> bool:
    return not assertion.negated and assertion.mood == "confirmed"


def _time_now(live: Sequence[Standing], days: Mapping[str, str]) -> str:
    """Return since when and until when a value is so or will be so."""
    first = live[0].assertion
    parts: list[str] = []
    if not first.valid_from.startswith(_BEGINNING):
        how = "from" if live[0].status == "future" else _how(first)
        parts.append(f"{how} {_date(first, days)}")
    ends = [standing.assertion.valid_to for standing in live]
    known_ends = [end for end in ends if end]
    if len(known_ends) == len(ends):
        parts.append(f"until {max(known_ends)[:10]}")
    time = ", ".join(parts)
    if any(standing.status == "disputed" for standing in live):
        return f"disputed, {time}"
    return time


def _plainness(
    telling: Telling, own: Collection[str]
) -> tuple[bool, bool, str, str]:
    """Order tellings by how well their words name a matter: "lives in" rather than "moved to", this
    page's first.
    """
    a = telling.assertion
    return a.change or a.mood != "confirmed", a.id not in own, a.told_at, a.id


def _how(a: Assertion | None) -> str:
    return "since" if a is None or a.stated else "told"


def _date(a: Assertion, days: Mapping[str, str]) -> str:
    if a.valid_from in days and a.precision not in _PLACES:
        return days[a.valid_from]
    return a.valid_from[: _PLACES.get(a.precision, 10)].replace("T", " ")


def line_label(title: str, subject: str, predicate: str) -> str:
    """Return what a line is about: the predicate, after the subject where that is not the page's
    own title.
    """
    about = predicate
    if normal(subject) != normal(title):
        about = f"{subject}, {predicate}"
    return _COLONS.sub(":", one_line(about)).strip(": ")


def one_line(said: str) -> str:
    """Return words as they stand in a line: on one line, and opening no comment that would hide the
    rest.
    """
    flat = " ".join(said.split())
    for mark, instead in _MARKS:
        while mark in flat:
            flat = flat.replace(mark, instead)
    if flat.isprintable():
        return flat
    return "".join(char for char in flat if char.isprintable())


def strip_links(said: str) -> str:
    """Return a value without links and emphasis around it, as it reads."""
    text = _LINK.sub(r"\1", said.strip())
    marked = _MARKED.fullmatch(text)
    return marked[2] if marked else text


def comparable_value(said: str) -> str:
    """Return a value as two lines' values are compared."""
    return normal(strip_links(one_line(said)))
