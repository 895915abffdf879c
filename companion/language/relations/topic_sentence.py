"""What a sentence states of a topic: its predicate, the value in its place, names and numbers,
denial and change.
"""

import re
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.lexicon import Lexicon, lexicon
from companion.language.relations.statement import Reading, read

_NAME = re.compile(r"(?<![.!?:\"\n])(?<!^)[ (\[|]+([^\W\d_a-z][^\W\d_]+)")
_KEY = 6  # letters by which forms of one word meet: compose, composer, composition
_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_RANGE = re.compile(r"(\d+(?:[.,]\d+)?) ?(?:to|bis|-|\u2013|à|a|tot) ?(\d+(?:[.,]\d+)?)(?![\w])")
_PART = 5  # letters from which the last part of a compound stands for it
# endings of a verb right behind its subject
_VERBAL: dict[str, tuple[str, ...]] = {"en": ("s", "ed"), "de": ("t",)}
_COMPOUNDING = ("de", "nl")  # languages that write compounds as one word


class Topic(NamedTuple):
    """What a page is about, by its title."""

    keys: frozenset[str]
    head: str  # its last word: "gateway" of "payment gateway"
    # its words as they are, where parts of them name it: "Flügel" for "Konzertflügel"
    wholes: tuple[str, ...] = ()


