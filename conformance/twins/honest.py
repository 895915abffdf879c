"""What the twins share: calls of the honest program, and ways to change what it says and stores.

A twin is a program that breaks exactly one law. It has the command line of the honest program, the
one under test, and calls it for everything else, so that a case fails with it for that law alone.
BREAKS names the law; EXPECTS is a regular expression for the message of the case.

A twin starts as often as the program does. So modules that only some twins need are imported inside
the functions that use them.
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
    """Return the verb on the command line; empty when there is none."""
    words = iter(WORDS)
    for word in words:
        if word in _VALUED:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def answer(
    *words: str, stdin: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the honest program with *words* and return its result."""
    import subprocess

    return subprocess.run(
        [PROGRAM, *words], input=stdin, capture_output=True, check=False
    )


def quietly(*words: str) -> None:
    """Run the honest program with *words* and print nothing of it."""
    answer(*words, stdin=b"")


def pass_on(*words: str, stdin: bytes | None = None) -> NoReturn:
    """Become the honest program with *words*, or with this command line if there are none."""
    if stdin is None:
        os.execv(PROGRAM, [PROGRAM, *(words or WORDS)])
    say(answer(*(words or WORDS), stdin=stdin))


def within(changes: Mapping[str, str]) -> NoReturn:
    """Become the honest program with some of its modules changed: *changes* is {module: source}.

    The source runs in its module when that is loaded; `honest` holds the module's own functions.
    A module or function that does not exist is an error, because the twin is then out of date.
    """
    from textwrap import dedent

    os.environ["CONFORMANCE_WITHIN"] = json.dumps(
        {name: dedent(source) for name, source in changes.items()}
    )
    os.environ["PYTHONPATH"] = os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "within"
    )
    pass_on()


def say(
    done: subprocess.CompletedProcess[bytes], out: bytes | None = None
) -> NoReturn:
    """Print the result of the honest program, with *out* as its output if given, and exit."""
    sys.stdout.buffer.write(done.stdout if out is None else out)
    sys.stdout.flush()
    sys.stderr.buffer.write(done.stderr)
    sys.exit(done.returncode)


def document(done: subprocess.CompletedProcess[bytes]) -> Any:
    """Return the JSON document of a result; None if the output is not JSON."""
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


def heard_before(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Tell whether the words of an `ingest` were known already."""
    doc = document(done)
    if doc is None:
        return done.stdout.startswith(b"seen")
    return any(
        capture["status"] == "seen" for capture in doc.get("captures", [])
    )


def encoded(value: Any) -> bytes:
    """Return a JSON document in bytes, as the honest program prints it."""
    return json.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n"


def refuse(
    kind: str, reason: str, hint: str = "Say something else."
) -> NoReturn:
    """Print the report of an `ingest` that refused its only input, and exit with 65."""
    refused = [{"origin": "text", "kind": kind, "reason": reason, "hint": hint}]
    counts = {"captured": 0, "seen": 0, "refused": 1}
    report = {"captures": [], "refused": refused, "counts": counts}
    sys.stdout.buffer.write(encoded(report))
    sys.exit(65)


def git(*words: str) -> str:
    """Return what git prints; nothing if it fails."""
    import subprocess

    done = subprocess.run(
        ["git", *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def store(name: str) -> Path:
    """Return the path of a file in the program's own folder."""
    from pathlib import Path

    return (
        Path(git("rev-parse", "--git-common-dir")).resolve()
        / "companion"
        / name
    )


def alter(name: str, *statements: str) -> None:
    """Run *statements* on a database, after removing the triggers that would prevent it."""
    import sqlite3
    from contextlib import closing

    triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    with closing(
        sqlite3.connect(store(name), timeout=10, isolation_level=None)
    ) as db:
        for (trigger,) in db.execute(triggers).fetchall():
            if not trigger.startswith("witness"):
                db.execute(f'DROP TRIGGER "{trigger}"')
        for statement in statements:
            db.execute(statement)


def rows(name: str, sql: str) -> list[tuple[Any, ...]]:
    """Return rows of a database; none if its file does not exist."""
    import sqlite3
    from contextlib import closing

    if not store(name).exists():
        return []
    with closing(sqlite3.connect(store(name), timeout=10)) as db:
        return db.execute(sql).fetchall()


def text() -> str:
    """Return the text of an `ingest`, from its words or from standard input, which is then empty."""
    after = WORDS[WORDS.index("ingest") + 1 :] if "ingest" in WORDS else []
    words = [word for word in after if not word.startswith("--")]
    return " ".join(words) if words and words != ["-"] else sys.stdin.read()


def remember(name: str, value: str | None = None) -> str:
    """Keep *value* for the twin's next command, in a file of the git folder; return what is kept."""
    from pathlib import Path

    place = (
        Path(git("rev-parse", "--git-common-dir")).resolve() / f"twin-{name}"
    )
    if value is not None:
        place.write_text(value, encoding="utf-8")
    return place.read_text(encoding="utf-8") if place.exists() else ""


def replaced(data: bytes, pattern: str, by: str) -> bytes:
    """Return *data* with every match of *pattern* replaced."""
    import re

    return re.sub(pattern.encode(), by.encode(), data)
