"""Plan the integration of captures into the wiki: CONSOLIDATE's third phase (MaM §5.5).

Trapezoid membership routes a capture by its consistency, which judges measured in phases 1 and 2;
where nothing was judged, nothing speaks against a capture. Pure: the same arguments give the same
plan (CON-3).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    FILE,
    ConsolidationPlan,
    PendingCapture,
    PlannedPage,
    WaitingCapture,
    WikiContext,
    is_chat,
    requested_title,
)
from companion.operations.consolidate.drafts.lines import follow_moves
from companion.operations.consolidate.drafts.mentions import draft_mentions
from companion.operations.consolidate.drafts.moves import draft_moves
from companion.operations.consolidate.drafts.pages import (
    Draft,
    draft_page,
    find_target,
    find_worst_standing,
    without_bytes,
)
from companion.operations.consolidate.drafts.years import split_by_year
from companion.pages import links
from companion.pages.links import title_key
from companion.values.captures import Sighting

VERSION = "consolidate-5"


class Support(NamedTuple):
    """The count of other captures in the buffer that share something with one capture."""

    titles: int  # under the same title
    links: int  # with the same link target, once for each target


def plan_consolidation(
    pending: Sequence[PendingCapture],
    wiki: WikiContext,
    sighted: Iterable[tuple[str, str, tuple[Sighting, ...]]] = (),
    *,
    contents: Mapping[str, bytes] | None = None,
    standings: Mapping[str, Standing] | None = None,
    unjudged: Mapping[str, str] | None = None,
) -> ConsolidationPlan:
    """Return the plan of a run over *pending* (ordered by time, then id).

    *contents* has the bytes of captures that do not hold them. *standings* says what judges made of
    captures, *unjudged* why some must wait for a judge that gave no answer.
    """
    standings = standings or {}
    open_to_all = _list_open(pending)
    support = score_buffer(open_to_all)
    arriving = _count_titles(open_to_all).keys()
    pages: list[PlannedPage] = []
    waits: list[WaitingCapture] = []
    claimed = _list_new_names(wiki)
    # two drafts of one page would lose the words of one
    written: set[str] = set()
    for group in _group_by_page(pending, wiki, standings):
        standing = find_worst_standing(group, standings)
        cohesion = place_score(standing.consistency)
        reason = _find_wait(group, wiki, unjudged or {})
        if reason is None and cohesion.bucket != "low":
            reason = _find_clash(group, wiki, written)
        if reason is not None:
            waits += [_wait(told, reason, wiki) for told in group]
            continue
        whole = [_with_bytes(told, contents) for told in group]
        details = [f"cohesion {cohesion.score:.2f} ({cohesion.bucket})"]
        details += _describe_support(whole, standing, wiki, support, arriving)
        draft = Draft(whole, cohesion, standing, details, standings)
        page = draft_page(draft, wiki, claimed)
        claimed.add(links.key(page.path))
        written.add(page.path)
        pages.append(page)
    pages = draft_moves(pages, wiki)
    pages = split_by_year(draft_mentions(pages, wiki, contents), wiki)
    pages = follow_moves(pages, wiki)
    return ConsolidationPlan(tuple(pages), tuple(waits), tuple(sighted))


def _list_new_names(wiki: WikiContext) -> set[str]:
    """Return the file names of the pages that notes of tonight begin."""
    homes = (placement.home for placement in wiki.placements.values())
    return {links.key(home.path) for home in homes if home.blob is None}


def score_buffer(pending: Sequence[PendingCapture]) -> dict[str, Support]:
    """Phase 1: score captures against each other, independent of the wiki (CON-1)."""
    titles = _count_titles(pending)
    targets: Counter[str] = Counter()
    for told in pending:
        targets.update(_link_keys(told))
    support = {}
    for told in pending:
        shared = sum(targets[key] - 1 for key in _link_keys(told))
        title = requested_title(told)
        namesakes = titles[title_key(title)] - 1 if title else 0
        support[told.capture.id] = Support(namesakes, shared)
    return support


def score_wiki(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    arriving: Collection[str],
) -> tuple[int, int]:
    """Phase 2: return how many links of *group* resolve, and how many there are.

    A link to a title that is *arriving* tonight resolves, too.
    """
    resolved = 0
    count = 0
    for told in group:
        for edge in told.capture.edges:
            count += 1
            resolved += title_key(edge) in arriving or wiki.resolves(edge)
    return resolved, count


def _count_titles(pending: Sequence[PendingCapture]) -> Counter[str]:
    titles = map(requested_title, pending)
    return Counter(title_key(title) for title in titles if title)


def _link_keys(told: PendingCapture) -> set[str]:
    return {links.key(edge) for edge in told.capture.edges}


def _group_by_page(
    pending: Sequence[PendingCapture],
    wiki: WikiContext,
    standings: Mapping[str, Standing],
) -> list[list[PendingCapture]]:
    """Return the captures that go to one page each: those under one title, those about one subject.

    One of low cohesion stands alone: what contradicts a page must not become a part of it.
    """
    groups: dict[str, list[PendingCapture]] = {}
    names = {told.capture.id: _group_name(told) for told in pending}
    # a page begins with the note that has its title
    for told in sorted(pending, key=lambda told: told.capture.id in wiki.joins):
        standing = standings.get(told.capture.id, CLEAR)
        placement = wiki.placements.get(told.capture.id)
        titled = wiki.joins.get(told.capture.id, told.capture.id)
        name = names[titled]
        page = _find_grown_page(told, wiki)
        if placement is not None:
            name = f"home\0{placement.home.entry}"
        elif page is not None:
            # notes about it grow the same page
            name = f"home\0{page}"
        if place_score(standing.consistency).bucket == "low":
            name = told.capture.id
        groups.setdefault(name, []).append(told)
    for group in groups.values():
        if is_chat(group[0]):
            group.sort(key=_told_at)
    return list(groups.values())


def _find_grown_page(told: PendingCapture, wiki: WikiContext) -> str | None:
    """Return the entry of the page that a note grows because it has its title."""
    if told.private or told.lost or told.held or is_chat(told):
        return None
    target = find_target([told], wiki)
    return None if target is None else target.id


def _told_at(told: PendingCapture) -> tuple[str, str]:
    first = told.sightings[0]
    return first.event_time, first.seen_at


def _group_name(told: PendingCapture) -> str:
    """Return a name for the page that a capture belongs to.

    What was told in private stays apart from its namesakes. Two files of one name are two pages,
    unless they are the same file again.
    """
    title = requested_title(told)
    if title is None or told.private or told.lost or told.held:
        return told.capture.id
    source = None
    if told.capture.channel == FILE:
        source = told.sightings[0].source
    return f"{title_key(title)}\0{source or ''}"


def _list_open(pending: Iterable[PendingCapture]) -> list[PendingCapture]:
    """Return the captures that were told openly: nothing told in private may leave a trace."""
    return [told for told in pending if not told.private]


def _find_clash(
    group: Sequence[PendingCapture], wiki: WikiContext, written: Collection[str]
) -> str | None:
    """Return why *group* waits where its page is among those *written* already; else None."""
    path = _find_path(group, wiki)
    if path not in written:
        return None
    return f"{path} changes tonight for another note"


def _find_wait(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    unjudged: Mapping[str, str],
) -> str | None:
    """Return why *group* has to wait; None if it becomes a page."""
    if all(told.private for told in group):
        return "told in private: it stays out of the wiki's branch"
    if group[0].lost:
        return "its bytes are missing: `companion doctor` says more"
    if group[0].held:
        return group[0].held

    for told in group:
        if told.capture.id in unjudged:
            return unjudged[told.capture.id]
    path = _find_path(group, wiki)
    if path is not None and path in wiki.blocked:
        return f"{path} {wiki.blocked[path]}"
    return None


def _find_path(
    group: Sequence[PendingCapture], wiki: WikiContext
) -> str | None:
    """Return the path of the page that *group* goes to; None if it makes one of its own title."""
    placement = wiki.placements.get(group[0].capture.id)
    if placement is not None:
        return placement.home.path
    target = find_target(group, wiki)
    return None if target is None else target.path


def _wait(
    told: PendingCapture, reason: str, wiki: WikiContext
) -> WaitingCapture:
    """Return a capture that waits; the ledger need not say again what it says already.

    What is held is read off the branch, and ends there.
    """
    known = wiki.waiting.get(told.capture.id) == reason
    new = told.held is None and not known
    return WaitingCapture(without_bytes(told), reason, new)


def _with_bytes(
    told: PendingCapture, contents: Mapping[str, bytes] | None
) -> PendingCapture:
    if contents is None:
        return told
    content = contents[told.capture.id]
    return told._replace(capture=told.capture._replace(content=content))


def _describe_support(
    group: Sequence[PendingCapture],
    standing: Standing,
    wiki: WikiContext,
    support: Mapping[str, Support],
    arriving: Collection[str],
) -> list[str]:
    details = []
    if standing.words:
        details.append(standing.words)
    placed = group[0].capture.id in wiki.placements
    if len(group) > 1 and not placed:
        details.append(f"{len(group)} captures share its title")
    resolved, count = score_wiki(group, wiki, arriving)
    if count:
        shared = sum(support[told.capture.id].links for told in group)
        details.append(
            f"{resolved} of {count} links resolve, {shared} shared in the buffer"
        )
    return details
