"""The operations of the sleep cycle: CONSOLIDATE, and the adoption of what a person did by hand."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from companion.app import (
    cascade,
    changes,
    claims,
    corrections,
    evidence,
    factsheets,
    late,
    lost,
    matters,
    minority,
    reasoners,
    requalify,
    review,
    signals,
    versions,
    vocabulary,
)
from companion.app.branching import Outcome
from companion.app.edits import Edit
from companion.app.judge import Tally
from companion.app.snapshot import COMPANION, Night, attempts, run_inputs
from companion.app.workspace import Workspace
from companion.core import adopt as adoption
from companion.core import consolidate as consolidation
from companion.core import links, namesakes
from companion.core.consolidate import Plan, Target, Told, Wiki
from companion.core.namesakes import Move, Namesake
from companion.model.plan import Write
from companion.store import buffer, objects, runfile
from companion.store.journal import Pending
from companion.store.objects import Pack
from companion.store.repo import EMPTY_TREE

Progress = Callable[[int], None]
Announce = Callable[[str], None]
_LISTED = 20  # pages that a commit message names; the ledger file in it has them all


def consolidate(
    ws: Workspace,
    *,
    dry_run: bool = False,
    release: bool = False,
    progress: Progress | None = None,
    max_calls: int | None = None,
    announce: Announce | None = None,
) -> dict[str, Any]:
    """Integrate the buffer into the wiki as one run (MaM §5.5). Raises Busy or TryLater with nothing changed.

    What runs had consumed that left the branch is held, unless *release*. A dry run asks the judges too: their answers
    are kept, and the run itself will not ask again. What a language model may cost is told to *announce* before it is
    asked; *max_calls* overrides the configured cap.
    """

    def once(tonight: Night) -> dict[str, Any]:
        judges = reasoners.judges(tonight.config, max_calls=max_calls)
        return _consolidate(tonight, judges, announce, dry_run=dry_run, release=release)

    return attempts(ws, "consolidate", once, progress)


def adopt(ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None) -> dict[str, Any]:
    """Take a person's unstaged edits to Markdown into the record, in their name, as one run."""
    return attempts(ws, "adopt", lambda tonight: _adopt(tonight, dry_run=dry_run), progress)


# -- consolidate ---------------------------------------------------------------------------------------------------


def _consolidate(
    tonight: Night, judges: reasoners.Judges, announce: Announce | None, *, dry_run: bool, release: bool
) -> dict[str, Any]:
    if not dry_run:
        _record_reverts(tonight)
    late.take_in(tonight)
    buffer.anchor(tonight.journal, tonight.repo)
    done = _plan_and_publish(tonight, judges, announce, dry_run=dry_run, release=release)
    if done["run"] is not None:
        tonight.refold()  # from git, like any other run; the plan has been let go by now
        tonight.journal.checkpoint()
    return done


def _record_reverts(tonight: Night) -> None:
    from companion.app import reverts  # it reads the record as this module does

    reverts.record(tonight)


