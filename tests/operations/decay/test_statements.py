"""Statements that lost fade one by one, and can be recalled (CON-17, DEC-6)."""

from pathlib import Path

import pytest

from companion.gravity.formula import Floor
from companion.operations.decay.plan import plan_statement
from companion.operations.decay.recall import recall_faded
from companion.operations.decay.run import decay
from companion.pages.statement_edits import retire_statement
from companion.pages.statements import read_statements
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git import objects
from companion.storage.index.tables.pages.entries import find_entry_at
from companion.values.decisions import Write
from tests.wiki import Wiki, check_index


def lose(wiki: Wiki, path: str, capture: str, by: str) -> None:
    """Let the statement of *capture* lose to that of *by*, as a promotion does."""

    def attempt(run: Run) -> None:
        row = find_entry_at(run.db, path)
        assert row is not None
        text = run.repo.text(row.blob, exact=True)
        content = retire_statement(
            text, capture[:12], "2026-11-03", "[[Anna]]", "it lost."
        ).encode()
        lines = [
            {
                "e": "grown",
                "entry": row.id,
                "path": path,
                "blob": objects.hash_blob(content),
                "reason": "r",
            },
            {
                "e": "statement",
                "entry": row.id,
                "capture": capture,
                "state": "decaying",
                "by": by,
                "reason": "r",
            },
        ]
        inputs = make_inputs(run, {}, {})
        record = ledger_file.make_run(
            "consolidate", run.moment(), inputs, lines
        )
        run.publish(record, [Write(path, content)], "it lost", "")
        run.refold()

    run_with_retries(wiki.ws, "consolidate", attempt, None)


class Scene:
    def __init__(self, root: Path) -> None:
        self.wiki = Wiki.new(root)
        self.old = self.tell("Anna lives in Oslo.")
        self.new = self.tell("Anna lives in Bergen with her two cats.")
        pages = sorted((root / "entries").rglob("*.md"))
        self.path = str(pages[0].relative_to(root))
        self.before = self.wiki.read(self.path)
        lose(self.wiki, self.path, self.old, self.new)

    def tell(self, words: str) -> str:
        done = self.wiki.ingest(words, title="Anna")
        self.wiki.consolidate()
        return str(done[0]["id"])

    def live(self, days: int) -> None:
        """Use the wiki on *days* days."""
        for day in range(days):
            self.wiki.tick(days=1)
            self.wiki.ingest(f"# Day {day}\n\nWords of day {day}.")
            self.wiki.consolidate()


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "wiki")


def test_a_statement_that_lost_goes_to_cold_memory_and_the_page_stays(scene):
    wiki = scene.wiki
    assert [one.earlier for one in read_statements(wiki.read(scene.path))] == [
        False,
        True,
    ]
    assert decay(wiki.ws)["statements"] == []
    scene.live(9)

    done = decay(wiki.ws)

    assert [each["capture"] for each in done["statements"]] == [scene.old]
    text = wiki.read(scene.path)
    assert [one.words for one in read_statements(text)] == [
        "Anna lives in Bergen with her two cats."
    ]
    assert f"`companion recall {scene.old[:12]}`" in text
    assert "Bergen" in text
    check_index(wiki)
    assert decay(wiki.ws)["statements"] == []


def test_what_lost_can_be_read_and_stand_again(scene):
    wiki = scene.wiki
    scene.live(9)
    decay(wiki.ws)

    shown = recall_faded(wiki.ws, scene.old[:12])
    restored = recall_faded(wiki.ws, scene.old[:12], restore=True)

    assert shown["text"] == "Anna lives in Oslo."
    assert restored["commit"]
    assert wiki.read(scene.path) == scene.before
    check_index(wiki)


def test_what_lost_can_stand_again_before_it_faded(scene):
    recall_faded(scene.wiki.ws, scene.old[:12], restore=True)

    assert scene.wiki.read(scene.path) == scene.before


def test_an_undo_of_the_archival_gives_the_page_back(scene):
    wiki = scene.wiki
    scene.live(9)
    before = wiki.read(scene.path)
    done = decay(wiki.ws)

    from companion.adoption.undo import undo

    undo(wiki.ws, str(done["run"]))

    assert wiki.read(scene.path) == before
    check_index(wiki)


def test_words_that_somebody_wrote_in_stay(scene):
    wiki = scene.wiki
    text = wiki.read(scene.path)
    wiki.write(scene.path, text.replace("in Oslo.", "in Oslo, she told me."))
    wiki.adopt()
    scene.live(9)

    done = decay(wiki.ws)

    assert done["statements"] == []
    assert any("somebody wrote" in out["reason"] for out in done["left_out"])
    assert "she told me" in wiki.read(scene.path)


def test_while_other_pages_depend_on_the_page_what_lost_stays():
    floor = Floor(0.6, 10, "r")

    assert plan_statement("2026-01-01", 0.7, floor, "2026-02-01") is None
    assert plan_statement("2026-03-01", 0.1, floor, "2026-02-01") is None
    assert plan_statement("2026-01-01", 0.1, floor, None) is None
    assert plan_statement("2026-01-01", 0.1, floor, "2026-02-01") is not None
