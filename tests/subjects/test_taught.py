"""What a person said of one note teaches where notes much like it go."""

from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.judges.configured import open_judges
from companion.operations.consolidate.belongs import belongs
from companion.runs.run import open_run
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.collect import collect_subjects
from companion.subjects.taught import find_alike, list_taught_names, list_words
from companion.subjects.values import About, Note, Taught
from tests.wiki import Wiki

MOVED = "ladder is with Farida until Sunday, she paints the stairwell"


def taught(text: str, entry: str, capture: str = "a") -> Taught:
    return Taught(capture, entry, list_words(text))


def decide(wiki: Wiki, text: str) -> tuple[str | None, About]:
    """Return the title of the page that a note is about, and the answer."""
    with open_run(wiki.ws, "consolidate") as run:
        embedder = open_judges(run.config).embedder
        view = collect_subjects(run, [Note("n", text)], embedder)
    about = decide_aboutness([Note("n", text)], view)["n"]
    if about.entry is None:
        return None, about
    return view.subjects[about.entry].title, about


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Attic\n\nThe third bedroom.", "# Boiler\n\nIn the cellar.")
    wiki.consolidate()
    return wiki


def test_a_note_much_like_one_that_a_person_moved_goes_there(
    wiki: Wiki,
) -> None:
    note = str(wiki.ingest(MOVED)[0]["id"])
    wiki.consolidate()
    like = "ladder is with Farida until Tuesday, she paints the ceiling"
    assert decide(wiki, like)[0] is None

    done = belongs(wiki.ws, note[:8], "Attic")

    title, about = decide(wiki, like)
    assert (title, about.rule) == ("Attic", "person")
    assert note[:12] in about.reason
    assert decide(wiki, "bread, milk and a birthday card")[0] is None

    undo(wiki.ws, str(done["run"]))
    assert decide(wiki, like)[0] is None


def test_a_name_that_no_page_has_is_as_good_as_an_alias(wiki: Wiki) -> None:
    note = str(wiki.ingest(MOVED)[0]["id"])
    wiki.consolidate()
    belongs(wiki.ws, note[:8], "Attic")

    title, about = decide(wiki, "Farida has finished")
    assert (title, about.rule) == ("Attic", "person")
    assert note[:12] in about.reason
    # said in passing it decides nothing
    assert decide(wiki, "a novel that was good, says Farida")[0] is None

    wiki.ingest("# Farida\n\nShe lives at number 31.")
    wiki.consolidate()
    assert decide(wiki, "Farida has finished")[0] == "Farida"


def test_notes_that_two_pages_teach_differently_teach_nothing() -> None:
    one = taught("the key to the shed is gone", "Shed", "a")
    other = taught("the key to the shed is gone again", "Keys", "b")
    text = "key to the shed is gone"
    assert find_alike(text, [one]) == one
    assert find_alike(text, [one, other]) is None


def test_a_note_that_begins_with_another_name_is_not_alike() -> None:
    one = taught("Farida called about the garden keys", "Garden")
    assert find_alike("Farida rang about the garden keys", [one]) == one
    assert find_alike("Oskar called about the garden keys", [one]) is None


def test_numbers_do_not_part_notes() -> None:
    one = taught("meter reading 4711, cellar", "Water")
    assert find_alike("meter reading 4802, cellar", [one]) == one
    # one word is too little to be like
    assert find_alike("meter", [one]) is None


def test_names_are_those_that_surely_are_some() -> None:
    assert list_taught_names("Frau Vogt hat angerufen") == ["vogt"]
    assert list_taught_names("ask Patel for the part") == ["patel"]
    assert list_taught_names("Lunch with the neighbours") == []
