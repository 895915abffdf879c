"""Look anew every night at the pages beside the wiki: what contradicted may be gone, and support
may have come (MaM §5.5, CON-11, CON-12).

Members of open branches are judged again once their incumbent was edited. In quarantine, only
pages whose other side changed since they were last decided on, or that another voice supports, are
judged again: against what they contradicted, as far as it still stands, and against their nearest
pages. A person's answer outweighs all of it, and whatever leaves quarantine does so with its
reason.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.candidate_pairs import SideId
from companion.comparison.cohesion import place_score
from companion.comparison.consistency import Judged, place_again
from companion.comparison.evidence import Evidence, PageToJudge
from companion.comparison.pages import Page
from companion.ledger.read_telling import Reader
from companion.minority.contested.members import recorded_sightings
from companion.minority.pressure import Telling, voice_of
from companion.pages.statements import name_statement
from companion.routing import watch_signals
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.index.history import (
    list_entry_events,
    list_subject_events,
)
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    QuarantinedPage,
    list_quarantined_pages,
)
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    find_statement_of_capture,
)
from companion.storage.index.tables.questions import (
    Contradicted,
    is_rejected,
    list_contradicted,
)
from companion.values.captures import Sighting
from companion.values.events import LedgerLine

VERSION = "requalify-1"
_SUPPORTING = ("same", "supports")


class Apart(NamedTuple):
    """A page in quarantine."""

    page: Page  # under the id of its capture
    entry: str
    others: tuple[SideId, ...]  # what it contradicted and still stands
    news: tuple[str, ...]  # what changed since it was last decided on, in words


class Requalified(NamedTuple):
    """The pages that a night lets out of quarantine."""

    lines: list[LedgerLine]
    freed: dict[str, str]  # captures whose pages leave, each with its entry


class Quarantine:
    """The pages in quarantine, and those of them that are judged again."""

    def __init__(
        self, run: Run, pages: Mapping[str, Apart], watch: SignalWatch
    ) -> None:
        self.run = run
        self.pages = pages  # by capture
        self.watch = watch
        self.voices: Mapping[str, Collection[str]] = {}
        self.due: list[Apart] = []  # to be judged again
        self.again = False  # all are: the person asked for it

    def choose_due(
        self, evidence: Evidence, sightings: Mapping[str, Sequence[Sighting]]
    ) -> list[PageToJudge]:
        """Choose and return the pages to judge again, once phase 1 has its answers.

        *sightings* has those of this night by capture.
        """
        if not self.pages:
            return []
        self.voices = self._list_voices(evidence, sightings)
        self.due = [
            page
            for id, page in self.pages.items()
            if self.again or page.news or len(self.voices[id]) > 1
        ]
        to_judge = []
        for one in self.due:
            recorded = recorded_sightings(self.run.db, one.page.id)
            to_judge.append(
                PageToJudge(one.page, recorded, one.others, wide=True)
            )
        return to_judge

    def requalify(
        self, evidence: Evidence, decided: Collection[str]
    ) -> Requalified:
        """Return the ledger's lines for what leaves quarantine.

        Entries in *decided* were decided otherwise this night, by a person or a branch.
        """
        requalified = Requalified([], {})
        for one in self.due:
            id = one.page.id
            if id in evidence.unjudged or one.entry in decided:
                continue
            line = self._requalify_page(one, evidence.judged_again.get(id, ()))
            if line is not None:
                requalified.lines.append(line)
                requalified.freed[id] = one.entry
        return requalified

    def _requalify_page(
        self, apart: Apart, judged: Sequence[Judged]
    ) -> LedgerLine | None:
        """Return the line by which a page leaves quarantine; None if it stays."""
        friction = self.watch.friction(apart.entry, judged)
        voices = len(self.voices[apart.page.id])
        place, words = place_again(judged, voices, friction)
        if place.bucket == "low":
            return None
        why = "; ".join((*apart.news, words))
        degrees = place.degrees.items()
        return {
            "e": "requalified",
            "entry": apart.entry,
            "bucket": place.bucket,
            "quarantined": 0,
            "degrees": {name: degree for name, degree in degrees if degree},
            "reason": f"Leaves quarantine: {why}. "
            f"(cohesion {place.score:.2f} ({place.bucket}))",
        }

    def _list_voices(
        self, evidence: Evidence, sightings: Mapping[str, Sequence[Sighting]]
    ) -> dict[str, set[str]]:
        """Return who speaks for each page: its own voices, and those of what supports it."""
        supporters = self._list_supporters(evidence)
        voices = {}
        for id in self.pages:
            told: list[Sighting] = []
            for capture in {id, *supporters[id]}:
                told += recorded_sightings(self.run.db, capture)
                told += sightings.get(capture, ())
            voices[id] = {_voice(sighting) for sighting in told}
        return voices

    def _list_supporters(
        self, evidence: Evidence
    ) -> defaultdict[str, set[str]]:
        """Return which captures support each other, tonight or by the ledger."""
        supporters: defaultdict[str, set[str]] = defaultdict(set)
        for judged in evidence.among_captures:
            if judged.relation.label in _SUPPORTING:
                supporters[judged.capture].add(judged.other)
                supporters[judged.other].add(judged.capture)
        for capture in self.pages:
            verdicts = list_subject_events(self.run.db, capture, "verdict")
            for verdict in verdicts:
                other = verdict.data.get("other")
                label = verdict.data["answer"].get("label")
                if label in _SUPPORTING and other is not None:
                    supporters[capture].add(other)
                    supporters[other].add(capture)
        return supporters


def collect_quarantine(
    run: Run, known: Iterable[LedgerLine], watch: SignalWatch
) -> Quarantine:
    """Return the pages in quarantine as the night finds them; *known* are a person's changes."""
    edited = {
        line["entry"] for line in known if line["e"] in ("edited", "grown")
    }
    pages = {}
    for page in list_quarantined_pages(run.db):
        if not is_rejected(run.db, page.entry):
            pages[page.capture] = _describe_page(run, page, edited, watch)
    return Quarantine(run, pages, watch)


