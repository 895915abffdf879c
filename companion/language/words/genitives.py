"""The nominative of a German noun in the genitive: "Hundes" is of "Hund"."""

# what stands before such a noun, and before none in another case
ARTICLES = frozenset(("des", "eines"))
_VOWELS = frozenset("aeiouyäöü")
_UNCHANGED = ("us", "ss")  # "des Campus"
# nouns with an ending -e; of what begins with "Ge-" the most that end in one of these sounds
_WITH_E = ("ende", "auge", "erbe", "interesse", "käse", "gemüse")
_COLLECTIVE, _VOICED = "ge", "bdg"  # "Gebäude", "Gewerbe", "Gebirge"
_AGAINST = "gegen"  # "des Gegenstandes"
_IRREGULAR = {"namens": "name", "herzens": "herz", "busses": "bus"}
_ABSTRACT = "nisses"  # "des Ergebnisses"


def find_nominative(noun: str) -> str:
    """Return a masculine or neuter *noun* in the genitive as it stands in the nominative."""
    low = noun.lower()
    for ending, instead in _IRREGULAR.items():
        if low.endswith(ending):
            return noun[: -len(ending)] + _like(noun[-len(ending) :], instead)
    if low.endswith(_ABSTRACT):
        return noun[:-3]
    if not low.endswith("s") or low.endswith(_UNCHANGED):
        return noun
    if low.endswith("es") and not _keeps_e(low[:-1]):
        return noun[:-2]
    return noun[:-1]


def _keeps_e(low: str) -> bool:
    """Tell whether the "e" at the end of *low* is part of the noun: "Käse", "Kaffee"."""
    root = low[:-1]
    if low.endswith(_WITH_E) or root[-1:] in _VOWELS:
        return True
    stem = root.removeprefix(_COLLECTIVE)
    if stem == root or root.startswith(_AGAINST):
        return False
    is_collective = not _VOWELS.isdisjoint(stem)
    return is_collective and root[-1:] in _VOICED


def _like(written: str, instead: str) -> str:
    return instead.capitalize() if written[:1].isupper() else instead
