"""The composition root: the only place that reads the clock and the environment.

On the hot path of every command: git and the index are opened by those who need them.
"""

import os
import time
from datetime import datetime, timezone

from companion.errors import CompanionError
from companion.storage.git import layout
from companion.storage.git.layout import Place
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values import hashing, refusals
from companion.values import time as times
from companion.values.captures import OWNER


class BadClock(CompanionError):
    """COMPANION_NOW is not a time."""

    exit_code = 2
    hint = "Give it like 2026-11-21T22:00:00Z, or unset it."


class Workspace:
    """One wiki, and the clock that everything about it is told by."""

    def __init__(self, place: Place, now: str | None = None, *, who: str = OWNER) -> None:
        self.place = place
        self.who = who  # who reads: the agent named by --agent, else the person
        self._now = now
        self.warning: str | None = None  # why a read answers as of an earlier run

    def now(self) -> str:
        """Return the transaction clock: COMPANION_NOW where it is set, else the machine's (RFC 3339
        UTC).
        """
        return self._now if self._now is not None else times.format_instant(real_now())

    @property
    def is_clock_moved(self) -> bool:
        """Whether COMPANION_NOW says what time it is."""
        return self._now is not None

    def fresh_id(self, *about: str) -> str:
        """Return 64 bits in hex that name one use and say nothing of it.

        Random; under COMPANION_NOW, by which a story is told alike each time, a hash of the moment
        and of what it is *about*.
        """
        if self._now is None:
            return os.urandom(8).hex()
        try:
            tip = layout.read_ref(self.place, "HEAD")
        except layout.DamagedRef:  # a read says so itself where it matters
            tip = None
        hashed = hashing.sha256()
        hashed.update(repr((self._now, self.who, tip, about)).encode())
        return str(hashed.hexdigest()[:16])

    def present(self, journal: Journal) -> str:
        """Return the time that it is, as far as the clock can be believed."""
        clock = self.now()
        event = times.moment(clock, journal.get("last_time"), journal.get(TRUSTED)).event
        return event if times.is_far(clock, event) or times.is_far(event, clock) else clock

    def journal(self) -> Journal:
        """Open the journal; a lost one first takes back what git holds of it (never from the wiki:
        TRI-5).
        """
        journal = Journal.open(self.place.journal_db)
        if journal.fresh:
            restore(self.place, journal)
        return journal


def open_workspace(wiki: str | None = None, agent: str | None = None) -> Workspace:
    """Return the wiki named by *wiki*, else by COMPANION_WIKI, else the one around the current
    folder, as *agent* sees it, else as the person does.

    Raises NotAWiki, BadClock or BadName.
    """
    place = layout.find(wanted(wiki))
    arm_faults()
    return Workspace(place, fixed_now(), who=OWNER if agent is None else refusals.agent(agent))


def wanted(wiki: str | None) -> str:
    """Return the folder that *wiki* names, else COMPANION_WIKI, else the current one."""
    return os.path.expanduser(wiki or os.environ.get("COMPANION_WIKI") or os.getcwd())


def state_home() -> str:
    """Return the person's folder for what programs remember: XDG_STATE_HOME, which must be
    absolute, or the usual.
    """
    named = os.environ.get("XDG_STATE_HOME", "")
    return named if os.path.isabs(named) else os.path.expanduser("~/.local/state")


def fresh_key() -> bytes:
    """Return 32 random bytes: the key of this machine alone."""
    return os.urandom(32)


def fixed_now() -> str | None:
    """Return COMPANION_NOW as an instant, None where it is not set."""
    text = os.environ.get("COMPANION_NOW")
    if not text:
        return None
    try:
        return times.parse_instant(text)
    except CompanionError as error:
        raise BadClock(f"COMPANION_NOW: {error}") from error


def real_now() -> datetime:
    """Return the machine's clock: file ages and kept copies go by it, never by COMPANION_NOW."""
    return datetime.fromtimestamp(time.time(), timezone.utc)  # noqa: UP017 - datetime.UTC is another name for it


def restore(place: Place, journal: Journal) -> None:
    """Read a lost journal's captures back from the buffer refs, where there are any."""
    if not os.path.isdir(
        os.path.join(place.common_dir, "refs", "companion")
    ) and not _packed_buffer(place):
        journal.restore(())  # nothing to read back, and nobody need ask again
        return
    from companion.storage.git import capture_buffer
    from companion.storage.git.repo import Repo

    journal.restore(capture_buffer.read(Repo(place)))


def _packed_buffer(place: Place) -> bool:
    try:
        with open(
            os.path.join(place.common_dir, "packed-refs"), encoding="utf-8", errors="replace"
        ) as file:
            return " refs/companion/" in file.read()
    except FileNotFoundError:
        return False


def arm_faults() -> None:
    """Install the fault that COMPANION_FAULT describes: crash tests of the installed program use
    it.
    """
    spec = os.environ.get("COMPANION_FAULT")
    if spec:
        from companion.storage.files import durable

        durable.arm(spec)


def offline() -> None:
    """Tell model libraries, before they are imported, to fetch nothing: weights are on this
    machine, or not used.
    """
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[name] = "1"


def alone() -> None:
    """Let numpy compute on one core, before it is imported: the matrices of a night are small, and
    a second thread spends more time waiting than it saves.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def debug() -> bool:
    """Tell whether COMPANION_DEBUG asks for tracebacks."""
    return bool(os.environ.get("COMPANION_DEBUG"))


def colour() -> bool:
    """Tell whether a terminal may be addressed in bold."""
    return "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
