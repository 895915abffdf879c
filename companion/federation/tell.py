"""The signals that this wiki would send, one a topic. Nothing private is among them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.federation.sums.sketch import OFFICES, STEPS, Signal
from companion.gravity.measure import weigh_entries
from companion.pages import links
from companion.pages.frontmatter import read_front
from companion.runs.run import Run
from companion.storage.index.tables.gravity import list_standings_above
from companion.storage.index.tables.minority import Branch, list_branches
from companion.storage.index.tables.pages.names import (
    SubjectPage,
    list_subject_pages,
)
from companion.storage.index.tables.routing import list_divergences


class Topic(NamedTuple):
    """One topic of this wiki, and what would be told of it."""

    key: str  # its title as links fold it; only its sketch is sent
    entry: str
    title: str
    signal: Signal


def list_topics(run: Run) -> list[Topic]:
    """Return every topic of the shared pages, the weightiest first: contested, then by gravity.

    Days, chats, sources, quarantined pages and private notes are no topics.
    """
    weigh_entries(run)
    standings = list(list_standings_above(run.db, -1.0))
    order = sorted(one.base for one in standings)
    base = {one.entry: one.base for one in standings}
    contested: dict[str, list[Branch]] = {}
    for branch in list_branches(run.db):
        contested.setdefault(branch.incumbent, []).append(branch)
        if branch.entry is not None:
            contested.setdefault(branch.entry, []).append(branch)
    diverging = {one.entry for one in list_divergences(run.db)}
    found: dict[str, Topic] = {}
    for page in list_subject_pages(run.db, sorted(base)):
        key = links.title_key(page.title)
        signal = Signal(
            gravity=_percentile(base[page.id], order),
            divergence=int(page.id in diverging),
            authority=_read_authority(run, page),
        )
        signal = _add_branches(signal, contested.get(page.id, ()))
        topic = Topic(key, page.id, page.title, signal)
        if key and (key not in found or signal > found[key].signal):
            found[key] = topic
    return sorted(found.values(), key=_rank)


def choose_signals(topics: Sequence[Topic], most: int) -> Mapping[str, Signal]:
    """Return the signals of the *most* weighty topics, by their keys."""
    return {one.key: one.signal for one in topics[:most]}


def _rank(topic: Topic) -> tuple[int, int, str]:
    signal = topic.signal
    contested = signal.won + signal.open + signal.lost
    return -contested, -signal.gravity, topic.key


def _percentile(base: float, order: Sequence[float]) -> int:
    """Return in which of 16 steps of all entries a gravity lies."""
    from bisect import bisect_left

    below = bisect_left(order, base)
    return min(STEPS, below * (STEPS + 1) // max(1, len(order)))


def _add_branches(signal: Signal, branches: Sequence[Branch]) -> Signal:
    pressure = 0
    states = {one.state for one in branches}
    for one in branches:
        if one.pressure and one.threshold:
            share = min(1.0, one.pressure / one.threshold)
            pressure = max(pressure, round(share * STEPS))
    return signal._replace(
        pressure=pressure,
        open=int("open" in states),
        won=int("promoted" in states),
        lost=int("closed" in states),
    )


def _read_authority(run: Run, page: SubjectPage) -> int:
    """Return the formal authority that a page's owner wrote in its frontmatter, 0 to 3.

    It is a signal apart from what depends on the page (FED-2).
    """
    given = read_front(run.repo.text(page.blob)).meta.get("authority")
    text = given if isinstance(given, str) else ""
    return min(OFFICES, int(text)) if text.isdigit() else 0
