"""INV-8 broken: what loses to a branch is archived by the night itself."""

from honest import within

BREAKS = "INV-8"
EXPECTS = "INV-8: CONSOLIDATE has archived"

within(
    {
        "companion.minority.promote": """
        class Harsh:
            gently = Promotion._replace_incumbent
            def replace(self, *incumbent):
                Harsh.gently(self, *incumbent)
                fallen = [line["entry"] for line in self.outcome.lines if line["e"] == "decaying"]
                self.outcome.lines += [{"e": "archived", "entry": each, "reason": "it has lost"} for each in fallen]
        Promotion._replace_incumbent = Harsh.replace
    """,
    }
)
