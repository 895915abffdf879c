"""Define steps and chains of claims, and tell which words of a question a step covers (LED-13).

Words are compared by the concepts they stand for: "spouse" and "married to" are one. The words of
one step narrow each other's meaning: "plays a position" is not about a part on a stage, and
"founded by" asks for a person where "founded in" asks for a place.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from companion.answers.question import Question, Slot
from companion.answers.words import Words
from companion.language.words.question_words import kinds_by_change
from companion.tuples import NamedTuple
from companion.values.claims import split_words

# concepts of being somewhere
_PLACES = frozenset(("location", "residence"))


class Step(NamedTuple):
    """One claim that stands, as a step of a chain."""

    key: tuple[str, str]
    predicate: str
    value: str  # the next subject's name
    ids: tuple[str, ...]  # the assertions that tell it
    disputed: bool = False
    inverse: bool = False  # from the value to whom it was told of
    when: str | None = None  # since when, as it was told
    rule: str = ""  # what read it: "en/verb"
    # what the same words of the same sentence tell, too: "keeps bees" beside "keeps in"
    beside: tuple[str, ...] = ()
    one: bool = False  # its matter has one value at a time
    told: str = ""  # the day of its last telling
    capital: bool = True  # the last word of its value is written as a name is


class Chain(NamedTuple):
    """Steps from a subject that the question names to an answer."""

    score: float
    steps: tuple[Step, ...]
    covered: frozenset[int]  # the places of the words
    # the answer is not the last value but since when it is so
    dated: bool = False
    # the last value is an hour of the day on which it is so
    hourly: bool = False

    def claim_ids(self) -> list[str]:
        """Return the ids of the assertions of all steps, in order."""
        ids: list[str] = []
        for step in self.steps:
            ids += step.ids
        return ids


class Sense(NamedTuple):
    """The meaning of a step."""

    concepts: list[frozenset[str]]  # of each word that says something
    # of which kind its value is, as far as the predicate tells
    kinds: frozenset[str]


def read_sense(step: Step, words: Words) -> Sense:
    """Return what each word of *step* means here, and of what kind its value is."""
    named = _named_kinds(step, words)
    meanings = [
        _fitting_meanings(words.meanings(word), named, words)
        for word in _telling_words(step, words)
    ]
    shared = _shared_concepts(meanings)
    concepts = [means & shared or means for means in meanings]
    if step.inverse:
        return Sense(concepts, frozenset())
    return Sense(concepts, _value_kinds(concepts, named, words))


def _shared_concepts(meanings: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the known concepts that all *meanings* have which have known concepts."""
    known = [concepts for concepts in map(known_concepts, meanings) if concepts]
    if not known:
        return frozenset()
    return frozenset.intersection(*known)


def _value_kinds(
    concepts: Sequence[frozenset[str]], named: frozenset[str], words: Words
) -> frozenset[str]:
    kinds: set[str] = set()
    for concept in frozenset().union(*concepts):
        kinds.update(words.values.get(concept, ()))
    if named == {"agent"}:
        return frozenset(kinds & {"person", "organisation"}) or named
    return named or frozenset(kinds)


def known_concepts(means: frozenset[str]) -> frozenset[str]:
    """Return the concepts that a table has; a bare stem begins with "~"."""
    return frozenset(
        concept for concept in means if not concept.startswith("~")
    )


def _fitting_meanings(
    means: frozenset[str], named: frozenset[str], words: Words
) -> frozenset[str]:
    """Return those of *means* whose values may be of a *named* kind; all, where none may."""
    if not named:
        return means
    fitting = set()
    for concept in means:
        kinds = words.values.get(concept)
        if not kinds or words.covers(kinds, named):
            fitting.add(concept)
    return frozenset(fitting) or means


def _named_kinds(step: Step, words: Words) -> frozenset[str]:
    """Return the kinds that the predicate's own words name: "born in city", "founded by"."""
    key, predicate = split_words(step.key[1]), split_words(step.predicate)
    named: set[str] = set()
    for before, word in (*pairwise(key), *pairwise(predicate)):
        # a "head of state" is no state
        if before not in words.of:
            named.update(words.kinds.get(word, ()))
    if len(predicate) > 1 and predicate[0] in words.kinds:
        named.update(words.kinds[predicate[0]])
    if not named and predicate and predicate[-1] in words.by:
        return frozenset({"agent"})
    return frozenset(named)


