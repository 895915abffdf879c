"""`python -m tests.bench ceiling`: the lives of `lives`, with a judge that knows what each note is.

The judge is a server on loopback behind the door of language models (`tests/perfect_judge.py`). What
its lives reach is the most that any judge can reach with what stands behind it.
"""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.plain_worlds import DEVELOPED, Note, read_world
from tests.bench.stance.lives import lives
from tests.perfect_judge import (
    CONTRADICTS,
    MODEL,
    NEUTRAL,
    UPDATES,
    Rule,
    say,
    serve_judge,
)

_DISSENTS = "abd"  # letters of notes that contradict their page
_UPDATES = "c"
_SHORTEST = 12  # characters by which a passage is known


def ceiling() -> None:
    """Live each world that was developed on with a perfect judge; print what its calls came to."""
    rule = know_worlds(DEVELOPED)
    with (
        tempfile.TemporaryDirectory() as folder,
        serve_judge(rule, Path(folder)) as judge,
    ):
        lives("dev", f"llm:{MODEL}")
        told = sum(len(read_world(name)) for name in DEVELOPED)
        print(f"{len(judge.prompts)} calls for {told} notes")


def know_worlds(names: Sequence[str]) -> Rule:
    """Return a rule that knows what each passage of the worlds *names* is."""
    tags: dict[str, str] = {}
    for name in names:
        for note in read_world(name):
            tags.update(_list_passages(note))

    def judge(earlier: str, later: str) -> dict[str, Any]:
        """Return what the two passages are to each other."""
        page, note = _find_tag(tags, earlier), _find_tag(tags, later)
        if not page or page[0] != note[:1] or note.endswith("0"):
            return NEUTRAL
        if not page.endswith("0"):
            return say("supports")
        if note[0] in _DISSENTS:
            return CONTRADICTS
        return UPDATES if note[0] in _UPDATES else NEUTRAL

    return judge


def _list_passages(note: Note) -> dict[str, str]:
    """Return the passages of *note* with its tag."""
    return {
        _plain(line): note.tag
        for line in note.statement.text.splitlines()
        if note.tag
    }


def _find_tag(tags: Mapping[str, str], text: str) -> str:
    """Return the tag of the note that *text* is of; empty where it has none."""
    words = _plain(text)
    for passage, tag in tags.items():
        if len(passage) >= _SHORTEST and passage in words:
            return tag
    return ""


def _plain(text: str) -> str:
    return " ".join(text.split())
