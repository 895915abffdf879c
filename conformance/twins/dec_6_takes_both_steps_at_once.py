"""DEC-6 broken: what is weak enough is archived without having been decaying."""

from honest import within

BREAKS = "DEC-6"
EXPECTS = "DEC-6: it is archived in one step"

within(
    {
        "companion.operations.decay.plan": """
    def _fate(*known):
        action, why = honest._fate(*known)
        return ("archived" if action == "decaying" else action), why
    """
    }
)
