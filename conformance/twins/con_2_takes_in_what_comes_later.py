"""CON-2 broken: a run names the buffer as it lay before, and reads on after that."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run took in what its snapshot does not have"

within(
    {
        "companion.runs.run": """
        from companion.storage.git.capture_buffer import BUFFER, read_trees

        buffers = []

        def prepare_run(ws, **how):
            run = honest.prepare_run(ws, **how)
            buffers.append(read_trees(run.repo).get(BUFFER))
            return run

        def make_inputs(run, excluded, rules):
            return honest.make_inputs(run, excluded, rules) | {"buffer": buffers[-1]}
    """,
    }
)
