"""The versions of the rules that decide in DECAY: a run's first line names them (CON-2)."""

from companion.gravity.formula import VERSION
from companion.lifecycle import compress
from companion.operations.decay import plan, vitality

DECAY_RULES = {
    "compress": compress.VERSION,
    "decay": plan.VERSION,
    "gravity": VERSION,
    "vitality": vitality.VERSION,
}
