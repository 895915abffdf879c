"""Gather what the notes of one night may know of the wiki: the pages that their words lead to."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import TypeVar

from companion.comparison.nearest import embed_quantised
from companion.comparison.page_vectors import OPENING, open_page_vectors
from companion.language.names.name_forms import name_forms
from companion.language.protocols import Embedder
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.pages.body import words_beside_statements, words_to_judge
from companion.pages.statements import (
    Statement,
    find_statement,
    read_opening,
    read_statements,
    statement_id,
)
from companion.runs.run import Run
from companion.storage.index.tables.pages.links import list_entries_linked
from companion.storage.index.tables.pages.names import (
    count_pages,
    has_name,
    list_comparable_with_blobs,
    list_names,
    list_names_among,
    list_names_beginning,
    list_subject_pages,
)
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
    list_belongings,
)
from companion.storage.index.tables.pages.words import (
    count_days_having,
    count_having,
    list_entries_matching,
)
from companion.storage.index.terms import fold_text
from companion.subjects.mentions.find_names import list_named
from companion.subjects.near import Measure, PageText, find_near
from companion.subjects.shared_words import WikiWords
from companion.subjects.taught import list_taught_names, list_words
from companion.subjects.values import (
    Name,
    Near,
    Note,
    Subject,
    SubjectsView,
    Taught,
)
from companion.subjects.words import (
    blank_links,
    link_keys,
    list_beginnings,
    list_compound_parts,
    list_telling_words,
    split_words,
)
from companion.values.wording import without_frontmatter

# names of one beginning that are looked at
MOST_NAMES = 100
# pages that a note's vector is held against
MOST_NEAR = 12
# pages that have a word, from which on it is too common to lead to them
MOST_SHARING = 12
# pages and days that have a word, from which on no page is sought by it
MOST_HAVING = 64
# notes of which a person said where they belong that teach, the last ones
MOST_TAUGHT = 200
# words of a note by which pages are sought
_MOST_WORDS = 60
# notes of a page that it is measured by, and characters of each
_FIRST_NOTES = 4
_LAST_NOTES = 8
_MOST_OF_NOTE = 300

_OfPage = TypeVar("_OfPage", Name, Near)


def collect_subjects(
    run: Run,
    notes: Sequence[Note],
    embedder: Embedder | None,
    *,
    without: Collection[str] = (),
) -> SubjectsView:
    """Return what *notes* may know of the wiki; the entries *without* are left out.

    Names are looked up by the words of the notes, never by going through the pages. Without an
    embedder no page is near.
    """
    known = _collect_names(run, notes)
    names = [name for name in known if name.entry not in without]
    meant = _collect_links(run, notes)
    sought = SubjectsView({}, names, meant)
    run.progress.begin("finding names in notes", len(notes))
    named = {}
    for note in notes:
        named[note.capture] = list_named(note, sought)
        run.progress(1)
    run.progress.begin("finding near pages")
    nearest = _collect_near(run, notes, named, embedder, without)
    taught = _collect_taught(run)
    entries = {note.belongs for note in notes if note.belongs is not None}
    entries.update(*meant.values())
    entries.update(one.entry for one in names)
    entries.update(one.entry for one in taught)
    entries.update(one.entry for one in chain(*nearest.values()))
    subjects = _list_subjects(run, entries.difference(without))
    near = {}
    for capture, pages in nearest.items():
        near[capture] = _keep_subjects(pages, subjects)
    return SubjectsView(
        subjects,
        _keep_subjects(names, subjects),
        _keep_known(meant, subjects),
        near,
        taught,
    )


def _list_subjects(run: Run, entries: Iterable[str]) -> dict[str, Subject]:
    """Return those of *entries* that notes may be about."""
    pages = list_subject_pages(run.db, sorted(entries))
    return {
        page.id: Subject(page.id, page.title, page.managed) for page in pages
    }


def _keep_subjects(
    found: Iterable[_OfPage], subjects: Collection[str]
) -> list[_OfPage]:
    """Return those of *found* whose page is among *subjects*."""
    return [one for one in found if one.entry in subjects]


def _collect_taught(run: Run) -> list[Taught]:
    """Return the notes of which a person said last where they belong, with what they teach."""
    taught = []
    texts: dict[str, str] = {}
    for capture, entry in list_belongings(run.db, MOST_TAUGHT):
        placed = find_statement_of_capture(run.db, capture)
        if placed is None or placed.entry != entry or placed.earlier:
            continue  # it was moved back, or on
        if placed.blob not in texts:
            texts[placed.blob] = run.repo.text(placed.blob)
        statement = find_statement(texts[placed.blob], placed.id)
        if statement is None:
            continue
        opening = blank_links(statement.words[:OPENING])
        names = list_taught_names(opening)
        unknown = tuple(key for key in names if not has_name(run.db, key))
        taught.append(
            Taught(capture, placed.entry, list_words(opening), unknown)
        )
    return taught


def _keep_known(
    meant: Mapping[str, tuple[str, ...]], subjects: Mapping[str, Subject]
) -> dict[str, tuple[str, ...]]:
    """Return *meant* with those entries alone that notes may be about."""
    known = {}
    for target, entries in meant.items():
        known[target] = tuple(entry for entry in entries if entry in subjects)
    return known


def _collect_names(run: Run, notes: Sequence[Note]) -> list[Name]:
    beginnings: dict[str, None] = {}
    parts: dict[str, None] = {}
    for note in notes:
        beginnings.update(dict.fromkeys(list_beginnings(note)))
        parts.update(dict.fromkeys(list_compound_parts(note)))
    names = list_names_beginning(run.db, beginnings, MOST_NAMES)
    names += list_names_among(run.db, parts)
    return [Name(key, entry) for key, entry in dict.fromkeys(names)]


def _collect_links(
    run: Run, notes: Sequence[Note]
) -> dict[str, tuple[str, ...]]:
    targets = {target for note in notes for target in note.links}
    meant = {}
    for target in sorted(targets):
        base_key, title_key = link_keys(target)
        meant[target] = tuple(list_entries_linked(run.db, base_key, title_key))
    return meant


def _collect_near(
    run: Run,
    notes: Sequence[Note],
    named: Mapping[str, Sequence[str]],
    embedder: Embedder | None,
    without: Collection[str],
) -> dict[str, list[Near]]:
    """Return the pages that each note may be about, measured; the only place that uses vectors.

    They are the nearest by the vectors of pages, those that have a rare word of the note, and those
    *named*. What is measured is measured by the static vectors of the core install, so that one
    threshold fits, whoever judges else.
    """
    if embedder is None or not notes:
        return {}
    nearest = _find_nearest(run, notes, embedder, without)
    moved = list_belongings(run.db, MOST_TAUGHT)
    pages = _PageTexts(run, {statement_id(capture) for capture, _ in moved})
    static = embedder
    if not isinstance(static, StaticEmbedder):
        static = StaticEmbedder()
    measure = Measure(static)
    common = _CommonWords(run)
    near = {}
    for note in notes:
        capture = note.capture
        opening = _read_opening(note)
        weights = measure.list_words(opening)
        wiki = common.count(list(weights))
        candidates = dict.fromkeys((*named[capture], *nearest[capture]))
        sharing = _list_sharing(run, weights, wiki)
        candidates.update(dict.fromkeys(sharing))
        known = [entry for entry in candidates if entry not in without]
        texts = pages.read(known)
        near[capture] = measure.measure(opening, texts, wiki)
    return near


def _find_nearest(
    run: Run,
    notes: Sequence[Note],
    embedder: Embedder,
    without: Collection[str],
) -> dict[str, list[str]]:
    openings = [_read_opening(note) for note in notes]
    made = embed_quantised(embedder, openings)
    asked = {note.capture: code for note, code in zip(notes, made, strict=True)}

    def list_bearers(blobs: Sequence[str]) -> list[str]:
        """Return the entries that a note may be about whose pages hold *blobs*."""
        found = list_comparable_with_blobs(run.db, blobs)
        return [entry for entry in found if entry not in without]

    with open_page_vectors(run, embedder) as kept:
        return find_near(asked, kept.store.packs(), list_bearers, MOST_NEAR)


def _read_opening(note: Note) -> str:
    """Return the beginning of a note's words: it says there what it is about."""
    text = blank_links(note.text[:OPENING])
    return f"{note.title or ''}\n{text}".strip()