def list_pages_beside_wiki(db: sqlite3.Connection) -> list[Page]:
    """Return the pages of members of open branches and of quarantine, each under its capture."""
    pages = [
        Page(one.capture, one.path, one.title, one.blob, one.joined)
        for one in minority.list_members(db)
    ]
    members = {page.id for page in pages}
    for one in list_quarantined_pages(db):
        if one.managed and one.capture not in members:
            pages.append(
                Page(one.capture, one.path, one.title, one.blob, one.told)
            )
    return pages


def _list_contested_sides(db: sqlite3.Connection) -> dict[str, SideId]:
    """Return the side that each open branch contradicts, by the name of the branch."""
    return {
        branch.name: _find_contested_side(db, branch)
        for branch in minority.list_branches(db)
        if branch.state == "open"
    }


def list_members_to_judge_again(
    db: sqlite3.Connection,
    known: Iterable[LedgerLine],
    *,
    everything: bool = False,
) -> list[PageToJudge]:
    """Return the members of open branches whose incumbent was edited since they joined, or all that
    contradict theirs (*everything*).

    *known* are the ledger lines for a person's changes of tonight.
    """
    edited = {line["entry"] for line in known if line["e"] == "edited"}
    contested = _list_contested_sides(db)
    entries = sorted({side.other for side in contested.values()})
    last_edit = {entry: _find_last_edit(db, entry) for entry in entries}
    due = []
    for one in minority.list_members(db):
        side = contested[one.branch]
        changed = side.other in edited or last_edit[side.other] > one.joined
        changed = changed or everything
        if one.contradicts and changed:
            page = Page(one.capture, one.path, "", one.blob, one.joined)
            sightings = recorded_sightings(db, one.capture)
            due.append(PageToJudge(page, sightings, (side,)))
    return due


def _find_contested_side(
    db: sqlite3.Connection, branch: minority.Branch
) -> SideId:
    """Return the statement that *branch* contests, or its page where that has no such block."""
    if branch.statement is not None:
        placed = find_statement_of_capture(db, branch.statement)
        if placed is not None and placed.entry == branch.incumbent:
            return SideId(branch.incumbent, branch.statement)
    return SideId(branch.incumbent)


