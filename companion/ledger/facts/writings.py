"""When companion wrote the facts of a page, and what the person made of them."""

import sqlite3
from collections.abc import Sequence
from itertools import dropwhile
from typing import NamedTuple

from companion.storage.index.history import (
    list_entry_events,
    list_entry_events_of_run,
    list_places_with_field,
)

_EVENTS = ("created", "grown", "edited", "renamed")


class Writing(NamedTuple):
    """One time that companion wrote a page's facts, and what the person made of it."""

    blob: str
    # the page as their next edit left it; None: not edited since
    edited: str | None
    run: str
    lines: int  # of the section, whoever's; 0: there was nothing to say


def list_writings(db: sqlite3.Connection, entry: str) -> list[Writing]:
    """Return the writings of the facts of *entry* that are not undone, oldest first: the last one,
    and those before it if anybody but a night ever touched the page since the first.
    """
    places = list_places_with_field(db, entry, _EVENTS, "facts")
    since = [*dropwhile(lambda place: not place[2], places)]
    if not since:
        return []
    if not all(has_facts for _, _, has_facts in since):
        return list_all_writings(db, entry)
    run = since[-1][0]
    events = list_entry_events_of_run(db, entry, run)
    lines = [event.data for event in events if "facts" in event.data]
    return [Writing(lines[-1]["blob"], None, run, lines[-1]["facts"])]


def list_all_writings(db: sqlite3.Connection, entry: str) -> list[Writing]:
    """Return each writing of the facts of *entry* that is not undone, oldest first."""
    writings: list[Writing] = []
    undone: dict[str, list[Writing]] = {}  # by the run that took them back
    for event in list_entry_events(db, entry, _EVENTS):
        line = event.data
        if "facts" in line:
            new = Writing(line["blob"], None, event.run, line["facts"])
            writings.append(new)
        elif event.operation == "undo":
            # an undo takes back the run that its reason ends with; an undo of an undo restores it
            target = event.reason.rpartition(" ")[2]
            undone[event.run] = [
                each for each in writings if each.run == target
            ]
            kept = [each for each in writings if each.run != target]
            writings = kept + undone.get(target, [])
        elif writings and writings[-1].edited is None:
            writings[-1] = writings[-1]._replace(edited=line["blob"])
    return writings


def has_section(writings: Sequence[Writing]) -> bool:
    """Tell whether companion left a section there the last time it wrote the page's facts."""
    return bool(writings) and writings[-1].lines > 0
