"""Open a wiki for a command; no other module reads the clock and the environment.

Every command loads this module, so it imports little: who needs git or the index opens them.
"""

import os
import time
from collections.abc import Callable
from datetime import datetime, timezone

from companion.errors import CompanionError
from companion.storage.git import layout
from companion.storage.git.layout import Place
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values import hashing, refusals
from companion.values.captures import OWNER
from companion.values.time import (
    check_utc_offset,
    format_instant,
    is_far,
    moment,
    parse_instant,
)


class BadClock(CompanionError):
    """COMPANION_NOW is not a time."""

    exit_code = 2
    hint = "Give it like 2026-11-21T22:00:00Z, or unset it."


class Workspace:
    """One wiki, who reads it, and the clock that every command on it uses."""

    def __init__(
        self, place: Place, now: str | None = None, *, who: str = OWNER
    ) -> None:
        self.place = place
        self.who = who  # the agent named by --agent, else the person
        self._now = now
        # why a read answers as of an earlier run
        self.warning: str | None = None

    def now(self) -> str:
        """Return COMPANION_NOW where it is set, else the machine's time (RFC 3339 UTC).

        Times are compared as text: however one was given, it leaves here in full width.
        """
        if self._now is not None:
            return parse_instant(self._now)
        return format_instant(real_now())

    @property
    def is_clock_moved(self) -> bool:
        """Return whether COMPANION_NOW is set."""
        return self._now is not None

    def fresh_id(self, *about: str) -> str:
        """Return 16 hex digits that identify one use and reveal nothing about it.

        They are random. Under COMPANION_NOW they are a hash of the time and of what the use is
        *about*, so that the same commands give the same ids again.
        """
        if self._now is None:
            return os.urandom(8).hex()
        try:
            tip = layout.read_ref(self.place, "HEAD")
        # the read itself reports the damage where it matters
        except layout.DamagedRef:
            tip = None
        hashed = hashing.sha256()
        hashed.update(repr((self._now, self.who, tip, about)).encode())
        return str(hashed.hexdigest()[:16])

    def present(self, journal: Journal) -> str:
        """Return the clock's time, or the newest trusted one where the clock is far from it."""
        clock = self.now()
        event = moment(
            clock, journal.get("last_time"), journal.get(TRUSTED)
        ).event
        if is_far(clock, event) or is_far(event, clock):
            return event
        return clock

    def journal(self) -> Journal:
        """Return the open journal; a lost one is first restored from git's buffer refs (TRI-5)."""
        journal = Journal.open(self.place.journal_db)
        if journal.fresh:
            restore_captures(self.place, journal)
        return journal


def open_workspace(
    wiki: str | None = None, agent: str | None = None
) -> Workspace:
    """Return the wiki that *wiki*, COMPANION_WIKI or the current folder names, in this order.

    *agent* is who reads it; None stands for the person. Raises NotAWiki, BadClock or BadName.
    """
    place = layout.find_place(choose_folder(wiki))
    arm_faults()
    who = OWNER
    if agent is not None:
        who = refusals.agent(agent)
    return Workspace(place, fixed_now(), who=who)


def choose_folder(wiki: str | None) -> str:
    """Return the folder that *wiki* names, else COMPANION_WIKI, else the current one."""
    return os.path.expanduser(
        wiki or os.environ.get("COMPANION_WIKI") or os.getcwd()
    )


def is_wiki_meant(wiki: str | None) -> bool:
    """Tell whether *wiki* or COMPANION_WIKI names a wiki, or the current folder is in one."""
    if wiki or os.environ.get("COMPANION_WIKI"):
        return True
    try:
        layout.find_place(os.getcwd())
    except layout.NotAWiki:
        return False
    # what is wrong with a wiki, its own command says
    except CompanionError:
        return True
    return True


def is_completing() -> bool:
    """Tell whether a shell asks for the completion of a line, which comes without a command."""
    return "_COMPANION_COMPLETE" in os.environ


def find_completion() -> tuple[str, dict[str, str]] | None:
    """Return the shell that asks for the completion of a line, and its environment; None where
    none does.
    """
    asked = os.environ.get("_COMPANION_COMPLETE", "")
    if not asked.startswith("complete_"):
        return None
    return asked.removeprefix("complete_"), dict(os.environ)


def state_home() -> str:
    """Return the person's folder for the state of programs.

    It is XDG_STATE_HOME where that is an absolute path, else ``~/.local/state``.
    """
    named = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(named):
        return named
    return os.path.expanduser("~/.local/state")


