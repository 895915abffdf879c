"""The vitality of every entry at once, for DECAY, and of one, for reads (MaM §5.3)."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.operations.decay import vitality
from companion.operations.decay.vitality import Columns
from companion.storage.index import schema as index
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables import use as recorded
from companion.storage.index.tables.decay import Living
from companion.usage.show import describe_use, use_columns
from companion.usage.utility import UNKNOWN
from companion.values import time as times
from companion.values.decay_policy import DEFAULTS, Policy, Terms

if TYPE_CHECKING:
    from companion.operations.decay.vitality import Array

_EPOCH = 2440587.5  # 1970-01-01 as a Julian day


class Vitality(NamedTuple):
    """What every living entry's vitality is made of, and comes to."""

    living: Living
    columns: Columns  # now
    now: "Array"
    then: "Array"  # as of the instant that decides; as now where there is none


def measure(
    db: sqlite3.Connection,
    policy: Policy,
    now: str,
    instant: str | None,
    unrecorded: Iterable[Mapping[str, Any]] = (),
) -> Vitality:
    """Return the vitality of every entry at *now* and at *instant*, some milliseconds for each
    10,000 of them.

    *unrecorded* are `used` lines that ride in tonight's run: what was read today must not fade
    tonight.
    """
    living = fading.living(db)
    columns = _columns(db, living, _julian(now), unrecorded)
    later = (
        columns
        if instant is None
        else columns._replace(days=columns.days - (_julian(now) - _julian(instant)))
    )
    return Vitality(
        living, columns, vitality.measure(columns, policy), vitality.measure(later, policy)
    )


def of_entry(db: sqlite3.Connection, entry: str, now: str) -> dict[str, Any] | None:
    """Return the vitality of one entry at *now*, as reads show it; None for what is archived or no
    entry.
    """
    query = "SELECT last_accessed, gravity, state FROM entries WHERE id = ? AND NOT tombstone AND state <> 'archived'"
    row = db.execute(query, (entry,)).fetchone()
    if row is None:
        return None
    accessed, base, _ = row
    policy, used = policy_of(db), next(recorded.records(db, entry), None)
    terms = vitality.terms(
        days=times.days(accessed, now),
        count=0 if used is None else used.accesses,
        utility=_signed(describe_use(db, entry)["utility"]),
        base=base,
        distortion=fading.distortions(db, entry).get(entry, 0.0),
        policy=policy,
    )
    return told(terms)


def told(terms: Terms) -> dict[str, Any]:
    """Return the five terms and their sum, as documents have them."""
    return {
        **{name: round(value, 6) for name, value in terms._asdict().items()},
        "total": terms.total,
    }


def terms_at(found: Vitality, place: int, policy: Policy) -> Terms:
    """Return the five terms of the entry at *place* of the columns."""
    days, uses, useful, base, distortion = (float(column[place]) for column in found.columns)
    return vitality.terms(
        days=days, count=int(uses), utility=useful, base=base, distortion=distortion, policy=policy
    )


def policy_of(db: sqlite3.Connection) -> Policy:
    """Return the policy of the wiki as the index has it: reads read no configuration."""
    known = index.meta(db, "vitality")
    return DEFAULTS if known is None else Policy(*json.loads(known))


def keep(db: sqlite3.Connection, found: Vitality) -> None:
    """Store the vitality of now in the index, where it moved by a thousandth; in the caller's
    transaction.
    """
    rows = zip(found.now.round(3).tolist(), found.living.ids, found.living.vitality, strict=True)
    moved = [(now, id) for now, id, before in rows if abs(now - before) >= 0.001]
    db.executemany("UPDATE entries SET vitality = ? WHERE id = ?", moved)


def _columns(
    db: sqlite3.Connection, living: Living, at: float, unrecorded: Iterable[Mapping[str, Any]]
) -> Columns:
    import numpy as np

    count = len(living.ids)
    accessed, uses, useful, distortion = np.array(living.accessed, float), *np.zeros((3, count))
    place = dict(zip(living.ids, range(count), strict=True))
    entries, counts, means = use_columns(db)
    at_all = np.fromiter((place.get(entry, -1) for entry in entries), np.int64, len(entries))
    uses[at_all[at_all >= 0]] = counts[at_all >= 0]
    useful[at_all[at_all >= 0]] = _signed(means[at_all >= 0])
    for line in unrecorded:
        here = place.get(line["entry"]) if line["e"] == "used" else None
        if here is not None:
            uses[here] += line["accesses"]
            accessed[here] = max(accessed[here], _julian(line["last"]) if line["last"] else 0.0)
    for entry, lost in fading.distortions(db).items():
        if entry in place:
            distortion[place[entry]] = lost
    days = np.round(np.where(accessed > 0, at - accessed, 0.0), 4)
    return Columns(days, uses, useful, np.array(living.gravity, float), distortion)


def _signed(mean: Any) -> Any:
    """Return utilities of [0, 1] on the scale of [-1, 1], on which nothing known is 0."""
    return (mean - UNKNOWN.mean) * 2


def _julian(instant: str) -> float:
    return (datetime.fromisoformat(instant).replace(tzinfo=UTC)).timestamp() / 86400 + _EPOCH
