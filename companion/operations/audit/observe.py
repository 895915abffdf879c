"""Observe what the wiki answers, with something and while it is suspended, and what changes."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.operations.audit.questions.query_set import Probe
from companion.operations.audit.questions.replay import Replay
from companion.operations.audit.verdict import (
    SEVERAL,
    Change,
    Matter,
    compare_rankings,
)
from companion.storage import claim_lines
from companion.storage.index.tables import claims

_Voices = Mapping[str, Collection[str]]  # by value, the voices that state it


class Observation(NamedTuple):
    """The answers of the wiki at one moment: with an entry, or while it is suspended."""

    rankings: Mapping[str, Sequence[str]]  # by the probes' ids
    values: Mapping[tuple[str, str], _Voices]  # by matter


def observe(
    again: Replay, probes: Iterable[Probe], matters: Sequence[tuple[str, str]]
) -> Observation:
    """Return what answers *probes* now, and what stands of *matters*."""
    return Observation(
        rankings={probe.id: again.ranking(probe) for probe in probes},
        values=again.standing(matters),
    )


def list_changes(
    name: str,
    probes: Sequence[Probe],
    before: Observation,
    after: Observation,
) -> list[Change]:
    """Return what the suspension of *name*, an entry or a statement, makes of each probe."""
    changes = []
    for probe in probes:
        ranking = before.rankings[probe.id]
        without = after.rankings[probe.id]
        changes.append(compare_rankings(name, probe, ranking, without))
    return changes


def list_changed_matters(
    db: sqlite3.Connection,
    entry: str,
    before: Observation,
    after: Observation,
) -> list[Matter]:
    """Return what each matter is without *entry*, or without one statement of its page."""
    matters = []
    for key, values in before.values.items():
        matter = _matter(db, entry, key, values, after.values[key])
        if matter is not None:
            matters.append(matter)
    return matters


def _matter(
    db: sqlite3.Connection,
    entry: str,
    key: tuple[str, str],
    values_with: _Voices,
    values_without: _Voices,
) -> Matter | None:
    """Return what one matter is without the entry.

    None where nobody else speaks of it and nothing rests on it, or where one voice alone disagrees.
    """
    name = " · ".join(key)
    if values_with.keys() == values_without.keys():
        return Matter(name, "same")
    if not values_without:
        is_needed = claims.is_value_of_dependent(
            db, entry, claim_lines.normalize_name(key[0])
        )
        return Matter(name, "needed") if is_needed else None
    voices: set[str] = set()
    for speakers in values_without.values():
        voices.update(speakers)
    if len(voices) < SEVERAL:
        return None
    return Matter(name, "contradicted", len(voices))
