"""Nights in which a thing gets its page: blocks move there, and their days keep a line."""

from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.pages.ids import subject_id
from companion.pages.statements import read_mentions, read_statements
from companion.subjects.beginnings import begin_pages
from tests.wiki import (
    START,
    Wiki,
    check_health,
    check_index,
    check_statements,
)

DAY = "journal/2026/2026-11-{:02}.md"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def live(wiki: Wiki, *days: tuple[str, ...]) -> list[str]:
    """Tell the notes of each day, with a night after it; the runs."""
    runs = []
    for day, notes in enumerate(days):
        wiki.now = START + timedelta(days=day)
        for note in notes:
            title, mark, text = note.rpartition(" :: ")
            wiki.ingest(text, **({"title": title} if mark else {}))
        runs.append(str(wiki.consolidate()["run"]))
    return runs


BOILER = (
    ("The boiler was serviced in March.",),
    ("Called about the boiler pressure",),
    ("the boiler is loud again",),
)


def test_the_third_note_on_two_days_begins_a_page(wiki: Wiki) -> None:
    live(wiki, *BOILER)
    page = wiki.read("entries/2026/11/Boiler.md")
    assert page.startswith(
        f"---\nid: {subject_id('subject', 'boiler')}\ntype: subject\n"
        "title: Boiler\ncreated: 2026-11-01\n---\n"
    )
    assert [one.words for one in read_statements(page)] == [
        note for (note,) in BOILER
    ]
    for day in (1, 2):
        text = wiki.read(DAY.format(day))
        assert read_statements(text) == []
        (line,) = read_mentions(text)
        assert (line.page, line.words) == (
            "Boiler",
            BOILER[day - 1][0].rstrip("."),
        )
    assert not (wiki.root / DAY.format(3)).exists()
    moved = wiki.events("moved")
    assert [line["from"] for line in moved] == [
        subject_id("day", "2026-11-01"),
        subject_id("day", "2026-11-02"),
    ]
    check_index(wiki)
    check_health(wiki)


def test_a_titled_note_and_one_about_the_page_grow_it_in_one_night(
    wiki: Wiki,
) -> None:
    live(
        wiki,
        *BOILER,
        (
            "The boiler is hot",
            "Boiler :: It stands in the cellar.",
            "The boiler is old",
        ),
    )
    page = wiki.read("entries/2026/11/Boiler.md")
    assert [one.words for one in read_statements(page)][3:] == [
        "The boiler is hot",
        "It stands in the cellar.",
        "The boiler is old",
    ]
    check_index(wiki)


def test_a_dry_run_says_what_would_begin(wiki: Wiki) -> None:
    live(wiki, *BOILER[:2])
    wiki.now = START + timedelta(days=2)
    wiki.ingest(*BOILER[2])
    done = wiki.consolidate(dry_run=True)
    assert done["notes"] == [
        "moves 2 earlier notes to entries/2026/11/Boiler.md"
    ]
    (item,) = done["integrated"]
    assert item["title"] == "Boiler"
    assert item["reason"].startswith(
        "Page begun: third note on two days names it."
    )


def test_notes_find_the_page_that_a_titled_note_makes(wiki: Wiki) -> None:
    live(
        wiki,
        ("Anna lives in Oslo",),
        ("Anna :: Anna is my sister.", "Dinner with Anna"),
    )
    page = wiki.read("entries/2026/11/Anna.md")
    assert [one.words for one in read_statements(page)] == [
        "Anna lives in Oslo",
        "Anna is my sister.",
    ]
    assert read_statements(wiki.read(DAY.format(1))) == []
    # what names her in passing stays on its day
    (line,) = read_mentions(page)
    assert (line.page, line.words) == ("2026-11-02", "Dinner with Anna")
    check_index(wiki)
    check_health(wiki)


def test_a_block_that_a_person_edited_stays_and_is_linked(wiki: Wiki) -> None:
    live(wiki, *BOILER[:2])
    path = DAY.format(1)
    mine = wiki.read(path).replace("in March", "in April")
    wiki.write(path, mine)
    wiki.commit()
    wiki.now = START + timedelta(days=2)
    wiki.ingest(*BOILER[2])
    wiki.consolidate()
    page = wiki.read("entries/2026/11/Boiler.md")
    assert len(read_statements(page)) == 2
    (line,) = read_mentions(page)
    assert line.page == "2026-11-01"
    assert wiki.read(path) == mine
    check_index(wiki)


def test_a_private_note_neither_counts_nor_moves(wiki: Wiki) -> None:
    live(wiki, *BOILER[:2])
    wiki.now = START + timedelta(days=2)
    wiki.ingest(*BOILER[2], scope="private")
    wiki.consolidate()
    assert not (wiki.root / "entries").exists()
    assert wiki.events("moved") == []


