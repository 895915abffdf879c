"""OBJ-2 broken: what is weak enough is archived straight from active, and no line says that it was
decaying.
"""

from honest import within

BREAKS = "OBJ-2"
EXPECTS = "OBJ-2: a step is not on record"

within(
    {
        "companion.operations.decay.plan": """
        def _decide(*known):
            action, why = honest._decide(*known)
            return ("archived" if action == "decaying" else action), why
    """,
        "companion.lifecycle.transitions": """
        def archive_entries(run, reasons, moment):
            changes = honest.archive_entries(run, reasons, moment)
            changes.lines = [line for line in changes.lines if line["e"] != "decaying"]
            return changes
    """,
    }
)
