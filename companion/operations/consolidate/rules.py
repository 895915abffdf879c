"""The rules that decide in an operation, each with its version: a run's first line names them
(CON-2).

All of an operation's, whether they had anything to decide or not: the line is what a run starts
from, and what none of them found is a finding, too. A rule that decides otherwise than before gets
another version.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from companion.adoption.plan import VERSION
from companion.comparison.evidence import Evidence
from companion.gravity import formula as gravity
from companion.judges.configured import Judges
from companion.language.protocols import Comparer, Relater
from companion.ledger import cascade, corrections, facts_section, supersession
from companion.lifecycle import compress
from companion.minority import apply as branching
from companion.operations.audit import judged_answers, query_set
from companion.operations.audit import verdict as audit
from companion.operations.consolidate import plan as consolidate
from companion.operations.consolidate import quarantine, same_names
from companion.operations.decay import plan as decay
from companion.operations.decay import vitality
from companion.routing import matrix, signals, user_words
from companion.storage.index.tables.verdicts import Logged, canonical
from companion.usage import attribution

ADOPT = {"adopt": VERSION, "corrections": corrections.VERSION}

CONSOLIDATE = {
    **ADOPT,
    "cascade": cascade.VERSION,
    "consolidate": consolidate.VERSION,
    "factsheet": facts_section.VERSION,
    "gravity": gravity.VERSION,
    "ledger": supersession.VERSION,
    "minority": branching.VERSION,
    "namesakes": same_names.VERSION,
    "requalify": quarantine.VERSION,
    "routing": matrix.VERSION,
    "signals": signals.VERSION,
    "use": attribution.VERSION,
    "vocabulary": user_words.VERSION,
}

DECAY = {
    "compress": compress.VERSION,
    "decay": decay.VERSION,
    "gravity": gravity.VERSION,
    "vitality": vitality.VERSION,
}

AUDIT = {
    "audit": audit.VERSION,
    "comparing": judged_answers.VERSION,
    "gravity": gravity.VERSION,
    "ledger": supersession.VERSION,
    "queries": query_set.VERSION,
    "routing": matrix.VERSION,
}


def judged(
    found: Evidence, judges: Judges, reader: Mapping[str, str], answered: Iterable[str]
) -> dict[str, Any]:
    """Return what a run's first line says of who judged and read, and how far the verdict log went.

    Its mark is a hash of the verdicts that were consulted, with the answers of persons that no
    ledger file has yet (their keys, *answered*). A count of the log would differ between machines
    that know the same.
    """
    who = {"extract": dict(reader)} if reader else {}
    if found.asked and judges.relater is not None:
        who["relate"] = _named(judges.relater)
    if found.about and judges.contest is not None:
        who["contest"] = _named(judges.contest)
    used = {
        key: canonical(logged.answer) for asked in found.asked for key, logged in asked.used.items()
    }
    used |= dict.fromkeys(answered, "")
    return {"judges": who, "verdicts": _mark(used)}


def compared(judge: Comparer, used: Mapping[str, Logged]) -> dict[str, Any]:
    """Return the same of an audit whose answers were judged."""
    mark = _mark({key: canonical(logged.answer) for key, logged in used.items()})
    return {"judges": {"compare": _named(judge)}, "verdicts": mark}


def _mark(used: Mapping[str, str]) -> str | None:
    return (
        hashlib.sha256(canonical(sorted(used.items())).encode()).hexdigest()[:16] if used else None
    )


def _named(judge: Relater | Comparer) -> dict[str, str]:
    return {name: value for name, value in judge.identity._asdict().items() if value}
