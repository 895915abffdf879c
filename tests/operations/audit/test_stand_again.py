"""A note that an audit let go stands again where that audit no longer has the last word."""

import shutil
from pathlib import Path

from companion.reading.entry.show import show_target
from tests.operations.audit.test_statements import (
    RIGHT,
    WRONG,
    ask,
    captures,
    run,
    settled,
    wiki,
)
from tests.wiki import Wiki, check_health, check_index

__all__ = ["wiki"]  # a fixture


def place(wiki: Wiki, capture: str) -> str:
    return str(show_target(wiki.ws, capture)["place"]["state"])


def let_go_here_and_need_there(wiki: Wiki, tmp_path: Path) -> str:
    """The note that an audit let go here, and that a later one of another machine found needed,
    whose run is here by now.
    """
    wrong, _ = captures(wiki)
    shutil.copytree(wiki.root, tmp_path / "other")
    other = Wiki(tmp_path / "other", wiki.now)
    other.tick(minutes=7)
    ask(wiki, WRONG, "bad")
    ask(wiki, RIGHT, "good")
    run(wiki)
    settled(wiki)
    assert place(wiki, wrong) == "lost"
    ask(other, WRONG, "good")
    ask(other, RIGHT, "good")
    other.now = max(wiki.now, other.now)
    run(other)
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    wiki.git("merge", "-q", "-m", "both", "FETCH_HEAD")
    wiki.now = other.now
    return wrong


def test_a_later_audit_of_another_machine_is_the_reason_and_is_told_once(
    wiki: Wiki, tmp_path: Path
) -> None:
    wrong = let_go_here_and_need_there(wiki, tmp_path)

    done = settled(wiki)

    steps = [
        (each["what"], each["reason"].split(" (")[0])
        for each in done["settled"]
        if each["statement"] and each["statement"]["capture"] == wrong
    ]
    assert steps == [("restored", "Answers depend on this note.")]
    assert place(wiki, wrong) == "stands"
    line = wiki.events("statement")[-1]
    assert line["reason"].startswith("Answers depend on this note. (audit ")
    assert "taken back" not in str([line, *wiki.events("grown")])
    assert settled(wiki, days=8)["run"] is None
    check_index(wiki)
    check_health(wiki)
