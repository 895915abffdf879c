"""GEN-5 broken: any judge is taken for any other."""

from honest import within

BREAKS = "GEN-5"
EXPECTS = "GEN-5: nobody is told that the judges differ"

within(
    {
        "companion.judges.compatible": """
        def _name_relater(judges):
            return "a judge"
    """,
    }
)
