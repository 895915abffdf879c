"""Write derived lines: a page that a note concerns links the note where it stands. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.comparison.cohesion import place_score
from companion.comparison.pending import (
    PendingCapture,
    PlannedPage,
    TitledPage,
    WikiContext,
)
from companion.language.headline import headline
from companion.operations.consolidate.drafts.pages import format_when
from companion.pages.statement_edits import put_mentions
from companion.pages.statements import Mention, statement_id
from companion.values.wording import many


def _list_mentioned(
    pages: Iterable[PlannedPage], wiki: WikiContext
) -> Iterator[tuple[PlannedPage, PendingCapture, TitledPage]]:
    """Yield the page and the capture of each note that is certain, with each page it mentions."""
    for page in pages:
        for note in page.notes:
            placement = wiki.placements.get(note.told.capture.id)
            if placement is None or note.cohesion.bucket == "low":
                continue
            for target in placement.mentions:
                yield page, note.told, target


def draft_mentions(
    pages: Sequence[PlannedPage],
    wiki: WikiContext,
    contents: Mapping[str, bytes] | None,
) -> list[PlannedPage]:
    """Return *pages* and those that get a derived line for notes that stand on them.

    Nothing is written on a page of its owner's, on one that must not be touched tonight, or where
    the note itself stands.
    """
    planned = {page.entry: page for page in pages}
    lines: defaultdict[str, list[Mention]] = defaultdict(list)
    targets: dict[str, TitledPage] = {}
    for page, told, target in _list_mentioned(pages, wiki):
        if not target.blob and target.id not in planned:
            continue  # a page that was to begin, and waits
        if _may_be_written(target, page, wiki):
            targets[target.id] = target
            lines[target.id].append(_make_mention(told, page, contents))
    for entry, mentions in sorted(lines.items()):
        planned[entry] = _add_lines(
            planned.get(entry), targets[entry], mentions, wiki
        )
    return list(planned.values())


def _may_be_written(
    target: TitledPage, page: PlannedPage, wiki: WikiContext
) -> bool:
    if target.id == page.entry or not target.managed:
        return False
    return target.path not in wiki.blocked


def _make_mention(
    told: PendingCapture,
    page: PlannedPage,
    contents: Mapping[str, bytes] | None,
) -> Mention:
    content = told.capture.content
    if contents is not None:
        content = contents[told.capture.id]
    name = page.path.rpartition("/")[2].removesuffix(".md")
    return Mention(
        format_when(told.sightings[0], "page"),
        name,
        statement_id(told.capture.id),
        headline(content.decode("utf-8", "replace")),
    )


def _add_lines(
    planned: PlannedPage | None,
    target: TitledPage,
    mentions: Sequence[Mention],
    wiki: WikiContext,
) -> PlannedPage:
    known = {mention.id for mention in mentions}
    if planned is not None:
        text = planned.content.decode("utf-8", "surrogateescape")
        text = put_mentions(text, mentions, known)
        content = text.encode("utf-8", "surrogateescape")
        return replace(planned, content=content)
    text = put_mentions(wiki.texts[target.path], mentions, known)
    count = many(len(mentions), "note")
    return PlannedPage(
        entry=target.id,
        path=target.path,
        title=target.title,
        content=text.encode("utf-8", "surrogateescape"),
        base_blob=target.blob,
        notes=(),
        cohesion=place_score(1.0),
        reason=f"Links {count} elsewhere that concern it.",
    )
