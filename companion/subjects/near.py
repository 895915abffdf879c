"""Find the pages whose vectors are near those of notes, with their cosines."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.language.static_vectors import dequantise
from companion.storage.vectors import Pack
from companion.subjects.values import Near

if TYPE_CHECKING:
    import numpy

# blobs looked up for each page wanted: some bear no entry, some the same
_ROOM = 4


def find_near(
    asked: Mapping[str, bytes],
    packs: Iterable[Pack],
    bearers: Callable[[Sequence[str]], Iterable[str]],
    most: int,
) -> dict[str, list[Near]]:
    """Return for each id of *asked* the nearest entries, nearest first, at most *most*.

    *bearers* names the entries whose pages hold a blob. Cosines are rounded, so that machines
    agree; ties go by entry.
    """
    import numpy

    ids = sorted(asked)
    ours = _unit_vectors(b"".join(asked[id] for id in ids), len(ids))
    close: list[list[tuple[float, str]]] = [[] for _ in ids]
    wide = most * _ROOM
    for pack in packs:
        table = (ours @ _unit_vectors(pack.vectors, pack.size).T).round(3)
        for row, found in zip(table, close, strict=True):
            places = numpy.argsort(-row, kind="stable")[:wide]
            found += [(float(row[n]), pack.blob(int(n))) for n in places]
            found.sort(key=lambda pair: (-pair[0], pair[1]))
            del found[wide:]
    return {
        id: _list_entries(found, bearers)[:most]
        for id, found in zip(ids, close, strict=True)
    }


def _list_entries(
    found: Sequence[tuple[float, str]],
    bearers: Callable[[Sequence[str]], Iterable[str]],
) -> list[Near]:
    cosines: dict[str, float] = {}
    for cosine, blob in found:
        for entry in sorted(bearers([blob])):
            cosines.setdefault(entry, cosine)
    near = [Near(entry, cosine) for entry, cosine in cosines.items()]
    return sorted(near, key=lambda one: (-one.cosine, one.entry))


def _unit_vectors(codes: bytes, count: int) -> "numpy.ndarray":
    import numpy

    return dequantise(
        numpy.frombuffer(codes, dtype=numpy.int8).reshape(count, -1)
    )
