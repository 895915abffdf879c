"""What contradicts protected pages, and how near it is to winning."""

from typing import TYPE_CHECKING

from companion.reading.branches.branches import list_branches, show_branch
from companion.reading.report.html import Html
from companion.values.wording import without_numbers
from companion.web.elements import (
    bullets,
    element,
    join,
    link,
    link_page,
    void,
    write_page,
)
from companion.web.moments import day_of, minute_of
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.branches.results import (
        BranchEvent,
        BranchResult,
        EntryPlace,
        MemberResult,
    )

_STATES = {"open": "open", "promoted": "won", "closed": "closed"}


def make_branches_page(ws: Workspace) -> str:
    """Return the page of all branches, the open ones first."""
    branches = list_branches(ws)["branches"]
    items = [_write_branch(branch) for branch in branches]
    shown = element("ol", *items, klass="hits")
    if not items:
        nothing = "No note contradicts a page on which others depend."
        shown = element("p", nothing, klass="soft")
    return write_page(
        "Branches",
        element("h1", "Minority branches"),
        element(
            "p",
            "A note that contradicts a page on which others depend waits on a "
            "branch until enough independent sources say the same.",
            klass="soft",
        ),
        shown,
        here="/branches",
    )


def make_branch_page(ws: Workspace, name: str) -> str:
    """Return the page of one branch with its notes. Raises NoSuchBranch."""
    branch = show_branch(ws, name)
    title = _name(branch["incumbent"])
    members = [_write_member(member) for member in branch["members"]]
    history = [_write_event(event) for event in reversed(branch["history"])]
    return write_page(
        f"Against {title}",
        element("h1", f"Against {title}"),
        *_write_state(branch),
        element("h2", "Notes that speak for it"),
        bullets(members),
        element("h2", "History"),
        bullets(history, klass="story"),
        here="/branches",
    )


def _name(place: "EntryPlace") -> str:
    return place["title"] or place["id"] or "a page that is gone"


def _write_branch(branch: "BranchResult") -> Html:
    heading = link(
        f"Against {_name(branch['incumbent'])}", f"/branches/{branch['name']}"
    )
    return element("li", element("h2", heading), *_write_state(branch))


def _write_state(branch: "BranchResult") -> list[Html]:
    parts = []
    incumbent = branch["incumbent"]
    if incumbent["id"] is not None:
        against = link_page(incumbent["id"], incumbent["title"])
        state = f"{_STATES[branch['state']]} since {day_of(branch['opened'])}"
        about = join([f"{state}, against ", against])
        parts.append(element("p", about, klass="soft"))
    if branch["statement"] is not None:
        words = branch["statement"]["words"] or ""
        parts.append(element("blockquote", words))
    if branch["why"]:
        parts.append(element("p", branch["why"]))
    pressure, threshold = branch["pressure"], branch["threshold"]
    if pressure is not None and threshold:
        said = f"Pressure {pressure:.2f} of {threshold:.2f} needed"
        meter = _write_meter(pressure, threshold, said)
        parts.append(element("p", meter, f" {said}", klass="soft"))
    return parts


def _write_meter(value: float, most: float, said: str) -> Html:
    """Return a bar that shows *value* of *most*."""
    return element(
        "meter",
        min="0",
        max=f"{most:.3f}",
        value=f"{min(value, most):.3f}",
        aria_label=said,
    )


def _write_member(member: "MemberResult") -> Html:
    told = ", ".join([*member["sources"], *member["agents"]])
    times = f"told {member['tellings']} times" if member["tellings"] > 1 else ""
    about = " · ".join(part for part in (told, times) if part)
    words = link_page(member["capture"], member["text"])
    return join([words, void("br"), element("span", about, klass="soft")])


def _write_event(event: "BranchEvent") -> Html:
    undone = " (taken back)" if event["undone"] else ""
    return join(
        [
            element("span", minute_of(event["time"]), klass="day"),
            f" {event['event']}{undone}",
            element("p", without_numbers(event["reason"]), klass="soft"),
        ]
    )
