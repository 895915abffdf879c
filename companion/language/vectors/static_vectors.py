"""The light embedder: static vectors that an installed package carries, looked up and averaged.

The weights and the tokenizer are files of the `wordllama` package (MIT). They are read here and not
through its own loader: importing that takes `requests` and `pydantic` along (2.4 times the cost of
numpy), knows how to download, and does not look at what it loads. A text's vector is the mean of
its tokens' vectors, scaled to length one.
"""

import os
from _frozen_importlib_external import PathFinder
from collections.abc import Sequence
from functools import cached_property, lru_cache

from companion.annotations import TYPE_CHECKING
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
    WrongWeights,
)
from companion.language.vectors.word_tokens import SplitWords
from companion.language.vectors.word_vectors import DIMENSIONS, TOKENS, Source

if TYPE_CHECKING:
    import numpy
    import tokenizers

PACKAGE = "wordllama"
WEIGHTS = ("weights", "l2_supercat_256.safetensors")
WEIGHTS_HASH = (
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
)
TOKENIZER = ("tokenizers", "l2_supercat_tokenizer_config.json")
TOKENIZER_HASH = (
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
)
_MATRIX_BYTES = TOKENS * DIMENSIONS * 2  # float16
_BATCH = 64  # texts tokenized at a time: bounds the memory, changes no vector


_AGAIN = (
    "Install companion again, or only the vectors:"
    " pip install --force-reinstall wordllama==0.4.0.post1."
)