def _telling_words(step: Step, words: Words) -> list[str]:
    """Return the words of a step that say something, each once."""
    by_stem: dict[str, str] = {}
    for word in (*split_words(step.key[1]), *split_words(step.predicate)):
        if word not in words.stop or word in words.concepts:
            by_stem[words.stem(word)] = word
    return [word for word in by_stem.values() if word not in words.identity]


# -- which words of the question a step covers -----------------------------------------------------


def covers_slot(step: Step, sense: Sense, slot: Slot, words: Words) -> bool:
    """Tell whether *step* covers a word of the question: by its words, its kind or its value."""
    if any(means & slot.means for means in sense.concepts):
        return True
    if slot.kinds and sense.kinds and words.covers(sense.kinds, slot.kinds):
        return True
    if slot.word not in split_words(step.value):
        return False
    return slot.proper or not _names_kind_of_value(slot, words)


def _names_kind_of_value(slot: Slot, words: Words) -> bool:
    """Tell whether the word stands for a matter of whose values the kind is known: a "spouse"."""
    return any(words.values.get(concept) for concept in slot.means)


def list_new_slots(
    step: Step,
    sense: Sense,
    slots: Sequence[Slot],
    covered: Collection[int],
    words: Words,
) -> list[Slot]:
    """Return those of *slots* that *step* covers and that are not *covered* yet, with what its
    sentence tells beside it.
    """
    open_slots = [slot for slot in slots if slot.at not in covered]
    new = [slot for slot in open_slots if covers_slot(step, sense, slot, words)]
    if not new:
        return []
    others = [slot for slot in open_slots if slot not in new]
    return new + list_slots_beside(step, others)


def list_slots_beside(step: Step, slots: Iterable[Slot]) -> list[Slot]:
    """Return those of *slots* that the sentence of *step* tells beside it.

    "Keeps in Ahlen" is where Ruth keeps bees, if the sentence said so of them.
    """
    beside: set[str] = set()
    for value in step.beside:
        beside.update(split_words(value))
    return [slot for slot in slots if slot.word in beside]


def covered_concepts(chain: Chain, words: Words) -> frozenset[str]:
    """Return the concepts of all steps of *chain*."""
    concepts: set[str] = set()
    for step in chain.steps:
        concepts.update(*read_sense(step, words).concepts)
    return frozenset(concepts)


# -- steps that need to cover nothing --------------------------------------------------------------


def is_identity(step: Step, words: Words) -> bool:
    """Tell whether the step says only what something is: "the on-call person is Tomek"."""
    return all(
        word in words.identity or word in words.articles
        for word in split_words(step.predicate)
    )


def is_free(step: Step, asked: Question, words: Words) -> bool:
    """Tell whether the step may be taken without covering a word of the question."""
    return (
        is_identity(step, words)
        or _tells_where_or_when(step, asked, words)
        or _tells_new_state(step, asked)
        or _repeats_question(step, asked, words)
    )


def _tells_where_or_when(step: Step, asked: Question, words: Words) -> bool:
    """Tell whether the step says where or when something is, in no more words than the question:
    "is in", "is on", "hangs in".
    """
    first, *rest = split_words(step.predicate) or [""]
    if step.inverse or not rest:
        return False
    if first in words.moved and asked.kinds == {"time"}:
        return any(word in words.times for word in split_words(step.value))
    if not all(word in words.stop or word in words.clock for word in rest):
        return False
    if asked.kinds == {"place"} and _says_place(first, words):
        return True
    if first not in words.identity:
        return False
    if asked.kinds in ({"place"}, {"time"}):
        return True
    return asked.kinds == {"agent"} and rest[-1] in words.holding


def _says_place(verb: str, words: Words) -> bool:
    """Tell whether *verb* says where something is: "stands", "lives"."""
    return not _PLACES.isdisjoint(words.concepts.get(verb, ()))


def _tells_new_state(step: Step, asked: Question) -> bool:
    """Tell whether the step tells a change to what is asked: what "moved to" a place is there."""
    if step.inverse or not asked.kinds:
        return False
    kinds = asked.kinds.intersection(kinds_by_change().get(step.key[1], ()))
    if not kinds:
        return False
    return "number" not in kinds or any(map(str.isdigit, step.value))


def _repeats_question(step: Step, asked: Question, words: Words) -> bool:
    """Tell whether the question says the step's words, which by themselves say nothing: "has",
    "does", "last".
    """
    predicate = split_words(step.predicate)
    if not all(word in words.stop for word in predicate):
        return False
    said = (words.prepositions.get(word, word) for word in asked.said)
    asked_stems = {words.stem(word) for word in said}
    return all(words.stem(word) in asked_stems for word in predicate)
