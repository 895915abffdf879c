"""Hand what was read to a night that is done elsewhere: what the ledger may have, and no more.

The night there records the same lines as one in place. Words that must stay on this machine are
replaced by a number, the same for the same words; private notes are left out of what was shown.
"""

from collections.abc import Sequence
from typing import TypedDict

from companion.runs.run import Run
from companion.storage.journal import reads
from companion.storage.journal.journal import Journal
from companion.storage.journal.reads import Row, Use
from companion.usage.record_in_run import HIDDEN, UseReader, collect_rows


class CarriedUse(TypedDict):
    """One read, as another machine may know it: the fields of a `Use`."""

    id: str
    at: str
    agent: str
    verb: str
    words: str
    shown: list[str]
    about: str | None
    folded: bool  # a run has it


def pack_uses(run: Run) -> list[CarriedUse]:
    """Return the reads that a night of *run* looks at, those of earlier nights included."""
    reader = UseReader(run)
    numbers: dict[str, int] = {}
    carried: list[CarriedUse] = []
    for row in collect_rows(run):
        use = row.use
        if reader.is_quiet(use):
            number = numbers.setdefault(use.words, len(numbers))
            use = use._replace(words=f"{HIDDEN}{number}")
        carried.append(
            {
                "id": use.id,
                "at": use.at,
                "agent": use.agent,
                "verb": use.verb,
                "words": use.words,
                "shown": [id for id in use.shown if not reader.is_private(id)],
                "about": use.about,
                "folded": row.folded,
            }
        )
    return carried


def unpack_uses(journal: Journal, carried: Sequence[CarriedUse]) -> None:
    """Let *journal*, a new one, have the reads that were handed over."""
    rows = []
    for number, one in enumerate(carried, 1):
        use = Use(
            one["id"],
            one["at"],
            one["agent"],
            one["verb"],
            one["words"],
            tuple(one["shown"]),
            one["about"],
        )
        rows.append(Row(number, one["folded"], use))
    reads.restore_rows(journal, rows)
