"""Move pages that two machines gave one name: look them up, and write the moves."""

import os
from collections.abc import Collection, Sequence

from companion.adoption import work_tree
from companion.operations.consolidate import same_names
from companion.operations.consolidate.same_names import Move, Namesake
from companion.pages import links
from companion.runs.run import Run
from companion.storage.git.repo import Repo
from companion.storage.index.tables.entries import list_namesakes
from companion.values.decisions import Write


def plan_moves(
    run: Run, resting: Collection[str], touched: Collection[str]
) -> list[Move]:
    """Return the new names of pages that share one name.

    Paths in *resting* and entries in *touched* stay as they are this night.
    """
    pages = list_namesakes(run.db)
    if not pages:
        return []
    busy = {
        *resting,
        *run.excluded_paths(sorted({page.path for page in pages})),
    }
    namesakes = []
    for page in pages:
        movable = (
            not page.renamed
            and page.path not in busy
            and page.id not in touched
        )
        namesakes.append(
            Namesake(
                page.id, page.path, page.blob, (page.time, page.run), movable
            )
        )
    on_disk = work_tree.list_names_on_disk(
        run, {os.path.dirname(page.path) for page in pages}
    )
    names = work_tree.Basenames(
        run, on_disk | {links.key(path) for path in busy}
    )
    return same_names.plan(namesakes, names.__contains__)


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
