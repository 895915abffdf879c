"""Find the claims of one key, whichever words told them.

Whatever reads or groups claims does so here. The keys in the ledger stay as they were told:
`change_verbs` says how they read.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from companion.ledger import change_verbs
from companion.ledger.change_verbs import Families, ReadAs, Wording
from companion.storage import claim_lines
from companion.storage.index import claim_names
from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim


@cache
def load_verb_families() -> Families:
    """Return the families of every language that has data."""
    # `search` reaches this module and needs no language data
    from companion.language.words.question_words import read_change_verbs

    return Families(change_verbs.build_families(read_change_verbs()))


def group_by_key(
    found: Iterable[RecordedClaim],
    *,
    whole: bool = False,
    known_at: str | None = None,
) -> list[list[RecordedClaim]]:
    """Return *found*, which is about one thing, grouped by what is said of that thing.

    Other names of a subject are that subject, unless *whole* keys count. What was told after
    *known_at* is left out: it may not change how the rest reads.
    """
    by_subject: dict[str, list[RecordedClaim]] = {}
    for claim in found:
        if known_at is None or claim.assertion.told_at <= known_at:
            subject = claim.assertion.key[0] if whole else ""
            by_subject.setdefault(subject, []).append(claim)
    keyed: list[tuple[tuple[str, str], list[RecordedClaim]]] = []
    for subject in sorted(by_subject):
        for group in _group_by_matter(by_subject[subject]):
            predicate = group[0].assertion.key[1]
            keyed.append(((predicate, subject), group))
    keyed.sort(key=lambda pair: pair[0])
    return [group for _, group in keyed]


def list_claims_of_key(
    db: sqlite3.Connection, names: Iterable[str], predicate: str
) -> list[RecordedClaim]:
    """Return what was told of *predicate* of the thing that *names* are names of."""
    return split_known_and_new(db, names, predicate, ())[0]


def list_claims_on_matter(
    db: sqlite3.Connection, key: tuple[str, str]
) -> list[RecordedClaim]:
    """Return what was told of *key*, also under other names of its subject."""
    subject, predicate = key
    names = claim_names.list_things_called(
        db, claim_lines.normalize_name(subject)
    )[0]
    return list_claims_of_key(db, names, predicate)


def split_known_and_new(
    db: sqlite3.Connection,
    names: Iterable[str],
    predicate: str,
    fresh: Iterable[RecordedClaim],
) -> tuple[list[RecordedClaim], list[RecordedClaim]]:
    """Return what the index knows of *predicate* of a thing, and what in *fresh* is new of it.

    All of *fresh* must be of the thing that *names* are names of.
    """
    related, role = load_verb_families().related(predicate)
    known = claims.list_claims_under(db, names, related, role)
    known_ids = {claim.assertion.id for claim in known}
    candidates: dict[str, RecordedClaim] = {}
    for claim in fresh:
        id = claim.assertion.id
        if id not in known_ids and _concerns(claim, related, role):
            candidates[id] = claim
    group = select_matter([*known, *candidates.values()], predicate)
    return (
        [claim for claim in group if claim.assertion.id in known_ids],
        [claim for claim in group if claim.assertion.id not in known_ids],
    )


def _concerns(
    claim: RecordedClaim, related: Collection[str], role: str
) -> bool:
    predicate = claim.assertion.key[1]
    return predicate in related or predicate.startswith(f"{role} ")


def select_matter(
    candidates: Sequence[RecordedClaim], predicate: str
) -> list[RecordedClaim]:
    """Return those of *candidates*, all of one thing, that read with most claims of *predicate*."""
    ids = {
        claim.assertion.id
        for claim in candidates
        if claim.assertion.key[1] == predicate
    }
    best: list[RecordedClaim] = []
    most = 0
    for group in _group_by_matter(candidates):
        count = sum(claim.assertion.id in ids for claim in group)
        if count > most:
            best = group
            most = count
    return best


def _group_by_matter(
    same_thing: Sequence[RecordedClaim],
) -> list[list[RecordedClaim]]:
    """Return the claims on *same_thing*, grouped by the predicate that they read as.

    A claim that reads in several ways is in several groups.
    """
    wordings = [_wording(claim) for claim in same_thing]
    readings = change_verbs.read_as_matters(wordings, load_verb_families())
    groups: dict[str, list[RecordedClaim]] = {}
    for claim in same_thing:
        assertion = claim.assertion
        as_told = ReadAs(assertion.key[1], one=assertion.functional)
        for reading in readings.get(assertion.id, (as_told,)):
            group = groups.setdefault(reading.predicate, [])
            group.append(_read_as(claim, reading))
    return [groups[predicate] for predicate in sorted(groups)]


def _wording(claim: RecordedClaim) -> Wording:
    assertion = claim.assertion
    place = (claim.capture, *claim.span)
    return Wording(assertion.id, assertion.key[1], claim.object, place)


def _read_as(claim: RecordedClaim, reading: ReadAs) -> RecordedClaim:
    """Return *claim* under the predicate that it reads as, with its own in `told_as`."""
    assertion = claim.assertion
    own = assertion.key[1]
    is_own = reading.predicate == own and not reading.end
    if is_own and reading.one == assertion.functional:
        return claim
    read = assertion._replace(
        key=(assertion.key[0], reading.predicate),
        negated=assertion.negated != reading.end,
        functional=assertion.functional or reading.one,
    )
    return claim._replace(assertion=read, told_as="" if is_own else own)
