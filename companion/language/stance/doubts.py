"""Weigh whether a note speaks against a page: what it names of it, and what it says there.

People doubt a rule in words of their own: "that banana taste comes from yeast going in too warm".
What such notes have in common is that they name what the page speaks of, and say there that it is
wrong, does harm, is not needed, ought to be done otherwise, or went otherwise. Each of these is a
number with a name; a logistic model weighs them, the rules and the trained head among them. Its
weights are `data/stance/doubts.toml`, written by `python -m tests.bench doubts --train`.
"""

import hashlib
import math
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product

from companion.language.detect import FOLDER
from companion.language.lexicon import lexicon_of
from companion.language.relations import compare_sentences, topic_sentence
from companion.language.relations.opposition import count_opposites
from companion.language.relations.statement import read_statement
from companion.language.relations.topics import topic_of
from companion.language.stance.doubt_texts import (
    Named,
    NoteWords,
    Number,
    PageWords,
    Sentence,
    find_named,
    keep_alike,
    read_note,
    read_page,
    read_sentence,
)
from companion.language.stance.doubt_words import SIGNS, Sign, signs_of
from companion.values.relations import Statement

#: changes with what is seen: weights are for one version
VERSION = "2"
PATH = os.path.join(FOLDER, "stance", "doubts.toml")

_OUGHT: tuple[Sign, ...] = ("wrong", "norm")
# what may speak against a page
_AGAINST = (
    *("wrong", "harm", "enough", "norm", "instead", "excess", "elsewhere"),
    *("tried", "denies", "other number", "near number", "opposites", "rule"),
)
_MOST_OWN = 4.0  # words of the page; more say no more
_MOST_SIGNS = 3.0
_MOST_OF_SENTENCE = 2  # signs of one kind that count of one sentence
_BESIDE = 0.5  # what a sign counts in a sentence that names nothing of the page
_NEAR = 0.05  # of the larger number: two measurements of one thing
_SAYS_MUCH = 12.0  # length of a word that tells much of what a text is about
# what says more where the note is about the page
_TOGETHER = tuple(sign for sign in SIGNS if sign != "excess")

#: what is seen of a note beside a page, by name
Features = dict[str, float]
#: how much each word tells of what a text is about
Measure = Callable[[Sequence[str]], Sequence[float]]


def names_page(page: Statement, note: Statement, language: str) -> bool:
    """Tell whether *note* names beside its links anything that *page* speaks of."""
    left, right = read_page(page, language), read_note(note, language)
    named = find_named(left, right)
    if named.own:
        return True
    # a bare name says nothing of the page
    return bool(named.title) and len(right.matter) > len(named.title)


def says_what_ought(sentence: str, language: str) -> bool:
    """Tell whether *sentence* says that something is wrong, or how it ought to be."""
    words = read_sentence(sentence, language).words
    lists = signs_of(language)
    return any(lists[sign].count(words) for sign in _OUGHT)


def names_sign(seen: Features) -> bool:
    """Tell whether anything that is *seen* may speak against the page, beside the head."""
    return any(seen[sign] for sign in _AGAINST)


def weigh_doubt(seen: Features) -> float:
    """Return how likely a note of which that is *seen* speaks against the page, in [0, 1]."""
    weights = load_weights()
    total = weights["bias"]
    for name, value in seen.items():
        total += weights[name] * value
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))


@lru_cache(maxsize=1)
def load_weights() -> Mapping[str, float]:
    """Return the weight of each feature, and the bias."""
    with open(PATH, "rb") as file:
        found: dict[str, float] = tomllib.load(file)["weights"]
    return found


