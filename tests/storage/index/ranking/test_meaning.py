"""A question finds what is near to it in meaning, and says so where it cannot."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from companion.language.vectors import static_vectors
from companion.language.vectors.static_vectors import StaticEmbedder, find_file
from companion.language.vectors.word_vectors import split_word
from companion.lookup.index import current_index
from companion.lookup.search import search_wiki
from companion.maintenance import init as care
from companion.storage.index import schema
from companion.storage.index.ranking.meaning import (
    NEAREST,
    OUTLINE,
    Pieces,
    count_differences,
    measure_nearness,
    read_pieces,
)
from tests.wiki import Wiki, check_index

QUESTION = "which physician treats the injured kid"
PAGES = {
    "A.md": "# A\n\nThe doctor bandaged the child after it fell.\n",
    "B.md": "# B\n\nThe kid in the picture wears a hat.\n",
    "C.md": "# C\n\nOur tax return is due in the last week of May.\n",
}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki", PAGES)


def test_a_question_finds_other_words_of_the_same_meaning(wiki: Wiki) -> None:
    hits = wiki.search(QUESTION)

    near = {hit["path"]: hit["parts"] for hit in hits}
    assert "A.md" in near and "words" not in near["A.md"]
    assert near["A.md"]["meaning"] > 0
    assert "C.md" not in near


def test_a_word_alone_is_not_searched_by_meaning(wiki: Wiki) -> None:
    assert wiki.search("physician") == []


@pytest.mark.parametrize(
    "word", ["boiler", "physician", "gärtner", "привет", "日", "v2loader", "😀"]
)
def test_words_are_split_as_the_tokenizer_splits_them(
    wiki: Wiki, word: str
) -> None:
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None
    whole = Tokenizer.from_file(find_file(static_vectors.TOKENIZER))

    pieces = Pieces(*read_pieces(db))

    expected = whole.encode(word, add_special_tokens=False).ids
    assert split_word(word, pieces.find) == expected


def test_cosines_are_those_of_the_embedder(wiki: Wiki) -> None:
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None

    found = measure_nearness(db, {"doctor": 1.0}, [])

    embedder = StaticEmbedder()
    words = "doctor bandaged child fell a"
    asked, passage = embedder.embed(["doctor", words])
    assert max(found.values()) == pytest.approx(asked @ passage, abs=0.03)
    assert len(found) <= NEAREST


def test_a_changed_index_has_the_vectors_of_a_new_one(wiki: Wiki) -> None:
    wiki.write("B.md", "# B\n\nThe kid lost the hat.\n")
    (wiki.root / "C.md").unlink()
    wiki.commit()
    wiki.search("hat")

    check_index(wiki)


def test_a_search_without_its_vectors_says_so(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = wiki.search(QUESTION)
    monkeypatch.setattr(static_vectors, "package_folder", lambda: str(tmp_path))
    care.rebuild(wiki.ws)

    document = search_wiki(wiki.ws, QUESTION)

    assert "alone: the static vectors lack" in document["warning"]
    assert [hit["path"] for hit in document["results"]] == ["B.md"]
    monkeypatch.undo()
    care.rebuild(wiki.ws)
    assert wiki.search(QUESTION) == before


def test_vectors_of_another_file_are_not_mixed(wiki: Wiki) -> None:
    with closing(schema.open_for_writing(wiki.ws.place.index_db)) as db:
        schema.write_meta(db, vectors_stat="1 2")

    document = search_wiki(wiki.ws, QUESTION)

    assert "is not what the index was made with" in document["warning"]


@given(st.lists(st.binary(min_size=OUTLINE, max_size=OUTLINE)), st.data())
def test_differences_are_counted_in_each_outline(
    outlines: list[bytes], data: st.DataObject
) -> None:
    """All 256 count as 255, which is as far away."""
    asked = data.draw(st.binary(min_size=OUTLINE, max_size=OUTLINE))
    opposite = bytes(255 - byte for byte in asked)
    outlines = [opposite, *outlines, opposite, asked]

    counted = count_differences(b"".join(outlines), asked)

    signs = int.from_bytes(asked)
    each = [(int.from_bytes(one) ^ signs).bit_count() for one in outlines]
    assert [*counted] == [min(255, differing) for differing in each]