def _plan_and_publish(
    tonight: Night, judges: reasoners.Judges, announce: Announce | None, *, dry_run: bool, release: bool
) -> dict[str, Any]:
    known, gone = recorded(tonight), tonight.lost()
    held = {} if release else lost.held(tonight.repo, tonight.db, tonight.journal)
    pending = [
        _told(tonight, item, gone, held) for item in tonight.journal.unsettled(anchored=True, who=tonight.ws.who)
    ]
    wiki, excluded = _wiki(tonight, pending)
    again, moment = _sighted_again(tonight), tonight.moment()
    said = claims.read(tonight, pending, again)
    quarantined = requalify.Quarantine(tonight, known)
    heard = {told.capture.id: told.sightings for told in pending} | {capture: new for capture, _, new in again}
    found = evidence.gather(
        tonight, pending, wiki, judges, announce, said,
        beside=minority.beside(tonight),
        anew=lambda found: [*quarantined.anew(found, heard), *minority.anew(tonight, known)],
    )  # fmt: skip
    watch = signals.Watch(tonight, signals.File(tonight.repo, tonight.tree))
    watch.look(pending, [capture for capture, _, _ in again], said, found.judged)
    watch.resist(found.stands)
    tonight.notes += review.contradicted(tonight)
    spoken = vocabulary.Words(tonight, pending, said)
    spoken.compensate(found.stands)
    apart = minority.decide(tonight, pending, wiki, found, again, moment, watch=watch)
    plan = consolidation.plan(
        [told for told in pending if told.capture.id not in apart.taken], apart.named(wiki), again,
        contents=tonight.contents(), stands=found.stands, unjudged=found.unjudged,
    )  # fmt: skip
    known += corrections.lines(tonight, known, moment)
    told = [] if dry_run else watch.spoken(apart.spoken(claims.lines(said, plan)))
    facts = factsheets.refresh(tonight, plan, [*known, *told], moment, [*excluded, *apart.fallen(tonight.db)])
    plan, excluded = facts.plan, {**excluded, **facts.excluded}
    writes = [Write(sheet.path, sheet.content) for sheet in plan.sheets] + facts.writes()
    blobs = {write.path: objects.blob_id(write.content or b"") for write in writes}
    moves = _renamed(tonight, {*excluded, *blobs}, {line["entry"] for line in known})
    writes += _rename(tonight, moves)
    known += namesakes.events(moves) + watch.lines() + spoken.lines(watch.flagged)
    writes += apart.files()
    settled = review.settle(tonight)
    requalified = quarantined.lines(found, {line["entry"] for line in (*settled, *apart.lines) if "entry" in line})
    lines = known + settled + apart.lines + requalified
    lines += facts.events(consolidation.events(plan, buffer.telling, blobs.__getitem__))
    placed = {**apart.joined, **quarantined.freed(requalified)}
    lines += evidence.lines(tonight, found, plan, placed, apart.decided | requalify.supporting(found, quarantined))
    report = apart.told(_report(plan, excluded, tonight.notes, len(facts.updates)))
    report["judged"] = [_tally(each) for each in found.tallies()]
    if not lines or dry_run:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    lines += told + matters.lines(tonight, [line for line in (*known, *told) if line["e"] == "claims"])
    lines += cascade.tonight(tonight, lines, tonight.present())
    answered = [line["key"] for line in settled if line["e"] == "answered"]
    inputs = run_inputs(tonight, excluded, versions.CONSOLIDATE)
    inputs |= versions.judged(found, judges, said.reader, answered)
    inputs |= {"held": sorted({item.run for item in held.values()})} if held else {}
    run = runfile.make("consolidate", moment, inputs, lines)
    subject, body = _message(plan, known, len(facts.updates), apart)
    parents, trailers = apart.parents, apart.trailers()
    commit = tonight.publish(run, writes, subject, body, author=COMPANION, parents=parents, trailers=trailers)
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


_NAMESAKES = (
    "SELECT e.id, e.path, e.blob, r.time, r.run, EXISTS (SELECT 1 FROM events m WHERE m.entry = e.id "
    "AND m.event = 'renamed') FROM pages p JOIN entries e ON e.path = p.path AND NOT e.tombstone "
    "JOIN events v ON v.entry = e.id AND v.event = 'created' JOIN runs r ON r.run = v.run "
    "WHERE e.managed AND p.base_key IN (SELECT base_key FROM pages GROUP BY base_key HAVING count(*) > 1)"
)


def _rename(tonight: Night, moves: Sequence[Move]) -> list[Write]:
    """Return what moves the pages, and note each for the person."""
    writes = []
    for move in moves:
        writes += [Write(move.path, None), Write(move.to, tonight.repo.blob(move.blob))]
        tonight.notes.append(f"{move.path} is now {move.to}: {move.reason}")
    return writes


