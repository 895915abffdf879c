"""CON-2 broken: a run names the buffer as it lay before, and reads on after that."""

from honest import within

BREAKS = "CON-2"
EXPECTS = "CON-2: the run took in what its snapshot does not have"

within(
    {
        "companion.runs.run": """
        from companion.storage.git.capture_buffer import BUFFER, trees

        class Late:
            prepare_honestly = Run.prepare
            buffer = None

            def prepare(run, **how):
                Late.prepare_honestly(run, **how)
                Late.buffer = trees(run.repo).get(BUFFER)

        Run.prepare = Late.prepare

        def run_inputs(run, excluded, rules):
            return honest.run_inputs(run, excluded, rules) | {"buffer": Late.buffer}
    """,
    }
)
