"""Undo of nights that begin pages and move blocks: newest first, it gives every tree back."""

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adoption.undo import undo
from companion.pages.statements import read_statements
from tests.wiki import START, Wiki, check_health, check_index

NOTES = (
    "The boiler was serviced in March.",
    "Called about the boiler pressure",
    "the boiler is loud again",
    "Anna has a cold",
    "Dinner with Anna and Paul",
    "Paul is in Rome",
    "Anna's birthday is on 5 May",
    "Anna :: Anna is my sister.",
    "Boiler :: It stands in the cellar.",
    "[[Paul]] moved to Leeds",
    "Watered the garden",
    "The garden is dry",
    "Bought milk",
)
nights = st.lists(
    st.lists(st.sampled_from(NOTES), min_size=1, max_size=4, unique=True),
    min_size=2,
    max_size=5,
)


def tell(wiki: Wiki, day: int, notes: list[str]) -> str | None:
    wiki.now = START + timedelta(days=day)
    for note in notes:
        title, mark, text = note.rpartition(" :: ")
        # no telling of another day is the same note
        wiki.ingest(f"{text} #{day}", **({"title": title} if mark else {}))
    run: str | None = wiki.consolidate()["run"]
    return run


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(nights)
def test_undo_of_each_night_newest_first_gives_the_tree_back(
    days: list[list[str]],
) -> None:
    with TemporaryDirectory() as folder:
        wiki = Wiki.new(Path(folder) / "wiki", {"Garden.md": "# Garden\n"})
        trees = []
        for day, notes in enumerate(days):
            before = wiki.files()
            trees.append((before, tell(wiki, day, notes)))
        after = wiki.files()
        undone = []
        for before, run in reversed(trees):
            wiki.tick()
            undone.append(str(undo(wiki.ws, str(run))["run"]))
            assert wiki.files() == before
        check_index(wiki)
        for run in reversed(undone):
            wiki.tick()
            undo(wiki.ws, run)
        assert wiki.files() == after
        check_index(wiki)
        check_health(wiki)


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def live(wiki: Wiki) -> list[str]:
    return [str(tell(wiki, day, [note])) for day, note in enumerate(NOTES[:3])]


def words_of(wiki: Wiki) -> list[str]:
    """The words of every block in the wiki."""
    words = []
    for path in sorted(wiki.files()):
        words += [one.words for one in read_statements(wiki.read(path))]
    return sorted(words)


def test_undo_of_an_earlier_night_takes_its_block_from_where_it_stands(
    wiki: Wiki,
) -> None:
    runs = live(wiki)
    wiki.tick()
    back = undo(wiki.ws, runs[0])
    assert back["left_out"] == []
    assert words_of(wiki) == [f"{NOTES[1]} #1", f"{NOTES[2]} #2"]
    # its day held nothing else
    assert not (wiki.root / "journal/2026/2026-11-01.md").exists()
    check_index(wiki)
    wiki.tick()
    undo(wiki.ws, str(back["run"]))
    assert len(words_of(wiki)) == 3
    check_index(wiki)
    check_health(wiki)


def test_a_block_that_was_undone_does_not_return_with_a_later_undo(
    wiki: Wiki,
) -> None:
    runs = live(wiki)
    for run in (runs[0], runs[2], runs[1]):
        wiki.tick()
        assert undo(wiki.ws, run)["left_out"] == []
    assert words_of(wiki) == []
    check_index(wiki)
    check_health(wiki)


def test_undo_keeps_a_block_that_a_person_edited_since(wiki: Wiki) -> None:
    runs = live(wiki)
    path = "entries/2026/11/Boiler.md"
    wiki.write(path, wiki.read(path).replace("serviced", "repaired"))
    wiki.commit()
    wiki.adopt()
    wiki.tick()
    for run in (runs[2], runs[0]):
        before = wiki.files()
        done = undo(wiki.ws, run)
        assert [item["path"] for item in done["left_out"]] == [path]
        assert wiki.files() == before
        wiki.tick()
    check_index(wiki)


def test_undo_of_a_begun_page_leaves_what_came_since(wiki: Wiki) -> None:
    runs = live(wiki)
    tell(wiki, 3, ["The boiler is blue"])
    wiki.tick()
    undo(wiki.ws, runs[2])
    page = wiki.read("entries/2026/11/Boiler.md")
    assert [one.words for one in read_statements(page)] == [
        "The boiler is blue #3"
    ]
    for day in (0, 1):
        text = wiki.read(f"journal/2026/2026-11-0{day + 1}.md")
        assert [one.words for one in read_statements(text)] == [
            f"{NOTES[day]} #{day}"
        ]
        assert "Mentions" not in text
    check_index(wiki)
    check_health(wiki)


def test_a_block_that_a_person_moves_is_found_where_it_stands(
    wiki: Wiki,
) -> None:
    live(wiki)
    old = "entries/2026/11/Boiler.md"
    text = wiki.read(old)
    first, second, rest = text.partition("## 2026-11-02")
    wiki.write(old, first)
    wiki.write("entries/2026/11/Pressure.md", second + rest)
    wiki.commit()
    wiki.adopt()
    moved = [line for line in wiki.ledger()[-1] if line["e"] == "moved"]
    assert len(moved) == 2
    check_index(wiki)
    check_health(wiki)
