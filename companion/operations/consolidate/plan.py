"""CONSOLIDATE: batched integration of the buffer into the wiki (MaM §5.5).

Four phases in the paper's order: (1) captures are scored against each other, with no knowledge of
the wiki; (2) against the wiki; (3) trapezoid membership routes them; (4) minority pressure. What
judges said of pairs comes in as `Standing`s; where nothing was judged, nothing speaks against a
capture. Phase 4 has no branch to promote yet. Pure: the same arguments give the same plan (CON-3).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from companion.comparison import cohesion, consistency
from companion.comparison.cohesion import Cohesion
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    FILE,
    ConsolidationPlan,
    PendingCapture,
    PlannedPage,
    TitledPage,
    WaitingCapture,
    WikiContext,
    format_chat_turn,
    is_chat,
    page_title,
    requested_title,
)
from companion.pages import ids, page, slug
from companion.pages.body import grow_before_facts
from companion.pages.links import key as link_key
from companion.pages.links import title_key
from companion.values.captures import Sighting
from companion.values.wording import many

VERSION = "consolidate-3"

#: a telling as the ledger writes it; the store owns the format
Teller = Callable[[Sighting], dict[str, Any]]


class Support(NamedTuple):
    """Phase 1's finding on one capture."""

    titles: int  # other captures in the buffer under the same title
    links: int  # other captures in the buffer that share a link target


def plan_consolidation(
    pending: Sequence[PendingCapture],
    wiki: WikiContext,
    sighted: Iterable[tuple[str, str, tuple[Sighting, ...]]] = (),
    *,
    contents: Mapping[str, bytes] | None = None,
    stands: Mapping[str, Standing] | None = None,
    unjudged: Mapping[str, str] | None = None,
) -> ConsolidationPlan:
    """Plan a run over *pending* (ordered by time, then id); *contents* has their bytes where they
    do not.

    *stands* says what judges made of captures, *unjudged* why some must wait for a judge that gave
    no answer.
    """
    stands, unjudged = stands or {}, unjudged or {}
    # nothing told in private may leave a trace
    open_to_all = [told for told in pending if not told.private]
    support = score_buffer(open_to_all)
    arriving = {
        title_key(title) for title in map(requested_title, open_to_all) if title
    }
    sheets: list[PlannedPage] = []
    waits: list[WaitingCapture] = []
    claimed: set[str] = set()
    for group in _groups(pending, stands):
        reason = _must_wait(group, wiki, unjudged)
        if reason is not None:
            waits += [
                WaitingCapture(
                    _light(told), reason, _is_news(told, reason, wiki)
                )
                for told in group
            ]
            continue
        sheet = _sheet(
            [_whole(told, contents) for told in group],
            wiki,
            support,
            arriving,
            claimed,
            stands,
        )
        claimed.add(link_key(sheet.path))
        sheets.append(sheet)
    return ConsolidationPlan(tuple(sheets), tuple(waits), tuple(sighted))


def _is_news(told: PendingCapture, reason: str, wiki: WikiContext) -> bool:
    """Tell whether the ledger should say that a capture waits. What is held is read off the branch,
    and ends there.
    """
    return told.held is None and wiki.waiting.get(told.capture.id) != reason


def score_buffer(pending: Sequence[PendingCapture]) -> dict[str, Support]:
    """Phase 1: score captures against each other, independent of the wiki (CON-1)."""
    titles = Counter(
        title_key(title) for title in map(requested_title, pending) if title
    )
    targets = Counter(
        key
        for told in pending
        for key in {link_key(edge) for edge in told.capture.edges}
    )
    return {
        told.capture.id: _support(told, titles, targets) for told in pending
    }


def _support(
    told: PendingCapture, titles: Mapping[str, int], targets: Mapping[str, int]
) -> Support:
    title = requested_title(told)
    shared = sum(
        targets[key] - 1
        for key in {link_key(edge) for edge in told.capture.edges}
    )
    return Support(titles[title_key(title)] - 1 if title else 0, shared)


def score_wiki(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    arriving: Collection[str],
) -> tuple[int, int]:
    """Phase 2: return (links that resolve, links in all); a title that is *arriving* tonight
    resolves, too.
    """
    edges = [edge for told in group for edge in told.capture.edges]
    return sum(
        title_key(edge) in arriving or wiki.resolves(edge) for edge in edges
    ), len(edges)


def consolidation_events(
    done: ConsolidationPlan, telling: Teller, blob_of: Callable[[str], str]
) -> list[dict[str, Any]]:
    """Return the ledger's lines for a plan; *blob_of* maps a sheet's path to the blob that was
    written.
    """
    lines: list[dict[str, Any]] = []
    for sheet in done.pages:
        lines.append(_page_event(sheet, blob_of(sheet.path)))
        for told in sheet.captures:
            tellings = [telling(sighting) for sighting in told.sightings]
            line: dict[str, Any] = {
                "e": "consumed",
                "capture": told.capture.id,
                "outcome": "consolidated",
            }
            line["entry"] = sheet.entry
            lines.append(
                {
                    **line,
                    "sightings": tellings,
                    "reason": f"Integrated into {sheet.path}.",
                }
            )
        lines.extend(_flags(sheet))
    for capture, entry, sightings in done.sighted:
        line = {
            "e": "sighted",
            "capture": capture,
            "entry": entry,
            "sightings": [telling(s) for s in sightings],
        }
        lines.append(
            {**line, "reason": f"Told again ({many(len(sightings), 'time')})."}
        )
    for told, reason, new in done.waits:
        # the shared ledger must not even know that something was told in private
        if new and not told.private:
            lines.append(
                {"e": "waits", "capture": told.capture.id, "reason": reason}
            )
    return lines


