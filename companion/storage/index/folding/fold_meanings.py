"""The meaning of each passage as a vector: the sum of the static vectors of its telling words.

It depends on the passage alone: how rare a word is counts in the question (ADR 204). Where the
vectors cannot be read the index goes without, and searches say so.
"""

import sqlite3
from collections.abc import Iterable
from functools import lru_cache
from itertools import filterfalse, islice
from zlib import crc32

from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.language.vectors.static_vectors import (
    WEIGHTS_HASH,
    check_source,
    list_pieces,
    map_rows,
)
from companion.language.vectors.word_sums import WordSums, encode_sums
from companion.language.vectors.word_vectors import (
    Source,
    is_unchanged,
    split_word,
)
from companion.language.words.stop_words import STOP_WORDS
from companion.storage.index.ranking.meaning import (
    OUTLINE,
    PACK,
    Pieces,
    read_pieces,
    read_source,
)
from companion.storage.index.schema import read_meta, write_meta

#: what the vectors depend on: an index of others is built again
VERSION = f"{WEIGHTS_HASH[:12]}, 2"
_SEEN = 4000  # words of a passage, at most
_AT_ONCE = 512  # passages whose vectors are in memory at a time


class Telling:
    """The words of one passage that tell something, each once; numbers mean
    nothing by themselves.
    """

    def __init__(self, doc: int, words: Iterable[str], language: str) -> None:
        self.doc = doc
        little = STOP_WORDS.get(language, frozenset())
        distinct = dict.fromkeys(words)
        told = filterfalse(little.__contains__, distinct)
        self.words = list(islice(filterfalse(str.isdigit, told), _SEEN))


def insert_meanings(db: sqlite3.Connection, passages: list[Telling]) -> None:
    """Add the vectors of *passages*; none where the static vectors cannot be read."""
    source = _find_source(db) if passages else None
    if source is None:
        return
    sums = _remember_words(source, *read_pieces(db))
    made: list[tuple[int, float, bytes]] = []
    signs: dict[int, bytes] = {}
    for start in range(0, len(passages), _AT_ONCE):
        some = passages[start : start + _AT_ONCE]
        added = sums.add_up([one.words for one in some])
        codes = encode_sums(added.vectors)
        for n, count in enumerate(added.counts):
            if count:
                doc = some[n].doc
                made.append((doc, codes.lengths[n], codes.values[n]))
                signs[doc] = codes.signs[n]
    db.executemany("INSERT INTO meanings VALUES (?,?,?)", made)
    _write_outlines(db, signs)


def remove_meanings(db: sqlite3.Connection, docs: Iterable[int]) -> None:
    """Remove the vectors of passages."""
    gone = list(docs)
    db.executemany("DELETE FROM meanings WHERE doc = ?", [(n,) for n in gone])
    _write_outlines(db, dict.fromkeys(gone, bytes(OUTLINE)))


@lru_cache(maxsize=1)
def _remember_words(
    source: Source, checksums: bytes, numbers: bytes
) -> WordSums:
    """Return what adds up the vectors of words, and remembers words."""
    find_piece = lru_cache(maxsize=100_000)(Pieces(checksums, numbers).find)
    split = lru_cache(maxsize=200_000)(
        lambda word: split_word(word, find_piece)
    )
    return WordSums(map_rows(source), lambda words: list(map(split, words)))


def _write_outlines(db: sqlite3.Connection, signs: dict[int, bytes]) -> None:
    """Put the *signs* of passages, by row numbers, into their packs."""
    packs: dict[int, dict[int, bytes]] = {}
    for doc, sign in signs.items():
        packs.setdefault(doc // PACK, {})[doc % PACK] = sign
    query = "SELECT signs FROM outlines WHERE pack = ?"
    for pack, changed in packs.items():
        row = db.execute(query, (pack,)).fetchone()
        held = bytearray(PACK * OUTLINE if row is None else row[0])
        for place, sign in changed.items():
            held[place * OUTLINE : (place + 1) * OUTLINE] = sign
        db.execute(
            "INSERT OR REPLACE INTO outlines VALUES (?,?)", (pack, bytes(held))
        )


def _find_source(db: sqlite3.Connection) -> Source | None:
    """Return the vectors' file; an empty index gets what reading them needs."""
    source = read_source(db)
    known = read_meta(db, "vectors") is not None
    if not known or (source is not None and not is_unchanged(source)):
        _begin(db)
    return read_source(db)


def _begin(db: sqlite3.Connection) -> None:
    """Write what reading the vectors needs, or why there are none."""
    try:
        source = check_source()
        pieces = _sort_pieces()
    except (ModelUnavailable, WrongWeights) as error:
        write_meta(db, vectors="", no_vectors=str(error))
        return
    db.execute("DELETE FROM pieces")
    db.execute("INSERT INTO pieces VALUES (?,?)", pieces)
    write_meta(
        db,
        vectors=VERSION,
        vectors_file=source.path,
        vectors_stat=f"{source.size} {source.changed}",
    )


@lru_cache(maxsize=1)
def _sort_pieces() -> tuple[bytes, bytes]:
    """Return the checksums of the tokenizer's pieces in order, and their numbers."""
    import numpy

    pieces, numbers = zip(*list_pieces(), strict=True)
    found = numpy.fromiter(
        map(crc32, map(str.encode, pieces)), numpy.uint32, len(pieces)
    )
    named = numpy.array(numbers, dtype=numpy.uint16)
    order = numpy.lexsort((named, found))
    return found[order].tobytes(), named[order].tobytes()
