"""Notes and pages that gathering must bear: odd titles, edits by hand, great sizes."""

import unicodedata
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from companion.answers.claims import answer_question
from companion.pages.statements import read_statements
from tests.statements import list_managed
from tests.wiki import Wiki, check_health, check_index, check_statements


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def decompose(text: str) -> str:
    """Return *text* as file systems of macOS spell it."""
    return unicodedata.normalize("NFD", text)


def live(wiki: Wiki, *days: tuple[str, ...]) -> None:
    """Tell the notes of each day, with a night after it; afterwards all is well."""
    begun = wiki.now
    for day, notes in enumerate(days):
        wiki.now = begun + timedelta(days=day)
        for note in notes:
            wiki.ingest(note)
        wiki.consolidate()
    check_statements(wiki)
    check_index(wiki)
    check_health(wiki)


def words_on(wiki: Wiki) -> dict[str, list[str]]:
    """Return the words of the notes of every page, by its path."""
    pages = list_managed(wiki.files())
    return {
        path: [one.words for one in read_statements(text)]
        for path, text in pages.items()
    }


def text_of(wiki: Wiki) -> str:
    return "\n".join(list_managed(wiki.files()).values())


def test_a_page_that_its_owner_renamed_goes_on_gathering(wiki: Wiki) -> None:
    live(wiki, ("# Anna\n\nAnna is my sister.",))
    old = "entries/2026/11/Anna.md"
    text = wiki.read(old).replace(
        "title: Anna\n", "title: Johanna\naliases: [Anna]\n"
    )
    (wiki.root / old).unlink()
    wiki.write("entries/2026/11/Johanna.md", text)
    wiki.commit()
    wiki.adopt()
    wiki.tick(days=1)
    live(wiki, ("Johanna has a new job",), ("Anna has a cold",))
    words = words_on(wiki)["entries/2026/11/Johanna.md"]
    assert {"Johanna has a new job", "Anna has a cold"} <= set(words)
    assert not (wiki.root / old).exists()


@pytest.mark.parametrize("title", ["2026-11-01", "🎉", "Run"])
def test_a_title_that_is_no_name_gathers_nothing_else(
    wiki: Wiki, title: str
) -> None:
    live(
        wiki,
        (f"# {title}\n\nWhatever I meant by it.",),
        ("We run late again", "Went for a walk", "Party on 2026-11-01 🎉 here"),
    )
    for path, words in words_on(wiki).items():
        if not path.startswith("journal/"):
            assert len(words) < 2, (path, words)


def test_a_note_about_five_things_stands_once(wiki: Wiki) -> None:
    names = ("Anna", "Paul", "Yusuf", "Ingrid", "Mira")
    note = "Dinner with Anna, Paul, Yusuf, Ingrid and Mira"
    live(wiki, tuple(f"# {name}\n\n{name} sings." for name in names), (note,))
    found = [words.count(note) for words in words_on(wiki).values()]
    assert sum(found) == 1


def test_a_deleted_page_takes_no_note_on_another_of_its_kind(
    wiki: Wiki,
) -> None:
    """A note joined the page of another gateway by the words that both have, and went with it."""
    page = (
        "# Liripo Gateway\n\nLiripo Gateway is owned by Sanna Fitama.\n"
        "Liripo Gateway's database is FitisaDB."
    )
    before = "The owner of Gegera Gateway is Jonas Sageke."
    live(
        wiki, (page, before), ("Gegera Gateway is now owned by Sanna Rapari.",)
    )
    (wiki.root / "entries/2026/11/Liripo Gateway.md").unlink()
    wiki.adopt()
    question = "Who owns Gegera Gateway?"
    found = answer_question(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in found["answers"]] == ["Sanna Rapari"]


def test_it_is_said_how_many_notes_a_deleted_page_takes_along(
    wiki: Wiki,
) -> None:
    path = begin_boiler(wiki)
    (wiki.root / path).unlink()
    notes = wiki.adopt()["notes"]
    went = "3 notes went with it, `companion undo` brings them back"
    assert f"{path}: {went}" in notes


def begin_boiler(wiki: Wiki) -> str:
    live(
        wiki,
        ("The boiler was serviced in March.",),
        ("Called about the boiler pressure",),
        ("the boiler is loud again",),
    )
    return "entries/2026/11/Boiler.md"


