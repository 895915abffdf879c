"""Collect what a report shows. It reads the index only, and records no use of a page."""

import sqlite3
from typing import TYPE_CHECKING

from companion.gravity.summary import summarise_gravity
from companion.lookup.index import current_index, newest_run
from companion.lookup.read_page import read_page_bytes
from companion.lookup.statements import describe_statement
from companion.pages.body import without_facts
from companion.reading.branches.branches import list_branches
from companion.reading.report.values import (
    BranchStory,
    ChangedBelief,
    ReportData,
    Weighing,
    shorten,
)
from companion.sleep.nights import read_nights
from companion.storage.git.repo import MissingObject
from companion.storage.index import survey
from companion.storage.index.counts import count_all
from companion.storage.index.history import count_runs
from companion.storage.index.tables.pages.entries import find_page
from companion.values.time import local_minute
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from companion.reading.branches.results import BranchResult

#: events whose growth is drawn
EVENTS = ("consumed", "created", "registered", "archived", "sighted", "merged")
#: pages of the graph: more of them are a ball of wool
GRAPH = 120
_LONGEST = 300  # characters of any other text
_CYCLES = 200  # of one branch
_OPENING = 160  # characters of a page that stand for it
BRANCHES = 24
BELIEFS = 60
AUDITS = 60
NIGHTS = 90


def collect_report(ws: Workspace) -> ReportData | None:
    """Return what a report shows; None before the first run."""
    db = current_index(ws, ws.journal())
    if db is None or not count_runs(db):
        return None
    days = survey.count_by_day(db, EVENTS)
    pages = survey.list_page_standings(db)
    shown = pages[:GRAPH]
    gravity = summarise_gravity(db)
    now = ws.now()
    return ReportData(
        name=ws.place.root.rstrip("/").rpartition("/")[2],
        now=local_minute(now, find_local_offset(now)),
        as_of=newest_run(db),
        runs=count_runs(db),
        days=days,
        pages=pages,
        floor=None if gravity is None else gravity["floor"],
        graph_pages=shown,
        graph_links=survey.list_links_among(db, [page.id for page in shown]),
        branches=_list_branches(ws),
        beliefs=_list_beliefs(ws, db),
        audits=survey.list_audit_lines(db, AUDITS),
        tidiness=survey.measure_tidiness(db),
        told_again=sum(day.number for day in days if day.event == "sighted"),
        notes=count_all(db).notes,
        nights=read_nights(ws, NIGHTS),
        judges=survey.count_answers(db),
    )


def _list_branches(ws: Workspace) -> list[BranchStory]:
    """Return the branches with a history, those first whose pressure was weighed most often."""
    stories = [_tell_branch(each) for each in list_branches(ws)["branches"]]
    stories.sort(key=lambda story: (-len(story.weighings), story.name))
    return stories[:BRANCHES]


def _tell_branch(branch: "BranchResult") -> BranchStory:
    weighings = []
    for event in branch["history"]:
        pressure, threshold = event["pressure"], event["threshold"]
        if event["undone"] or pressure is None or threshold is None:
            continue
        weighings.append(
            Weighing(
                event["time"],
                event["event"],
                pressure,
                threshold,
                shorten(event["reason"], _LONGEST),
            )
        )
    incumbent = branch["incumbent"]
    against = incumbent["title"] or incumbent["id"] or branch["name"]
    statement = branch["statement"]
    if statement is not None and statement["words"]:
        against += f": “{statement['words']}”"
    return BranchStory(
        branch["name"],
        against,
        branch["state"],
        branch["opened"],
        branch["why"] or "",
        tuple(weighings[-_CYCLES:]),
    )


def _list_beliefs(ws: Workspace, db: sqlite3.Connection) -> list[ChangedBelief]:
    """Return what the wiki believes otherwise than before, the newest first."""
    beliefs = []
    for won in survey.list_promotions(db, BELIEFS):
        before = _open_page(ws, db, won.incumbent)
        if won.statement is not None:
            words = describe_statement(ws, db, won.statement)["words"]
            before = words or "a note that is gone"
        after = _open_page(ws, db, won.entry)
        beliefs.append(
            ChangedBelief(
                won.incumbent_title or won.incumbent,
                before or won.incumbent_title or won.incumbent,
                after or won.entry_title or won.entry,
                won.since,
                "A branch against it won.",
            )
        )
    for value in survey.list_changed_values(db, BELIEFS):
        subject = f"{value.subject} · {value.predicate}"
        beliefs.append(
            ChangedBelief(
                shorten(subject, _LONGEST),
                shorten(value.before, _LONGEST),
                shorten(value.after, _LONGEST),
                value.time,
                shorten(value.reason, _LONGEST),
            )
        )
    beliefs.sort(key=lambda belief: belief.time, reverse=True)
    return beliefs[:BELIEFS]


def _open_page(ws: Workspace, db: sqlite3.Connection, entry: str) -> str:
    """Return the first words of a page; empty where it is gone or has none."""
    page = find_page(db, entry)
    if page is None:
        return ""
    try:
        content = read_page_bytes(ws, page.path, page.blob)
    # the page of a tombstone is in no tree any more
    except MissingObject:
        return ""
    text = without_facts(
        without_frontmatter(content.decode("utf-8", "replace"))
    )
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    words = " ".join(" ".join(lines).split())
    return shorten(words, _OPENING)
