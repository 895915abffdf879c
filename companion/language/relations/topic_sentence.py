"""Read a sentence for what it states of a topic: predicate, value, names and numbers.

Words are compared by their keys: the first letters of their lemma.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import dropwhile, islice, pairwise, takewhile
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.detect import WordSet
from companion.language.lexicon import lexicon_of
from companion.language.relations.statement import read_statement
from companion.language.relations.topics import Topic, word_key

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
_NOTHING: WordSet = frozenset()


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
        keys: list[str] = []
        for word in self.reading.words:
            if word in little:
                keys.append(" " + word)
            else:
                keys.append(self._key(word))
        return tuple(keys)

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
    def all_keys(self) -> WordSet:
        """The keys of all words but the little ones."""
        return frozenset(key for key in self.order if not is_little(key))

    @cached_property
    def keys(self) -> WordSet:
        """The keys of what it says beside the topic, without numbers and their units."""
        content = self.reading.content
        keys: set[str] = set()
        for key, word in self.words_by_key:
            if not key.isdigit() and self.lexicon.stem(word) in content:
                keys.add(key)
        return frozenset(keys) - self.topic.keys

    @property
    def states_something(self) -> bool:
        """It says more than the topic itself."""
        return bool(self.keys or self.values)

    @cached_property
    def numbers(self) -> WordSet:
        """The normalised values of all kinds."""
        return _NOTHING.union(*self.values.values())

    @cached_property
    def first_key(self) -> str:
        """The key of the first word that is no number; "" where there is none."""
        for key, _ in self.words_by_key:
            if not key.isdigit():
                return key
        return ""

    # -- denial and change ------------------------------------------------------------------------

    @cached_property
    def denies(self) -> bool:
        """It denies something, or calls it wrong."""
        low = self.text.lower()
        if self.reading.denials:
            return True
        return any(phrase in low for phrase in self.lexicon.refuting)

    @cached_property
    def denied_keys(self) -> WordSet:
        """The words that a denial reaches; all of them where it calls something wrong."""
        if not self.denies:
            return _NOTHING
        if not self.reading.denials:
            return self.all_keys
        stems = _NOTHING.union(*self.reading.denials)
        keys: set[str] = set()
        for key, word in zip(self.order, self.reading.words, strict=True):
            if self.lexicon.stem(word) in stems:
                keys.add(key)
        return frozenset(keys)

    @cached_property
    def denied_numbers(self) -> WordSet:
        """The numbers that a denial reaches, as they are said: 440 of "443, not 440"."""
        return self._numbers_in(_NOTHING.union(*self.reading.denials))

    @cached_property
    def bare_numbers(self) -> WordSet:
        """The numbers as they are said, whatever they measure, without those that it denies."""
        return self._numbers_in(self.reading.words) - self.denied_numbers

    def _numbers_in(self, words: Iterable[str]) -> WordSet:
        numbers = (self._number(word) for word in words)
        return frozenset(number for number in numbers if number)

    def _number(self, word: str) -> str:
        """Return a number, spelled or in digits, without its unit; empty for any other word."""
        spelled = self.lexicon.numbers.get(word)
        if spelled is not None:
            return _plain(spelled)
        digits = _DIGITS.match(word)
        if digits is None:
            return ""
        return _plain(_float(digits[0]))

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
    def names(self) -> WordSet:
        """Names that are not the topic's."""
        keys: set[str] = set()
        for name in _NAME.findall(self.text):
            keys.add(word_key(name.lower(), self.language))
        return frozenset(keys & self.all_keys) - self.topic.keys

    @cached_property
    def beside_numbers(self) -> WordSet:
        """The words right before and after a number: "port" of "port 8080"."""
        numbers = self.lexicon.numbers
        spelled = {word_key(word, self.language) for word in numbers}
        keys: set[str] = set()
        for at, key in enumerate(self.order):
            if not key[:1].isdigit() and key not in spelled:
                continue
            for place in (at - 1, at + 1):
                beside = self.key_at(place)
                if not is_little(beside):
                    keys.add(beside)
        return frozenset(keys) - self.topic.keys

    def key_at(self, at: int) -> str:
        """Return the key at a place; a little word's where the sentence has no such place."""
        if 0 <= at < len(self.order):
            return self.order[at]
        return " "

    @cached_property
    def counted_nouns(self) -> WordSet:
        """The words behind a number up to the next little one: what it counts."""
        keys: set[str] = set()
        for at, word in enumerate(self.reading.words):
            if self._number(word) and not is_little(self.key_at(at + 1)):
                keys.update(self.phrase_at(at + 1))
        return frozenset(keys)

    @cached_property
    def ranges(self) -> tuple[NumberRange, ...]:
        """The stretches between two numbers: "4.9 to 5.1"."""
        ranges: list[NumberRange] = []
        for match in _RANGE.finditer(self.text):
            ends = (_float(match[1]), _float(match[2]))
            ranges.append(NumberRange(min(ends), max(ends)))
        return tuple(ranges)

    def values_beside(self, values: WordSet, nouns: WordSet) -> WordSet:
        """Return those of *values* that stand beside one of *nouns*; all where none does."""
        beside: set[str] = set()
        for at, word in enumerate(self.reading.words):
            near = [self.key_at(place) for place in (at - 1, at + 1, at + 2)]
            if not nouns.isdisjoint(near):
                beside.add(self._number(word))
        return values & beside or values

    def in_unit_of(self, numbers: WordSet, values: WordSet) -> WordSet:
        """Return bare *numbers* in the measure in which this has its one number as *values*.

        2.36 of "2360" for mm.
        """
        own = next(iter(self.bare_numbers), "")
        value = next(iter(values), "")
        if len(self.bare_numbers) != 1 or not float(own):
            return numbers
        if not _DIGITS.fullmatch(value):
            return numbers
        factor = float(value)
        return frozenset(
            _plain(float(number) * factor / float(own)) for number in numbers
        )

    def says_one_of(self, nouns: WordSet) -> bool:
        """Tell whether it says one of what *nouns* name: "one failed disk", "a single disk"."""
        for at, word in enumerate(self.reading.words):
            if word not in self.lexicon.ones:
                continue
            if not nouns.isdisjoint(self.order[at + 1 : at + 3]):
                return True
        return False

    # -- predicate and value ----------------------------------------------------------------------

    @cached_property
    def value(self) -> WordSet:
        """The words after the last little word; where there are none, the names."""
        last = self._opening_verb
        for at, key in enumerate(self.order):
            if is_little(key):
                last = max(last, at)
        tail = frozenset(self.order[last + 1 :])
        return tail - self.topic.keys or self.names

    @cached_property
    def predicate(self) -> WordSet:
        """The words beside the topic and the value."""
        return self.keys - self.value

    @cached_property
    def verbs(self) -> WordSet:
        """The verbs of its predicate."""
        keys = {
            key
            for key, word in self.words_by_key
            if key in self.predicate and self.grammar.lemma(word)
        }
        if self._opening_verb >= 0:
            keys.add(self.order[self._opening_verb])
        return frozenset(keys)

    @cached_property
    def _opening_verb(self) -> int:
        """Where the verb right behind the topic stands, if the sentence opens with it; else -1."""
        at = self._end_of_opening_topic
        if not at or at + 1 >= len(self.order):
            return -1
        if self.order[at - 1] != self.topic.head or is_little(self.order[at]):
            return -1
        word = self.reading.words[at]
        endings = _VERB_ENDINGS.get(self.language, ())
        if self.grammar.lemma(word) or word.endswith(endings):
            return at
        return -1

    @property
    def _end_of_opening_topic(self) -> int:
        """Where the first little words and the topic's words behind them end."""
        size = len(self.order)
        at = 0
        while at < size and is_little(self.order[at]):
            at += 1
        while at < size and self.order[at] in self.topic.keys:
            at += 1
        return at

    @cached_property
    def is_of_another(self) -> bool:
        """Its topic's last word belongs to something else.

        "The church bridge", "the bridge of the church".
        """
        if self.topic.head not in self.order:
            return False
        at = self.order.index(self.topic.head)
        before = self.key_at(at - 1)
        if self.is_foreign(before) and not before.isdigit():
            return True
        if self.key_at(at + 1).strip() not in ("of", "for", "in", "at"):
            return False
        return any(self.is_foreign(key) for key in self.order[at + 2 : at + 4])

    def is_foreign(self, key: str) -> bool:
        """Tell whether *key* is of a word of matter that the topic has not."""
        return not is_little(key) and key not in self.topic.keys

    def identified_as(self) -> WordSet:
        """Return what stands behind "is" right after the topic."""
        for at, (before, key) in enumerate(pairwise(self.order)):
            if before == self.topic.head and key in self.copulas:
                return self.phrase_at(at + 2)
        return _NOTHING

    @cached_property
    def copulas(self) -> WordSet:
        """The keys of the language's forms of "is"."""
        return frozenset(" " + word for word in self.lexicon.copula)

    @property
    def little_before_value(self) -> str:
        """The last little word that is no mere article."""
        articles = self.lexicon.articles - self.lexicon.copula
        for key in reversed(self.order):
            if is_little(key) and key.strip() not in articles:
                return key
        return ""

    def phrase_before(self, at: int) -> WordSet:
        """Return the words before *at*, back to a little word."""
        words = _first_run(reversed(self.order[:at]))
        return frozenset(words) - self.topic.keys

    def phrase_at(self, start: int) -> WordSet:
        """Return the words from *start* on, up to a little word."""
        words = _first_run(self.order[start:])
        return frozenset(islice(words, _MAX_VALUE)) - self.topic.keys


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
    before = _keys_before_verb(sentence)
    kept = frozenset(before) & topic.keys
    if not kept or kept == topic.keys:
        return topic
    return topic._replace(keys=kept, head=before[-1])


def _keys_before_verb(sentence: TopicSentence) -> list[str]:
    """Return the keys before the first copula or word that is not the topic's."""
    copula = sentence.lexicon.copula
    before: list[str] = []
    for word, key in zip(sentence.reading.words, sentence.order, strict=True):
        if word in copula or sentence.is_foreign(key):
            break
        if not is_little(key):
            before.append(key)
    return before


def _first_run(keys: Iterable[str]) -> Iterator[str]:
    """Yield the keys behind the first little ones, up to the next little one."""
    behind = dropwhile(is_little, keys)
    return takewhile(lambda key: not is_little(key), behind)


def _plain(number: float) -> str:
    return format(number, ".9g")


def _float(digits: str) -> float:
    return float(digits.replace(",", "."))