def test_two_pages_that_their_owner_merged_stay_one(wiki: Wiki) -> None:
    path = begin_boiler(wiki)
    live(wiki, ("# Cellar\n\nIt is damp.",))
    cellar = "entries/2026/11/Cellar.md"
    merged = wiki.read(path).rstrip("\n")
    wiki.write(path, f"{merged}\n\n{wiki.read(cellar).rpartition('---')[2]}")
    (wiki.root / cellar).unlink()
    wiki.commit()
    wiki.adopt()
    wiki.tick(days=1)
    live(wiki, ("a new boiler filter is ordered",))
    assert not (wiki.root / cellar).exists()
    assert "It is damp." in wiki.read(path)
    assert "a new boiler filter is ordered" in wiki.read(path)


def test_a_heading_typed_by_hand_that_looks_like_ours_ends_no_block(
    wiki: Wiki,
) -> None:
    note = "About the boiler:\n\n## 2026-03-02 09:14\n\nIt leaks. ^a1b2c3d4e5f6"
    live(wiki, (note,), ("boiler pressure is low",), ("the boiler is loud",))
    blocks = [w for words in words_on(wiki).values() for w in words]
    assert blocks.count(note) == 1
    assert len(blocks) == 3


def test_names_in_another_case_or_form_are_one_page(wiki: Wiki) -> None:
    composed = "Zoë"
    live(
        wiki,
        (f"# {composed}\n\nShe is my aunt.",),
        (f"# {unicodedata.normalize('NFD', composed)}\n\nShe is in Rome.",),
        ("# ZOË\n\nShe is back.",),
    )
    names = [
        unicodedata.normalize("NFC", path.rpartition("/")[2]).casefold()
        for path in list_managed(wiki.files())
    ]
    assert len(names) == len(set(names)), names
    assert len(names) == 1


def test_a_note_of_a_megabyte_stands_whole_on_its_day(wiki: Wiki) -> None:
    note = "the boiler hums and hums\n" * 40_000
    live(wiki, (note,), ("boiler pressure is low",))
    assert text_of(wiki).count("the boiler hums and hums") >= 40_000


def test_two_people_of_one_first_name_stay_apart(wiki: Wiki) -> None:
    live(
        wiki,
        (
            "# Anna Berg\n\nAnna Berg plays the cello and lives by the lake.",
            "# Anna Vogt\n\nAnna Vogt keeps bees and lives by the mill.",
        ),
        ("Anna is on holiday",),
    )

    [on_day] = [
        path
        for path, words in words_on(wiki).items()
        if "Anna is on holiday" in words
    ]
    assert on_day.startswith("journal/")


def test_a_page_that_its_owner_split_in_two_keeps_every_note_once(
    wiki: Wiki,
) -> None:
    path = begin_boiler(wiki)
    text = wiki.read(path)
    last = read_statements(text)[-1]
    lines = text.split("\n")
    moved = lines[last.start : last.stop]
    del lines[last.start : last.stop]
    wiki.write(path, "\n".join(lines))
    # as a person does it: a page of their own, without frontmatter
    wiki.write("Boiler noise.md", "# Boiler noise\n\n" + "\n".join(moved))
    wiki.commit()
    wiki.adopt()
    wiki.tick(days=1)
    live(wiki, ("a new boiler filter is ordered",))

    everything = "\n".join(
        data.decode() for path, data in wiki.files().items() if ".md" in path
    )
    assert everything.count("\nthe boiler is loud again") == 1
    assert "the boiler is loud again" in wiki.read("Boiler noise.md")
    assert "a new boiler filter is ordered" in wiki.read(path)


@pytest.mark.parametrize("spell", [str.lower, decompose])
def test_a_file_system_that_spells_a_name_otherwise_makes_no_second_page(
    wiki: Wiki, spell: Callable[[str], str]
) -> None:
    live(wiki, ("# Zoë\n\nShe is my aunt.",))
    old = "entries/2026/11/Zoë.md"
    new = f"entries/2026/11/{spell('Zoë')}.md"
    (wiki.root / old).rename(wiki.root / new)
    wiki.tick(days=1)
    # until the new name is adopted the note waits, and says for what
    wiki.ingest("Zoë is in Rome")
    (waits,) = wiki.consolidate()["waiting"]
    assert "not adopted yet" in waits["reason"]
    wiki.adopt()
    wiki.tick(days=1)
    live(wiki, ("Zoë is back",))

    [(path, words)] = words_on(wiki).items()
    assert path == new
    assert words[-2:] == ["Zoë is in Rome", "Zoë is back"]
