"""`pin`, `unpin`, `myself`: what an owner says of a page in its frontmatter.

Each is a run in the person's name. Whoever writes the line by hand says the same.
"""

from typing import TYPE_CHECKING, NamedTuple

from companion.adoption.edit_events import make_edit_events
from companion.adoption.run import record_edits
from companion.errors import BadInput, CompanionError
from companion.lookup.find import find_target
from companion.lookup.index import current_index
from companion.operations.decay.rules import DECAY_RULES
from companion.operations.decay.stability import Version, measure_stability
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.pages.page import parse
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git import objects
from companion.storage.git.repo import Repo, TryLater
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.decay import (
    LivingEntry,
    find_living_entry,
    list_pins,
    list_self_descriptions,
)
from companion.storage.results import PinnedEntry
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        MyselfList,
        MyselfPage,
        MyselfResult,
        PinList,
        PinnedPage,
        PinResult,
        SelfDescription,
    )
    from companion.values.captures import Page
    from companion.values.results import Publication

#: events that change what a page says
_CHANGES = ("created", "grown", "registered", "edited", "renamed")
#: operations by which a person changes a page
_BY_HAND = frozenset(["adopt", "init", "myself", "pin", "recall"])


class CannotPin(BadInput):
    """The frontmatter of this page cannot be changed safely."""

    hint = "Write the line into it yourself, or repair it first."


class NotAPage(CompanionError):
    """Only pages can be marked or recalled."""

    exit_code = 2
    hint = (
        "`companion search` finds pages; a note becomes one with the next "
        "`companion consolidate`."
    )


class _Mark(NamedTuple):
    """A line of frontmatter, and the words of the run that writes or removes it."""

    operation: str
    key: str
    on: str
    off: str


_PIN = _Mark("pin", "pinned", "pinned", "unpinned")
_MYSELF = _Mark(
    "myself",
    "myself",
    "named a self-description",
    "no self-description any more",
)


def pin(ws: Workspace, target: str, *, pinned: bool = True) -> "PinResult":
    """Write `pinned: true` into the frontmatter of a page, or remove it, as a run of its owner.

    Raises NothingFound, Ambiguous, NotAPage, CannotPin, or TryLater where the page has changes that
    are not adopted.
    """

    def pin_once(run: Run) -> "PinResult":
        """Run one attempt."""
        entry, done = _mark(run, target, _PIN, on=pinned)
        document: PinnedPage = {
            "entry": entry.id,
            "title": entry.title,
            "path": entry.path,
            "pinned": pinned,
            "notes": list(run.notes),
        }
        return {**document, **done}

    return run_with_retries(ws, "pin", pin_once, None)


def pins(ws: Workspace) -> "PinList":
    """Return the pinned pages, by title; none before the first night."""
    db = current_index(ws, ws.journal())
    if db is None:
        return {"pins": []}
    return {"pins": list_pins(db)}


def name_myself(
    ws: Workspace, target: str, *, myself: bool = True
) -> "MyselfResult":
    """Write `myself: true` into the frontmatter of a page, or remove it, as a run of its owner
    (OBJ-6). Raises what `pin` raises.
    """

    def name_once(run: Run) -> "MyselfResult":
        """Run one attempt."""
        entry, done = _mark(run, target, _MYSELF, on=myself)
        document: MyselfPage = {
            "entry": entry.id,
            "title": entry.title,
            "path": entry.path,
            "myself": myself,
            "notes": list(run.notes),
        }
        return {**document, **done}

    return run_with_retries(ws, "myself", name_once, None)


def list_myself(ws: Workspace) -> "MyselfList":
    """Return the self-descriptions with how stable each was since it was named; none before the
    first night.
    """
    db = current_index(ws, ws.journal())
    if db is None:
        return {"pages": []}
    repo = Repo(ws.place)
    pages: list[SelfDescription] = []
    for found in list_self_descriptions(db):
        versions: list[Version] = []
        for event in list_entry_events(db, found["entry"], _CHANGES):
            page = _read_version(repo, event.data, found["path"])
            if page is not None and (versions or page.myself):
                by_hand = event.operation in _BY_HAND
                versions.append(Version(event.time, page.body, by_hand))
        pages.append(_describe(found, versions))
    return {"pages": pages}


def _read_version(repo: Repo, line: LedgerLine, path: str) -> "Page | None":
    """Return the page as an event of the ledger left it; None where git has it no more."""
    blob = line.get("blob")
    if not blob or not repo.has(blob):
        return None
    return parse(repo.text(blob), path)


def _describe(found: PinnedEntry, versions: list[Version]) -> "SelfDescription":
    stability = measure_stability(versions)
    return {
        **found,
        "since": stability.since,
        "stability": stability.share,
        "by_hand": stability.by_hand,
        "by_night": stability.by_night,
        "reason": stability.reason,
    }


def _mark(
    run: Run, target: str, mark: _Mark, *, on: bool
) -> "tuple[LivingEntry, Publication]":
    """Write or remove the line of *mark*; return the page, and the run that did it (if any)."""
    kind, id = find_target(run.ws, run.db, run.journal, target)
    entry = find_living_entry(run.db, id) if kind == "entry" else None
    if entry is None:
        raise NotAPage(f"{target} is not a page that could be archived")
    if getattr(parse(run.repo.text(entry.blob), entry.path), mark.key) == on:
        return entry, {"run": None, "commit": None}
    obstacle = run.excluded_paths([entry.path]).get(entry.path)
    if obstacle is not None:
        raise TryLater(
            f"{entry.path} {obstacle}",
            hint=f"Run `companion adopt` first, or write `{mark.key}: true` there yourself.",
        )
    if any(line["entry"] == id for line in make_edit_events(run)):
        record_edits(run, [], {}, "adopt")
        run.refold()
    content = _change_page(run, entry, mark.key, on=on)
    action = mark.on if on else mark.off
    line = {
        "e": "edited",
        "entry": id,
        "path": entry.path,
        "blob": objects.hash_blob(content),
        "reason": f"{action} by its owner",
    }
    write = Write(entry.path, content)
    subject = f"{action} {entry.path}"
    return entry, publish_own(run, mark.operation, [line], [write], subject)


def _change_page(run: Run, entry: LivingEntry, key: str, *, on: bool) -> bytes:
    """Return the page of *entry* with or without the line *key*. Raises CannotPin."""
    text = run.repo.text(entry.blob, exact=True)
    changed = set_frontmatter_keys(text, {key: "true" if on else None})
    if changed is None:
        raise CannotPin(
            f"{entry.path}: its frontmatter cannot be changed safely"
        )
    return changed.encode("utf-8", "surrogateescape")


def publish_own(
    run: Run,
    operation: str,
    lines: list[LedgerLine],
    writes: list[Write],
    subject: str,
) -> "Publication":
    """Publish a run of the owner, and fold it."""
    inputs = make_inputs(run, {}, DECAY_RULES)
    record = ledger_file.make_run(operation, run.moment(), inputs, lines)
    commit = run.publish(record, writes, f"{operation}: {subject}"[:200], "")
    run.refold()
    return {"run": record.id, "commit": commit}
