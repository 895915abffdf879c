"""Nearest neighbours among entries and captures, by the embedder in use. At night only: it brings numpy."""

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.app.workspace import Workspace
from companion.reason import Embedder
from companion.reason.embed import dequantise, quantise
from companion.store.vectors import Vectors

if TYPE_CHECKING:
    import numpy

NEAR = 4
CLOSE = 0.5  # cosine from which two texts are neighbours: that decides what is compared, never what is said of it
CHUNK = 512  # texts embedded at a time
_MADE = "3"  # changes with what a text's vector is made of, so that old vectors are not mixed with new ones
_COMPARED = 128  # texts compared with all others at a time: bounds the memory


def path(ws: Workspace) -> str:
    """Return where the derived vectors lie."""
    return os.path.join(ws.place.state, "vectors.db")


def of_pages(
    ws: Workspace, embedder: Embedder, blobs: Sequence[str], text_of: Callable[[str], str], *, only: bool = False
) -> dict[str, bytes]:
    """Return the vector of every page by its blob, embedding (by *text_of*) those that are new.

    With *only*, what other embedders left behind is dropped.
    """
    store = Vectors(path(ws), "/".join((*embedder.identity, _MADE)))
    try:
        missing = store.missing(blobs)
        for start in range(0, len(missing), CHUNK):
            some = missing[start : start + CHUNK]
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
    return [row.tobytes() for row in quantise(vectors)]


def nearest(
    asked: Mapping[str, bytes], among: Mapping[str, bytes], *, before: Mapping[str, int] | None = None
) -> dict[str, list[str]]:
    """Return, for each id of *asked*, the ids of *among* whose cosine is at least CLOSE, nearest first, at most NEAR.

    With *before*, only those that come earlier in that order. Ties go by that order, or else by id.
    """
    if not asked or not among:
        return {}
    names = sorted(among, key=before.__getitem__ if before else None)
    places = [before[name] for name in names] if before else []
    matrix = _unit([among[name] for name in names])
    found, ids = {}, sorted(asked, key=before.__getitem__ if before else None)
    for start in range(0, len(ids), _COMPARED):
        some = ids[start : start + _COMPARED]
        ends = [bisect_left(places, before[id]) if before else len(names) for id in some]
        table = (_unit([asked[id] for id in some]) @ matrix[: max(ends)].T).round(3)  # so that machines agree
        for id, end, row in zip(some, ends, table, strict=True):
            found[id] = [names[n] for n in _largest(row[:end]) if names[n] != id][:NEAR]
    return {id: near for id, near in found.items() if near}


def _largest(row: "numpy.ndarray") -> list[int]:
    """Return the places of the highest cosines of *row*, highest first, at most one more than NEAR; empties *row*."""
    found: list[int] = []
    while row.size and len(found) <= NEAR:  # a handful of looks costs less than sorting thousands
        n = int(row.argmax())
        if row[n] < CLOSE:
            break
        found.append(n)
        row[n] = -1.0
    return found


def _unit(codes: Sequence[bytes]) -> "numpy.ndarray":
    import numpy

    return dequantise(numpy.frombuffer(b"".join(codes), dtype=numpy.int8).reshape(len(codes), -1))
