"""PRE-4 broken: a branch is promoted, and nothing that it says is read into the facts."""

from honest import within

BREAKS = "PRE-4"
EXPECTS = "PRE-4: a promotion changes no answer"

within(
    {
        "companion.minority.promote": """
        class Promotion(honest.Promotion):
            def _read_members(self, *given, **more):
                pass
    """,
    }
)
