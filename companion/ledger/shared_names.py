"""Which pages mean things of their own by one common name: two clubs have a rehearsal each (LED-3).

"From now on rehearsal is on Thursdays" finds its page by what was told of that very matter, whoever
said it where. But where several pages that bear other names told it plainly, with different values,
nobody knows which one a change means: a change on one of them concerns that page, and one from
elsewhere is left to `review`.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from companion.storage.index.tables import claims
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.index.tables.entries import find_page
from companion.values.claims import split_words


def pages_of_own_meaning(
    db: sqlite3.Connection, group: Sequence[RecordedClaim]
) -> Mapping[str, str]:
    """Return the page of each claim in *group*, all on one key, that such a page told; none where
    there are not two.

    What is single-valued however it is told is no such matter: a later telling follows an earlier
    one on any page.
    """
    plain = [
        each
        for each in group
        if not each.assertion.functional
        and not each.assertion.change
        and each.entry
    ]
    if len({each.entry for each in plain}) < 2 or len(plain) == len(group):
        return {}
    told: dict[str, set[str]] = {}
    for each in plain:
        if each.assertion.mood == "confirmed" and not each.assertion.negated:
            told.setdefault(each.entry, set()).add(each.assertion.value)
    pages = {
        entry for entry in told if _is_titled_otherwise(db, entry, group[0])
    }
    if len(pages) < 2 or len({frozenset(told[page]) for page in pages}) < 2:
        return {}
    if any(
        each.assertion.functional and not each.assertion.change
        for each in group
    ):
        return {}
    return {
        each.assertion.id: each.entry for each in group if each.entry in pages
    }


def _is_titled_otherwise(
    db: sqlite3.Connection, entry: str, said: RecordedClaim
) -> bool:
    """Tell whether a page has a title without the thing's name: a note without a title is called by
    what it says.
    """
    page = find_page(db, entry)
    name = set(split_words(claims.normalize_name(said.assertion.key[0])))
    return page is not None and not name <= set(split_words(page.title))
