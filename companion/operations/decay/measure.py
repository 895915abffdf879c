"""The vitality of every entry at once, for DECAY, and of one entry, for reads (MaM §5.3)."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from companion.operations.decay import vitality
from companion.operations.decay.vitality import Columns
from companion.storage.index import schema
from companion.storage.index.tables.decay import (
    LivingColumns,
    list_distortions,
    read_living_columns,
)
from companion.storage.index.tables.pages.entries import (
    find_page,
    list_low_entries,
    write_vitality,
)
from companion.storage.index.tables.use import list_use_records
from companion.tuples import NamedTuple
from companion.usage.show import describe_use, use_columns
from companion.usage.utility import UNKNOWN
from companion.values.decay.decay_policy import DEFAULTS, Policy, Terms
from companion.values.events import LedgerLine
from companion.values.time import days_between

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        VitalityResult,
    )
    from companion.operations.decay.vitality import Array

_EPOCH = 2440587.5  # 1970-01-01 as a Julian day
_MOVED = 0.001  # a smaller change of vitality is not stored


class Vitality(NamedTuple):
    """The vitality of every living entry, and the columns that it comes from."""

    living: LivingColumns
    columns: Columns  # now
    now: "Array"
    then: "Array"  # as of the instant that decides; as now where there is none


def measure_all(
    db: sqlite3.Connection,
    policy: Policy,
    now: str,
    instant: str | None,
    unrecorded: Iterable[LedgerLine] = (),
) -> Vitality:
    """Return the vitality of every entry at *now* and at *instant*.

    *unrecorded* are lines of use that the same run will record: a page that was read today must not
    decay tonight. Takes some milliseconds for each 10,000 entries.
    """
    living = read_living_columns(db)
    columns = _make_columns(db, living, _julian(now), unrecorded)
    current = vitality.measure_columns(columns, policy)
    if instant is None:
        return Vitality(living, columns, current, current)
    days_ago = _julian(now) - _julian(instant)
    earlier = columns._replace(days=columns.days - days_ago)
    return Vitality(
        living, columns, current, vitality.measure_columns(earlier, policy)
    )


def entry_vitality(
    db: sqlite3.Connection, entry: str, now: str
) -> "VitalityResult | None":
    """Return the vitality of one entry at *now* as a document.

    None where *entry* is archived or does not exist.
    """
    page = find_page(db, entry)
    if page is None or page.state == "archived":
        return None
    used = next(list_use_records(db, entry), None)
    terms = vitality.terms(
        days=days_between(page.last_accessed, now),
        count=0 if used is None else used.accesses,
        utility=_signed(describe_use(db, entry)["utility"]),
        base=page.gravity,
        distortion=list_distortions(db, entry).get(entry, 0.0),
        policy=read_policy(db),
    )
    return vitality_document(terms)


def vitality_document(terms: Terms) -> "VitalityResult":
    """Return the five terms and their sum, as documents have them."""
    return {
        "recency": round(terms.recency, 6),
        "frequency": round(terms.frequency, 6),
        "utility": round(terms.utility, 6),
        "gravity": round(terms.gravity, 6),
        "wear": round(terms.wear, 6),
        "total": terms.total,
    }


def terms_at(measured: Vitality, place: int, policy: Policy) -> Terms:
    """Return the five terms of the entry at *place* of the columns."""
    columns = measured.columns
    return vitality.terms(
        days=float(columns.days[place]),
        count=int(columns.uses[place]),
        utility=float(columns.utility[place]),
        base=float(columns.base[place]),
        distortion=float(columns.distortion[place]),
        policy=policy,
    )


def read_policy(db: sqlite3.Connection) -> Policy:
    """Return the policy of the wiki from the index: reads do not read the settings."""
    stored = schema.read_meta(db, "vitality")
    if stored is None:
        return DEFAULTS
    return Policy(*json.loads(stored))


def store_vitality(db: sqlite3.Connection, measured: Vitality) -> None:
    """Store the vitality of now, where it changed by a thousandth."""
    # a page is shown with its vitality, and needs no library of git's for it
    from companion.storage.index.folding.fold import transaction

    living = measured.living
    rows = zip(
        measured.now.round(3).tolist(), living.ids, living.vitality, strict=True
    )
    moved = [
        (now, id) for now, id, before in rows if abs(now - before) >= _MOVED
    ]
    with transaction(db):
        write_vitality(db, moved)


def list_low_places(
    db: sqlite3.Connection, measured: Vitality, threshold: float
) -> list[int]:
    """Return the places of the entries whose vitality is below *threshold* now.

    It must have been stored: the index on vitality finds them and a few beside them, for what is
    stored is rounded, and the measured values decide.
    """
    places = dict(
        zip(measured.living.ids, range(len(measured.now)), strict=True)
    )
    near = list_low_entries(db, threshold + 2 * _MOVED)
    found = [places[id] for id in near if measured.now[places[id]] < threshold]
    return sorted(found)


def _make_columns(
    db: sqlite3.Connection,
    living: LivingColumns,
    now: float,
    unrecorded: Iterable[LedgerLine],
) -> Columns:
    import numpy

    count = len(living.ids)
    places = dict(zip(living.ids, range(count), strict=True))
    accessed = numpy.array(living.accessed, float)
    uses = numpy.zeros(count)
    useful = numpy.zeros(count)
    distortion = numpy.zeros(count)

    entries, counts, means = use_columns(db)
    place_of = numpy.fromiter(
        (places.get(entry, -1) for entry in entries), numpy.int64, len(entries)
    )
    known = place_of >= 0
    uses[place_of[known]] = counts[known]
    useful[place_of[known]] = _signed(means[known])

    for line in unrecorded:
        if line["e"] == "used" and line["entry"] in places:
            place = places[line["entry"]]
            uses[place] += line["accesses"]
            if line["last"]:
                accessed[place] = max(accessed[place], _julian(line["last"]))
    for entry, lost in list_distortions(db).items():
        if entry in places:
            distortion[places[entry]] = lost
    days = numpy.round(numpy.where(accessed > 0, now - accessed, 0.0), 4)
    return Columns(
        days, uses, useful, numpy.array(living.gravity, float), distortion
    )


def _signed(mean: Any) -> Any:
    """Return a utility of [0, 1], or an array of them, on the scale [-1, 1]; nothing known is 0."""
    return (mean - UNKNOWN.mean) * 2


def _julian(instant: str) -> float:
    return (
        datetime.fromisoformat(instant).replace(tzinfo=UTC)
    ).timestamp() / 86400 + _EPOCH
