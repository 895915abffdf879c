"""Split a page of very many notes by year: the page keeps the newest year, and links the others.

An editor and a night both slow down on a page of thousands of notes. The pages of earlier years
gather the same subject; notes go on joining the one page that bears its name. Pure.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.comparison.cohesion import place_score
from companion.comparison.pending import (
    Move,
    PlannedPage,
    TitledPage,
    WikiContext,
)
from companion.pages import ids, links, page
from companion.pages.names import file_name
from companion.pages.statement_edits import (
    NewStatement,
    add_statements,
    put_mentions,
    remove_statements,
)
from companion.pages.statements import (
    Mention,
    Statement,
    read_mentions,
    read_statements,
)
from companion.values.wording import many

MOST = 2000  # notes on one page


def split_by_year(
    pages: Sequence[PlannedPage], wiki: WikiContext, most: int = MOST
) -> list[PlannedPage]:
    """Return *pages*, those with more than *most* notes without the notes of earlier years, and the
    pages of these years.
    """
    result: list[PlannedPage] = []
    for planned in pages:
        result += _split(planned, wiki, most)
    return result


def _group_earlier_years(
    standing: Sequence[Statement], known: Collection[str]
) -> list[tuple[str, list[Statement]]]:
    """Return the statements in *known* of each year but the newest, the oldest year first."""
    newest = max(one.when[:4] for one in standing)
    by_year: dict[str, list[Statement]] = {}
    for one in standing:
        # notes of tonight are consumed where they stand
        if one.id in known and one.when[:4] != newest:
            by_year.setdefault(one.when[:4], []).append(one)
    return sorted(by_year.items())


def _split(
    planned: PlannedPage, wiki: WikiContext, most: int
) -> list[PlannedPage]:
    if planned.base_blob is None or _gathers_otherwise(planned):
        return [planned]
    text = planned.content.decode("utf-8", "surrogateescape")
    standing = [one for one in read_statements(text) if not one.earlier]
    if len(standing) <= most:
        return [planned]
    captures = wiki.captures_at(planned.path)
    others: list[PlannedPage] = []
    for year, statements in _group_earlier_years(standing, captures):
        other = _write_year(planned, year, statements, captures, wiki)
        if other is None:
            continue
        others.append(other)
        text = remove_statements(text, {one.id for one in statements})
        text = _link_year(text, other, year)
    if not others:
        return [planned]
    content = text.encode("utf-8", "surrogateescape")
    return [replace(planned, content=content), *others]


def _gathers_otherwise(planned: PlannedPage) -> bool:
    """Tell whether a page gathers a day, a series or a conversation: those are never split."""
    return planned.subject is not None and planned.subject[0] != "subject"


def _write_year(
    planned: PlannedPage,
    year: str,
    statements: Sequence[Statement],
    captures: dict[str, str],
    wiki: WikiContext,
) -> PlannedPage | None:
    """Return the page of one year; None where it must not be touched or its name is taken."""
    title = f"{planned.title} {year}"
    key = links.title_key(title)
    entry = ids.subject_id("subject", key)
    found = wiki.page_of(entry)
    folder = planned.path.rpartition("/")[0]
    name = file_name.make_file_name(title)
    path = f"{folder}/{name}.md"
    if found is not None:
        path = found.page.path
        text = found.text
    elif wiki.taken(links.key(name)):
        return None
    else:
        meta: dict[str, str | list[str]] = {
            "id": entry,
            "type": "subject",
            "title": title,
            "created": statements[0].when[:10],
        }
        text = page.compose(meta, "")
    times = wiki.told_at(planned.path)
    order = {**times, **wiki.told_at(path)}
    source = TitledPage(
        planned.entry, planned.path, planned.base_blob or "", True
    )
    moves = []
    notes = [NewStatement(one.id, one.when, one.words) for one in statements]
    text = add_statements(text, notes, order=order)
    for one in statements:
        moves.append(
            Move(
                captures[one.id],
                one.words,
                one.when,
                times.get(one.id, one.when),
                source,
                entry,
                stays=False,
            )
        )
    return PlannedPage(
        entry=entry,
        path=path,
        title=title,
        content=text.encode("utf-8", "surrogateescape"),
        base_blob=None if found is None else found.page.blob,
        notes=(),
        cohesion=place_score(1.0),
        reason=f"Takes {many(len(statements), 'note')} of {year} from {planned.path}.",
        subject=("subject", key),
        moves=tuple(moves),
    )


def _link_year(text: str, other: PlannedPage, year: str) -> str:
    name = other.path.rpartition("/")[2].removesuffix(".md")
    if any(one.page == name for one in read_mentions(text)):
        return text
    line = Mention(f"{year}-12-31", name, "", f"The notes of {year}")
    return put_mentions(text, [line], ())
