"""CONSOLIDATE: batched integration of the buffer into the wiki (MaM §5.5).

Four phases in the paper's order: (1) captures are scored against each other, with no knowledge of
the wiki; (2) against the wiki; (3) trapezoid membership routes them; (4) minority pressure. What
judges said of pairs comes in as `Standing`s; where nothing was judged, nothing speaks against a
capture. Phase 4 has no branch to promote yet. Pure: the same arguments give the same plan (CON-3).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from companion.comparison import cohesion, consistency
from companion.comparison.cohesion import Cohesion
from companion.comparison.consistency import CLEAR, Standing
from companion.ledger import facts_section
from companion.pages import drafts, ids, page, slug
from companion.pages.links import key as link_key
from companion.pages.links import title_key
from companion.pages.title import headline
from companion.values.captures import Capture, Sighting

VERSION = "consolidate-3"
CHAT, FILE = "chat", "file"  # channels whose captures belong together in a way of their own

#: a telling as the ledger writes it; the store owns the format
Teller = Callable[[Sighting], dict[str, Any]]


class Told(NamedTuple):
    """A pending capture with the tellings that the wiki may know of (never the private ones)."""

    capture: Capture
    sightings: tuple[Sighting, ...]
    private: bool = False  # told in private only
    lost: bool = False  # its bytes are gone
    # why it stays although nothing is wrong with it: its run left the branch
    held: str | None = None


class Target(NamedTuple):
    """A page of the wiki that bears a title."""

    id: str
    path: str
    blob: str
    managed: bool


@dataclass(frozen=True)
class Wiki:
    """What CONSOLIDATE may know of the wiki: the snapshot's names, and the text of pages that may
    grow.
    """

    titles: Mapping[str, Sequence[Target]]  # title key -> the pages that bear it
    # is this basename (casefolded, no suffix) in use anywhere in the vault?
    taken: Callable[[str], bool]
    texts: Mapping[str, str]  # path -> text, for every managed target
    blocked: Mapping[str, str]  # path -> why it must not be touched tonight
    resolves: Callable[[str], bool]  # does this link target resolve in the wiki?
    waiting: Mapping[str, str]  # capture -> the reason recorded when it was last left waiting
    folder: str = "entries"


@dataclass(frozen=True)
class Sheet:
    """A page the plan wants to exist."""

    entry: str
    path: str
    title: str
    content: bytes
    base_blob: str | None  # None: the page is new
    captures: tuple[Told, ...]  # without their bytes: a night of many captures holds each text once
    cohesion: Cohesion
    reason: str
    against: consistency.Judged | None = None  # what speaks against it most


class Wait(NamedTuple):
    """A capture that stays in the extended buffer."""

    told: Told
    reason: str
    new: bool  # the ledger does not say so yet


@dataclass(frozen=True)
class Plan:
    """What a night would do, before anything is touched."""

    sheets: tuple[Sheet, ...]
    waits: tuple[Wait, ...]
    sighted: tuple[tuple[str, str, tuple[Sighting, ...]], ...]  # (capture, entry, new tellings)


class Support(NamedTuple):
    """Phase 1's finding on one capture."""

    titles: int  # other captures in the buffer under the same title
    links: int  # other captures in the buffer that share a link target


def plan(
    pending: Sequence[Told],
    wiki: Wiki,
    sighted: Iterable[tuple[str, str, tuple[Sighting, ...]]] = (),
    *,
    contents: Mapping[str, bytes] | None = None,
    stands: Mapping[str, Standing] | None = None,
    unjudged: Mapping[str, str] | None = None,
) -> Plan:
    """Plan a run over *pending* (ordered by time, then id); *contents* has their bytes where they
    do not.

    *stands* says what judges made of captures, *unjudged* why some must wait for a judge that gave
    no answer.
    """
    stands, unjudged = stands or {}, unjudged or {}
    # nothing told in private may leave a trace
    open_to_all = [told for told in pending if not told.private]
    support = score_buffer(open_to_all)
    arriving = {title_key(title) for title in map(heading, open_to_all) if title}
    sheets: list[Sheet] = []
    waits: list[Wait] = []
    claimed: set[str] = set()
    for group in _groups(pending, stands):
        reason = _must_wait(group, wiki, unjudged)
        if reason is not None:
            waits += [Wait(_light(told), reason, _is_news(told, reason, wiki)) for told in group]
            continue
        sheet = _sheet(
            [_whole(told, contents) for told in group], wiki, support, arriving, claimed, stands
        )
        claimed.add(link_key(sheet.path))
        sheets.append(sheet)
    return Plan(tuple(sheets), tuple(waits), tuple(sighted))


