"""Static vectors: what they liken, what they weigh, and what happens when their files are not the
known ones.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.language.vectors import static_vectors
from companion.language.vectors.static_vectors import (
    TOKENIZER,
    WEIGHTS,
    StaticEmbedder,
    dequantise,
    package_folder,
    quantise,
)

EMBEDDER = StaticEmbedder()


def test_a_paraphrase_is_nearer_than_another_matter() -> None:
    sail, boat, tax = EMBEDDER.embed(
        [
            "we sailed across the bay",
            "the boat crossed the bay",
            "the tax form is due",
        ]
    )

    assert sail @ boat > 0.5 > sail @ tax


def test_vectors_are_unit_and_an_empty_text_is_zero() -> None:
    vectors = EMBEDDER.embed(["one text", "", "  \n", "\ud800 lone"])

    assert (
        vectors.shape == (4, EMBEDDER.dimensions)
        and vectors.dtype == np.float32
    )
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx(
        [1, 0, 0, 1], abs=1e-6
    )


@given(st.lists(st.text(max_size=60), max_size=5), st.text(max_size=60))
def test_neighbours_do_not_change_a_vector(
    others: list[str], text: str
) -> None:
    alone = EMBEDDER.embed([text])[0]
    among = EMBEDDER.embed([*others, text])[-1]

    assert np.array_equal(alone, among)


@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_one_byte_per_dimension_stays_within_the_bound(
    texts: list[str],
) -> None:
    vectors = EMBEDDER.embed(texts)

    codes = quantise(vectors)

    assert codes.dtype == np.int8 and codes.shape == vectors.shape
    distance = np.linalg.norm(dequantise(codes) - vectors, axis=1)
    bound = np.sqrt(vectors.shape[1]) * np.abs(vectors).max(axis=1) / 127
    assert np.all(distance <= bound + 1e-6)


def test_zero_survives_quantising() -> None:
    zero = np.zeros((2, 8), dtype=np.float32)

    assert not dequantise(quantise(zero)).any()


def copy_of_weights(folder: Path) -> str:
    for parts in (WEIGHTS, TOKENIZER):
        target = folder.joinpath(*parts)
        target.parent.mkdir(parents=True)
        shutil.copy(os.path.join(package_folder(), *parts), target)
    return str(folder)


@pytest.mark.parametrize("parts", [WEIGHTS, TOKENIZER])
def test_a_changed_file_is_refused(
    tmp_path: Path, parts: tuple[str, str]
) -> None:
    folder = copy_of_weights(tmp_path)
    path = tmp_path.joinpath(*parts)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)

    with pytest.raises(WrongWeights, match="sha256") as caught:
        StaticEmbedder(folder).embed(["text"])

    assert caught.value.exit_code == 65 and "wordllama" in caught.value.hint


@pytest.mark.parametrize("parts", [WEIGHTS, TOKENIZER])
def test_a_missing_file_is_named(
    tmp_path: Path, parts: tuple[str, str]
) -> None:
    folder = copy_of_weights(tmp_path)
    tmp_path.joinpath(*parts).unlink()

    with pytest.raises(ModelUnavailable, match=parts[1]) as caught:
        StaticEmbedder(folder).embed(["text"])

    assert caught.value.exit_code == 69 and "wordllama" in caught.value.hint


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_vectors, "PACKAGE", "no_such_package_of_vectors")

    with pytest.raises(ModelUnavailable, match="not installed"):
        StaticEmbedder().embed(["text"])


def test_embedding_opens_no_connection_and_does_not_import_the_packages_own_loader() -> (
    None
):
    code = """
import sys
def hook(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise SystemExit("went to the network")
sys.addaudithook(hook)
from companion.language.vectors.static_vectors import StaticEmbedder
StaticEmbedder().embed(["a text"])
print([name for name in ("wordllama", "requests", "pydantic", "torch") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    "args", [["ingest", "a thought about boats"], ["search", "boats"]]
)
def test_a_cold_capture_and_search_load_no_vectors(
    tmp_path: Path, args: list[str]
) -> None:
    program = [sys.executable, "-m", "companion"]
    subprocess.run(
        [*program, "init", str(tmp_path / "wiki")],
        check=True,
        capture_output=True,
    )
    subprocess.run(
        [*program, "ingest", "boats at sea", "-C", str(tmp_path / "wiki")],
        check=True,
        capture_output=True,
    )
    # A hot verb leaves by os._exit, so that what was loaded is told from there.
    code = f"""
import os, sys
leave = os._exit
def tell(code):
    print([n for n in ("numpy", "tokenizers", "companion.judges") if n in sys.modules], file=sys.stderr, flush=True)
    leave(code)
os._exit = tell
sys.argv = ["companion", *{args!r}, "-C", {str(tmp_path / "wiki")!r}]
from companion.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert done.stderr.splitlines()[-1:] == ["[]"], done.stderr


def test_what_was_let_go_is_loaded_again_and_says_the_same() -> None:
    embedder = StaticEmbedder()
    before = embedder.embed(
        ["The door to the cellar is open, the other door is shut."]
    )
    embedder.let_go()
    assert "_matrix" not in vars(embedder) and "_tokenizer" not in vars(
        embedder
    )
    assert np.array_equal(
        before,
        embedder.embed(
            ["The door to the cellar is open, the other door is shut."]
        ),
    )


def test_a_mean_by_distinct_tokens_is_the_mean_of_all() -> None:
    embedder = StaticEmbedder()
    tokens = [5, 7, 5, 31_999, 5, 7]
    assert np.array_equal(
        embedder._mean(np.array(tokens, dtype=np.uint16)),
        embedder._matrix[tokens].mean(axis=0, dtype=np.float64),
    )
