"""Two machines, one new name: the page of the later run becomes `<Name> (2)`.

Obsidian links by basename, so two pages of one basename would make every link to them a guess. Only
pages that companion named itself are renamed, once, and only while nobody has moved them.
"""

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from companion.adoption import work_tree
from companion.pages import links
from companion.pages.names import file_name
from companion.runs.run import Run
from companion.storage.git.repo import Repo
from companion.storage.index.tables.pages.entries import list_namesakes
from companion.values.decisions import Write
from companion.values.events import LedgerLine

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


def collect_moves(
    run: Run, resting: Collection[str], touched: Collection[str]
) -> list[Move]:
    """Return the new names of pages that share one name.

    Paths in *resting* and entries in *touched* stay as they are this night.
    """
    pages = list_namesakes(run.db)
    if not pages:
        return []
    excluded = run.excluded_paths(sorted({page.path for page in pages}))
    busy = {*resting, *excluded}
    namesakes = []
    for page in pages:
        at_rest = page.path not in busy and page.id not in touched
        movable = at_rest and not page.renamed
        made = (page.time, page.run)
        namesakes.append(Namesake(page.id, page.path, page.blob, made, movable))
    folders = {os.path.dirname(page.path) for page in pages}
    used = work_tree.list_names_on_disk(run, folders)
    used |= {links.key(path) for path in busy}
    names = work_tree.Basenames(run, used)
    return plan_moves(namesakes, names.__contains__)


def plan_moves(
    namesakes: Iterable[Namesake], taken: Callable[[str], bool]
) -> list[Move]:
    """Return what must be renamed so that every basename is one page's.

    *taken* is asked with folded basenames. Pure.
    """
    moves: list[Move] = []
    claimed: set[str] = set()
    ordered = sorted(
        namesakes,
        key=lambda page: (links.key(page.path), page.made, page.entry),
    )
    for _, pages in groupby(ordered, key=lambda page: links.key(page.path)):
        first, *later = pages
        for page in later:
            if page.movable:
                folder, name = posixpath.split(page.path)
                stem = file_name.find_free(
                    name.removesuffix(".md"),
                    lambda key: key in claimed or taken(key),
                )
                claimed.add(links.key(stem))
                to = posixpath.join(folder, stem + ".md")
                reason = (
                    f"{first.path}, made by the earlier run {first.made[1]}, "
                    "has the same name"
                )
                moves.append(Move(page.entry, page.path, to, page.blob, reason))
    return moves


def make_move_lines(moves: Iterable[Move]) -> list[LedgerLine]:
    """Return the ledger's lines for *moves*."""
    lines: list[LedgerLine] = []
    for move in moves:
        lines.append(
            {
                "e": "renamed",
                "entry": move.entry,
                "from": move.path,
                "path": move.to,
                "blob": move.blob,
                "reason": move.reason,
            }
        )
    return lines


def write_moves(repo: Repo, moves: Sequence[Move]) -> list[Write]:
    """Return the files that move the pages of *moves*."""
    writes = []
    for move in moves:
        writes.append(Write(move.path, None))
        writes.append(Write(move.to, repo.blob(move.blob)))
    return writes


def describe_moves(moves: Sequence[Move]) -> list[str]:
    """Return a note for the person on each move."""
    return [f"{move.path} is now {move.to}: {move.reason}" for move in moves]
