"""The versions of the rules that decide in CONSOLIDATE: a run's first line names them (CON-2).

All of them are named, whether they had anything to decide or not. A rule that decides otherwise
than before gets another version.
"""

from companion.adoption.rules import ADOPT_RULES
from companion.gravity import formula
from companion.ledger import supersession
from companion.ledger.dependents import follow
from companion.ledger.facts import section
from companion.minority import apply
from companion.operations.consolidate import (
    plan,
    quarantine,
    same_names,
    source_pages,
)
from companion.routing import matrix, signals, user_words
from companion.subjects import aboutness
from companion.subjects.beginnings import third_note
from companion.usage.attribution import VERSION

CONSOLIDATE_RULES = {
    **ADOPT_RULES,
    "aboutness": aboutness.VERSION,
    "cascade": follow.VERSION,
    "consolidate": plan.VERSION,
    "factsheet": section.VERSION,
    "gravity": formula.VERSION,
    "ledger": supersession.VERSION,
    "minority": apply.VERSION,
    "namesakes": same_names.VERSION,
    "requalify": quarantine.VERSION,
    "routing": matrix.VERSION,
    "signals": signals.VERSION,
    "sources": source_pages.VERSION,
    "third-note": third_note.VERSION,
    "use": VERSION,
    "vocabulary": user_words.VERSION,
}
