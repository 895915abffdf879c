"""Find the pages that git took away because two machines each kept another of two.

Of a page at two paths each machine removed the one that the other kept; git removed both, and
nobody deleted the page.
"""

from companion.runs.parallel_texts import knows
from companion.runs.run import Run
from companion.storage.index.history import PastEvent, list_entry_events
from companion.storage.index.tables.pages.merged_pages import (
    list_inputs,
    list_taken_pages,
)


def find_taken_pages(run: Run) -> dict[str, PastEvent]:
    """Return by entry the event that last wrote the page of each."""
    taken = {}
    for entry, merge in list_taken_pages(run.db):
        last = list_entry_events(run.db, entry, ["created", "grown"])[-1]
        bases = list_inputs(run.db, [last.run, merge])
        knew = knows(run, bases[last.run], [merge])
        if not knew and not knows(run, bases[merge], [last.run]):
            taken[entry] = last
    return taken
