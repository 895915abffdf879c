"""A trained head: what is seen of a pair to calibrated probabilities.

The weights are package data in `data/stance`, written by `python -m tests.bench stance --train`;
`hashes.txt` there names the sha256 of each.
"""

import hashlib
import io
import os
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from companion.language.detect import FOLDER
from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.language.stance import features

if TYPE_CHECKING:
    import numpy

HEADS = os.path.join(FOLDER, "stance")
HASHES = "hashes.txt"
_HINT = "Install companion again: pip install --force-reinstall companion-wiki."


class Head(NamedTuple):
    """The numbers of one head: m perceptrons of one hidden layer, whose answers are averaged."""

    weights: str  # sha256 of the file
    embedder: (
        str  # sha256 of the weights of the embedder that it was trained on
    )
    # over 1: the probabilities are less certain than the perceptrons
    temperature: float
    reduction: "numpy.ndarray"  # (2 d, k): of the crossed vectors
    mean: "numpy.ndarray"  # (k + numbers,)
    scale: "numpy.ndarray"  # (k + numbers,)
    hidden: "numpy.ndarray"  # (m, k + numbers, h)
    hidden_bias: "numpy.ndarray"  # (m, h)
    output: "numpy.ndarray"  # (m, h, labels)
    output_bias: "numpy.ndarray"  # (m, labels)

    def judge(
        self, crossed: "numpy.ndarray", seen: "numpy.ndarray"
    ) -> "numpy.ndarray":
        """Return probabilities, float32, shape (n, labels).

        *crossed* has the shape (n, 2 d), *seen* (n, numbers): see `features`.
        """
        import numpy

        values = numpy.concatenate([crossed @ self.reduction, seen], axis=1)
        values = (values - self.mean) / self.scale
        hidden = numpy.einsum("ni,mih->mnh", values, self.hidden)
        hidden = numpy.maximum(hidden + self.hidden_bias[:, None], 0)
        logits = numpy.einsum("mnh,mhl->mnl", hidden, self.output)
        logits = (logits + self.output_bias[:, None]).mean(axis=0)
        logits = logits / self.temperature
        shares = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        found: numpy.ndarray = shares / shares.sum(axis=1, keepdims=True)
        return found


@lru_cache(maxsize=4)
def load_head(name: str, folder: str = HEADS) -> Head:
    """Return the head *name*: "static", "vectors" or "semantic".

    Raises ModelUnavailable where there is none, WrongWeights where the file is not the one that
    `hashes.txt` names or is for other features.
    """
    import numpy

    data = read_checked(f"{name}.npz", folder)
    digest = hashlib.sha256(data).hexdigest()
    with numpy.load(io.BytesIO(data), allow_pickle=False) as arrays:
        if str(arrays["features"]) != features.VERSION:
            raise WrongWeights(
                f"the head {name} is for other features", hint=_HINT
            )
        return _head(digest, arrays)


def read_checked(name: str, folder: str = HEADS) -> bytes:
    """Return the bytes of the file *name*.

    Raises ModelUnavailable where there is none, WrongWeights where `hashes.txt` names another.
    """
    path = os.path.join(folder, name)
    data = _read(path)
    digest = hashlib.sha256(data).hexdigest()
    expected = _expected(folder, name)
    if digest != expected:
        raise WrongWeights(
            f"sha256 of {path} is {digest[:12]}, not {expected[:12]}",
            hint=_HINT,
        )
    return data


def find_hash(name: str, folder: str = HEADS) -> str:
    """Return the sha256 that the head *name* must have. Raises ModelUnavailable or WrongWeights."""
    return _expected(folder, f"{name}.npz")


def _head(digest: str, arrays: "numpy.lib.npyio.NpzFile") -> Head:
    import numpy

    names = Head._fields[3:]
    wide = [arrays[name].astype(numpy.float32) for name in names]
    temperature = float(arrays["temperature"])
    return Head(digest, str(arrays["embedder"]), temperature, *wide)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ModelUnavailable(
            f"{path}: {error.strerror}", hint=_HINT
        ) from error


def _expected(folder: str, name: str) -> str:
    """Return the hash that `hashes.txt` has for the file *name*."""
    lines = _read(os.path.join(folder, HASHES)).decode().splitlines()
    for line in lines:
        digest, _, file = line.partition("  ")
        if file == name:
            return digest
    raise WrongWeights(f"no hash of {name} is known", hint=_HINT)
