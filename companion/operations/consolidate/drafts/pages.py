"""Write the text of pages that captures become, or that they grow. Pure."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from companion.comparison.cohesion import Cohesion, place_score
from companion.comparison.consistency import CLEAR, Judged, Standing
from companion.comparison.pending import (
    FILE,
    Home,
    Opening,
    PendingCapture,
    PlacedNote,
    Placement,
    PlannedPage,
    TitledPage,
    WikiContext,
    format_chat_turn,
    is_chat,
    name_chat,
    page_title,
    requested_title,
)
from companion.operations.consolidate.drafts.series import add_value
from companion.pages import ids, page
from companion.pages.body import grow_before_facts
from companion.pages.links import title_key
from companion.pages.names import file_name
from companion.pages.statement_edits import (
    NewStatement,
    add_statement,
    add_statements,
    clean_link_words,
    enclose_opening,
)
from companion.pages.statements import statement_id
from companion.values.captures import Sighting
from companion.values.time import local_moment
from companion.values.wording import many


class Draft(NamedTuple):
    """Captures that become one page, and where they stand."""

    group: Sequence[PendingCapture]
    cohesion: Cohesion
    standing: Standing  # of the one that most speaks against
    details: Sequence[str]  # what the decision rests on, in words and numbers
    standings: Mapping[str, Standing]  # of each, by capture

    def explain(self, sentence: str) -> str:
        """Return *sentence* with what speaks against the page, and the details."""
        doubt = describe_doubt(self.standing, self.cohesion)
        return f"{sentence} {doubt}({'; '.join(self.details)})"

    def place_notes(
        self, reason: str, placements: Mapping[str, Placement] | None = None
    ) -> tuple[PlacedNote, ...]:
        """Return the notes of the page, each with where it stands.

        *reason* explains the page; notes with a placement have a reason of their own.
        """
        notes = []
        for told in self.group:
            id = told.capture.id
            standing = self.standings.get(id, CLEAR)
            cohesion = place_score(standing.consistency)
            note = PlacedNote(
                without_bytes(told), cohesion, reason, standing.against
            )
            placement = (placements or {}).get(id)
            if placement is not None:
                why = _explain_placement(placement, standing, cohesion)
                mentions = tuple(page.id for page in placement.mentions)
                note = note._replace(
                    reason=why, rule=placement.rule, mentions=mentions
                )
            notes.append(note)
        return tuple(notes)


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
    if draft.cohesion.bucket == "low":
        return _create_page(draft, wiki, claimed)
    placement = wiki.placements.get(draft.group[0].capture.id)
    if placement is not None:
        return _write_home(draft, placement.home, wiki)
    target = find_target(draft.group, wiki)
    if target is None:
        return _create_page(draft, wiki, claimed)
    return _grow_page(draft, target, wiki)


def without_bytes(told: PendingCapture) -> PendingCapture:
    """Return *told* without the bytes of its capture."""
    return told._replace(capture=told.capture._replace(content=b""))


def _list_sources(text: str) -> Sequence[str]:
    sources = page.read_front(text).meta.get("sources", ())
    if isinstance(sources, str):
        return (sources,)
    return tuple(map(str, sources))


def describe_doubt(standing: Standing, cohesion: Cohesion) -> str:
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


def _explain_placement(
    placement: Placement, standing: Standing, cohesion: Cohesion
) -> str:
    """Return why a note stands where it does, and what speaks against it."""
    doubt = describe_doubt(standing, cohesion)
    details = [
        f"rule: {placement.rule}",
        f"cohesion {cohesion.score:.2f} ({cohesion.bucket})",
    ]
    if standing.words:
        details.append(standing.words)
    return f"{placement.reason} {doubt}({'; '.join(details)})"


def _write_home(draft: Draft, home: Home, wiki: WikiContext) -> PlannedPage:
    """Return the page that gathers a day or a subject, with the notes of tonight on it."""
    text = "" if home.blob is None else wiki.texts[home.path]
    kind = "Added"
    reason = ""
    if not text:
        # a page that its owner left empty is written like a new one
        kind = "New page"
        reason = home.reason
        text = _compose_home(draft.group, home)
    text = _add_statements(text, draft.group, home, wiki)
    count = many(len(draft.group), "note")
    reason = draft.explain(reason or f"{kind}: {count}.")
    return PlannedPage(
        entry=home.entry,
        path=home.path,
        title=home.title,
        content=text.encode("utf-8", "surrogateescape"),
        base_blob=home.blob,
        notes=draft.place_notes(reason, wiki.placements),
        cohesion=draft.cohesion,
        reason=reason,
        subject=None if home.kind == "page" else (home.kind, home.key),
    )


def _compose_home(group: Sequence[PendingCapture], home: Home) -> str:
    when = min(told.sightings[0].event_time for told in group)
    meta: dict[str, str | list[str]] = {
        "id": home.entry,
        "type": home.kind,
        "title": home.title,
        "created": home.created or when[:10],
    }
    if not home.beside:
        return page.compose(meta, "")
    return page.compose(meta, f"Your own note: [[{home.beside}]].\n")


def _add_statements(
    text: str, group: Sequence[PendingCapture], home: Home, wiki: WikiContext
) -> str:
    if home.blob is not None:
        text = enclose_first_note(text, wiki.opening(home.entry))
    order = dict(wiki.told_at(home.path))
    for told in group:
        first = told.sightings[0]
        order[statement_id(told.capture.id)] = first.event_time
    blocks: list[NewStatement] = []
    for told in group:
        words = told.capture.content.decode("utf-8")
        if home.kind == "series":
            when = format_when(told.sightings[0], home.kind)
            id = statement_id(told.capture.id)
            with_row = add_value(text, id, when, words, home.language)
            if with_row is not None:
                text = with_row
                continue
        if home.kind != "day":
            words = _without_title(words, home.title)
        when = format_when(told.sightings[0], home.kind)
        id = statement_id(told.capture.id)
        blocks.append(NewStatement(id, when, words))
    # at once: reading the page again for each note would make a full day cost its square
    return add_statements(text, blocks, order=order)


def enclose_first_note(text: str, opening: Opening | None) -> str:
    """Return *text* with the note that it was made of as a statement like others."""
    if opening is None:
        return text
    when = local_moment(opening.told_at, opening.utc_offset)
    body = page.read_front(text).body
    id = statement_id(opening.capture)
    return enclose_opening(text, body, id, when)


def format_when(first: Sighting, kind: str) -> str:
    """Return when a note was told as the heading of its statement says it.

    On a day page that is the minute. A note of which only the day is known has the day.
    """
    when = local_moment(first.event_time, first.utc_offset)
    if kind == "day":
        return when[11:] or when
    return when


def _grow_page(
    draft: Draft, target: TitledPage, wiki: WikiContext
) -> PlannedPage:
    text = wiki.texts[target.path]
    title = requested_title(draft.group[0]) or ""
    if is_chat(draft.group[0]):
        for told in draft.group:
            turn = format_chat_turn(told)
            text = grow_before_facts(
                text, partial(page.append_section, section=turn)
            )
    else:
        home = Home(target.id, target.path, title, target.blob, "page")
        text = _add_statements(text, draft.group, home, wiki)
    reason = draft.explain("Added to the page of its title.")
    return PlannedPage(
        entry=target.id,
        path=target.path,
        title=title,
        content=text.encode("utf-8", "surrogateescape"),
        base_blob=target.blob,
        notes=draft.place_notes(reason, wiki.placements),
        cohesion=draft.cohesion,
        reason=reason,
    )


def _create_page(
    draft: Draft, wiki: WikiContext, claimed: Collection[str]
) -> PlannedPage:
    group = draft.group
    text = group[0].capture.content.decode("utf-8")
    title = page_title(group[0], text, _find_contested(draft, wiki))
    chat = _find_chat_key(draft, wiki)
    entry = ids.entry_id(group[0].capture.id)
    if chat is not None:
        entry = ids.subject_id("chat", chat)
        title = name_chat(group, _decode_all(group))
    when = min(told.sightings[0].event_time for told in group)
    name = file_name.find_free(
        file_name.make_file_name(title),
        lambda key: key in claimed or wiki.taken(key),
    )
    kind = "New page"
    namesakes = wiki.titles.get(title_key(title), ())
    if draft.cohesion.bucket == "low":
        kind = "New page in quarantine"
        # A challenger must not link to its incumbent: links are what gravity is made of.
        namesakes = ()
    if namesakes:
        kind += " beside yours of that title"
    meta = _frontmatter(group, entry, title, when)
    if chat is not None:
        meta["type"] = "chat"
    content = _compose_page(group, text, title, meta, namesakes)
    reason = draft.explain(f"{kind}.")
    return PlannedPage(
        entry=entry,
        path=f"{wiki.folder}/{when[:4]}/{when[5:7]}/{name}.md",
        title=title,
        content=content.encode(),
        base_blob=None,
        notes=draft.place_notes(reason),
        cohesion=draft.cohesion,
        reason=reason,
        subject=None if chat is None else ("chat", chat),
    )


def _find_chat_key(draft: Draft, wiki: WikiContext) -> str | None:
    """Return the key of the conversation that a new page gathers; None if it gathers none.

    A page that its owner deleted is not made again: later turns have a page of their own.
    """
    first = draft.group[0]
    if draft.cohesion.bucket == "low" or not is_chat(first):
        return None
    key = title_key(requested_title(first) or "")
    return None if key in wiki.deleted_chats else key


def _decode_all(group: Sequence[PendingCapture]) -> list[str]:
    return [told.capture.content.decode("utf-8") for told in group]


def _find_contested(draft: Draft, wiki: WikiContext) -> str | None:
    """Return the title of the page that a note in quarantine speaks against."""
    against = draft.standing.against
    if draft.cohesion.bucket != "low" or against is None:
        return None
    return wiki.title_of(against.other)


def _compose_page(
    group: Sequence[PendingCapture],
    text: str,
    title: str,
    meta: dict[str, str | list[str]],
    namesakes: Sequence[TitledPage],
) -> str:
    """Return a new page: the words of the first capture, links to *namesakes*, later captures."""
    chat = is_chat(group[0])
    if chat:
        text = format_chat_turn(group[0])
    body = page.add_frontmatter(meta, text)
    for namesake in namesakes:
        link = _write_link(namesake.path.removesuffix(".md"))
        body = page.append_section(body, f"See also {link}.")
    if chat:
        for told in group[1:]:
            body = page.append_section(body, format_chat_turn(told))
    elif len(group) > 1:
        body = _add_later_notes(body, group, title)
    if not body.endswith("\n"):
        body += "\n"
    return body


def _add_later_notes(
    text: str, group: Sequence[PendingCapture], title: str
) -> str:
    """Return a new page of several notes, each of them a statement."""
    first = group[0]
    id = statement_id(first.capture.id)
    when = format_when(first.sightings[0], "page")
    text = enclose_opening(text, page.read_front(text).body, id, when)
    order = {
        statement_id(told.capture.id): told.sightings[0].event_time
        for told in group
    }
    for told in group[1:]:
        words = told.capture.content.decode("utf-8")
        text = add_statement(
            text,
            statement_id(told.capture.id),
            format_when(told.sightings[0], "page"),
            _without_title(words, title),
            order=order,
        )
    return text


def _write_link(target: str) -> str:
    shown = clean_link_words(target.rpartition("/")[2])
    if shown == target:
        return f"[[{target}]]"
    return f"[[{target}|{shown}]]"


def _frontmatter(
    group: Sequence[PendingCapture], entry: str, title: str, when: str
) -> dict[str, str | list[str]]:
    meta: dict[str, str | list[str]] = {
        "id": entry,
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


def _without_title(words: str, title: str) -> str:
    """Return the words of a note for a page: a heading that repeats its title is left out."""
    first, _, rest = words.partition("\n")
    heading = first[2:].strip().rstrip("#")
    if first.startswith("# ") and title_key(heading) == title_key(title):
        return rest.lstrip("\r\n")
    return words
