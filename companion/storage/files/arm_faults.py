"""Break a durable step on purpose: crash tests name the step, COMPANION_FAULT names it for a child."""

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
        if (at, at_stage) == (name, stage) and next(passed) == passage:
            _ACTIONS[action]()

    hooks.append(hook)
    return lambda: hooks.remove(hook)


def every_fault() -> Iterator[str]:
    """Yield a spec for `arm` for every stage of every point and every action."""
    for name, stages in POINTS.items():
        yield from (
            f"{name}:{stage}:{action}"
            for stage in stages
            for action in _ACTIONS
        )


def _parse_spec(spec: str) -> tuple[str, int, str, str]:
    where, *how = spec.split(":")
    name, _, nth = where.partition("@")
    if len(how) == 1:
        how = ["torn", "kill"] if how[0] == "torn" else ["before", how[0]]
    if (
        len(how) != 2
        or how[0] not in POINTS.get(name, ())
        or how[1] not in _ACTIONS
        or not (nth or "1").isdecimal()
    ):
        raise BadInput(
            f"no such fault: {spec}",
            hint="Write point[@n]:stage:action; see durable.POINTS.",
        )
    return name, int(nth or 1), how[0], how[1]


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
