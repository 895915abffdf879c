"""Bring what shards have of one subject to the shard that bears it, as input of its next night.

What another shard says differently arrives there as that shard's own note: a voice among others,
which a night weighs by its rules. All findings, each with its reason, become a file in the shard's
tree by a run of its own, so that the index there stays a function of the tree. They are advice:
nothing protects a page here, or takes its protection away, because of them.
"""

import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.fleet.night import describe_problem, list_folders
from companion.operations.triage.capture import ingest
from companion.reading.entry.other_shards import PATH
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.postgres import compare, tables
from companion.storage.postgres.compare import (
    Different,
    Inbound,
    SameTitle,
    Weighed,
)
from companion.storage.postgres.connect import NotProjected, connect
from companion.values.captures import Draft
from companion.values.decisions import Write
from companion.values.wording import many
from companion.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from companion.fleet.results import ComparedShard, CompareResult

VERSION = "fleet-1"
AGENT = "fleet"
ALL = "all shards"


class Finding(NamedTuple):
    """One thing that another shard has to say to the owner of a subject."""

    owner: str
    kind: str  # contradiction, duplicate subject, inbound links, gravity
    other: str
    about: str
    reason: str
    note: Draft | None = None  # what is told to the owner


def compare_shards(shards: Sequence[str], database: str) -> "CompareResult":
    """Compare all shards in *database*, and tell those in the folders *shards* what concerns them.

    Raises NotProjected, PostgresDown and its like.
    """
    with connect(database) as pg:
        if not tables.list_tips(pg):
            raise NotProjected
        findings = [
            *map(_tell_difference, compare.list_different(pg)),
            *map(_tell_duplicate, compare.list_same_titles(pg)),
            *map(_tell_links, compare.list_inbound(pg)),
            *map(_tell_weight, compare.list_weighed(pg)),
        ]
    told = [_tell(one, findings) for one in list_folders(shards)]
    codes = [one["exit_code"] for one in told if one["problem"]]
    return {
        "findings": [
            {
                "owner": one.owner,
                "kind": one.kind,
                "other": one.other,
                "about": one.about,
                "reason": one.reason,
            }
            for one in findings
        ],
        "compared": told,
        "set_aside": len(codes),
        "exit_code": next(iter(codes), 0),
    }


def _tell_difference(one: Different) -> Finding:
    matter = f"{one.subject} · {one.predicate}"
    name = os.path.basename(one.other)
    words = one.words or f"{one.subject} {one.predicate} {one.there}."
    reason = (
        f"{name} says {matter}: {one.there} (told {one.told_at[:10]}); "
        f"here it is {one.here}"
    )
    note = Draft(
        words,
        event_time=one.told_at,
        channel=AGENT,
        source=f"shard {name}",
        agent=AGENT,
    )
    return Finding(one.owner, "contradiction", one.other, matter, reason, note)


def _tell_duplicate(one: SameTitle) -> Finding:
    name = os.path.basename(one.other)
    reason = f"{name} has a page of this title, too: {one.other_path}"
    return Finding(one.owner, "duplicate subject", one.other, one.path, reason)


def _tell_links(one: Inbound) -> Finding:
    name = os.path.basename(one.other)
    pages = many(one.pages, "page")
    reason = f"{pages} of {name} link to it, and no page there has its name"
    return Finding(one.owner, "inbound links", one.other, one.path, reason)


def _tell_weight(one: Weighed) -> Finding:
    reason = (
        f"over all shards {many(one.pages, 'page')} link to it, {one.here} of them here; "
        f"of 100 other pages {one.percentile} have fewer"
    )
    return Finding(one.owner, "gravity", ALL, one.path, reason)


def _tell(shard: str, findings: Iterable[Finding]) -> "ComparedShard":
    mine = [one for one in findings if one.owner == shard]
    notes, run = 0, None
    why = describe_problem(None)
    try:
        ws = open_workspace(shard)
        notes = _capture(ws, mine)
        run = _record(ws, mine)
    # a shard that is damaged, in whatever way, must not stop the others
    except Exception as error:  # noqa: BLE001
        why = describe_problem(error)
    return {
        "shard": shard,
        "findings": len(mine),
        "notes": notes,
        "run": run,
        **why,
    }


def _capture(ws: Workspace, findings: Iterable[Finding]) -> int:
    """Let the owner hear the notes; return how many are new: what it heard it hears once."""
    drafts = [one.note for one in findings if one.note is not None]
    if not drafts:
        return 0
    return int(ingest(ws, drafts)["counts"]["captured"])


def _record(ws: Workspace, findings: Iterable[Finding]) -> str | None:
    """Write *findings* into the shard's file, as one run; None where it says so already."""
    content = encode_findings(findings)

    def once(run: Run) -> str | None:
        blob = run.repo.subtree(run.tree, PATH)
        before = b"" if blob is None else run.repo.blob(blob)
        if before == content:
            return None
        count = content.count(b"\n")
        inputs = make_inputs(run, {}, {"fleet": VERSION})
        record = ledger_file.make_run("fleet", run.moment(), inputs, [])
        subject = f"fleet: {many(count, 'finding')} of other shards"
        body = "What other shards have of subjects that this one bears."
        writes = [Write(PATH, content)]
        run.publish(record, writes, subject, body, author=COMPANION)
        run.refold()
        return record.id

    return run_with_retries(ws, "fleet", once, None)


def encode_findings(findings: Iterable[Finding]) -> bytes:
    """Return the file that says *findings*, one a line."""
    lines = set()
    for one in findings:
        fields = {
            "kind": one.kind,
            "other": os.path.basename(one.other),
            "about": one.about,
            "reason": one.reason,
        }
        lines.add(json.dumps(fields, sort_keys=True, ensure_ascii=False))
    return "".join(f"{line}\n" for line in sorted(lines)).encode()
