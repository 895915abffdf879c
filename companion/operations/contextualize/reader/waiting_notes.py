"""Notes of the person that no night has placed yet: they show the reader as those on pages do.

Sources are read before notes are consolidated. Whoever drops a paper and five notes on its topic
in one day would otherwise get the page of a stranger in the first night (CTX-5).
"""

from typing import NamedTuple

from companion.runs.run import Run
from companion.storage.journal.queries import Pending
from companion.values.captures import RESERVED, Sighting

# notes that are looked at, the newest ones
_MOST = 200


class WaitingNote(NamedTuple):
    """A note of the person in the buffer."""

    text: str
    told: str  # when, RFC 3339 UTC


def list_waiting_notes(run: Run) -> list[WaitingNote]:
    """Return the newest notes of the person that git holds and no night has consumed.

    What an assistant told, what a source handed over and what is private says nothing here.
    """
    found: list[tuple[Pending, str]] = []
    for item in run.journal.unsettled(anchored=True):
        times = [one.event_time for one in item.sightings if _is_own_word(one)]
        if times:
            found.append((item, max(times)))
    lost = run.lost()
    contents = run.contents()
    return [
        WaitingNote(contents[item.capture.id].decode("utf-8", "replace"), told)
        for item, told in found[-_MOST:]
        if item.capture.id not in lost
    ]


def _is_own_word(telling: Sighting) -> bool:
    return (
        telling.agent is None
        and telling.scope != "private"
        and not telling.channel.startswith(RESERVED)
    )
