"""Find the nearest entries and captures, by the embedder in use. At night only: it needs numpy."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from companion.annotations import TYPE_CHECKING
from companion.language.protocols import Embedder
from companion.language.vectors.static_vectors import dequantise, quantise
from companion.storage.vectors import Pack, find_vectors, name_embedder
from companion.workspace import Workspace

if TYPE_CHECKING:
    from typing import TypeVar

    import numpy

    #: what bears a text: an id, or more exactly what a passage is of
    Bearer = TypeVar("Bearer", bound=str | tuple[str, ...])


NEAR = 4
# cosine from which two texts are neighbours: that decides what is compared, never what is said of
# it
CLOSE = 0.5
CHUNK = 512  # texts embedded at a time
_COMPARED = 512  # texts compared with others at a time, and
_AMONG = 8192  # others at a time: both bound the memory
_ROOM = 4  # more than are asked for are found first: some bear no entry
# times as many as are wanted, from which sorting all of them costs more than finding the last
_MANY = 8
_ROUNDED = 0.0006  # more than rounding a cosine to three places can change


def vectors_path(ws: Workspace) -> str:
    """Return where the derived vectors lie."""
    return find_vectors(ws.place.state)


def embedder_name(embedder: Embedder) -> str:
    """Return under which name the vectors of *embedder* are kept."""
    return name_embedder(embedder.identity)


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
    """Return, for each id of *asked*, the nearest ids of *among*, at most *most*.

    Their cosine is at least CLOSE. With *before*, only those count that come earlier in that order.
    Ties go by that order, or else by id.
    """
    if not asked or not among:
        return {}
    order = before.__getitem__ if before else None
    names = sorted(among, key=order)
    ids = sorted(asked, key=order)
    ends_of = _find_ends(ids, names, before)
    nearest = {}
    for start in range(0, len(ids), _COMPARED):
        some = ids[start : start + _COMPARED]
        ends = [ends_of[id] for id in some]
        closest = _find_closest(
            _unit_vectors([asked[id] for id in some]),
            [among[name] for name in names[: max(ends)]],
            ends,
            most,
        )
        for id, close in zip(some, closest, strict=True):
            others = _name_others(id, names, close)
            if others:
                nearest[id] = others[:most]
    return nearest


def _find_ends(
    ids: Sequence[str],
    names: Sequence[str],
    before: Mapping[str, int] | None,
) -> Mapping[str, int]:
    """Return, for each of *ids*, how many of *names* count: those *before* it, or all."""
    if not before:
        return dict.fromkeys(ids, len(names))
    places = [before[name] for name in names]
    return {id: bisect_left(places, before[id]) for id in ids}


def _name_others(
    id: str, names: Sequence[str], places: Iterable[int]
) -> list[str]:
    named = [names[place] for place in places]
    return [name for name in named if name != id]


def find_nearest_stored(
    asked: Mapping[str, bytes],
    packs: Callable[[], Iterable[Pack]],
    bearers: "Callable[[Sequence[str]], Iterable[Bearer]]",
    *,
    most: int = NEAR,
) -> "dict[str, list[Bearer]]":
    """Return what `find_nearest` would among the ids that *bearers* names for blobs of *packs*.

    Only the nearest blobs are looked up, so that whatever else there is costs a product of two
    matrices and no more.
    """
    nearest: dict[str, list[Bearer]] = {}
    left = sorted(asked)
    wide = most + _ROOM
    while left:
        again: list[str] = []
        for start in range(0, len(left), _COMPARED):
            some = left[start : start + _COMPARED]
            close = _CloseBlobs(_unit_vectors([asked[id] for id in some]), wide)
            for pack in packs():
                close.add(pack)
            for n, id in enumerate(some):
                borne = _list_bearers(close.list_blobs(n), bearers, id, most)
                nearest[id] = borne
                if len(borne) < most and not close.is_complete(n):
                    again.append(id)
        left = again
        wide *= 4
    return {id: near for id, near in nearest.items() if near}


def _list_bearers(
    near: Iterable[tuple[float, str]],
    bearers: "Callable[[Sequence[str]], Iterable[Bearer]]",
    own: str,
    most: int,
) -> "list[Bearer]":
    """Return who bears the blobs *near*, nearest first, at most *most*; ties go by id."""
    ids: list[Bearer] = []
    for _, tied in groupby(near, key=lambda pair: pair[0]):
        found = sorted({*bearers([blob for _, blob in tied])})
        ids += [id for id in found if id != own and id not in ids]
        if len(ids) >= most:
            break
    return ids[:most]


class _CloseBlobs:
    """For each vector asked about, its *wide* nearest blobs, and those as near as the last."""

    def __init__(self, asked: "numpy.ndarray", wide: int) -> None:
        import numpy

        self._asked = asked
        self._wide = wide
        self._packs: list[Pack] = []
        # what is farther is not looked at any more
        self._bounds = numpy.full(len(asked), CLOSE, numpy.float32)
        # these three are parallel: who asked,
        self._rows = numpy.empty(0, numpy.int64)
        self._places = numpy.empty(0, numpy.int64)  # pack and place in it,
        self._cosines = numpy.empty(0, numpy.float32)  # how near

    def add(self, pack: Pack) -> None:
        """Take in the cosines of the vectors of one pack."""
        import numpy

        table = self._asked @ _vectors(pack.vectors, pack.size).T
        close = self._is_close(table)
        many = _MANY * self._wide * len(table)
        if pack.size > self._wide and close.sum() > many:
            partitioned = numpy.partition(table, -self._wide, axis=1)
            last = partitioned[:, -self._wide].round(3)
            self._bounds = numpy.maximum(self._bounds, last)
            close = self._is_close(table)
        rows, places = numpy.nonzero(close)
        # so that machines agree
        cosines = table[rows, places].round(3)
        places += len(self._packs) * _AMONG
        self._rows = numpy.append(self._rows, rows)
        self._places = numpy.append(self._places, places)
        self._cosines = numpy.append(self._cosines, cosines)
        self._packs.append(pack._replace(vectors=b""))
        self._drop_farther()

    def is_complete(self, n: int) -> bool:
        """Tell whether all that is close to the *n*-th was found."""
        return bool(self._bounds[n] <= CLOSE)

    def list_blobs(self, n: int) -> Iterator[tuple[float, str]]:
        """Yield cosine and blob of what was found for the *n*-th, nearest first."""
        first, end = self._rows.searchsorted([n, n + 1]).tolist()
        cosines = self._cosines[first:end].tolist()
        places = self._places[first:end].tolist()
        for cosine, place in zip(cosines, places, strict=True):
            yield cosine, self._packs[place // _AMONG].blob(place % _AMONG)

    def _is_close(self, table: "numpy.ndarray") -> "numpy.ndarray":
        return table >= self._bounds[:, None] - _ROUNDED

    def _drop_farther(self) -> None:
        """Put what was found in order, and drop what *wide* others are nearer than."""
        import numpy

        self._select(numpy.lexsort((-self._cosines, self._rows)))
        first = numpy.searchsorted(
            self._rows, numpy.arange(len(self._asked) + 1)
        )
        full = numpy.flatnonzero(numpy.diff(first) >= self._wide)
        last = self._cosines[first[full] + self._wide - 1]
        self._bounds[full] = numpy.maximum(self._bounds[full], last)
        self._select(self._cosines >= self._bounds[self._rows])

    def _select(self, kept: "numpy.ndarray") -> None:
        self._rows = self._rows[kept]
        self._places = self._places[kept]
        self._cosines = self._cosines[kept]


def _find_closest(
    asked: "numpy.ndarray",
    codes: Sequence[bytes],
    ends: Sequence[int],
    most: int,
) -> list[list[int]]:
    """Return, for each row of *asked*, the places of the nearest among the first of *codes*.

    *ends* says for each row how many of *codes* count. The nearest come first.
    """
    close: list[list[tuple[float, int]]] = [[] for _ in ends]
    for start in range(0, len(codes), _AMONG):
        vectors = _unit_vectors(codes[start : start + _AMONG])
        table = (asked @ vectors.T).round(3)  # so that machines agree
        for row, end, found in zip(table, ends, close, strict=True):
            for cosine, n in _list_largest(row[: max(0, end - start)], most):
                found.append((-cosine, start + n))
    nearest = []
    for found in close:
        found.sort()
        nearest.append([n for _, n in found[: most + 1]])
    return nearest


def _list_largest(row: "numpy.ndarray", most: int) -> list[tuple[float, int]]:
    """Return the highest cosines of *row* and their places, highest first, at most *most* + 1.

    Changes *row*.
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


def _unit_vectors(codes: Sequence[bytes]) -> "numpy.ndarray":
    return _vectors(b"".join(codes), len(codes))


def _vectors(codes: bytes, count: int) -> "numpy.ndarray":
    import numpy

    return dequantise(
        numpy.frombuffer(codes, dtype=numpy.int8).reshape(count, -1)
    )
