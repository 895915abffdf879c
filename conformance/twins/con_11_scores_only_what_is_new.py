"""CON-11 broken: a capture is scored against its own night only, so each challenge stands alone."""

from honest import within

BREAKS = "CON-11"
EXPECTS = "CON-11: the second voice did not meet the first"

within(
    {
        "companion.minority.gather": """
        if not callable(PhaseInput._fresh_ties):
            raise LookupError("_fresh_ties")
        PhaseInput.ties = property(
            lambda self: [
                tie
                for tie in self._fresh_ties()
                if tie.one in self.pending and tie.other in self.pending
            ]
        )
        PhaseInput.position_ties = property(lambda self: [])
    """,
    }
)
