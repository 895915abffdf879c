"""The lease by which one of several machines does a night: a ref on the remote, with an end.

The ref names a blob that says who holds it and until when. It moves by compare-and-swap, so two
machines never both believe that they hold it. Nothing of it stays in this repository but a loose
object. Clocks of two machines may differ, so an end counts only when it is past by `TOLERANCE`.
"""

import json
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.errors import MALFORMED
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place
from companion.values.time import BadTime, parse_instant

REF = "refs/companion/lease"
TOLERANCE = timedelta(minutes=10)


class Lease(NamedTuple):
    """The machine that does the nights, and until when."""

    holder: str  # a machine's own random name
    until: str  # RFC 3339 UTC


def take_lease(
    place: Place, remote: str, machine: str, now: str, hours: float
) -> Lease | None:
    """Take or renew the lease for *machine*, *hours* from *now* on.

    Return another machine's lease where that is in force, else None. Raises GitFailed where the
    remote does not answer.
    """
    held = _read(place, remote)
    if held is not None and _is_in_force(held.lease, machine, now):
        return held.lease
    until = datetime.fromisoformat(now) + timedelta(hours=hours)
    lease = Lease(machine, until.strftime("%Y-%m-%dT%H:%M:%SZ"))
    data = json.dumps(lease._asdict()).encode()
    blob = run_git(place, "hash-object", "-w", "--stdin", stdin=data)
    expected = held.blob if held is not None else ""
    try:
        run_git(
            place,
            "push",
            "--quiet",
            "--no-verify",
            f"--force-with-lease={REF}:{expected}",
            remote,
            f"{blob.decode().strip()}:{REF}",
        )
    except GitFailed:
        other = _read(place, remote)
        # another machine was faster; anything else is the remote's trouble
        if other is None or other.blob == expected:
            raise
        return other.lease
    return None


class _Held(NamedTuple):
    blob: str
    lease: Lease | None  # None where nobody can read it


def _read(place: Place, remote: str) -> _Held | None:
    listing = run_git(place, "ls-remote", remote, REF).decode().split()
    if not listing:
        return None
    blob = listing[0]
    fetched = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head")
    run_git(place, *fetched, remote, REF)
    data = run_git(place, "cat-file", "blob", blob)
    return _Held(blob, decode(data))


def decode(data: bytes) -> Lease | None:
    """Return the lease that *data* says; None where nobody can read it: it binds nobody."""
    try:
        fields = json.loads(data)
        lease = Lease(str(fields["holder"]), parse_instant(fields["until"]))
        _find_end(lease)
    except (*MALFORMED, BadTime):
        return None
    return lease


def _find_end(lease: Lease) -> datetime:
    return datetime.fromisoformat(lease.until) + TOLERANCE


def _is_in_force(lease: Lease | None, machine: str, now: str) -> bool:
    if lease is None or lease.holder == machine:
        return False
    return datetime.fromisoformat(now) < _find_end(lease)
