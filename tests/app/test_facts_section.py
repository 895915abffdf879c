"""The facts section of pages: written by the night where a page's own words would mislead, corrected by hand."""

from pathlib import Path
from typing import Any

import pytest

from companion.app import facts, undo
from tests.wiki import Wiki, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str, **about: Any) -> dict[str, Any]:
    wiki.ingest(*texts, **about)
    return wiki.consolidate()


def values(wiki: Wiki, subject: str, predicate: str | None = None, **more: Any) -> list[str]:
    options: dict[str, Any] = {"as_of": None, "known_at": None, "history": False, **more}
    return [value for key in facts.told(wiki.ws, subject, predicate, **options)["keys"] for value in key["values"]]


def section(text: str) -> list[str]:
    """Return the lines of the facts section."""
    return text.replace("\r\n", "\n").partition("## Facts\n")[2].split("\n")


ANNA = "entries/2026/11/anna-lives-in-bern.md"


def test_a_page_whose_words_are_all_there_is_to_say_is_not_said_twice(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", "# Casa Blanca\n\nprice:: 300\nowner:: Ada\n", "I might move to Lisbon.")
    assert all(b"## Facts" not in text for text in wiki.files().values())


def test_the_page_of_what_was_replaced_says_so_and_the_page_of_what_replaced_it_does_not(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    done = tell(wiki, "Anna lives in Rome.", source="chat")
    assert done["counts"]["created"] == 1
    assert section(wiki.read(ANNA)) == [
        "", "- Anna, lives in:: Rome (told 2026-11-01)", "", "### Earlier", "",
        "- Anna, lives in: Bern (told 2026-11-01, until 2026-11-01: then Rome)", "",
    ]  # fmt: skip
    assert "## Facts" not in wiki.read("entries/2026/11/anna-lives-in-rome.md")
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_growth_keeps_the_section_last(wiki: Wiki) -> None:
    tell(wiki, "# Casa Blanca\n\nprice:: 300\n")
    tell(wiki, "# Casa Blanca\n\nprice:: 350\n")
    path = "entries/2026/11/casa-blanca.md"
    assert "- price:: 350 (told 2026-11-01)" in section(wiki.read(path))
    tell(wiki, "# Casa Blanca\n\nIt has a garden.\n")
    text = wiki.read(path)
    assert text.index("garden") < text.index("## Facts") and text.count("## Facts") == 1


def test_a_line_corrected_in_an_editor_is_the_owners_telling(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    before = wiki.now.isoformat()
    mine = "- Anna, lives in:: Lisbon (told 2026-11-01)"
    wiki.write(ANNA, wiki.read(ANNA).replace("- Anna, lives in:: Rome (told 2026-11-01)", mine))
    run = wiki.adopt()["run"]
    assert values(wiki, "Anna") == ["Lisbon"]
    assert values(wiki, "Anna", known_at=before) == ["Rome"]
    doc = facts.told(wiki.ws, "Anna", None, as_of=None, known_at=None, history=True)
    said = {each["object"]: each for key in doc["keys"] for each in key["claims"] if each["mood"] == "confirmed"}
    assert (said["Rome"]["status"], said["Rome"]["reason"]) == ("retracted", "corrected by hand")
    check_index(wiki)
    wiki.consolidate()
    assert section(wiki.read(ANNA)) == [
        "", mine, "", "### Earlier", "",
        "- Anna, lives in: Bern (told 2026-11-01, until 2026-11-01: then Lisbon)",
        "- Anna, lives in: Rome (told 2026-11-01, taken back 2026-11-01 by hand)", "",
    ]  # fmt: skip
    assert wiki.consolidate()["run"] is None
    undo.undo(wiki.ws, run)
    assert values(wiki, "Anna") == ["Rome"]
    check_index(wiki)
    wiki.consolidate()
    assert "- Anna, lives in:: Rome (told 2026-11-01)" in section(wiki.read(ANNA))


def test_a_sentence_corrected_in_a_note_is_the_owners_telling(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Bern!", source="chat", title="Second")
    wiki.write(ANNA, wiki.read(ANNA).replace("Anna lives in Bern.\n", "Anna lives in Porto.\n"))
    wiki.adopt()
    assert values(wiki, "Anna") == ["Porto"]
    wiki.consolidate()
    assert "## Facts" not in wiki.read(ANNA)
    assert "- Anna, lives in:: Porto" in wiki.read("entries/2026/11/second.md")


def test_a_change_told_in_an_edited_note_is_an_update_and_takes_nothing_back(wiki: Wiki) -> None:
    tell(wiki, "Anna Berg lives in Bern.")
    path = "entries/2026/11/anna-berg-lives-in-bern.md"
    before = wiki.now.isoformat()
    wiki.tick(days=2)
    wiki.write(path, wiki.read(path).replace("Anna Berg lives in Bern.\n", "Anna Berg moved to Porto.\n"))
    wiki.adopt()
    assert values(wiki, "Anna Berg") == ["Porto"]
    assert values(wiki, "Anna Berg", as_of=before) == ["Bern"]


def test_a_deleted_page_takes_back_what_it_told_and_its_return_tells_it_again(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", "Paul lives in Rome.")
    text = wiki.read(ANNA)
    (wiki.root / ANNA).unlink()
    run = wiki.adopt()["run"]
    assert values(wiki, "Anna") == []
    assert values(wiki, "Paul") == ["Rome"]
    wiki.consolidate()
    assert not (wiki.root / ANNA).exists()
    undo.undo(wiki.ws, run)
    assert values(wiki, "Anna") == ["Bern"]
    (wiki.root / ANNA).unlink()
    wiki.adopt()
    assert values(wiki, "Anna") == []
    wiki.write(ANNA, text)
    wiki.adopt()
    assert values(wiki, "Anna") == ["Bern"]
    check_index(wiki)


def test_a_section_its_owner_deleted_stays_deleted_and_corrects_nothing(wiki: Wiki) -> None:
    tell(wiki, "Anna lives in Bern.", source="mail")
    tell(wiki, "Anna lives in Rome.", source="chat")
    wiki.write(ANNA, wiki.read(ANNA).partition("\n## Facts")[0])
    wiki.adopt()
    assert values(wiki, "Anna") == ["Rome"]
    tell(wiki, "Anna lives in Oslo.", source="chat")
    assert "## Facts" not in wiki.read(ANNA)
