"""Say whether answers of one judge count as another's, where something waits by them (GEN-5)."""

import sqlite3

from companion.judges.configured import Judges
from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.storage.index.tables import minority
from companion.storage.index.tables.pages.entries import list_quarantined
from companion.values.wording import many


def compare_judges(
    db: sqlite3.Connection, former: Judges, now: Judges
) -> list[str]:
    """Return whether what waits was judged by the judge of *now*, as a note.

    Answers are kept under the judge that gave them, its version included: another's never stand in
    for them. Nothing is said where nothing waits, or the judge is the same. Raises ModelUnavailable
    or WrongWeights where the judge of *now* is not there.
    """
    waiting = len(list_quarantined(db)) + len(minority.list_members(db))
    if not waiting:
        return []
    after = _name_relater(now)
    try:
        before = _name_relater(former)
    except (ModelUnavailable, WrongWeights):
        before = "the former judge, which is not there any more"
    if before == after:
        return []
    return [
        f"{after} is not compatible with {before}: answers of the one do not count as the other's. "
        f"What waits in quarantine and in branches ({many(waiting, 'note')}) stays as it was judged"
        " until something about it changes; `companion consolidate --again` judges it anew."
    ]


def _name_relater(judges: Judges) -> str:
    if judges.relater is None:
        return "no judge"
    return str(judges.relater.identity)
