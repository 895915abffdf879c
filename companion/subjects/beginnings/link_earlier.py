"""Link the notes of other pages that name a page begun tonight, as if it had been there before.

Cost is bounded: of the pages that have the words of the title the newest are read, once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.comparison.pending import Home, Move, TitledPage
from companion.pages import links
from companion.pages.statements import read_statements
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.statements import list_statements_at
from companion.storage.index.tables.pages.words import list_subjects_matching
from companion.subjects.beginnings.third_note import Beginning
from companion.subjects.day_pages import make_phrase
from companion.subjects.gathering import Block
from companion.subjects.mentions.find_names import find_names
from companion.subjects.values import Name, Note, Subject, SubjectsView

# pages that are looked at for each page that begins, the newest ones
MOST_PAGES = 20
# their notes that the new page links, the newest ones
MOST_NOTES = 20


def link_earlier(
    run: Run, begun: Iterable[Home], moved: Collection[str]
) -> list[Move]:
    """Return how the pages *begun* tonight link notes that stand on pages of other subjects.

    The notes *moved* tonight stand elsewhere by then.
    """
    linked: list[Move] = []
    for home in begun:
        key = links.title_key(home.title)
        found: list[Move] = []
        phrase = make_phrase(key)
        for entry in list_subjects_matching(run.db, phrase, MOST_PAGES):
            row = find_entry(run.db, entry)
            if row is not None:
                found += _link_notes(run, row, home, moved)
        found.sort(key=lambda move: (move.told_at, move.capture))
        linked += found[-MOST_NOTES:]
    return linked


def link_leaving(
    beginning: Beginning,
    home: Home,
    blocks: Mapping[str, Block],
    goes_to: Mapping[str, Home],
) -> list[Move]:
    """Return how the page *home* links the earlier notes that name it and go to another page."""
    linked = []
    for note in beginning.others:
        other = goes_to.get(note.capture)
        if note.new or other is None:
            continue
        block = blocks[note.capture]
        source = TitledPage(other.entry, other.path, "", True, other.title)
        linked.append(
            Move(
                note.capture,
                block.words,
                block.when,
                block.placed.told_at,
                source,
                home.entry,
                stays=True,
            )
        )
    return linked


def names_page(text: str, entry: str, title: str) -> bool:
    """Tell whether the note *text* names the page *title*: "Anna Karenina" does not name Anna."""
    subjects = {entry: Subject(entry, title, managed=True)}
    view = SubjectsView(subjects, [Name(links.title_key(title), entry)])
    return any(not spot.another for spot in find_names(Note("", text), view))


def _link_notes(
    run: Run, row: EntryRow, home: Home, moved: Collection[str]
) -> Sequence[Move]:
    """Return how *home* links the notes of the page *row* that name it."""
    standing = {
        one.id: one
        for one in list_statements_at(run.db, row.path)
        if one.stands and one.capture not in moved
    }
    source = TitledPage(row.id, row.path, row.blob, True, row.title)
    linked = []
    for statement in read_statements(run.repo.text(row.blob, exact=True)):
        placed = standing.get(statement.id)
        if placed is None:
            continue
        if names_page(statement.words, home.entry, home.title):
            linked.append(
                Move(
                    placed.capture,
                    statement.words,
                    statement.when,
                    placed.told_at,
                    source,
                    home.entry,
                    stays=True,
                )
            )
    return linked
