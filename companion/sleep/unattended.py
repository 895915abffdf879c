"""A wake by the timer: silent when well, loud when not (SCH-2).

What happened goes into a log in the state folder, with times. Trouble is one plain line, a desktop
notification where there is a desktop, and an exit code.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.sleep.nights import local_time
from companion.storage.files import durable
from companion.storage.git.layout import Place
from companion.workspace import (
    Workspace,
    be_nice,
    open_workspace,
    real_now,
    state_home,
)

if TYPE_CHECKING:
    from companion.sleep.night import Order
    from companion.sleep.results import SleepResult
    from companion.sleep.share_nights import Exchange

LOG = "sleep.log"
OLDER_LOG = "sleep.old.log"
FULL = 512 << 10
_BUSY = 75
_GONE = 10
_PATIENCE = 5.0


def sleep_unattended(
    wiki: str | None,
    order: "Order",
    exchange: "Exchange",
    say: Callable[[str], None],
) -> int:
    """Sleep for a timer; return the exit code, 0 where all is well.

    Another night at work is well: the timer wakes again. Raises NotAWiki and whatever keeps a night
    from beginning, after a notification.
    """
    from companion.sleep.night import sleep
    from companion.sleep.safe_points import WikiGone

    try:
        ws = open_workspace(wiki)
    except CompanionError as error:
        if not _is_first_today(wiki or ""):
            return error.exit_code
        notify(f"companion cannot sleep: {error}")
        raise
    be_nice()
    try:
        doc = sleep(
            ws,
            order,
            exchange=exchange,
            tell=lambda line: write_log(ws, line),
        )
    except WikiGone as error:
        # the log is gone with it
        notify(f"companion cannot sleep: {error}")
        raise
    except CompanionError as error:
        if error.exit_code == _BUSY:
            write_log(ws, f"not now: {error}")
            return 0
        write_log(ws, f"failed: {error}")
        notify(f"companion cannot sleep: {error}")
        raise
    write_log(ws, _tell_ending(doc))
    code = doc["exit_code"]
    if code:
        trouble = _describe_trouble(ws.place, doc)
        notify(trouble)
        say(trouble)
    return code


def _is_first_today(wiki: str) -> bool:
    """Tell whether this is the first wake of the day that does not find *wiki*, and note it.

    It lies on a drive that is not here: to say so every twenty minutes would be noise.
    """
    name = sha256(os.fsencode(wiki)).hexdigest()[:16]
    folder = os.path.join(state_home(), "companion", "not-found")
    durable.make_dirs(folder, mode=0o700)
    path = os.path.join(folder, name)
    today = local_time(real_now().isoformat())[:10].encode()
    if durable.read_if_there(path) == today:
        return False
    durable.replace(path, today, mode=0o600, sync=False)
    return True


def write_log(ws: Workspace, words: str) -> None:
    """Add one line with the time to the log, which is set aside when it is full."""
    path = os.path.join(ws.place.state, LOG)
    durable.make_dirs(ws.place.state, mode=0o700)
    if os.path.exists(path) and os.path.getsize(path) > FULL:
        os.replace(path, os.path.join(ws.place.state, OLDER_LOG))
    at = local_time(real_now().isoformat())
    line = f"{at} {' '.join(words.split())}\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    fd = os.open(path, flags, 0o600)
    try:
        durable.write_all(fd, line.encode())
    finally:
        os.close(fd)


def notify(words: str) -> None:
    """Show *words* on the desktop, where there is one; a server has nobody to show them to."""
    command = _find_notifier(words)
    if command is None:
        return
    try:
        subprocess.run(command, capture_output=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return  # the exit code and the log say it, too


def _find_notifier(words: str) -> list[str] | None:
    if sys.platform == "darwin":
        quoted = words.replace("\\", "\\\\").replace('"', '\\"')
        script = f'display notification "{quoted}" with title "companion"'
        return ["osascript", "-e", script]
    program = shutil.which("notify-send")
    if program is None:
        return None
    return [program, "--app-name=companion", "companion", words]


def _tell_ending(doc: "SleepResult") -> str:
    """Return the last line of a wake: why it did not sleep, or how its night ended."""
    if doc["outcome"] == "waited":
        return f"awake: {doc['decision']['words']}"
    return f"{doc['outcome']}: {doc['stopped'] or 'It is done.'}"


def _describe_trouble(place: Place, doc: "SleepResult") -> str:
    failed = [step for step in doc["steps"] if step["exit_code"]]
    first = failed[0]
    return (
        f"companion in {place.root}: {first['name']} failed: {first['words']}"
    )
