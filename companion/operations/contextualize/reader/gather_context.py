"""Gather what the wiki shows of its reader around the topic of one source (CTX-5, CTX-7).

Pages are sought by the rare words of the topic through the full-text index, so that a source costs
as much as its neighbourhood, whatever the size of the wiki. Three figures of the whole wiki are
read once a run.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta

from companion.language.protocols import Embedder
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.contextualize.reader.topic import (
    NEAR,
    SourceTopic,
    read_topic,
)
from companion.operations.contextualize.reader.waiting_notes import (
    list_waiting_notes,
)
from companion.operations.contextualize.values import (
    NearNote,
    NearPage,
    NearQuestion,
    ReaderContext,
    Topic,
)
from companion.pages.body import words_beside_statements
from companion.pages.statements import read_statements
from companion.runs.run import Run
from companion.sources.document import Document
from companion.storage.index.tables.captures import (
    list_captures_of_entry,
    list_tellings,
)
from companion.storage.index.tables.pages.neighbourhood import (
    PageAbout,
    count_links_among,
    count_notes,
    find_role,
    list_pages_about,
    list_recent_questions,
)
from companion.storage.index.tables.pages.statements import list_statements_at
from companion.storage.index.tables.pages.words import count_having
from companion.values.time import days_between, format_instant
from companion.values.wording import without_frontmatter

# words by which pages are sought, and pages that all of them together may stand on
_MOST_SOUGHT = 24
_MOST_HAVING = 1_500
# pages that are looked at, and notes that are counted
_MOST_PAGES = 60
_MOST_NOTES = 200
# questions that are held against topics, and for how many days
_MOST_QUESTIONS = 500
_DAYS_OF_QUESTIONS = 180
# days after which a source that nobody opened speaks
_UNOPENED = 30
# characters of a stretch of an owner's page
_STRETCH = 600
_MOST_STRETCHES = 40


class Surroundings:
    """One run's knowledge of the reader; the figures of the whole wiki are read once."""

    def __init__(self, run: Run, embedder: Embedder) -> None:
        """Gather from the index of *run*. Raises ModelUnavailable where the vectors are missing."""
        self._run = run
        self._embedder = (
            embedder
            if isinstance(embedder, StaticEmbedder)
            else StaticEmbedder()
        )
        self._known: dict[str, dict[str, list[str]]] = {}
        self._now = run.present()
        self._waiting = list_waiting_notes(run)
        self._notes = count_notes(run.db) + len(self._waiting)
        self._role = run.config.role or find_role(run.db)
        since = datetime.fromisoformat(self._now) - timedelta(
            days=_DAYS_OF_QUESTIONS
        )
        self._questions = list_recent_questions(
            run.db, format_instant(since), _MOST_QUESTIONS
        )

    def around(
        self,
        document: Document,
        *,
        entry: str,
        recalls: int = 0,
    ) -> ReaderContext:
        """Return what the wiki shows around the topic of *document*.

        *entry* is the page that the source has or will have: it is no evidence for itself.
        *recalls* is how often its original was fetched.
        """
        source = read_topic(document, self._embedder)
        pages = [
            page
            for page in self._find_pages(source.topic)
            if page.entry != entry
        ]
        notes = self._find_notes(source, pages)
        notes += self._find_waiting(source)
        bearers = {note.entry for note in notes} - {""}
        near = [page for page in pages if page.entry in bearers]
        return ReaderContext(
            now=self._now,
            topic=source.topic,
            notes=tuple(notes),
            questions=tuple(self._find_questions(source)),
            pages=tuple(
                NearPage(page.entry, page.title, page.gravity) for page in near
            ),
            links=count_links_among(self._run.db, bearers),
            elsewhere=max(0, self._notes - len(notes)),
            unopened=self._count_unopened(source, pages),
            role=self._role,
            role_nearness=self._measure_role(source),
            recalls=recalls,
        )

    def _find_pages(self, topic: Topic) -> list[PageAbout]:
        """Return the pages that have the rare words of a topic."""
        sought: list[str] = []
        room = _MOST_HAVING
        for word in topic.words:
            having = count_having(self._run.db, word)
            if 0 < having <= room:
                sought.append(word)
                room -= having
            if len(sought) >= _MOST_SOUGHT:
                break
        return list_pages_about(self._run.db, sought, _MOST_PAGES)

    def _find_notes(
        self, source: SourceTopic, pages: Sequence[PageAbout]
    ) -> list[NearNote]:
        """Return what the person wrote on *pages* near a topic, the nearest first."""
        texts: list[tuple[str, str, PageAbout]] = []
        for page in pages:
            if page.kind == "source":
                continue
            for text, key in self._read_notes(page):
                texts.append((text, key, page))
        openings = [text[:_STRETCH] for text, _, _ in texts]
        nearness = source.measure(openings, self._embedder)
        found = []
        for (text, key, page), near in zip(texts, nearness, strict=True):
            if near >= NEAR:
                found.append((-near, page.entry, key, text, page))
        found.sort(key=lambda each: each[:3])
        notes = []
        for less, entry, key, text, page in found[:_MOST_NOTES]:
            told = self._find_time(page, key)
            if told is not None:
                notes.append(NearNote(text, told, -less, entry))
        return notes

    def _find_waiting(self, source: SourceTopic) -> list[NearNote]:
        """Return the notes near a topic that stand on no page yet."""
        openings = [note.text[:_STRETCH] for note in self._waiting]
        nearness = source.measure(openings, self._embedder)
        return [
            NearNote(note.text, note.told, near)
            for note, near in zip(self._waiting, nearness, strict=True)
            if near >= NEAR
        ]

    def _read_notes(self, page: PageAbout) -> Iterator[tuple[str, str]]:
        """Yield (text, id of the statement or empty) of what stands on a page."""
        text = self._run.repo.text(page.blob)
        statements = read_statements(text)
        if not page.managed or not statements:
            whole = without_frontmatter(words_beside_statements(text))
            for stretch in _part_page(whole):
                yield stretch, ""
        for statement in statements:
            yield statement.words, statement.id

    def _find_time(self, page: PageAbout, key: str) -> str | None:
        """Return when the person told a note; None where it is another's word."""
        if not page.managed:
            return page.touched
        if key:
            captures = self._statements(page).get(key, [])
        else:
            captures = list_captures_of_entry(self._run.db, page.entry)
        told = self._list_own_times(captures)
        return max(told) if told else None

    def _statements(self, page: PageAbout) -> dict[str, list[str]]:
        """Return the captures of the statements on a page, by their ids."""
        if page.path not in self._known:
            captures: dict[str, list[str]] = {}
            for one in list_statements_at(self._run.db, page.path):
                captures.setdefault(one.id, []).append(one.capture)
            self._known[page.path] = captures
        return self._known[page.path]

    def _list_own_times(self, captures: Collection[str]) -> list[str]:
        times = []
        for capture in captures:
            for telling in list_tellings(self._run.db, capture):
                if telling.get("agent") is None:
                    time = telling.get("event_time") or telling["seen_at"]
                    times.append(str(time))
        return times

    def _find_questions(self, source: SourceTopic) -> list[NearQuestion]:
        words = [question.words for question in self._questions]
        nearness = source.measure(words, self._embedder)
        found = []
        for question, near in zip(self._questions, nearness, strict=True):
            if near >= NEAR:
                found.append(NearQuestion(*question, near))
        return found

    def _count_unopened(
        self, source: SourceTopic, pages: Sequence[PageAbout]
    ) -> int:
        """Return how many older sources near the topic nobody ever opened."""
        old = []
        for page in pages:
            is_old = days_between(page.since or None, self._now) > _UNOPENED
            if page.kind == "source" and is_old and not page.reads:
                old.append(page.title)
        nearness = source.measure(old, self._embedder)
        return sum(near >= NEAR for near in nearness)

    def _measure_role(self, source: SourceTopic) -> float:
        if not self._role:
            return 0.0
        return source.measure([self._role], self._embedder)[0]


def _part_page(text: str) -> Iterator[str]:
    """Yield stretches of an owner's page: paragraphs, as many as make a note."""
    stretch = ""
    count = 0
    for paragraph in text.split("\n\n"):
        if stretch and len(stretch) + len(paragraph) > _STRETCH:
            yield stretch
            stretch = ""
            count += 1
        if count >= _MOST_STRETCHES:
            return
        stretch = f"{stretch}\n\n{paragraph}".strip()
    if stretch:
        yield stretch
