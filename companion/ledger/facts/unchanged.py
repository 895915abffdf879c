"""Tell whether the facts of a page that nobody told anything of can only be as they were."""

from collections.abc import Iterable, Mapping

from companion.ledger import supersession
from companion.ledger.facts import section
from companion.ledger.resolve import RuleBook
from companion.runs.run import Run
from companion.storage.index.claim_names import ALIAS, has_names_since
from companion.storage.index.history import (
    PastRun,
    find_run,
    has_entry_event_since,
    has_event_since,
)
from companion.storage.index.tables.claims import list_claims_of_entry

# what brings claims to a page, or changes what its lines call them
_OF_PAGE = ("moved", "renamed")
# what changes how claims of any page stand
_OF_ANY = ("protected", "unprotected", "promoted")


def is_settled_since(
    run: Run, book: RuleBook, entry: str, written: str, now: str
) -> bool:
    """Tell whether nothing but new claims could change the facts of *entry* since they were
    *written*, which is a run.

    The rules are the same, no notes were moved there, nothing fell to a minority branch or became
    load-bearing, and nobody settled a question by hand.
    """
    last = find_run(run.db, written)
    if last is None or not _has_same_rules(run, last):
        return False
    if has_entry_event_since(run.db, entry, _OF_PAGE, last.time):
        return False
    if has_event_since(run.db, _OF_ANY, last.time):
        return False
    if any(time > last.time for _, time, _ in book.choices):
        return False
    return not _has_fallen(run, book, entry, last.time, now)


def have_names_changed_since(
    run: Run, new: Mapping[str, Iterable[tuple[str, str]]], written: str
) -> bool:
    """Tell whether a thing may have got or lost a name since facts were *written*, which is a run.

    *new* are the keys of tonight. A run that was undone since took its lines' words with it.
    """
    last = find_run(run.db, written)
    if last is None or has_event_since(run.db, ("undone",), last.time):
        return True
    if any(key[1] == ALIAS for keys in new.values() for key in keys):
        return True
    return has_names_since(run.db, last.time)


def _has_same_rules(run: Run, last: PastRun) -> bool:
    rules = last.input.get("rules", {})
    versions = rules.get("factsheet"), rules.get("ledger")
    if versions != (section.VERSION, supersession.VERSION):
        return False
    return bool(last.input.get("config") == run.config.hash)


def _has_fallen(
    run: Run, book: RuleBook, entry: str, since: str, now: str
) -> bool:
    """Tell whether a page fell of late, or *entry* or one of its statements at any time."""
    for shift in book.falls.values():
        if shift.since > since or shift.is_young(now):
            return True
    if not book.falls:
        return False
    told = list_claims_of_entry(run.db, entry)
    captures = {claim.capture for claim in told}
    return not book.falls.keys().isdisjoint({entry, *captures})
