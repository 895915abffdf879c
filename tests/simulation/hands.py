"""What a world does by: companion's verbs, and the person's git between machines.

In most worlds the verbs run in the warm process of the world, and pages go from machine to machine
without git's four processes for it. In one world of `EVERY` nothing is spared: each verb is the
installed program in a process of its own, and so is each merge and each transport.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pygit2 import Commit, Repository, Tree

from companion.maintenance.remotes import remote as remotes
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.wiki import Wiki

#: one world in so many is lived by the installed program
EVERY = 50
PROGRAM = Path(sys.executable).with_name("companion")
MAIN = "refs/heads/main"
THEIRS = "refs/remotes/hub/main"

Document = dict[str, Any]


class Failed(Exception):
    """The installed program ended with an error."""


class Hands(NamedTuple):
    """How a world does what costs much."""

    tell: Callable[[Wiki, Sequence[Draft]], Document]
    sleep: Callable[[Wiki], Document]
    sync: Callable[[Wiki], Document]
    fetch: Callable[[Wiki, Path], None]
    push: Callable[[Wiki, Path], None]


def takes_program(seed: int) -> bool:
    """Tell whether the world of *seed* is lived by the installed program."""
    return seed % EVERY == 0


# -- the installed program -------------------------------------------------------------------------


def _tell(wiki: Wiki, drafts: Sequence[Draft]) -> Document:
    lines = []
    for draft in drafts:
        fields = {
            "text": draft.text,
            "source": draft.source,
            "scope": draft.scope,
            "agent": draft.agent,
        }
        given = {key: value for key, value in fields.items() if value}
        lines.append(json.dumps(given) + "\n")
    return _run(wiki, "ingest", "--jsonl", "-", stdin="".join(lines))


def _run(wiki: Wiki, *words: str, stdin: str = "") -> Document:
    """Run a verb of the installed program at the wiki's own idea of now."""
    done = subprocess.run(
        [str(PROGRAM), *words, "--json"],
        cwd=wiki.root,
        env={**os.environ, "COMPANION_NOW": format_instant(wiki.now)},
        input=stdin,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise Failed(f"{words} ended with {done.returncode}: {done.stdout}")
    document = json.loads(done.stdout)
    assert isinstance(document, dict)
    return document


def _fetch(wiki: Wiki, hub: Path) -> None:
    wiki.git("fetch", "-q", "hub")


def _push(wiki: Wiki, hub: Path) -> None:
    wiki.git("push", "-q", "hub", "HEAD:main")


INSTALLED = Hands(
    _tell,
    lambda wiki: _run(wiki, "consolidate"),
    lambda wiki: _run(wiki, "remote", "sync"),
    _fetch,
    _push,
)


# -- the warm process ------------------------------------------------------------------------------


def _fetch_here(wiki: Wiki, hub: Path) -> None:
    """Fetch as git does; where no notes are new, only pages come, and need no process."""
    ours, theirs = Repository(str(wiki.root)), Repository(str(hub))
    if _find_notes(theirs) - _find_notes(ours):
        _fetch(wiki, hub)
        return
    tip = str(theirs.references[MAIN].target)
    _copy_commits(theirs, ours, tip)
    ours.references.create(THEIRS, tip, force=True)


def _find_notes(repo: Repository) -> set[str]:
    """Return what the refs of notes, ours or a remote's, name."""
    return {
        str(repo.references[name].target)
        for name in repo.references
        if name.startswith("refs/companion/")
    }


def _push_here(wiki: Wiki, hub: Path) -> None:
    ours, theirs = Repository(str(wiki.root)), Repository(str(hub))
    tip, there = str(ours.head.target), str(theirs.references[MAIN].target)
    if there not in ours or not ours.descendant_of(tip, there):
        _push(wiki, hub)  # and git says what is wrong
    _copy_commits(ours, theirs, tip)
    theirs.references.create(MAIN, tip, force=True)
    ours.references.create(THEIRS, tip, force=True)


def _copy_commits(source: Repository, target: Repository, tip: str) -> None:
    """Copy what *target* lacks of a commit, one object a file, as git does with few."""
    seen: set[str] = set()
    left = [tip]
    while left:
        id = left.pop()
        if id in seen or (id in target and _is_tip(target, id)):
            continue
        seen.add(id)
        commit = source[id]
        assert isinstance(commit, Commit)
        left += map(str, commit.parent_ids)
        _copy_tree(source, target, str(commit.tree_id), seen)
        _copy(source, target, id)


def _is_tip(repo: Repository, id: str) -> bool:
    """Tell whether a branch of *repo* has the commit: then it has all of it."""
    tips = [
        str(repo.references[name].target)
        for name in (MAIN, THEIRS)
        if name in repo.references
    ]
    return any(id == tip or repo.descendant_of(tip, id) for tip in tips)


def _copy_tree(
    source: Repository, target: Repository, root: str, seen: set[str]
) -> None:
    left = [root]
    while left:
        id = left.pop()
        if id in seen:
            continue
        seen.add(id)
        each = source[id]
        if isinstance(each, Tree):
            left += [str(entry.id) for entry in each]
        _copy(source, target, id)


def _copy(source: Repository, target: Repository, id: str) -> None:
    if id not in target:
        target.odb.write(*source.odb.read(id))


WARM = Hands(
    lambda wiki, drafts: capture.ingest(wiki.ws, drafts),
    lambda wiki: night.consolidate(wiki.ws),
    lambda wiki: remotes.sync(wiki.ws),
    _fetch_here,
    _push_here,
)
