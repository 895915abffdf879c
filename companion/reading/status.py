"""`status`: what is here, what waits, what is on this machine only."""

import os
import sqlite3
from typing import TYPE_CHECKING

from companion.gravity.measure import summarise_gravity
from companion.ledger.explain import KIND, is_dispute_open
from companion.ledger.resolve import REVIEW
from companion.lookup.index import current_index, newest_run, stale_warning
from companion.operations.decay.show import count_decayed
from companion.reading.captures import find_held
from companion.reading.status_notes import list_notes
from companion.storage.git import layout
from companion.storage.index import schema as index
from companion.storage.index.tables import audits, promotions
from companion.storage.index.tables.counts import count_all
from companion.storage.index.tables.events import count_runs, list_runs
from companion.storage.index.tables.questions import list_unanswered
from companion.storage.journal.journal import Journal
from companion.usage.show import summarise_use
from companion.values.refusals import private_name
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        OnlyHereResult,
        RunName,
        StatusResult,
    )
    from companion.runs.lost_runs import LostRun
    from companion.runs.results import (
        HeldRun,
    )


def describe_wiki(ws: Workspace) -> "StatusResult":
    """Return how the wiki stands."""
    journal = ws.journal()
    db = current_index(ws, journal)
    head = layout.read_head_branch(ws.place)
    branch = _meta(db, "branch") or head or ""
    counts = count_all(db)
    held = find_held(ws, db, journal)
    where = _why_state_is_there(ws)
    only_here, list_destinations = _elsewhere(ws, journal)
    reasoner = _meta(db, "reasoner") or "light"
    model = _meta(db, "model") or ""
    if reasoner == "llm":
        list_destinations.append(_shown_to_model(model))
    notes = list_notes(ws, journal, where, head, branch)
    stale = stale_warning(ws, db)
    if stale is not None:
        notes.append(stale)
    return {
        "wiki": ws.place.root,
        "branch": branch.removeprefix("refs/heads/"),
        "head": layout.read_ref(ws.place, branch) if branch else None,
        "as_of": newest_run(db),
        "entries": {"active": 0, "decaying": 0, "archived": 0, **counts.states},
        "gravity": summarise_gravity(db),
        "fading": count_decayed(db),
        "set_aside": counts.set_aside,
        "branches": promotions.summarize_branches(db),
        "pending": journal.open_count(ws.who),
        "usage": summarise_use(ws, db, journal),
        # What was told in private waits too, but no ledger may say so (LED-11): the journal knows,
        # and tells its owner.
        "waiting": counts.waiting + journal.private_count(ws.who) + len(held),
        "sightings": journal.counts(ws.who)[1],
        "held": _held_runs(held),
        "runs": 0 if db is None else count_runs(db),
        "last_run": _last_run(db),
        "state": {"folder": ws.place.state, "why": where},
        "only_here": only_here,
        "leaves_machine": list_destinations,
        "reasoner": f"{reasoner}:{model}" if model else reasoner,
        "to_review": _count_questions(db, journal, ws.present(journal)),
        "audits": audits.summarize_audits(db),
        "to_audit": counts.to_audit,
        "notes": notes,
    }


def _meta(db: sqlite3.Connection | None, key: str) -> str | None:
    return None if db is None else index.read_meta(db, key)


def _shown_to_model(model: str) -> str:
    return f"notes that a night judges, and answers that an audit does, to the language model {model}"


def _last_run(db: sqlite3.Connection | None) -> "RunName | None":
    runs = [] if db is None else list_runs(db, 1)
    if not runs:
        return None
    return {
        "run": runs[0].run,
        "operation": runs[0].operation,
        "time": runs[0].time,
    }


def _held_runs(held: "dict[str, LostRun]") -> "list[HeldRun]":
    if not held:
        return []
    from companion.runs import lost_runs

    return lost_runs.count_held(held)


def _count_questions(
    db: sqlite3.Connection | None, journal: Journal, now: str
) -> int:
    """Count the questions that await an answer: no ledger file and no verdict here has one."""
    if db is None:
        return 0
    from companion.storage.journal.verdicts import Verdicts

    log = Verdicts(journal, db)
    answered = {each.answer["flag"] for each in log.of_task(REVIEW)}
    waiting = [each for each in list_unanswered(db) if each[0] not in answered]
    return sum(
        kind != KIND or is_dispute_open(db, log, flag, now)
        for flag, kind in waiting
    )


def _elsewhere(
    ws: Workspace, journal: Journal
) -> "tuple[OnlyHereResult, list[str]]":
    """Return what is on this machine only, and what may leave it."""
    config = os.path.join(ws.place.common_dir, "config")
    with open(config, encoding="utf-8", errors="replace") as file:
        settings = file.read().lower()
    if "remote" in settings or "include" in settings:
        # They bring git: most wikis have no remote.
        from companion.storage.git.remotes_known import (
            find_only_here,
            list_destinations,
        )

        found = find_only_here(ws.place, journal, ws.who)
        return found._asdict(), list_destinations(ws.place)
    refs = [
        ref
        for ref in layout.read_refs(ws.place, "refs/companion")
        if _may_read(ws, ref)
    ]
    only_here: OnlyHereResult = {
        "captures_not_in_git": journal.loose_count(ws.who),
        "captures_on_no_remote": journal.counts(ws.who)[0],
        "commits_on_no_remote": None,  # there is no remote
        "refs": sorted({"/".join(ref.split("/")[:3]) for ref in refs}),
    }
    return only_here, []


def _may_read(ws: Workspace, ref: str) -> bool:
    """Tell whether *ref* is no other reader's private one."""
    return not ref.startswith("refs/companion/private/") or ref.endswith(
        "/" + private_name(ws.who)
    )


def _why_state_is_there(ws: Workspace) -> str:
    from companion.storage.files import shared_drives

    drive = shared_drives.describe_sharing(ws.place.common_dir)
    if ws.place.moved:
        return (
            f"the wiki lies {drive}"
            if drive
            else "`git config companion.state` names it"
        )
    return (
        f"inside git's own, although the wiki lies {drive}"
        if drive
        else "inside git's own"
    )
