"""A night in which a note moves: pages that link it link it where it goes."""

from datetime import timedelta
from pathlib import Path

from companion.adoption.undo import undo
from companion.operations.consolidate.drafts.lines import link_elsewhere
from companion.pages.statements import read_mentions
from tests.wiki import START, Wiki, check_index, check_statements


def test_lines_for_a_note_that_leaves_its_day_follow_it(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    days = (
        ("# Anna\n\nAnna is my sister.",),
        ("# Paul\n\nPaul is my brother.",),
        ("The boiler was serviced, said Anna and Paul and the plumber",),
        ("Called about the boiler pressure",),
        ("the boiler is loud again",),
    )
    for day, notes in enumerate(days):
        wiki.now = START + timedelta(days=day)
        for note in notes:
            wiki.ingest(note)
        before = wiki.files()
        run = wiki.consolidate()["run"]
    lines = [
        line.page
        for name in ("Anna", "Paul")
        for line in read_mentions(wiki.read(f"entries/2026/11/{name}.md"))
    ]
    assert lines and set(lines) == {"Boiler"}
    check_statements(wiki)
    check_index(wiki)
    wiki.tick()
    undo(wiki.ws, str(run))
    assert wiki.files() == before


def test_other_lines_stay() -> None:
    text = (
        "# A\n\n## Mentions\n\n"
        "- 2026-03-02 09:14: [[2026-03-02#^a1b2c3d4e5f6|One]]\n"
        "- 2026-03-02 09:15: [[2026-03-02#^0123456789ab|Two]]\n"
    )
    after = link_elsewhere(text, "a1b2c3d4e5f6", "Boiler")
    assert [line.page for line in read_mentions(after)] == [
        "Boiler",
        "2026-03-02",
    ]
    assert link_elsewhere(after, "a1b2c3d4e5f6", "Boiler") == after