def caller_environment() -> dict[str, str]:
    """Return the environment of whoever called: a schedule carries parts of it along."""
    return dict(os.environ)


def simulated_body() -> str | None:
    """Return COMPANION_BODY: readings of a machine, in place of this one's; None if it is not set.

    Tests and simulations of sleep set it, as they set COMPANION_NOW.
    """
    return os.environ.get("COMPANION_BODY") or None


def create_key() -> bytes:
    """Return 32 random bytes for a key that never leaves this machine."""
    return os.urandom(32)


def fixed_now() -> str | None:
    """Return COMPANION_NOW as an instant, None where it is not set. Raises BadClock."""
    text = os.environ.get("COMPANION_NOW")
    if not text:
        return None
    try:
        return parse_instant(text)
    except CompanionError as error:
        raise BadClock(f"COMPANION_NOW: {error}") from error


def real_now() -> datetime:
    """Return the machine's time, which file ages and kept copies need whatever COMPANION_NOW is."""
    return datetime.fromtimestamp(time.time(), timezone.utc)  # noqa: UP017 - UTC is the same


def make_deadline(minutes: int | None) -> Callable[[], bool]:
    """Return what tells whether *minutes* have passed since now; None stands for no end."""
    end = None if minutes is None else time.monotonic() + 60 * minutes

    def is_over() -> bool:
        """Tell whether the time is over."""
        return end is not None and time.monotonic() >= end

    return is_over


def find_local_offset(instant: str) -> int | None:
    """Return the UTC offset of this machine's zone at *instant*, in minutes; None stands for UTC.

    The C library answers: `zoneinfo` would cost a capture more than it takes.
    """
    seconds = datetime.fromisoformat(instant).timestamp()
    try:
        offset = time.localtime(seconds).tm_gmtoff
    # Some platforms know no zone before 1900 or after 2038: an unknown offset counts as UTC.
    except (OverflowError, OSError):
        return None
    return check_utc_offset(offset // 60)


def restore_captures(place: Place, journal: Journal) -> None:
    """Read a lost journal's captures back from the buffer refs, where there are any.

    Raises GitFailed.
    """
    loose_refs = os.path.join(place.common_dir, "refs", "companion")
    if not os.path.isdir(loose_refs) and not _has_packed_buffer(place):
        journal.restore(())  # records that there was nothing to restore
        return
    from companion.storage.git import capture_buffer
    from companion.storage.git.repo import Repo

    journal.restore(capture_buffer.read(Repo(place)))


def _has_packed_buffer(place: Place) -> bool:
    path = os.path.join(place.common_dir, "packed-refs")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return " refs/companion/" in file.read()
    except FileNotFoundError:
        return False


def arm_faults() -> None:
    """Install the fault that COMPANION_FAULT describes, for crash tests of the program.

    Raises BadInput.
    """
    spec = os.environ.get("COMPANION_FAULT")
    if spec:
        from companion.storage.files.arm_faults import arm

        arm(spec)


def forbid_downloads() -> None:
    """Tell model libraries, before they are imported, to download nothing.

    Companion uses only weights that are on this machine.
    """
    for name in (
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_HUB_DISABLE_TELEMETRY",
    ):
        os.environ[name] = "1"


def forbid_usage_reports() -> None:
    """Tell Ray, before it is imported, to report nothing to its makers."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


def compute_on_one_core() -> None:
    """Let numpy, before it is imported, compute on one core.

    The matrices of a night are small: a second thread waits longer than it saves.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def find_editor() -> list[str]:
    """Return the command of the person's editor, VISUAL before EDITOR; empty where none is named.

    It may have options: `code --wait`.
    """
    import shlex

    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        return shlex.split(named)
    # an unclosed quotation mark: the error that there is no such program shows it
    except ValueError:
        return [named]


def find_opener() -> list[str]:
    """Return the command that opens a file in its app; empty where there is none, or no screen."""
    import shutil
    import sys

    if sys.platform == "darwin":
        return ["open"]
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
    if not any(os.environ.get(name) for name in screens):
        return []
    for program in ("xdg-open", "wslview"):
        if shutil.which(program):
            return [program]
    return []


def be_nice() -> None:
    """Let every other program on this machine come first."""
    try:
        os.nice(10 - os.nice(0))
    # It is as nice as it may be: some systems let nobody change that.
    except OSError:
        return


def is_debugging() -> bool:
    """Return whether COMPANION_DEBUG asks for tracebacks."""
    return bool(os.environ.get("COMPANION_DEBUG"))


def allows_colour() -> bool:
    """Return whether the environment allows colour and bold text on a terminal."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
