"""The documents that reads return: what `--json` prints and what render.py turns into words."""

import json
import os
import sqlite3
from collections.abc import Callable
from typing import Any

from companion.gravity.measure import describe_gravity, summarise_gravity
from companion.ledger.disputes import KIND, is_dispute_open
from companion.ledger.resolve import REVIEW, describe_resolutions, replace_ids
from companion.lookup import excerpts
from companion.operations.decay.measure import entry_vitality
from companion.operations.decay.show import count_decayed, decay_document, links_to_archived
from companion.pages.title import headline
from companion.reading import status as remarks
from companion.storage.git import layout
from companion.storage.index.tables import audits, promotions
from companion.storage.journal.journal import Journal
from companion.usage.show import describe_use, summarise_use
from companion.values.captures import Capture, Sighting, as_told
from companion.values.refusals import private_name
from companion.workspace import Workspace


def entry(ws: Workspace, db: sqlite3.Connection, id: str) -> dict[str, Any]:
    """Return one entry with its text, its flags and its neighbours."""
    columns = (
        "id, path, title, state, commit_hash, blob, vitality, gravity, gravity_protected, quarantined, last_accessed, "
        "cohesion_bucket, tombstone, managed, since, superseded_by"
    )
    row = db.execute(f"SELECT {columns} FROM entries WHERE id = ?", (id,)).fetchone()
    found = dict(zip(columns.split(", "), row, strict=True))
    for flag in ("gravity_protected", "quarantined", "tombstone", "managed"):
        found[flag] = bool(found[flag])
    text = excerpts.page_bytes(ws, found["path"], found["blob"]).decode("utf-8", "replace")
    captures = [
        capture for (capture,) in db.execute("SELECT capture FROM consumed WHERE entry = ?", (id,))
    ]
    return {
        "kind": "entry",
        **found,
        **decay_document(db, id, ws.now()),
        "successor": _named(db, found["superseded_by"]),
        "shift": promotions.told(db, id, ws.now()),
        "weight": describe_gravity(db, id, ws.now()),
        "usage": describe_use(db, id),
        "rests_on": _resting(db, id),
        "audits": audits.shown(db, id),
        "captures": captures,
        "links": {"out": _neighbours(db, id, out=True), "in": _neighbours(db, id, out=False)},
        **_missing(db, found["path"]),
        "text": text,
    }


def _named(db: sqlite3.Connection, id: str | None) -> str | None:
    row = db.execute("SELECT title FROM entries WHERE id = ?", (id,)).fetchone()
    return None if row is None else row[0]


def _resting(db: sqlite3.Connection, entry: str) -> list[dict[str, Any]]:
    """Return what *entry* rests on that fell, as far as nobody answered the question yet: each with
    the path.
    """
    query = (
        "SELECT r.flag, f.reason, r.path FROM resting r JOIN flags f ON f.flag = r.flag "
        "WHERE r.entry = ? AND r.flag NOT IN (SELECT flag FROM answers) ORDER BY r.flag"
    )
    rows = db.execute(query, (entry,)).fetchall()
    return [
        {"flag": flag, "reason": replace_ids(db, why), "path": json.loads(path)}
        for flag, why, path in rows
    ]


