"""CON-2 broken: a run names the buffer as it lay before, and reads on after that."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run took in what its snapshot does not have"

within(
    {
        "companion.runs.run": """
        from companion.storage.git.capture_buffer import BUFFER, trees

        buffers = []

        def prepare_run(ws, **how):
            run = honest.prepare_run(ws, **how)
            buffers.append(trees(run.repo).get(BUFFER))
            return run

        def run_inputs(run, excluded, rules):
            return honest.run_inputs(run, excluded, rules) | {"buffer": buffers[-1]}
    """,
    }
)
