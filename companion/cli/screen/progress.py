"""Show on a terminal how far a long operation is: one line on stderr, gone when the work is done.

Only loaded where stderr is a terminal. The line appears when the work has lasted a while, also in a
step that counts nothing; only then rich is loaded.
"""

import threading
import time
from typing import Any

#: seconds of work before a line is worth loading rich for
PATIENCE = 0.7
#: seconds of a step before it is guessed how long it still takes
_SETTLED = 2.0


class TerminalProgress:
    """Shows the present step, its count, and the time it still takes."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.begun = time.monotonic()
        self.total: int | None = None
        self.done = 0
        self._bar: Any = None
        self._timer: threading.Timer | None = None
        self._is_closed = False
        # the timer shows the line from another thread
        self._lock = threading.Lock()

    def __enter__(self) -> "TerminalProgress":
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._bar is not None:
                self._bar.stop()

    def begin(self, step: str, total: int | None = None) -> None:
        """Show *step* from now on; *total* things make it complete."""
        with self._lock:
            self.label = step
            self.total = total
            self.done = 0
            if self._bar is not None:
                # a total of None would leave the old one in a task
                self._bar.remove_task(self._bar.task_ids[0])
                self._bar.add_task(step, total=total)
        if self._timer is None:
            left = PATIENCE - (time.monotonic() - self.begun)
            self._timer = threading.Timer(max(0.0, left), self._show)
            self._timer.daemon = True
            self._timer.start()

    def __call__(self, done: int, /) -> None:
        """Show that *done* more things are done."""
        self.done += done
        if time.monotonic() - self.begun >= PATIENCE:
            self._show()

    def _show(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            if self._bar is None:
                self._bar = _open_bar(self.label, self.total)
            self._bar.update(self._bar.task_ids[0], completed=self.done)


def describe_amount(done: float, total: float | None, seconds: float) -> str:
    """Return how much of a step is done after *seconds*, and about how long it still takes."""
    if total is None:
        count = f"{done:,.0f}  " if done else ""
        return f"{count}{_format_seconds(seconds)}"
    amount = f"{done:,.0f} of {total:,.0f}"
    if not done or seconds < _SETTLED:
        return amount
    left = seconds / done * max(0.0, total - done)
    return f"{amount}, about {_format_seconds(left)} left"


def _format_seconds(seconds: float) -> str:
    whole = round(seconds)
    if whole < 90:
        return f"{whole} s"
    if whole < 90 * 60:
        return f"{round(whole / 60)} min"
    return f"{whole / 3600:.1f} h"


def _open_bar(label: str, total: int | None) -> Any:
    from rich.console import Console
    from rich.progress import (
        Progress,
        ProgressColumn,
        SpinnerColumn,
        Task,
        TextColumn,
    )
    from rich.text import Text

    class Amount(ProgressColumn):
        """The count of a step and the time that it still takes."""

        def render(self, task: Task) -> Text:
            """Return the cell of *task*."""
            seconds = task.elapsed or 0.0
            return Text(describe_amount(task.completed, task.total, seconds))

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        Amount(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(label, total=total)
    bar.start()
    return bar
