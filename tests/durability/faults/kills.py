"""The program is killed, or its disk refuses, at every call; then again while it recovers."""

import pickle
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from tests.durability.faults import check, others
from tests.durability.faults.calls import OTHERS, Tap
from tests.durability.faults.check import Violation
from tests.durability.faults.child import Before, Forked
from tests.durability.scenes import SCENES, Stage
from tests.living import KILLED

#: what a fault counts as in the summary
KINDS = {
    "kill": "kills",
    "eio": "EIO",
    "enospc": "ENOSPC",
    "unsynced": "failed fsync",
    "pair": "kills in recovery",
}


OTHERS += [others.git, others.sqlite]


class Fault(NamedTuple):
    """One thing that is to happen to one scene's command."""

    scene: str
    # "call 17 torn" or "publish.ref@1:after:kill"; "… then call 5 after" for one more in the
    # recovery
    spec: str

    @property
    def kind(self) -> str:
        if " then " in self.spec:
            return "pair"
        how = (
            self.spec.split()[-1]
            if self.spec.startswith("call ")
            else self.spec.rsplit(":", 1)[1]
        )
        return how if how in KINDS else "kill"


def tap(wiki: Forked, at: int = 0, how: str = "", record: str = "") -> Tap:
    """Return what stands between a child that works in *wiki* and the disk."""
    base = str(check.base_of(wiki))
    elsewhere = (
        "remote.git/" if (wiki.root.parent / "remote.git").exists() else ""
    )
    return Tap(base, at=at, how=how, record=record, elsewhere=elsewhere)


def calls(stage: Stage, name: str, mutate: Before | None = None) -> list[str]:
    """Return every call by which the scene's command changes the disk."""
    wiki = Forked(stage.fresh(name).root)
    begun, record = check.begin(name, wiki), str(stage.folder / f"{name}.calls")
    armed = [*([mutate] if mutate else []), tap(wiki, record=record).install]
    done = wiki.run(
        "--json",
        *begun.argv,
        stdin=begun.scene.stdin,
        before=partial(all_of, armed),
    )
    assert done.returncode == 0, (name, done.stdout, done.stderr)
    check.clear(wiki)
    with open(record, "rb") as file:
        return list(pickle.load(file)[0])


def plan(
    stage: Stage, names: list[str], dice: random.Random
) -> Iterator[Fault]:
    """Yield every fault: at every call, at every stage of every named point, and pairs."""
    for name in names:
        made = calls(stage, name)
        for n, what in enumerate(made, 1):
            yield from (
                Fault(name, f"call {n} {how}")
                for how in hows(what, last=n == len(made))
            )
            yield Fault(
                name,
                f"call {n} after then call {dice.randint(1, 1 + len(made) // 2)} before",
            )
        for passage in stage.passages(name):
            yield Fault(name, f"{passage}:kill")
            yield Fault(name, f"{passage}:{dice.choice(('eio', 'enospc'))}")


def hows(what: str, *, last: bool = False) -> list[str]:
    """Return what may befall the call *what*. After one call is before the next, but for what a
    child leaves behind.
    """
    kind = what.split()[0]
    torn = ["torn"] if kind in ("write", "pwrite") else []
    after = ["after"] if last or kind in ("git", "sqlite") else []
    if kind in ("fsync", "syncfs"):
        return ["before", "unsynced", *after]
    # these give room back
    full = ["enospc"] if kind not in ("remove", "ftruncate") else []
    return ["before", *torn, "eio", *full, *after]


def strike(stage: Stage, fault: Fault, mutate: Before | None = None) -> bool:
    """Let *fault* befall its scene, and the next command recover. Tell whether it was delivered.

    Raises Violation where a promise is broken.
    """
    wiki = Forked(stage.fresh(fault.scene).root)
    try:
        begun = check.begin(fault.scene, wiki)
        first, _, second = fault.spec.partition(" then ")
        delivered, out = _struck(
            wiki, begun.argv, SCENES[fault.scene].stdin, first, mutate
        )
        if second:
            again = (
                SCENES[fault.scene].words_in(wiki, 1)
                if SCENES[fault.scene].again
                else begun.argv
            )
            scene = SCENES[fault.scene]
            delivered, more = _struck(
                wiki, again, scene.stdin, second, mutate, scene.ends
            )
            out += more
        check.recover(begun, wiki, out, mutate, nth=2 if second else 1)
        return delivered
    finally:
        check.clear(wiki)


def _struck(
    wiki: Forked,
    argv: tuple[str, ...],
    stdin: bytes,
    spec: str,
    mutate: Before | None,
    ends: tuple[int, ...] = (),
) -> tuple[bool, bytes]:
    """Run a command into a fault; return whether it was delivered, and what the command said."""
    armed: list[Callable[[], None]] = [mutate] if mutate else []
    env = None
    if spec.startswith("call "):
        _, at, how = spec.split()
        armed.append(tap(wiki, int(at), how).install)
    else:
        env, how = spec, spec.rsplit(":", 1)[1]
    done = wiki.run(
        "--json", *argv, stdin=stdin, fault=env, before=partial(all_of, armed)
    )
    if how in ("eio", "enospc", "unsynced"):
        if done.returncode == 0:
            if how == "unsynced":
                raise Violation("an fsync failed, and it reported success")
            return True, done.stdout
        check.failed_politely(done.returncode, done.stdout, done.stderr)
        return True, done.stdout
    if done.returncode != KILLED and done.returncode not in (0, 2, *ends):
        raise Violation(
            f"it ended with {done.returncode}: {done.stdout!r} {done.stderr!r}"
        )
    return done.returncode == KILLED, done.stdout


def all_of(armed: list[Callable[[], None]]) -> None:
    """Call each of *armed*."""
    for arm in armed:
        arm()
