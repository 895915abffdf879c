"""Formats of some four hundred providers, as data: the rules of Betterleaks (MIT).

`provider_rules.tsv` beside this file has them, `own_rules.tsv` a dozen more. They are read when a
text holds a word that could be a key, and a pattern is compiled when one of its keywords stands in
the text. Patterns were written for an engine without backtracking, so each sees a short piece of
text around its keyword only.
"""

import math
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from companion.privacy import places

_FILES = ("own_rules.tsv", "provider_rules.tsv")
# characters before and after a keyword that a pattern may see
_BEFORE, _AFTER = 80, 1_200


class Rule(NamedTuple):
    """One provider's format."""

    name: str
    keywords: tuple[str, ...]
    entropy: float  # the least of a secret, in bits a character
    pattern: str


def find_provider_secrets(
    text: str, lowered: str
) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each secret that a provider's rule finds in *text*."""
    for rule in read_rules():
        present = [word for word in rule.keywords if word in lowered]
        if present:
            yield from _find(rule, present, text, lowered)


@cache
def read_rules() -> tuple[Rule, ...]:
    """Return all rules, our own first."""
    rules: list[Rule] = []
    for name in _FILES:
        path = os.path.join(os.path.dirname(__file__), name)
        with open(path, encoding="utf-8") as file:
            rules += [_rule(line) for line in file if line[0] != "#"]
    return tuple(rules)


def _rule(line: str) -> Rule:
    name, words, entropy, pattern = line.rstrip("\n").split("\t")
    return Rule(name, tuple(words.split(",")), float(entropy), pattern)


def _find(
    rule: Rule, present: list[str], text: str, lowered: str
) -> Iterator[tuple[int, int, str]]:
    kind = f"{rule.name.partition('.')[0].replace('-', ' ')}"
    for start, end in _pieces(present, lowered):
        for found in re.compile(rule.pattern).finditer(text, start, end):
            group = 1 if found.lastindex else 0
            secret = found[group] or found[0]
            if measure_entropy(secret) >= rule.entropy:
                yield *found.span(group), kind


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
