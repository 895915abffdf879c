"""How a note leaves the buffer without a page: rejected, because it was taken back, or expired,
because it waited longer than its owner allows (MaM §4).

Both take its tellings back as `drop` does and leave a line in the ledger. The bytes stay, and a new
telling brings the note back.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.comparison.pending import (
    ConsolidationPlan,
    WaitingCapture,
)
from companion.runs.run import Run
from companion.storage.git import capture_buffer
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.captures import is_extended
from companion.values.captures import WITHDRAWN, Sighting
from companion.values.events import LedgerLine
from companion.values.wording import many


class Expiry(NamedTuple):
    """A note that expires tonight."""

    capture: str
    at: str  # what was told until then is taken back
    line: LedgerLine | None  # None where the ledger says it already


def list_rejected(run: Run) -> list[LedgerLine]:
    """Return a line for each note that was taken back, and of which the ledger does not say so."""
    lines: list[LedgerLine] = []
    for capture, at in run.journal.list_withdrawn():
        if find_end(run, capture, at) is None:
            lines.append(
                {
                    "e": "rejected",
                    "capture": capture,
                    "seen_at": at,
                    "reason": "Rejected: it was taken back before a night read it.",
                }
            )
    return lines


def find_end(run: Run, capture: str, at: str) -> str | None:
    """Return until when the ledger says *capture* was rejected or expired, if that is *at* or
    later.
    """
    told = list_subject_events(run.db, capture, "rejected")
    told += list_subject_events(run.db, capture, "expired")
    newest = max((str(one.data["seen_at"]) for one in told), default="")
    return newest if newest >= at else None


def list_expired(
    run: Run,
    waits: Iterable[WaitingCapture],
    unjudged: Collection[str],
    moment: str,
) -> list[Expiry]:
    """Return which notes that wait expire at *moment*: none unless the settings say after how many
    days.

    What was told in private, waits for a judge or for its bytes, or stands beside a branch never
    expires; nor does what no earlier night has left waiting.
    """
    days = run.config.expire
    if not days:
        return []
    # not by *moment*: that may be the time of a wrong clock
    latest = _go_back(run.present(), days)
    expired: list[Expiry] = []
    for waiting in waits:
        told = waiting.told
        id = told.capture.id
        newest = max(one.seen_at for one in told.sightings)
        may_expire = not (told.private or told.lost or waiting.new)
        is_kept = id in unjudged or is_extended(run.db, id)
        if newest <= latest and may_expire and not is_kept:
            expired.append(_expire(run, waiting, newest, moment))
    return expired


def _go_back(moment: str, days: int) -> str:
    """Return the instant *days* before *moment*, written as it is."""
    then = datetime.fromisoformat(moment) - timedelta(days=days)
    return then.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _expire(
    run: Run, waiting: WaitingCapture, newest: str, moment: str
) -> Expiry:
    capture = waiting.told.capture.id
    known = find_end(run, capture, newest)
    if known is not None:
        return Expiry(capture, known, None)
    waited = many(run.config.expire, "day")
    line = {
        "e": "expired",
        "capture": capture,
        "seen_at": moment,
        "reason": f"Expired: it waited for more than {waited}, because {waiting.reason}.",
    }
    return Expiry(capture, moment, line)


def without_expired(
    plan: ConsolidationPlan, expired: Collection[Expiry]
) -> ConsolidationPlan:
    """Return *plan* in which what expires no longer waits."""
    gone = {one.capture for one in expired}
    waits = [one for one in plan.waits if one.told.capture.id not in gone]
    return replace(plan, waits=tuple(waits))


def describe_expired(expired: Collection[Expiry]) -> list[str]:
    """Return a sentence for the report of the night, where anything expires."""
    if not expired:
        return []
    count = many(len(expired), "note")
    return [
        f"{count} expired: no night could take them in, told again they come back"
    ]


def list_lines(expired: Iterable[Expiry]) -> list[LedgerLine]:
    """Return what the ledger does not say yet of *expired* notes."""
    return [one.line for one in expired if one.line is not None]


def take_back_expired(run: Run, expired: Iterable[Expiry]) -> None:
    """Take back what was told openly of *expired* notes, here and in git's buffer.

    Where this does not happen after the ledger has the lines, the next night does it.
    """
    withdrawals = [
        Sighting(
            one.capture, one.at, one.at, False, None, WITHDRAWN, None, "shared"
        )
        for one in expired
    ]
    if not withdrawals:
        return
    journal = run.journal
    last = journal.begin() or ""
    try:
        journal.withdraw(withdrawals)
        journal.commit(max(last, *(one.seen_at for one in withdrawals)))
    except BaseException:
        journal.rollback()
        raise
    capture_buffer.anchor(journal, run.repo)
