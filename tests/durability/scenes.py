"""Wikis in which a command is about to go wrong: what the crash tests and the race tests start
from.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from tests.durability.scenes_gathered import (
    KEYS,
    astray,
    begins,
    begins_series,
    begun,
    boiler_stands_once,
    both_wrote,
    capture_of,
    day_stands_once,
    keys_stand_with_anna,
    named_by_slugs,
    pages_bear_their_titles,
    stand_on_their_days,
    weight_stands_once,
)
from tests.durability.scenes_sources import (
    originals_are_whole,
    sources_are_cold,
    sources_kept,
    sources_waiting,
)
from tests.durability.scenes_use import (
    audited_once,
    condemned,
    fading,
    is_archived,
    is_whole,
    nothing_is_lost,
    shortened,
    used,
    used_once,
)
from tests.living import KILLED, Living

SECOND_THOUGHT = "A second thought about the ferry timetable"
LATE = "And the crane is to be painted."
ELSEWHERE = "Told on another machine"
MANY = "".join(f"Line {n} of a long import\n" for n in range(70)).encode()
NOTES = {
    "Garden.md": "# Garden\n\nTomatoes want sun. See [[Ferry]].\n",
    "deep/Ferry.md": "---\ntags: [travel]\n---\nThe ferry leaves at seven.\r\nDon't be late.\r\n",
    "unsaved.txt": "not a page\n",
}


class Scene(NamedTuple):
    """A wiki, and a command that is about to go wrong in it.

    The fault harness sweeps every scene there is: a new operation joins by a scene of its own.
    """

    build: Callable[[Path], Living]
    # "{run}" stands for the newest run, "{nth}" for how often a command has been tried
    argv: tuple[str, ...]
    stdin: bytes = b""
    commits: int = 1  # that the command makes when nothing goes wrong
    again: tuple[str, ...] = ()  # the next command, when it is not the same one
    ends: tuple[int, ...] = (0,)  # how that one may end
    words: tuple[str, ...] = ()  # which a page must hold in the end
    takes_back: bool = False  # may remove words that companion wrote
    # what else must hold in the end
    proves: Callable[[Living], None] = lambda wiki: None

    def words_in(self, wiki: Living, nth: int = 0) -> tuple[str, ...]:
        """Return the words of the command, or of the *nth* one after it, as they are in *wiki*."""
        words = (self.again or self.argv) if nth else self.argv
        run = (
            wiki.git(
                "log", "-1", "--format=%(trailers:key=Companion-Run,valueonly)"
            )
            if "{run}" in words
            else ""
        )
        return tuple(word.format(run=run, nth=nth) for word in words)


def harbour(wiki: Living) -> str:
    """Return the path of the managed page: its folder follows the clock."""
    (found,) = (wiki.root / "entries").rglob("Harbour.md")
    return str(found.relative_to(wiki.root))


def _wiki(root: Path) -> Living:
    """A wiki with a person's pages, a managed page, and something of everything that must not be
    touched.
    """
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


def _founded(root: Path) -> Living:
    """Enough pages rest on one to protect it."""
    wiki = _wiki(root)
    for n in range(12):
        wiki.write(
            f"rests/Boat {n}.md", f"# Boat {n}\n\nIt lies in the [[Harbour]].\n"
        )
    wiki.doc("adopt")
    return wiki


def _with_a_note(wiki: Living) -> Living:
    wiki.ingest(SECOND_THOUGHT)
    return wiki


def _asked(root: Path) -> Living:
    wiki = _wiki(root)
    wiki.doc("search", "harbour")
    return wiki


def _said_once(wiki: Living) -> None:
    """However often the same is said of one answer, it is one word; and nobody asked more than
    once.
    """
    wiki.ingest("Whatever rides along.")
    wiki.doc("consolidate")
    use = wiki.doc("show", "Harbour")["usage"]
    assert use["accesses"] == 1 and "good 1, bad 0" in use["reason"], use


_AGAINST = (
    ("post mortem", 9, "The message queue does not deliver every event exactly once."),
    ("mary", 7, "After the failover forty events had come in twice: the message queue does not "
     "deliver every event once."),
    ("vendor", 3, "Measured over a week: the message queue doesn't deliver every event exactly once "
     "when a consumer restarts."),
)  # fmt: skip


def _pressed(root: Path, nights: int) -> Living:
    """So many nights have heard one contradiction each of a page on which much rests; another one
    waits.
    """
    wiki = _wiki(root)
    wiki.ingest(
        "The message queue delivers every event exactly once.",
        title="Message queue",
    )
    for n in range(8):
        wiki.ingest(
            f"Service {n} relies on the [[Message queue]] and on nothing else.",
            title=f"Service {n}",
        )
    wiki.doc("consolidate")
    wiki.doc("decay")
    for n, (source, days, text) in enumerate(_AGAINST[: nights + 1]):
        if n:
            wiki.doc("consolidate")
        when = datetime.now(UTC) - timedelta(days=days)
        wiki.doc(
            "ingest", text, "--source", source, "--event-time", when.isoformat()
        )
    return wiki


def _refs_follow(wiki: Living, state: str) -> None:
    """Every branch has its ref, at the commit that changed it last, and is in the state it should
    be.
    """
    wiki.doc("consolidate")  # whoever holds the lock next mends the refs
    (branch,) = wiki.doc("branches")["branches"]
    tip = wiki.git("rev-parse", branch["ref"])
    assert (branch["state"], branch["commit"]) == (state, tip)
    wiki.git("merge-base", "--is-ancestor", tip, "HEAD")


def _night(root: Path) -> Living:
    """The newest run has grown a page and made one."""
    wiki = _grow(root)
    wiki.doc("consolidate")
    return wiki


def _late(root: Path) -> Living:
    """An editor that held a page open wrote into the file which a night had replaced."""
    wiki = _night(root)
    (kept,) = (
        file
        for file in (wiki.state / "kept").iterdir()
        if file.name.endswith("Harbour.md")
    )
    with kept.open("a") as file:
        file.write(LATE + "\n")
    return wiki


def _remote(root: Path) -> Living:
    """Another machine's notes are on a remote, ours are not yet."""
    other = _wiki(root.parent / "other")
    other.git("init", "--quiet", "--bare", "../remote.git")
    for wiki in (other, _grow(root)):
        wiki.doc("remote", "add", "origin", "../remote.git")
        # a copy has a remote of its own
        wiki.git("config", "remote.origin.url", "../remote.git")
    other.ingest(ELSEWHERE)
    other.doc("remote", "sync")
    return Living(root)


