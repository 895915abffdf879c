"""Names in the claims of the index: which names one thing has, and which names are known at all."""

import sqlite3
from collections.abc import Sequence

from companion import json_text
from companion.storage.claim_lines import normalize_name
from companion.values.time import LATEST

ALIAS = "also known as"  # the predicate under which a second name is told
_MOST = (
    100  # names of one thing; beyond that somebody calls everything by one name
)


def list_things_called(
    db: sqlite3.Connection, name: str, *, known_at: str | None = None
) -> list[list[str]]:
    """Return the names of each thing called *name*: first those of the thing that *name* itself
    names.

    Names of names count too, also in circles. A name that was told of several things joins none of
    them: Mercury is a planet and an element.
    """
    names = _Names(db, known_at or LATEST)
    own = names.list_names_of(name)
    bearers = names.list_bearers(name)
    things = [own]
    if len(bearers) > 1:
        for bearer in bearers:
            if bearer not in own:
                things.append(names.list_names_of(bearer))
    return things


class _Names:
    """Other names as they were told by one time: "X, also known as Y"."""

    def __init__(self, db: sqlite3.Connection, known_at: str) -> None:
        self.db = db
        self.known_at = known_at

    def list_names_of(self, name: str) -> list[str]:
        """Return every name of the thing called *name*, as far as each is a name of that thing
        alone.
        """
        names = [name]
        for known in names:  # the list grows meanwhile
            if len(names) >= _MOST:
                break
            for other in self._list_next(known):
                if other not in names:
                    names.append(other)
        return names

    def list_bearers(self, name: str) -> list[str]:
        """Return the things of which *name* was told to be another name."""
        return sorted(set(self._select("name", "value", name)) - {name})

    def _list_next(self, name: str) -> list[str]:
        names = []
        for value in self._select("value", "name", name):
            other = normalize_name(value)
            if other != name and len(self.list_bearers(other)) == 1:
                names.append(other)
        bearers = self.list_bearers(name)
        if len(bearers) == 1:
            names += bearers
        return names

    def _select(self, column: str, where: str, name: str) -> list[str]:
        query = f"""
            SELECT DISTINCT {column}
            FROM claims
            WHERE {where} = ?1
              AND predicate_key = ?2
              AND mood = 'confirmed'
              AND NOT negated
              AND told_at <= ?3
              AND (withdrawn_at IS NULL OR withdrawn_at > ?3)
            ORDER BY 1
            """
        rows = self.db.execute(query, (name, ALIAS, self.known_at))
        return [text for (text,) in rows]


def has_names_since(db: sqlite3.Connection, time: str) -> bool:
    """Tell whether runs later than *time* told another name of anything."""
    query = """
        SELECT 1
        FROM runs r
        CROSS JOIN claims c ON c.run = r.run
        WHERE r.time > ? AND c.predicate_key = ?
        LIMIT 1
        """
    return db.execute(query, (time, ALIAS)).fetchone() is not None


def select_known_names(
    db: sqlite3.Connection, names: Sequence[str], articles: Sequence[str] = ()
) -> set[str]:
    """Return which of *names* are the subject or the value of a claim, with one of *articles* or
    without.
    """
    bearers = _list_told(db, "name", names)
    spelled: dict[str, list[str]] = {}
    for name in names:
        for spelling in list_spellings(name, articles):
            spelled.setdefault(spelling, []).append(name)
    known = set(bearers)
    for value in _list_told(db, "value_name", list(spelled)):
        known.update(spelled[value])
    return known


def _list_told(
    db: sqlite3.Connection, column: str, names: Sequence[str]
) -> list[str]:
    """Return which of *names* stand in a *column* of a claim that holds or held."""
    query = f"""
        SELECT asked.value
        FROM json_each(?) asked
        WHERE EXISTS (
          SELECT 1
          FROM claims c
          WHERE c.{column} = asked.value AND c.withdrawn_at IS NULL
        )
        """
    asked = json_text.dumps(names)
    return [name for (name,) in db.execute(query, (asked,))]


def list_spellings(name: str, articles: Sequence[str]) -> list[str]:
    """Return *name* as it may stand for a value: with an article or without."""
    return [name, *(f"{article} {name}" for article in articles)]
