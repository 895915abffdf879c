"""The files, ledger lines and report that phase 4 contributes to a night."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.comparison.consistency import Page
from companion.comparison.pending import WikiContext
from companion.minority.contested.lost_pages import LostPage
from companion.pages import links
from companion.storage.git import objects
from companion.storage.index.tables.pages.entries import find_path
from companion.values.decisions import Write
from companion.values.events import LedgerLine

if TYPE_CHECKING:
    from companion.minority.results import (
        BranchDecision,
        Waiting,
    )

# a promotion is named by its branch, and not counted
_COUNTED = {"branched", "joined", "followed", "waits"}
_CHANGES = {
    "open": "opened",
    "grow": "grew",
    "promote": "won",
    "follow": "follows",
}


@dataclass
class Outcome:
    """The part of a night that phase 4 adds."""

    # captures that it dealt with: the other phases pass them over
    handled: set[str] = field(default_factory=set)
    lines: list[LedgerLine] = field(default_factory=list)
    # by path; None removes
    writes: dict[str, bytes | None] = field(default_factory=dict)
    joined: dict[str, str] = field(default_factory=dict)  # capture -> entry
    # verdicts that sent captures here
    decided: set[str] = field(default_factory=set)
    # (capture, why it waits)
    extended: list[tuple[str, str]] = field(default_factory=list)
    # members: what they state is no part of the wiki yet
    silent: set[str] = field(default_factory=set)
    report: "list[BranchDecision]" = field(default_factory=list)
    promoted: list[str] = field(default_factory=list)
    # pages that lost, and say so
    lost: list[LostPage] = field(default_factory=list)
    # tips of promoted branches
    parents: list[str] = field(default_factory=list)

    def reserve_names(self, wiki: WikiContext) -> WikiContext:
        """Return *wiki* with the names that phase 4 uses tonight taken, and the pages that
        it changes left alone.
        """
        names = {
            links.key(path)
            for path, content in self.writes.items()
            if content is not None
        }
        if not names:
            return wiki
        changed = {
            line["path"]: "changes tonight because a branch won"
            for line in self.list_events("promoted")
            if "statement" in line
        }
        taken = wiki.taken
        return replace(
            wiki,
            taken=lambda key: key in names or taken(key),
            blocked={**wiki.blocked, **changed},
        )

    def change_page(self, path: str, content: bytes) -> None:
        """Note what a page of the wiki holds after tonight, in its promotions too."""
        self.writes[path] = content
        for line in self.list_events("promoted"):
            if line["path"] == path:
                line["blob"] = objects.hash_blob(content)

    def list_writes(self) -> list[Write]:
        """Return the files to write or remove, by path."""
        return [
            Write(path, content)
            for path, content in sorted(self.writes.items())
        ]

    def list_events(self, event: str) -> list[LedgerLine]:
        """Return the ledger lines of one event."""
        return [line for line in self.lines if line["e"] == event]

    def count_events(self) -> Counter[str]:
        """Return how often each event happened that the subject of a commit counts."""
        events = Counter(line["e"] for line in self.lines)
        for event in events.keys() - _COUNTED:
            del events[event]
        return events

    def pages_by_capture(self) -> dict[str, Page]:
        """Return the page of each capture that joined a branch: the new entry's if it won."""
        won = {line["branch"]: line for line in self.list_events("promoted")}
        pages = {}
        for line in self.list_events("joined"):
            place = won.get(line["branch"], line)
            pages[line["capture"]] = Page(place["entry"], place["path"])
        return pages

    def list_replaced_pages(self, db: sqlite3.Connection) -> list[str]:
        """Return the pages of the incumbents that are replaced, or of which a statement is: their
        facts stay as they are.
        """
        replaced = self.list_events("decaying") + self.list_events("statement")
        paths = [find_path(db, line["entry"]) for line in replaced]
        return [path for path in paths if path is not None]

    def list_waiting(self) -> "list[Waiting]":
        """Return the captures that wait in the extended buffer, and why."""
        return [
            {"capture": capture, "reason": reason}
            for capture, reason in self.extended
        ]

    def count_report(self) -> dict[str, int]:
        """Return how many captures joined branches, and how many branches won; zeros are left
        out.
        """
        counts = {"branched": len(self.joined), "won": len(self.promoted)}
        return {name: count for name, count in counts.items() if count}

    def drop_silent(self, lines: Sequence[LedgerLine]) -> list[LedgerLine]:
        """Return the `claims` *lines* without those of members that were told again."""
        return [line for line in lines if line["capture"] not in self.silent]

    def list_trailers(self) -> list[str]:
        """Return the trailers of the night's commit."""
        return [f"Companion-Promotes: {name}" for name in self.promoted]

    def describe_changes(self) -> list[str]:
        """Return a sentence for the commit on each branch that changed."""
        sentences = []
        for decision in self.report:
            change = _CHANGES.get(decision["action"])
            if change is not None:
                branch = decision["branch"]
                reason = decision["reason"]
                sentences.append(f"minority/{branch} {change}: {reason}")
        return sentences
