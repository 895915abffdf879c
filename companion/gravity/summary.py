"""Say what the last pass over the wiki weighed. `status` loads this, and nothing that weighs."""

import sqlite3

from companion.annotations import TYPE_CHECKING
from companion.storage.index.tables.gravity import count_weighed, read_pass

if TYPE_CHECKING:
    from companion.gravity.results import GravitySummary


def summarise_gravity(
    db: sqlite3.Connection | None,
) -> "GravitySummary | None":
    """Return the floor of the last pass and the number of flagged entries; None before the
    first.
    """
    if db is None:
        return None
    record = read_pass(db)
    if record is None:
        return None
    entries, flagged = count_weighed(db)
    floor = record["floor"]
    return {
        "floor": floor["value"],
        "rule": floor["rule"],
        "entries": entries,
        "protected": flagged,
        "as_of": record["as_of"],
    }
