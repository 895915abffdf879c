"""Hold back the waiting notes that a night cannot work with, and say so.

An older companion took everything in that a remote had, and a bit may flip on the disk. Nothing is
lost: `doctor` names the notes, and those told when a clock was ahead wait for that day.
"""

from collections.abc import Collection

from companion.runs.run import Run
from companion.storage.boundary.tellings import (
    Doubtful,
    Telling,
    check_telling,
)
from companion.storage.journal.queries import Pending
from companion.values.captures import Sighting, as_told
from companion.values.wording import many


def list_unsettled(run: Run, lost: Collection[str]) -> list[Pending]:
    """Return the notes that a night can work with; the run says what is held back.

    Of *lost* captures nobody has the bytes: they come as they are, to be held pending.
    """
    believed: list[Pending] = []
    doubted = early = 0
    # it was set back if something impossible had been told
    last = run.journal.get("last_time") or ""
    for item in run.journal.unsettled(anchored=True, who=run.ws.who):
        telling = Telling(item.capture, item.sightings)
        told = tuple(one for one in item.sightings if one.seen_at <= last)
        if not _is_believable(telling):
            doubted += 1
        elif not told:
            early += 1
        elif item.capture.id in lost:
            believed.append(item._replace(sightings=told))
        else:
            believed.append(_describe_as_told(run, item, told))
    run.notes += _describe(doubted, early)
    return believed


def _describe_as_told(
    run: Run, item: Pending, told: tuple[Sighting, ...]
) -> Pending:
    """Return *item* with those of its tellings that were *told* by now, as they describe it."""
    if told == item.sightings:
        return item
    whole = item.capture._replace(content=run.contents()[item.capture.id])
    described = as_told(whole, told[0])._replace(content=b"")
    return Pending(described, told)


def _is_believable(telling: Telling) -> bool:
    try:
        check_telling(telling)
    # doctor says what is wrong with it
    except Doubtful:
        return False
    return True


def _describe(doubted: int, early: int) -> list[str]:
    sentences = []
    if doubted:
        are = "is" if doubted == 1 else "are"
        sentences.append(
            f"{many(doubted, 'note')} {are} set aside: a time or a name in them cannot be"
            " believed, `companion doctor` says which"
        )
    if early:
        wait = "waits" if early == 1 else "wait"
        sentences.append(
            f"{many(early, 'note')} told while the clock was ahead {wait} for that day"
        )
    return sentences