def _renamed(tonight: Night, resting: Collection[str], told: Collection[str]) -> list[Move]:
    """Return the new names of pages that two machines gave one name; those in *resting* stay as they are tonight."""
    rows = tonight.db.execute(_NAMESAKES).fetchall()
    if not rows:
        return []
    busy = {*resting, *tonight.excluded_paths(sorted({row[1] for row in rows}))}
    found = [
        Namesake(id, path, blob, (time, run), not (moved or path in busy or id in told))
        for id, path, blob, time, run, moved in rows
    ]
    names = changes.basenames(tonight, ()) | {links.key(path) for path in busy}
    for folder in {os.path.dirname(page.path) for page in found}:
        names.update(map(links.key, os.listdir(os.path.join(tonight.ws.place.root, folder))))
    return namesakes.plan(found, names.__contains__)


def recorded(tonight: Night) -> list[dict[str, Any]]:
    """Return the events for what the person committed since the last run: new, edited, moved and deleted pages."""
    held = [
        adoption.Held(id, path, blob, bool(registered))
        for id, path, blob, registered in tonight.db.execute(
            "SELECT e.id, e.path, e.blob, e.registered FROM entries e LEFT JOIN known k ON k.id = e.id "
            "WHERE NOT e.tombstone AND (k.id IS NULL OR k.deleted OR k.path <> e.path OR k.blob <> e.blob)"
        )
    ]
    gone = tonight.db.execute(
        "SELECT k.id, k.path, k.blob, k.deleted FROM known k JOIN entries e ON e.id = k.id "
        "WHERE (e.tombstone AND NOT k.deleted) "
        "OR (NOT e.tombstone AND (k.deleted OR k.path <> e.path OR k.blob <> e.blob))"
    )
    found = adoption.compare(held, [adoption.Known(i, p, b, bool(d)) for i, p, b, d in gone])
    texts: dict[str, bytes] = {}
    if found.doubtful:
        blobs = {page.blob for page in found.arrived} | {entry.blob for entry in found.missing}
        texts = {blob: tonight.repo.blob(blob) for blob in sorted(blobs) if tonight.repo.has(blob)}
    return [_named(tonight, event) for event in adoption.settle(found, texts)]


def _named(tonight: Night, event: dict[str, Any]) -> dict[str, Any]:
    """Give the record of a deleted page its last title, so that it can still be asked for by name."""
    if event["e"] != "deleted":
        return event
    blob = tonight.db.execute("SELECT blob FROM known WHERE id = ?", (event["entry"],)).fetchone()[0]
    text = tonight.repo.blob(blob).decode("utf-8", "replace") if tonight.repo.has(blob) else ""
    return {**event, "title": tonight.rules.parse(text, event["path"]).title}


def _told(tonight: Night, item: Pending, gone: Collection[str], held: Mapping[str, lost.Gone]) -> Told:
    id, shared = item.capture.id, tuple(s for s in item.sightings if s.scope != "private")
    why = lost.reason(held[id]) if id in held else None
    if id in gone or not shared or shared[0] is item.sightings[0]:
        return Told(item.capture, shared or item.sightings, private=not shared, lost=id in gone, held=why)
    whole = item.capture._replace(content=tonight.contents()[id])
    return Told(buffer.as_told(whole, shared[0])._replace(content=b""), shared, held=why)


