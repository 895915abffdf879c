"""`status`: what is here, what waits, what is on this machine only."""

import os
import sqlite3

from companion.annotations import TYPE_CHECKING
from companion.gravity.summary import summarise_gravity
from companion.lookup.index import current_index, newest_run, stale_warning
from companion.reading.captures import find_held
from companion.reading.morning.nights import summarise_nights
from companion.reading.status_notes import list_notes, note_remotes_ahead
from companion.storage.git import layout
from companion.storage.index.counts import count_all
from companion.storage.index.history import count_runs, list_runs
from companion.storage.index.schema import read_meta
from companion.storage.index.tables import audits, promotions
from companion.storage.index.tables.decay import count_faded
from companion.storage.index.tables.questions import list_unanswered
from companion.storage.journal.journal import Journal
from companion.usage.show import summarise_use
from companion.values.events import PASSED_OVER
from companion.values.refusals import private_name
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.morning.results import OnlyHereResult, SourceCounts
    from companion.reading.results import RunName, StatusResult
    from companion.runs.lost_runs import LostRun
    from companion.runs.results import (
        HeldRun,
    )


_ORIGINALS = "refs/companion/originals"
_LOCKED = "refs/companion/locked"
_STANDING = ("active", "decaying")  # states of an entry whose page is there


def describe_wiki(ws: Workspace) -> "StatusResult":
    """Return how the wiki stands: what is here, what waits, what is on this machine only."""
    journal = ws.journal()
    db = current_index(ws, journal)
    head = layout.read_head_branch(ws.place)
    branch = _read_setting(db, "branch") or head or ""
    counts = count_all(db)
    held = find_held(ws, db, journal)
    reason_for_folder = _reason_for_state_folder(ws)
    model = _read_setting(db, "model") or ""
    reasoner = _read_setting(db, "reasoner") or "light"
    has_remote = _has_remote(ws)
    notes = list_notes(ws, journal, reason_for_folder, head, branch)
    if has_remote:
        notes += note_remotes_ahead(ws)
    stale = stale_warning(ws, db)
    if stale is not None:
        notes.append(stale)
    return {
        "wiki": ws.place.root,
        "branch": branch.removeprefix("refs/heads/"),
        "head": layout.read_ref(ws.place, branch) if branch else None,
        "as_of": newest_run(db),
        "entries": {"active": 0, "decaying": 0, "archived": 0, **counts.states},
        "notes_on_pages": {
            "notes": counts.notes,
            "pages": sum(counts.states.get(state, 0) for state in _STANDING),
            "statements": counts.statements,
            "lost": counts.lost,
            "on_days": counts.on_days,
        },
        "gravity": summarise_gravity(db),
        "fading": None if db is None else count_faded(db)._asdict(),
        "set_aside": counts.set_aside,
        "branches": promotions.summarize_branches(db),
        "pending": journal.open_count(ws.who),
        "usage": summarise_use(ws, db, journal),
        # Captures told in private wait too. No ledger may say so (LED-11), so the journal counts
        # them for their owner.
        "waiting": counts.waiting + journal.private_count(ws.who) + len(held),
        "sightings": journal.counts(ws.who)[1],
        "sources": count_sources(ws, db),
        "held": _list_held_runs(held),
        "runs": _count_runs(db),
        "last_run": _find_last_run(db),
        "nights": summarise_nights(ws, db, journal),
        "state": {"folder": ws.place.state, "why": reason_for_folder},
        "only_here": _find_only_here(ws, journal, has_remote=has_remote),
        "leaves_machine": _list_destinations(
            ws, reasoner, model, has_remote=has_remote
        ),
        "reasoner": f"{reasoner}:{model}" if model else reasoner,
        "to_review": _count_questions(db, journal, ws.present(journal)),
        "audits": audits.summarize_audits(db),
        "to_audit": counts.to_audit,
        "notes": notes,
    }


def count_sources(
    ws: Workspace, db: sqlite3.Connection | None
) -> "SourceCounts":
    """Return how many originals wait for a night, or for their owner."""
    unread = 0
    locked = 0
    done: set[str] = set()
    if db is not None:
        from companion.storage.index.tables import sources

        found = set()
        for item in sources.list_unread(db):
            found.add(item.original)
            unread += item.code not in PASSED_OVER
        held = {
            item.original
            for item in sources.list_locked(db)
            if item.choice is None
        }
        locked = len(held)
        done = sources.list_contextualized(db) | found | held
    return {
        "pending": len(_list_originals(ws) - done),
        "unread": unread,
        "locked": locked,
    }


