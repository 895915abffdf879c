"""Every verb's ``--json`` document is what it was: see tests/cli/golden.

A changed structure breaks programs that read it. Changed wording is looked at and written anew:
``python -m tests.cli.golden --write``.
"""

import copy
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import commands
from tests import warm
from tests.cli import golden
from tests.cli.golden.lives import LIVES, lived

VERBS = {
    *(
        "init",
        "ingest",
        "morning",
        "report",
        "triage",
        "sleep",
        "sources",
        "schedule",
        "consolidate",
        "contextualize",
        "decay",
        "audit",
        "settle",
        "recall",
        "pin",
        "unpin",
        "links",
        "rename",
    ),
    *(
        "adopt",
        "undo",
        "erase",
        "search",
        "claims",
        "ask",
        "feedback",
        "show",
        "log",
        "why",
    ),
    *(
        "status",
        "review",
        "branches",
        "quarantine",
        "models",
        "remote",
        "export",
        "import",
    ),
    *("doctor", "rebuild", "demo"),
    *("add", "today", "list", "edit", "open", "restore", "myself"),
}
CALL = {
    "now": "2026-03-01T08:00:00Z",
    "argv": ["consolidate"],
    "exit": 0,
    "document": {
        "run": "2026-03-01-consolidate-run-1",
        "integrated": [
            {"path": "a.md", "reason": "new page", "bucket": "high"}
        ],
        "waiting": [],
        "notes": ["one", "two"],
        "vitality": 0.25,
        "decides": None,
    },
}


@pytest.mark.parametrize("name", LIVES)
def test_the_documents_of_a_life_are_what_they_were(
    name: str, tmp_path: Path
) -> None:
    before, now = golden.read(name), lived(name, tmp_path)

    changed = golden.compared(golden.structure(before), golden.structure(now))
    assert not changed, "the structure has changed:\n" + "\n".join(changed)

    worded = golden.compared(before, now)
    again = f"python -m tests.cli.golden --write {name}"
    assert not worded, (
        f"only the wording has changed (`{again}` takes it over):\n"
        + "\n".join(worded)
    )


def test_every_verb_is_called_and_answers_at_least_once() -> None:
    calls = [call for name in LIVES for call in golden.read(name)]
    answered = [
        VERBS & set(call["argv"][:3]) for call in calls if call["exit"] == 0
    ]
    assert set().union(*answered) == VERBS
    done = subprocess.run(
        [warm.INSTALLED, "--help"], capture_output=True, text=True, check=True
    )
    offered = done.stdout.partition("Every day:")[2]
    assert set(offered.replace(",", " ").split()) > set(commands.NAMES)
    assert set(commands.NAMES) >= VERBS


def test_nothing_but_documents_is_printed() -> None:
    assert [
        call for name in LIVES for call in golden.read(name) if "stderr" in call
    ] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("exit",), 1),
        (("document", "run"), None),
        (("document", "integrated", 0, "path"), "b.md"),
        (("document", "integrated", 0, "bucket"), "mid"),
        (("document", "integrated", 0, "reason"), None),
        (("document", "integrated", 0, "relations"), []),
        (("document", "waiting"), None),
        (("document", "notes"), ["one"]),
        (("document", "vitality"), 0.2501),
        (("document", "vitality"), 1),
        (("document", "decides"), "somebody"),
    ],
)
def test_a_changed_structure_is_seen(
    path: tuple[str | int, ...], value: object
) -> None:
    assert differing(path, value) == (True, True)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("document", "integrated", 0, "reason"), "New page."),
        (("document", "notes"), ["1", "2"]),
    ],
)
def test_changed_wording_is_seen_and_is_no_change_of_structure(
    path: tuple[str | int, ...], value: object
) -> None:
    assert differing(path, value) == (False, True)


def test_another_order_of_keys_is_a_change() -> None:
    document = dict(reversed(CALL["document"].items()))
    assert golden.compared([CALL], [{**CALL, "document": document}])
    assert golden.compared([CALL], [])


def test_a_sum_may_differ_by_what_processors_differ() -> None:
    assert differing(("document", "vitality"), 0.25 + 1e-8) == (False, False)


def test_hashes_are_named_in_order_wherever_they_stand_and_ids_of_words_stay(
    tmp_path: Path,
) -> None:
    commit, blob, run = (
        "a1" * 20,
        "b2" * 20,
        "2026-03-01-consolidate-0123456789ab",
    )
    reason = (
        f"since {commit[:8]}, in {run}, see {tmp_path}/tmp/copy-x1y2/page.md"
    )
    document = {
        "run": run,
        "blob": blob,
        "reason": reason,
        "commit": commit,
        "version": "1.2",
    }
    (call,) = golden.normalise(
        [{"argv": ["undo", commit[:12]], "document": document}], tmp_path
    )
    assert call == {
        "argv": ["undo", "commit-2"],
        "document": {
            "run": "2026-03-01-consolidate-run-1",
            "blob": blob,
            "reason": (
                "since commit-2, in 2026-03-01-consolidate-run-1, see"
                " <root>/tmp/<folder>/page.md"
            ),
            "commit": "commit-2",
            "version": "<version>",
        },
    }


@pytest.mark.parametrize(
    ("old", "new", "allowed", "written"),
    [
        ("new page", "New page.", [], True),
        ("a.md", "b.md", [], False),
        ("a.md", "b.md", ["--structure"], True),
    ],
)
def test_a_changed_structure_is_written_only_when_asked_for(
    old: str,
    new: str,
    allowed: list[str],
    written: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.cli.golden import __main__ as program

    now = golden.strings([CALL], lambda text: text.replace(old, new))
    monkeypatch.setattr(golden, "GOLDEN", tmp_path)
    monkeypatch.setattr(program, "lived", lambda name, folder: now)
    golden.write("capturing", [CALL])
    assert program.main(["capturing"]) == 1
    assert program.main(["--write", *allowed, "capturing"]) == int(not written)
    assert golden.read("capturing") == (now if written else [CALL])


def differing(path: tuple[str | int, ...], value: object) -> tuple[bool, bool]:
    """Return whether a call with *value* at *path* differs in structure, and whether at all."""
    now = copy.deepcopy(CALL)
    place = now
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    changed = golden.compared(golden.structure([CALL]), golden.structure([now]))
    return bool(changed), bool(golden.compared([CALL], [now]))


def test_this_folder_imports_nothing_of_the_program() -> None:
    code = "import sys, tests.cli.golden.lives; sys.exit('companion' in sys.modules)"
    subprocess.run(
        [sys.executable, "-c", code], cwd=golden.GOLDEN.parents[2], check=True
    )
