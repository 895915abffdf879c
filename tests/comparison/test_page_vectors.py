"""Vectors of pages: whatever changed has one, nothing else is looked at, and the nearest are those
of a full search.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.comparison import page_vectors
from companion.comparison.candidate_pairs import SideId
from companion.comparison.nearest import (
    embed_quantised,
    find_nearest,
    find_nearest_stored,
    vectors_path,
)
from companion.judges import configured
from companion.judges.configured import Judges
from companion.language.protocols import Identity, ModelUnavailable
from companion.pages.statement_edits import retire_statement
from companion.runs.run import open_run
from companion.storage.index import schema as index
from companion.storage.vectors import Pack
from tests.gathered import Note, gather, publish
from tests.scripted_judges import Scripted, neutral
from tests.wiki import Wiki

CODES = (
    st.tuples(*[st.integers(-3, 3)] * 2)
    .filter(any)
    .map(lambda code: numpy.array(code, numpy.int8).tobytes())
)


@given(
    st.lists(
        st.tuples(CODES, st.sets(st.sampled_from("pqrstuvwxyz"), max_size=2)),
        min_size=1,
        max_size=60,
    ),
    st.lists(CODES, min_size=1, max_size=3),
    st.integers(1, 9),
    st.integers(1, 5),
)
def test_the_nearest_of_packs_are_those_of_a_full_search(
    held: list[tuple[bytes, set[str]]], asked: list[bytes], size: int, most: int
) -> None:
    """Few directions, so that ties abound; blobs that nobody bears, and blobs that several do."""
    blobs = {f"{n:04}": code for n, (code, _) in enumerate(held)}
    bearers = {
        f"{n:04}": {f"{n:04}{name}" for name in names}
        for n, (_, names) in enumerate(held)
    }
    questions = {f"q{n}": code for n, code in enumerate(asked)}
    names = list(blobs)
    packs = [
        Pack(len(part), "".join(part), b"".join(blobs[blob] for blob in part))
        for part in (names[at : at + size] for at in range(0, len(names), size))
    ]

    def borne(some: Sequence[str]) -> Iterable[str]:
        return [id for blob in some for id in bearers[blob]]

    among = {id: blobs[blob] for blob, ids in bearers.items() for id in ids}
    assert find_nearest_stored(
        questions, lambda: packs, borne, most=most
    ) == find_nearest(questions, among, most=most)


class Counting:
    """An embedder that remembers what it was asked about."""

    dimensions, identity = 2, Identity("counting", "1")

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        self.seen += [text.split("\n", 1)[0] for text in texts]
        return numpy.array(
            [[1.0, len(text) / 1000] for text in texts], dtype=numpy.float32
        )


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.write("A.md", "# A\n\nThe cellar door is green.\n")
    wiki.write("B.md", "# B\n\nThe cellar door is open.\n")
    wiki.commit("notes")
    return wiki


def made(wiki: Wiki, embedder: Counting) -> list[str]:
    """Complete the vectors; return the titles that were embedded for it."""
    before = len(embedder.seen)
    with (
        open_run(wiki.ws, "test") as tonight,
        page_vectors.open_page_vectors(tonight, embedder) as kept,
    ):
        assert (
            kept.store.missing(
                [
                    blob
                    for (blob,) in tonight.db.execute("SELECT blob FROM pages")
                ]
            )
            == []
        )
    return sorted(embedder.seen[before:])


def test_only_what_changed_is_embedded(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Counting()
    assert made(wiki, embedder) == ["A", "B"]
    monkeypatch.setattr(
        page_vectors,
        "list_readable_texts",
        lambda db: pytest.fail("every page was looked at"),
    )
    assert made(wiki, embedder) == []

    wiki.write("A.md", "# A\n\nanother\n")
    wiki.write("C.md", "# C\n\nthird\n")
    wiki.commit("more")
    assert made(wiki, embedder) == ["A", "C"]


def test_a_page_that_the_configuration_takes_in_again_is_embedded(
    wiki: Wiki,
) -> None:
    wiki.write(".companion/companion.yaml", "exclude: [B.md]\n")
    wiki.commit("without B")
    embedder = Counting()
    with (
        open_run(wiki.ws, "test") as tonight,
        page_vectors.open_page_vectors(tonight, embedder),
    ):
        assert embedder.seen == ["A"]

    wiki.write(".companion/companion.yaml", "exclude: []\n")
    wiki.commit("with B")
    assert made(wiki, embedder) == ["B"]


def test_former_contents_are_dropped_before_they_outnumber_the_pages(
    wiki: Wiki,
) -> None:
    embedder = Counting()
    for turn in range(6):
        wiki.write("A.md", f"# A\n\nturn {turn}\n")
        wiki.commit(f"turn {turn}")
        made(wiki, embedder)
    with (
        open_run(wiki.ws, "test") as tonight,
        page_vectors.open_page_vectors(tonight, embedder) as kept,
    ):
        assert 2 <= kept.store.count() <= 2 * 2

    index.remove_database(vectors_path(wiki.ws))
    assert made(wiki, embedder) == ["A", "B"]


def test_a_night_is_held_against_entries_that_stand_and_no_others(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = Scripted(neutral)
    monkeypatch.setattr(
        configured,
        "open_judges",
        lambda config, allowance=None: Judges(Counting(), judge, None, None),
    )
    wiki.ingest("# Note\n\nThe cellar door is heavy.")
    wiki.consolidate()
    assert {earlier.title for earlier, _ in judge.asked} == {"A", "B"}

    (Path(wiki.ws.place.root) / "B.md").unlink()
    wiki.commit("B is gone")
    judge.asked.clear()
    wiki.ingest("# Other\n\nThe cellar door is old.")
    wiki.consolidate()
    assert {earlier.title for earlier, _ in judge.asked} == {"A", "Note"}


class ByWords(Counting):
    """An embedder for which texts are near that speak of the same thing."""

    dimensions, identity = 3, Identity("by words", "1")

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        self.seen += texts
        topics = ("bergen", "harbour", "balto")
        rows = [
            [float(topic in text.casefold()) or 0.01 for topic in topics]
            for text in texts
        ]
        return numpy.array(rows, dtype=numpy.float32)


def completed(wiki: Wiki, embedder: Counting) -> list[str]:
    """Complete the vectors; return the texts that were embedded for it."""
    before = len(embedder.seen)
    with (
        open_run(wiki.ws, "test") as tonight,
        page_vectors.open_page_vectors(tonight, embedder),
    ):
        pass
    return embedder.seen[before:]


def nearest(wiki: Wiki, embedder: Counting, text: str) -> list[SideId]:
    with (
        open_run(wiki.ws, "test") as tonight,
        page_vectors.open_page_vectors(tonight, embedder) as kept,
    ):
        asked = {"asked": embed_quantised(embedder, [text])[0]}
        return kept.nearest(asked).get("asked", [])


HOME = Note("She lives in Bergen.", "2026-03-02")
WORK = Note("She works at the harbour.", "2026-03-05")
DOG = Note("Her dog is called Balto.", "2026-04-11")


def test_of_a_page_that_grows_only_the_new_statement_is_embedded(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    gather(wiki, "Anna", [HOME, WORK], opening="\nAnna, a friend.\n")
    embedder = ByWords()
    assert completed(wiki, embedder) == [
        "Anna, a friend.",
        HOME.words,
        WORK.words,
    ]
    gather(wiki, "Anna", [DOG])
    assert completed(wiki, embedder) == [DOG.words]


def test_the_nearest_is_a_statement_and_never_one_that_lost(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    page = gather(wiki, "Anna", [HOME, WORK, DOG])
    embedder = ByWords()
    for text, note in (("Bergen?", HOME), ("Balto barks.", DOG)):
        side = SideId(page.entry, note.capture)
        assert nearest(wiki, embedder, text) == [side]

    text = wiki.read(page.path)
    wiki.write(
        page.path,
        retire_statement(text, DOG.capture[:12], "2026-10-01", "", ""),
    )
    wiki.commit()
    assert nearest(wiki, embedder, "Balto barks.") == []
    wiki.tick()
    line = {"e": "statement", "entry": page.entry, "capture": HOME.capture}
    publish(wiki, [{**line, "state": "decaying", "reason": "It lost."}])
    assert nearest(wiki, embedder, "Bergen?") == []


def test_words_beside_statements_and_pages_of_one_text_bear_no_statement(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.write("C.md", "# C\n\nBalto was a sled dog.\n")
    wiki.commit("a page of theirs")
    page = gather(wiki, "Anna", [HOME], opening="\nThe harbour again.\n")
    embedder = ByWords()

    assert nearest(wiki, embedder, "harbour") == [SideId(page.entry)]
    [side] = nearest(wiki, embedder, "Balto")
    assert side.statement == "" and side.other != page.entry


class Missing(Counting):
    """An embedder whose model was removed."""

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        raise ModelUnavailable("it is not installed")


def embed(wiki: Wiki, embedder: Counting) -> list[str]:
    with open_run(wiki.ws, "test") as tonight:
        return page_vectors.embed_what_was_written(tonight, embedder)


def choose_vectors(wiki: Wiki) -> None:
    settings = wiki.read(".companion/companion.yaml")
    wiki.write(".companion/companion.yaml", f"{settings}reasoner: vectors\n")
    wiki.commit("settings")


def test_what_was_written_is_embedded_at_once_only_where_searches_need_it(
    wiki: Wiki,
) -> None:
    embedder = Counting()
    assert embed(wiki, embedder) == []
    assert embedder.seen == []
    choose_vectors(wiki)
    assert embed(wiki, embedder) == []
    assert sorted(embedder.seen) == ["A", "B"]


def test_a_run_that_is_written_says_that_its_pages_have_no_vectors(
    wiki: Wiki,
) -> None:
    choose_vectors(wiki)
    said = "what is new has no vectors yet: it is not installed"
    assert embed(wiki, Missing()) == [said]
