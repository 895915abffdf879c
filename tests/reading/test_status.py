"""`status` counts notes, the pages they stand on, and those that stand on days."""

from pathlib import Path

from companion.cli.commands import status as status_command
from companion.pages.statement_edits import retire_statement
from companion.pages.statements import statement_id
from companion.reading.entry.show import show_target
from companion.reading.status import describe_wiki
from tests.wiki import Wiki


def test_status_counts_notes_on_pages_and_on_days(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    assert describe_wiki(wiki.ws)["notes_on_pages"]["notes"] == 0
    told = wiki.ingest(
        "# Heron\n\nA bird of the lake.",
        "Bought bread and milk.",
        "The boiler knocks.",
    )
    wiki.consolidate()
    assert describe_wiki(wiki.ws)["notes_on_pages"] == {
        "notes": 3,
        "pages": 2,
        "statements": 2,
        "lost": 0,
        "on_days": 2,
    }
    day = show_target(wiki.ws, "2026-11-01")
    lost = retire_statement(
        day["text"],
        statement_id(told[1]["id"]),
        "2026-11-02",
        "[[Heron]]",
        "it lost",
    )
    wiki.write(day["path"], lost)
    wiki.commit()
    doc = describe_wiki(wiki.ws)
    counts = doc["notes_on_pages"]
    assert (counts["statements"], counts["lost"]) == (1, 1)
    lines = list(status_command.text(doc))
    assert (
        "notes     3 on pages, 1 of them on pages of days, 1 no longer hold"
        in lines
    )


def test_status_says_what_git_is_in_the_middle_of(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    (wiki.root / ".git" / "MERGE_HEAD").write_text(wiki.head + "\n")
    notes = describe_wiki(wiki.ws)["notes"]
    assert notes == [
        "Git is in the middle of a merge: nights wait until you finish it."
    ]
    (wiki.root / ".git" / "MERGE_HEAD").unlink()
    assert describe_wiki(wiki.ws)["notes"] == []
