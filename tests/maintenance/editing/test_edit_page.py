"""`edit`: what the editor saved is taken in, and never lost, whatever the editor does."""

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.lookup.find import NothingFound
from companion.maintenance.editing import edit_page as editing
from companion.maintenance.editing import meanwhile
from companion.maintenance.editing.edit_page import (
    NoEditor,
    NotTakenIn,
    edit_page,
    find_page_file,
    open_page,
)
from companion.maintenance.editing.keep_both import Both, keep_both
from tests.wiki import Wiki

FILES = {"Garden.md": "Tomatoes want sun.\n", "Other.md": "Something.\n"}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    made = Wiki.new(tmp_path / "wiki", FILES)
    made.tick()
    return made


def editor(folder: Path, body: str) -> list[str]:
    """Return the command of an editor that does what *body* says to the file `sys.argv[1]`."""
    program = folder / "editor.py"
    program.write_text(f"import sys, os\npath = sys.argv[1]\n{body}\n")
    return [sys.executable, str(program)]


def seconds(*times: float) -> "Clock":
    return Clock([*times])


class Clock:
    def __init__(self, times: list[float]) -> None:
        self.times = times

    def __call__(self) -> float:
        return self.times.pop(0)


def add_line(line: str) -> str:
    return f"open(path, 'a').write({line!r})"


def test_what_was_saved_is_adopted_and_nothing_else(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.write("Other.md", "Half a thought\n")
    words = editor(tmp_path, add_line("And water.\n"))
    done = edit_page(wiki.ws, "garden", words, clock=seconds(0, 60))

    assert done["changed"] and done["commit"]
    assert "And water." in wiki.git("show", "HEAD:Garden.md")
    assert wiki.git("show", "HEAD:Other.md") == FILES["Other.md"]
    assert wiki.read("Other.md") == "Half a thought\n"


@pytest.mark.parametrize(("took", "at_once"), [(0.1, True), (30, False)])
def test_an_editor_that_forks_is_told_from_one_that_changed_nothing(
    wiki: Wiki, tmp_path: Path, took: float, at_once: bool
) -> None:
    words = editor(tmp_path, "")
    done = edit_page(wiki.ws, "Garden", words, clock=seconds(0, took))

    assert (done["changed"], done["commit"]) == (False, None)
    assert done["returned_at_once"] is at_once


def test_no_editor_or_one_that_does_not_start_changes_nothing(
    wiki: Wiki, tmp_path: Path
) -> None:
    head = wiki.git("rev-parse", "HEAD")
    with pytest.raises(NoEditor, match="neither VISUAL nor EDITOR"):
        edit_page(wiki.ws, "Garden", [], clock=seconds(0, 1))
    with pytest.raises(NoEditor, match="no such file"):
        edit_page(wiki.ws, "Garden", ["/no/such"], clock=seconds(0, 1))
    broken = editor(tmp_path, "sys.exit(3)")
    with pytest.raises(NoEditor, match="code 3; the page is as it was"):
        edit_page(wiki.ws, "Garden", broken, clock=seconds(0, 9))
    assert wiki.git("rev-parse", "HEAD") == head


def test_an_editor_that_saved_and_failed_loses_nothing(
    wiki: Wiki, tmp_path: Path
) -> None:
    words = editor(tmp_path, add_line("And water.\n") + "\nsys.exit(1)")
    with pytest.raises(NotTakenIn, match="what it saved is in Garden"):
        edit_page(wiki.ws, "Garden", words, clock=seconds(0, 9))
    assert "And water." in wiki.read("Garden.md")
    assert "And water." not in wiki.git("show", "HEAD:Garden.md")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("os.unlink(path)", "is gone"),
        ("open(path, 'w').close()", "is empty now"),
    ],
)
def test_a_page_that_vanished_or_emptied_is_not_taken_in_unasked(
    wiki: Wiki, tmp_path: Path, body: str, says: str
) -> None:
    with pytest.raises(NotTakenIn, match=says):
        edit_page(
            wiki.ws, "Garden", editor(tmp_path, body), clock=seconds(0, 9)
        )
    assert wiki.git("show", "HEAD:Garden.md") == FILES["Garden.md"]


def commits(page: str, saves: str) -> str:
    """Return an editor under which the page becomes *page*, and which then saves *saves*."""
    return (
        "import subprocess\n"
        "folder = os.path.dirname(path)\n"
        f"open(path, 'w').write({page!r})\n"
        "subprocess.run(['git', '-C', folder, 'commit', '-qam', 'x'], check=True)\n"
        f"open(path, 'w').write({saves!r})"
    )


