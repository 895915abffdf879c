"""Golden documents: what every verb prints with ``--json`` in the course of a few small wikis.

A life (`lives.py`) is a script that calls the installed program; `<life>.json` beside this file
holds what the program printed. Two things are compared, one after the other:

- the structure: keys, types, ids, numbers, words of an enumeration, order, exit codes. It must
  never change.
- the wording: text for people (reasons, hints, messages). It may be improved and written anew.

``python -m tests.cli.golden --write [LIFE...]`` writes new wording and refuses to write a changed
structure; ``--structure`` allows it, for a document that is meant to change.

Nothing here imports the program: its files may be moved and renamed, and the same documents must
come out.
"""

import json
import math
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import warm

GOLDEN = Path(__file__).resolve().parent

Json = Any  # what json.loads returns

TEXT = "TEXT"
SECONDS = 300  # that one call may take before it counts as hanging

# -- living --------------------------------------------------------------------------------------


class Life:
    """A home of its own, a clock that is moved by hand, and a record of every call."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.wiki = self.root / "wiki"
        self.now = "2026-03-01T08:00:00Z"
        self.calls: list[dict[str, Json]] = []
        self.environment = self._environment()
        for name in ("home", "tmp", "wiki"):
            (self.root / name).mkdir(parents=True)

    def _environment(self) -> dict[str, str]:
        ours = ("COMPANION_", "GIT_", "XDG_", "LC_", "LLM_", "PYTHON")
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(ours)
        }
        return {
            **kept,
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "tmp"),
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "LANGUAGE": "",
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "PYTHONHASHSEED": "0",
            "VISUAL": "",
            # so slow that nobody thinks it returned at once
            "EDITOR": "sh -c 'sleep 1.5'",
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
            "WSL_DISTRO_NAME": "",
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_CONFIG_NOSYSTEM": "1",
            "COMPANION_BODY": json.dumps({"on_mains": True, "load": 0.1}),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def at(self, when: str) -> None:
        """Move the clock, to a day (then it is eight o'clock) or to a minute."""
        self.now = f"{when}:00Z" if "T" in when else f"{when}T08:00:00Z"

    def call(
        self,
        *argv: str,
        stdin: str = "",
        folder: Path | None = None,
        record: bool = True,
    ) -> Json:
        """Call the program with --json, record what came of it, and return its document."""
        done = subprocess.run(
            [*warm.command(), "--json", *argv],
            cwd=folder or self.wiki,
            env={**self.environment, "COMPANION_NOW": self.now},
            input=stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        document = _document(
            done.stdout.decode(), lines=argv[:1] == ("triage",)
        )
        call = {
            "now": self.now,
            "argv": list(argv),
            "exit": done.returncode,
            "document": document,
        }
        if done.stderr:
            # with --json there should never be any
            call["stderr"] = done.stderr.decode()
        if record:
            self.calls.append(call)
        return document

    def git(self, *argv: str, folder: Path | None = None) -> str:
        """Run git as the person does, at this moment."""
        dates = {"GIT_AUTHOR_DATE": self.now, "GIT_COMMITTER_DATE": self.now}
        done = subprocess.run(
            ["git", *argv],
            cwd=folder or self.wiki,
            env={**self.environment, **dates},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
        return done.stdout

    def write(self, path: str, text: str) -> Path:
        """Write a file of the wiki by hand."""
        file = self.wiki / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def append(self, path: str, line: str) -> None:
        """Add a line to a file of the wiki by hand."""
        with (self.wiki / path).open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def commit(self, path: str, text: str, subject: str) -> None:
        """Write one file and commit it, whatever .gitignore says."""
        self.write(path, text)
        self.git("add", "--force", path)
        self.git("commit", "--quiet", "--message", subject)


def _document(printed: str, *, lines: bool) -> Json:
    """Read what was printed: one document, or for a stream one on each line."""
    if lines and not printed.startswith("{\n"):
        return [json.loads(line) for line in printed.splitlines()]
    return json.loads(printed)


# -- what may differ from one run to the next ----------------------------------------------------

#: values that are hashes of a commit, or of a tree with ledger files in it: (key it lies under,
#: key), or the key alone. Commits and ledger files hold reasons, so that better wording changes
#: these hashes; names of runs end in a hash of what they began from, and ids of queries follow from
#: the wiki's state, so they change, too. The word that confirms an erasure is random.
HASHES: dict[str | tuple[str, str], str] = {
    "commit": "commit",
    "commit_hash": "commit",
    "head": "commit",
    "tree": "tree",
    "buffer": "buffer",
    "confirm": "confirm",
    ("query", "id"): "query",
    ("queries", "id"): "query",
}
_RUN = re.compile(r"\b(\d{4}-\d\d-\d\d-[a-z]+-)([0-9a-f]{12})\b")
# where git lies on this machine, and the name of a schedule, which hashes the folder
_SEARCH_PATH = re.compile(r"PATH=[^\s\"]*")
_JOB = re.compile(r"(companion-wiki-)[0-9a-f]{8}")
_ERASED = re.compile(r"\b(erased-\d{4}-\d\d-\d\d-)[0-9a-f]{4}\b")
_TEMPORARY = re.compile(r"(<root>/tmp/)[^\s/\"']+")


def normalise(
    calls: list[dict[str, Json]], root: Path
) -> list[dict[str, Json]]:
    """Return *calls* without what differs between two runs of the same life on any machine.

    - the folder of the life becomes ``<root>``; a temporary folder in it loses its random name
    - hashes of commits, trees, runs and queries become ``commit-1``, ``run-2`` and so on, in the
      order in which the structure names them first: one hash has one name everywhere, also where
      only its first eight or twelve digits stand
    - the mark in the place of erased words loses its random digits
    - the version becomes ``<version>``, and the models that the `llm` library offers ``<models>``
    """
    shortened = strings(calls, lambda text: _without_places(text, str(root)))
    names = _hashes(shortened)
    pattern = _beginnings(names)
    named = strings(
        shortened,
        lambda text: pattern.sub(lambda hit: _name(names, hit[0]), text),
    )
    return [_without_versions(call) for call in named]


def _without_places(text: str, root: str) -> str:
    text = text.replace(str(warm.INSTALLED), "<program>").replace(
        root, "<root>"
    )
    text = _TEMPORARY.sub(r"\1<folder>", text)
    text = _SEARCH_PATH.sub(r"PATH=<path>", text)
    text = _JOB.sub(r"\1<job>", text)
    return _ERASED.sub(r"\1<mark>", text)


def strings(value: Json, change: Any) -> Json:
    """Return *value* with *change* made to each of its strings; keys stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [strings(item, change) for item in value]
    if isinstance(value, dict):
        return {key: strings(item, change) for key, item in value.items()}
    return value


def _hashes(calls: Json) -> dict[str, str]:
    """Return the name of each hash that may differ: those of the structure first, then of the
    texts.
    """
    names: dict[str, str] = {}
    for text_too in (False, True):
        for under, key, value, text in leaves(calls):
            if text and not text_too:
                continue
            kind = HASHES.get(key) or HASHES.get((under, key))
            if kind and re.fullmatch(
                r"[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40}", value
            ):
                names.setdefault(value, f"{kind}-{len(names) + 1}")
            for hit in _RUN.finditer(value):
                names.setdefault(hit[2], f"run-{len(names) + 1}")
    return names


def _beginnings(names: dict[str, str]) -> re.Pattern[str]:
    """Match each of the hashes, in full or its first eight or twelve digits."""
    wanted = {name[:length] for name in names for length in (8, 12, 40)}
    longest_first = sorted(wanted, key=len, reverse=True)
    return (
        re.compile(rf"\b(?:{'|'.join(longest_first)})\b")
        if wanted
        else re.compile(r"(?!)")
    )


def _name(names: dict[str, str], beginning: str) -> str:
    return next(
        name for full, name in names.items() if full.startswith(beginning)
    )


#: of a reasoner whose packages are an extra: they may be installed or not
_EXTRA = {
    "installed": None,
    "trouble": None,
    "judges": {},
    "model": None,
    "weights": None,
}


def _without_versions(call: dict[str, Json]) -> dict[str, Json]:
    document = call["document"]
    if "version" in document:
        document = {**document, "version": "<version>"}
    if "sections" in document:
        # of a report: the plots are as long as the version of matplotlib makes them
        document = {**document, "bytes": 0}
    if "reasoners" in document:
        reasoners = [
            {**each, "models": ["<models>"] * bool(each["models"]), **_EXTRA}
            if each["name"] in ("vectors", "semantic")
            else {**each, "models": ["<models>"] * bool(each["models"])}
            for each in document["reasoners"]
        ]
        document = {**document, "reasoners": reasoners}
    return {**call, "document": document}


# -- text for people, and the rest ---------------------------------------------------------------

#: keys whose strings are for people wherever they stand
_TEXTS = frozenset(
    (
        "reason",
        "hint",
        "message",
        "notes",
        "summary",
        "warning",
        "stderr",
        "help",
        "rule",
        "trouble",
        "leaves_machine",
        "comment",
        "output",
        "beyond",
        "basis",
        "decides",
        "follows",
        "download",
        "memory",
        "calls",
    )
)
#: and where one word is a text in one document and a value in another: (the key it lies under, key)
_TEXTS_UNDER = frozenset(
    (("state", "why"), ("branches", "why"), ("audited", "why"), ("document", "why"),
     ("findings", "what"), ("repaired", "what"), ("remains", "what"), ("places", "what"),
     ("places", "where"), ("judged", "said"), ("reasoners", "time"), ("document", "next"),
     ("path", "how"), ("rests_on", "path"))
)  # fmt: skip


def is_text(under: str, key: str) -> bool:
    """Tell whether the strings at *key*, in an object or a list at *under*, are for people."""
    return key in _TEXTS or (under, key) in _TEXTS_UNDER


def leaves(
    value: Json, under: str = "", key: str = "", text: bool = False
) -> Iterator[tuple[str, str, str, bool]]:
    """Yield (key it lies under, key, string, whether it is for people) of every string in
    *value*.
    """
    if isinstance(value, str):
        yield under, key, value, text
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, under, key, text)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, key, name, is_text(key, name))


def structure(
    value: Json, under: str = "", key: str = "", text: bool = False
) -> Json:
    """Return *value* with every text for people masked; that there is one, and how many, stays."""
    if isinstance(value, str):
        return TEXT if text and value else value
    if isinstance(value, list):
        return [structure(item, under, key, text) for item in value]
    if isinstance(value, dict):
        return {
            name: structure(item, key, name, is_text(key, name))
            for name, item in value.items()
        }
    return value


def differences(golden: Json, now: Json, where: str = "") -> Iterator[str]:
    """Yield each place where *now* is not what *golden* says.

    Order counts, of keys too. An int is no float. Floats may differ by a millionth: sums do,
    between processors.
    """
    if type(golden) is not type(now):
        yield f"{where}: was {_short(golden)}, is {_short(now)}"
    elif isinstance(golden, dict):
        if list(golden) != list(now):
            yield f"{where}: keys were {list(golden)}, are {list(now)}"
        for key in golden.keys() & now.keys():
            yield from differences(golden[key], now[key], f"{where}.{key}")
    elif isinstance(golden, list):
        if len(golden) != len(now):
            yield f"{where}: had {len(golden)} items, has {len(now)}"
        for index, (before, after) in enumerate(zip(golden, now, strict=False)):
            yield from differences(before, after, f"{where}[{index}]")
    elif isinstance(golden, float):
        if not math.isclose(golden, now, rel_tol=1e-6, abs_tol=1e-6):
            yield f"{where}: was {golden}, is {now}"
    elif golden != now:
        yield f"{where}: was {_short(golden)}, is {_short(now)}"


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:300]}…"


def compared(golden: list[Json], now: list[Json]) -> list[str]:
    """Return the differences of two lives, each with the call it is in."""
    found = (
        []
        if len(golden) == len(now)
        else [f"there were {len(golden)} calls, there are {len(now)}"]
    )
    for number, (before, after) in enumerate(zip(golden, now, strict=False), 1):
        line = f"{number}. companion {' '.join(before['argv'])}"
        found += [
            f"{line[:100]}\n    {each}" for each in differences(before, after)
        ]
    return found


# -- the files -----------------------------------------------------------------------------------


def read(life: str) -> list[dict[str, Json]]:
    """Return the golden calls of a life; none when it has not been written yet."""
    file = GOLDEN / f"{life}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def write(life: str, calls: list[dict[str, Json]]) -> None:
    """Write the golden calls of a life."""
    text = json.dumps(calls, ensure_ascii=False, indent=1) + "\n"
    (GOLDEN / f"{life}.json").write_text(text, encoding="utf-8")
