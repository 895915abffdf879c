"""Nearest neighbours among entries and captures, by the embedder in use. At night only: it brings
numpy.
"""

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from companion.language.protocols import Embedder
from companion.language.static_vectors import dequantise, quantise
from companion.storage.index.vectors import Pack
from companion.workspace import Workspace

if TYPE_CHECKING:
    import numpy

NEAR = 4
# cosine from which two texts are neighbours: that decides what is compared, never what is said of
# it
CLOSE = 0.5
CHUNK = 512  # texts embedded at a time
# changes with what a text's vector is made of, so that old vectors are not mixed with new ones
_MADE = "3"
_COMPARED = 512  # texts compared with others at a time, and
_AMONG = 8192  # others at a time: both bound the memory
_ROOM = 4  # more than are asked for are found first: some bear no entry
# times as many as are wanted, from which sorting all of them costs more than finding the last
_MANY = 8
_ROUNDED = 0.0006  # more than rounding a cosine to three places can change


def vectors_path(ws: Workspace) -> str:
    """Return where the derived vectors lie."""
    return os.path.join(ws.place.state, "vectors.db")


def embedder_name(embedder: Embedder) -> str:
    """Return under which name the vectors of *embedder* are kept."""
    return "/".join((*embedder.identity, _MADE))


def embed_quantised(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of *texts*, one signed byte per dimension."""
    import numpy

    vectors = numpy.asarray(embedder.embed(list(texts)), dtype=numpy.float32)
    return [row.tobytes() for row in quantise(vectors)]


def find_nearest(
    asked: Mapping[str, bytes],
    among: Mapping[str, bytes],
    *,
    before: Mapping[str, int] | None = None,
    most: int = NEAR,
) -> dict[str, list[str]]:
    """Return, for each id of *asked*, the ids of *among* whose cosine is at least CLOSE, nearest
    first, at most *most*.

    With *before*, only those that come earlier in that order. Ties go by that order, or else by id.
    """
    if not asked or not among:
        return {}
    names = sorted(among, key=before.__getitem__ if before else None)
    places = [before[name] for name in names] if before else []
    found, ids = {}, sorted(asked, key=before.__getitem__ if before else None)
    for start in range(0, len(ids), _COMPARED):
        some = ids[start : start + _COMPARED]
        ends = [
            bisect_left(places, before[id]) if before else len(names)
            for id in some
        ]
        places_of = _closest(
            _unit([asked[id] for id in some]),
            [among[name] for name in names[: max(ends)]],
            ends,
            most,
        )
        for id, close in zip(some, places_of, strict=True):
            found[id] = [names[n] for n in close if names[n] != id][:most]
    return {id: near for id, near in found.items() if near}


def find_nearest_stored(
    asked: Mapping[str, bytes],
    packs: Callable[[], Iterable[Pack]],
    bearers: Callable[[Sequence[str]], Iterable[str]],
    *,
    most: int = NEAR,
) -> dict[str, list[str]]:
    """Return what `nearest` would among the ids that *bearers* names for blobs of *packs*.

    Only the nearest blobs are looked up, so that whatever else there is costs a product of two
    matrices and no more.
    """
    found: dict[str, list[str]] = {}
    left, wide = sorted(asked), most + _ROOM
    while left:
        again = []
        for start in range(0, len(left), _COMPARED):
            some = left[start : start + _COMPARED]
            close = _Close(_unit([asked[id] for id in some]), wide)
            for pack in packs():
                close.look(pack)
            for n, id in enumerate(some):
                found[id] = _borne(close.of(n), bearers, id, most)
                if len(found[id]) < most and not close.whole(n):
                    again.append(id)
        left, wide = again, wide * 4
    return {id: near for id, near in found.items() if near}


def _borne(
    near: Iterable[tuple[float, str]],
    bearers: Callable[[Sequence[str]], Iterable[str]],
    own: str,
    most: int,
) -> list[str]:
    """Return who bears the blobs *near*, nearest first, at most *most*; ties go by id."""
    found: list[str] = []
    for _, tied in groupby(near, key=lambda each: each[0]):
        found += sorted({*bearers([blob for _, blob in tied])} - {own})
        if len(found) >= most:
            break
    return found[:most]


class _Close:
    """For each vector asked about, the *wide* nearest blobs, and with the last of them those that
    are as near.
    """

    def __init__(self, asked: "numpy.ndarray", wide: int) -> None:
        import numpy

        self._asked, self._wide = asked, wide
        self._names: list[Pack] = []
        # what is farther is not looked at any more
        self._bounds = numpy.full(len(asked), CLOSE, numpy.float32)
        # these three are parallel: who asked,
        self._rows = numpy.empty(0, numpy.int64)
        self._places = numpy.empty(0, numpy.int64)  # pack and place in it,
        self._cosines = numpy.empty(0, numpy.float32)  # how near

    def look(self, pack: Pack) -> None:
        """Take in the cosines of the vectors of one pack."""
        import numpy

        table = self._asked @ _rows(pack.vectors, pack.size).T
        close = table >= self._bounds[:, None] - _ROUNDED
        if pack.size > self._wide and close.sum() > _MANY * self._wide * len(
            table
        ):
            last = numpy.partition(table, -self._wide, axis=1)[
                :, -self._wide
            ].round(3)
            self._bounds = numpy.maximum(self._bounds, last)
            close = table >= self._bounds[:, None] - _ROUNDED
        rows, places = numpy.nonzero(close)
        self._rows = numpy.append(self._rows, rows)
        self._places = numpy.append(
            self._places, places + len(self._names) * _AMONG
        )
        # so that machines agree
        self._cosines = numpy.append(
            self._cosines, table[rows, places].round(3)
        )
        self._names.append(pack._replace(vectors=b""))
        self._order()

    def _order(self) -> None:
        """Put what was found in order, and let go what *wide* others are nearer than."""
        import numpy

        order = numpy.lexsort((-self._cosines, self._rows))
        self._rows, self._places, self._cosines = (
            self._rows[order],
            self._places[order],
            self._cosines[order],
        )
        first = numpy.searchsorted(
            self._rows, numpy.arange(len(self._asked) + 1)
        )
        full = numpy.flatnonzero(numpy.diff(first) >= self._wide)
        last = self._cosines[first[full] + self._wide - 1]
        self._bounds[full] = numpy.maximum(self._bounds[full], last)
        near = self._cosines >= self._bounds[self._rows]
        self._rows, self._places, self._cosines = (
            self._rows[near],
            self._places[near],
            self._cosines[near],
        )

    def whole(self, n: int) -> bool:
        """Tell whether all that is close to the *n*-th was found."""
        return bool(self._bounds[n] <= CLOSE)

    def of(self, n: int) -> Iterator[tuple[float, str]]:
        """Yield what was found for the *n*-th, nearest first."""
        first, end = self._rows.searchsorted([n, n + 1]).tolist()
        for cosine, place in zip(
            self._cosines[first:end].tolist(),
            self._places[first:end].tolist(),
            strict=True,
        ):
            yield cosine, self._names[place // _AMONG].blob(place % _AMONG)


def _closest(
    asked: "numpy.ndarray",
    codes: Sequence[bytes],
    ends: Sequence[int],
    most: int,
) -> list[list[int]]:
    """Return, for each row of *asked*, the places of the nearest among the first *ends* of *codes*,
    nearest first.
    """
    close: list[list[tuple[float, int]]] = [[] for _ in ends]
    for start in range(0, len(codes), _AMONG):
        # so that machines agree
        table = (asked @ _unit(codes[start : start + _AMONG]).T).round(3)
        for row, end, found in zip(table, ends, close, strict=True):
            found += [
                (cosine, start + n)
                for cosine, n in _largest(row[: max(0, end - start)], most)
            ]
    return [
        [
            n
            for _, n in sorted(found, key=lambda each: (-each[0], each[1]))[
                : most + 1
            ]
        ]
        for found in close
    ]


def _largest(row: "numpy.ndarray", most: int) -> list[tuple[float, int]]:
    """Return the highest cosines of *row* and their places, highest first, at most *most* + 1;
    empties *row*.
    """
    found: list[tuple[float, int]] = []
    # a handful of looks costs less than sorting thousands
    while row.size and len(found) <= most:
        n = int(row.argmax())
        if row[n] < CLOSE:
            break
        found.append((float(row[n]), n))
        row[n] = -1.0
    return found


def _unit(codes: Sequence[bytes]) -> "numpy.ndarray":
    return _rows(b"".join(codes), len(codes))


def _rows(codes: bytes, count: int) -> "numpy.ndarray":
    import numpy

    return dequantise(
        numpy.frombuffer(codes, dtype=numpy.int8).reshape(count, -1)
    )