def _sighted_again(tonight: Night) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Return the tellings of consumed captures that no run has heard yet (TRI-8)."""
    found, known = [], []
    for capture in tonight.journal.retold():
        entry = tonight.db.execute("SELECT entry FROM consumed WHERE capture = ?", (capture,)).fetchone()
        if entry is None:
            continue
        heard = {t for (t,) in tonight.db.execute("SELECT seen_at FROM heard WHERE capture = ?", (capture,))}
        heard.add(tonight.journal.capture(capture)[0].ingested_at)  # the one that made it a capture here
        new = tuple(s for s in tonight.journal.sightings(capture) if s.seen_at not in heard and s.scope != "private")
        known += [(capture, seen_at) for seen_at in heard]
        if new:
            found.append((capture, entry[0], new))
    tonight.journal.hear(known)
    return found


def _wiki(tonight: Night, pending: Sequence[Told]) -> tuple[Wiki, dict[str, str]]:
    """Gather what CONSOLIDATE may know of the wiki for these captures, and no more."""
    keys = {links.title_key(title) for title in map(consolidation.heading, pending) if title}
    titles = {key: _bearers(tonight, key) for key in sorted(keys)}
    managed = {target.path: target for found in titles.values() for target in found if target.managed}
    excluded = {**changes.unadopted(tonight), **tonight.excluded_paths(sorted(managed))}
    texts = _Texts(tonight, {path: target.blob for path, target in managed.items() if path not in excluded})
    months = changes.months_of([told.sightings[0].event_time for told in pending])
    names = changes.basenames(tonight, months) | {links.key(path) for path in excluded}
    waiting = dict(tonight.db.execute("SELECT capture, reason FROM waiting").fetchall())
    resolves = _resolver(tonight, names)
    wiki = Wiki(titles, names.__contains__, texts, excluded, resolves, waiting, tonight.config.entries)
    return wiki, excluded


class _Texts(dict[str, str]):
    """The text of pages that may grow, read when it is asked for."""

    def __init__(self, tonight: Night, blobs: dict[str, str]) -> None:
        super().__init__()
        self._tonight, self._blobs = tonight, blobs

    def __missing__(self, path: str) -> str:
        return self._tonight.repo.blob(self._blobs[path]).decode("utf-8", "surrogateescape")


def _bearers(tonight: Night, key: str) -> list[Target]:
    rows = tonight.db.execute(
        "SELECT DISTINCT e.id, e.path, e.blob, e.managed FROM names n JOIN entries e ON e.path = n.page "
        "WHERE n.key = ? AND NOT e.tombstone AND NOT e.quarantined AND e.state = 'active' ORDER BY e.path",
        (key,),
    )
    return [Target(id, path, blob, bool(managed)) for id, path, blob, managed in rows]


def _resolver(tonight: Night, names: set[str]) -> Callable[[str], bool]:
    def resolves(target: str) -> bool:
        key = links.title_key(target)
        named = "SELECT 1 FROM names WHERE key = ? LIMIT 1"
        return links.key(target) in names or tonight.db.execute(named, (key,)).fetchone() is not None

    return resolves


def _message(plan: Plan, known: Sequence[dict[str, Any]], facts: int, apart: Outcome) -> tuple[str, str]:
    captures = sum(len(sheet.captures) for sheet in plan.sheets)
    subject = f"consolidate: {_many(captures, 'capture')} into {_many(len(plan.sheets), 'page')}"
    if not plan.sheets:
        what = Counter(event["e"] for event in known if event["e"] != "claims") + apart.counted()
        what.update({"facts updated": facts})
        what.update(sighted=len(plan.sighted), waits=sum(wait.new and not wait.told.private for wait in plan.waits))
        subject = "consolidate: " + ", ".join(f"{count} {kind}" for kind, count in sorted(what.items()) if count)
    lines = [f"{sheet.path}: {sheet.reason}" for sheet in plan.sheets[:_LISTED]]
    if len(plan.sheets) > _LISTED:
        lines.append(f"… and {len(plan.sheets) - _LISTED} more; the ledger file has them all")
    return subject, "\n".join(lines + apart.words())


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _tally(tally: Tally) -> dict[str, Any]:
    return {**tally._asdict(), "said": str(tally)}


def _report(plan: Plan, excluded: dict[str, str], notes: Sequence[str], facts: int) -> dict[str, Any]:
    integrated = [
        {
            "capture": told.capture.id,
            "entry": sheet.entry,
            "path": sheet.path,
            "title": sheet.title,
            "bucket": sheet.cohesion.bucket,
            "quarantined": sheet.cohesion.bucket == "low",
            "reason": sheet.reason,
        }
        for sheet in plan.sheets
        for told in sheet.captures
    ]
    counts = {
        "captures": len(integrated),
        "created": sum(sheet.base_blob is None for sheet in plan.sheets),
        "grown": sum(sheet.base_blob is not None for sheet in plan.sheets),
        "sighted": len(plan.sighted),
        "waiting": len(plan.waits),
        "facts": facts,
    }
    return {
        "integrated": integrated,
        "waiting": [{"capture": told.capture.id, "reason": reason} for told, reason, _ in plan.waits],
        "left_out": [{"path": path, "reason": reason} for path, reason in sorted(excluded.items())],
        "counts": counts,
        "notes": list(notes),
    }


# -- adopt ---------------------------------------------------------------------------------------------------------


def _adopt(tonight: Night, *, dry_run: bool) -> dict[str, Any]:
    if not dry_run:
        _record_reverts(tonight)
    late.take_in(tonight)
    edits, left_out = changes.unstaged(tonight)
    return record_edits(tonight, edits, left_out, "adopt", dry_run=dry_run)


def record_edits(
    tonight: Night,
    edits: Sequence[Edit],
    left_out: dict[str, str],
    operation: str,
    *,
    extra: Iterable[Write] = (),
    dry_run: bool = False,
) -> dict[str, Any]:
    """Commit the person's *edits* together with the run that records them, as one commit in their name.

    The index folds the edited tree first, to learn which entry each page is, and the ledger file after the
    branch has moved, in one transaction: no reader sees the one without the other.
    """
    with Pack(tonight.ws.place.common_dir) as pack:
        edited = changes.edited_tree(tonight, pack, edits)
    with tonight.folding(edited) as session:
        lines, moment = recorded(tonight), tonight.moment()
        corrected = corrections.lines(tonight, lines, moment)
        paths = {line["entry"]: line["path"] for line in lines}
        tonight.notes += [f"{paths[line['entry']]} {line['reason']}" for line in corrected[:_LISTED]]
        report = _adopted(lines, left_out, tonight.notes)
        extra = list(extra)
        if dry_run or not (lines or extra or edited != (tonight.tree or EMPTY_TREE)):
            return {"run": None, "commit": None, **report, "dry_run": dry_run}
        inputs = run_inputs(tonight, left_out, versions.ADOPT)
        run = runfile.make(operation, moment, {**inputs, "tree": edited}, [*lines, *corrected])
        commit = session.publish(run, edits, extra, *_adopt_message(operation, lines, len(edits)))
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


_KINDS = {"registered": "new", "edited": "edited", "renamed": "renamed", "deleted": "deleted"}


def _adopted(lines: Sequence[dict[str, Any]], left_out: dict[str, str], notes: Sequence[str]) -> dict[str, Any]:
    report: dict[str, Any] = {name: [] for name in _KINDS.values()}
    for line in lines:
        item = {key: line[key] for key in ("entry", "path", "from", "reason") if key in line}
        report[_KINDS[line["e"]]].append(item)
    report["left_out"] = [{"path": path, "reason": reason} for path, reason in sorted(left_out.items())]
    report["notes"] = list(notes)
    return report


def _adopt_message(operation: str, lines: Sequence[dict[str, Any]], edits: int) -> tuple[str, str]:
    what = Counter(_KINDS[line["e"]] for line in lines)
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(what.items()))
    words = words or (_many(edits, "file") if edits else "an empty wiki" if operation == "init" else "nothing new")
    shown = [f"{line['path']}: {line['reason']}" for line in lines[:_LISTED]]
    if len(lines) > _LISTED:
        shown.append(f"… and {len(lines) - _LISTED} more; the ledger file has them all")
    return f"{operation}: {words}", "\n".join(shown)
