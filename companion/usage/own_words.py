"""Find the words that one statement alone has on its page. Pure."""

from collections import Counter
from collections.abc import Collection, Mapping


def find_own_words(
    words: Mapping[str, Collection[str]], others: Collection[str]
) -> dict[str, frozenset[str]]:
    """Return the words that neither another statement nor *others* have, by statement.

    *words* has those of each statement.
    """
    counts = Counter(dict.fromkeys(others, 1))
    for each in words.values():
        counts.update(set(each))
    return {
        statement: frozenset(word for word in each if counts[word] == 1)
        for statement, each in words.items()
    }
