"""A user timer and its service (systemd.timer(5), systemd.service(5)) (pure)."""

import os

from companion.sleep.schedule.plan import Job, PlannedFile

_SERVICE = """\
# Written by `companion schedule install`. It decides itself whether to sleep.
[Unit]
Description=Companion looks whether it is time to sleep ({wiki})

[Service]
Type=oneshot
{environment}
ExecStart={command}
Nice=10
IOSchedulingClass=idle
"""
_TIMER = """\
# Written by `companion schedule install`.
[Unit]
Description=Wake companion every {minutes} minutes ({wiki})

[Timer]
OnCalendar=*:0/{minutes}
RandomizedDelaySec=60
# a wake that was missed while the machine was off is made up for
Persistent=true

[Install]
WantedBy=timers.target
"""


def make_files(job: Job, folder: str) -> list[PlannedFile]:
    """Return the two files of *job*, for the *folder* of a person's units.

    Raises ValueError for a path that a unit cannot hold.
    """
    environment = "\n".join(
        f"Environment={_quote(f'{name}={value}')}"
        for name, value in job.variables.items()
    )
    service = _SERVICE.format(
        wiki=_escape(job.wiki),
        environment=environment,
        command=" ".join(_quote_argument(word) for word in job.command),
    )
    timer = _TIMER.format(wiki=_escape(job.wiki), minutes=job.minutes)
    base = os.path.join(folder, job.name)
    return [
        PlannedFile(f"{base}.service", service),
        PlannedFile(f"{base}.timer", timer),
    ]


def _quote_argument(word: str) -> str:
    """Return a word of ExecStart, in which a dollar sign names a variable."""
    return _quote(word.replace("$", "$$"))


def _quote(word: str) -> str:
    word = _escape(word).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{word}"'


def _escape(word: str) -> str:
    """Return *word* with its percent signs doubled: a single one begins a specifier."""
    if "\n" in word:
        raise ValueError("a unit cannot hold a path with a line feed")
    return word.replace("%", "%%")
