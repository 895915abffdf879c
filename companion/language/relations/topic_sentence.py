"""What a sentence states of a topic: its predicate, the value in its place, names and numbers.

Words are compared by their keys: the first letters of their lemma.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.lexicon import lexicon_of
from companion.language.relations.statement import read_statement
from companion.language.relations.topics import WORD, Topic, word_key

# a word with a capital that does not begin a sentence: "Lund" of "its glass is from Lund"
_NAME = re.compile(r"(?<![.!?:\"\n])(?<!^)[ (\[|]+([^\W\d_a-z][^\W\d_]+)")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")  # "12", "4,9"
# "4.9 to 5.1", "4,9-5,1"
_RANGE = re.compile(
    r"(\d+(?:[.,]\d+)?) ?(?:to|bis|-|\u2013|à|a|tot) ?(\d+(?:[.,]\d+)?)(?![\w])"
)
# letters from which the last part of a compound stands for it
_SHORTEST_PART = 5
_MAX_VALUE = 4  # words of a value
# endings of a verb right behind its subject
_VERB_ENDINGS: dict[str, tuple[str, ...]] = {"en": ("s", "ed"), "de": ("t",)}
_EMPTY: frozenset[str] = frozenset()


class NumberRange(NamedTuple):
    """The stretch between two numbers, both included."""

    low: float
    high: float


class TopicSentence:
    """One sentence, read for what it states of a topic."""

    def __init__(self, text: str, topic: Topic, language: str) -> None:
        self.text = text
        self.topic = topic
        self.language = language
        self.lexicon = lexicon_of(language)
        self.grammar = grammar_of(language)
        self.reading = read_statement(text, language)
        self.values = self.reading.values

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The keys of the words as they come; of a little word itself, with a space before it."""
        little = self.lexicon.function | self.lexicon.negators
        words = self.reading.words
        return tuple(
            " " + word if word in little else self._key(word) for word in words
        )

    def _key(self, word: str) -> str:
        if len(word) >= _SHORTEST_PART:
            for whole in self.topic.wholes:
                if whole != word and whole.endswith(word):
                    return word_key(whole, self.language)
        return word_key(word, self.language)

    @cached_property
    def words_by_key(self) -> list[tuple[str, str]]:
        """The words of the sentence, each with its key, without the little ones."""
        pairs = zip(self.order, self.reading.words, strict=True)
        return [(key, word) for key, word in pairs if not is_little(key)]

    @cached_property
    def all_keys(self) -> frozenset[str]:
        """The keys of all words but the little ones."""
        return frozenset(key for key in self.order if not is_little(key))

    @cached_property
    def keys(self) -> frozenset[str]:
        """What it says beside the topic, without numbers and their units."""
        content = self.reading.content
        keys = {
            key
            for key, word in self.words_by_key
            if self.lexicon.stem(word) in content
        }
        return frozenset(
            key for key in keys - self.topic.keys if not key.isdigit()
        )

    @property
    def states_something(self) -> bool:
        return bool(self.keys or self.values)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The normalised values of all kinds."""
        return _EMPTY.union(*self.values.values())

    @cached_property
    def first_key(self) -> str:
        """The key of the first word that is no number; "" where there is none."""
        return next(
            (key for key, _ in self.words_by_key if not key.isdigit()), ""
        )

    # -- denial and change ------------------------------------------------------------------------

    @cached_property
    def denies(self) -> bool:
        low = self.text.lower()
        return bool(self.reading.denied) or any(
            phrase in low for phrase in self.lexicon.refuting
        )

    @cached_property
    def denied_keys(self) -> frozenset[str]:
        """The words that a denial reaches; all of them where it calls something wrong."""
        if not self.reading.denied:
            return self.all_keys if self.denies else _EMPTY
        stems = _EMPTY.union(*self.reading.denied)
        words = zip(self.order, self.reading.words, strict=True)
        return frozenset(
            key for key, word in words if self.lexicon.stem(word) in stems
        )

    @cached_property
    def denied_numbers(self) -> frozenset[str]:
        """The numbers that a denial reaches, as they are said: 440 of "443, not 440"."""
        return self._numbers_in(_EMPTY.union(*self.reading.denied))

    @cached_property
    def bare_numbers(self) -> frozenset[str]:
        """The numbers as they are said, whatever they measure, without those that it denies."""
        return self._numbers_in(self.reading.words) - self.denied_numbers

    def _numbers_in(self, words: Iterable[str]) -> frozenset[str]:
        numbers = (self._number(word) for word in words)
        return frozenset(number for number in numbers if number)

    def _number(self, word: str) -> str:
        """Return a number, spelled or in digits, without its unit; empty for any other word."""
        spelled = self.lexicon.numbers.get(word)
        if spelled is not None:
            return format(spelled, ".9g")
        digits = _DIGITS.match(word)
        return format(_float(digits[0]), ".9g") if digits else ""

    def changes(self, held: "TopicSentence") -> bool:
        """Tell whether it states a change.

        Words of change that only correct do not count, nor those that *held* is about.
        """
        words = WORD.findall(self.text.lower())
        stems = {self.lexicon.stem(word) for word in words}
        stems &= self.lexicon.change - self.lexicon.correcting
        if held is not self:
            theirs = {
                self.lexicon.stem(word)
                for word in WORD.findall(held.text.lower())
            }
            opposites = (
                self.lexicon.opposites.get(stem, _EMPTY) for stem in theirs
            )
            stems -= theirs.union(*opposites)
        if stems:
            return True
        phrases = [
            each
            for each in self.lexicon.change_phrases
            if each not in self.lexicon.correcting
        ]
        line = f" {' '.join(words)} "
        return any(f" {phrase} " in line for phrase in phrases)

    @property
    def adds(self) -> bool:
        """It states another value beside one: "also"."""
        return not self.lexicon.adding.isdisjoint(self.reading.words)

    @property
    def bounds(self) -> bool:
        """It gives a bound and not a value: "below", "at most"."""
        return not self.lexicon.bounding.isdisjoint(self.reading.words)

    # -- names and numbers ------------------------------------------------------------------------

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that are not the topic's."""
        found = {
            word_key(name.lower(), self.language)
            for name in _NAME.findall(self.text)
        }
        return frozenset(found & self.all_keys) - self.topic.keys

    @cached_property
    def beside_numbers(self) -> frozenset[str]:
        """The words right before and after a number: "port" of "port 8080"."""
        spelled = {
            word_key(word, self.language) for word in self.lexicon.numbers
        }
        found: set[str] = set()
        for at, key in enumerate(self.order):
            if key[:1].isdigit() or key in spelled:
                beside = (self._key_at(at - 1), self._key_at(at + 1))
                found.update(other for other in beside if not is_little(other))
        return frozenset(found) - self.topic.keys

    def _key_at(self, at: int) -> str:
        """Return the key at a place; a little word's where the sentence has no such place."""
        return self.order[at] if 0 <= at < len(self.order) else " "

    @cached_property
    def counted_nouns(self) -> frozenset[str]:
        """The words behind a number up to the next little one: what it counts."""
        found: set[str] = set()
        for at, word in enumerate(self.reading.words):
            if self._number(word) and not is_little(self._key_at(at + 1)):
                found.update(self._phrase(at + 1))
        return frozenset(found)

    @cached_property
    def ranges(self) -> tuple[NumberRange, ...]:
        """The stretches between two numbers: "4.9 to 5.1"."""
        pairs = [
            (_float(match[1]), _float(match[2]))
            for match in _RANGE.finditer(self.text)
        ]
        return tuple(NumberRange(min(pair), max(pair)) for pair in pairs)

    def values_beside(
        self, values: frozenset[str], nouns: frozenset[str]
    ) -> frozenset[str]:
        """Return those of *values* that stand beside one of *nouns*; all where none does."""
        beside: set[str] = set()
        for at, word in enumerate(self.reading.words):
            near = (
                self._key_at(at - 1),
                self._key_at(at + 1),
                self._key_at(at + 2),
            )
            if not nouns.isdisjoint(near):
                beside.add(self._number(word))
        return values & beside or values

    def in_unit_of(
        self, numbers: frozenset[str], values: frozenset[str]
    ) -> frozenset[str]:
        """Return bare *numbers* in the measure in which this has its one number as *values*.

        2.36 of "2360" for mm.
        """
        own = next(iter(self.bare_numbers), "")
        value = next(iter(values), "")
        if (
            len(self.bare_numbers) != 1
            or not _DIGITS.fullmatch(value)
            or not float(own)
        ):
            return numbers
        return frozenset(
            format(float(number) * float(value) / float(own), ".9g")
            for number in numbers
        )

    def says_one_of(self, nouns: frozenset[str]) -> bool:
        """Tell whether it says one of what *nouns* name: "one failed disk", "a single disk"."""
        for at, word in enumerate(self.reading.words):
            if word in self.lexicon.ones and not nouns.isdisjoint(
                self.order[at + 1 : at + 3]
            ):
                return True
        return False

    # -- predicate and value ----------------------------------------------------------------------

    @cached_property
    def value(self) -> frozenset[str]:
        """What stands after the last little word; where nothing does, the names."""
        places = [at for at, key in enumerate(self.order) if is_little(key)]
        last = places[-1] if places else -1
        tail = frozenset(self.order[max(last, self._opening_verb) + 1 :])
        return tail - self.topic.keys or self.names

    @cached_property
    def predicate(self) -> frozenset[str]:
        """What it says beside the topic and the value."""
        return self.keys - self.value

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of its predicate."""
        found = {
            key
            for key, word in self.words_by_key
            if key in self.predicate and self.grammar.lemma(word)
        }
        if self._opening_verb >= 0:
            found.add(self.order[self._opening_verb])
        return frozenset(found)

    @cached_property
    def _opening_verb(self) -> int:
        """Where the verb right behind the topic stands, if the sentence opens with it; else -1."""
        size = len(self.order)
        at = 0
        while at < size and is_little(self.order[at]):
            at += 1
        while at < size and self.order[at] in self.topic.keys:
            at += 1
        if not at or at + 1 >= size or self.order[at - 1] != self.topic.head:
            return -1
        word = self.reading.words[at]
        endings = _VERB_ENDINGS.get(self.language, ())
        is_verb = bool(self.grammar.lemma(word)) or word.endswith(endings)
        return at if is_verb and not is_little(self.order[at]) else -1

    @cached_property
    def is_of_another(self) -> bool:
        """Its topic's last word belongs to something else.

        "The church bridge", "the bridge of the church".
        """
        if self.topic.head not in self.order:
            return False
        at = self.order.index(self.topic.head)
        before = self._key_at(at - 1)
        if self._is_foreign(before) and not before.isdigit():
            return True
        if self._key_at(at + 1).strip() not in ("of", "for", "in", "at"):
            return False
        return any(self._is_foreign(key) for key in self.order[at + 2 : at + 4])

    def _is_foreign(self, key: str) -> bool:
        return not is_little(key) and key not in self.topic.keys

    # -- beside another sentence ------------------------------------------------------------------

    def says_the_same(self, other: "TopicSentence") -> bool:
        """Tell whether it says the same as *other*, whatever the order."""
        if self.all_keys != other.all_keys or self.values != other.values:
            return False
        return self.denies == other.denies

    def shares_value(self, other: "TopicSentence") -> bool:
        """Tell whether both give one number, date or code."""
        return any(
            not values.isdisjoint(other.values.get(kind, ()))
            for kind, values in self.values.items()
        )

    def in_place_of_value(self, held: "TopicSentence") -> frozenset[str]:
        """Return what it has where *held* has its value; empty where it has no such place."""
        return (
            self._after_predicate(held)
            or self._beside_copula(held)
            or self._before_verb(held)
            or self._before_noun(held)
        )

    def _after_predicate(self, held: "TopicSentence") -> frozenset[str]:
        """Return what stands after the same predicate and the same little word: "fed by"."""
        frames = {
            pair
            for pair in pairwise(held.order)
            if pair[0] in held.predicate and is_little(pair[1])
        }
        for at, pair in enumerate(pairwise(self.order)):
            phrase = self._phrase(at + 2) if pair in frames else _EMPTY
            if phrase:
                return phrase
        return _EMPTY

    def _beside_copula(self, held: "TopicSentence") -> frozenset[str]:
        """Return what stands on the side of "is" that has not the predicate."""
        if held._little_before_value not in self._copulas:
            return _EMPTY
        for at, key in enumerate(self.order):
            if key not in self._copulas:
                continue
            if not held.predicate.isdisjoint(self.order[:at]):
                return self._phrase(at + 1)
            if not held.predicate.isdisjoint(self.order[at + 1 :]):
                before = frozenset(
                    word for word in self.order[:at] if not is_little(word)
                )
                return before - self.topic.keys
        return _EMPTY

    def identified_as(self) -> frozenset[str]:
        """Return what stands behind "is" right after the topic."""
        for at, (before, key) in enumerate(pairwise(self.order)):
            if before == self.topic.head and key in self._copulas:
                return self._phrase(at + 2)
        return _EMPTY

    @cached_property
    def _copulas(self) -> frozenset[str]:
        return frozenset(" " + word for word in self.lexicon.copula)

    @property
    def _little_before_value(self) -> str:
        """The last little word that is no mere article."""
        articles = self.lexicon.articles - self.lexicon.copula
        for key in reversed(self.order):
            if is_little(key) and key.strip() not in articles:
                return key
        return ""

    def _before_verb(self, held: "TopicSentence") -> frozenset[str]:
        """Return what stands before the verb where the topic stands right behind it."""
        for at, key in enumerate(self.order):
            behind = [
                each
                for each in self.order[at + 1 : at + 5]
                if not is_little(each)
            ]
            if (
                at
                and key in held.verbs
                and not self.topic.keys.isdisjoint(behind[:2])
            ):
                return self._run_before(at)
        return _EMPTY

    def _before_noun(self, held: "TopicSentence") -> frozenset[str]:
        """Return what stands before the same noun: "birch leaves" for "oak leaves"."""
        tail = [key for key in held.order if key in held.value]
        if len(tail) < 2 or tail[-1] not in self.order:
            return _EMPTY
        before = self._key_at(self.order.index(tail[-1]) - 1)
        return (
            _EMPTY
            if is_little(before)
            else frozenset((before,)) - self.topic.keys
        )

    def _run_before(self, at: int) -> frozenset[str]:
        """Return the words before *at*, back to a little word."""
        return self._run(reversed(self.order[:at])) - self.topic.keys

    def _phrase(self, start: int) -> frozenset[str]:
        """Return the words from *start* on, up to a little word."""
        return self._run(self.order[start:], _MAX_VALUE) - self.topic.keys

    @staticmethod
    def _run(keys: Iterable[str], size: int | None = None) -> frozenset[str]:
        """Return the first *size* keys that stand together, behind the little words before them."""
        words = list(_skip_little(keys))
        return frozenset(words[:size])

    def opposites_in(self, held: "TopicSentence") -> frozenset[str]:
        """Return its words that are opposites of what *held* says."""
        theirs = {self.lexicon.stem(word) for word in held.reading.words}
        return frozenset(
            word_key(word, self.language)
            for word, stem in self._own_stems(theirs)
            if self._is_opposite(stem, theirs)
        )

    def _is_opposite(self, stem: str, theirs: set[str]) -> bool:
        if not self.lexicon.opposites.get(stem, _EMPTY).isdisjoint(theirs):
            return True
        longer = [other for other in theirs if len(other) > 3]
        for prefix in self.lexicon.prefixes:
            if prefix + stem in longer or any(
                prefix + other == stem for other in longer
            ):
                return True
        return False

    def rivals_in(self, held: "TopicSentence") -> frozenset[str]:
        """Return its words that exclude a word of *held*: "Tuesday" for "Friday"."""
        theirs = {self.lexicon.stem(word) for word in held.reading.words}
        sets = set().union(
            *(self.lexicon.rivals.get(stem, _EMPTY) for stem in theirs)
        )
        return frozenset(
            word_key(word, self.language)
            for word, stem in self._own_stems(theirs)
            if not sets.isdisjoint(self.lexicon.rivals.get(stem, ()))
        )

    def _own_stems(self, theirs: set[str]) -> list[tuple[str, str]]:
        """Return the words whose stem is not one of *theirs*, each with its stem."""
        pairs = [(word, self.lexicon.stem(word)) for word in self.reading.words]
        return [pair for pair in pairs if pair[1] not in theirs]


def is_little(key: str) -> bool:
    """Tell whether a key in the order of a sentence is a little word: it begins with a space."""
    return key[0] == " "


@lru_cache(maxsize=4096)
def read_sentence(text: str, topic: Topic, language: str) -> TopicSentence:
    """Return *text* read for what it states of *topic*."""
    return TopicSentence(text, topic, language)


def narrow_topic(topic: Topic, belief: str, language: str) -> Topic:
    """Return what of *topic* stands before the verb of *belief*, if the title says all of it.

    "Mia is allergic to egg" on the page "Mia's egg allergy" is about Mia.
    """
    sentence = read_sentence(belief, topic, language)
    if sentence.states_something:
        return topic
    copula = lexicon_of(language).copula
    before: list[str] = []
    for word, key in zip(sentence.reading.words, sentence.order, strict=True):
        if word in copula or sentence._is_foreign(key):
            break
        if not is_little(key):
            before.append(key)
    kept = frozenset(before) & topic.keys
    if not kept or kept == topic.keys:
        return topic
    return topic._replace(keys=kept, head=before[-1])


def _skip_little(keys: Iterable[str]) -> Iterator[str]:
    """Yield the keys behind the first little ones, up to the next little one."""
    rest = iter(keys)
    for key in rest:
        if not is_little(key):
            yield key
            yield from takewhile(lambda other: not is_little(other), rest)
            return


def _float(digits: str) -> float:
    return float(digits.replace(",", "."))
