"""Words of the index that differ little from one that was typed, or that it is a part of.

Two words are near where few letters are added, left out, changed or exchanged with the next
(Damerau 1964). Asked only where nothing else is found.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

_SHORTEST = 4  # letters of a word that is corrected
_TWICE = 8  # letters from which two changes are allowed
_LONGEST = 40
_LEAST = 3  # letters of a word that two parts may make
_HEAD = 5  # letters of a word that a compound ends with
_REST = 3  # letters before it
_COMPOUNDS = 5  # compounds that stand for one word
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def find_near_word(
    db: sqlite3.Connection | None,
    word: str,
    others: Iterable[str],
    without: Collection[str] = (),
) -> str | None:
    """Return the word nearest to the folded *word*, of the index and of *others*, but none of
    *without*; of equals the most frequent one. None where none is near.
    """
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    most = 2 if len(word) >= _TWICE else 1
    best: tuple[int, int, str] | None = None
    frequencies = dict.fromkeys(others, 1)
    if db is not None:
        frequencies |= _list_alike(db, word, most)
    for other, count in frequencies.items():
        distance = measure_distance(word, other, most)
        if distance > most or other in without:
            continue
        found = (distance, -count, other)
        if best is None or found < best:
            best = found
    return None if best is None else best[2]


def find_parted(
    db: sqlite3.Connection | None, word: str, texts: Iterable[Sequence[str]]
) -> str | None:
    """Return the two words that stand together in the index or in *texts* and make *word*: "wi fi";
    None where none do.
    """
    pairs = {a + b: f"{a} {b}" for words in texts for a, b in pairwise(words)}
    if word in pairs:
        return pairs[word]
    for parts in _part(word):
        if all(has_word(db, part) for part in parts) and db is not None:
            together = " ".join(parts)
            query = "SELECT 1 FROM fts WHERE fts MATCH ? LIMIT 1"
            if db.execute(query, (f'"{together}"',)).fetchone():
                return together
    return None


def _part(word: str) -> Iterator[tuple[str, str]]:
    if not _LEAST <= len(word) <= _LONGEST:
        return
    for place in range(1, len(word)):
        yield word[:place], word[place:]


def list_ending_with(
    db: sqlite3.Connection | None, word: str, others: Iterable[str]
) -> list[str]:
    """Return the words of the index and of *others* that are compounds with *word* at their end,
    the most frequent first.
    """
    if len(word) < _HEAD:
        return []
    shortest = len(word) + _REST
    frequencies = {
        other: 1
        for other in others
        if len(other) >= shortest and other.endswith(word)
    }
    if db is not None:
        query = """
            SELECT term, doc
            FROM terms
            WHERE length(term) >= ?1 AND substr(term, -length(?2)) = ?2
            """
        frequencies |= dict(db.execute(query, (shortest, word)).fetchall())
    ranked = sorted(frequencies, key=lambda one: (-frequencies[one], one))
    return ranked[:_COMPOUNDS]


def has_word(db: sqlite3.Connection | None, word: str) -> bool:
    """Tell whether any page has the folded *word*."""
    if db is None:
        return False
    query = "SELECT 1 FROM terms WHERE term = ?"
    return db.execute(query, (word,)).fetchone() is not None


def _list_alike(db: sqlite3.Connection, word: str, most: int) -> dict[str, int]:
    """Return words of the index with their pages: of about the length of *word*, those that begin
    alike, and those whose beginning differs by one letter.
    """
    query = """
        SELECT term, doc
        FROM terms
        WHERE term >= ?1 AND term < ?1 || char(1114111)
          AND length(term) BETWEEN ?2 AND ?3
        """
    values = (word[0], len(word) - most, len(word) + most)
    found: dict[str, int] = dict(db.execute(query, values).fetchall())
    single = "SELECT doc FROM terms WHERE term = ?"
    for other in _vary_beginning(word):
        row = db.execute(single, (other,)).fetchone()
        if row is not None:
            found[other] = int(row[0])
    return found


def _vary_beginning(word: str) -> Iterable[str]:
    yield word[1:]
    yield word[1] + word[0] + word[2:]
    for letter in _LETTERS:
        yield letter + word
        yield letter + word[1:]


def measure_distance(left: str, right: str, most: int) -> int:
    """Return how many letters differ between two words; any number above *most* stands for more."""
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        earlier, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            cost = min(
                before[j] + 1,
                row[j - 1] + 1,
                before[j - 1] + (letter != other),
            )
            exchanged = left[max(0, i - 2) : i] == other + right[j - 2 : j - 1]
            if exchanged and i > 1 and j > 1:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
