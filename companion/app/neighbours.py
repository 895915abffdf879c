"""Nearest neighbours among entries and captures, by the embedder in use. At night only: it brings numpy."""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from companion.app.workspace import Workspace
from companion.reason import Embedder
from companion.store.vectors import Vectors

if TYPE_CHECKING:
    import numpy

NEAR = 4
CLOSE = 0.5  # cosine from which two texts are neighbours: that decides what is compared, never what is said of it
_CHUNK = 512  # texts embedded, or compared, at a time
_SCALE = 127  # one signed byte per dimension: coarse enough that machines agree on it


def path(ws: Workspace) -> str:
    """Return where the derived vectors lie."""
    return os.path.join(ws.place.state, "vectors.db")


def of_pages(
    ws: Workspace, embedder: Embedder, blobs: Sequence[str], text_of: Callable[[str], str], *, only: bool = False
) -> dict[str, bytes]:
    """Return the vector of every page by its blob, embedding (by *text_of*) those that are new.

    With *only*, what other embedders left behind is dropped.
    """
    store = Vectors(path(ws), "/".join(embedder.identity))
    try:
        missing = store.missing(blobs)
        for start in range(0, len(missing), _CHUNK):
            some = missing[start : start + _CHUNK]
            store.put(list(zip(some, quantised(embedder, [text_of(blob) for blob in some]), strict=True)))
        if only:
            store.forget_others()
        known = store.all()
        return {blob: known[blob] for blob in blobs}
    finally:
        store.close()


def quantised(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of *texts*, one signed byte per dimension."""
    import numpy

    vectors = numpy.asarray(embedder.embed(list(texts)), dtype=numpy.float32)
    return [row.tobytes() for row in numpy.rint(vectors * _SCALE).astype(numpy.int8)]


def nearest(
    asked: Mapping[str, bytes], among: Mapping[str, bytes], *, before: Mapping[str, int] | None = None
) -> dict[str, list[str]]:
    """Return, for each id of *asked*, the ids of *among* whose cosine is at least CLOSE, nearest first, at most NEAR.

    With *before*, only those that come earlier in that order. Ties go by id.
    """
    import numpy

    if not asked or not among:
        return {}
    names = sorted(among)
    matrix = _unit(numpy.stack([numpy.frombuffer(among[name], dtype=numpy.int8) for name in names]))
    found, ids = {}, list(asked)
    for start in range(0, len(ids), _CHUNK):
        some = ids[start : start + _CHUNK]
        ours = _unit(numpy.stack([numpy.frombuffer(asked[id], dtype=numpy.int8) for id in some]))
        for id, row in zip(some, numpy.round(ours @ matrix.T, 3), strict=True):
            close = numpy.flatnonzero(row >= CLOSE)
            ranked = (names[n] for n in close[numpy.argsort(-row[close], kind="stable")])
            found[id] = list(islice((name for name in ranked if _fits(id, name, before)), NEAR))
    return {id: near for id, near in found.items() if near}


def _fits(id: str, other: str, before: Mapping[str, int] | None) -> bool:
    return id != other and (before is None or before[other] < before[id])


def _unit(matrix: "numpy.ndarray") -> "numpy.ndarray":
    import numpy

    matrix = matrix.astype(numpy.float32)
    length = numpy.sqrt((matrix * matrix).sum(axis=1, keepdims=True))
    unit: numpy.ndarray = matrix / numpy.maximum(length, 1.0)
    return unit
