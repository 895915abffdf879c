"""Two machines, one new name: the page of the later run becomes `<slug>-2` (design: "Decisions").

Obsidian links by basename, so two pages of one basename would make every link to them a guess. Only
pages that companion named itself are renamed, once, and only while nobody has moved them.
"""

import posixpath
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

from companion.pages import slug
from companion.pages.links import key as link_key

VERSION = "namesakes-1"


class Namesake(NamedTuple):
    """A page that companion made and that shares its basename with another such page."""

    entry: str
    path: str
    blob: str
    # (time, run) of the run that made it: every machine orders them alike
    made: tuple[str, str]
    movable: bool  # never renamed before, and at rest tonight


class Move(NamedTuple):
    """A page's new name."""

    entry: str
    path: str
    to: str
    blob: str
    reason: str


def plan(found: Iterable[Namesake], taken: Callable[[str], bool]) -> list[Move]:
    """Return what must be renamed so that every basename is one page's; *taken* is asked with
    folded basenames.
    """
    moves: list[Move] = []
    claimed: set[str] = set()
    ordered = sorted(
        found, key=lambda page: (link_key(page.path), page.made, page.entry)
    )
    for _, pages in groupby(ordered, key=lambda page: link_key(page.path)):
        first, *later = pages
        for page in later:
            if page.movable:
                folder, name = posixpath.split(page.path)
                stem = slug.find_free(
                    name.removesuffix(".md"),
                    lambda key: key in claimed or taken(key),
                )
                claimed.add(link_key(stem))
                reason = f"{first.path}, made by the earlier run {first.made[1]}, has the same name"
                moves.append(
                    Move(
                        page.entry,
                        page.path,
                        posixpath.join(folder, stem + ".md"),
                        page.blob,
                        reason,
                    )
                )
    return moves


def events(moves: Iterable[Move]) -> list[dict[str, str]]:
    """Return the ledger's lines for the moves."""
    return [
        {
            "e": "renamed",
            "entry": it.entry,
            "from": it.path,
            "path": it.to,
            "blob": it.blob,
            "reason": it.reason,
        }
        for it in moves
    ]
