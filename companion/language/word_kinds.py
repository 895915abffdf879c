"""Word lists in plain text, a kind a line: "months: january february". Quick to read: every capture
and search may need one.
"""

import os
from functools import lru_cache

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


@lru_cache(maxsize=8)
def read_word_kinds(name: str) -> dict[str, frozenset[str]]:
    """Return the words of each kind in `data/<name>`; lines that begin with "#" are comments."""
    kinds: dict[str, frozenset[str]] = {}
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        for line in file:
            kind, colon, words = line.partition(":")
            if colon and not line.startswith("#"):
                kinds[kind] = frozenset(words.split())
    return kinds
