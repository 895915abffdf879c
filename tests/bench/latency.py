"""What one call of each verb costs, against a console script that does nothing, installed alike.

CPU seconds of whole processes, user and system, the repetitions interleaved. Each ratio pairs a
call with the empty script of the same round; the median is printed. The smallest of all is printed
beside it, for a busy machine adds to every call. Where valgrind is installed, the instructions of
one more call of each are counted, which hardly depend on what else the machine does.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

_SCRIPT = """#!{python}
# -*- coding: utf-8 -*-
import re
import sys
from {module} import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""  # as pip writes it
GOALS = {
    "--version": 1.15,
    "ingest a thought": 1.6,
    "search three words": 1.9,
    "search a question": 2.3,
    "status": 1.9,
    "ask": 3.0,
    "ingest --help": 4.0,
    "an unknown verb": 4.0,
}

# how cachegrind says how many instructions it counted
_REFERENCES = re.compile(r"I +refs: +([\d,]+)")
# nothing found, or a command line that is wrong: what is measured may end so
_ENDS = (0, 1, 2)


class Ratio(NamedTuple):
    """What one call costs, in calls of the empty script."""

    median: float  # of the CPU seconds of each round
    least: float  # smallest to smallest
    steps: float | None  # instructions; None where nothing counts them


def latency(
    work: Path,
    notes: list[tuple[str, bytes]],
    repeat: int,
    environment: dict[str, str],
) -> dict[str, Ratio]:
    """Measure on a wiki of *notes*; print and return what each call costs."""
    wiki = work / f"wiki-{len(notes)}"
    for name, text in notes:
        file = wiki / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    empty = write_script(work, "empty")
    subprocess.run([empty], cwd=work, check=True)
    program = write_script(work, "companion.__main__")

    def measure(command: list[str]) -> float:
        """Return the CPU seconds of *command*."""
        return measure_call(command, work, environment)

    measure([program, "init", str(wiki)])
    calls = _list_calls([program], str(wiki))
    times: dict[str, list[float]] = {name: [] for name in ["empty", *calls]}
    for _ in range(repeat):
        times["empty"].append(measure([empty]))
        for name, call in calls.items():
            times[name].append(measure(call()))
    steps = count_all({"empty": lambda: [empty], **calls}, work, environment)
    base = times.pop("empty")
    print(
        f"\n{len(notes):,} pages, {repeat} interleaved rounds;"
        f" the empty script takes {statistics.median(base) * 1e3:.1f} CPU ms"
    )
    ratios = {}
    for name, values in times.items():
        paired = [v / b for v, b in zip(values, base, strict=True)]
        counted = steps[name] / steps["empty"] if steps else None
        least = min(values) / min(base)
        ratio = Ratio(statistics.median(paired), least, counted)
        ratios[name] = ratio
        print(
            f"{name:20} {statistics.median(values) * 1e3:7.1f} CPU ms"
            f"  {ratio.median:6.2f} x (smallest to smallest {least:.2f}"
            f"{_show_steps(counted)})  goal {GOALS[name]}"
        )
    shutil.rmtree(wiki)
    return ratios


def count_all(
    calls: dict[str, Callable[[], list[str]]],
    room: Path,
    environment: dict[str, str],
) -> dict[str, int]:
    """Return the instructions of one call of each; nothing where valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return {}
    return {
        name: count_steps(call(), room, environment)
        for name, call in calls.items()
    }


def count_steps(
    command: list[str], room: Path, environment: dict[str, str]
) -> int:
    counting = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        f"--cachegrind-out-file={os.devnull}",
        sys.executable,
    ]
    done = subprocess.run(
        [*counting, *command],
        cwd=room,
        env=environment,
        capture_output=True,
        text=True,
    )
    found = _REFERENCES.search(done.stderr)
    if found is None:
        raise SystemExit(f"{done.returncode}: {' '.join(command)}")
    return int(found[1].replace(",", ""))


def _show_steps(counted: float | None) -> str:
    if counted is None:
        return ""
    return f", instructions {counted:.2f}"


def measure_call(
    command: list[str], room: Path, environment: dict[str, str]
) -> float:
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen(
            command, cwd=room, env=environment, stdout=null, stderr=null
        )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in _ENDS:
        raise SystemExit(f"{process.returncode}: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime


def _list_calls(
    program: list[str], wiki: str
) -> dict[str, Callable[[], list[str]]]:
    numbers = count()
    here = ["-C", wiki]
    question = "What did they say about w00012 and w00345 in w01234?"
    return {
        "--version": lambda: [*program, "--version"],
        "ingest a thought": lambda: [
            *program,
            "ingest",
            f"thought number {next(numbers)}",
            *here,
        ],
        "search three words": lambda: [
            *program,
            "search",
            "w00012 w00345",
            *here,
        ],
        "search a question": lambda: [*program, "search", question, *here],
        "status": lambda: [*program, "status", *here],
        "ask": lambda: [*program, "ask", question, *here],
        "ingest --help": lambda: [*program, "ingest", "--help"],
        "an unknown verb": lambda: [*program, "serch", "x"],
    }


def write_script(work: Path, module: str) -> str:
    """Write a console script as pip does; return its path."""
    if module == "empty":
        (work / "empty.py").write_text("def main():\n    return 0\n")
    script = work / f"run-{module}"
    script.write_text(_SCRIPT.format(python=sys.executable, module=module))
    script.chmod(0o755)
    return str(script)
