"""Another value told later stands as an update on its page, without a word of change."""

from pathlib import Path

from tests.wiki import Wiki, check_index


def test_who_somebody_is_now_stands_above_who_it_was(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Dentist\n\nThe dentist is Dr. Lindqvist.")
    wiki.consolidate()
    wiki.tick(days=30)
    wiki.ingest("The dentist is Dr. Okafor.")

    done = wiki.consolidate()

    page = wiki.read("entries/2026/11/Dentist.md")
    assert not done["integrated"][0]["quarantined"]
    assert "is:: Dr. Okafor" in page
    assert "is: Dr. Lindqvist (told 2026-11-01, until 2026-12-01" in page
    check_index(wiki)
