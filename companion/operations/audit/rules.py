"""The versions of the rules that decide in AUDIT: a run's first line names them (CON-2)."""

from companion.gravity.formula import VERSION
from companion.ledger import supersession
from companion.operations.audit import verdict
from companion.operations.audit.questions import judged_answers, query_set
from companion.routing import matrix

AUDIT_RULES = {
    "audit": verdict.VERSION,
    "comparing": judged_answers.VERSION,
    "gravity": VERSION,
    "ledger": supersession.VERSION,
    "queries": query_set.VERSION,
    "routing": matrix.VERSION,
}
