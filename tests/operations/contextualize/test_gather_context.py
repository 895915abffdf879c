"""What the wiki shows of its person around a topic: whose notes count, and what it costs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.language.vectors.static_vectors import StaticEmbedder
from companion.lookup.search import search_wiki
from companion.operations.contextualize.fitting.fit import fit
from companion.operations.contextualize.reader.depth import choose_depth
from companion.operations.contextualize.reader.gather_context import (
    Surroundings,
)
from companion.operations.contextualize.values import Linkout, ReaderContext
from companion.runs.run import Run, open_run
from companion.sources.document import Document
from companion.storage.git import capture_buffer
from companion.usage.record_read import record_search
from tests.operations.contextualize.test_fit import RECORD
from tests.wiki import Wiki

EMBEDDER = StaticEmbedder()
LONG = Document(RECORD.title, RECORD.passages * 3)
DEVELOPER = (
    "Our invoice worker crashed when the database connection dropped at 9:40.",
    "Celery retries jobs with exponential backoff; Redis is its broker.",
    "Jobs must be idempotent: PostgreSQL may run an invoice job twice.",
    "The library procrastinate 2.1 polls PostgreSQL for jobs.",
    "The queue worker handles 50 invoice jobs per second.",
)
OWNER = (
    "The finance director wants no customer complaints about late invoices.",
    "Stakeholders ask for the roadmap of the invoice report every month.",
    "The goal of the billing team: every invoice is sent within one hour.",
    "Support talks to customers whose invoices were lost.",
    "The trade-off for invoices: late is acceptable, lost is not.",
)
OTHER = (
    "Anna baked sourdough bread.",
    "The tomatoes on the balcony are ripe.",
    "We hiked to the lake on Sunday.",
)


@contextmanager
def running(wiki: Wiki) -> Iterator[Run]:
    with open_run(wiki.ws, "contextualize") as run:
        yield run


def around(wiki: Wiki, document: Document = LONG, **more: int) -> ReaderContext:
    with running(wiki) as run:
        return Surroundings(run, EMBEDDER).around(
            document, entry="a" * 16, **more
        )


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def told(wiki: Wiki, *texts: str, **about: str) -> None:
    wiki.ingest(*texts, **about)
    wiki.consolidate()


def test_an_empty_wiki_shows_nothing(wiki: Wiki) -> None:
    context = around(wiki)
    assert (context.notes, context.questions, context.pages) == ((), (), ())
    assert context.elsewhere == 0
    assert context.topic.words[0] in ("invoice", "invoices")


def test_notes_on_the_topic_are_near_and_others_elsewhere(wiki: Wiki) -> None:
    told(wiki, *DEVELOPER, *OTHER)
    context = around(wiki)
    assert {note.text for note in context.notes} == set(DEVELOPER)
    assert context.elsewhere == len(OTHER)
    assert all(0.2 <= note.nearness <= 1 for note in context.notes)
    assert all(note.at.startswith("2026-11-01T08") for note in context.notes)


def test_notes_that_wait_for_their_first_night_count_too(wiki: Wiki) -> None:
    wiki.ingest(*DEVELOPER[:3], *OTHER)
    wiki.ingest(DEVELOPER[3], agent="claude")
    wiki.ingest(DEVELOPER[4], scope="private")
    with running(wiki) as run:
        capture_buffer.anchor(run.journal, run.repo)
    context = around(wiki)
    assert {note.text for note in context.notes} == set(DEVELOPER[:3])
    assert (context.pages, context.elsewhere) == ((), len(OTHER))


def test_what_an_assistant_told_is_not_what_the_person_knows(
    wiki: Wiki,
) -> None:
    told(wiki, *DEVELOPER, agent="claude")
    assert around(wiki).notes == ()


def test_an_owners_own_pages_count(tmp_path: Path) -> None:
    text = "# Invoices\n\n" + "\n\n".join(DEVELOPER)
    wiki = Wiki.new(tmp_path / "vault", {"Invoices.md": text})
    context = around(wiki)
    assert len(context.notes) >= 1
    assert context.pages[0].title == "Invoices"


def test_the_page_of_the_source_itself_is_no_evidence(wiki: Wiki) -> None:
    wiki.ingest(DEVELOPER[0], title="Queue for invoices")
    wiki.consolidate()
    near = around(wiki).pages
    assert len(near) == 1
    with running(wiki) as run:
        context = Surroundings(run, EMBEDDER).around(LONG, entry=near[0].entry)
    assert context.notes == ()


def test_questions_asked_lately_are_found_though_no_page_has_an_answer(
    wiki: Wiki,
) -> None:
    told(wiki, *OTHER)
    for _ in range(2):
        wiki.tick()
        asked = search_wiki(wiki.ws, "lost invoices PostgreSQL queue")
        assert record_search(wiki.ws, asked) is None
    record_search(wiki.ws, search_wiki(wiki.ws, "sourdough bread"))
    told(wiki, "Rain today.")
    (question,) = around(wiki).questions
    assert question.words == "lost invoices PostgreSQL queue"
    assert question.times == 2


@pytest.mark.parametrize(
    "text",
    ["My role is product owner.", "I work as a product owner."],
)
def test_the_stated_role_is_read_from_the_notes(wiki: Wiki, text: str) -> None:
    told(wiki, text)
    assert around(wiki).role == "product owner"


def test_the_last_stated_role_counts_and_settings_before_all(
    wiki: Wiki,
) -> None:
    told(wiki, "My role is product owner.")
    wiki.tick(days=30)
    told(wiki, "My role is engineering manager.")
    assert around(wiki).role == "engineering manager"
    path = ".companion/companion.yaml"
    wiki.write(path, wiki.read(path) + "role: nurse\n")
    wiki.commit()
    assert around(wiki).role == "nurse"


def test_a_role_that_an_assistant_told_is_not_the_persons(wiki: Wiki) -> None:
    told(wiki, "My role is product owner.", agent="claude")
    assert around(wiki).role == ""


def test_links_between_near_pages_are_counted(tmp_path: Path) -> None:
    wiki = Wiki.new(
        tmp_path / "vault",
        {
            "Invoices.md": "Lost invoices: see [[Queue]] in PostgreSQL.",
            "Queue.md": "The PostgreSQL queue for [[Invoices]] and jobs.",
            "Bread.md": "Sourdough, see [[Oven]].",
        },
    )
    context = around(wiki)
    assert {page.title for page in context.pages} == {"Invoices", "Queue"}
    assert context.links == 2


def test_two_wikis_get_visibly_different_pages_of_one_record(
    tmp_path: Path,
) -> None:
    pages = {}
    for name, notes in (("owner", OWNER), ("developer", DEVELOPER)):
        wiki = Wiki.new(tmp_path / name)
        told(wiki, *notes)
        context = around(wiki, RECORD)
        depth = choose_depth(context, 50_000)
        page = fit(
            RECORD,
            context,
            depth._replace(step="brief"),
            EMBEDDER,
            linkout=Linkout("adr.md", "a" * 16),
        )
        pages[name] = page.text
    assert "a lost one is not" in pages["owner"]
    assert "idempotent" not in pages["owner"]
    assert "idempotent" in pages["developer"]
    assert "Stakeholders" not in pages["developer"]


def test_two_wikis_get_different_depths_of_one_record(tmp_path: Path) -> None:
    steps = {}
    for name, notes in (("near", DEVELOPER), ("far", OTHER)):
        wiki = Wiki.new(tmp_path / name)
        told(wiki, *notes, *(f"Day {n}: rain on the lake." for n in range(70)))
        steps[name] = choose_depth(around(wiki), 50_000)
    assert steps["far"].step == "brief"
    assert steps["near"].step == "key points"
    assert steps["near"].evidence[0].startswith("You wrote 5 notes near this")


def test_it_reads_the_neighbourhood_and_not_the_wiki(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"n/{n}.md": f"Bread number {n} with rye." for n in range(150)}
    files["Queue.md"] = "The PostgreSQL queue for lost invoices."
    wiki = Wiki.new(tmp_path / "vault", files)
    with running(wiki) as run:
        surroundings = Surroundings(run, EMBEDDER)
        read: list[str] = []
        text = run.repo.text
        monkeypatch.setattr(
            run.repo, "text", lambda blob: read.append(blob) or text(blob)
        )
        surroundings.around(LONG, entry="")
    assert len(read) == 1


def test_older_sources_that_nobody_opened_are_counted(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(
        tmp_path / "vault",
        {"Queue.md": "The PostgreSQL queue for lost invoices."},
    )

    def unopened() -> tuple[int, int]:
        """Count unopened sources and notes, with the page taken for a source's."""
        with running(wiki) as run:
            run.db.execute(
                "INSERT OR REPLACE INTO subjects"
                " SELECT id, 'source', 'k', 'r' FROM entries"
            )
            found = Surroundings(run, EMBEDDER).around(LONG, entry="")
            run.db.execute("DELETE FROM subjects")
            return found.unopened, len(found.notes)

    assert unopened() == (0, 0)
    wiki.tick(days=31)
    assert unopened() == (1, 0)
    with running(wiki) as run:
        run.db.execute(
            "INSERT INTO accesses (entry, count, shown, opened, good, bad,"
            " recalled)"
            " SELECT id, 1, 1, 1, 0, 0, 0"
            " FROM entries"
        )
    assert unopened() == (0, 0)
