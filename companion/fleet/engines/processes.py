"""Jobs in processes of this machine, one for each."""

import subprocess
import sys

from companion.fleet.protocol import (
    Answer,
    Job,
    WorkerLost,
    encode,
    read_answer,
)

COMMAND = (sys.executable, "-m", "companion", "fleet", "work")


def work_in_process(job: Job) -> Answer:
    """Do *job* in a process of its own. Raises WorkerLost where it was killed."""
    done = subprocess.run(COMMAND, input=encode(job), capture_output=True)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        last = lines[-1] if lines else f"exit code {done.returncode}"
        raise WorkerLost(f"a worker ended without an answer: {last}")
    return read_answer(done.stdout)