# -- grouping --------------------------------------------------------------------------------------


def _groups(
    pending: Sequence[PendingCapture], stands: Mapping[str, Standing]
) -> list[list[PendingCapture]]:
    """Captures under one title become one page, not one page each; the rest stand alone.

    So does one of low cohesion: what contradicts a page must not become a part of it.
    """
    groups: dict[str, list[PendingCapture]] = {}
    for told in pending:
        groups.setdefault(
            told.capture.id if _is_low(told, stands) else _group(told), []
        ).append(told)
    for group in groups.values():
        if is_chat(group[0]):
            group.sort(
                key=lambda told: (
                    told.sightings[0].event_time,
                    told.sightings[0].seen_at,
                )
            )
    return list(groups.values())


def _group(told: PendingCapture) -> str:
    """Name the page-to-be that a capture belongs to.

    What was told in private must not ride along with its namesakes. Two files of one name are two
    pages, unless they are the same file again.
    """
    title = requested_title(told)
    if title is None or told.private or told.lost or told.held:
        return told.capture.id
    source = told.sightings[0].source if told.capture.channel == FILE else None
    return f"{title_key(title)}\0{source or ''}"


def _is_low(told: PendingCapture, stands: Mapping[str, Standing]) -> bool:
    return (
        cohesion.place_score(
            stands.get(told.capture.id, CLEAR).consistency
        ).bucket
        == "low"
    )


def _must_wait(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    unjudged: Mapping[str, str],
) -> str | None:
    if all(told.private for told in group):
        return "told in private: it stays out of the wiki's branch"
    if group[0].lost:
        return "its bytes are missing: `companion doctor` says more"
    if group[0].held:
        return group[0].held

    unanswered = [
        unjudged[told.capture.id]
        for told in group
        if told.capture.id in unjudged
    ]
    if unanswered:
        return unanswered[0]
    target = _target(group, wiki)
    if target is not None and target.path in wiki.blocked:
        return f"{target.path} {wiki.blocked[target.path]}"
    return None


def _target(
    group: Sequence[PendingCapture], wiki: WikiContext
) -> TitledPage | None:
    """Return the managed page that this group grows: the first of its title, by path; for a file,
    its own page.
    """
    title = requested_title(group[0])
    if title is None:
        return None
    managed = [
        target
        for target in wiki.titles.get(title_key(title), ())
        if target.managed
    ]
    if group[0].capture.channel == FILE:
        source = group[0].sightings[0].source
        managed = [
            target
            for target in managed
            if target.path in wiki.blocked or source in _sources(target, wiki)
        ]
    return min(managed, key=lambda target: target.path) if managed else None


def _sources(target: TitledPage, wiki: WikiContext) -> Sequence[str]:
    found = page.read_front(wiki.texts[target.path]).meta.get("sources", ())
    return (found,) if isinstance(found, str) else tuple(map(str, found))


# -- drafting --------------------------------------------------------------------------------------


def _sheet(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    support: Mapping[str, Support],
    arriving: Collection[str],
    claimed: set[str],
    stands: Mapping[str, Standing],
) -> PlannedPage:
    resolved, links = score_wiki(group, wiki, arriving)
    stood = min(
        (stands.get(told.capture.id, CLEAR) for told in group),
        key=lambda each: each.consistency,
    )
    place = cohesion.place_score(stood.consistency)
    shared = sum(support[told.capture.id].links for told in group)
    details = [f"cohesion {place.score:.2f} ({place.bucket})"]
    if stood.words:
        details.append(stood.words)
    if len(group) > 1:
        details.append(f"{len(group)} captures share its title")
    if links:
        details.append(
            f"{resolved} of {links} links resolve, {shared} shared in the buffer"
        )
    evidence = f"{_doubt(stood, place)}({'; '.join(details)})"
    target = None if place.bucket == "low" else _target(group, wiki)
    sheet = (
        _create(group, wiki, place, evidence, claimed)
        if target is None
        else _grow(group, target, wiki, place, evidence)
    )
    return replace(sheet, against=stood.against)


def _doubt(stood: Standing, place: Cohesion) -> str:
    """Return the sentence on what speaks against a page, ending in a space; empty if nothing."""
    against = stood.against
    if against is not None:
        return f"May disagree with {against.path or 'an earlier note'}. "
    return "`companion review` asks about it. " if place.bucket == "mid" else ""


