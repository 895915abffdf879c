"""Quarantine, looked at anew every night: what contradicted may be gone, and support may have come
(MaM §5.5, CON-12).

Only pages whose other side changed since they were last decided on, or that another voice supports,
are judged again: against what they contradicted, as far as it still stands, and against their
nearest pages. A person's answer outweighs all of it, and whatever leaves quarantine does so with
its reason.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.comparison import cohesion, consistency
from companion.comparison.consistency import Judged
from companion.comparison.evidence import Anew, Evidence
from companion.comparison.pages import Page
from companion.ledger.read_notes import Reader
from companion.minority.members import recorded_sightings
from companion.minority.pressure import Telling, voice_of
from companion.routing import watch_signals
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.captures import (
    QuarantinedPage,
    list_quarantined_pages,
)
from companion.storage.index.tables.entries import find_entry
from companion.storage.index.tables.questions import (
    is_rejected,
    list_contradicted,
)
from companion.values.captures import Sighting
from companion.values.events import LedgerLine

VERSION = "requalify-1"
ALIKE = ("same", "supports")


class Apart(NamedTuple):
    """A page in quarantine."""

    page: Page  # under the id of its capture
    entry: str
    others: tuple[str, ...]  # entries that it contradicted and that still stand
    news: tuple[str, ...]  # what changed since it was last decided on, in words


class Requalified(NamedTuple):
    """What a night lets out of quarantine."""

    lines: list[LedgerLine]
    freed: dict[str, str]  # captures whose pages leave, each with its entry


class Quarantine:
    """The pages in quarantine, and what became of what they contradict."""

    def __init__(
        self, tonight: Run, edited: Collection[str], watch: SignalWatch
    ) -> None:
        self.tonight = tonight
        self.watch = watch
        self.edited = edited  # entries that changed since the last run
        self.apart: dict[str, Apart] = {}  # by capture
        self.voices: Mapping[str, Collection[str]] = {}
        self.due: list[Apart] = []  # to be judged again

    def choose_due(
        self, found: Evidence, heard: Mapping[str, Sequence[Sighting]]
    ) -> None:
        """Choose what is judged again, once phase 1 *found* who supports whom.

        *heard* has the tellings of this night by capture.
        """
        self.voices = self._supported(found, heard) if self.apart else {}
        self.due = [
            each
            for id, each in self.apart.items()
            if each.news or len(self.voices[id]) > 1
        ]

    def pages_to_judge(self) -> list[Anew]:
        """Return the pages that are due, with what they are judged against."""
        return [
            Anew(
                each.page, self._tellings(each.page.id), each.others, wide=True
            )
            for each in self.due
        ]

    def requalify(
        self, found: Evidence, passed: Collection[str]
    ) -> Requalified:
        """Return the ledger's lines for what leaves quarantine.

        Entries in *passed* were decided otherwise this night, by a person or a branch.
        """
        requalified = Requalified([], {})
        for each in self.due:
            if each.page.id in found.unjudged or each.entry in passed:
                continue
            line = self._line(each, found.anew.get(each.page.id, ()))
            if line is not None:
                requalified.lines.append(line)
                requalified.freed[each.page.id] = each.entry
        return requalified

    def _line(self, each: Apart, judged: Sequence[Judged]) -> LedgerLine | None:
        """Return the line by which a page leaves quarantine; None where it stays."""
        friction = self.watch.friction(each.entry, judged)
        place, words = consistency.place_again(
            judged, len(self.voices[each.page.id]), friction
        )
        if place.bucket == "low":
            return None
        why = "; ".join((*each.news, words))
        return {
            "e": "requalified",
            "entry": each.entry,
            "bucket": place.bucket,
            "quarantined": 0,
            "degrees": {
                name: degree for name, degree in place.degrees.items() if degree
            },
            "reason": f"Leaves quarantine: {why}. (cohesion {place.score:.2f} ({place.bucket}))",
        }

    def describe(self, page: QuarantinedPage) -> Apart | None:
        db, entry = self.tonight.db, page.entry
        if is_rejected(db, entry):
            return None
        others: list[str] = []
        news: list[str] = []
        if page.touched > page.since or entry in self.edited:
            news.append(f"{page.path} was edited")
        for other in list_contradicted(db, entry):
            if other.state is None or other.tombstone:
                news.append(f"{other.path or other.id} is gone")
            elif other.state != "active":
                news.append(f"{other.path or other.id} is {other.state}")
            else:
                others.append(other.id)
                if (
                    other.id in self.edited
                    or (other.touched or "") > page.since
                ):
                    news.append(f"{other.path} changed")
        if self.watch.is_signal_withdrawn(entry):
            news.append("no safety signal names it any more")
        side = Page(page.capture, page.path, page.title, page.blob, page.told)
        return Apart(side, entry, tuple(others), tuple(news))

    def _supported(
        self, found: Evidence, heard: Mapping[str, Sequence[Sighting]]
    ) -> dict[str, set[str]]:
        """Return who speaks for each page: its own voices, and those of what supports it, tonight
        or by the ledger.
        """
        pairs = [
            (j.capture, j.other)
            for j in found.within
            if j.relation.label in ALIKE
        ]
        pairs += [pair for id in self.apart for pair in self._recorded(id)]
        by: defaultdict[str, set[str]] = defaultdict(set)
        for one, other in pairs:
            by[one].add(other)
            by[other].add(one)
        return {
            id: {
                _voice(each)
                for one in {id, *by[id]}
                for each in (*self._tellings(one), *heard.get(one, ()))
            }
            for id in self.apart
        }

    def _recorded(self, capture: str) -> Iterable[tuple[str, str]]:
        for verdict in list_subject_events(self.tonight.db, capture, "verdict"):
            if (
                verdict.data["answer"].get("label") in ALIKE
                and "other" in verdict.data
            ):
                yield capture, verdict.data["other"]

    def _tellings(self, capture: str) -> list[Sighting]:
        return recorded_sightings(self.tonight.db, capture)


def collect_quarantine(
    tonight: Run, known: Iterable[LedgerLine], watch: SignalWatch
) -> Quarantine:
    """Return the pages in quarantine as the night finds them; *known* are a person's changes."""
    edited = {
        line["entry"] for line in known if line["e"] in ("edited", "grown")
    }
    collected = Quarantine(tonight, edited, watch)
    for page in list_quarantined_pages(tonight.db):
        described = collected.describe(page)
        if described is not None:
            collected.apart[page.capture] = described
    return collected


