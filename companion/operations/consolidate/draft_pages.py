"""Write the text of pages that captures become, or that they grow. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from companion.comparison.cohesion import Cohesion
from companion.comparison.consistency import CLEAR, Judged, Standing
from companion.comparison.pending import (
    FILE,
    PendingCapture,
    PlannedPage,
    TitledPage,
    WikiContext,
    format_chat_turn,
    is_chat,
    page_title,
    requested_title,
)
from companion.pages import ids, page, slug
from companion.pages.body import grow_before_facts
from companion.pages.links import title_key


class Draft(NamedTuple):
    """Captures that become one page, and where they stand."""

    group: Sequence[PendingCapture]
    cohesion: Cohesion
    standing: Standing  # of the one that most speaks against
    details: Sequence[str]  # what the decision rests on, in words and numbers

    def explain(self, sentence: str) -> str:
        """Return *sentence* with what speaks against the page, and the details."""
        doubt = _describe_doubt(self.standing, self.cohesion)
        return f"{sentence} {doubt}({'; '.join(self.details)})"


def find_target(
    group: Sequence[PendingCapture], wiki: WikiContext
) -> TitledPage | None:
    """Return the managed page that *group* grows: the first of its title, by path.

    A file grows only its own page.
    """
    title = requested_title(group[0])
    if title is None:
        return None
    named = wiki.titles.get(title_key(title), ())
    targets = [target for target in named if target.managed]
    if group[0].capture.channel == FILE:
        source = group[0].sightings[0].source
        targets = [
            target
            for target in targets
            if target.path in wiki.blocked
            or source in _list_sources(wiki.texts[target.path])
        ]
    return min(targets, key=lambda target: target.path, default=None)


def find_worst_standing(
    group: Sequence[PendingCapture], standings: Mapping[str, Standing]
) -> Standing:
    """Return the standing of the capture in *group* that is least consistent."""
    return min(
        (standings.get(told.capture.id, CLEAR) for told in group),
        key=lambda standing: standing.consistency,
    )


def draft_page(
    draft: Draft, wiki: WikiContext, claimed: Collection[str]
) -> PlannedPage:
    """Return the page that a group becomes; names in *claimed* are taken by pages of tonight."""
    target = None
    if draft.cohesion.bucket != "low":
        target = find_target(draft.group, wiki)
    if target is None:
        planned = _create_page(draft, wiki, claimed)
    else:
        planned = _grow_page(draft, target, wiki)
    return replace(planned, against=draft.standing.against)


def without_bytes(told: PendingCapture) -> PendingCapture:
    """Return *told* without the bytes of its capture."""
    return told._replace(capture=told.capture._replace(content=b""))


def _list_sources(text: str) -> Sequence[str]:
    sources = page.read_front(text).meta.get("sources", ())
    if isinstance(sources, str):
        return (sources,)
    return tuple(map(str, sources))


def _describe_doubt(standing: Standing, cohesion: Cohesion) -> str:
    """Return the sentences on what speaks against a page, ending in a space; empty if nothing."""
    doubt = f"{standing.warning} " if standing.warning else ""
    if standing.against is not None:
        doubt += f"{describe_disagreement(standing.against)} "
    elif cohesion.bucket == "mid":
        doubt += "`companion review` asks about it. "
    return doubt


def describe_disagreement(against: Judged) -> str:
    """Return the sentence on what a capture may disagree with, and how the two differ.

    A judge that gives figures first is not quoted: they belong to the details.
    """
    other = against.other_name or "an earlier note"
    difference = against.relation.reason.partition(";")[0]
    if not difference or any(char.isdigit() for char in difference):
        return f"May disagree with {other}."
    return f"May disagree with {other}: {difference}."


def _grow_page(
    draft: Draft, target: TitledPage, wiki: WikiContext
) -> PlannedPage:
    text = wiki.texts[target.path]
    title = requested_title(draft.group[0]) or ""
    for told in draft.group:
        section = _write_section(told, title)
        text = grow_before_facts(
            text, partial(page.append_section, section=section)
        )
    return PlannedPage(
        entry=target.id,
        path=target.path,
        title=title,
        content=text.encode("utf-8", "surrogateescape"),
        base_blob=target.blob,
        captures=tuple(map(without_bytes, draft.group)),
        cohesion=draft.cohesion,
        reason=draft.explain("Added to the page of its title."),
    )


def _create_page(
    draft: Draft, wiki: WikiContext, claimed: Collection[str]
) -> PlannedPage:
    group = draft.group
    text = group[0].capture.content.decode("utf-8")
    title = page_title(group[0], text)
    when = min(told.sightings[0].event_time for told in group)
    name = slug.find_free(
        slug.slugify(title), lambda key: key in claimed or wiki.taken(key)
    )
    kind = "New page"
    namesakes = wiki.titles.get(title_key(title), ())
    if draft.cohesion.bucket == "low":
        kind = "New page in quarantine"
        # A challenger must not link to its incumbent: links are what gravity is made of.
        namesakes = ()
    if namesakes:
        kind += " beside yours of that title"
    content = _compose_page(group, text, title, when, namesakes)
    return PlannedPage(
        entry=ids.entry_id(group[0].capture.id),
        path=f"{wiki.folder}/{when[:4]}/{when[5:7]}/{name}.md",
        title=title,
        content=content.encode(),
        base_blob=None,
        captures=tuple(map(without_bytes, group)),
        cohesion=draft.cohesion,
        reason=draft.explain(f"{kind}."),
    )


def _compose_page(
    group: Sequence[PendingCapture],
    text: str,
    title: str,
    when: str,
    namesakes: Sequence[TitledPage],
) -> str:
    """Return a new page: the words of the first capture, links to *namesakes*, later captures."""
    if is_chat(group[0]):
        text = format_chat_turn(group[0])
    body = page.add_frontmatter(_frontmatter(group, title, when), text)
    for namesake in namesakes:
        link = f"See also [[{namesake.path.removesuffix('.md')}]]."
        body = page.append_section(body, link)
    for told in group[1:]:
        body = page.append_section(body, _write_section(told, title))
    if not body.endswith("\n"):
        body += "\n"
    return body


def _frontmatter(
    group: Sequence[PendingCapture], title: str, when: str
) -> dict[str, str | list[str]]:
    meta: dict[str, str | list[str]] = {
        "id": ids.entry_id(group[0].capture.id),
        "type": "note",
        "title": title,
        "created": when[:10],
    }
    sources: set[str] = set()
    for told in group:
        sources.update(one.source for one in told.sightings if one.source)
    if sources:
        meta["sources"] = sorted(sources)
    return meta


def _write_section(told: PendingCapture, title: str) -> str:
    """Return a later capture on a page: its words under the day on which it was told.

    The title of the page is not repeated.
    """
    if is_chat(told):
        return format_chat_turn(told)
    text = told.capture.content.decode("utf-8")
    first, _, rest = text.partition("\n")
    heading = first[2:].strip().rstrip("#")
    if first.startswith("# ") and title_key(heading) == title_key(title):
        text = rest.lstrip("\r\n")
    return f"## {told.sightings[0].event_time[:10]}\n\n{text}"
