"""DEC-6 broken: what is weak enough is archived without having been decaying."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: it is archived in one step"

within(
    {
        "companion.operations.decay.plan": """
    def _decide(*known):
        action, why = honest._decide(*known)
        return ("archived" if action == "decaying" else action), why
    """
    }
)
