"""`python -m tests.bench completing`: what a press of Tab costs, cold, at --notes entries.

Each is the installed program in a process of its own, as the shell calls it.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench import nights
from tests.wiki import Wiki

_LINES = {
    "a verb": ("sea",),
    "a title": ("show", "note 1"),
    "an id": ("show", "{entry}"),
    "a waiting note": ("drop", "{note}"),
    "a run": ("undo", "20"),
    "a tag": ("list", "--tag", "tow"),
    "a state": ("list", "--state", "de"),
    "a day": ("list", "--since", "yes"),
}


def completing(work: Path, notes: int, repeat: int) -> Mapping[str, float]:
    """Print and return the least CPU milliseconds of each kind of completion."""
    root = work / "wiki"
    nights.make_vault(root, notes)
    (root / "tagged.md").write_text(
        "# Tagged\n\nOf the tower. #tower #tram/red\n"
    )
    wiki = Wiki(root)
    wiki.init()
    wiki.tick()
    # tags are those of the pages that changed last
    wiki.ingest("# Tagged\n\nOf the tower. #tower #tram/red")
    wiki.consolidate()
    (told,) = wiki.ingest("A note that waits.")
    known = {"entry": wiki.show("note 1")["id"][:3], "note": told["id"][:3]}
    print(
        f"ms of CPU (and of the clock), {notes:,} notes, the least of {repeat}"
    )
    costs: dict[str, float] = {}
    for name, words in _LINES.items():
        line = ["companion", *(word.format(**known) for word in words)]
        took = [_measure(root, line) for _ in range(repeat)]
        costs[name] = min(cpu for cpu, _ in took)
        wall = min(wall for _, wall in took)
        print(f"  {name:16}{costs[name]:7.1f}  ({wall:.1f})", flush=True)
    return costs


def _measure(root: Path, line: list[str]) -> tuple[float, float]:
    environment = os.environ | {
        "_COMPANION_COMPLETE": "complete_bash",
        "COMPANION_WIKI": str(root),
        "COMP_WORDS": "\n".join(line),
        "COMP_CWORD": str(len(line) - 1),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "companion"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.strip(), line
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu * 1000, wall * 1000
