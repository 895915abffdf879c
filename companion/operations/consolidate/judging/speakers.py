"""Keep apart what several people say of themselves.

"I drink no coffee" speaks against "I drink coffee" only where one and the same says both.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from companion.comparison.candidate_pairs import Wanted
from companion.comparison.pending import PendingCapture
from companion.language.names.turns import find_label, is_in_first_person
from companion.ledger.read_telling import (
    find_first_person,
    name_first_person,
)
from companion.storage.index.tables.captures import (
    list_captures_of_entry,
    list_tellings,
)
from companion.values.events import LedgerLine

Captures = Mapping[str, PendingCapture]
_Speakers = frozenset[str | None]


def drop_pairs_of_others(
    db: sqlite3.Connection, wanted: Sequence[Wanted], captures: Captures
) -> list[Wanted]:
    """Return *wanted* without the pairs in which two people each say "I"."""
    return [pair for pair in wanted if not _is_of_two(db, pair, captures)]


def _is_of_two(
    db: sqlite3.Connection, pair: Wanted, captures: Captures
) -> bool:
    passages = (pair.earlier, pair.later)
    if not all(map(is_in_first_person, passages)):
        return False
    other = pair.statement or pair.other
    earlier = _speakers_of(db, pair.earlier, other, captures)
    later = _speakers_of(db, pair.later, pair.capture, captures)
    return bool(earlier and later and earlier.isdisjoint(later))


def _speakers_of(
    db: sqlite3.Connection, passage: str, id: str, captures: Captures
) -> _Speakers:
    """Return who says "I" in a passage of a capture, or of an entry; none: nobody told it."""
    label = find_label(passage)
    if label is not None:
        return frozenset([label])
    if id in captures:
        told = captures[id].sightings
        return frozenset(map(find_first_person, told))
    speakers: set[str | None] = set()
    for capture in list_captures_of_entry(db, id) or [id]:
        for telling in list_tellings(db, capture):
            speakers.add(
                name_first_person(
                    str(telling["channel"]),
                    _text_of(telling, "source"),
                    _text_of(telling, "agent"),
                )
            )
    return frozenset(speakers)


def _text_of(telling: LedgerLine, field: str) -> str | None:
    value = telling.get(field)
    return value if isinstance(value, str) else None
