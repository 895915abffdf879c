"""The start: search while typing; without words, what changed last."""

from typing import TYPE_CHECKING

from companion.lookup.search import search_wiki
from companion.reading.overview.list_pages import Asked, list_pages
from companion.reading.report.html import Html
from companion.web.elements import (
    element,
    link_page,
    void,
    write_page,
)
from companion.web.moments import day_of
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import SearchHit, SearchResult
    from companion.reading.overview.results import ListedItem

_MOST = 20


def make_search_page(ws: Workspace, words: str) -> str:
    """Return the page of a search for *words*, or of what changed last."""
    words = words.strip()
    results = _find(ws, words) if words else _list_recent(ws)
    return write_page(
        words or "Search",
        element("h1", "Search"),
        _write_form(words),
        element("div", results, id="results", aria_live="polite"),
        here="/",
    )


def _write_form(words: str) -> Html:
    field = void(
        "input",
        type="search",
        name="q",
        id="q",
        value=words,
        autocomplete="off",
        hx_get="/",
        hx_trigger="input changed delay:200ms",
        hx_target="#results",
        hx_select="#results",
        hx_swap="outerHTML",
        hx_replace_url="true",
        hx_sync="this:replace",
    )
    return element(
        "form",
        element("label", "Words of a page or note", for_="q"),
        element("div", field, element("button", "Search"), klass="field"),
        action="/",
        method="get",
        role="search",
    )


def _find(ws: Workspace, words: str) -> Html:
    return _list_hits(search_wiki(ws, words, limit=_MOST))


def _list_hits(found: "SearchResult") -> Html:
    hits = found["results"]
    if not hits:
        nothing = f"Nothing has the words of “{found['query']}”."
        return element("p", nothing, klass="soft")
    warning = found.get("warning")
    parts = [element("p", warning, klass="soft")] if warning else []
    items = [_write_hit(hit) for hit in hits]
    return element("div", *parts, element("ol", *items, klass="hits"))


def _write_hit(hit: "SearchHit") -> Html:
    state = "" if hit["state"] == "active" else hit["state"]
    facts = [day_of(hit["when"] or hit["event_time"]), state, hit["path"]]
    if hit["lost"]:
        facts.append("no longer holds")
    about = " · ".join(fact for fact in facts if fact)
    return element(
        "li",
        element("h2", link_page(hit["id"], hit["title"])),
        element("p", hit["snippet"]),
        element("p", about, klass="soft"),
    )


def _list_recent(ws: Workspace) -> Html:
    listed = list_pages(ws, Asked(), limit=_MOST)["items"]
    if not listed:
        return element(
            "p", "There is no page yet: capture a note first.", klass="soft"
        )
    items = [_write_item(item) for item in listed]
    return element(
        "section",
        element("h2", "Changed last", id="recent"),
        element("ol", *items, klass="hits"),
        aria_labelledby="recent",
    )


def _write_item(item: "ListedItem") -> Html:
    facts = [day_of(item["changed"])]
    if item["state"] != "active":
        facts.append(item["state"])
    facts += [f"#{tag}" for tag in item["tags"]]
    return element(
        "li",
        element("h3", link_page(item["id"], item["title"])),
        element("p", " · ".join(facts), klass="soft"),
    )
