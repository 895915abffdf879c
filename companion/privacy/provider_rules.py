"""Formats of some four hundred providers, as data: the rules of Betterleaks (MIT).

`provider_rules.tsv` beside this file has them, `own_rules.tsv` sixty more. They are read when a
text holds a word that could be a key, and a pattern is compiled when one of its keywords stands in
the text. Patterns were written for an engine without backtracking, so each sees a short piece of
text around its keyword only.

A provider that nobody has listed is known by its habit: a short name, a dash or an underscore, and
then 32 or more random letters and digits. Names of things (`cus_…`, `thread_…`) are shorter.
"""

import math
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.privacy import places
from companion.privacy.placeholders import is_name, is_placeholder

_FILES = ("own_rules.tsv", "provider_rules.tsv")
# characters before and after a keyword that a pattern may see
_BEFORE, _AFTER = 80, 1_200
_UNLISTED = (
    r"(?<![A-Za-z0-9_/.+=-])(?!sha[0-9])[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][A-Za-z0-9]{1,8}){0,2}[_-]"
    r"([A-Za-z0-9]{32,200})(?![A-Za-z0-9/+=])"
)
# own rules where only the place speaks for a secret: a name there is none
_BY_PLACE = (
    "argument-after-its-name",
    "authorization-without-a-scheme",
    "hook-of-a-service",
    "named-with-a-sign",
    "named-with-an-ending",
    "password-without-a-sign",
    "value-before-its-name",
    "value-of-auth",
)
# bits a character: of 32 random letters and digits nearly all have more
_LEAST_RANDOM = 4.2
# of so many of its characters at least one is a digit; in names of code fewer are
_CHARACTERS_A_DIGIT = 16


class Rule(NamedTuple):
    """One provider's format."""

    name: str
    keywords: tuple[str, ...]
    entropy: float  # the least of a secret, in bits a character
    pattern: str
    is_own: bool  # of `own_rules.tsv`


def find_provider_secrets(
    text: str, lowered: str
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each secret that a rule, or a habit, finds in *text*."""
    for rule in read_rules():
        present = [word for word in rule.keywords if word in lowered]
        if present:
            yield from _find(rule, present, text, lowered)
    for found in re.compile(_UNLISTED).finditer(text):
        if _is_random(found[1]):
            yield *found.span(), "key with a prefix"


def _is_random(word: str) -> bool:
    """Tell whether *word* mixes capitals, small letters and digits as chance does."""
    digits = sum(letter.isdigit() for letter in word)
    if (
        digits * _CHARACTERS_A_DIGIT < len(word)
        or word.islower()
        or word.isupper()
    ):
        return False
    return measure_entropy(word) >= _LEAST_RANDOM


@cache
def read_rules() -> tuple[Rule, ...]:
    """Return all rules, our own first."""
    rules: list[Rule] = []
    for name in _FILES:
        path = os.path.join(os.path.dirname(__file__), name)
        with open(path, encoding="utf-8") as file:
            is_own = name == _FILES[0]
            rules += [_rule(line, is_own) for line in file if line[0] != "#"]
    return tuple(rules)


def _rule(line: str, is_own: bool) -> Rule:
    name, words, entropy, pattern = line.rstrip("\n").split("\t")
    return Rule(name, tuple(words.split(",")), float(entropy), pattern, is_own)


def _find(
    rule: Rule, present: list[str], text: str, lowered: str
) -> Iterator[tuple[int, int, str]]:
    kind = f"{rule.name.partition('.')[0].replace('-', ' ')}"
    for start, end in _pieces(present, lowered):
        for found in re.compile(rule.pattern).finditer(text, start, end):
            group = 1 if found.lastindex else 0
            secret = found[group] or found[0]
            if measure_entropy(secret) < rule.entropy:
                continue
            if not (rule.is_own and _is_thing(secret, rule)):
                yield *found.span(group), kind


def _is_thing(value: str, rule: Rule) -> bool:
    """Tell whether *value* stands for a secret, or is a name where only a place speaks."""
    if rule.name in _BY_PLACE and is_name(value):
        return True
    return is_placeholder(value)


def _pieces(present: list[str], lowered: str) -> list[tuple[int, int]]:
    """Return the pieces of the text around the keywords, joined where they overlap."""
    starts: list[int] = []
    for word in present:
        starts += places(lowered, word)
    pieces: list[tuple[int, int]] = []
    for start in sorted(starts):
        first, last = max(start - _BEFORE, 0), start + _AFTER
        if pieces and first <= pieces[-1][1]:
            pieces[-1] = pieces[-1][0], last
        else:
            pieces.append((first, last))
    return pieces


def measure_entropy(word: str) -> float:
    """Return the Shannon entropy of the characters of *word*, in bits a character."""
    if not word:
        return 0.0
    total = 0.0
    for letter in set(word):
        share = word.count(letter) / len(word)
        total -= share * math.log2(share)
    return total
