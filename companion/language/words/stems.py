"""Stems and lemmas: what the forms of one word have in common.

`stem` takes the ending off any word; `VerbForms` finds the dictionary form of a known verb.
"""

from functools import lru_cache

from companion.tuples import NamedTuple

_VOWELS = frozenset("aeiouyäöüáéíóúàèìòùâêîôû")
# characters that a word keeps at least when its ending is taken off
_SHORTEST = 3


@lru_cache(maxsize=65536)
def stem(word: str, suffixes: tuple[str, ...]) -> str:
    """Return *word* without the first of *suffixes* that fits; it is no dictionary form."""
    for suffix in suffixes:
        if _is_ending(word, suffix):
            word = word[: -len(suffix)]
            break
    if (
        len(word) > _SHORTEST
        and word[-1] == word[-2]
        and word[-1] not in _VOWELS
    ):
        word = word[:-1]
    if len(word) > _SHORTEST and word.endswith(("y", "e")):
        word = word[:-1]
    return word


def _is_ending(word: str, suffix: str) -> bool:
    """Tell whether *suffix* can be taken off *word*: enough remains, and it has a vowel."""
    if not word.endswith(suffix) or len(word) - len(suffix) < _SHORTEST:
        return False
    if suffix == "s" and word.endswith("ss"):
        return False
    return not _VOWELS.isdisjoint(word[: -len(suffix)])


class VerbForms(NamedTuple):
    """The verbs of one language, and how their forms are made."""

    lemmas: frozenset[str]
    irregular: dict[str, str]  # lemma by form
    # an ending, and what the lemma has in its place
    suffixes: list[tuple[str, str]]
    prefix: str  # "ge" of "gekauft"
    doubled: str  # letters that a form may double: "planned"
    # what stands before the prefix of a participle: "ein" of "eingebaut"
    separable: tuple[str, ...] = ()

    def lemma(self, word: str) -> str | None:
        """Return the verb of which the lower-case *word* is a form, or None."""
        if word in self.irregular:
            return self.irregular[word]
        if word in self.lemmas:
            return word
        # In this order on every machine: "gehört" is of "gehören" before it is of "hören".
        for form in dict.fromkeys((word, word.removeprefix(self.prefix))):
            for ending, replacement in self.suffixes:
                if form.endswith(ending) and len(form) > len(ending) + 1:
                    base = form[: len(form) - len(ending)]
                    lemma = self._known(base, replacement)
                    if lemma is not None:
                        return lemma
        return self._of_separable(word)

    def _of_separable(self, word: str) -> str | None:
        """Return the verb of a participle with a part before its prefix: "einbauen".

        Of another form only a known one: "anfängt".
        """
        for part in self.separable:
            if not word.startswith(part):
                continue
            rest = word.removeprefix(part)
            lemma = self.lemma(rest)
            if lemma is None:
                continue
            whole = part + lemma
            if rest.startswith(self.prefix) or whole in self.lemmas:
                return whole
        return None

    def _known(self, base: str, replacement: str) -> str | None:
        """Return the known verb of *base*, its last letter doubled or not."""
        if base + replacement in self.lemmas:
            return base + replacement
        if (
            len(base) < 3
            or base[-1] != base[-2]
            or base[-1] not in self.doubled
        ):
            return None
        single = base[:-1] + replacement
        if single in self.lemmas:
            return single
        return None
