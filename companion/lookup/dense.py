"""How near passages are to a question by the multilingual vectors, where they are the chosen model.

Nights and `models use vectors` keep a vector of each text; a question is embedded when it is asked.
What is missing, damaged or of another model is told, and the static vectors of the index serve.
"""

import sqlite3
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from companion import config
from companion.config_checks import BadConfig
from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.storage.index.search.texts import list_texts_of_passages
from companion.storage.vectors import (
    Pack,
    VectorsUnread,
    find_vectors,
    name_embedder,
    read_vectors,
)
from companion.tuples import NamedTuple
from companion.workspace import Workspace

if TYPE_CHECKING:
    import numpy

    from companion.judges.vectors import MultilingualEmbedder


class Nearness(NamedTuple):
    """The cosine of each passage to a question, or why there is none."""

    cosines: Mapping[int, float] | None
    trouble: str | None = None


def is_chosen(settings: bytes) -> bool:
    """Tell whether *settings* choose the multilingual vectors."""
    try:
        return config.parse(settings).reasoner == "vectors"
    # what is wrong with the settings is told beside every result
    except BadConfig:
        return False


def measure_by_model(
    ws: Workspace, db: sqlite3.Connection, question: str
) -> Nearness:
    """Return how near each passage is to *question*."""
    from companion.judges.vectors import MultilingualEmbedder
    from companion.judges.weights import find_checked

    name = name_embedder(MultilingualEmbedder().identity)
    try:
        packs = read_vectors(find_vectors(ws.place.state), name)
        aim = _embed(question, find_checked(ws.place.state))
        nearness = _multiply(packs, aim)
    except (VectorsUnread, ModelUnavailable, WrongWeights) as error:
        return Nearness(None, str(error))
    cosines = {}
    for doc, text in list_texts_of_passages(db):
        if text in nearness:
            cosines[doc] = nearness[text]
    return Nearness(cosines)


@lru_cache(maxsize=4)
def _embed(question: str, checked: str) -> "numpy.ndarray":
    """Return the vector of *question*. Raises ModelUnavailable or WrongWeights."""
    vector: numpy.ndarray = _open_embedder(checked).embed([question])[0]
    return vector


@lru_cache(maxsize=1)
def _open_embedder(checked: str) -> "MultilingualEmbedder":
    from companion.judges.vectors import MultilingualEmbedder

    return MultilingualEmbedder(checked=checked)


def _multiply(packs: "list[Pack]", aim: "numpy.ndarray") -> dict[str, float]:
    """Return the cosine of each text to *aim*. Raises VectorsUnread."""
    import numpy

    nearness: dict[str, float] = {}
    for pack in packs:
        codes = numpy.frombuffer(pack.vectors, dtype=numpy.int8)
        if len(codes) != pack.size * len(aim):
            raise VectorsUnread("vectors.db has vectors of another length")
        rows = codes.reshape(pack.size, len(aim)).astype(numpy.float32)
        lengths = numpy.linalg.norm(rows, axis=1)
        cosines = (rows @ aim) / numpy.maximum(lengths, 1.0)
        nearness.update(zip(pack.named(), cosines.tolist(), strict=True))
    return nearness