def _both_have_all(wiki: Living) -> None:
    """What the remote holds is what we hold, and no capture is missing there."""
    held = wiki.git("ls-tree", "-r", "--name-only", "refs/companion/buffer")
    assert (
        wiki.git(
            "-C",
            "../remote.git",
            "ls-tree",
            "-r",
            "--name-only",
            "refs/companion/buffer",
        )
        == held
    )
    assert [id for id in wiki.captures() if id not in held] == []
    assert ELSEWHERE in [
        content.decode()
        for (content,) in wiki.journal("SELECT content FROM captures")
        if content
    ]


def _export_is_whole_or_none(wiki: Living) -> None:
    """What has a manifest is an export to the last byte; what has none is refused."""
    for out in sorted(wiki.root.parent.glob("out*")):
        done = wiki.run("-C", f"../back-{out.name}", "import", f"../{out.name}")
        expected = 0 if (out / "manifest.json").exists() else 65
        assert done.returncode == expected, (out.name, done.stdout, done.stderr)


def _exported(root: Path) -> Living:
    """An export, and an empty folder to import it into."""
    _grow(root.parent / "source").doc("export", "../out")
    root.mkdir()
    return Living(root)


def _is_what_was_exported(wiki: Living) -> None:
    assert wiki.git("rev-parse", "HEAD:") == Living(
        wiki.root.parent / "source"
    ).git("rev-parse", "HEAD:")


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
    root.mkdir(parents=True)
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
    "stream": Scene(
        _wiki, ("triage", "-"), b"one line\nand another\n", commits=0
    ),
    "take sources in": Scene(
        sources_waiting,
        ("ingest", "../in"),
        commits=0,
        proves=originals_are_whole,
    ),
    "read sources": Scene(
        sources_kept, ("contextualize",), proves=sources_are_cold
    ),
    "create": Scene(_create, ("consolidate",), words=(SECOND_THOUGHT,)),
    "grow": Scene(
        _grow, ("consolidate",), words=("closes at nine", SECOND_THOUGHT)
    ),
    "begin a page": Scene(
        begins, ("consolidate",), takes_back=True, proves=boiler_stands_once
    ),
    "begin a series": Scene(
        begins_series,
        ("consolidate",),
        takes_back=True,
        proves=weight_stands_once,
    ),
    "belongs": Scene(
        astray,
        ("review", "belongs", capture_of(KEYS), "Anna"),
        ends=(0, 65),
        takes_back=True,
        proves=keys_stand_with_anna,
    ),
    "undo a begun page": Scene(
        begun, ("undo", "{run}"), takes_back=True, proves=stand_on_their_days
    ),
    "rename": Scene(
        named_by_slugs,
        ("rename", "--to-titles"),
        takes_back=True,  # the old paths are gone
        proves=pages_bear_their_titles,
    ),
    "merge": Scene(
        both_wrote, ("consolidate",), takes_back=True, proves=day_stands_once
    ),
    "late words": Scene(_late, ("consolidate",), words=(LATE,)),
    "decay": Scene(_founded, ("decay",)),
    "fade": Scene(fading, ("decay",), takes_back=True, proves=nothing_is_lost),
    "feedback": Scene(
        _asked, ("feedback", "good"), commits=0, proves=_said_once
    ),
    "use rides": Scene(
        lambda root: _with_a_note(used(root)),
        ("consolidate",),
        words=(SECOND_THOUGHT,),
        proves=used_once,
    ),
    "audit": Scene(
        used, ("audit", "--top", "1"), commits=2, proves=audited_once
    ),
    "settle": Scene(
        condemned, ("settle",), takes_back=True, proves=is_archived
    ),
    "recall what is short": Scene(
        shortened,
        ("recall", "South", "--restore"),
        ends=(0, 1),
        takes_back=True,
        proves=lambda wiki: is_whole(wiki, "South"),
    ),
    "recall what is archived": Scene(
        shortened,
        ("recall", "North", "--restore"),
        ends=(0, 1),
        proves=lambda wiki: is_whole(wiki, "North"),
    ),
    "open a branch": Scene(
        lambda root: _pressed(root, 0),
        ("consolidate",),
        proves=lambda wiki: _refs_follow(wiki, "open"),
    ),
    "grow a branch": Scene(
        lambda root: _pressed(root, 1),
        ("consolidate",),
        proves=lambda wiki: _refs_follow(wiki, "open"),
    ),
    "promote a branch": Scene(
        lambda root: _pressed(root, 2),
        ("consolidate",),
        words=("when a consumer restarts",),
        proves=lambda wiki: _refs_follow(wiki, "promoted"),
    ),
    "adopt": Scene(_edited, ("adopt",)),
    "record a revert": Scene(_reverted, ("adopt",)),
    "undo": Scene(_night, ("undo", "{run}"), takes_back=True),
    "init vault": Scene(_vault, ("init", ".")),
    "init repository": Scene(_repository, ("init", ".")),
    "rebuild": Scene(_grow, ("rebuild",), commits=0),
    "remote add": Scene(
        _remote,
        ("remote", "add", "backup", "ssh://example.org/notes.git"),
        commits=0,
    ),
    "remote sync": Scene(
        _remote, ("remote", "sync"), commits=0, proves=_both_have_all
    ),
    "export": Scene(
        _grow,
        ("export", "../out"),
        commits=0,
        again=("export", "../out{nth}"),
        proves=_export_is_whole_or_none,
    ),
    "import": Scene(
        _exported,
        ("import", "../out"),
        ends=(0, 2),
        proves=_is_what_was_exported,
    ),
    "recover": Scene(
        _half_grown, ("consolidate",), words=("closes at nine", SECOND_THOUGHT)
    ),
    "recover by a read": Scene(
        _half_grown, ("search", "harbour"), again=("consolidate",)
    ),
    "recover the index": Scene(
        lambda root: _killed_night(root, "publish.index:after:kill"),
        ("consolidate",),
    ),
    "recover forward": Scene(
        lambda root: _killed_night(root, "publish.ref:after:kill"),
        ("consolidate",),
        commits=0,
    ),
}

