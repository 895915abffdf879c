"""ROW-6 broken: what answers depend on may lead astray as often as it likes."""

from honest import within

BREAKS = "ROW-6"
EXPECTS = "ROW-6: it keeps its gravity however often"

within(
    {
        "companion.operations.audit.consequence": """
        def decide_consequence(result, *, factor, poor_cycles, protected):
            cycles = 0 if protected else poor_cycles
            return honest.decide_consequence(result, factor=factor, poor_cycles=cycles, protected=protected)
    """,
    }
)
