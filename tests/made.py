"""Figures that are published: how they came about (command, commit of main, day), and as a table."""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.workspace import real_now

ROOT = Path(__file__).resolve().parents[1]
QUALITY = ROOT / "docs" / "quality"


class Made(NamedTuple):
    """The origin of a file of results."""

    command: str
    commit: str  # of main, on which the code stood
    date: str


def note_origin(command: str) -> Made:
    """Return what is to be written beside the results that *command* makes now."""
    day = real_now().date().isoformat()
    return Made(command, _find_commit()[:8], day)


def _find_commit() -> str:
    """Return the commit of main on which the code stands; its own where there is no main."""
    for name in ("main", "origin/main", "HEAD"):
        done = subprocess.run(
            ["git", "merge-base", "HEAD", name],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
        if done.returncode == 0:
            return done.stdout
    raise RuntimeError(f"git knows no commit of {ROOT}: {done.stderr}")


def publish(page: str, results: str, text: str) -> None:
    """Write a page of docs/quality, and the file of results that it shows."""
    (QUALITY / "results" / f"{page}.json").write_text(results, "utf-8")
    (QUALITY / f"{page}.md").write_text(text, "utf-8")


def write_table(
    names: Sequence[str], rows: Iterable[Sequence[object]]
) -> list[str]:
    """Return a table of Markdown, a line each."""
    lines = [_write_row(names), f"|{'---|' * len(names)}"]
    return lines + [_write_row(row) for row in rows]


def _write_row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
