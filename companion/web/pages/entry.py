"""One page: its words, as they are or as they were; what was so; what rests on it; its history."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.answers.claims import read_claims
from companion.answers.known import NotKnown
from companion.lookup.index import current_index
from companion.reading.entry.page_story import describe_story
from companion.reading.entry.show import show_target
from companion.reading.entry.versions import (
    Version,
    list_versions,
    read_version,
)
from companion.reading.overview.links_of_page import list_links_of_page
from companion.reading.report.html import Html, Table, draw_table, section
from companion.storage.index.history import list_events_of_page
from companion.storage.index.tables.pages.links import (
    count_pages_linking,
    list_link_ends,
)
from companion.values.wording import without_numbers
from companion.web.elements import (
    address_of,
    bullets,
    element,
    join,
    link,
    link_page,
    void,
    write_note,
    write_page,
)
from companion.web.moments import day_of, minute_of
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import KeyResult
    from companion.reading.overview.results import LinksOfPage
    from companion.reading.results import (
        DependentResult,
        Neighbour,
        PageStory,
        ShownCapture,
        ShownEntry,
        ShownMention,
        StoryEvent,
    )

_MOST = 50  # of one list
_MOST_DEPENDENTS = 100


def make_entry_page(
    ws: Workspace, target: str, *, version: int | None, as_of: str | None
) -> str:
    """Return the page of an entry or note; its words as of *version*, its facts as of a day.

    *version* counts from 1, the oldest; None is the present one. Raises NothingFound or BadTime.
    """
    shown = show_target(ws, target, most_links=_MOST)
    if shown["kind"] == "capture":
        return _write_capture(shown)
    db = current_index(ws, ws.journal())
    assert db is not None
    recorded = list_events_of_page(db, shown["id"])
    versions = list_versions(recorded)
    chosen = _choose(versions, version)
    links = list_links_of_page(
        ws,
        shown["id"],
        most=_MOST_DEPENDENTS,
        most_direct=_MOST_DEPENDENTS + 1,
    )
    linking = count_pages_linking(db, shown["id"])
    ends = list_link_ends(db, shown["path"])
    story = describe_story(ws, db, shown["id"], recorded)
    return write_page(
        shown["title"],
        element("h1", shown["title"]),
        _write_about(shown),
        _write_slider(shown["id"], versions, chosen, as_of),
        element(
            "div",
            _write_label(versions, chosen),
            _write_text(ws, shown, versions, chosen, ends),
            _write_facts(ws, shown, _known_at(versions, chosen), as_of),
            id="then",
            aria_live="polite",
        ),
        _write_links(links),
        _write_rests(links, linking),
        _write_story(story),
    )


def _choose(versions: list[Version], asked: int | None) -> int:
    """Return the place of a version from 1 on, the newest for a number that none has."""
    if asked is None or not 1 <= asked <= len(versions):
        return len(versions)
    return asked


def _known_at(versions: list[Version], chosen: int) -> str | None:
    """Return until when what is shown was the last that was known; None for the present."""
    if chosen >= len(versions):
        return None
    return versions[chosen - 1].time


def _write_about(shown: "ShownEntry") -> Html:
    facts = [shown["path"]]
    if shown["state"] != "active":
        facts.append(shown["state"])
    facts += ["pinned"] * bool(shown["pinned"])
    facts += ["in quarantine"] * shown["quarantined"]
    facts += ["others depend on it"] * shown["gravity_protected"]
    about = element("span", " · ".join(facts))
    graph = link("graph around it", f"/graph?page={shown['id']}")
    return element("p", about, " · ", graph, klass="soft")


# -- as it was -------------------------------------------------------------------------------------


def _write_slider(
    id: str, versions: list[Version], chosen: int, as_of: str | None
) -> Html:
    """Return the form with both clocks: what was known when, and what was so on which day."""
    last = len(versions)
    known = void(
        "input",
        type="range",
        id="v",
        name="v",
        min="1",
        max=str(max(last, 1)),
        value=str(max(chosen, 1)),
        aria_describedby="then-label",
    )
    day = void(
        "input", type="date", id="as_of", name="as_of", value=as_of or ""
    )
    slider = join(
        [element("label", f"As known, version 1 to {last}", for_="v"), known]
    )
    return element(
        "form",
        slider if last > 1 else "",
        element("label", "Facts as of the day", for_="as_of"),
        day,
        element("button", "Show"),
        klass="clocks",
        action=address_of(id),
        method="get",
        hx_get=address_of(id),
        hx_trigger="change, submit",
        hx_target="#then",
        hx_select="#then",
        hx_swap="outerHTML",
        hx_replace_url="true",
        hx_sync="this:replace",
    )


def _write_label(versions: list[Version], chosen: int) -> Html:
    words = "As it is now."
    if versions and chosen < len(versions):
        one = versions[chosen - 1]
        words = (
            f"As it was known on {minute_of(one.time)}: version {chosen} of "
            f"{len(versions)}, {one.did} by {one.run}."
        )
    return element("p", words, id="then-label", klass="then")


def _write_text(
    ws: Workspace,
    shown: "ShownEntry",
    versions: list[Version],
    chosen: int,
    ends: Mapping[str, str],
) -> Html:
    text = shown["text"]
    dead: list[str] = shown["unresolved"]
    if chosen < len(versions):
        text, dead = read_version(ws, versions[chosen - 1]), []
    return element("article", write_note(text, ends, dead, shown["title"]))


def _list_cells(key: "KeyResult") -> tuple[str, str, str]:
    """Return a matter, what holds of it, and when it was told last."""
    matter = f"{key['subject']} · {key['predicate']}"
    disputed = " (disputed)" if key["disputed"] else ""
    days = [claim["told_at"] for claim in key["claims"]]
    return matter, ", ".join(key["values"]) + disputed, day_of(max(days))


def _write_facts(
    ws: Workspace, shown: "ShownEntry", known: str | None, as_of: str | None
) -> Html:
    try:
        told = read_claims(
            ws,
            shown["id"],
            None,
            as_of=as_of or None,
            known_at=known,
            history=False,
        )
    except NotKnown:
        return Html("")
    rows = [_list_cells(key) for key in told["keys"] if key["values"]]
    if not rows and not as_of and known is None:
        return Html("")
    if not rows:
        return element(
            "p", "Nothing was so then, as far as is known.", klass="soft"
        )
    caption = f"What is so as of {day_of(told['as_of'])}"
    if known is not None:
        caption += f", as known on {day_of(known)}"
    table = Table(caption, ("Matter", "Value", "Told last"), rows[:_MOST])
    return section("facts", "Facts", draw_table(table, stacks=True))


# -- around it -------------------------------------------------------------------------------------


def _write_links(links: "LinksOfPage") -> Html:
    parts = [
        _write_list("Links to", [_name(one) for one in links["out"]]),
        _write_list("Links that lead nowhere", list(links["unresolved"])),
    ]
    if not any(parts):
        return Html("")
    return section("links", "Links", *parts)


def _name(neighbour: "Neighbour") -> Html:
    return link_page(neighbour["id"], neighbour["title"])


def _mention(mention: "ShownMention") -> Html:
    page = mention["page"]
    words = f"{mention['words']} · {mention['when']} · "
    return join([words, link_page(page["id"], page["title"])])


def _write_list(
    heading: str, items: Sequence[Html | str], *, more: bool = False
) -> Html:
    """Return a heading and the first of *items*; how many follow, where that is known."""
    if not items:
        return Html("")
    rest: str = ""
    beyond = len(items) - _MOST
    if beyond > 0 or more:
        count = f"{beyond:,} more" if not more else "and more"
        rest = element("p", count, klass="soft")
    return join([element("h3", heading), bullets(items[:_MOST]), rest])


def _write_linking(links: "LinksOfPage", count: int) -> Html:
    """Return the first pages that link here, and a way to all *count* of them."""
    shown = [_name(one) for one in links["in"][:_MOST]]
    found = _write_list("Linked from", shown)
    if count <= _MOST:
        return found
    every = link(
        f"all {count:,} pages that link here",
        f"/links?page={links['page']['id']}",
    )
    return join([found, element("p", every)])


def _write_rests(links: "LinksOfPage", linking: int) -> Html:
    lists = [
        _write_linking(links, linking),
        _write_list(
            "Mentioned by", [_mention(one) for one in links["mentions"]]
        ),
        _write_list(
            "Through others",
            [_dependent(one) for one in links["rests"]],
            more=links["beyond"],
        ),
    ]
    if not any(lists):
        lists = [element("p", "Nothing rests on this page.", klass="soft")]
    return section("rests", "What rests on it", *lists)


def _dependent(dependent: "DependentResult") -> Html:
    words = dependent["title"] or dependent["id"]
    through = [step["title"] or step["id"] for step in dependent["path"][:-1]]
    name: str = words
    if dependent["entry"] is not None:
        name = link_page(dependent["entry"], words)
    if not through:
        return join([name, f" ({dependent['path'][-1]['how']})"])
    return join([name, f" (through {', '.join(through)})"])


def _write_story(story: "PageStory") -> Html:
    items = [_event(event) for event in reversed(story["events"])]
    shown = bullets(items[:_MOST], klass="story")
    more = len(items) - _MOST
    rest = element("p", f"{more} earlier", klass="soft") if more > 0 else ""
    return section("history", "History", shown, rest)


def _event(event: "StoryEvent") -> Html:
    parts: list[str] = [
        element("span", minute_of(event["time"]), klass="day"),
        f" {event['event']}",
    ]
    if event["capture"] is not None:
        words = event["words"] or "a note"
        parts += [": ", link_page(event["capture"], words)]
    if event["page"] is not None and event["page"]["id"]:
        page = event["page"]
        parts += [" · ", link_page(page["id"], page["title"])]
    if event["reason"]:
        parts.append(
            element("p", without_numbers(event["reason"]), klass="soft")
        )
    return join(parts)


# -- a note ----------------------------------------------------------------------------------------


def _write_capture(shown: "ShownCapture") -> str:
    title = shown["title"] or "A note"
    facts = [f"told {minute_of(shown['ingested_at'])}", shown["state"]]
    if shown["channel"]:
        facts.append(shown["channel"])
    parts = [
        element("h1", title),
        element("p", " · ".join(facts), klass="soft"),
        element("article", write_note(shown["text"], title=title)),
    ]
    place = shown["place"]
    if place is not None:
        page = place["page"]
        where = join(["Stands on ", link_page(page["id"], page["title"])])
        parts.append(element("p", where))
    elif shown["entry"] is not None:
        parts.append(element("p", link_page(shown["entry"], "Its page")))
    return write_page(title, *parts)