def spoken(
    tonight: Run, lines: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the `claims` lines of what *lines* let go and a signal had kept silent: it is told
    from now on.
    """
    free = [
        line["entry"]
        for line in lines
        if line["e"] == "requalified" and not line["quarantined"]
    ]
    silent = [
        (entry, capture)
        for entry in free
        for capture in watch_signals.held_back(tonight.db, entry)
    ]
    if not silent:
        return []
    reader, made = Reader(tonight.db), []
    for entry, capture in silent:
        row = find_entry(tonight.db, entry)
        assert row is not None  # tonight's lines speak of pages that are there
        heard = recorded_sightings(tonight.db, capture)
        made += reader.read_late(
            capture, entry, row.title, tonight.repo.blob(row.blob), heard
        )
    return made


def supporting(found: Evidence, apart: Quarantine) -> set[str]:
    """Return the verdicts by which something in quarantine is supported: later nights know of them
    by the ledger.
    """
    low = {
        id
        for id, stands in found.stands.items()
        if cohesion.place_score(stands.consistency).bucket == "low"
    }
    low |= apart.apart.keys()
    return {
        j.key
        for j in found.within
        if j.relation.label in ALIKE and {j.capture, j.other} & low
    }


def _voice(told: Sighting) -> str:
    telling = Telling(
        told.capture,
        told.event_time,
        told.seen_at,
        told.agent or "",
        told.source or "",
        told.channel,
    )
    return voice_of(telling)
