"""The versions of the rules that decide in CONTEXTUALIZE: a run's first line names them (CON-2)."""

from companion.operations.contextualize import hand_over
from companion.operations.contextualize.fitting import fit
from companion.operations.contextualize.reader import depth, shift

CONTEXTUALIZE_RULES = {
    "depth": depth.VERSION,
    "fit": fit.VERSION,
    "hand-over": hand_over.VERSION,
    "shift": shift.VERSION,
}
