"""Live one world by its seed, in a process of its own."""

import os
import pickle
import random
import resource
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

from tests.simulation import clocks, events, laws
from tests.simulation import warm as warming
from tests.simulation.ground import Ground, Violation, begin
from tests.simulation.hands import INSTALLED, WARM, takes_program

#: bytes of address space of one life: what needs more has met a bomb
MOST_MEMORY = 4 << 30

MEMORY = "/dev/shm"


class Outcome(NamedTuple):
    """What came of one seed: an empty *why* when every law held."""

    seed: int
    why: str
    happened: tuple[str, ...]
    machines: int
    notes: int
    years: float
    most_gits: int


def warm() -> None:
    """Live a short world in this process, so that no other has to load the program again."""
    warming.keep_vectors()
    folder = Path(tempfile.mkdtemp(prefix="simulation-0-", dir=_find_memory()))
    try:
        ground = begin(folder, random.Random(0))
        for event in (events.tell, events.sync, events.sleep, events.share):
            for machine in ground.machines:
                events.do(ground, machine, event)
        laws.settle(ground)
        laws.check_end(ground)
    finally:
        shutil.rmtree(folder)
    warming.settle_down()


def _find_memory() -> str | None:
    """Return a folder in memory, where there is one: a killed process loses nothing of a disk, so a
    world waits for none.
    """
    return MEMORY if os.access(MEMORY, os.W_OK) else None


def live(
    seed: int, steps: int, before: Callable[[], object] | None = None
) -> Outcome:
    """Live the world of *seed* in a child; *before* breaks the program there."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        # whatever is raised ends here: a child must never run on as its parent
        try:
            os.close(reading)
            os.setpgid(0, 0)
            outcome = _in_child(seed, steps, before)
            with open(writing, "wb") as pipe:
                pickle.dump(outcome, pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(pid, 0)
    if not data:
        return Outcome(seed, "the process ended without a word", (), 0, 0, 0, 0)
    outcome = pickle.loads(data)
    assert isinstance(outcome, Outcome)
    return outcome


def _in_child(
    seed: int, steps: int, before: Callable[[], object] | None
) -> Outcome:
    quiet = os.open(os.devnull, os.O_WRONLY)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    if not os.environ.get("SIMULATION_LOUD"):
        os.dup2(quiet, sys.stderr.fileno())
    folder = Path(
        tempfile.mkdtemp(prefix=f"simulation-{seed}-", dir=_find_memory())
    )
    ground: Ground | None = None
    merges: IO[str] | None = None
    why = ""
    try:
        if before is not None:
            before()
        # a program that is broken is so in this process only
        is_whole = before is None and takes_program(seed)
        if not is_whole:
            merges = warming.serve_merges(folder)
        hands = INSTALLED if is_whole else WARM
        runs_ahead = seed >= clocks.FIRST_SEED
        dice = random.Random(seed)
        ground = begin(folder, dice, hands, runs_ahead=runs_ahead)
        began = ground.now
        _live(ground, steps)
    except Violation as violation:
        why = str(violation)
    # whatever else ends an operation of an honest machine breaks "one bad item stops nothing"
    except Exception:  # noqa: BLE001
        why = "an operation broke down\n" + traceback.format_exc()
    finally:
        if merges is not None:
            merges.close()
        shutil.rmtree(folder, ignore_errors=True)
    if ground is None:
        return Outcome(seed, why, (), 0, 0, 0, 0)
    notes = len({id for one in ground.machines for id in one.known})
    years = (ground.now - began).days / 365
    return Outcome(
        seed,
        why,
        tuple(ground.happened),
        len(ground.machines),
        notes,
        years,
        ground.most_gits,
    )


def _live(ground: Ground, steps: int) -> None:
    for _ in range(steps):
        events.happen(ground)
        for machine in ground.machines:
            laws.check_now(ground, machine)
    laws.settle(ground)
    laws.check_end(ground)
