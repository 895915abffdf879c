"""Move blocks from the pages of their days to the pages of what they are about. Pure.

The words go over byte for byte, and the day keeps a derived line. A block that a person edited
stays where it is, and so does one that names the page in passing; the page links it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.comparison.cohesion import place_score
from companion.comparison.pending import Move, PlannedPage, WikiContext
from companion.language.headline import headline
from companion.operations.consolidate.drafts.pages import format_when
from companion.operations.consolidate.drafts.series import add_value
from companion.pages import page
from companion.pages.statement_edits import (
    add_statement,
    enclose_opening,
    put_mentions,
    remove_statement,
)
from companion.pages.statements import Mention, read_statements, statement_id
from companion.values.wording import many


def draft_moves(
    pages: Sequence[PlannedPage], wiki: WikiContext
) -> list[PlannedPage]:
    """Return *pages* with the blocks that move there, and the pages that these leave.

    A block moves only to a page of the plan, and from a page that may be written tonight.
    """
    planned = {page.entry: page for page in pages}
    left: dict[str, list[Move]] = {}
    for target in pages:
        moves = _list_moves_to(target, wiki)
        if not moves or target.cohesion.bucket == "low":
            continue
        planned[target.entry] = _take_in(target, moves, wiki)
        for move in moves:
            if not move.stays:
                left.setdefault(move.source.id, []).append(move)
    for entry, moves in sorted(left.items()):
        planned[entry] = _leave(planned.get(entry), moves, planned, wiki)
    return list(planned.values())


def _list_moves_to(target: PlannedPage, wiki: WikiContext) -> list[Move]:
    """Return the moves to *target* from pages that may be written tonight."""
    moves = [move for move in wiki.moves if move.entry == target.entry]
    return [move for move in moves if move.source.path not in wiki.blocked]


def _take_in(
    target: PlannedPage, moves: Sequence[Move], wiki: WikiContext
) -> PlannedPage:
    """Return *target* with the blocks of *moves*, and lines for those that stay."""
    text = target.content.decode("utf-8", "surrogateescape")
    text = _enclose_note(text, target)
    order = _list_times(target, wiki)
    order.update((statement_id(move.capture), move.told_at) for move in moves)
    linked = []
    moved = []
    for move in moves:
        if move.stays:
            linked.append(_mention(move, _name_of(move.source.path)))
            continue
        moved.append(move)
        if target.subject is not None and target.subject[0] == "series":
            id = statement_id(move.capture)
            with_row = add_value(text, id, move.when, move.words, "en")
            if with_row is not None:
                text = with_row
                continue
        text = add_statement(
            text,
            statement_id(move.capture),
            move.when,
            move.words,
            order=order,
        )
    text = put_mentions(text, linked, {one.id for one in linked})
    return replace(
        target,
        content=text.encode("utf-8", "surrogateescape"),
        moves=tuple(moved),
    )


def _enclose_note(text: str, target: PlannedPage) -> str:
    """Return the text of a new page of one note with that note as a statement."""
    if target.base_blob is not None or read_statements(text):
        return text
    if target.subject is not None:
        return text  # it gathers: its notes stand in blocks or rows already
    told = target.notes[0].told
    when = format_when(told.sightings[0], "page")
    body = page.read_front(text).body
    return enclose_opening(text, body, statement_id(told.capture.id), when)


def _list_times(target: PlannedPage, wiki: WikiContext) -> dict[str, str]:
    order = dict(wiki.told_at(target.path))
    for note in target.notes:
        first = note.told.sightings[0]
        order[statement_id(note.told.capture.id)] = first.event_time
    return order


def _leave(
    planned: PlannedPage | None,
    moves: Sequence[Move],
    pages: Mapping[str, PlannedPage],
    wiki: WikiContext,
) -> PlannedPage:
    """Return the page of a day without the blocks of *moves*, with a line for each."""
    source = moves[0].source
    if planned is not None:
        text = planned.content.decode("utf-8", "surrogateescape")
    else:
        text = wiki.texts[source.path]
    lines = []
    for move in moves:
        text = remove_statement(text, statement_id(move.capture))
        lines.append(_mention(move, _name_of(pages[move.entry].path)))
    text = put_mentions(text, lines, {line.id for line in lines})
    content = text.encode("utf-8", "surrogateescape")
    if planned is not None:
        return replace(planned, content=content)
    return PlannedPage(
        entry=source.id,
        path=source.path,
        title=source.title,
        content=content,
        base_blob=source.blob,
        notes=(),
        cohesion=place_score(1.0),
        reason=f"Links {many(len(moves), 'note')} that moved.",
    )


def _mention(move: Move, name: str) -> Mention:
    return Mention(
        move.when, name, statement_id(move.capture), headline(move.words)
    )


def _name_of(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