class StaticEmbedder:
    """Embedder of the core install: nothing is loaded before the first text."""

    dimensions = DIMENSIONS

    def __init__(self, folder: str | None = None) -> None:
        """Read the files below *folder*; by default that of the installed package."""
        self._folder = folder

    @property
    def identity(self) -> Identity:
        """Return the name and the hash of the vectors."""
        return Identity("light", "1", "wordllama-l2_supercat_256", WEIGHTS_HASH)

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return unit vectors, float32, shape (len(texts), 256).

        A text without a token is the zero vector. A text's vector does not depend on its
        neighbours. Raises ModelUnavailable if the files are missing, WrongWeights if they are not
        those of this version.
        """
        import numpy

        vectors = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [_encodable(text) for text in texts[start : start + _BATCH]]
            for row, tokens in enumerate(self._words.split(batch), start):
                if len(tokens):
                    vectors[row] = _unit(self._mean(tokens))
        return vectors

    def measure_words(self, words: Sequence[str]) -> list[float]:
        """Return how much each of *words* tells of what a text is about.

        It is the length of the sum of its tokens' vectors. These vectors were made to be averaged,
        so that what a word tells shows in its length: 2 for "since", 9 for "good", 21 for "boiler".
        """
        import numpy

        if not words:
            return []
        lengths = []
        for tokens in self._words.split([_encodable(word) for word in words]):
            if not len(tokens):
                lengths.append(0.0)
                continue
            total = self._mean(tokens) * len(tokens)
            lengths.append(round(float(numpy.sqrt((total * total).sum())), 3))
        return lengths

    def _mean(self, tokens: "numpy.ndarray") -> "numpy.ndarray":
        import numpy

        # Each token once, by its count: a double holds any sum of these halves exactly, so the
        # order changes nothing.
        ids, counts = _count_tokens(tokens)
        rows = self._matrix[ids].astype(numpy.float64)
        total: numpy.ndarray = counts.astype(numpy.float64) @ rows
        return total / len(tokens)

    def let_go(self) -> None:
        """Free the memory of the weights and the tokenizer (33 MB) until the next text."""
        for name in ("_matrix", "_words", "_tokenizer"):
            self.__dict__.pop(name, None)

    @cached_property
    def _matrix(self) -> "numpy.ndarray":
        import numpy

        data = self._read(WEIGHTS, WEIGHTS_HASH)
        # The hash vouches for the layout: a header, then one float16 matrix to the end of the file.
        flat = numpy.frombuffer(
            data, dtype="<f2", offset=len(data) - _MATRIX_BYTES
        )
        return flat.reshape(TOKENS, DIMENSIONS)

    @cached_property
    def _words(self) -> SplitWords:
        return SplitWords(self._tokenizer)

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        return build_tokenizer(self._read(TOKENIZER, TOKENIZER_HASH))

    def _read(self, parts: tuple[str, str], expected: str) -> bytes:
        return read_checked(parts, expected, self._folder)


def build_tokenizer(data: bytes) -> "tokenizers.Tokenizer":
    """Return the tokenizer that *data* describes; it takes .2 CPU s."""
    from tokenizers import Tokenizer

    return Tokenizer.from_buffer(data)


def find_file(parts: tuple[str, str], folder: str | None = None) -> str:
    """Return the path of a file of the package. Raises ModelUnavailable where there is none."""
    return os.path.join(folder or package_folder(), *parts)


def read_checked(
    parts: tuple[str, str], expected: str, folder: str | None = None
) -> bytes:
    """Return the bytes of a file whose sha256 is *expected*.

    Raises ModelUnavailable or WrongWeights.
    """
    import hashlib

    path = find_file(parts, folder)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise ModelUnavailable(
            f"the static vectors lack {path}", hint=_AGAIN
        ) from None
    except OSError as error:
        raise ModelUnavailable(
            f"cannot read the vectors at {path}: {error.strerror}",
            hint=_AGAIN,
        ) from error
    digest = hashlib.sha256(data).hexdigest()
    if digest != expected:
        raise WrongWeights(
            f"sha256 of {path} is {digest[:12]}, not {expected[:12]}",
            hint=_AGAIN,
        )
    return data


def list_pieces() -> list[tuple[str, int]]:
    """Return the pieces of the tokenizer with their numbers.

    Raises ModelUnavailable or WrongWeights.
    """
    import json

    data = json.loads(read_checked(TOKENIZER, TOKENIZER_HASH))
    return list(data["model"]["vocab"].items())


def check_source() -> Source:
    """Return where the vectors lie, their hash checked. Raises ModelUnavailable or WrongWeights."""
    read_checked(WEIGHTS, WEIGHTS_HASH)
    path = find_file(WEIGHTS)
    stat = os.stat(path)
    return Source(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=1)
def map_rows(source: Source) -> "numpy.ndarray":
    """Return the vectors in the file of *source*, one row for each token."""
    import numpy

    start = source.size - _MATRIX_BYTES
    shape = (TOKENS, DIMENSIONS)
    return numpy.memmap(source.path, "<f2", "r", offset=start, shape=shape)


def package_folder() -> str:
    """Return the folder of the installed package, found without importing it.

    Raises ModelUnavailable if it is not installed.
    """
    # `importlib.util` finds it so too, but loads eight modules first
    spec = PathFinder.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(
            f"the package {PACKAGE} is not installed", hint=_AGAIN
        )
    return spec.submodule_search_locations[0]


def quantise(vectors: "numpy.ndarray") -> "numpy.ndarray":
    """Return *vectors* (n, d) as int8 codes, one byte per dimension.

    Every row is stretched to its largest component. The stretch need not be kept: a unit vector's
    length tells it back. A zero row stays zero.
    """
    import numpy

    largest = numpy.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    stretch = 127.0 / numpy.where(largest > 0, largest, 1.0)
    return numpy.rint(vectors * stretch).astype(numpy.int8)


def dequantise(codes: "numpy.ndarray") -> "numpy.ndarray":
    """Return the unit vectors, float32 (n, d), that *codes* stand for.

    For a unit vector v of d dimensions with the largest component m, the distance to v is at most
    sqrt(d) · m / 127 (0.126 m for d = 256; about 0.01 on real texts), and a cosine of two such
    vectors is off by at most the sum of both.
    """
    import numpy

    wide = codes.astype(numpy.float32)
    # in a third of the time that `norm` takes
    lengths = numpy.sqrt(numpy.einsum("nd,nd->n", wide, wide))[:, None]
    return wide / numpy.where(lengths > 0, lengths, numpy.float32(1.0))


def _encodable(text: str) -> str:
    # A lone surrogate has no bytes; the tokenizer would refuse the whole batch for it.
    return text.strip().encode("utf-8", "replace").decode()


def _count_tokens(
    tokens: "numpy.ndarray",
) -> "tuple[numpy.ndarray, numpy.ndarray]":
    """Return the distinct *tokens* and how often each is there, in half of the time that
    `numpy.unique` takes.
    """
    import numpy

    ordered = numpy.sort(tokens)
    starts = numpy.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    bounds = numpy.concatenate(((0,), starts, (len(ordered),)))
    return ordered[bounds[:-1]], bounds[1:] - bounds[:-1]


def _unit(vector: "numpy.ndarray") -> "numpy.ndarray":
    import numpy

    length = float(numpy.linalg.norm(vector))
    if not length:
        return vector
    return vector / length
