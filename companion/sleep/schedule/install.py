"""Install, show and remove a wiki's schedule with the timer that this system has."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.errors import BadInput, CompanionError
from companion.sleep import unattended
from companion.sleep.machine.wakes import read_wakes
from companion.sleep.nights import local_time
from companion.sleep.schedule import cron, launchd, systemd
from companion.sleep.schedule.plan import Job, PlannedFile
from companion.storage.files import durable
from companion.workspace import Workspace, caller_environment

if TYPE_CHECKING:
    from companion.sleep.results import ScheduleResult

KINDS = ("launchd", "systemd", "cron")
#: minutes between two wakes that a timer can repeat every hour
STEPS = (10, 12, 15, 20, 30)
EVERY = 20
_PATIENCE = 20.0
# where git and the desktop's programs are looked for, after the folders of the caller's PATH
_USUAL_PATH = ("/usr/local/bin", "/usr/bin", "/bin")


class NoTimer(CompanionError):
    """This system has no timer that companion knows."""

    exit_code = 74
    hint = (
        "Install cron (Debian: `apt install cron`), or let a timer of your own call "
        "`companion sleep --unattended` every 20 minutes."
    )


class TimerFailed(CompanionError):
    """The system's timer refused the schedule."""

    exit_code = 74
    hint = "Its own words say why; `companion schedule status` shows what is there."


class UnfitPath(BadInput):
    """The path of the wiki cannot stand in a schedule."""

    hint = "Move the wiki to a folder whose name has no line feed."


class Plan(NamedTuple):
    """The files of one job, and the commands that tell the system of it."""

    kind: str  # launchd | systemd | cron
    files: list[PlannedFile]
    commands: list[tuple[str, ...]]  # after the files are there
    removal: list[tuple[str, ...]]  # before they are taken away


def make_job(wiki: str, minutes: int = EVERY) -> Job:
    """Return the wakes of the wiki in the folder *wiki*."""
    caller = caller_environment()
    git = shutil.which("git") or "/usr/bin/git"
    folders = [os.path.dirname(git), *_USUAL_PATH]
    state_home = caller.get("XDG_STATE_HOME") or None
    return Job(
        wiki=wiki,
        program=find_program(),
        path=":".join(dict.fromkeys(folders)),
        home=caller.get("HOME") or os.path.expanduser("~"),
        minutes=minutes,
        state_home=state_home,
    )


def find_program() -> tuple[str, ...]:
    """Return how this companion is called from anywhere."""
    beside = os.path.join(os.path.dirname(sys.executable), "companion")
    if os.access(beside, os.X_OK):
        return (beside,)
    return (sys.executable, "-m", "companion")


def find_kind() -> str:
    """Return the timer of this system. Raises NoTimer."""
    if sys.platform == "darwin":
        return "launchd"
    if _answers("systemctl", "--user", "list-timers", "--no-pager"):
        return "systemd"
    if shutil.which("crontab") is not None:
        return "cron"
    raise NoTimer


def make_plan(job: Job, kind: str) -> Plan:
    """Return what a schedule by the timer *kind* takes. Raises UnfitPath."""
    try:
        return _PLANS[kind](job)
    except ValueError as error:
        raise UnfitPath(str(error)) from error


def install(
    ws: Workspace,
    *,
    kind: str | None = None,
    minutes: int = EVERY,
    dry_run: bool = False,
) -> "ScheduleResult":
    """Write this wiki's schedule; what is there already and the same is left alone.

    Raises NoTimer, TimerFailed or UnfitPath.
    """
    job = make_job(ws.place.root, minutes)
    plan = make_plan(job, kind or find_kind())
    commands: list[tuple[str, ...]] = []
    if not _is_installed(plan, job):
        commands = plan.commands
        if not dry_run:
            _write(plan, job)
            _run_all(commands)
    return _report(ws, job, plan, commands, dry_run=dry_run)


def show(ws: Workspace, *, kind: str | None = None) -> "ScheduleResult":
    """Return how this wiki's schedule stands. Raises NoTimer."""
    job, plan = _find_installed(ws.place.root, kind)
    return _report(ws, job, plan, [], dry_run=False)


def remove(
    wiki: str, *, kind: str | None = None, dry_run: bool = False
) -> "ScheduleResult":
    """Take the schedule of the folder *wiki* away; others stay. Raises NoTimer or TimerFailed.

    The wiki itself may be gone, with the drive that it lay on.
    """
    job, plan = _find_installed(wiki, kind)
    commands: list[tuple[str, ...]] = []
    if any(_state_of(file, plan, job) != "missing" for file in plan.files):
        commands = plan.removal
        if not dry_run:
            _take_away(plan, job)
    return _report(None, job, plan, commands, dry_run=dry_run)


def _find_installed(wiki: str, kind: str | None) -> tuple[Job, Plan]:
    """Return the schedule that is there, by whichever timer and step; else what would be."""
    usual = kind or find_kind()
    kinds = [usual] if kind else [usual, *(k for k in KINDS if k != usual)]
    for each in kinds:
        for minutes in (EVERY, *STEPS):
            job = make_job(wiki, minutes)
            plan = make_plan(job, each)
            if _is_installed(plan, job):
                return job, plan
    job = make_job(wiki)
    return job, make_plan(job, usual)


# -- the timers ------------------------------------------------------------------------------------