def _is_news(told: Told, reason: str, wiki: Wiki) -> bool:
    """Tell whether the ledger should say that a capture waits. What is held is read off the branch,
    and ends there.
    """
    return told.held is None and wiki.waiting.get(told.capture.id) != reason


def heading(told: Told) -> str | None:
    """Return the title that a capture asks for: its own, or, for a turn of a chat, that of its
    source and day.
    """
    first = told.sightings[0]
    if told.capture.title is None and first.channel == CHAT and first.source:
        return f"{first.source} {first.event_time[:10]}"
    return told.capture.title


def score_buffer(pending: Sequence[Told]) -> dict[str, Support]:
    """Phase 1: score captures against each other, independent of the wiki (CON-1)."""
    titles = Counter(title_key(title) for title in map(heading, pending) if title)
    targets = Counter(
        key for told in pending for key in {link_key(edge) for edge in told.capture.edges}
    )
    return {told.capture.id: _support(told, titles, targets) for told in pending}


def _support(told: Told, titles: Mapping[str, int], targets: Mapping[str, int]) -> Support:
    title = heading(told)
    shared = sum(targets[key] - 1 for key in {link_key(edge) for edge in told.capture.edges})
    return Support(titles[title_key(title)] - 1 if title else 0, shared)


def score_wiki(group: Sequence[Told], wiki: Wiki, arriving: Collection[str]) -> tuple[int, int]:
    """Phase 2: return (links that resolve, links in all); a title that is *arriving* tonight
    resolves, too.
    """
    edges = [edge for told in group for edge in told.capture.edges]
    return sum(title_key(edge) in arriving or wiki.resolves(edge) for edge in edges), len(edges)


