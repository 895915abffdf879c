"""Several machines, one wiki: who does the night, and the notes of the others before it."""

import os
from collections.abc import Callable
from typing import NamedTuple

from companion.errors import CompanionError
from companion.sleep.decision.rhythm import night_interval
from companion.sleep.gather import Situation
from companion.sleep.machine import wakes
from companion.sleep.past import measure_age
from companion.sleep.steps import DONE, NOTHING, SKIPPED, Outcome
from companion.storage.files import durable
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place
from companion.storage.git.lease import take_lease
from companion.storage.git.remotes_known import Remote, list_remotes
from companion.storage.git.repo import Repo
from companion.values.wording import many
from companion.workspace import Workspace

#: brings the notes of this machine and of a remote together
Exchange = Callable[[Workspace, str], object]

_MACHINE = "machine"
#: minutes for which an answer of the remote holds
_ASK_AGAIN = 180.0


class Leaseholder(NamedTuple):
    """The other machine that does the nights."""

    words: str
    is_news: bool  # the remote was asked just now


def find_leaseholder(ws: Workspace, situation: Situation) -> Leaseholder | None:
    """Return the machine that does the nights, where it is another one; take the lease otherwise.

    The remote is asked every three hours at most.

    Without a remote that carries notes, or without a network, there is nobody to ask: two nights of
    the same notes give the same pages.
    """
    remote = _find_remote(ws.place)
    if remote is None:
        return None
    known = situation.wakes.leased_at
    age = measure_age(known, situation.at)
    # a time after now is that of a clock that was wrong
    if known and age is not None and age < _ASK_AGAIN and known <= situation.at:
        return Leaseholder("another machine", False)
    hours = 1.5 * night_interval(situation.state) / 60
    machine = name_machine(ws)
    try:
        held = take_lease(ws.place, remote.name, machine, ws.now(), hours)
    except GitFailed:
        return None  # as the docstring says; the fetch reports what is wrong
    if held is None:
        return None
    stored = wakes.read_wakes(ws.place)
    wakes.write_wakes(ws.place, stored._replace(leased_at=situation.at))
    return Leaseholder(f"another machine ({held.holder[:4]})", True)


def fetch(ws: Workspace, exchange: Exchange | None) -> Outcome | None:
    """Bring the notes of other machines here, and see whether their nights were merged.

    None where no remote carries notes. What the network does not allow is no failure.
    """
    remote = _find_remote(ws.place)
    if remote is None or exchange is None:
        return None
    try:
        exchange(ws, remote.name)
        behind = _count_unmerged(ws.place, remote)
    except CompanionError as error:
        return Outcome(SKIPPED, f"Nothing was fetched: {error}.", None, error)
    if not behind:
        return Outcome(NOTHING, f"The notes of {remote.name} are here.")
    words = (
        f"{remote.name} has {many(behind, 'commit')} that this branch lacks;"
        " `git pull` brings them."
    )
    return Outcome(DONE, words)


def name_machine(ws: Workspace) -> str:
    """Return this machine's random name, which says nothing about it."""
    path = os.path.join(ws.place.state, _MACHINE)
    known = durable.read_if_there(path)
    if known is not None:
        return known.decode("ascii", "replace").strip()
    from companion.workspace import create_key

    name = create_key().hex()[:16]
    durable.replace(path, name.encode() + b"\n", mode=0o600)
    return name


def _find_remote(place: Place) -> Remote | None:
    """Return the one remote that carries notes; with several, the person syncs."""
    able = [remote for remote in list_remotes(place) if remote.notes]
    return able[0] if len(able) == 1 else None


def _count_unmerged(place: Place, remote: Remote) -> int:
    """Return how many commits of the remote's branch are not in ours. Raises GitFailed."""
    branch = Repo(place).branch
    short = branch.removeprefix("refs/heads/")
    tracking = f"refs/remotes/{remote.name}/{short}"
    if not run_git(place, "ls-remote", remote.name, branch).strip():
        return 0
    fetched = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
    run_git(place, *fetched, remote.name, f"+{branch}:{tracking}")
    count = run_git(place, "rev-list", "--count", f"{branch}..{tracking}")
    return int(count)