def test_a_page_that_its_owner_deleted_is_not_made_again(wiki: Wiki) -> None:
    live(wiki, *BOILER)
    (wiki.root / "entries/2026/11/Boiler.md").unlink()
    wiki.commit()
    wiki.now = START + timedelta(days=3)
    wiki.ingest("the boiler is hot", "The boiler is cold", "the boiler is old")
    wiki.consolidate()
    wiki.now = START + timedelta(days=4)
    wiki.ingest("the boiler is blue")
    wiki.consolidate()
    assert not (wiki.root / "entries/2026/11/Boiler.md").exists()


def test_a_note_that_is_about_its_link_begins_a_page(wiki: Wiki) -> None:
    live(wiki, ("[[Boiler]] serviced today", "see [[Kettle]] some day"))
    assert (wiki.root / "entries/2026/11/Boiler.md").exists()
    assert not (wiki.root / "entries/2026/11/Kettle.md").exists()


def test_notes_about_a_page_of_theirs_gather_beside_it(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Garden.md": "# Garden\n\nMine.\n"})
    live(
        wiki,
        ("The garden is dry",),
        ("Planted beans in the garden",),
        ("The garden is full of snails",),
        ("Watered the garden",),
    )
    page = wiki.read("entries/2026/11/Garden (notes).md")
    assert "title: Garden (notes)\n" in page
    assert "Your own note: [[Garden]]." in page
    assert len(read_statements(page)) == 4
    assert wiki.read("Garden.md") == "# Garden\n\nMine.\n"
    check_index(wiki)
    check_health(wiki)


def test_the_page_says_the_same_in_whatever_order_notes_arrive(
    tmp_path: Path,
) -> None:
    told = [
        (note, f"2026-11-0{day + 1}T09:00:00.000000Z")
        for day, (note,) in enumerate(BOILER)
    ]
    pages = set()
    for number, order in enumerate(permutations(told)):
        wiki = Wiki.new(tmp_path / str(number))
        wiki.now = START + timedelta(days=9)
        for note, time in order:
            wiki.ingest(note, event_time=time)
            wiki.consolidate()
        pages.add(wiki.read("entries/2026/11/Boiler.md"))
        check_index(wiki)
    assert len(pages) == 1


@pytest.mark.parametrize("size", [0, 1])
def test_a_file_without_a_byte_is_filled_and_one_byte_is_theirs(
    tmp_path: Path, size: int
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Boiler.md": "\n" * size})
    live(wiki, ("The boiler is loud",))
    text = wiki.read("Boiler.md")
    if size:
        assert text == "\n"
        return
    assert [one.words for one in read_statements(text)] == [
        "The boiler is loud"
    ]
    check_index(wiki)
    wiki.tick(days=1)
    wiki.ingest("The boiler is hot")
    wiki.consolidate()
    assert len(read_statements(wiki.read("Boiler.md"))) == 2
    check_index(wiki)
    check_health(wiki)


def test_undo_empties_a_page_that_was_filled(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Boiler.md": ""})
    run = live(wiki, ("The boiler is loud",))[0]
    wiki.tick()
    undo(wiki.ws, run)
    assert wiki.read("Boiler.md") == ""
    check_index(wiki)
    check_health(wiki)


def test_undo_puts_the_blocks_back(wiki: Wiki) -> None:
    runs = live(wiki, *BOILER[:2])
    before = wiki.files()
    wiki.now = START + timedelta(days=2)
    wiki.ingest(*BOILER[2])
    runs.append(str(wiki.consolidate()["run"]))
    after = wiki.files()
    wiki.tick()
    back = undo(wiki.ws, runs[-1])
    assert wiki.files() == before
    day = subject_id("day", "2026-11-01")
    assert wiki.ledger()[-1][-2]["entry"] == day
    check_index(wiki)
    wiki.tick()
    undo(wiki.ws, str(back["run"]))
    assert wiki.files() == after
    check_index(wiki)
    check_health(wiki)


def test_a_note_that_goes_on_with_one_that_begins_a_page_goes_there(
    wiki: Wiki,
) -> None:
    live(wiki, *BOILER[:2])
    wiki.now = START + timedelta(days=2)
    wiki.ingest("the boiler is loud again")
    for minutes, words in ((6, "It drips at the back."), (45, "It rained.")):
        wiki.now = START + timedelta(days=2, minutes=minutes)
        wiki.ingest(words)
    wiki.consolidate()
    page = wiki.read("entries/2026/11/Boiler.md")
    assert [one.words for one in read_statements(page)][-2:] == [
        "the boiler is loud again",
        "It drips at the back.",
    ]
    assert "It rained." in wiki.read(DAY.format(3))
    check_index(wiki)


def test_a_note_that_goes_on_with_a_titled_one_of_tonight_goes_there(
    wiki: Wiki,
) -> None:
    wiki.ingest("Anna moved to Oslo.", title="Anna")
    wiki.now = START + timedelta(minutes=6)
    wiki.ingest("She is allergic to walnuts.")
    wiki.consolidate()
    words = [one.words for one in read_statements(wiki.read(page_of(wiki)))]
    assert words[-1] == "She is allergic to walnuts."


def test_a_block_that_two_pages_of_one_night_want_stands_once(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Garden.md": "# Garden\n\nMine.\n"})
    live(
        wiki,
        ("The garden is dry, the boiler was serviced",),
        ("Planted beans in the garden, called about the boiler",),
        ("the boiler is loud again", "The garden is full of snails"),
    )
    check_statements(wiki)
    assert len(read_statements(wiki.read("entries/2026/11/Boiler.md"))) == 3


def page_of(wiki: Wiki) -> str:
    (path,) = (
        path.relative_to(wiki.root).as_posix()
        for path in wiki.root.rglob("Anna.md")
    )
    return path


def test_a_block_that_goes_on_with_one_that_moves_goes_with_it(
    wiki: Wiki,
) -> None:
    for day, *notes in (
        (0, "Frau Vogt ist allergisch gegen Katzen.", "Sie gießt die Blumen."),
        (1, "Frau Vogt hat nach dem Schlüssel gefragt."),
        (2, "Frau Vogt hat den Schlüssel zurückgegeben."),
    ):
        for number, words in enumerate(notes):
            wiki.now = START + timedelta(days=day, minutes=6 * number)
            wiki.ingest(words)
        wiki.consolidate()
    page = wiki.read("entries/2026/11/Frau Vogt.md")
    assert [one.words for one in read_statements(page)][:2] == [
        "Frau Vogt ist allergisch gegen Katzen.",
        "Sie gießt die Blumen.",
    ]
    assert [one.page for one in read_mentions(wiki.read(DAY.format(1)))] == [
        "Frau Vogt",
        "Frau Vogt",
    ]
    check_index(wiki)
    check_health(wiki)


def test_a_name_that_begins_two_notes_and_stands_within_one_begins_a_page(
    wiki: Wiki,
) -> None:
    live(
        wiki,
        ("Tür zu, damit Mimi nicht in den Flur läuft.",),
        ("Mimi frisst das neue Futter nicht.",),
        ("Mimi beim Tierarzt, alles gut.",),
    )
    page = wiki.read("entries/2026/11/Mimi.md")
    assert len(read_statements(page)) == 3


def test_verbs_that_begin_notes_begin_no_page(wiki: Wiki) -> None:
    live(
        wiki,
        ("Called the bank.", "Bought stamps"),
        ("Called home", "Bought bread"),
        ("Called Ida about it.", "Bought a lamp", "He called again."),
    )
    assert not list(wiki.root.rglob("Called.md"))
    assert not list(wiki.root.rglob("Bought.md"))


def test_notes_behind_those_that_decide_move_too(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begin_pages, "LOOKED", 2)
    first = (
        "The boiler was serviced in March.",
        "Called about the boiler pressure",
        "the boiler is loud again",
        "need a part for the boiler",
    )
    live(wiki, first, ("the boiler is fine now",))

    page = wiki.read("entries/2026/11/Boiler.md")
    told = [one.words for one in read_statements(page)]
    assert told == [*first, "the boiler is fine now"]
    check_index(wiki)
    check_health(wiki)


def test_a_thing_with_an_umlaut_is_found_on_earlier_days(wiki: Wiki) -> None:
    live(
        wiki,
        ("Der Rasenmäher springt nicht an.",),
        ("Zündkerze am Rasenmäher gewechselt.",),
        ("Der Rasenmäher braucht ein neues Messer.",),
    )

    page = wiki.read("entries/2026/11/Rasenmäher.md")
    assert len(read_statements(page)) == 3


def test_whom_another_page_names_by_the_way_gets_a_page(wiki: Wiki) -> None:
    live(
        wiki,
        ("The allotment shed has a leak", "Dug over half of the allotment"),
        (
            "Nora painted the allotment shed green",
            "Nora planted beans at the allotment",
        ),
        ("Nora has shingles",),
        ("Nora went back to work",),
        ("Nora turned sixty",),
    )
    page = read_statements(wiki.read("entries/2026/11/Nora.md"))
    words = [one.words for one in page]
    assert words[-3:] == [
        "Nora has shingles",
        "Nora went back to work",
        "Nora turned sixty",
    ]