class Matter:
    """One sentence, read for what it states of a topic. Words are compared by the first letters of
    their lemma.
    """

    def __init__(self, text: str, topic: Topic, language: str) -> None:
        self.words, self.topic, self.language = lexicon(language), topic, language
        self.reading: Reading = read(text, language)
        self.text = text
        self.values = self.reading.values

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The words as they come, by their keys; little words as they are, with a space before
        them.
        """
        little = self.words.function | self.words.negators
        return tuple(
            " " + word if word in little else self._key(word) for word in self.reading.words
        )

    def _key(self, word: str) -> str:
        whole = next(
            (each for each in self.topic.wholes if each != word and each.endswith(word)), None
        )
        return key(word if whole is None or len(word) < _PART else whole, self.language)

    @cached_property
    def all(self) -> frozenset[str]:
        return frozenset(word for word in self.order if word[0] != " ")

    @cached_property
    def keys(self) -> frozenset[str]:
        """What it says beside the topic, without numbers and their units."""
        spoken = zip(self.reading.words, self.order, strict=True)
        said = {
            k for word, k in spoken if k[0] != " " and self.words.stem(word) in self.reading.content
        }
        return frozenset(word for word in said - self.topic.keys if not word.isdigit())

    @property
    def said(self) -> bool:
        return bool(self.keys or self.values)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(value for values in self.values.values() for value in values)

    @cached_property
    def first(self) -> str:
        return next((word for word in self.order if word[0] != " " and not word.isdigit()), "")

    @cached_property
    def denies(self) -> bool:
        low = self.text.lower()
        return bool(self.reading.denied) or any(phrase in low for phrase in self.words.refuting)

    @cached_property
    def reach(self) -> frozenset[str]:
        """The words that a denial reaches; all of it where it calls something wrong."""
        if not self.reading.denied:
            return self.all if self.denies else frozenset()
        stems = frozenset().union(*self.reading.denied)
        spoken = zip(self.reading.words, self.order, strict=True)
        return frozenset(k for word, k in spoken if self.words.stem(word) in stems)

    @cached_property
    def denied_numbers(self) -> frozenset[str]:
        """The numbers that a denial reaches, as they are said: 440 of "443, not 440"."""
        said = (self._plain(stem) for reach in self.reading.denied for stem in reach)
        return frozenset(number for number in said if number)

    @cached_property
    def bare_numbers(self) -> frozenset[str]:
        """The numbers in it as they are said, whatever they measure; without those that it
        denies.
        """
        found = {number for word in self.reading.words if (number := self._plain(word))}
        return frozenset(found) - self.denied_numbers

    def _plain(self, word: str) -> str:
        """Return a number, spelled or in digits, without its unit; empty for any other word."""
        spelled = self.words.numbers.get(word)
        digits = _DIGITS.match(word)
        if spelled is None and digits is None:
            return ""
        value = (
            spelled
            if spelled is not None
            else float(digits[0].replace(",", "."))
            if digits
            else 0.0
        )
        return format(value, ".9g")

    @property
    def left(self) -> frozenset[str]:
        return self.reading.left

    def turned(self, held: "Matter") -> bool:
        """Tell whether it states a change: words of change beyond those that only correct, or that
        *held* is about.
        """
        spoken = _WORD.findall(self.text.lower())
        stems = {
            self.words.stem(word) for word in spoken
        } & self.words.change - self.words.correcting
        if held is not self:
            theirs = {self.words.stem(word) for word in _WORD.findall(held.text.lower())}
            stems -= theirs.union(*(self.words.opposites.get(stem, frozenset()) for stem in theirs))
        phrases = (p for p in self.words.change_phrases if p not in self.words.correcting)
        return bool(stems) or any(f" {p} " in f" {' '.join(spoken)} " for p in phrases)

    @property
    def adds(self) -> bool:
        return not self.words.adding.isdisjoint(self.reading.words)

    @property
    def bounded(self) -> bool:
        """It gives a bound and not a value: below, at most."""
        return not self.words.bounding.isdisjoint(self.reading.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that are not the topic's."""
        found = {key(name.lower(), self.language) for name in _NAME.findall(self.text)}
        return frozenset(found & self.all) - self.topic.keys

    @cached_property
    def counted(self) -> frozenset[str]:
        """The words right before and after a number: "port" of "port 8080"."""
        return (
            frozenset(
                self.order[place]
                for at, word in enumerate(self.order)
                if word[:1].isdigit() or word in self._numerals
                for place in (at - 1, at + 1)
                if 0 <= place < len(self.order) and self.order[place][0] != " "
            )
            - self.topic.keys
        )

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The words behind a number up to the next little one: what it counts."""
        found: set[str] = set()
        for at, word in enumerate(self.reading.words):
            if self._plain(word):
                found.update(
                    self._phrase(at + 1)
                    if self.order[at + 1 : at + 2] and self.order[at + 1][0] != " "
                    else ()
                )
        return frozenset(found)

    @cached_property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """The stretches between two numbers: "4.9 to 5.1"."""
        pairs = (
            tuple(float(each.replace(",", ".")) for each in match.groups())
            for match in _RANGE.finditer(self.text)
        )
        return tuple((min(pair), max(pair)) for pair in pairs)

    def counting(self, values: frozenset[str], counted: frozenset[str]) -> frozenset[str]:
        """Return those of *values* that stand beside one of the words *counted*; all where none
        does.
        """
        beside = frozenset(
            number
            for at, word in enumerate(self.reading.words)
            if (number := self._plain(word))
            for place in (at - 1, at + 1, at + 2)
            if 0 <= place < len(self.order) and self.order[place] in counted
        )
        return values & beside or values

    def in_units(self, bare: frozenset[str], values: frozenset[str]) -> frozenset[str]:
        """Return *bare* numbers in the measure in which this has its one number as *values*: 2.36
        of "2360" for mm.
        """
        own, value = next(iter(self.bare_numbers), ""), next(iter(values), "")
        if len(self.bare_numbers) != 1 or not _DIGITS.fullmatch(value) or not float(own):
            return bare
        return frozenset(
            format(float(number) * float(value) / float(own), ".9g") for number in bare
        )

    def ones(self, counted: frozenset[str]) -> bool:
        """Tell whether it says one of what *counted* names: "one failed disk", "a single disk"."""
        return any(
            word in self.words.ones and not counted.isdisjoint(self.order[at + 1 : at + 3])
            for at, word in enumerate(self.reading.words)
        )

    @cached_property
    def _numerals(self) -> frozenset[str]:
        return frozenset(key(word, self.language) for word in self.words.numbers)

    @cached_property
    def value(self) -> frozenset[str]:
        """What stands after the last little word, and the numbers: the value in its place."""
        last = max((at for at, word in enumerate(self.order) if word[0] == " "), default=-1)
        tail = frozenset(self.order[max(last, self._opening_verb) + 1 :]) - self.topic.keys
        return tail or self.names

    @cached_property
    def _opening_verb(self) -> int:
        """Where the verb of a sentence stands that opens with its topic: right behind it; -1 where
        it does not.
        """
        at = next((n for n, word in enumerate(self.order) if word[0] != " "), len(self.order))
        while at < len(self.order) and self.order[at] in self.topic.keys:
            at += 1
        if (
            not at
            or at + 1 >= len(self.order)
            or self.order[at - 1] != self.topic.head
            or self.order[at][0] == " "
        ):
            return -1
        word = self.reading.words[at]
        return (
            at
            if grammar_of(self.language).lemma(word)
            or word.endswith(_VERBAL.get(self.language, ()))
            else -1
        )

    @cached_property
    def predicate(self) -> frozenset[str]:
        return self.keys - self.value

    @cached_property
    def other_head(self) -> bool:
        """Its topic's last word belongs to something else: "the church bridge", "the bridge of the
        church".
        """
        at = next((n for n, word in enumerate(self.order) if word == self.topic.head), -1)
        if at < 0:
            return False
        before = self.order[at - 1] if at else " "
        if before[0] != " " and before not in self.topic.keys and not before.isdigit():
            return True
        behind = self.order[at + 1 : at + 4]
        if not behind or behind[0].strip() not in ("of", "for", "in", "at"):
            return False
        return any(word[0] != " " and word not in self.topic.keys for word in behind[1:])

    def same(self, other: "Matter") -> bool:
        """Tell whether it says the same as *other*, whatever the order."""
        return self.all == other.all and self.values == other.values and self.denies == other.denies

    def agrees(self, other: "Matter") -> bool:
        """Tell whether both give one number, date or code."""
        return any(
            not values.isdisjoint(other.values.get(kind, ()))
            for kind, values in self.values.items()
        )

    def slot(self, held: "Matter") -> frozenset[str]:
        """Return what it has in the place in which *held* has its value; empty where it has no such
        place.
        """
        return (
            self._after(held)
            or self._copular(held)
            or self._around(held)
            or self._before_noun(held)
        )

    def _after(self, held: "Matter") -> frozenset[str]:
        """After the same predicate and the same little word: "fed by"."""
        frames = {
            pair for pair in pairwise(held.order) if pair[0] in held.predicate and pair[1][0] == " "
        }
        found = (
            self._phrase(at + 2) for at, pair in enumerate(pairwise(self.order)) if pair in frames
        )
        return next((phrase for phrase in found if phrase), frozenset())

    def _copular(self, held: "Matter") -> frozenset[str]:
        """Before or after "is", with the predicate and the topic on one side of it and the value on
        the other.
        """
        if held._little_before_value not in self._copulas:
            return frozenset()
        for at, word in enumerate(self.order):
            if word in self._copulas:
                before, after = frozenset(self.order[:at]), frozenset(self.order[at + 1 :])
                if before & held.predicate:
                    return self._phrase(at + 1)
                if after & held.predicate:
                    return frozenset(w for w in before if w[0] != " ") - self.topic.keys
        return frozenset()

    def is_what(self) -> frozenset[str]:
        """Return what stands behind "is" right after the topic."""
        for at, word in enumerate(self.order):
            if (
                at
                and self.order[at - 1] == self.topic.head
                and (word in self._copulas or word in self._copulas)
            ):
                return self._phrase(at + 1)
        return frozenset()

    @property
    def _copulas(self) -> frozenset[str]:
        return frozenset(" " + word for word in self.words.copula)

    @property
    def _little_before_value(self) -> str:
        return next(
            (
                word
                for word in reversed(self.order)
                if word[0] == " " and word.strip() not in self.words.articles - self.words.copula
            ),
            "",
        )

    def _around(self, held: "Matter") -> frozenset[str]:
        """Turned around: what stands before the verb where the topic stands right behind it."""
        for at, word in enumerate(self.order):
            behind = [each for each in self.order[at + 1 : at + 5] if each[0] != " "][:2]
            if at and word in held.verbs and not self.topic.keys.isdisjoint(behind):
                return self._run_before(at)
        return frozenset()

    def _run_before(self, at: int) -> frozenset[str]:
        found: list[str] = []
        for word in reversed(self.order[:at]):
            if word[0] != " ":
                found.append(word)
            elif found:
                break
        return frozenset(found) - self.topic.keys

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of its predicate."""
        spoken = zip(self.reading.words, self.order, strict=True)
        found = {
            k for word, k in spoken if k in self.predicate and grammar_of(self.language).lemma(word)
        }
        return frozenset(found) | (
            {self.order[self._opening_verb]} if self._opening_verb >= 0 else frozenset()
        )

    def _before_noun(self, held: "Matter") -> frozenset[str]:
        """Before the same noun: "birch leaves" for "oak leaves"."""
        tail = [word for word in held.order if word in held.value]
        if len(tail) < 2:
            return frozenset()
        at = next((n for n, word in enumerate(self.order) if word == tail[-1]), 0)
        before = self.order[at - 1] if at else " "
        return frozenset((before,)) - self.topic.keys if before[0] != " " else frozenset()

    def _phrase(self, start: int) -> frozenset[str]:
        found: list[str] = []
        for word in self.order[start:]:
            if word[0] == " " and found:
                break
            if word[0] != " ":
                found.append(word)
        return frozenset(found[:4]) - self.topic.keys

    def opposes(self, held: "Matter", words: Lexicon) -> frozenset[str]:
        """Return its words that are opposites of what *held* says."""
        theirs = {words.stem(word) for word in held.reading.words}
        mine = {
            word: words.stem(word) for word in self.reading.words if words.stem(word) not in theirs
        }
        return frozenset(
            key(word, self.language)
            for word, stem in mine.items()
            if not words.opposites.get(stem, frozenset()).isdisjoint(theirs)
            or any(
                prefix + other == stem or prefix + stem == other
                for prefix in words.prefixes
                for other in theirs
                if len(other) > 3
            )
        )

    def excludes(self, held: "Matter", words: Lexicon) -> frozenset[str]:
        theirs = {words.stem(word) for word in held.reading.words}
        sets = {number for stem in theirs for number in words.rivals.get(stem, ())}
        mine = {word: words.stem(word) for word in self.reading.words}
        return frozenset(
            key(word, self.language)
            for word, stem in mine.items()
            if stem not in theirs and not sets.isdisjoint(words.rivals.get(stem, ()))
        )