def capture(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> dict[str, Any]:
    """Return one capture as it was given, with every telling and where it went."""
    held, tellings = told(ws, journal, id)
    content = held.content
    outcome = _outcome(db, id)
    return {
        "kind": "capture",
        "id": id,
        "title": held.title or headline(content.decode("utf-8", "replace")),
        "path": None,
        "state": "pending" if outcome is None else outcome["outcome"],
        "blob": held.blob,
        "ingested_at": held.ingested_at,
        "channel": held.channel,
        "priority": held.priority,
        "edges": list(held.edges),
        "branch": None if db is None else _branch_of(db, id),
        "entry": None if outcome is None else outcome["entry"],
        "sightings": [telling._asdict() for telling in tellings],
        "text": content.decode("utf-8", "replace"),
    }


def told(ws: Workspace, journal: Journal, id: str) -> tuple[Capture, tuple[Sighting, ...]]:
    """Return a capture, bytes included, and its tellings, as who reads may know of them."""
    held, tellings = journal.capture(id)[0], journal.sightings(id, who=ws.who)
    if not held.content:
        from companion.storage.git.repo import Repo

        held = held._replace(content=Repo(ws.place).blob(held.blob))
    return (as_told(held, tellings[0]) if tellings else held), tellings


def reasons(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, target: str, kind: str, id: str
) -> dict[str, Any]:
    """Return the recorded decisions about something, oldest first."""
    told = [] if db is None else events(db, _ABOUT[kind], (id,))
    for event in told:
        if event["event"] == "resolved" and db is not None:
            event["reason"] = describe_resolutions(db, event["detail"]["keys"])
    if kind == "capture":
        told = [
            _ingested(ws, journal, id),
            *_withheld(ws, journal, id),
            *told,
            *_held_now(ws, db, journal, id),
        ]
    weight = describe_gravity(db, id, ws.now()) if kind == "entry" and db is not None else None
    doc = {
        "target": target,
        "kind": kind,
        "id": id,
        "title": _title(ws, db, journal, kind, id),
        "events": told,
    }
    used = describe_use(db, id) if kind == "entry" and db is not None else None
    terms = entry_vitality(db, id, ws.now()) if kind == "entry" and db is not None else None
    return {**doc, "weight": weight, "usage": used, "terms": terms}


def events(db: sqlite3.Connection, where: str, values: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the ledger's events (`e`) for which *where* holds, oldest first."""
    return [_event(*row) for row in db.execute(_EVENTS.format(where), values)]


def runs(ws: Workspace, db: sqlite3.Connection, limit: int) -> list[dict[str, Any]]:
    """Return the newest runs, each with the commit that brought its ledger file."""
    rows = db.execute(
        "SELECT run, operation, time, counts FROM runs ORDER BY time DESC, run DESC LIMIT ?",
        (limit,),
    ).fetchall()
    found = commits(ws) if rows else {}
    return [
        {
            "run": run,
            "operation": operation,
            "time": time,
            "commit": found.get(run),
            "counts": json.loads(counts),
            "summary": _summary(json.loads(counts)),
        }
        for run, operation, time, counts in rows
    ]


def status(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    as_of: Callable[[sqlite3.Connection | None], Any],
) -> dict[str, Any]:
    """Return how the wiki stands."""
    head = layout.head_branch(ws.place)
    branch = _meta(db, "branch") or head or ""
    # What was told in private waits too, but no ledger may say so (LED-11): the journal knows, and
    # tells its owner.
    away, why = held(ws, db, journal), _why_there(ws)
    waiting = _count(db, "SELECT count(*) FROM waiting") + journal.private_count(ws.who) + len(away)
    states = (
        []
        if db is None
        else db.execute("SELECT state, count(*) FROM entries GROUP BY state").fetchall()
    )
    return {
        "wiki": ws.place.root,
        "branch": branch.removeprefix("refs/heads/"),
        "head": layout.read_ref(ws.place, branch) if branch else None,
        "as_of": as_of(db),
        "entries": {"active": 0, "decaying": 0, "archived": 0, **dict(states)},
        "gravity": summarise_gravity(db),
        "fading": count_decayed(db),
        "set_aside": _count(db, "SELECT count(*) FROM pages WHERE excluded AND branch IS NULL"),
        "branches": promotions.coming(db),
        "pending": journal.open_count(ws.who),
        "usage": summarise_use(ws, db, journal),
        "waiting": waiting,
        "sightings": journal.counts(ws.who)[1],
        "held": _held_by(away),
        "runs": _count(db, "SELECT count(*) FROM runs"),
        "last_run": _last_run(db),
        "state": {"folder": ws.place.state, "why": why},
        **_reasoning(db, journal, _elsewhere(ws, journal), ws.present(journal)),
        "notes": remarks.of(ws, journal, why, head, branch),
    }


# -- the parts -------------------------------------------------------------------------------------

_MEMBER = "e.event = 'joined' AND e.entry IN (SELECT entry FROM branch_members WHERE capture = ?1)"
_OF_ENTRY = (  # what was made of its claims is told with the page that won, too
    "SELECT run, n FROM events WHERE entry = ?1 AND event <> 'used' "  # `usage` has the sum
    "UNION SELECT o.run, o.matter >> 20 FROM claims c JOIN resolutions o ON o.claim = c.id WHERE c.entry = ?1"
)
_ABOUT = {
    "run": "e.run = ?1",
    "entry": f"(e.run, e.n) IN ({_OF_ENTRY})",
    "branch": "e.subject = ?1",
    "capture": f"(e.subject = ?1 OR {_MEMBER})",
}
_EVENTS = (
    "SELECT r.time, e.run, r.operation, e.event, e.subject, e.entry, e.reason, e.data FROM events e "
    "JOIN runs r ON r.run = e.run WHERE {} ORDER BY r.time, e.run, e.n"
)


def _event(
    time: str,
    run: str,
    operation: str,
    event: str,
    subject: str,
    entry: str | None,
    reason: str,
    data: str,
) -> dict[str, Any]:
    detail = {
        k: v
        for k, v in json.loads(data).items()
        if k not in ("v", "e", "reason", "entry", "capture")
    }
    return {
        "time": time,
        "run": run,
        "operation": operation,
        "event": event,
        "subject": subject,
        "entry": entry,
        "reason": reason,
        "detail": detail,
    }


def _withheld(ws: Workspace, journal: Journal, id: str) -> list[dict[str, Any]]:
    """Say why a capture that was told in private only stays where it is."""
    tellings = journal.sightings(id, who=ws.who)
    if any(telling.scope != "private" for telling in tellings):
        return []
    return [
        {
            "time": tellings[0].seen_at,
            "run": None,
            "operation": "triage",
            "event": "waits",
            "subject": id,
            "entry": None,
            "reason": "told in private: it stays out of the wiki's branch",
            "detail": {},
        }
    ]


def _held_now(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> list[dict[str, Any]]:
    """Say which run that left the branch had consumed a capture: no ledger file on the branch may
    know.
    """
    item = held(ws, db, journal).get(id)
    if item is None:
        return []
    from companion.runs import lost_runs

    return [
        {
            "time": journal.sightings(id)[-1].seen_at,
            "run": item.run,
            "operation": "consolidate",
            "event": "held",
            "subject": id,
            "entry": None,
            "reason": lost_runs.explain_hold(item),
            "detail": {"ref": item.ref},
        }
    ]


def held(ws: Workspace, db: sqlite3.Connection | None, journal: Journal) -> dict[str, Any]:
    """Return the captures that are held, each with the run that left the branch (`app.lost`)."""
    if not layout.refs(ws.place, "refs/companion/lost"):
        return {}
    from companion.runs import lost_runs  # brings git: most wikis never lost a run
    from companion.storage.git.repo import Repo

    return lost_runs.find_held_captures(Repo(ws.place), db, journal)


def _ingested(ws: Workspace, journal: Journal, id: str) -> dict[str, Any]:
    held, tellings = told(ws, journal, id)
    times = f"told {len(tellings)} times" if len(tellings) > 1 else "told once"
    if any(not each.explicit and each.event_time != each.seen_at for each in tellings):
        times += f"; the clock was doubtful, so it is taken to have been so at {tellings[-1].event_time[:10]}"
    return {
        "time": held.ingested_at,
        "run": None,
        "operation": "triage",
        "event": "ingested",
        "subject": id,
        "entry": None,
        "reason": f"came in through {held.channel}, {times}; TRIAGE judges nothing",
        "detail": {},
    }


def _title(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, kind: str, id: str
) -> str | None:
    if kind == "entry" and db is not None:
        row = db.execute("SELECT title FROM entries WHERE id = ?", (id,)).fetchone()
        return None if row is None else str(row[0])
    return told(ws, journal, id)[0].title if kind == "capture" else None


def _neighbours(db: sqlite3.Connection, id: str, *, out: bool) -> list[dict[str, Any]]:
    here, there = ("source", "target") if out else ("target", "source")
    rows = db.execute(
        f"SELECT e.id, e.title, e.path, x.type, x.weight FROM edges x JOIN entries e ON e.id = x.{there} "
        f"WHERE x.{here} = ? ORDER BY e.path, x.type",
        (id,),
    )
    return [dict(zip(("id", "title", "path", "type", "weight"), row, strict=True)) for row in rows]


def _missing(db: sqlite3.Connection, path: str) -> dict[str, Any]:
    unresolved = _unresolved(db, path)
    known = links_to_archived(db, path, unresolved)
    names = {each["target"] for each in known}
    return {
        "unresolved": [target for target in unresolved if target not in names],
        "archived_links": known,
    }


def _unresolved(db: sqlite3.Connection, path: str) -> list[str]:
    rows = db.execute(
        "SELECT DISTINCT target FROM links WHERE page = ? AND to_path IS NULL ORDER BY target",
        (path,),
    )
    return [target for (target,) in rows]


def _outcome(db: sqlite3.Connection | None, id: str) -> dict[str, Any] | None:
    if db is None:
        return None
    row = db.execute("SELECT run, outcome, entry FROM consumed WHERE capture = ?", (id,)).fetchone()
    return None if row is None else dict(zip(("run", "outcome", "entry"), row, strict=True))


def commits(ws: Workspace) -> dict[str, str]:
    """Map each run to the commit that brought its ledger file: looked up, because a rebase changes
    it.
    """
    from companion.storage.git.repo import Repo, run_git

    args = (
        "log",
        "--format=%x00%H",
        "--diff-filter=A",
        "--name-only",
        "--no-renames",
        "-m",
        "--first-parent",
    )
    branch, where = Repo(ws.place).branch, f":(top,literal){ws.place.prefix}.companion/ledger"
    listing = run_git(ws.place, *args, branch, "--", where).decode("utf-8", "replace")
    found: dict[str, str] = {}
    for chunk in listing.split("\0")[1:]:
        commit, *names = chunk.splitlines()
        for name in filter(None, names):
            # Git quotes a path beyond ASCII; the name of a run is within. The oldest commit counts:
            # after a revert the file came back.
            found[os.path.basename(name).removesuffix('"').removesuffix(".jsonl")] = commit
    return found


_WORDS = {
    "created": ("page made", "pages made"), "grown": ("page grown", "pages grown"), "consumed": ("capture", "captures"),
    "sighted": ("told again",) * 2, "registered": ("new",) * 2, "edited": ("edited",) * 2, "renamed": ("renamed",) * 2,
    "deleted": ("deleted",) * 2, "waits": ("waiting",) * 2, "branched": ("branch opened", "branches opened"),
    "joined": ("into branches",) * 2, "promoted": ("branch won", "branches won"),
    "audited": ("audited",) * 2, "inconclusive": ("inconclusive",) * 2, "settled": ("settled",) * 2,
    "closed": ("branch closed", "branches closed"),
    "protected": ("protected",) * 2, "unprotected": ("no longer protected",) * 2,
}  # fmt: skip


def _summary(counts: dict[str, int]) -> str:
    return ", ".join(
        f"{counts[kind]} {words[counts[kind] != 1]}"
        for kind, words in _WORDS.items()
        if kind in counts
    )


def _branch_of(db: sqlite3.Connection, capture: str) -> str | None:
    row = db.execute(
        "SELECT branch FROM branch_members WHERE capture = ? AND NOT undone", (capture,)
    ).fetchone()
    return None if row is None else str(row[0])


def _meta(db: sqlite3.Connection | None, key: str) -> str | None:
    from companion.storage.index import schema as index

    return None if db is None else index.meta(db, key)


def _count(db: sqlite3.Connection | None, query: str) -> int:
    return 0 if db is None else int(db.execute(query).fetchone()[0])


def _last_run(db: sqlite3.Connection | None) -> dict[str, str] | None:
    if db is None:
        return None
    row = db.execute(
        "SELECT run, operation, time FROM runs ORDER BY time DESC, run DESC LIMIT 1"
    ).fetchone()
    return None if row is None else dict(zip(("run", "operation", "time"), row, strict=True))


def _reasoning(
    db: sqlite3.Connection | None, journal: Journal, elsewhere: dict[str, Any], now: str
) -> dict[str, Any]:
    """Return who judges, what is asked of a person, and, added to *elsewhere*, what a language
    model is shown.
    """
    from companion.storage.index.tables.verdicts import Verdicts

    name, model = _meta(db, "reasoner") or "light", _meta(db, "model") or ""
    log, asked = (
        Verdicts(journal, db),
        "SELECT flag, kind FROM flags WHERE flag NOT IN (SELECT flag FROM answers)",
    )
    said = {each.answer["flag"] for each in log.of_task(REVIEW)}
    open_ = (
        []
        if db is None
        else [
            flag
            for flag, kind in db.execute(asked).fetchall()
            if flag not in said and (kind != KIND or is_dispute_open(db, log, flag, now))
        ]
    )
    shown = [
        f"notes that a night judges, and answers that an audit does, to the language model {model}"
    ]
    return {
        **elsewhere,
        "leaves_machine": [*elsewhere["leaves_machine"], *(shown if name == "llm" else [])],
        "reasoner": f"{name}:{model}" if model else name,
        "to_review": len(open_),
        "audits": audits.summary(db),
        "to_audit": _count(db, "SELECT count(DISTINCT entry) FROM audit_queue"),
    }


def _elsewhere(ws: Workspace, journal: Journal) -> dict[str, Any]:
    """Return what is on this machine only, and what may leave it."""
    with open(
        os.path.join(ws.place.common_dir, "config"), encoding="utf-8", errors="replace"
    ) as file:
        settings = file.read().lower()
    if "remote" in settings or "include" in settings:
        # brings git: most wikis have no remote
        from companion.maintenance.remote import leaves_machine, only_here

        return {"only_here": only_here(ws, journal), "leaves_machine": leaves_machine(ws.place)}
    here = {
        "captures_not_in_git": journal.loose_count(ws.who),
        "captures_on_no_remote": journal.counts(ws.who)[0],
        "commits_on_no_remote": None,  # there is no remote
        "refs": sorted(
            {
                "/".join(ref.split("/")[:3])
                for ref in layout.refs(ws.place, "refs/companion")
                if _of(ws, ref)
            }
        ),
    }
    return {"only_here": here, "leaves_machine": []}


def _of(ws: Workspace, ref: str) -> bool:
    """Tell whether *ref* is no other's private one."""
    return not ref.startswith("refs/companion/private/") or ref.endswith("/" + private_name(ws.who))


def _why_there(ws: Workspace) -> str:
    from companion.storage.files import shared_drives

    there = shared_drives.describe_sharing(ws.place.common_dir)
    if ws.place.moved:
        return f"the wiki lies {there}" if there else "`git config companion.state` names it"
    return f"inside git's own, although the wiki lies {there}" if there else "inside git's own"


def _held_by(away: dict[str, Any]) -> list[dict[str, Any]]:
    if not away:
        return []
    from companion.runs import lost_runs

    return lost_runs.count_held(away)