def events(done: Plan, telling: Teller, blob_of: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return the ledger's lines for a plan; *blob_of* maps a sheet's path to the blob that was
    written.
    """
    lines: list[dict[str, Any]] = []
    for sheet in done.sheets:
        lines.append(_page_event(sheet, blob_of(sheet.path)))
        for told in sheet.captures:
            tellings = [telling(sighting) for sighting in told.sightings]
            line: dict[str, Any] = {
                "e": "consumed",
                "capture": told.capture.id,
                "outcome": "consolidated",
            }
            line["entry"] = sheet.entry
            lines.append({**line, "sightings": tellings, "reason": f"integrated into {sheet.path}"})
        lines.extend(_flags(sheet))
    for capture, entry, sightings in done.sighted:
        line = {
            "e": "sighted",
            "capture": capture,
            "entry": entry,
            "sightings": [telling(s) for s in sightings],
        }
        lines.append(
            {**line, "reason": f"told again, {len(sightings)} time{'s' * (len(sightings) > 1)}"}
        )
    for told, reason, new in done.waits:
        # the shared ledger must not even know that something was told in private
        if new and not told.private:
            lines.append({"e": "waits", "capture": told.capture.id, "reason": reason})
    return lines


# -- grouping --------------------------------------------------------------------------------------


def _groups(pending: Sequence[Told], stands: Mapping[str, Standing]) -> list[list[Told]]:
    """Captures under one title become one page, not one page each; the rest stand alone.

    So does one of low cohesion: what contradicts a page must not become a part of it.
    """
    groups: dict[str, list[Told]] = {}
    for told in pending:
        groups.setdefault(told.capture.id if _is_low(told, stands) else _group(told), []).append(
            told
        )
    for group in groups.values():
        if is_chat(group[0]):
            group.sort(key=lambda told: (told.sightings[0].event_time, told.sightings[0].seen_at))
    return list(groups.values())


def _group(told: Told) -> str:
    """Name the page-to-be that a capture belongs to.

    What was told in private must not ride along with its namesakes. Two files of one name are two
    pages, unless they are the same file again.
    """
    title = heading(told)
    if title is None or told.private or told.lost or told.held:
        return told.capture.id
    source = told.sightings[0].source if told.capture.channel == FILE else None
    return f"{title_key(title)}\0{source or ''}"


def is_chat(told: Told) -> bool:
    """Tell whether a capture is an untitled turn of a conversation."""
    return told.capture.title is None and heading(told) is not None


def _is_low(told: Told, stands: Mapping[str, Standing]) -> bool:
    return cohesion.place(stands.get(told.capture.id, CLEAR).consistency).bucket == "low"


def _must_wait(group: Sequence[Told], wiki: Wiki, unjudged: Mapping[str, str]) -> str | None:
    if all(told.private for told in group):
        return "told in private: it stays out of the wiki's branch"
    if group[0].lost:
        return "its bytes are missing: `companion doctor` says more"
    if group[0].held:
        return group[0].held

    unanswered = [unjudged[told.capture.id] for told in group if told.capture.id in unjudged]
    if unanswered:
        return unanswered[0]
    target = _target(group, wiki)
    if target is not None and target.path in wiki.blocked:
        return f"{target.path} {wiki.blocked[target.path]}"
    return None


def _target(group: Sequence[Told], wiki: Wiki) -> Target | None:
    """Return the managed page that this group grows: the first of its title, by path; for a file,
    its own page.
    """
    title = heading(group[0])
    if title is None:
        return None
    managed = [target for target in wiki.titles.get(title_key(title), ()) if target.managed]
    if group[0].capture.channel == FILE:
        source = group[0].sightings[0].source
        managed = [
            target
            for target in managed
            if target.path in wiki.blocked or source in _sources(target, wiki)
        ]
    return min(managed, key=lambda target: target.path) if managed else None


def _sources(target: Target, wiki: Wiki) -> Sequence[str]:
    found = page.read_front(wiki.texts[target.path]).meta.get("sources", ())
    return (found,) if isinstance(found, str) else tuple(map(str, found))


# -- drafting --------------------------------------------------------------------------------------


def _sheet(
    group: Sequence[Told],
    wiki: Wiki,
    support: Mapping[str, Support],
    arriving: Collection[str],
    claimed: set[str],
    stands: Mapping[str, Standing],
) -> Sheet:
    resolved, links = score_wiki(group, wiki, arriving)
    stood = min(
        (stands.get(told.capture.id, CLEAR) for told in group), key=lambda each: each.consistency
    )
    place = cohesion.place(stood.consistency)
    shared = sum(support[told.capture.id].links for told in group)
    evidence = (
        f"cohesion {place.score:.2f} ({place.bucket}), "
        + (
            "nothing speaks against it"
            if stood.against is None and place.bucket != "mid"
            else "it is flagged"
        )
        + (f"; {stood.words}" if stood.words else "")
        + (f"; {len(group)} captures share its title" if len(group) > 1 else "")
        + (f"; {resolved} of {links} links resolve, {shared} shared in the buffer" if links else "")
    )
    target = None if place.bucket == "low" else _target(group, wiki)
    sheet = (
        _create(group, wiki, place, evidence, claimed)
        if target is None
        else _grow(group, target, wiki, place, evidence)
    )
    return replace(sheet, against=stood.against)


def _grow(
    group: Sequence[Told], target: Target, wiki: Wiki, place: Cohesion, evidence: str
) -> Sheet:
    text = wiki.texts[target.path]
    title = heading(group[0]) or ""
    for told in group:
        text = facts_section.before_facts(
            text, partial(page.append_section, section=_section(told, title))
        )
    captures = tuple(_light(told) for told in group)
    why = f"joins the page of its title; {evidence}"
    content = text.encode("utf-8", "surrogateescape")
    return Sheet(target.id, target.path, title, content, target.blob, captures, place, why)


def _create(
    group: Sequence[Told], wiki: Wiki, place: Cohesion, evidence: str, claimed: set[str]
) -> Sheet:
    first = group[0]
    text = first.capture.content.decode("utf-8")
    title = title_of(first, text)
    if is_chat(first):
        text = turn(first)
    when = min(told.sightings[0].event_time for told in group)
    entry = ids.entry_id(first.capture.id)
    name = slug.unique(slug.slugify(title), lambda key: key in claimed or wiki.taken(key))
    # A challenger must not link to its incumbent: links are what gravity is made of.
    theirs = () if place.bucket == "low" else wiki.titles.get(title_key(title), ())
    body = _compose(entry, title, when, group, text, [target.path for target in theirs])
    for told in group[1:]:
        body = page.append_section(body, _section(told, title))
    kind = "new page in quarantine" if place.bucket == "low" else "new page"
    why = f"{kind}{' beside yours of that title' if theirs else ''}; {evidence}"
    path = f"{wiki.folder}/{when[:4]}/{when[5:7]}/{name}.md"
    content = (body if body.endswith("\n") else body + "\n").encode()
    return Sheet(
        entry, path, title, content, None, tuple(_light(told) for told in group), place, why
    )


def _whole(told: Told, contents: Mapping[str, bytes] | None) -> Told:
    if contents is None:
        return told
    return told._replace(capture=told.capture._replace(content=contents[told.capture.id]))


def _light(told: Told) -> Told:
    return told._replace(capture=told.capture._replace(content=b""))


def title_of(told: Told, text: str) -> str:
    """Return the title of the page that a capture alone would make."""
    asked = heading(told)
    if asked:
        return asked
    parsed = page.parse(text, "note.md")
    if parsed.title != "note":
        return parsed.title
    return headline(parsed.body)


def _compose(
    entry: str, title: str, when: str, group: Sequence[Told], text: str, theirs: Sequence[str]
) -> str:
    sources = sorted({s.source for told in group for s in told.sightings if s.source})
    meta: dict[str, str | list[str]] = {
        "id": entry,
        "type": "note",
        "title": title,
        "created": when[:10],
    }
    if sources:
        meta["sources"] = sources
    composed = drafts.wrap(meta, text)
    for path in theirs:
        composed = page.append_section(composed, f"See also [[{path.removesuffix('.md')}]].")
    return composed


def _section(told: Told, title: str) -> str:
    """A later capture on a page: its words under the day it was told, without repeating the page's
    title.
    """
    if is_chat(told):
        return turn(told)
    text = told.capture.content.decode("utf-8")
    first, _, rest = text.partition("\n")
    if first.startswith("# ") and title_key(first[2:].strip().rstrip("#")) == title_key(title):
        text = rest.lstrip("\r\n")
    return f"## {told.sightings[0].event_time[:10]}\n\n{text}"


def turn(told: Told) -> str:
    """One turn of a conversation: who said it, and the words."""
    speaker = told.sightings[0].agent
    words = told.capture.content.decode("utf-8")
    return f"**{speaker}:** {words}" if speaker else words


def _page_event(sheet: Sheet, blob: str) -> dict[str, Any]:
    return {
        "e": "created" if sheet.base_blob is None else "grown",
        "entry": sheet.entry,
        "path": sheet.path,
        "blob": blob,
        "bucket": sheet.cohesion.bucket,
        "degrees": {name: degree for name, degree in sheet.cohesion.degrees.items() if degree},
        "quarantined": int(sheet.cohesion.bucket == "low"),
        "reason": sheet.reason,
    }


def _flags(sheet: Sheet) -> list[dict[str, Any]]:
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


def _contradiction(sheet: Sheet, against: consistency.Judged) -> dict[str, Any]:
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
