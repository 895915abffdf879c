"""Describe a night of CONSOLIDATE: the document of `--json`, and the commit message."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.adoption.run import LISTED
from companion.comparison import consistency
from companion.comparison.consistency import Page
from companion.comparison.evidence import Evidence
from companion.comparison.pending import ConsolidationPlan
from companion.judges.ask import describe_tally
from companion.minority.outcome import Outcome
from companion.operations.consolidate.events import is_news
from companion.usage.record_in_run import UseRecords
from companion.values.events import LedgerLine
from companion.values.wording import many

if TYPE_CHECKING:
    from companion.minority.results import (
        Waiting,
    )
    from companion.operations.consolidate.results import (
        IntegratedCapture,
        NightReport,
        RelationResult,
    )
    from companion.values.results import (
        LeftOut,
    )

# characters of titles in a commit's subject
TITLES_IN_SUBJECT = 40
# what a commit's subject calls one event, and several; others go by their names
_EVENT_WORDS = {
    "aliased": ("name taken over", "names taken over"),
    "branched": ("branch opened", "branches opened"),
    "followed": ("branch lost", "branches lost"),
    "joined": ("capture joined a branch", "captures joined branches"),
    "sighted": ("capture told again", "captures told again"),
    "rejected": ("note taken back", "notes taken back"),
    "expired": ("note expired", "notes expired"),
    "waits": ("capture waits", "captures wait"),
    "with new facts": ("page with new facts", "pages with new facts"),
}


def describe_night(
    plan: ConsolidationPlan,
    outcome: Outcome,
    evidence: Evidence,
    excluded: Mapping[str, str],
    notes: Sequence[str],
    uses: UseRecords,
    *,
    pages_with_new_facts: int,
) -> "NightReport":
    """Return the document of a night, without its run and commit."""
    integrated = _describe_integrated(plan, _relations(plan, outcome, evidence))
    waiting: list[Waiting] = [
        {"capture": each.told.capture.id, "reason": each.reason}
        for each in plan.waits
    ]
    waiting += outcome.list_waiting()
    left_out: list[LeftOut] = [
        {"path": path, "reason": reason}
        for path, reason in sorted(excluded.items())
    ]
    counts = {
        "captures": len(integrated),
        "created": sum(page.base_blob is None for page in plan.pages),
        "grown": sum(page.base_blob is not None for page in plan.pages),
        "sighted": len(plan.sighted),
        "waiting": len(waiting),
        "facts": pages_with_new_facts,
        **outcome.count_report(),
    }
    if uses.lines:
        counts["used"] = uses.entries
    return {
        "integrated": integrated,
        "waiting": waiting,
        "left_out": left_out,
        "counts": counts,
        "notes": list(notes),
        "branches": outcome.report,
        "judged": [describe_tally(tally) for tally in evidence.tallies()],
    }


def describe_block_moves(plan: ConsolidationPlan) -> list[str]:
    """Return a sentence for each page to which notes of earlier nights move."""
    sentences = []
    for page in plan.pages:
        if page.moves:
            count = many(len(page.moves), "earlier note")
            sentences.append(f"moves {count} to {page.path}")
    return sentences


def commit_message(
    plan: ConsolidationPlan,
    outcome: Outcome,
    known: Sequence[LedgerLine],
    *,
    pages_with_new_facts: int,
) -> tuple[str, str]:
    """Return the subject and the body of the night's commit.

    The subject counts what the night did and names pages, so that `git log` of a page reads like
    its story. The body names the first pages with their reasons; the ledger file has them all.
    """
    parts = [f"minority/{name} won" for name in outcome.promoted]
    if plan.pages:
        captures = sum(len(page.captures) for page in plan.pages)
        # others only link notes that stand elsewhere
        titles = [page.title for page in plan.pages if page.captures]
        parts.append(f"{many(captures, 'capture')} into {_name_some(titles)}")
        counted = outcome.count_events()
    else:
        counted = _count_events(plan, outcome, known, pages_with_new_facts)
    parts += _describe_counts(counted)
    body = [*_describe_pages(plan), *outcome.describe_changes()]
    return "consolidate: " + ", ".join(parts), "\n".join(body)


def _describe_counts(counted: Mapping[str, int]) -> Iterator[str]:
    """Yield how many events of each kind there were: "2 claims settled"."""
    for event, count in sorted(counted.items()):
        if count:
            one, several = _EVENT_WORDS.get(event, (event, event))
            yield f"{count:,} {one if count == 1 else several}"


def _describe_pages(plan: ConsolidationPlan) -> list[str]:
    """Return the first pages with their reasons, and how many more there are."""
    lines = [f"{page.path}: {page.reason}" for page in plan.pages[:LISTED]]
    more = len(plan.pages) - LISTED
    if more > 0:
        lines.append(f"… and {more} more; the ledger file has them all")
    return lines


def _name_some(titles: Sequence[str]) -> str:
    """Return the first of *titles* as far as a subject has room, and how many more there are."""
    named: list[str] = []
    room = TITLES_IN_SUBJECT
    for title in titles:
        room -= len(title)
        if room < 0:
            break
        named.append(title)
    more = len(titles) - len(named)
    if not named:
        return many(more, "page")
    if more:
        named.append(f"{more} more")
    return ", ".join(named)


def _count_events(
    plan: ConsolidationPlan,
    outcome: Outcome,
    known: Sequence[LedgerLine],
    pages_with_new_facts: int,
) -> Counter[str]:
    """Count what a night without new pages did, by the words of its commit subject."""
    counted = outcome.count_events()
    counted.update(line["e"] for line in known if line["e"] != "claims")
    counted["with new facts"] += pages_with_new_facts
    counted["sighted"] += len(plan.sighted)
    counted["waits"] += sum(map(is_news, plan.waits))
    return counted


def _describe_integrated(
    plan: ConsolidationPlan, relations: "Mapping[str, list[RelationResult]]"
) -> "list[IntegratedCapture]":
    described: list[IntegratedCapture] = []
    for page in plan.pages:
        for note in page.notes:
            capture = note.told.capture.id
            described.append(
                {
                    "capture": capture,
                    "entry": page.entry,
                    "path": page.path,
                    "title": page.title,
                    "bucket": note.cohesion.bucket,
                    "quarantined": note.cohesion.bucket == "low",
                    "relations": relations[capture],
                    "reason": note.reason,
                }
            )
    return described


def _relations(
    plan: ConsolidationPlan, outcome: Outcome, evidence: Evidence
) -> "dict[str, list[RelationResult]]":
    """Return how each integrated capture stands to other pages, by capture."""
    integrated: dict[str, Page] = {}
    for planned in plan.pages:
        page = Page(planned.entry, planned.path)
        integrated.update((told.capture.id, page) for told in planned.captures)
    pages = {**outcome.pages_by_capture(), **integrated}
    relations: dict[str, list[RelationResult]] = {}
    for capture in integrated:
        related = consistency.list_relations(
            evidence.judged.get(capture, ()), pages
        )
        relations[capture] = [each._asdict() for each in related]
    return relations
