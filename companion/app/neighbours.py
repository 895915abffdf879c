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
_COMPARED = 512  # texts compared with others at a time, and
_AMONG = 8192  # others at a time: both bound the memory
_STALE = 2  # vectors kept for each that is in use: a page's former contents may come back, but not for ever


def path(ws: Workspace) -> str:
    """Return where the derived vectors lie."""
    return os.path.join(ws.place.state, "vectors.db")


def maker(embedder: Embedder) -> str:
    """Return under which name the vectors of *embedder* are kept."""
    return "/".join((*embedder.identity, _MADE))


def of_pages(
    ws: Workspace, embedder: Embedder, blobs: Sequence[str], text_of: Callable[[str], str], *, only: bool = False
) -> dict[str, bytes]:
    """Return the vector of every page by its blob, embedding (by *text_of*) those that are new.

    With *only*, what other embedders left behind is dropped.
    """
    store = Vectors(path(ws), maker(embedder))
    try:
        known, wanted = store.all(), dict.fromkeys(blobs)
        missing = [blob for blob in wanted if blob not in known]
        for start in range(0, len(missing), CHUNK):
            some = missing[start : start + CHUNK]
            made = list(zip(some, quantised(embedder, [text_of(blob) for blob in some]), strict=True))
            store.put(made)
            known.update(made)
        if only:
            store.forget_others()
        if len(known) > _STALE * len(wanted):
            store.drop(blob for blob in known if blob not in wanted)
        return {blob: known[blob] for blob in wanted}
    finally:
        store.close()


def quantised(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of *texts*, one signed byte per dimension."""
    import numpy

    vectors = numpy.asarray(embedder.embed(list(texts)), dtype=numpy.float32)
    return [row.tobytes() for row in quantise(vectors)]


def nearest(
    asked: Mapping[str, bytes],
    among: Mapping[str, bytes],
    *,
    before: Mapping[str, int] | None = None,
    most: int = NEAR,
) -> dict[str, list[str]]:
    """Return, for each id of *asked*, the ids of *among* whose cosine is at least CLOSE, nearest first, at most *most*.

    With *before*, only those that come earlier in that order. Ties go by that order, or else by id.
    """
    if not asked or not among:
        return {}
    names = sorted(among, key=before.__getitem__ if before else None)
    places = [before[name] for name in names] if before else []
    found, ids = {}, sorted(asked, key=before.__getitem__ if before else None)
    for start in range(0, len(ids), _COMPARED):
        some = ids[start : start + _COMPARED]
        ends = [bisect_left(places, before[id]) if before else len(names) for id in some]
        places_of = _closest(
            _unit([asked[id] for id in some]), [among[name] for name in names[: max(ends)]], ends, most
        )
        for id, close in zip(some, places_of, strict=True):
            found[id] = [names[n] for n in close if names[n] != id][:most]
    return {id: near for id, near in found.items() if near}


def _closest(asked: "numpy.ndarray", codes: Sequence[bytes], ends: Sequence[int], most: int) -> list[list[int]]:
    """Return, for each row of *asked*, the places of the nearest among the first *ends* of *codes*, nearest first."""
    close: list[list[tuple[float, int]]] = [[] for _ in ends]
    for start in range(0, len(codes), _AMONG):
        table = (asked @ _unit(codes[start : start + _AMONG]).T).round(3)  # so that machines agree
        for row, end, found in zip(table, ends, close, strict=True):
            found += [(cosine, start + n) for cosine, n in _largest(row[: max(0, end - start)], most)]
    return [[n for _, n in sorted(found, key=lambda each: (-each[0], each[1]))[: most + 1]] for found in close]


def _largest(row: "numpy.ndarray", most: int) -> list[tuple[float, int]]:
    """Return the highest cosines of *row* and their places, highest first, at most *most* + 1; empties *row*."""
    found: list[tuple[float, int]] = []
    while row.size and len(found) <= most:  # a handful of looks costs less than sorting thousands
        n = int(row.argmax())
        if row[n] < CLOSE:
            break
        found.append((float(row[n]), n))
        row[n] = -1.0
    return found


def _unit(codes: Sequence[bytes]) -> "numpy.ndarray":
    import numpy

    return dequantise(numpy.frombuffer(b"".join(codes), dtype=numpy.int8).reshape(len(codes), -1))
