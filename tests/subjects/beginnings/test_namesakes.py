"""Two people of one name get two pages, and a note of one does not join the other's."""

from pathlib import Path

import pytest

from companion.subjects.mentions.namesakes import find_which, is_namesake
from tests.subjects.beginnings.test_begin_pages import live
from tests.wiki import Wiki, check_health, check_index


@pytest.mark.parametrize(
    ("text", "key", "form"),
    [
        ("Mit Anna aus dem Chor geprobt", "anna chor", "Anna aus dem Chor"),
        ("Anna vom Sport ist da", "anna sport", "Anna vom Sport"),
        ("Ben from the office rang", "ben office", "Ben from the office"),
        ("Brief an Herrn Weber", "sir weber", "Herr Weber"),
        ("Mrs. Weber called", "madam weber", "Mrs. Weber"),
        ("Frau Dr. Klein ist da", "madam klein", "Frau Dr. Klein"),
    ],
)
def test_a_note_says_which_of_a_name_it_means(
    text: str, key: str, form: str
) -> None:
    (which,) = find_which(text)

    assert (which.key, which.form) == (key, form)


@pytest.mark.parametrize(
    "text", ["Anna hat Fieber", "Anna aus Bergen", "she came from the office"]
)
def test_a_name_alone_says_nothing_of_it(text: str) -> None:
    assert find_which(text) == ()


def test_what_says_otherwise_is_of_a_namesake() -> None:
    assert is_namesake("Herr Weber zahlt", "Frau Weber")
    assert is_namesake("Anna von der Arbeit ruft an", "Anna aus dem Chor")
    assert not is_namesake("Frau Weber zahlt", "Frau Weber")
    assert not is_namesake("Weber zahlt", "Frau Weber")
    assert not is_namesake("Herr Weber zahlt", "Weber")


def test_another_number_is_another_of_the_kind() -> None:
    assert is_namesake("Volk 5 ist stark", "Volk 3")
    assert not is_namesake("Volk 3 und Volk 5 sind stark", "Volk 3")
    assert not is_namesake("Das Volk ist stark", "Volk 3")
    assert not is_namesake("Volk 03 ist stark", "Volk 3")


CHOIR = (
    "Anna aus dem Chor hat die Noten.",
    "Anna aus dem Chor singt jetzt Alt.",
    "Mit Anna aus dem Chor geprobt.",
)
WORK = (
    "Anna von der Arbeit ist krank.",
    "Mittag mit Anna von der Arbeit.",
    "Anna von der Arbeit geht im Mai.",
)


def test_two_of_one_first_name_get_two_pages(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    live(wiki, *zip(CHOIR, WORK, strict=True))

    for title, notes in (
        ("Anna aus dem Chor", CHOIR),
        ("Anna von der Arbeit", WORK),
    ):
        page = wiki.read(f"entries/2026/11/{title}.md")
        assert all(note in page for note in notes), page
    assert not (wiki.root / "entries/2026/11/Anna.md").exists()
    check_index(wiki)
    check_health(wiki)


def test_frau_and_herr_weber_get_two_pages(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    live(
        wiki,
        ("Frau Weber hat angerufen.", "Herr Weber will die Hecke schneiden."),
        ("Brief an Frau Weber geschickt.", "Herr Weber war im Garten."),
        ("Frau Weber zahlt im Juni.", "Rechnung an Herrn Weber geschickt."),
        ("Herr Weber zahlt nicht.",),
    )

    hers = wiki.read("entries/2026/11/Frau Weber.md")
    his = wiki.read("entries/2026/11/Herr Weber.md")
    assert "Herr" not in hers
    assert "Frau" not in his
    assert "Herr Weber zahlt nicht." in his