def _find_last_edit(db: sqlite3.Connection, entry: str) -> str:
    """Return when an entry was last edited (RFC 3339 UTC); empty if never."""
    edits = list_entry_events(db, entry, ["edited"])
    return max((event.time for event in edits), default="")


def make_released_claims(
    run: Run, lines: Iterable[LedgerLine]
) -> list[LedgerLine]:
    """Return the `claims` lines of pages that leave quarantine and that a signal kept silent."""
    silent: list[tuple[str, str]] = []
    for line in lines:
        if line["e"] == "requalified" and not line["quarantined"]:
            entry = line["entry"]
            for capture in watch_signals.list_held_captures(run.db, entry):
                silent.append((entry, capture))
    if not silent:
        return []
    reader = Reader(run.db)  # loads word lists
    claims: list[LedgerLine] = []
    for entry, capture in silent:
        row = find_entry(run.db, entry)
        assert row is not None  # tonight's lines speak of pages that are there
        content = run.repo.blob(row.blob)
        sightings = recorded_sightings(run.db, capture)
        claims += reader.read_late(
            capture, entry, row.title, content, sightings
        )
    return claims


def list_supporting_verdicts(
    evidence: Evidence, quarantine: Quarantine
) -> set[str]:
    """Return the verdicts that support a page in quarantine.

    The ledger keeps them, so that later nights know of them.
    """
    low = set(quarantine.pages)
    for id, standing in evidence.standings.items():
        if place_score(standing.consistency).bucket == "low":
            low.add(id)
    return {
        judged.key
        for judged in evidence.among_captures
        if judged.relation.label in _SUPPORTING
        and not low.isdisjoint((judged.capture, judged.other))
    }


def _describe_page(
    run: Run,
    page: QuarantinedPage,
    edited: Collection[str],
    watch: SignalWatch,
) -> Apart:
    """Return a page in quarantine, with what changed since it was last decided on."""
    others: list[SideId] = []
    news: list[str] = []
    if page.touched > page.since or page.entry in edited:
        news.append(f"{page.path} was edited")
    for other in list_contradicted(run.db, page.entry):
        placed = _find_placed(run.db, other)
        if placed is not None:
            change = _describe_statement_change(run.db, placed, page, edited)
            if placed.stands:
                others.append(SideId(placed.entry, placed.capture))
        else:
            change = _describe_page_change(other, page, edited)
            if other.state == "active" and not other.tombstone:
                others.append(SideId(other.id))
        if change:
            news.append(change)
    if watch.is_signal_withdrawn(page.entry):
        news.append("no safety signal names it any more")
    side = Page(page.capture, page.path, page.title, page.blob, page.told)
    return Apart(side, page.entry, tuple(others), tuple(news))


def _find_placed(
    db: sqlite3.Connection, other: Contradicted
) -> PlacedStatement | None:
    """Return the statement that was contradicted, on the page where it stands now."""
    if other.statement is None:
        return None
    return find_statement_of_capture(db, other.statement)


def _describe_statement_change(
    db: sqlite3.Connection,
    placed: PlacedStatement,
    page: QuarantinedPage,
    edited: Collection[str],
) -> str:
    """Return what became of a statement since *page* was last decided on; empty if nothing.

    What else its page takes in is no news of it.
    """
    if not placed.stands:
        name = name_statement(placed.title, placed.when)
        return f"{name} stands no more"
    last_edit = _find_last_edit(db, placed.entry)
    if placed.entry in edited or last_edit > page.since:
        return f"{placed.path} changed"
    return ""


def _describe_page_change(
    other: Contradicted, page: QuarantinedPage, edited: Collection[str]
) -> str:
    """Return what became of a page since *page* was last decided on; empty if nothing."""
    name = other.path or other.id
    if other.state is None or other.tombstone:
        return f"{name} is gone"
    if other.state != "active":
        return f"{name} is {other.state}"
    if other.id in edited or (other.touched or "") > page.since:
        return f"{other.path} changed"
    return ""


def _voice(told: Sighting) -> str:
    return voice_of(
        Telling(
            told.capture,
            told.event_time,
            told.seen_at,
            told.agent or "",
            told.source or "",
            told.channel,
        )
    )
