"""What the twins share: the honest program, and ways to get between it, its caller and the disk.

A twin is a program with the honest one's command line that breaks exactly one law. It calls the
honest program for everything else, so that a case which fails under it fails for that law. BREAKS
names the law, EXPECTS is searched in the complaint of the case.

A twin starts as often as the program does, so what only some twins need is imported where it is
used.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any, NoReturn

PROGRAM = os.environ["CONFORMANCE_PROGRAM"]
WORDS = sys.argv[1:]
_VALUED = {"-C", "--wiki"}


def verb() -> str:
    """The verb on the command line; empty when there is none."""
    words = iter(WORDS)
    for word in words:
        if word in _VALUED:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def answer(*words: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """What the honest program says to *words*."""
    import subprocess

    return subprocess.run([PROGRAM, *words], input=stdin, capture_output=True, check=False)


def quietly(*words: str) -> None:
    """Let the honest program do something nobody asked for."""
    answer(*words, stdin=b"")


def pass_on(*words: str, stdin: bytes | None = None) -> NoReturn:
    """End as the honest program would: with *words*, else with the words given."""
    if stdin is None:
        os.execv(PROGRAM, [PROGRAM, *(words or WORDS)])
    say(answer(*(words or WORDS), stdin=stdin))


def within(changes: Mapping[str, str]) -> NoReturn:
    """End as the honest program whose modules were changed inside: *changes* is {module: source}.

    The source is run in its module as soon as that is loaded; there, `honest` holds the module's
    own functions. A module or function that does not exist is an error: the twin is out of date.
    """
    from textwrap import dedent

    os.environ["CONFORMANCE_WITHIN"] = json.dumps(
        {name: dedent(source) for name, source in changes.items()}
    )
    os.environ["PYTHONPATH"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "within")
    pass_on()


def say(done: subprocess.CompletedProcess[bytes], out: bytes | None = None) -> NoReturn:
    """End with an answer of the honest program, its standard output replaced by *out*."""
    sys.stdout.buffer.write(done.stdout if out is None else out)
    sys.stdout.flush()
    sys.stderr.buffer.write(done.stderr)
    sys.exit(done.returncode)


def document(done: subprocess.CompletedProcess[bytes]) -> Any:
    """The JSON in an answer, or None where the caller did not ask for JSON."""
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def heard_before(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Was what was ingested known already?"""
    told = document(done)
    captures = told.get("captures", []) if told else []
    return any(capture["status"] == "seen" for capture in captures) or done.stdout.startswith(
        b"seen"
    )


def encoded(value: Any) -> bytes:
    """A JSON document as the honest program would print it."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n"


def refuse(kind: str, reason: str, hint: str = "Say something else.") -> NoReturn:
    """End as an ingest that refused its only input."""
    refused = [{"origin": "text", "kind": kind, "reason": reason, "hint": hint}]
    sys.stdout.buffer.write(
        encoded(
            {"captures": [], "refused": refused, "counts": {"captured": 0, "seen": 0, "refused": 1}}
        )
    )
    sys.exit(65)


def git(*words: str) -> str:
    """What git says; nothing where it fails."""
    import subprocess

    return subprocess.run(
        ["git", *words], capture_output=True, text=True, check=False
    ).stdout.strip()


def store(name: str) -> Path:
    """A file in the program's own folder."""
    from pathlib import Path

    return Path(git("rev-parse", "--git-common-dir")).resolve() / "companion" / name


def alter(name: str, *statements: str) -> None:
    """Run *statements* on a database, whatever it does to defend itself."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(store(name), timeout=10, isolation_level=None)) as db:
        for (trigger,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            if not trigger.startswith("witness"):
                db.execute(f'DROP TRIGGER "{trigger}"')
        for statement in statements:
            db.execute(statement)


def rows(name: str, sql: str) -> list[tuple[Any, ...]]:
    """Rows of a database; none where it is not there."""
    import sqlite3
    from contextlib import closing

    if not store(name).exists():
        return []
    with closing(sqlite3.connect(store(name), timeout=10)) as db:
        return db.execute(sql).fetchall()


def text() -> str:
    """The text that an `ingest` was given as words, or on standard input (which is then used
    up).
    """
    after = WORDS[WORDS.index("ingest") + 1 :] if "ingest" in WORDS else []
    words = [word for word in after if not word.startswith("--")]
    return " ".join(words) if words and words != ["-"] else sys.stdin.read()


def remember(name: str, value: str | None = None) -> str:
    """A note between two commands of the twin, kept beside the wiki's git folder."""
    from pathlib import Path

    place = Path(git("rev-parse", "--git-common-dir")).resolve() / f"twin-{name}"
    if value is not None:
        place.write_text(value, encoding="utf-8")
    return place.read_text(encoding="utf-8") if place.exists() else ""


def replaced(data: bytes, pattern: str, by: str) -> bytes:
    """*data* with every match of *pattern* replaced."""
    import re

    return re.sub(pattern.encode(), by.encode(), data)