@lru_cache(maxsize=1)
def find_hash_of_weights() -> str:
    """Return the first 12 digits of the sha256 of the weights."""
    with open(PATH, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def describe_doubt(
    page: Statement,
    note: Statement,
    language: str,
    measure: Measure,
    *,
    rule: float,
    head: float,
) -> Features:
    """Return what is seen of *note* beside *page*, each with a lexicon of *language*.

    *rule* is the strength of what rules see against the page, *head* the trained head's
    probability of *contradicts*.
    """
    left = read_page(page, language)
    right = read_note(note, language)
    named = find_named(left, right)
    seen = _describe_naming(left, right, named, measure)
    seen |= _describe_signs(left, right, language)
    seen |= _describe_denials(left, right)
    seen |= _describe_numbers(left.sentences, right.sentences)
    seen["opposites"] = _count_opposites(left, right, language)
    seen["changes"] = _states_change(page, right, language)
    seen["rule"] = rule
    seen["head"] = head
    return seen | _describe_together(seen)


def _describe_naming(
    page: PageWords, note: NoteWords, named: Named, measure: Measure
) -> Features:
    weights = [min(1.5, told / _SAYS_MUCH) for told in measure(named.own)]
    linked = bool(keep_alike(page.title, note.linked))
    return {
        "title": len(named.title) / max(1, len(page.title)),
        "names title": float(bool(named.title)),
        "only links": float(linked and not named.title),
        "own words": min(_MOST_OWN, len(named.own)),
        "own weight": min(_MOST_OWN, sum(weights)),
        "about": named.about,
        "other links": min(1.0, max(0, note.links - 1) / 2),
        "length": min(3.0, len(note.matter) / 12),
    }


def _describe_signs(
    page: PageWords, note: NoteWords, language: str
) -> Features:
    """Return how much of each list the note has; more where it names the page beside it."""
    matter = page.title + page.own
    lists = signs_of(language)
    seen: Features = dict.fromkeys(SIGNS, 0.0)
    for sentence in note.sentences:
        beside = 1.0 if keep_alike(matter, sentence.matter) else _BESIDE
        for sign in SIGNS:
            count = lists[sign].count(sentence.words)
            seen[sign] += beside * min(_MOST_OF_SENTENCE, count)
    return {sign: min(_MOST_SIGNS, seen[sign]) for sign in SIGNS}


def _describe_denials(page: PageWords, note: NoteWords) -> Features:
    matter = page.title + page.own
    denials = of_page = 0.0
    for sentence in note.sentences:
        if sentence.denies:
            near = bool(keep_alike(matter, sentence.matter))
            denials += 1.0 if near else _BESIDE
            of_page += bool(keep_alike(page.own, sentence.matter))
    return {
        "denies": min(2.0, denials),
        "denies page": min(2.0, of_page),
        "page denies": float(any(one.denies for one in page.sentences)),
    }


def _describe_numbers(
    page: Sequence[Sentence], note: Sequence[Sentence]
) -> Features:
    """Return how the numbers of both stand to each other."""
    theirs = [number for sentence in page for number in sentence.numbers]
    ours = [number for sentence in note for number in sentence.numbers]
    kinds = [_compare(one, other) for one, other in product(theirs, ours)]
    seen = {
        f"{kind} number": float(kind in kinds)
        for kind in ("other", "same", "near")
    }
    both = bool(theirs) and bool(ours)
    seen["loose number"] = float(both and not any(seen.values()))
    return seen


def _compare(one: Number, other: Number) -> str:
    """Return how two numbers of one thing stand to each other; empty where they are of two."""
    if one.noun and one.noun == other.noun:
        if one.value == other.value:
            return "same"
        largest = max(abs(one.value), abs(other.value))
        apart = abs(one.value - other.value)
        return "near" if apart <= _NEAR * largest else "other"
    return "same" if one.value == other.value > 2 else ""


def _count_opposites(page: PageWords, note: NoteWords, language: str) -> float:
    lexicon = lexicon_of(language)
    most = 0
    for one, other in product(page.sentences, note.sentences):
        count = count_opposites(
            read_statement(one.text, language),
            read_statement(other.text, language),
            lexicon,
        )
        most = max(most, count)
    return min(2.0, most)


def _states_change(page: Statement, note: NoteWords, language: str) -> float:
    topic = topic_of(page.title or "", language)
    for sentence in note.sentences:
        read = topic_sentence.read_sentence(sentence.text, topic, language)
        if compare_sentences.states_change(read):
            return 1.0
    return 0.0


def _describe_together(seen: Features) -> Features:
    """Return what counts more where the note is about the page."""
    about = seen["about"]
    found = {f"{sign} there": about * seen[sign] for sign in _TOGETHER}
    opposed = _opposition(seen)
    return {
        **found,
        "denies there": about * seen["denies"],
        "other number there": about * seen["other number"],
        "opposed there": about * opposed,
        "opposed by weight": seen["own weight"] * opposed,
        "rule there": about * seen["rule"],
        "head there": about * seen["head"],
    }


def _opposition(seen: Features) -> float:
    total = seen["denies page"] + seen["wrong"] + seen["other number"]
    total += 0.7 * (seen["harm"] + seen["enough"])
    total += 0.5 * (seen["opposites"] + seen["excess"]) + 0.3 * seen["norm"]
    return min(3.0, total)
