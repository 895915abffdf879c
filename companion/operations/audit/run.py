"""`audit`: suspend load-bearing entries one by one, in this process only, and record what that
changes (MaM §5.8).

Nothing but records comes of it: all of them are durable in one commit before `settle` does what
follows (AUD-4).
"""

import hashlib
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from companion.answers.claim_graph import question_words
from companion.gravity.measure import carry_pass_over, weigh_entries
from companion.judges.run_input import comparing_input
from companion.lookup import index as reads
from companion.operations.audit import ask_judge, query_set, replay
from companion.operations.audit import verdict as auditing
from companion.operations.audit.ask_judge import Announce, Jury
from companion.operations.audit.judged_answers import Judged
from companion.operations.audit.query_set import Asked, Challenge, Probe
from companion.operations.audit.replay import Replay
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.audit.verdict import Change, Consequence, Evidence, Matter, Verdict
from companion.runs import owned_lines
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, run_inputs
from companion.storage import ledger_file
from companion.storage.index import suspension
from companion.storage.index.tables import audits, claims, minority, promotions, routing
from companion.storage.index.tables import use as usage
from companion.storage.index.tables.audits import Record
from companion.usage.record_in_run import record_uses
from companion.values import time as times
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

Progress = Callable[[int], None]

NOBODY = ""  # who replays: no private telling is theirs
_MATTERS = 40  # of an entry, that are looked at
_NEAR = 30  # neighbours whose questions are asked, too
_SAID = 12  # words of a branch's member that make a question
_PRESSES = 0.5  # share of the threshold from which a branch's pressure is heard
_LATELY = timedelta(days=180)  # how long an opening by name speaks for an entry
_LISTED = 20
_WORD = re.compile(r"\w+")


class Chosen(NamedTuple):
    """An entry that is to be audited, and why."""

    entry: str
    title: str
    path: str
    why: str


class Found(NamedTuple):
    """What one suspension showed, and what follows."""

    chosen: Chosen
    evidence: Evidence
    verdict: Verdict
    follows: Consequence | None
    sunk: int  # entries that it links to and that weighed more while it was there


