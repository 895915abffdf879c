"""Look at the conditions again at the safe points of a night.

An operation tells its progress between two things that it does. Until it publishes, nothing of it
is kept, so leaving it there undoes nothing and loses nothing; answers of a model stay logged.
"""

import os
import time
from contextlib import closing
from typing import Protocol

from companion.errors import CompanionError
from companion.sleep.decision.policy import Decision
from companion.sleep.decision.rhythm import CONTEXTUALIZE
from companion.sleep.decision.state import Body
from companion.sleep.decision.stop import Now, Stop, find_stop
from companion.storage.git.layout import Place
from companion.storage.journal.interactions import find_newest_interaction
from companion.values.progress import Progress
from companion.workspace import Workspace, real_now

#: seconds between two looks at the machine
EVERY = 5.0
#: seconds by which the wall clock may run ahead of the other one before the machine was asleep
GAP = 60.0


class Readings(Protocol):
    """Something that reads a machine: this one, or a simulated one."""

    def read(self) -> Body:
        """Return the readings of this moment."""


class WikiGone(CompanionError):
    """The wiki went away in the middle of a night."""

    exit_code = 10
    hint = (
        "If it lies on a drive, connect it again: what was told is there, and the "
        "next night takes it in."
    )


def require_wiki(place: Place) -> None:
    """Raise WikiGone where the wiki's repository is not there any more.

    Whatever is written then would stand in the place of a drive, and keep it from coming back
    there.
    """
    if not os.path.isdir(place.common_dir):
        raise WikiGone(f"{place.root} went away in the middle of the night")


class Woken(Exception):
    """Leaves an operation whose conditions have changed."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.why)
        self.stop = stop


class Watch:
    """The progress of a night, which raises `Woken` at a safe point when the night must end."""

    def __init__(
        self,
        ws: Workspace,
        readings: Readings,
        shown: Progress,
        decision: Decision,
        begun: Body,
        *,
        asked: bool,
    ) -> None:
        self._ws = ws
        self._readings = readings
        self._shown = shown
        self.decision = decision
        self._begun = begun
        self._asked = asked
        self._started = self._looked = time.monotonic()
        self._wall = real_now()
        self._used = self._find_newest_use()
        self.step = ""  # that runs now

    def begin(self, step: str, total: int | None = None) -> None:
        """Show *step*, and look at the conditions if that is long ago."""
        self._shown.begin(step, total)
        self._look_sometimes()

    def __call__(self, done: int, /) -> None:
        """Show that *done* more things are done, and look at the conditions now and then."""
        self._shown(done)
        self._look_sometimes()

    def is_over(self) -> bool:
        """Tell whether the night must end, for an operation that ends by itself in slices.

        Raises WikiGone.
        """
        return self.find_stop() is not None

    def check(self) -> None:
        """Raise Woken where the night must end."""
        stop = self.find_stop()
        if stop is not None:
            raise Woken(stop)

    def find_stop(self) -> Stop | None:
        """Read the conditions again; return why the night must end, or None. Raises WikiGone."""
        require_wiki(self._ws.place)
        self._looked = time.monotonic()
        now = Now(
            body=self._readings.read(),
            elapsed=self.elapsed,
            is_used=self._is_used(),
        )
        return find_stop(self.decision, self._begun, now, asked=self._asked)

    @property
    def elapsed(self) -> float:
        """The minutes since the night began, those included in which the machine slept."""
        awake = time.monotonic() - self._started
        wall = (real_now() - self._wall).total_seconds()
        # A clock that was set back must not stretch the night, so the longer of the two counts.
        return max(awake, wall) / 60

    def _look_sometimes(self) -> None:
        now = time.monotonic()
        if now - self._looked >= EVERY or self._has_machine_slept(now):
            self.check()

    def _has_machine_slept(self, now: float) -> bool:
        """Tell whether the wall clock ran ahead: the lid was closed, or the clock was set."""
        awake = now - self._started
        wall = (real_now() - self._wall).total_seconds()
        if wall - awake < GAP:
            return False
        # from here on, a new gap counts
        self._started = now - wall
        return True

    def _is_used(self) -> bool:
        if self.step == CONTEXTUALIZE:
            return False  # what it hands over looks like something told
        newest = self._find_newest_use()
        return newest is not None and (
            self._used is None or newest > self._used
        )

    def _find_newest_use(self) -> str | None:
        with closing(self._ws.journal()) as journal:
            return find_newest_interaction(self._ws.place, journal)

    def forget_use(self) -> None:
        """Take what was told so far for the night's own: CONTEXTUALIZE hands notes over."""
        self._used = self._find_newest_use()
