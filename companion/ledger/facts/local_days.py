"""The days on which claims were told, by the clock of whoever told them.

The ledger has instants in UTC, and the offset of each telling beside them. A page is read by the
person who wrote it: what they told at two in the morning is of that day.
"""

import sqlite3
from collections.abc import Iterable, Mapping

from companion.comparison.pending import PendingCapture
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.time import local_day


class LocalDays:
    """Finds the local day of a telling, among those of the index and of tonight."""

    def __init__(
        self, db: sqlite3.Connection, tonight: Iterable[PendingCapture]
    ) -> None:
        self._db = db
        self._days: dict[str, dict[str, str]] = {}  # capture -> instant -> day
        for told in tonight:
            days = self._read(told.capture.id)
            for one in told.sightings:
                day = local_day(one.event_time, one.utc_offset)
                days.setdefault(one.event_time, day)

    def find(self, claims: Iterable[RecordedClaim]) -> Mapping[str, str]:
        """Return the local days of the instants from which *claims* hold, by the instant.

        Only where that is the time of their telling, and another day than in UTC.
        """
        found: dict[str, str] = {}
        for claim in claims:
            instant = claim.assertion.valid_from
            if claim.assertion.stated:
                continue
            day = self._read(claim.capture).get(instant, instant[:10])
            if day != instant[:10]:
                found.setdefault(instant, day)
        return found

    def _read(self, capture: str) -> dict[str, str]:
        """Return the local days on which *capture* was told, by the instant."""
        if capture not in self._days:
            days: dict[str, str] = {}
            for one in list_tellings(self._db, capture):
                instant = one.get("event_time") or one["seen_at"]
                days[instant] = local_day(instant, one.get("utc_offset"))
            self._days[capture] = days
        return self._days[capture]