def _count_originals(ws: Workspace) -> int:
    """Count the originals that are here, locked ones too."""
    count = len(_list_originals(ws))
    if layout.read_ref(ws.place, _LOCKED) is not None:
        from companion.storage.cold import locked_originals
        from companion.storage.git.repo import Repo

        count += len(locked_originals.list_locked(Repo(ws.place)))
    return count


def has_originals(ws: Workspace) -> bool:
    """Tell whether an original ever came in."""
    return layout.read_ref(ws.place, _ORIGINALS) is not None


def _list_originals(ws: Workspace) -> set[str]:
    """Return the originals that came in; most wikis have none, and load no git for them."""
    if not has_originals(ws):
        return set()
    from companion.storage.cold import originals
    from companion.storage.git.repo import Repo

    return originals.list_ids(Repo(ws.place))


def _read_setting(db: sqlite3.Connection | None, key: str) -> str | None:
    if db is None:
        return None
    return read_meta(db, key)


def _count_runs(db: sqlite3.Connection | None) -> int:
    if db is None:
        return 0
    return count_runs(db)


def _find_last_run(db: sqlite3.Connection | None) -> "RunName | None":
    if db is None:
        return None
    for run in list_runs(db, 1):
        return {"run": run.run, "operation": run.operation, "time": run.time}
    return None


def _list_held_runs(held: "dict[str, LostRun]") -> "list[HeldRun]":
    if not held:
        return []
    from companion.runs import lost_runs

    return lost_runs.count_held(held)


def _count_questions(
    db: sqlite3.Connection | None, journal: Journal, now: str
) -> int:
    """Count the questions that neither a ledger file nor a verdict on this machine answers."""
    if db is None:
        return 0
    unanswered = list_unanswered(db)
    if not unanswered:
        return 0
    # how claims are resolved: a third of all that this would load
    from companion.ledger.explain import KIND, is_dispute_open
    from companion.ledger.person_answers import list_given_answers
    from companion.storage.journal.verdicts import Verdicts

    log = Verdicts(journal, db)
    answered = {logged.answer["flag"] for logged in list_given_answers(log)}
    count = 0
    for flag, kind in unanswered:
        if flag in answered:
            continue
        if kind != KIND or is_dispute_open(db, log, flag, now):
            count += 1
    return count


# -- this machine and others -----------------------------------------------------------------------


def _has_remote(ws: Workspace) -> bool:
    """Tell whether git's settings may name a remote, without loading git."""
    config = os.path.join(ws.place.common_dir, "config")
    with open(config, encoding="utf-8", errors="replace") as file:
        settings = file.read().lower()
    return "[remote" in settings or "[include" in settings


def _find_only_here(
    ws: Workspace, journal: Journal, *, has_remote: bool
) -> "OnlyHereResult":
    """Return what is on this machine only."""
    if has_remote:
        # This brings git: most wikis have no remote.
        from companion.storage.git.remotes_known import find_only_here

        return find_only_here(ws.place, journal, ws.who)._asdict()
    kinds = set()
    for ref in layout.read_refs(ws.place, "refs/companion"):
        if _may_read(ws, ref):
            kinds.add("/".join(ref.split("/")[:3]))
    return {
        "captures_not_in_git": journal.loose_count(ws.who),
        "captures_on_no_remote": journal.counts(ws.who)[0],
        "commits_on_no_remote": None,  # there is no remote
        "refs": sorted(kinds),
        "originals_on_no_remote": _count_originals(ws),
    }


def _list_destinations(
    ws: Workspace, reasoner: str, model: str, *, has_remote: bool
) -> list[str]:
    """Return what may leave this machine, and for where."""
    destinations = []
    if has_remote:
        from companion.storage.git.remotes_known import list_destinations

        destinations += list_destinations(ws.place)
    if reasoner == "llm":
        destinations.append(
            "notes that a night judges, and answers that an audit does,"
            f" to the language model {model}"
        )
    return destinations


def _may_read(ws: Workspace, ref: str) -> bool:
    """Tell whether *ref* is this machine's own, and no other reader's private one."""
    if ref.startswith("refs/companion/doubted/"):
        return False
    if not ref.startswith("refs/companion/private/"):
        return True
    return ref.endswith("/" + private_name(ws.who))


def _reason_for_state_folder(ws: Workspace) -> str:
    from companion.storage.files import shared_drives

    drive = shared_drives.describe_sharing(ws.place.common_dir)
    if ws.place.moved and drive:
        return f"the wiki lies {drive}"
    if ws.place.moved:
        return "`git config companion.state` names it"
    if drive:
        return f"inside git's own, although the wiki lies {drive}"
    return "inside git's own"
