"""`python -m tests.bench agents`: does an agent wait for eleven others? (LED-11)

An agent is a process of its own that tells notes on a subject of its own and waits for each to be
acknowledged, at a steady pace, as an assistant does. Its floor is a process that only makes each
note durable in a database that nobody else has: what eleven such processes cost it is the machine's
doing, not ours. Both are measured alone and with eleven others, their rounds interleaved. Reported
are wall milliseconds a note, p50 and p99, and the ratios to the floor.
"""

import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

OTHERS = 11
NOTES = 40  # of each agent in a round
# seconds between the notes of one agent, on average: twelve agents tell 240 notes a second
PACE = 0.05
_FLOOR = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode=WAL")
db.execute("PRAGMA synchronous=FULL")
db.execute("CREATE TABLE notes (text TEXT)")
print("ready", flush=True)
for line in sys.stdin:
    db.execute("INSERT INTO notes VALUES (?)", (line,))
    print("captured", flush=True)
"""


def agents(work: Path, environment: dict[str, str], rounds: int) -> None:
    wiki = work / "agents"
    program = [sys.executable, "-m", "companion"]
    subprocess.run(
        [*program, "--quiet", "init", str(wiki)], check=True, env=environment
    )
    took: dict[tuple[str, int], list[float]] = {}
    for turn in range(rounds):
        for others in (0, OTHERS):
            floors = [
                [
                    sys.executable,
                    "-c",
                    _FLOOR,
                    str(work / f"f{turn}-{others}-{n}.db"),
                ]
                for n in range(others + 1)
            ]
            ours = [
                [
                    *program,
                    "-C",
                    str(wiki),
                    "triage",
                    "-",
                    "--agent",
                    f"agent-{n}",
                ]
                for n in range(others + 1)
            ]
            took.setdefault(("floor", others), []).extend(
                _round(floors, environment, turn, ready=True)
            )
            took.setdefault(("companion", others), []).extend(
                _round(ours, environment, turn, ready=False)
            )
    print(
        f"\na note acknowledged, wall ms; {rounds} rounds of {NOTES} notes an agent, on the"
        f" file system of {work}"
    )
    for (what, others), values in sorted(
        took.items(), key=lambda item: (item[0][1], item[0][0])
    ):
        p50, p99 = _p(values, 50), _p(values, 99)
        base50, base99 = (
            _p(took["floor", others], 50),
            _p(took["floor", others], 99),
        )
        name = f"{what}, with {others} others" if others else f"{what}, alone"
        print(
            f"{name:28} p50 {p50:7.2f} ({p50 / base50:5.2f} x floor)   p99 {p99:7.2f}"
            f" ({p99 / base99:5.2f} x floor)"
        )


def _p(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1] * 1e3


def _round(
    commands: Sequence[list[str]],
    environment: dict[str, str],
    turn: int,
    *,
    ready: bool,
) -> list[float]:
    """Let every command take its notes at once; return how long each acknowledgement took."""
    took: list[float] = []
    start = threading.Barrier(len(commands))
    threads = [
        threading.Thread(
            target=_agent,
            args=(command, environment, n, turn, start, took, ready),
        )
        for n, command in enumerate(commands)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _agent(
    command: list[str],
    environment: dict[str, str],
    n: int,
    turn: int,
    start: threading.Barrier,
    took: list[float],
    ready: bool,
) -> None:
    pipes = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "text": True,
        "bufsize": 1,
    }
    with subprocess.Popen(command, env=environment, **pipes) as child:  # type: ignore[call-overload]
        chance = random.Random(n * 1000 + turn)
        if ready:
            child.stdout.readline()
        else:
            # its imports are no wait
            _tell(child, f"Agent {n} of {start.parties} begins round {turn}.")
        # one that failed must not leave the others waiting
        start.wait(timeout=60)
        for note in range(NOTES):
            time.sleep(chance.uniform(0, 2 * PACE))
            took.append(
                _tell(
                    child,
                    f"Subject {n} of {start.parties}, round {turn}, has value {note}.",
                )
            )
        child.stdin.close()


def _tell(child: "subprocess.Popen[str]", text: str) -> float:
    assert child.stdin is not None and child.stdout is not None
    began = time.perf_counter()
    child.stdin.write(text + "\n")
    answer = child.stdout.readline()
    took = time.perf_counter() - began
    if not answer.startswith("captured"):
        raise RuntimeError(f"not acknowledged: {answer}")
    return took