def _list_sharing(
    run: Run, weights: Mapping[str, float], wiki: WikiWords
) -> list[str]:
    """Return the entries that have most of the words that few pages have, by what these tell."""
    found: dict[str, float] = {}
    for word in list(weights)[:_MOST_WORDS]:
        if not 0 < wiki.having.get(word, 0) <= MOST_HAVING:
            continue
        phrase = f'"{fold_text(word)}"'
        sharing = list_entries_matching(run.db, phrase, MOST_SHARING + 1)
        if len(sharing) <= MOST_SHARING:
            for entry in sharing:
                found[entry] = found.get(entry, 0.0) + weights[word]
    best = sorted(found, key=lambda entry: (-found[entry], entry))
    return best[:MOST_SHARING]


class _CommonWords:
    """How many pages have a word, and how many of days; each is looked up once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages = count_pages(run.db)
        self._having: dict[str, int] = {}
        self._on_days: dict[str, int] = {}

    def count(self, words: Sequence[str]) -> WikiWords:
        """Return how common *words* are."""
        for word in words:
            if word not in self._having:
                plain = fold_text(word.removesuffix("'s"))
                self._having[word] = count_having(self._run.db, plain)
                self._on_days[word] = self._count_days(plain)
        return WikiWords(
            self._pages,
            {word: self._having[word] for word in words},
            {word: self._on_days[word] for word in words},
        )

    def _count_days(self, plain: str) -> int:
        """Return how many days have a word; of a common one that all pages that have it are."""
        having = count_having(self._run.db, plain)
        if not 0 < having <= MOST_HAVING:
            return having
        return count_days_having(self._run.db, f'"{plain}"')


class _PageTexts:
    """The texts that pages are measured by; each page is read once.

    Of the notes on a page that count which begins it, those that say its name, and those that a
    person moved there: what came by nearness alone would bring more of its kind.
    """

    def __init__(self, run: Run, moved: Collection[str]) -> None:
        self._run = run
        self._moved = moved  # ids of statements
        self._read: dict[str, PageText] = {}

    def read(self, entries: Sequence[str]) -> dict[str, PageText]:
        """Return the texts of those of *entries* that a note may be about."""
        new = [entry for entry in entries if entry not in self._read]
        for page in list_subject_pages(self._run.db, new):
            names = "\n".join([page.title, *list_names(self._run.db, page.id)])
            self._read[page.id] = self._read_page(names, page.blob)
        return {
            entry: self._read[entry] for entry in entries if entry in self._read
        }

    def _read_page(self, names: str, blob: str) -> PageText:
        text = self._run.repo.text(blob)
        told = [one for one in read_statements(text) if not one.earlier]
        if not told:
            words = without_frontmatter(words_to_judge(text)).strip()
            return PageText(names, _shorten(words), ())
        beside = without_frontmatter(words_beside_statements(text)).strip()
        begins = told[0].id if not read_opening(text).strip() else ""
        own = _OwnNotes(names, {begins, *self._moved})
        chosen = _choose(told, own)
        notes = [one.words[:_MOST_OF_NOTE] for one in chosen]
        return PageText(names, _shorten(beside), tuple(notes))


class _OwnNotes:
    """Take from notes those that are surely of a page: they say a name of it, or are *known*."""

    def __init__(self, names: str, known: Collection[str]) -> None:
        self._known = known
        words = list_telling_words(names) or split_words(names)
        self._forms = frozenset(chain(*map(name_forms, words)))

    def take(self, notes: Iterable[Statement], most: int) -> list[Statement]:
        """Return the first *most* of *notes* that are."""
        return list(islice(filter(self._is_own, notes), most))

    def _is_own(self, note: Statement) -> bool:
        if note.id in self._known:
            return True
        said = split_words(note.words[:_MOST_OF_NOTE])
        return any(not self._forms.isdisjoint(name_forms(w)) for w in said)


def _choose(told: Sequence[Statement], own: _OwnNotes) -> list[Statement]:
    """Return the notes that a page is measured by: the first of its own, and the newest."""
    first = own.take(told, _FIRST_NOTES)
    rest = told[told.index(first[-1]) + 1 :] if first else []
    # the newest notes stand last
    last = own.take(reversed(rest), _LAST_NOTES)
    return [*first, *reversed(last)]


def _shorten(text: str) -> str:
    """Return the first words of a text, and the last ones: those of the newest notes."""
    if len(text) <= 2 * OPENING:
        return text
    return f"{text[:OPENING]}\n{text[-OPENING:]}"
