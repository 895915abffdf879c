"""OBJ-6 broken: its words are not compared."""

from honest import within

BREAKS = "OBJ-6"
EXPECTS = "OBJ-6: no change is seen"

within(
    {
        "companion.operations.decay.stability": """
        measured = measure_stability

        def measure_stability(versions):
            return measured(versions)._replace(share=1.0)
    """,
    }
)