@lru_cache(maxsize=65536)
def key(word: str, language: str) -> str:
    """Return what forms of one word have in common; a number as it is."""
    if word[:1].isdigit():
        return word
    lemma = grammar_of(language).lemma(word) or word
    return lexicon(language).stem(lemma)[:_KEY]


@lru_cache(maxsize=4096)
def topic_of(title: str, language: str) -> Topic:
    """Return the topic that a *title* names."""
    words = lexicon(language)
    spoken = [word for word in _WORD.findall(title.lower()) if word not in words.function]
    found = [key(word, language) for word in spoken]
    return Topic(
        frozenset(found),
        found[-1] if found else "",
        tuple(spoken) if language in _COMPOUNDING else (),
    )


def narrowed(topic: Topic, belief: str, language: str) -> Topic:
    """Return what of *topic* stands before the verb of *belief*, where the title says all that it
    does.

    "Mia is allergic to egg" on the page "Mia's egg allergy" is about Mia.
    """
    matter = matter_of(belief, topic, language)
    if matter.said:
        return topic
    words = lexicon(language)
    before = []
    for word, k in zip(matter.reading.words, matter.order, strict=True):
        if word in words.copula or (k[0] != " " and k not in topic.keys):
            break
        before += [k] if k[0] != " " else []
    kept = frozenset(before) & topic.keys
    return topic._replace(keys=kept, head=before[-1]) if kept and kept < topic.keys else topic


@lru_cache(maxsize=4096)
def matter_of(text: str, topic: Topic, language: str) -> Matter:
    """Return *text* read for what it states of *topic*."""
    return Matter(text, topic, language)
