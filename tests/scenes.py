"""Wikis in which a command is about to go wrong: what the crash tests and the race tests start from."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.living import KILLED, Living

SECOND_THOUGHT = "A second thought about the ferry timetable"
MANY = "".join(f"Line {n} of a long import\n" for n in range(70)).encode()
NOTES = {
    "Garden.md": "# Garden\n\nTomatoes want sun. See [[Ferry]].\n",
    "deep/Ferry.md": "---\ntags: [travel]\n---\nThe ferry leaves at seven.\r\nDon't be late.\r\n",
    "unsaved.txt": "not a page\n",
}


class Scene(NamedTuple):
    """A wiki, and a command that is about to go wrong in it."""

    build: Callable[[Path], Living]
    argv: tuple[str, ...]
    stdin: bytes = b""
    commits: int = 1  # that the command makes when nothing goes wrong
    again: tuple[str, ...] = ()  # the next command, when it is not the same one


def harbour(wiki: Living) -> str:
    """Return the path of the managed page: its folder follows the clock."""
    (found,) = (wiki.root / "entries").rglob("harbour.md")
    return str(found.relative_to(wiki.root))


def _wiki(root: Path) -> Living:
    """A wiki with a person's pages, a managed page, and something of everything that must not be touched."""
    wiki = Living(root)
    for path, text in NOTES.items():
        wiki.write(path, text)
    wiki.doc("init", ".")
    wiki.ingest("The harbour opens at six.", title="Harbour")
    wiki.doc("consolidate")
    wiki.write("staged.md", "# Staged\n\nnot yet\n")
    wiki.git("add", "staged.md")
    return wiki


def _create(root: Path) -> Living:
    wiki = _wiki(root)
    wiki.ingest("A first thought about sourdough", SECOND_THOUGHT)
    return wiki


def _grow(root: Path) -> Living:
    wiki = _wiki(root)
    wiki.ingest("It closes at nine in winter.", title="Harbour")
    wiki.ingest(SECOND_THOUGHT)
    return wiki


def _edited(root: Path) -> Living:
    wiki = _wiki(root)
    wiki.append("Garden.md", "Beans too.")
    wiki.append(harbour(wiki), "My own line about the harbour.")
    (wiki.root / "deep/Ferry.md").unlink()
    wiki.write("new/Kitchen.md", "# Kitchen\n")
    return wiki


def _vault(root: Path) -> Living:
    wiki = Living(root)
    for path, text in NOTES.items():
        wiki.write(path, text)
    return wiki


def _repository(root: Path) -> Living:
    wiki = _vault(root)
    wiki.git("init", "--quiet", "--initial-branch=trunk")
    wiki.git("add", ".")
    wiki.git("commit", "--quiet", "-m", "mine")
    wiki.append("Garden.md", "Not committed.")
    return wiki


def _reverted(root: Path) -> Living:
    """A person took a night back with their own git."""
    wiki = Living(root)
    wiki.doc("init", ".")
    wiki.ingest("The harbour opens at six.", title="Harbour")
    wiki.doc("consolidate")
    wiki.git("revert", "--no-edit", "HEAD")
    return wiki


def _half_grown(root: Path) -> Living:
    """A night that grows a page was killed with its files in place."""
    return _killed_night(root, "publish.files:after:kill")


def _killed_night(root: Path, fault: str) -> Living:
    wiki = _grow(root)
    assert wiki.run("consolidate", fault=fault).returncode == KILLED
    return wiki


SCENES = {
    "ingest one": Scene(_wiki, ("ingest", SECOND_THOUGHT), commits=0),
    "ingest bulk": Scene(_wiki, ("ingest", "--lines", "-"), MANY, commits=0),
    "stream": Scene(_wiki, ("triage", "-"), b"one line\nand another\n", commits=0),
    "create": Scene(_create, ("consolidate",)),
    "grow": Scene(_grow, ("consolidate",)),
    "adopt": Scene(_edited, ("adopt",)),
    "record a revert": Scene(_reverted, ("adopt",)),
    "init vault": Scene(_vault, ("init", ".")),
    "init repository": Scene(_repository, ("init", ".")),
    "recover": Scene(_half_grown, ("consolidate",)),
    "recover by a read": Scene(_half_grown, ("search", "harbour"), again=("consolidate",)),
    "recover the index": Scene(lambda root: _killed_night(root, "publish.index:after:kill"), ("consolidate",)),
    "recover forward": Scene(lambda root: _killed_night(root, "publish.ref:after:kill"), ("consolidate",), commits=0),
}

RECORD = """
import json, sys
from companion.store import durable
seen = []
durable.hooks.append(lambda name, stage: seen.append((name, stage)))
from companion.__main__ import main
code = main(sys.argv[2:])
open(sys.argv[1], "w").write(json.dumps([code, seen]))
"""


class Stage:
    """Builds each scene once, and hands out copies and the list of the faults it passes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.built: dict[str, Living] = {}
        self.serial = 0

    def fresh(self, name: str) -> Living:
        if name not in self.built:
            self.built[name] = SCENES[name].build(self.folder / name.replace(" ", "-") / "wiki")
        self.serial += 1
        return self.built[name].copy(self.folder / str(self.serial) / "wiki")

    def passages(self, name: str) -> list[str]:
        """Return every ``point@n:stage`` that the scene's command passes, in order."""
        wiki, scene = self.fresh(name), SCENES[name]
        told = wiki.root.parent / "told.json"
        command = [sys.executable, "-c", RECORD, str(told), *scene.argv]
        done = subprocess.run(command, cwd=wiki.root, env=wiki.env, input=scene.stdin, capture_output=True)
        assert told.exists(), done.stderr
        code, seen = json.loads(told.read_text())
        assert code == 0, done.stderr
        count: Counter[str] = Counter()
        found = []
        for point, stage in seen:
            count[point, stage] += 1
            found.append(f"{point}@{count[point, stage]}:{stage}")
        return found
