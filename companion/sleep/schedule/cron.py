"""Lines of a crontab (crontab(5)), between two marks that name the wiki (pure)."""

import shlex

from companion.sleep.schedule.plan import Job


def make_lines(job: Job) -> str:
    """Return the lines of *job*. Raises ValueError for a path that a crontab cannot hold."""
    words = [f"{name}={value}" for name, value in job.variables.items()]
    command = shlex.join(["/usr/bin/env", *words, *job.command])
    if "\n" in command:
        raise ValueError("a crontab cannot hold a path with a line feed")
    # cron takes a percent sign for the end of the command
    command = command.replace("%", "\\%")
    return (
        f"{_begin(job.name)}\n"
        f"*/{job.minutes} * * * * {command}\n"
        f"{_end(job.name)}\n"
    )


def put_lines(crontab: str, job: Job) -> str:
    """Return *crontab* with the lines of *job*, in the place of its earlier ones."""
    kept = take_lines(crontab, job.name)
    if kept and not kept.endswith("\n"):
        kept += "\n"
    return kept + make_lines(job)


def take_lines(crontab: str, name: str) -> str:
    """Return *crontab* without the lines of the job *name*; every other line stays as it is."""
    kept = []
    inside = False
    for line in crontab.splitlines(keepends=True):
        mark = line.strip()
        if mark == _begin(name):
            inside = True
        elif mark == _end(name) and inside:
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        # Somebody removed the closing mark: nobody knows which lines are ours.
        return crontab
    return "".join(kept)


def find_lines(crontab: str, name: str) -> str | None:
    """Return the lines of the job *name*; None where there are none."""
    lines = crontab.splitlines(keepends=True)
    marks = [line.strip() for line in lines]
    if _begin(name) not in marks or _end(name) not in marks:
        return None
    first = marks.index(_begin(name))
    return "".join(lines[first : marks.index(_end(name)) + 1])


def _begin(name: str) -> str:
    return f"# {name}: written by `companion schedule install`"


def _end(name: str) -> str:
    return f"# {name}: end"