def audit(
    ws: Workspace,
    *,
    top: int = auditing.TOP_N,
    entries: Sequence[str] = (),
    dry_run: bool = False,
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> dict[str, Any]:
    """Audit the *top* entries by gravity with what is queued or decaying, or just *entries*; record
    what was found.

    A dry run asks a language model too: its answers are kept, and the run itself will not ask
    again. What that may cost is told to *announce* before. Raises NothingFound or Ambiguous for a
    target that names no entry, Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws,
        "audit",
        lambda tonight: _audit(tonight, top, entries, announce, dry_run=dry_run),
        progress,
    )


def _audit(
    tonight: Run, top: int, targets: Sequence[str], announce: Announce | None, *, dry_run: bool
) -> dict[str, Any]:
    if not dry_run:
        record_uses(tonight)  # what was asked today is news to an audit, too
    now = tonight.moment()
    weigh_entries(tonight)
    known = audits.newest(tonight.db)
    chosen, skipped = _choose(
        tonight, top, [_entry(tonight, target) for target in targets], known, now
    )
    jury = ask_judge.jury(tonight, len(chosen), announce)
    found = list(_found(tonight, chosen, known, now, jury))
    report = _report(found, skipped, jury, tonight.notes)
    lines = [line for each in found for line in _lines(each, now)]
    if dry_run or not lines:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    inputs = {
        **run_inputs(tonight, {}, AUDIT_RULES),
        "top": top,
        "entries": [each.entry for each in chosen],
    }
    if jury is not None:
        inputs |= comparing_input(jury.comparer, jury.used)
        lines = jury.lines() + lines
    run = ledger_file.make("audit", now, inputs, lines)
    commit = tonight.publish(run, [], *_message(found), author=COMPANION)
    tonight.refold()
    carry_pass_over(tonight)
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


# -- which -----------------------------------------------------------------------------------------

_HEAVY = (
    "SELECT e.id FROM gravity g JOIN entries e ON e.id = g.entry WHERE NOT e.tombstone AND e.state = 'active' "
    "AND NOT e.quarantined AND g.base > 0 ORDER BY round(g.base, 6) DESC, e.id LIMIT ?"
)
_DECAYING = "SELECT id FROM entries WHERE state = 'decaying' AND NOT tombstone ORDER BY id"


def _entry(tonight: Run, target: str) -> str:
    kind, id = reads.find(tonight.ws, tonight.db, tonight.journal, target)
    if kind != "entry":
        raise reads.NothingFound(f"{target!r} is no entry", hint="Only entries are audited.")
    return id


def _choose(
    tonight: Run, top: int, named: Sequence[str], known: Mapping[str, Record], now: str
) -> tuple[list[Chosen], list[dict[str, Any]]]:
    """Return what is audited now, and what was audited too lately (AUD-7)."""
    db = tonight.db
    if named:
        return [_chosen(db, entry, "asked for by name") for entry in dict.fromkeys(named)], []
    wanted = {
        each.entry: (f"row {each.row} of the matrix queued it", each.since)
        for each in routing.queue(db)
    }
    for (entry,) in db.execute(_DECAYING):
        wanted.setdefault(entry, ("it is decaying, and an audit is to confirm that", ""))
    for place, (entry,) in enumerate(db.execute(_HEAVY, (top,)), 1):
        wanted.setdefault(entry, (f"number {place} by gravity", ""))
    chosen, skipped = [], []
    for entry, (why, queued) in wanted.items():
        last, each = known.get(entry), _chosen(db, entry, why)
        if not each.path:
            continue  # archived while it was in the queue
        if last is None or queued > last.since or times.days(last.since, now) >= auditing.EVERY:
            chosen.append(each)
        else:
            skipped.append(
                {**_named(each), "last": last.since, "next": _later(last.since, auditing.EVERY)}
            )
    return chosen, skipped


def _chosen(db: sqlite3.Connection, entry: str, why: str) -> Chosen:
    row = db.execute(
        "SELECT title, path FROM entries WHERE id = ? AND NOT tombstone", (entry,)
    ).fetchone()
    return Chosen(entry, row[0] if row else "", row[1] if row else "", why)


# -- what suspending shows -------------------------------------------------------------------------


def _found(
    tonight: Run,
    chosen: Sequence[Chosen],
    known: Mapping[str, Record],
    now: str,
    jury: Jury | None,
) -> Iterator[Found]:
    db = suspension.open_(tonight.ws.place.index_db)
    assert db is not None  # the night has folded it
    quiet = Workspace(tonight.ws.place, tonight.ws.now(), who=NOBODY)
    try:
        again, factors = Replay(quiet, db, now), routing.factors(tonight.db)
        for n, each in enumerate(chosen):
            yield _suspended(
                tonight, again, each, known.get(each.entry), factors.get(each.entry, 1.0), jury
            )
            if tonight.progress is not None:
                tonight.progress(n + 1)
    finally:
        db.close()


def _suspended(
    tonight: Run,
    again: Replay,
    chosen: Chosen,
    last: Record | None,
    factor: float,
    jury: Jury | None,
) -> Found:
    db, entry = tonight.db, chosen.entry
    shift = promotions.fallen(db).get(entry)
    probes = _probes(tonight, entry, chosen.title)
    matters = replay.matters_of(again.db, entry, _MATTERS)
    before = {probe.id: again.ranking(probe) for probe in probes}
    stood, weights = again.standing(matters), _weights(again.db)
    with again.without(entry):
        after = {probe.id: again.ranking(probe) for probe in probes}
        stands, without = again.standing(matters), _weights(again.db)
        wanted = [] if jury is None else jury.wanted(again, entry, probes, before, after)
    judged = {} if jury is None else jury.judge(again, entry, wanted, before)
    changes = [auditing.change(entry, probe, before[probe.id], after[probe.id]) for probe in probes]
    kinds = [_matter(db, entry, key, stood[key], stands[key]) for key in matters]
    evidence = Evidence(
        changes,
        [each for each in kinds if each is not None],
        _by_name(db, entry, again.now),
        lost=shift is not None,
        since="" if last is None else last.since,
        judged=judged,
        judge="" if jury is None else jury.name,
    )
    verdict = auditing.judge(entry, evidence)
    follows = None
    if verdict.result is not None:
        poor = [
            r
            for r in audits.of_entry(db, entry)
            if r.state == "closed" and auditing.is_poor(r.poor)
        ]
        cycles = len(poor) + auditing.is_poor(verdict.poor)
        bearing = db.execute(
            "SELECT gravity_protected FROM entries WHERE id = ?", (entry,)
        ).fetchone()[0]
        follows = auditing.follow(
            verdict.result, factor=factor, poor_cycles=cycles, protected=bool(bearing)
        )
    sunk = sum(without.get(other, 0.0) < weights.get(other, 0.0) for other in _supported(db, entry))
    return Found(chosen, evidence, verdict, follows, sunk)


def _supported(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return what *entry* links to: all others weigh less merely because the wiki is smaller
    without it.
    """
    query = "SELECT DISTINCT target FROM edges WHERE source = ?1 AND target <> ?1 AND type <> 'contradicts'"
    return [target for (target,) in db.execute(query, (entry,))]


def _weights(db: sqlite3.Connection) -> dict[str, float]:
    return {entry: round(base, 6) for entry, base in db.execute("SELECT entry, base FROM gravity")}


def _probes(tonight: Run, entry: str, title: str) -> list[Probe]:
    db = tonight.db
    asked = [_asked(query) for query in usage.queries(db, entry)]
    own, names = {each.id for each in asked}, _names(db, entry, title)
    near = [
        _asked(query)
        for other in _neighbours(db, entry)
        for query in usage.queries(db, other)
        if query.id not in own
    ]
    near = sorted(
        {each.id: each for each in near}.values(), key=lambda each: (each.at, each.id), reverse=True
    )
    near, against = [*_after_the_shift(tonight, entry), *near], _challenges(tonight, entry)
    little = frozenset[str]().union(*(question_words(each.words).stop for each in (*asked, *near)))
    return query_set.choose(entry, names, asked, near, against, little)


def _asked(query: usage.Query) -> Asked:
    return Asked(
        query.id, query.at, query.words, query.verb, query.shown, query.opened, query.outcome
    )


def _names(db: sqlite3.Connection, entry: str, title: str) -> list[str]:
    query = (
        "SELECT n.key FROM names n JOIN entries e ON e.path = n.page WHERE e.id = ? ORDER BY n.key"
    )
    return [title, *(key for (key,) in db.execute(query, (entry,)))]


def _neighbours(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return what rests on *entry* and what it rests on."""
    query = (
        "SELECT source FROM edges WHERE target = ?1 AND type <> 'contradicts' UNION "
        "SELECT target FROM edges WHERE source = ?1 AND type <> 'contradicts' ORDER BY 1 LIMIT ?2"
    )
    return [other for (other,) in db.execute(query, (entry, _NEAR))]


def _challenges(tonight: Run, entry: str) -> list[Challenge]:
    """Return what the members of open branches say against *entry*, as far as their pressure is
    worth hearing.
    """
    return [
        Challenge(f"{branch.name}/{member.capture[:12]}", _said(tonight, member), share)
        for branch in minority.branches(tonight.db)
        if branch.state == "open"
        and branch.incumbent == entry
        and (share := _share(branch)) >= _PRESSES
        for member in minority.members(tonight.db, branch.name)
    ]


def _share(branch: minority.Branch) -> float:
    return (
        min(1.0, branch.pressure / branch.threshold)
        if branch.pressure and branch.threshold
        else 0.0
    )


def _after_the_shift(tonight: Run, entry: str) -> list[Asked]:
    """Return questions in the words of those to whom *entry* lost its place: what took it is what
    answers them.
    """
    shift = promotions.fallen(tonight.db).get(entry)
    if shift is None:
        return []
    return [
        Asked(
            f"{shift.branch}/{each.capture[:12]}",
            "",
            _said(tonight, each),
            "search",
            (),
            (shift.entry,),
            None,
        )
        for each in minority.members(tonight.db, shift.branch)
    ]


def _said(tonight: Run, member: minority.Member) -> str:
    """Return the first words of a voice."""
    text = owned_lines.member_text(tonight, member.blob, member.capture)
    return " ".join(_WORD.findall(without_frontmatter(text))[:_SAID])


def _by_name(db: sqlite3.Connection, entry: str, now: str) -> int:
    """Return how often *entry* was read lately that no question explains."""
    record = next(usage.records(db, entry), None)
    if record is None or record.last is None or times.days(record.last, now) > _LATELY.days:
        return 0
    explained = sum(entry in each.opened for each in usage.queries(db, entry))
    return max(0, record.opened - explained)


def _matter(
    db: sqlite3.Connection,
    entry: str,
    key: tuple[str, str],
    stood: Mapping[str, Collection[str]],
    stands: Mapping[str, Collection[str]],
) -> Matter | None:
    """Return what one matter is without the entry; None for what nobody else speaks of, and nothing
    rests on.
    """
    name = " · ".join(key)
    if stood.keys() == stands.keys():
        return Matter(name, "same")
    if not stands:
        return Matter(name, "needed") if _is_rested_on(db, entry, claims.name_of(key[0])) else None
    voices = {voice for value in stands for voice in stands[value]}
    return Matter(name, "contradicted", len(voices)) if len(voices) >= auditing.SEVERAL else None


def _is_rested_on(db: sqlite3.Connection, entry: str, name: str) -> bool:
    query = (
        "SELECT 1 FROM claims c JOIN edges x ON x.source = c.entry AND x.target = ?1 "
        "WHERE c.value_name = ?2 AND c.withdrawn_at IS NULL LIMIT 1"
    )
    return db.execute(query, (entry, name)).fetchone() is not None


# -- what is written and told ----------------------------------------------------------------------


def _lines(found: Found, now: str) -> list[dict[str, Any]]:
    entry, verdict = found.chosen.entry, found.verdict
    numbers = dict(verdict.numbers)
    if verdict.result is None or found.follows is None:
        return [{"e": "inconclusive", "entry": entry, "numbers": numbers, "reason": verdict.reason}]
    record = hashlib.sha256(f"{now} {entry}".encode()).hexdigest()[:12]
    closed = {
        "e": "audited",
        "entry": entry,
        "audit": record,
        "result": verdict.result,
        "outcome": found.follows.outcome,
        "factor": found.follows.factor,
        "poor": verdict.poor,
        "numbers": numbers,
        "reason": f"{verdict.reason}: {found.follows.reason}",
    }
    return [{"e": "auditing", "entry": entry, "audit": record, "reason": found.chosen.why}, closed]


def _message(found: Sequence[Found]) -> tuple[str, str]:
    results = [each.verdict.result or "inconclusive" for each in found]
    counts = ", ".join(f"{results.count(kind)} {kind}" for kind in dict.fromkeys(sorted(results)))
    shown = [
        f"{each.chosen.entry}: {each.verdict.result or 'inconclusive'}; {each.verdict.reason}"
        for each in found
    ]
    more = (
        [f"… and {len(shown) - _LISTED} more; the ledger file has them all"]
        if len(shown) > _LISTED
        else []
    )
    return f"audit: {counts}", "\n".join(shown[:_LISTED] + more)


def _report(
    found: Sequence[Found],
    skipped: Sequence[dict[str, Any]],
    jury: Jury | None,
    notes: Sequence[str],
) -> dict[str, Any]:
    asked = [] if jury is None else jury.tally()
    return {
        "audited": [_shown(each) for each in found],
        "skipped": list(skipped),
        "judged": asked,
        "notes": list(notes),
    }


def _shown(found: Found) -> dict[str, Any]:
    follows = found.follows
    judged = {each.probe: each for each in found.evidence.judged.values()}
    return {
        **_named(found.chosen),
        "why": found.chosen.why,
        "result": found.verdict.result,
        "outcome": None if follows is None else follows.outcome,
        "reason": found.verdict.reason,
        "follows": None if follows is None else follows.reason,
        "factor": None if follows is None else follows.factor,
        "numbers": dict(found.verdict.numbers),
        "lighter": found.sunk,
        "questions": [
            _question(each, judged.get(each.probe.id)) for each in found.evidence.changes
        ],
        "matters": [
            {"key": each.key, "kind": each.kind, "voices": each.voices}
            for each in found.evidence.matters
        ],
    }


def _question(each: Change, judged: Judged | None) -> dict[str, Any]:
    said = (
        None
        if judged is None
        else {name: value for name, value in judged._asdict().items() if name != "probe"}
    )
    return {
        "words": each.probe.words,
        "kind": each.probe.kind,
        "group": each.probe.group,
        "place": each.before,
        "change": round(each.delta, 4),
        "tested": each.tested,
        "missed": list(each.missed),
        "judged": said,
    }


def _named(chosen: Chosen) -> dict[str, Any]:
    return {"entry": chosen.entry, "title": chosen.title, "path": chosen.path}


def _later(since: str, days: int) -> str:
    return times.format_instant(datetime.fromisoformat(since) + timedelta(days=days))