def _plan_launchd(job: Job) -> Plan:
    folder = os.path.join(job.home, "Library", "LaunchAgents")
    files = launchd.make_files(job, folder)
    domain = f"gui/{os.getuid()}"
    return Plan(
        "launchd",
        files,
        [("launchctl", "bootstrap", domain, files[0].path)],
        [("launchctl", "bootout", f"{domain}/{job.name}")],
    )


def _plan_systemd(job: Job) -> Plan:
    settings = caller_environment().get("XDG_CONFIG_HOME") or os.path.join(
        job.home, ".config"
    )
    files = systemd.make_files(job, os.path.join(settings, "systemd", "user"))
    timer = f"{job.name}.timer"
    return Plan(
        "systemd",
        files,
        [
            ("systemctl", "--user", "daemon-reload"),
            ("systemctl", "--user", "enable", "--now", timer),
        ],
        [("systemctl", "--user", "disable", "--now", timer)],
    )


def _plan_cron(job: Job) -> Plan:
    # crontab(1) keeps the file; it is written and read through the program
    file = PlannedFile("crontab", cron.make_lines(job))
    return Plan("cron", [file], [("crontab", "-")], [("crontab", "-")])


_PLANS = {
    "launchd": _plan_launchd,
    "systemd": _plan_systemd,
    "cron": _plan_cron,
}


def _is_installed(plan: Plan, job: Job) -> bool:
    return all(_state_of(file, plan, job) == "there" for file in plan.files)


def _state_of(file: PlannedFile, plan: Plan, job: Job) -> str:
    """Return whether *file* is there, missing, or has other content."""
    if plan.kind == "cron":
        found = cron.find_lines(_read_crontab(), job.name)
    else:
        data = durable.read_if_there(file.path)
        found = None if data is None else data.decode("utf-8", "replace")
    if found is None:
        return "missing"
    return "there" if found == file.text else "differs"


def _write(plan: Plan, job: Job) -> None:
    if plan.kind == "cron":
        _write_crontab(cron.put_lines(_read_crontab(), job))
        return
    if plan.kind == "launchd":
        # an agent that is loaded cannot be loaded again
        for command in plan.removal:
            _ask(*command)
    for file in plan.files:
        durable.make_dirs(os.path.dirname(file.path))
        durable.replace(file.path, file.text.encode())


def _take_away(plan: Plan, job: Job) -> None:
    if plan.kind == "cron":
        _write_crontab(cron.take_lines(_read_crontab(), job.name))
        return
    for command in plan.removal:
        _ask(*command)
    for file in plan.files:
        if os.path.exists(file.path):
            os.unlink(file.path)
    if plan.kind == "systemd":
        _ask("systemctl", "--user", "daemon-reload")


def _run_all(commands: Sequence[tuple[str, ...]]) -> None:
    for command in commands:
        if command[0] == "crontab":
            continue  # `_write_crontab` did it
        done = _run(*command)
        if done.returncode != 0:
            words = done.stderr.decode("utf-8", "replace").strip()
            raise TimerFailed(f"{' '.join(command)}: {words or 'it failed'}")


def _read_crontab() -> str:
    if shutil.which("crontab") is None:
        return ""
    done = _run("crontab", "-l")
    # crontab(1) ends with 1 where there is none yet
    return done.stdout.decode("utf-8", "surrogateescape")


def _write_crontab(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    done = _run("crontab", "-", stdin=data)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip()
        raise TimerFailed(f"crontab: {words or 'it failed'}")


def _answers(*command: str) -> bool:
    try:
        return _run(*command).returncode == 0
    except TimerFailed:
        return False


def _ask(*command: str) -> None:
    """Tell the system something that it may know already."""
    _run(*command)


def _run(
    *command: str, stdin: bytes | None = None
) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(
            command, input=stdin, capture_output=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TimerFailed(f"{command[0]}: {error}") from error


# -- what is told ----------------------------------------------------------------------------------


def _report(
    ws: Workspace | None,
    job: Job,
    plan: Plan,
    commands: Sequence[tuple[str, ...]],
    *,
    dry_run: bool,
) -> "ScheduleResult":
    log, last = None, None
    if ws is not None:
        log = os.path.join(ws.place.state, unattended.LOG)
        woken = read_wakes(ws.place).last
        last = None if woken is None else local_time(woken)
    return {
        "wiki": job.wiki,
        "kind": plan.kind,
        "name": job.name,
        "minutes": job.minutes,
        "installed": _is_installed(plan, job),
        "files": [
            {
                "path": file.path,
                "text": file.text,
                "state": _state_of(file, plan, job),
            }
            for file in plan.files
        ],
        "commands": [" ".join(command) for command in commands],
        "log": log,
        "last_wake": last,
        "notes": _list_notes(plan),
        "dry_run": dry_run,
    }


def _list_notes(plan: Plan) -> list[str]:
    if plan.kind == "systemd":
        return [
            "systemd runs your timers while you are logged in; `loginctl enable-linger` lets it"
            " run them always."
        ]
    if plan.kind == "cron" and not _is_cron_running():
        return [
            "No cron daemon seems to run; start it, e.g. `service cron start`."
        ]
    return []


def _is_cron_running() -> bool:
    import psutil

    names = {"cron", "crond", "fcron", "cronie"}
    return any(p.info["name"] in names for p in psutil.process_iter(["name"]))
