"""CON-2 broken: a run names the buffer as it lay before, and reads on after that."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run took in what its snapshot does not have"

within(
    {
        "companion.runs.run": """
        _prepare = Run.prepare
        _before = lambda self: setattr(self, "before", buffer.trees(self.repo).get(buffer.BUFFER))
        Run.prepare = lambda self, **how: (_prepare(self, **how), _before(self))

        def run_inputs(tonight, excluded, rules):
            return honest.run_inputs(tonight, excluded, rules) | {"buffer": tonight.before}
    """,
    }
)
