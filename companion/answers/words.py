"""Define the tables by which a question is read, and find what its words mean."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType

from companion.tuples import NamedTuple

# letters from which one wrong letter is taken for a slip of the finger
_TYPED = 6


class Words(NamedTuple):
    """The tables by which a question is read; those that do not depend on its language are of all
    languages together.
    """

    # word -> the concepts that it stands for
    concepts: Mapping[str, Collection[str]]
    # word -> the kinds of thing that it names
    kinds: Mapping[str, Collection[str]]
    values: Mapping[str, Collection[str]]  # concept -> the kinds of its values
    wider: Mapping[str, Collection[str]]  # kind -> the wider kinds
    # question word -> the kinds that answer it
    asks: Mapping[str, Collection[str]]
    stop: Collection[str]  # words that say nothing of what is asked
    weak: Collection[str]  # words that need no claim
    me: Collection[str]  # words by which the asker means themselves
    called: Collection[str]  # what agents call whom they work for: "the user's"
    us: Collection[str]  # those by which they mean themselves with others
    # what stands between a thing and what says which one: "of", "at"
    between: Collection[str]
    ors: Collection[str]
    ands: Collection[str]
    which: Collection[str]  # what stands before the kind that is asked for
    articles: Collection[str]
    identity: Collection[str]  # predicates that say what something is
    times: Collection[str]  # words that a time is told with
    numbers: Collection[str]
    endings: tuple[str, ...]  # of words, the longest first
    agents: Collection[str]  # endings of who does what a verb says
    by: Collection[str]  # what stands between a deed and who did it
    symmetric: Collection[str]  # concepts that hold both ways
    past: Collection[str]  # words that ask for what was so before
    clock: Collection[str] = ()  # what stands before an hour
    inside: Collection[str] = ()  # before where something happens: "play in"
    holding: Collection[str] = ()  # before who has a thing: "is with"
    has: Collection[str] = ()  # "has", as the whole of a predicate
    as_what: Collection[str] = ()  # before a role: "works as"
    # what asks with a preposition, and which: "womit"
    prepositions: Mapping[str, str] = MappingProxyType({})
    of: Collection[str] = ()  # before whose head or what sort of country
    said_for: Collection[str] = ()  # what somebody is for something: "famous"
    titles: Collection[str] = ()  # before the name of a person: "Mrs"
    naming: Collection[str] = ()  # words that ask how something is called
    moved: Collection[str] = ()  # verbs that give an appointment another time
    homes: frozenset[str] = frozenset()  # what one lives in: "flat", "village"
    renewed: Collection[str] = ()  # what calls a thing new
    # what opens a question whose verb stands before its subject: "wie", and
    # "was", which may be the subject itself
    turned: Collection[str] = ()
    either: Collection[str] = ()
    determiners: Collection[str] = ()  # "all", "my"
    opening: Collection[str] = ()  # what says nothing before what asks
    dos: Collection[str] = ()  # auxiliaries of a question: "did"
    how: Collection[str] = ()
    reasons: Collection[str] = ()  # what opens a question for a reason
    # prepositions that may stand at the end of a question, far from their noun
    stranded: Collection[str] = ()
    frequencies: Collection[str] = ()  # words of how often: "every"

    def stem(self, word: str) -> str:
        """Return *word* without its ending."""
        return stem(word, self.endings)

    def meanings(
        self, word: str, *, proper: bool = False, plainly: bool = False
    ) -> frozenset[str]:
        """Return the concepts of *word*; without any, its stem, so that the word is found again in
        other forms.

        A *proper* name is not corrected; a word taken *plainly* is not found by its stem either.
        """
        concepts = self.concepts.get(word)
        if not concepts and not plainly:
            concepts = self._meanings_of_stem(self.stem(word))
        if concepts is None and not proper and not plainly:
            concepts = self._meanings_of_misspelled(word)
        return frozenset(concepts or {"~" + self.stem(word)})

    def _meanings_of_stem(self, bare: str) -> Collection[str] | None:
        """Return the concepts of the known words with the stem *bare*, None where there is none."""
        found: set[str] = set()
        for ending in ("", *self.endings):
            word = bare + ending
            if word in self.concepts and self.stem(word) == bare:
                found.update(self.concepts[word])
        return found or None

    def _meanings_of_misspelled(self, word: str) -> Collection[str] | None:
        """Return the concepts of the known word that *word* misspells, None where there is none."""
        if len(word) < _TYPED or word in self.kinds or word in self.stop:
            return None
        return self.concepts.get(_correct_slip(word, tuple(self.concepts)))

    def covers(self, kinds: Collection[str], asked: Collection[str]) -> bool:
        """Tell whether a value of one of *kinds* is of a kind that is *asked*, or of a wider one
        that usually is it.
        """
        wide = set(kinds)
        for kind in kinds:
            wide.update(self.wider.get(kind, ()))
        return bool(wide & set(asked) or ("city" in asked and "place" in kinds))

    def is_person(self, word: str) -> bool:
        """Tell whether *word* means who asks, alone or with others: "I", "our"."""
        return word in self.me or word in self.us


@lru_cache(maxsize=8192)
def stem(word: str, endings: tuple[str, ...]) -> str:
    """Return *word* without the longest ending that leaves three letters; *endings* are sorted, the
    longest first.
    """
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


@lru_cache(maxsize=256)
def _correct_slip(word: str, vocabulary: tuple[str, ...]) -> str:
    """Return the known word that *word* is but for one letter, or for two that changed places; else
    itself.
    """
    for other in vocabulary:
        if other[0] != word[0] or len(other) < _TYPED:
            continue
        if abs(len(other) - len(word)) < 2 and _is_one_slip_apart(word, other):
            return other
    return word


def _is_one_slip_apart(a: str, b: str) -> bool:
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    a, b = a[same:], b[same:]
    if a[1:] == b[1:]:  # another letter, or none at all
        return True
    if a[1:] == b or a == b[1:]:  # one letter more, or one less
        return True
    have_changed_places = len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1]
    return have_changed_places and a[2:] == b[2:]
