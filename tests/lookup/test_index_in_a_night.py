"""A read beside a run that has published and not folded yet answers at once, as of before."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.lookup import search as search_pages
from companion.lookup.search import search_wiki
from companion.storage.files.lock import is_held, lock_file
from companion.storage.index.search.hits import Hit
from tests.wiki import Wiki

READ = """
import sys
from companion.__main__ import main
main(["-C", sys.argv[1], *sys.argv[2:]])
print("git" if "pygit2" in sys.modules else "no git")
"""


def read(wiki: Wiki, *words: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", READ, str(wiki.root), *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.stdout.splitlines()


def test_a_search_beside_a_run_loads_no_git_to_learn_that_it_may_not_fold(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.tick()
    wiki.consolidate()
    # the branch moves, as it does before a run folds
    wiki.write("New.md", "The cellar is new.")
    wiki.git("add", "-A")
    wiki.git("commit", "-qm", "new")
    path = os.path.join(wiki.ws.place.state, "sleep.lock")

    with lock_file(path, "consolidate"):
        assert is_held(path)
        beside = read(wiki, "search", "cellar")
    assert beside[-1] == "no git"
    assert any("Door" in line for line in beside)
    assert not any("New" in line for line in beside)
    assert not is_held(path)
    afterwards = read(wiki, "search", "cellar")
    assert any("New" in line for line in afterwards)


def test_a_page_is_shown_without_a_library_of_git(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.consolidate()
    shown = read(wiki, "show", "Door")
    assert shown[-1] == "no git"
    assert any("cellar" in line for line in shown)


def test_a_lock_that_is_not_there_is_not_held(tmp_path: Path) -> None:
    assert not is_held(str(tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_a_night_that_ends_within_a_search_hides_no_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.tick()
    wiki.consolidate()
    wiki.ingest("# Pier\n\nA zanzibar of its own.")
    wiki.tick()
    find_passages = search_pages.find_passages
    nights = iter((wiki.consolidate,))

    def find_before_the_night(*args: Any) -> list[Hit]:
        hits = find_passages(*args)
        for night in nights:
            night()
        return hits

    monkeypatch.setattr(search_pages, "find_passages", find_before_the_night)
    found = search_wiki(wiki.ws, "zanzibar")["results"]
    assert [(one["title"], one["state"]) for one in found] == [
        ("Pier", "active")
    ]