RECORD = """
import json, sys
from companion.storage.files import durable
seen = []
durable.hooks.append(lambda name, stage: seen.append((name, stage)))
from companion.__main__ import main
code = main(sys.argv[2:])
open(sys.argv[1], "w").write(json.dumps([code, seen]))
"""


class Stage:
    """Builds each scene once, and hands out copies and the list of the faults it passes."""

    def __init__(
        self, folder: Path, built: dict[str, Living] | None = None
    ) -> None:
        self.folder = folder
        self.built: dict[str, Living] = built or {}
        self.serial = 0

    def build(self, name: str) -> Living:
        """Return the scene itself; nobody may work in it."""
        if name not in self.built:
            self.built[name] = SCENES[name].build(
                self.folder / name.replace(" ", "-") / "wiki"
            )
        return self.built[name]

    def fresh(self, name: str) -> Living:
        self.build(name)
        self.serial += 1
        built, copy = self.built[name], self.folder / str(self.serial)
        shutil.copytree(built.root.parent, copy, symlinks=True)
        return type(built)(copy / built.root.name)

    def passages(self, name: str) -> list[str]:
        """Return every ``point@n:stage`` that the scene's command passes, in order."""
        wiki, scene = self.fresh(name), SCENES[name]
        told = wiki.root.parent / "told.json"
        command = [
            sys.executable,
            "-c",
            RECORD,
            str(told),
            *scene.words_in(wiki),
        ]
        done = subprocess.run(
            command,
            cwd=wiki.root,
            env=wiki.env,
            input=scene.stdin,
            capture_output=True,
        )
        assert told.exists(), done.stderr
        code, seen = json.loads(told.read_text())
        assert code == 0, done.stderr
        count: Counter[str] = Counter()
        found = []
        for point, stage in seen:
            count[point, stage] += 1
            found.append(f"{point}@{count[point, stage]}:{stage}")
        return found
