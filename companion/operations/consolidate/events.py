"""Make the ledger lines of a night: verdicts, pages, consumed captures and open questions."""

from collections.abc import Callable, Collection, Mapping

from companion.comparison.consistency import Judged, flag_id
from companion.comparison.evidence import Evidence
from companion.comparison.pending import (
    ConsolidationPlan,
    PlacedNote,
    PlannedPage,
    WaitingCapture,
)
from companion.judges.ask import RELATE
from companion.ledger.resolve_run import list_attack_verdicts
from companion.operations.consolidate.drafts.pages import describe_disagreement
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.captures import Sighting
from companion.values.events import LedgerLine
from companion.values.wording import many

#: encodes a sighting as the ledger writes it; the store owns the format
EncodeSighting = Callable[[Sighting], LedgerLine]


#: doubts that a night asks a person about, at most
MOST_DOUBTS = 3


def choose_doubts(
    evidence: Evidence, plan: ConsolidationPlan
) -> dict[str, Judged]:
    """Return the doubts that this night asks about, by verdict: the likeliest of notes about which
    nothing else is asked, and one of a note.
    """
    calm = {
        note.told.capture.id
        for page in plan.pages
        for note in page.notes
        if note.against is None and note.cohesion.bucket == "high"
    }
    likeliest: dict[str, Judged] = {}
    for one in sorted(
        evidence.doubts, key=lambda one: (-one.relation.score, one.key)
    ):
        if one.capture in calm:
            likeliest.setdefault(one.capture, one)
    return {one.key: one for one in [*likeliest.values()][:MOST_DOUBTS]}


def _list_used(
    evidence: Evidence, wanted: Collection[str]
) -> dict[str, Logged]:
    """Return the verdicts that judges were consulted for and that are *wanted*, by key."""
    used: dict[str, Logged] = {}
    for consultation in evidence.consultations:
        for key, logged in consultation.used.items():
            if key in wanted:
                used[key] = logged
    return used


def make_verdict_lines(
    log: Verdicts,
    evidence: Evidence,
    plan: ConsolidationPlan,
    joined: Mapping[str, str],
    decided: Collection[str],
) -> list[LedgerLine]:
    """Return lines for the verdicts that the night rests on and no ledger file has, and for doubts.

    *joined* has the captures that branches took in, by their entries, *decided* the verdicts that
    did it.
    """
    entry_of = _map_entries(plan, joined)
    doubts = choose_doubts(evidence, plan)
    judged = {**doubts, **_list_judged(evidence, entry_of)}
    wanted: Collection[str] = judged
    if evidence.by_rules:
        # only what decided: the rest would cost the ledger several times a note's own record
        keys = {*decided, *_list_keys_against(plan), *doubts}
        wanted = judged.keys() & keys
    used = _list_used(evidence, wanted)
    recorded = log.told(used)
    lines = [
        _verdict_line(judged[key], logged)
        for key, logged in sorted(used.items())
        if key not in recorded
    ]
    # A model that is unsure asks a person; rules that do not know a language would ask every night.
    lines += [
        _doubt_line("unsure", judged[key], entry_of)
        for key in sorted(used)
        if judged[key].relation.label == "unsure"
    ]
    lines += [
        _doubt_line("doubt", judged[key], entry_of)
        for key in sorted(used.keys() & doubts)
    ]
    lines += list_attack_verdicts(evidence.attacks, entry_of.keys())
    rest = len(judged) - len(used)
    if evidence.by_rules and lines and rest:
        lines.append(_count_line(evidence, rest))
    return lines


def make_plan_lines(
    plan: ConsolidationPlan,
    encode_sighting: EncodeSighting,
    blob_of: Callable[[str], str],
) -> list[LedgerLine]:
    """Return the ledger's lines for a plan; *blob_of* maps a path to the blob that was written."""
    lines: list[LedgerLine] = []
    for page in plan.pages:
        lines.append(make_page_line(page, blob_of(page.path)))
        for note in page.notes:
            lines.append(_consumed_line(note, page, encode_sighting))
        lines += make_moved_lines(page)
        for note in page.notes:
            question = _question_line(note, page)
            if question is not None:
                lines.append(question)
    for capture, entry, sightings in plan.sighted:
        lines.append(
            {
                "e": "sighted",
                "capture": capture,
                "entry": entry,
                "sightings": [encode_sighting(one) for one in sightings],
                "reason": f"Told again ({many(len(sightings), 'time')}).",
            }
        )
    for waiting in plan.waits:
        if is_news(waiting):
            capture = waiting.told.capture.id
            lines.append(
                {"e": "waits", "capture": capture, "reason": waiting.reason}
            )
    return lines


def is_news(waiting: WaitingCapture) -> bool:
    """Tell whether the ledger should say that a capture waits.

    The shared ledger must not even know that something was told in private.
    """
    return waiting.new and not waiting.told.private


