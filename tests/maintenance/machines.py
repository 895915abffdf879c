"""Machines that exchange notes by a bare repository, and what a bad one may put there."""

import hashlib
import json
from pathlib import Path
from typing import Any

from companion.maintenance.remotes import remote as remotes
from companion.storage.git import capture_buffer
from companion.values.captures import Sighting
from tests.wiki import Wiki, git, person

TIME = "2026-11-01T08:00:00.000000Z"
DAY = TIME[:10]


def another(root: Path, hub: Path, like: Wiki) -> Wiki:
    git(root.parent, "clone", "-q", "-o", "hub", str(hub), str(root))
    person(root)
    wiki = Wiki(root, like.now)
    wiki.init()
    remotes.add(wiki.ws, "hub", str(hub))
    return wiki


def sync(wiki: Wiki) -> dict[str, Any]:
    wiki.tick()
    return remotes.sync(wiki.ws)


def buffer_of(root: Path) -> str:
    return git(
        root, "rev-parse", "--verify", "-q", capture_buffer.BUFFER, check=False
    ).strip()


def files_in(root: Path, ref: str = capture_buffer.BUFFER) -> set[str]:
    """Every file of a buffer by its content: names may change when trees unite, contents never."""
    return {
        line.split()[2] for line in git(root, "ls-tree", "-r", ref).splitlines()
    }


def told(wiki: Wiki) -> dict[str, set[Sighting]]:
    journal = wiki.journal()
    return {id: set(journal.sightings(id)) for id, _, _ in journal.ids()}


# -- a bad machine -----------------------------------------------------------------------------------

Tree = dict[str, "str | bytes | Tree"]  # a file's text, or a folder


def plant(hub: Path, tree: Tree, ref: str = capture_buffer.BUFFER) -> None:
    """Let the remote have *tree* for its buffer."""
    git(hub, "update-ref", ref, write_tree(hub, tree))


def write_tree(hub: Path, tree: Tree) -> str:
    """Write *tree* into the repository; return its id. A value of 40 digits is a tree already."""
    lines = []
    for name, value in tree.items():
        if isinstance(value, dict):
            lines.append(f"040000 tree {write_tree(hub, value)}\t{name}")
        elif name.endswith("/"):
            lines.append(f"040000 tree {value}\t{name[:-1]}")
        else:
            mode = "120000" if name.startswith("link") else "100644"
            lines.append(f"{mode} blob {write_blob(hub, value)}\t{name}")
    return git(hub, "mktree", stdin="\n".join(lines) + "\n").strip()


def write_blob(hub: Path, text: str | bytes) -> str:
    if isinstance(text, bytes):
        text = text.decode("latin-1")
    return git(hub, "hash-object", "-w", "--stdin", stdin=text).strip()


def name_of(text: str) -> str:
    """Return the id of the capture of *text*."""
    return hashlib.sha256(text.encode()).hexdigest()


def header(text: str, **fields: Any) -> str:
    """Return the telling of *text* as a buffer has it, with *fields* in the place of good ones."""
    content = text.encode()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    good = {
        "v": 1,
        "id": name_of(text),
        "blob": blob,
        "ingested_at": TIME,
        "channel": "cli",
        "priority": 0.5,
        "title": None,
        "edges": [],
        "sightings": [{"seen_at": TIME, "channel": "cli"}],
    }
    return json.dumps(good | fields)


def capture(text: str, day: str = DAY, **fields: Any) -> Tree:
    """Return the tree of a buffer with one capture."""
    id = name_of(text)
    files: Tree = {id: text, f"{id}.json": header(text, **fields)}
    return {day: {id[:2]: files}}


def both(one: Tree, other: Tree) -> Tree:
    """Return the union of two trees."""
    united = dict(one)
    for name, value in other.items():
        before = united.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            value = both(before, value)
        united[name] = value
    return united
