"""The versions of the rules by which a night adopts a person's changes (CON-2)."""

from companion.adoption import plan
from companion.ledger.facts.corrections import VERSION

ADOPT_RULES = {"adopt": plan.VERSION, "corrections": VERSION}