def _list_keys_against(plan: ConsolidationPlan) -> list[str]:
    """Return the verdicts that speak most against the notes of a plan."""
    keys: list[str] = []
    for page in plan.pages:
        keys += [note.against.key for note in page.notes if note.against]
    return keys


def _map_entries(
    plan: ConsolidationPlan, joined: Mapping[str, str]
) -> dict[str, str]:
    """Return the entry of each capture that the plan integrates or that *joined* a branch."""
    entry_of: dict[str, str] = {}
    for page in plan.pages:
        entry_of.update((told.capture.id, page.entry) for told in page.captures)
    return {**entry_of, **joined}


def _list_judged(
    evidence: Evidence, captures: Collection[str]
) -> dict[str, Judged]:
    """Return the answers about *captures* by verdict, without attacks on load-bearing entries."""
    judged = list(evidence.among_captures)
    for answers in (evidence.judged, evidence.judged_again):
        for of_capture in answers.values():
            judged += of_capture
    attacks = {one.key for one in evidence.attacks}
    by_key: dict[str, Judged] = {}
    for one in judged:
        if one.capture in captures and one.key not in attacks:
            by_key[one.key] = one
    return by_key


def _verdict_line(judged: Judged, logged: Logged) -> LedgerLine:
    answer = dict(logged.answer)
    reason = answer.pop("reason", "")
    return {
        "e": "verdict",
        "key": judged.key,
        "task": logged.task,
        "judge": logged.judge,
        "capture": judged.capture,
        **judged.name_other(),
        "answer": answer,
        "reason": reason,
    }


def _doubt_line(
    kind: str, judged: Judged, entry_of: Mapping[str, str]
) -> LedgerLine:
    entry = entry_of[judged.capture]
    return {
        "e": "flagged",
        "flag": flag_id(judged.key, entry),
        "kind": kind,
        "entry": entry,
        "capture": judged.capture,
        **judged.name_other(),
        "key": judged.key,
        "reason": judged.relation.reason,
    }


def _count_line(evidence: Evidence, neutral: int) -> LedgerLine:
    return {
        "e": "judged",
        "task": RELATE,
        "judge": evidence.consultations[0].tally.judge,
        "neutral": neutral,
        "reason": f"{neutral} pairs decided nothing; the same rules say the same again",
    }


def make_page_line(page: PlannedPage, blob: str) -> LedgerLine:
    """Return the line of a page that begins or grows."""
    cohesion = page.cohesion
    degrees = cohesion.degrees.items()
    line: LedgerLine = {
        "e": "created" if page.base_blob is None else "grown",
        "entry": page.entry,
        "path": page.path,
        "blob": blob,
        "bucket": cohesion.bucket,
        "degrees": {name: degree for name, degree in degrees if degree},
        "quarantined": int(cohesion.bucket == "low"),
        "reason": page.reason,
    }
    if page.base_blob is None and page.subject is not None:
        kind, key = page.subject
        line["subject"] = {"kind": kind, "key": key}
    return line


def make_moved_lines(page: PlannedPage) -> list[LedgerLine]:
    """Return a line for each note of an earlier night that stands on *page* now."""
    return [
        {
            "e": "moved",
            "capture": move.capture,
            "entry": page.entry,
            "from": move.source.id,
            "reason": f"Moved to {page.path}, the page of what it is about.",
        }
        for move in page.moves
    ]


def _consumed_line(
    note: PlacedNote, page: PlannedPage, encode_sighting: EncodeSighting
) -> LedgerLine:
    told = note.told
    line: LedgerLine = {
        "e": "consumed",
        "capture": told.capture.id,
        "outcome": "consolidated",
        "entry": page.entry,
        "sightings": [encode_sighting(one) for one in told.sightings],
        "reason": f"Integrated into {page.path}.",
    }
    if note.rule:
        line["rule"] = note.rule
        line["reason"] = note.reason
    if note.mentions:
        line["mentions"] = list(note.mentions)
    return line


def _question_line(note: PlacedNote, page: PlannedPage) -> LedgerLine | None:
    """Return what the next `review` asks a person about *note*; None if nothing.

    It asks about the page and what it contradicts, or about what friction left of it.
    """
    against = note.against
    cohesion = note.cohesion
    if against is not None:
        details = f"cohesion {cohesion.score:.2f} ({cohesion.bucket})"
        return {
            "e": "flagged",
            "flag": flag_id(against.key, page.entry),
            "kind": "contradiction",
            "entry": page.entry,
            "capture": against.capture,
            **against.name_other(),
            "key": against.key,
            "reason": f"{describe_disagreement(against)} ({details})",
        }
    if cohesion.bucket != "mid":
        return None
    capture = note.told.capture.id
    return {
        "e": "flagged",
        "flag": flag_id(capture, page.entry),
        "kind": "unsure",
        "entry": page.entry,
        "capture": capture,
        "reason": note.reason,
    }
