"""The view of the wiki: only pages that the notes' words, links or vectors lead to."""

from pathlib import Path

from companion.judges.configured import open_judges
from companion.operations.consolidate.belongs import belongs
from companion.pages.statements import statement_id
from companion.runs.run import open_run
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.collect import _PageTexts, collect_subjects
from companion.subjects.values import About, Note
from tests.wiki import Wiki


def decide(wiki: Wiki, *notes: Note) -> dict[str, tuple[str | None, About]]:
    """Return for each note the title of the page that it is about, and the answer."""
    with open_run(wiki.ws, "consolidate") as run:
        embedder = open_judges(run.config).embedder
        view = collect_subjects(run, notes, embedder)
    decided = decide_aboutness(notes, view)
    answers: dict[str, tuple[str | None, About]] = {}
    for capture, about in decided.items():
        title = None
        if about.entry is not None:
            title = view.subjects[about.entry].title
        answers[capture] = (title, about)
    return answers


def test_names_aliases_links_and_vectors_lead_to_pages(tmp_path: Path) -> None:
    wiki = Wiki.new(
        tmp_path,
        {
            "Anna.md": "---\naliases: [Ännchen]\n---\nAnna lives in Oslo.\n",
            "Boiler.md": "The pressure of the boiler should be 1.5 bar.\n",
            "Zahnarzttermine.md": "Zweimal im Jahr.\n",
        },
    )
    answers = decide(
        wiki,
        Note("a", "Annas Katze ist krank."),
        Note("b", "Ännchen ist krank."),
        Note("c", "Nächster Zahnarzttermin am Freitag."),
        Note("d", "Filled it: [[Boiler]]", links=("Boiler",)),
        Note("e", "the pressure was 0.9 bar, it should be 1.5 bar"),
        Note("f", "An entirely other matter: quarterly taxes are due."),
    )
    assert {note: title for note, (title, _) in answers.items()} == {
        "a": "Anna",
        "b": "Anna",
        "c": "Zahnarzttermine",
        "d": "Boiler",
        "e": "Boiler",
        "f": None,
    }
    assert answers["e"][1].rule == "vector"


PAGES = {
    "Anna.md": "---\naliases: [Ännchen]\n---\nAnna lives in Oslo.\n",
    "Boiler.md": "The pressure of the boiler should be 1.5 bar.\n",
    "Garten.md": "Die Pacht ist im Januar fällig.\n",
}


def test_a_night_s_other_notes_change_nothing(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path, PAGES)
    notes = [
        Note("a", "Annas Katze ist krank."),
        Note("b", "Gartenpacht überwiesen, 455 Euro"),
        Note("c", "the pressure was 0.9 bar, it should be 1.5 bar"),
    ]
    together = decide(wiki, *notes)
    assert [title for title, _ in together.values()] == [
        "Anna",
        "Garten",
        "Boiler",
    ]
    for note in notes:
        assert decide(wiki, note)[note.capture] == together[note.capture]
    assert decide(wiki, *reversed(notes)) == together


def test_a_page_that_is_gone_is_what_nothing_is_about(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path, PAGES)
    note = Note("a", "Annas Katze ist krank.")
    assert decide(wiki, note)["a"][0] == "Anna"
    (wiki.root / "Anna.md").unlink()
    wiki.commit()
    assert decide(wiki, note)["a"][0] is None


def test_what_came_to_a_page_by_nearness_brings_no_more_of_its_kind(
    tmp_path: Path,
) -> None:
    """One note of a printer's spare part brought 140 notes of other spare parts."""
    wiki = Wiki.new(tmp_path)
    told = (
        "# Printer\n\nThe printer stands in the hall.",
        "Printer needs a spare part",
    )
    for text in told:
        wiki.ingest(text)
        wiki.consolidate()
    part = "ask Yusuf for a gasket and a valve"
    moved = str(wiki.ingest(part)[0]["id"])
    wiki.consolidate()
    belongs(wiki.ws, moved[:8], "Printer")
    with open_run(wiki.ws, "consolidate") as run:
        query = "SELECT id FROM entries WHERE title = 'Printer'"
        (entry,) = run.db.execute(query).fetchone()
        as_moved = _PageTexts(run, {statement_id(moved)}).read([entry])[entry]
        as_near = _PageTexts(run, ()).read([entry])[entry]
    own = ("The printer stands in the hall.", told[1])
    assert as_moved.notes == (*own, part)
    assert as_near.notes == own