@pytest.mark.parametrize(
    ("page", "saves", "both"),
    [
        (
            "Tomatoes want sun.\n\nOf a night.\n",
            "# Garden\n\nTomatoes want sun.\n",
            "# Garden\n\nTomatoes want sun.\n\nOf a night.\n",
        ),
        (
            "Tomatoes want shade.\n",
            "Tomatoes want water.\n",
            "Tomatoes want water.\nTomatoes want shade.\n",
        ),
    ],
)
def test_a_page_that_changed_meanwhile_keeps_both_texts(
    wiki: Wiki, tmp_path: Path, page: str, saves: str, both: str
) -> None:
    words = editor(tmp_path, commits(page, saves))
    done = edit_page(wiki.ws, "Garden", words, clock=seconds(0, 9))

    assert done["commit"]
    assert "your text and the other stand together" in done["notes"][0]
    assert wiki.read("Garden.md") == both
    assert wiki.git("show", "HEAD:Garden.md") == both


def test_what_a_night_wrote_meanwhile_and_what_a_person_saved_both_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {})
    wiki.ingest("# Lena\n\nLena lives in Oslo.", source="me")
    wiki.consolidate()
    wiki.tick(days=1)
    wiki.ingest("# Lena\n\nLena likes oolong tea.", source="me")
    page = find_page_file(wiki.ws, "Lena")
    opened = wiki.read(page.path)

    def edit(command: object, file: str) -> int:
        wiki.consolidate()
        Path(file).write_text(opened + "\nShe plays the cello.\n")
        return 0

    monkeypatch.setattr(editing, "_run_editor", edit)
    done = edit_page(wiki.ws, "Lena", ["vi"], clock=seconds(0, 9))

    text = wiki.git("show", f"HEAD:{page.path}")
    for line in ("in Oslo", "oolong tea", "She plays the cello."):
        assert text.count(line) == 1, text
    assert done["notes"] and not wiki.git("status", "--porcelain")


def test_a_page_that_moved_away_meanwhile_is_not_made_twice(
    wiki: Wiki, tmp_path: Path
) -> None:
    body = (
        "import subprocess\n"
        "folder = os.path.dirname(path)\n"
        "subprocess.run(['git', '-C', folder, 'mv', 'Garden.md', 'Yard.md'])\n"
        "subprocess.run(['git', '-C', folder, 'commit', '-qam', 'x'], check=True)\n"
        "open(path, 'w').write('Of mine.\\n')"
    )
    with pytest.raises(NotTakenIn, match="moved or deleted while you edited"):
        edit_page(
            wiki.ws, "Garden", editor(tmp_path, body), clock=seconds(0, 9)
        )
    assert wiki.read("Garden.md") == "Of mine.\n"


def test_an_editor_that_still_saves_while_the_texts_are_brought_together(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def save_again(*args: Any, **kwargs: Any) -> Both:
        wiki.write("Garden.md", "Of mine, and more.\n")
        return keep_both(*args, **kwargs)

    monkeypatch.setattr(meanwhile, "keep_both", save_again)
    words = editor(tmp_path, commits("Of a night.\n", "Of mine.\n"))
    with pytest.raises(NotTakenIn, match="your text is in the file"):
        edit_page(wiki.ws, "Garden", words, clock=seconds(0, 9))
    assert wiki.read("Garden.md") == "Of mine, and more.\n"


def test_a_page_that_only_a_night_changed_is_not_the_persons(
    wiki: Wiki, tmp_path: Path
) -> None:
    commit = (
        "import subprocess\n"
        "open(path, 'a').write('Of a night.\\n')\n"
        "subprocess.run(['git', '-C', os.path.dirname(path), 'commit', '-qam', 'x'])"
    )
    done = edit_page(
        wiki.ws, "Garden", editor(tmp_path, commit), clock=seconds(0, 9)
    )
    assert done["changed"] is False


def test_a_note_that_waits_has_no_page(wiki: Wiki) -> None:
    (told,) = wiki.ingest("# Crane\n\nIt was painted green.")
    for target in (told["id"], "Nobody"):
        with pytest.raises(NothingFound):
            open_page(wiki.ws, target, [])


def test_open_starts_the_app_or_says_where_the_file_is(
    wiki: Wiki, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    app = tmp_path / "app"
    app.write_text(f'#!/bin/sh\nprintf %s "$1" > {seen}\n')
    app.chmod(app.stat().st_mode | stat.S_IXUSR)
    file = os.path.join(wiki.root, "Garden.md")

    opened = open_page(wiki.ws, "garden", [str(app)])
    assert (opened["opened"], opened["file"]) == (True, file)
    assert seen.read_text() == file
    for opener in ([], ["/no/such"], ["false"]):
        shown = open_page(wiki.ws, "garden", opener)
        assert (shown["opened"], shown["file"]) == (False, file)
