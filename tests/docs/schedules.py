"""Write the example files of `companion schedule` into examples/: `python -m tests.docs.schedules`."""

from pathlib import Path

from companion.sleep.schedule import cron, launchd, systemd
from companion.sleep.schedule.plan import Job

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
JOB = Job(
    wiki="/home/ada/notes",
    program=("/home/ada/.local/bin/companion",),
    path="/usr/local/bin:/usr/bin:/bin",
    home="/home/ada",
    minutes=20,
    state_home=None,
)


def make_examples() -> dict[str, str]:
    """Return every example by its file name."""
    service, timer = systemd.make_files(JOB, "")
    (agent,) = launchd.make_files(JOB, "")
    return {
        "companion.cron": cron.make_lines(JOB),
        "companion.plist": agent.text,
        "companion.service": service.text,
        "companion.timer": timer.text,
    }


if __name__ == "__main__":
    for name, text in make_examples().items():
        EXAMPLES.joinpath(name).write_text(text)
