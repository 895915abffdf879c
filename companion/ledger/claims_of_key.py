"""What was told of one matter, whichever words told it: the claims of a key, and those that read as
of it.

A read and a night that groups claims does so here. The keys in the ledger stay as they were told
(`core/matters.py`).
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from companion.ledger import change_verbs
from companion.ledger.change_verbs import Families, ReadAs, Wording
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim


@cache
def load_verb_families() -> Families:
    """Return the families of every language that has data."""
    # a search reaches this module, and asks it for nothing
    from companion.language.question_words import read_change_verbs

    return Families(change_verbs.build_families(read_change_verbs()))


def group_by_key(
    found: Iterable[RecordedClaim],
    *,
    whole: bool = False,
    known_at: str | None = None,
) -> list[list[RecordedClaim]]:
    """Group claims by what they are about; other names of a subject are that subject, unless
    *whole* keys count.

    What was told after *known_at* is left out: it may not change how the rest reads.
    """
    things: dict[str, list[RecordedClaim]] = {}
    for each in found:
        if known_at is not None and each.assertion.told_at > known_at:
            continue
        things.setdefault(each.assertion.key[0] if whole else "", []).append(
            each
        )
    groups = [
        group for _, told in sorted(things.items()) for group in _groups(told)
    ]
    return sorted(
        groups,
        key=lambda group: (
            group[0].assertion.key[1],
            group[0].assertion.key[0] if whole else "",
        ),
    )


def list_claims_of_key(
    db: sqlite3.Connection, names: Iterable[str], predicate: str
) -> list[RecordedClaim]:
    """Return what was told of one matter of the thing that *names* are names of."""
    return split_known_and_new(db, names, predicate, ())[0]


def split_known_and_new(
    db: sqlite3.Connection,
    names: Iterable[str],
    predicate: str,
    fresh: Iterable[RecordedClaim],
) -> tuple[list[RecordedClaim], list[RecordedClaim]]:
    """Return what the index knows of one matter of a thing, and what is new of it in *fresh*: told
    of that thing.
    """
    related, role = load_verb_families().related(predicate)
    known = claims.list_claims_under(db, names, related, role)
    held = {each.assertion.id for each in known}
    new = {
        e.assertion.id: e
        for e in fresh
        if e.assertion.id not in held and _concerns(e, related, role)
    }
    group = select_matter([*known, *new.values()], predicate)
    return [e for e in group if e.assertion.id in held], [
        e for e in group if e.assertion.id not in held
    ]


def _concerns(each: RecordedClaim, related: Collection[str], role: str) -> bool:
    predicate = each.assertion.key[1]
    return predicate in related or predicate.startswith(f"{role} ")


def select_matter(
    told: Sequence[RecordedClaim], predicate: str
) -> list[RecordedClaim]:
    """Return those of *told*, all of one thing, that are of the matter of *predicate*."""
    groups = _groups(told)
    ids = {
        each.assertion.id for each in told if each.assertion.key[1] == predicate
    }
    found = [
        group
        for group in groups
        if any(each.assertion.id in ids for each in group)
    ]
    return max(
        found,
        key=lambda group: sum(each.assertion.id in ids for each in group),
        default=[],
    )


def list_claims_on_matter(
    db: sqlite3.Connection, key: tuple[str, str]
) -> list[RecordedClaim]:
    """Return what was told of the matter of *key*, under other names of its subject too."""
    return list_claims_of_key(
        db,
        claims.list_things_called(db, claims.normalize_name(key[0]))[0],
        key[1],
    )


def _groups(told: Sequence[RecordedClaim]) -> list[list[RecordedClaim]]:
    said = [
        Wording(
            e.assertion.id, e.assertion.key[1], e.object, (e.capture, *e.span)
        )
        for e in told
    ]
    readings = change_verbs.read_as_matters(said, load_verb_families())
    groups: dict[str, list[RecordedClaim]] = {}
    for each in told:
        own = each.assertion.key[1]
        for reading in readings.get(each.assertion.id) or (
            ReadAs(own, one=each.assertion.functional),
        ):
            groups.setdefault(reading.predicate, []).append(_as(each, reading))
    return [groups[key] for key in sorted(groups)]


def _as(each: RecordedClaim, reading: ReadAs) -> RecordedClaim:
    a = each.assertion
    key = (a.key[0], reading.predicate)
    if key == a.key and not reading.end and reading.one == a.functional:
        return each
    told_as = a.key[1] if key != a.key or reading.end else ""
    read = a._replace(
        key=key,
        negated=a.negated != reading.end,
        functional=a.functional or reading.one,
    )
    return each._replace(assertion=read, told_as=told_as)
