"""`rename --to-titles`: give pages named by slugs the names that people link to, as one run."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.adoption.work_tree import list_names_on_disk
from companion.pages import links
from companion.pages.names.file_name import find_free, make_file_name
from companion.pages.names.slug import slugify
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.index.tables.pages.links import list_links_between
from companion.storage.index.tables.pages.names import (
    FiledPage,
    list_file_names,
    list_managed_pages,
)
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.progress import Progress, count
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import RenameResult

VERSION = "titles-1"
_REASON = "renamed to its title, as people link to it"
# pages that a commit message names
_LISTED = 20
# pages that the reason of a page that stays names
_NAMED = 3


class Rename(NamedTuple):
    """A page and its new path."""

    page: FiledPage
    to: str


def rename_to_titles(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> "RenameResult":
    """Rename pages that companion named by a slug to their titles, or show what would be renamed.

    A page that any page links by its file name keeps it: the words of people are never changed.
    So does a page whose owner has renamed it, and one that differs in case only: editors resolve
    links in any case. Raises Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws, "rename", lambda run: _rename(run, dry_run=dry_run), progress
    )


def plan_renames(
    pages: Iterable[FiledPage], is_taken: Callable[[str], bool]
) -> list[Rename]:
    """Return the new paths of those of *pages* that bear the slug of their title, by path. Pure.

    *is_taken* is asked with folded basenames.
    """
    claimed: set[str] = set()

    def is_used(key: str) -> bool:
        return key in claimed or is_taken(key)

    renames = []
    for page in sorted(pages, key=lambda page: page.path):
        folder, name = posixpath.split(page.path)
        name = name.removesuffix(".md")
        wanted = make_file_name(page.title)
        if links.fold(wanted) == links.fold(name):
            continue
        if not is_slug_of(name, page.title):
            continue
        free = find_free(wanted, is_used)
        claimed.add(links.fold(free))
        renames.append(Rename(page, posixpath.join(folder, f"{free}.md")))
    return renames


def is_slug_of(name: str, title: str) -> bool:
    """Tell whether companion made the file name *name* of *title*, maybe with a number."""
    slug = slugify(title)
    if name == slug:
        return True
    numbered = re.fullmatch(r"(.+)-[0-9]+", name)
    # a long slug was cut for its number
    return numbered is not None and (
        numbered[1] == slug
        or (len(name.encode()) > 70 and slug.startswith(numbered[1]))
    )


def _rename(run: Run, *, dry_run: bool) -> "RenameResult":
    run.progress.begin("looking at the names of pages")
    pages = list_managed_pages(run.db)
    folders = {posixpath.dirname(page.path) for page in pages}
    used = list_file_names(run.db) | list_names_on_disk(run, folders)
    wanted = plan_renames(pages, used.__contains__)
    left_out = _find_obstacles(run, wanted)
    renames = [each for each in wanted if each.page.path not in left_out]
    result: RenameResult = {
        "run": None,
        "commit": None,
        "renamed": [
            {"entry": page.id, "from": page.path, "path": to}
            for page, to in renames
        ],
        "left_out": [
            {"path": path, "reason": left_out[path]}
            for path in sorted(left_out)
        ],
        "notes": list(run.notes),
        "dry_run": dry_run,
    }
    if renames and not dry_run:
        result["run"], result["commit"] = _publish(run, renames, left_out)
    return result


def _find_obstacles(run: Run, renames: Sequence[Rename]) -> dict[str, str]:
    """Return why pages keep their names, by path."""
    paths = [each.page.path for each in renames]
    obstacles = run.excluded_paths(paths)
    for path, sources in _group_links(run, paths).items():
        names = ", ".join(sources[:_NAMED])
        if len(sources) > _NAMED:
            names += f" and {len(sources) - _NAMED} more"
        obstacles.setdefault(path, f"linked by its file name in {names}")
    return obstacles


def _group_links(run: Run, paths: Collection[str]) -> dict[str, list[str]]:
    """Return the pages that link to each of *paths* by file name."""
    sources: dict[str, list[str]] = defaultdict(list)
    wanted = set(paths)
    for source, _, key, path in list_links_between(run.db):
        if path is None or path not in wanted or key != links.key(path):
            continue
        if source not in sources[path]:
            sources[path].append(source)
    return sources


def _publish(
    run: Run, renames: Sequence[Rename], left_out: Mapping[str, str]
) -> tuple[str, str]:
    lines: list[LedgerLine] = []
    writes: list[Write] = []
    for page, to in count(run.progress, "renaming pages", renames):
        lines.append(
            {
                "e": "renamed",
                "entry": page.id,
                "from": page.path,
                "path": to,
                "blob": page.blob,
                "reason": _REASON,
            }
        )
        writes.append(Write(page.path, None))
        writes.append(Write(to, run.repo.blob(page.blob)))
    run.progress.begin("writing the pages")
    inputs = make_inputs(run, left_out, {"rename": VERSION})
    record = ledger_file.make_run("rename", run.moment(), inputs, lines)
    body = "\n".join(f"{page.path} → {to}" for page, to in renames[:_LISTED])
    subject = f"rename: {len(renames)} pages to their titles"
    commit = run.publish(record, writes, subject, body)
    run.refold()
    return record.id, commit