def _grow(
    group: Sequence[PendingCapture],
    target: TitledPage,
    wiki: WikiContext,
    place: Cohesion,
    evidence: str,
) -> PlannedPage:
    text = wiki.texts[target.path]
    title = requested_title(group[0]) or ""
    for told in group:
        text = grow_before_facts(
            text, partial(page.append_section, section=_section(told, title))
        )
    captures = tuple(_light(told) for told in group)
    why = f"Added to the page of its title. {evidence}"
    content = text.encode("utf-8", "surrogateescape")
    return PlannedPage(
        target.id,
        target.path,
        title,
        content,
        target.blob,
        captures,
        place,
        why,
    )


def _create(
    group: Sequence[PendingCapture],
    wiki: WikiContext,
    place: Cohesion,
    evidence: str,
    claimed: set[str],
) -> PlannedPage:
    first = group[0]
    text = first.capture.content.decode("utf-8")
    title = page_title(first, text)
    if is_chat(first):
        text = format_chat_turn(first)
    when = min(told.sightings[0].event_time for told in group)
    entry = ids.entry_id(first.capture.id)
    name = slug.find_free(
        slug.slugify(title), lambda key: key in claimed or wiki.taken(key)
    )
    # A challenger must not link to its incumbent: links are what gravity is made of.
    theirs = (
        () if place.bucket == "low" else wiki.titles.get(title_key(title), ())
    )
    body = _compose(
        entry, title, when, group, text, [target.path for target in theirs]
    )
    for told in group[1:]:
        body = page.append_section(body, _section(told, title))
    kind = "New page in quarantine" if place.bucket == "low" else "New page"
    beside = " beside yours of that title" if theirs else ""
    why = f"{kind}{beside}. {evidence}"
    path = f"{wiki.folder}/{when[:4]}/{when[5:7]}/{name}.md"
    content = (body if body.endswith("\n") else body + "\n").encode()
    return PlannedPage(
        entry,
        path,
        title,
        content,
        None,
        tuple(_light(told) for told in group),
        place,
        why,
    )


def _whole(
    told: PendingCapture, contents: Mapping[str, bytes] | None
) -> PendingCapture:
    if contents is None:
        return told
    return told._replace(
        capture=told.capture._replace(content=contents[told.capture.id])
    )


def _light(told: PendingCapture) -> PendingCapture:
    return told._replace(capture=told.capture._replace(content=b""))


def _compose(
    entry: str,
    title: str,
    when: str,
    group: Sequence[PendingCapture],
    text: str,
    theirs: Sequence[str],
) -> str:
    sources = sorted(
        {s.source for told in group for s in told.sightings if s.source}
    )
    meta: dict[str, str | list[str]] = {
        "id": entry,
        "type": "note",
        "title": title,
        "created": when[:10],
    }
    if sources:
        meta["sources"] = sources
    composed = page.add_frontmatter(meta, text)
    for path in theirs:
        composed = page.append_section(
            composed, f"See also [[{path.removesuffix('.md')}]]."
        )
    return composed


def _section(told: PendingCapture, title: str) -> str:
    """A later capture on a page: its words under the day it was told, without repeating the page's
    title.
    """
    if is_chat(told):
        return format_chat_turn(told)
    text = told.capture.content.decode("utf-8")
    first, _, rest = text.partition("\n")
    if first.startswith("# ") and title_key(
        first[2:].strip().rstrip("#")
    ) == title_key(title):
        text = rest.lstrip("\r\n")
    return f"## {told.sightings[0].event_time[:10]}\n\n{text}"


def _page_event(sheet: PlannedPage, blob: str) -> dict[str, Any]:
    return {
        "e": "created" if sheet.base_blob is None else "grown",
        "entry": sheet.entry,
        "path": sheet.path,
        "blob": blob,
        "bucket": sheet.cohesion.bucket,
        "degrees": {
            name: degree
            for name, degree in sheet.cohesion.degrees.items()
            if degree
        },
        "quarantined": int(sheet.cohesion.bucket == "low"),
        "reason": sheet.reason,
    }


def _flags(sheet: PlannedPage) -> list[dict[str, Any]]:
    """What the next `review` asks a person about: the page and what it contradicts, or what
    friction left of it.
    """
    if sheet.against is not None:
        return [_contradiction(sheet, sheet.against)]
    if sheet.cohesion.bucket != "mid":
        return []
    capture = sheet.captures[-1].capture.id
    line = {
        "e": "flagged",
        "flag": consistency.flag_id(capture, sheet.entry),
        "kind": "unsure",
        "entry": sheet.entry,
    }
    return [{**line, "capture": capture, "reason": sheet.reason}]


def _contradiction(
    sheet: PlannedPage, against: consistency.Judged
) -> dict[str, Any]:
    return {
        "e": "flagged",
        "flag": consistency.flag_id(against.key, sheet.entry),
        "kind": "contradiction",
        "entry": sheet.entry,
        "capture": against.capture,
        "other": against.other,
        "key": against.key,
        "reason": f"cohesion {sheet.cohesion.score:.2f} ({sheet.cohesion.bucket})",
    }
