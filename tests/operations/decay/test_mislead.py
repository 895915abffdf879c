"""Of a page of several notes those fade that misled its readers (DEC-7, CON-17)."""

from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.lookup.search import search_wiki
from companion.operations.decay.recall import recall_faded
from companion.operations.decay.run import decay
from companion.pages.statements import read_statements
from companion.usage.feedback import record_feedback
from companion.usage.record_read import record_search, record_show
from tests.wiki import Wiki, check_index

PAGE = "Gateway"


class Scene:
    def __init__(self, root: Path) -> None:
        self.wiki = Wiki.new(root)
        self.cellar = self.tell("The Harrow gateway stands in the cellar.")
        self.port = self.tell("The Harrow gateway listens on port 8080.")
        (page,) = (root / "entries").rglob("*.md")
        self.path = str(page.relative_to(root))
        self.day = 0

    def tell(self, words: str) -> str:
        done = self.wiki.ingest(words, title=PAGE)
        self.wiki.consolidate()
        return str(done[0]["id"])

    def ask(self, words: str, said: str, days: int = 8) -> None:
        """On each of *days* days look for *words*, open the page, and say what became of it."""
        for _ in range(days):
            self.day += 1
            wiki = self.wiki
            wiki.tick(days=1)
            record_search(wiki.ws, search_wiki(wiki.ws, f"{words} {self.day}"))
            wiki.tick(seconds=10)
            record_show(wiki.ws, wiki.show(PAGE))
            wiki.tick(seconds=10)
            record_feedback(wiki.ws, said, None)
            wiki.ingest(f"# Day {self.day}\n\nWords of day {self.day}.")
            wiki.consolidate()

    def stands(self) -> dict[str, bool]:
        """Return whether each note of the page stands."""
        found = read_statements(self.wiki.read(self.path))
        return {one.id: not one.earlier for one in found}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "wiki")


def test_the_note_that_misled_goes_and_its_page_stays(scene: Scene) -> None:
    before = scene.wiki.read(scene.path)
    scene.ask("port", "bad")
    done = decay(scene.wiki.ws)

    assert [each["capture"] for each in done["misled"]] == [scene.port]
    assert not done["decaying"]
    assert scene.stands()[scene.port[:12]] is False
    assert "stands in the cellar" in scene.wiki.read(scene.path)
    check_index(scene.wiki)
    undo(scene.wiki.ws, str(done["run"]))
    assert scene.wiki.read(scene.path) == before


def test_a_note_that_helped_too_stays(scene: Scene) -> None:
    scene.ask("port", "bad")
    scene.ask("8080", "good", days=1)

    assert decay(scene.wiki.ws)["misled"] == []
    assert scene.stands()[scene.port[:12]]


def test_what_no_note_answers_for_is_the_pages(scene: Scene) -> None:
    scene.ask("Harrow", "bad")
    done = decay(scene.wiki.ws)

    assert done["misled"] == []
    assert [each["title"] for each in done["decaying"]] == [PAGE]


def test_where_all_notes_misled_the_page_did(scene: Scene) -> None:
    scene.ask("port", "bad")
    scene.ask("cellar", "bad")
    done = decay(scene.wiki.ws)

    assert done["misled"] == []
    assert [each["title"] for each in done["decaying"]] == [PAGE]


def test_the_page_never_pays_for_it_later(scene: Scene) -> None:
    scene.ask("port", "bad")
    decay(scene.wiki.ws)
    for _ in range(9):
        scene.wiki.tick(days=1)
        scene.wiki.ingest(f"# {scene.wiki.now}\n\nWords.")
        scene.wiki.consolidate()
        done = decay(scene.wiki.ws)
        assert (done["misled"], done["decaying"]) == ([], [])
    # in cold memory by now
    assert scene.port[:12] not in scene.stands()
    shown = recall_faded(scene.wiki.ws, scene.port[:12])
    assert "port 8080" in shown["text"]
