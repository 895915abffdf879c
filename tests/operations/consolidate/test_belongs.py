"""A person says where a note belongs: it moves there, and an undo takes it back."""

from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.lookup.find import NothingFound
from companion.operations.consolidate.belongs import (
    CannotMove,
    NotANote,
    belongs,
)
from companion.pages.statements import read_mentions, read_statements
from tests.wiki import Wiki, check_index

DAY = "journal/2026/2026-11-01.md"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Anna\n\nAnna is my sister.")
    wiki.consolidate()
    return wiki


def tell(wiki: Wiki, text: str) -> str:
    return str(wiki.ingest(text)[0]["id"])


def path_of(wiki: Wiki, title: str) -> str:
    return next(
        str(path.relative_to(wiki.root))
        for path in sorted((wiki.root / "entries").rglob("*.md"))
        if f"title: {title}" in path.read_text()
    )


def page_of(wiki: Wiki, note: str) -> str:
    return str(wiki.show(wiki.show(note)["entry"])["path"])


def test_a_note_moves_to_the_page_it_is_said_to_belong_on(wiki: Wiki) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    tell(wiki, "bought a saw")
    wiki.consolidate()

    done = belongs(wiki.ws, note[:8], "Anna")

    anna = path_of(wiki, "Anna")
    assert (done["path"], done["moved_from"]) == (anna, DAY)
    words = [one.words for one in read_statements(wiki.read(anna))]
    assert words == ["Anna is my sister.", "she wants the keys back by Friday"]
    assert [one.words for one in read_statements(wiki.read(DAY))] == [
        "bought a saw"
    ]
    assert [one.page for one in read_mentions(wiki.read(DAY))] == ["Anna"]
    assert wiki.events("belongs")[0]["entry"] == done["entry"]
    check_index(wiki)
    assert wiki.show(note)["entry"] == done["entry"]


def test_lines_for_a_note_follow_it_when_it_moves_again(wiki: Wiki) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    tell(wiki, "bought a saw")
    wiki.ingest("# Paul\n\nPaul is my brother.")
    wiki.consolidate()
    belongs(wiki.ws, note, "Anna")
    wiki.tick()
    before = wiki.files()

    done = belongs(wiki.ws, note, "Paul")

    assert [one.page for one in read_mentions(wiki.read(DAY))] == ["Paul"]
    check_index(wiki)
    wiki.tick()
    undo(wiki.ws, str(done["run"]))
    assert wiki.files() == before
    check_index(wiki)


def test_an_undo_puts_it_back(wiki: Wiki) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    wiki.consolidate()
    before = wiki.files()
    done = belongs(wiki.ws, note, "Anna")

    undo(wiki.ws, str(done["run"]))

    after = wiki.files()
    ledger = ".companion/ledger/"
    assert {
        path: text for path, text in after.items() if ledger not in path
    } == {path: text for path, text in before.items() if ledger not in path}
    check_index(wiki)
    assert page_of(wiki, note) == DAY


def test_a_new_title_begins_a_page_and_a_slip_is_asked_about(
    wiki: Wiki,
) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    wiki.consolidate()

    with pytest.raises(NothingFound) as slip:
        belongs(wiki.ws, note, "Annna")
    done = belongs(wiki.ws, note, "Keys")

    assert "'Anna'" in str(slip.value.hint)
    assert done["begun"]
    assert [one.words for one in read_statements(wiki.read(done["path"]))] == [
        "she wants the keys back by Friday"
    ]
    check_index(wiki)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("to Anna", "Anna"),
        ("to anna", "Anna"),
        ("to Keys", "Keys"),
        ("to do", "to do"),
    ],
)
def test_it_may_be_said_to_belong_to_a_page(
    wiki: Wiki, said: str, title: str
) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    wiki.consolidate()

    assert belongs(wiki.ws, note, said)["title"] == title


def test_a_note_that_waits_goes_there_with_the_next_night(wiki: Wiki) -> None:
    note = tell(wiki, "she wants the keys back by Friday")

    done = belongs(wiki.ws, note, "Anna")
    wiki.consolidate()

    assert done["moved_from"] is None
    assert page_of(wiki, note) == path_of(wiki, "Anna")
    assert wiki.events("consumed")[-1]["rule"] == "person"


def test_a_page_of_one_note_goes_with_its_note(wiki: Wiki) -> None:
    note = tell(wiki, "# Keys\n\nThe keys hang by the door.")
    wiki.consolidate()
    keys = path_of(wiki, "Keys")

    belongs(wiki.ws, note, "Anna")

    assert not (wiki.root / keys).exists()
    words = [
        one.words for one in read_statements(wiki.read(path_of(wiki, "Anna")))
    ]
    assert words == ["Anna is my sister.", "The keys hang by the door."]
    check_index(wiki)


def test_what_cannot_move_is_said(wiki: Wiki) -> None:
    note = tell(wiki, "she wants the keys back by Friday")
    wiki.write("Paul.md", "# Paul\n\nMy own page.\n")
    wiki.commit()
    wiki.consolidate()

    with pytest.raises(CannotMove):
        belongs(wiki.ws, note, "Paul")
    with pytest.raises(NotANote):
        belongs(wiki.ws, "Anna", "Paul")


def test_a_day_of_one_note_takes_a_second(wiki: Wiki) -> None:
    tell(wiki, "bought a saw")
    wiki.consolidate()
    tell(wiki, "rain since noon")
    wiki.consolidate()

    assert [one.words for one in read_statements(wiki.read(DAY))] == [
        "bought a saw",
        "rain since noon",
    ]


def test_a_note_of_a_day_has_the_day_as_its_heading(wiki: Wiki) -> None:
    wiki.ingest("bought a saw", event_time="2026-10-05T00:00:00Z")
    wiki.consolidate()

    [saw] = read_statements(wiki.read("journal/2026/2026-10-05.md"))

    assert (saw.when, saw.words) == ("2026-10-05", "bought a saw")
