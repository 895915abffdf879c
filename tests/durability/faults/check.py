"""What must hold after any fault, once the next command has run."""

import json
import re
import shutil
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.durability.faults.child import Before, Forked
from tests.durability.scenes import SCENES, Scene
from tests.living import sound

# of what the scenes begin with, only this may change
OWN = ("entries/", "journal/2026/", ".companion/")


_BLOCK_ID = re.compile(rb" \^[0-9a-f]{12}$")


class Violation(AssertionError):
    """A promise was broken."""


class Begun(NamedTuple):
    """A scene before its command."""

    name: str
    files: dict[str, bytes]
    commits: int
    staged: list[str]
    captures: list[str]
    argv: tuple[str, ...]

    @property
    def scene(self) -> Scene:
        return SCENES[self.name]


def begin(name: str, wiki: Forked) -> Begun:
    """Take note of what is there."""
    argv = SCENES[name].words_in(wiki)
    return Begun(
        name,
        wiki.files(),
        commits(wiki),
        staged(wiki),
        list(wiki.captures()),
        argv,
    )


def commits(wiki: Forked) -> int:
    """Count the commits that any ref reaches."""
    if not (wiki.root / ".git").is_dir():
        return 0
    return int(wiki.git("rev-list", "--all", "--count", code=None) or 0)


def staged(wiki: Forked) -> list[str]:
    """Return what the person has staged."""
    if not (wiki.root / ".git").is_dir():
        return []
    names = wiki.git("diff", "--cached", "--name-only", code=None).splitlines()
    # what a killed run staged is not theirs
    return [name for name in names if not name.startswith(OWN)]


def told(out: bytes) -> Iterator[dict[str, Any]]:
    """Yield every JSON document that was told to the end."""
    text, decoder = out.decode("utf-8", "replace").lstrip(), json.JSONDecoder()
    while text:
        try:
            doc, end = decoder.raw_decode(text)
        except ValueError:
            return
        yield doc
        text = text[end:].lstrip()


def acknowledged(out: bytes) -> tuple[list[str], list[str]]:
    """Return the captures and the commits that the program said were safe."""
    docs = [doc for doc in told(out) if "error" not in doc]
    lines = [
        *docs,
        *(capture for doc in docs for capture in doc.get("captures", ())),
    ]
    captures = [
        line["id"]
        for line in lines
        if line.get("status") in ("captured", "seen")
    ]
    return captures, [doc["commit"] for doc in docs if doc.get("commit")]


def failed_politely(code: int, out: bytes, err: bytes) -> None:
    """Raise Violation unless the program ended with one of its own errors, and a hint."""
    errors = [doc["error"] for doc in told(out) if "error" in doc]
    if (
        code not in (65, 74, 75)
        or not errors
        or not errors[0].get("hint")
        or b"Traceback" in err
    ):
        raise Violation(f"it ended with {code}: {out[-400:]!r} {err[-800:]!r}")


def recover(
    begun: Begun,
    wiki: Forked,
    out: bytes,
    mutate: Before | None = None,
    *,
    nth: int = 1,
) -> None:
    """Run the next command, and raise Violation unless nothing is lost of what *out* and the scene
    had.
    """
    try:
        captures, made = acknowledged(out)
        captures += begun.captures
        _there(wiki, captures, made)
        _run_again(begun, wiki, mutate, nth)
        sound(wiki, captures)
        _kept(begun, wiki)
        begun.scene.proves(wiki)
        _there(wiki, captures, made)
    except Violation:
        raise
    except (AssertionError, sqlite3.Error, OSError) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        raise Violation(
            f"{type(error).__name__} {error} at {where.line}"
        ) from error


def _run_again(
    begun: Begun, wiki: Forked, mutate: Before | None, nth: int
) -> None:
    scene = begun.scene
    words = begun.argv if not scene.again else scene.words_in(wiki, nth)
    done = wiki.run("--json", *words, stdin=scene.stdin, before=mutate)
    # it was done: then the next night must find all well
    if done.returncode and done.returncode in scene.ends:
        done = wiki.run("--json", "rebuild", before=mutate)
    if done.returncode != 0:
        raise Violation(
            f"the next command ended with {done.returncode}: {done.stdout[-800:]!r}"
            f" {done.stderr[-1500:]!r}"
        )


def _there(wiki: Forked, captures: list[str], made: list[str]) -> None:
    held = wiki.captures() if captures else {}
    gone = [id for id in captures if id not in held]
    if gone:
        raise Violation(f"acknowledged captures are gone: {gone[:3]}")
    branch = wiki.git("rev-list", "HEAD", code=None).split() if made else []
    if not set(made) <= set(branch):
        raise Violation(f"an acknowledged commit is not on the branch: {made}")


def _kept(begun: Begun, wiki: Forked) -> None:
    scene, after = begun.scene, wiki.files()
    if commits(wiki) != begun.commits + scene.commits:
        raise Violation(
            f"{commits(wiki)} commits, there should be {begun.commits + scene.commits}"
        )
    runs = wiki.git(
        "log", "--all", "--format=%(trailers:key=Companion-Run,valueonly)"
    ).split()
    if len(runs) != len(set(runs)):
        raise Violation("two commits of one run")
    if not intact(begun.files, after, takes_back=scene.takes_back):
        raise Violation("the person's files have changed")
    if staged(wiki) != begun.staged:
        raise Violation(f"staged now: {staged(wiki)}; before: {begun.staged}")
    differing = wiki.git("diff", "--name-only", "HEAD", "--", *OWN, code=None)
    if differing:
        raise Violation(f"not what the branch has: {differing}")
    anchored = [
        id for (id,) in wiki.journal("SELECT id FROM captures WHERE anchored")
    ]
    buffer = (
        wiki.git(
            "ls-tree", "-r", "--name-only", "refs/companion/buffer", code=None
        )
        if anchored
        else ""
    )
    if any(id not in buffer for id in anchored):
        raise Violation("the journal says that git holds what no buffer names")
    missing = [words for words in scene.words if words not in wiki.text()]
    if missing:
        raise Violation(f"no page holds {missing}")


def intact(
    before: dict[str, bytes],
    after: dict[str, bytes],
    *,
    takes_back: bool = False,
) -> bool:
    """The person's files are the same to the byte, and every word of a managed page is still
    there.
    """
    mine = {path for path in before if not path.startswith(OWN)}
    grown = (
        []
        if takes_back
        else [path for path in before if path.startswith("entries/")]
    )
    return all(after.get(path) == before[path] for path in mine) and all(
        _lines(before[path]) <= _lines(after.get(path, b"")) for path in grown
    )


def _lines(text: bytes) -> set[bytes]:
    """Return the lines of a page; the words of a note stay the same when they get a block id."""
    return {_BLOCK_ID.sub(b"", line) for line in text.splitlines()}


def clear(wiki: Forked) -> None:
    """Remove a copy of a scene that has served."""
    shutil.rmtree(wiki.root.parent)


def base_of(wiki: Forked) -> Path:
    """Return the folder that holds everything of the scene."""
    return wiki.root.parent.resolve()
