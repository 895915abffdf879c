"""Break a durable step on purpose, for crash tests."""

import errno
import os
from collections.abc import Callable, Iterator
from itertools import count

from companion.errors import BadInput
from companion.storage.files.durable import POINTS, hooks


def arm(spec: str) -> Callable[[], None]:
    """Install the fault *spec* names and return the function that removes it again.

    ``point[@n]:stage:action``: at the n-th passage (default the first) through that stage, ``kill``
    the process with SIGKILL, ``stop`` it until SIGCONT (a test then acts in the meantime), or raise
    ``eio`` or ``enospc``. Short forms: ``point:torn`` kills there, ``point:eio`` and
    ``point:enospc`` raise before the step. Raises BadInput for anything else.
    """
    name, passage, stage, action = _parse_spec(spec)
    passed = count(1)

    def hook(at: str, at_stage: str) -> None:
        """Act at the n-th passage."""
        if (at, at_stage) == (name, stage) and next(passed) == passage:
            _ACTIONS[action]()

    hooks.append(hook)
    return lambda: hooks.remove(hook)


def every_fault() -> Iterator[str]:
    """Yield a spec for `arm` for every stage of every point and every action."""
    for name, stages in POINTS.items():
        for stage in stages:
            for action in _ACTIONS:
                yield f"{name}:{stage}:{action}"


def _parse_spec(spec: str) -> tuple[str, int, str, str]:
    """Return the point, the passage, the stage and the action. Raises BadInput."""
    where, *how = spec.split(":")
    name, _, passage = where.partition("@")
    if how == ["torn"]:
        how = ["torn", "kill"]
    elif len(how) == 1:
        how = ["before", *how]
    if len(how) == 2 and (passage or "1").isdecimal():
        stage, action = how
        if stage in POINTS.get(name, ()) and action in _ACTIONS:
            return name, int(passage or 1), stage, action
    raise BadInput(
        f"no such fault: {spec}",
        hint="Write point[@n]:stage:action; see durable.POINTS.",
    )


def _kill() -> None:
    import signal

    os.kill(os.getpid(), signal.SIGKILL)


def _stop() -> None:
    import signal

    os.kill(os.getpid(), signal.SIGSTOP)


def _raise(number: int) -> None:
    raise OSError(number, os.strerror(number))


_ACTIONS: dict[str, Callable[[], None]] = {
    "kill": _kill,
    "stop": _stop,
    "eio": lambda: _raise(errno.EIO),
    "enospc": lambda: _raise(errno.ENOSPC),
}
