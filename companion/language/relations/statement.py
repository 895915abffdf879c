"""A statement as the light relater reads it: what it is about, what it denies, which values it
gives.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from companion.language.lexicon import Lexicon, lexicon
from companion.language.relations.quantities import Quantities, quantities

_TOKEN = re.compile(
    r"[^\W_]+(?:(?:[.@':/+\-\u2013]|(?<=[0-9]),(?=[0-9]))[^\W_]+)*|[%$€£¥°¬]|[.,;:!?()\"\n]|--+|—"
)
_KEPT = re.compile(r"([^\W_]+|(?<=[^\W\d_])#|(?<![^\s(])-(?=[0-9]))|([^\w\s#-])")
# Addresses, link targets, footnote marks, embedded files, numbers that are names ("#12", "no. 7"):
# no values.
_NOISE = re.compile(
    r"https?://\S+|!\[\[[^\]]*\]\]|\]\([^)]*\)|\[\^[^\]]*\]|(?<![\w#])#\d+\b|(?i:\bn[or]\.) ?\d+\b|№ ?\d+"
)
_DENIAL = "¬"
_LEFT_WITHIN = 6  # words between "from" and "to"


class Reading(NamedTuple):
    """One statement, read with one language's lexicon."""

    key: str  # its letters and digits alone, case folded: equal keys say the same
    words: tuple[str, ...]  # lower case, without punctuation
    order: tuple[str, ...]  # stems of the words that carry matter, as they come
    content: frozenset[str]
    said: frozenset[str]  # the content, and the words of the values
    # stems of neighbouring words, joined by a space: phrases are looked up there
    pairs: frozenset[str]
    denied: tuple[frozenset[str], ...]  # of each negation, the stems that it reaches
    left: frozenset[str]  # stems of what it says was before: "from the second floor to the third"
    values: Quantities
    little: frozenset[str]  # its words that carry no matter of their own
    changes: int  # phrases that state a change
    definite: bool  # it begins with somebody or something in particular


def key_of(text: str) -> str:
    """Return *text* without case, space and punctuation; empty when nothing else is in it.

    Signs that carry a meaning stay: the minus of a number, "%", the "#" of C#, mathematical and
    currency signs.
    """
    found = _KEPT.findall(unicodedata.normalize("NFKC", text).replace("\u2212", "-").casefold())
    return " ".join(word or sign for word, sign in found if word or _means(sign))


def _means(sign: str) -> bool:
    return sign == "%" or (sign not in "|~" and unicodedata.category(sign) in ("Sm", "Sc"))


@lru_cache(maxsize=4096)
def read(text: str, language: str) -> Reading:
    """Return *text* read as *language*."""
    words = lexicon(language)
    plain = _tokens(_NOISE.sub(" ", unicodedata.normalize("NFKC", text)))
    tokens = _with_denials(plain, words)
    values, taken = quantities(tokens, words)
    lower = [token.lower() for token in tokens]
    said = [word[0].isalnum() and word not in words.function for word in lower]
    carries = [kept and at not in taken for at, kept in enumerate(said)]
    stems = [words.stem(word) for word in lower]
    spoken = tuple(word for word in lower if word[0].isalnum())
    joined = f" {' '.join(plain).lower()} "  # before denials swallowed "no longer"
    return Reading(
        key_of(text),
        spoken,
        order=tuple(stem for stem, kept in zip(stems, carries, strict=True) if kept),
        content=frozenset(stem for stem, kept in zip(stems, carries, strict=True) if kept),
        said=frozenset(stem for stem, kept in zip(stems, said, strict=True) if kept),
        pairs=frozenset(f"{one} {other}" for one, other in pairwise(stems)),
        denied=_denied(lower, stems, said, words),
        left=_left(lower, stems, said, words),
        values=values,
        little=words.function.intersection(lower),
        changes=len(words.change.intersection(stems))
        + sum(f" {p} " in joined for p in words.change_phrases),
        definite=bool(spoken)
        and spoken[0] not in words.indefinite
        and lower[0] not in words.numbers,
    )


def _tokens(text: str) -> list[str]:
    return [part for token in _TOKEN.findall(text.replace("\u2019", "'")) for part in _parts(token)]


def _parts(token: str) -> list[str]:
    if token.lower().endswith("n't"):
        return [part for part in (token[:-3], "n't") if part]
    if any(c.isdigit() for c in token) or "@" in token:
        return token.split("/") if "/" in token else [token]
    return [part for part in re.split(r"['/\-\u2013+:]", token) if part]


def _with_denials(tokens: list[str], words: Lexicon) -> list[str]:
    # Phrases first: "not only" denies nothing, "no longer" denies as a whole.
    lower = [token.lower() for token in tokens]
    out: list[str] = []
    at = 0
    while at < len(tokens):
        known = words.phrases.get(lower[at], ())
        phrase = next(((p, denies) for p, denies in known if lower[at : at + len(p)] == p), None)
        if phrase is not None:
            out += [_DENIAL] * phrase[1]
            at += len(phrase[0])
        else:
            out.append(_DENIAL if lower[at] in words.negators else tokens[at])
            at += 1
    return out


def _denied(
    lower: list[str], stems: list[str], said: list[bool], words: Lexicon
) -> tuple[frozenset[str], ...]:
    found = []
    for at, word in enumerate(lower):
        if word == _DENIAL:
            end = next((n for n in range(at + 1, len(lower)) if _ends(lower[n], words)), len(lower))
            reach = frozenset(stems[n] for n in range(at + 1, end) if said[n])
            if not reach:  # "… does not." and the verb-final languages: what stands before it
                start = next((n for n in range(at - 1, -1, -1) if _ends(lower[n], words)), -1)
                reach = frozenset(stems[n] for n in range(start + 1, at) if said[n])
            found.append(reach)
    return tuple(found)


def _left(lower: list[str], stems: list[str], said: list[bool], words: Lexicon) -> frozenset[str]:
    found: set[str] = set()
    for at, word in enumerate(lower):
        if word in words.leaving:
            window = range(at + 1, min(at + 2 + _LEFT_WITHIN, len(lower)))
            end = next((n for n in window if lower[n] in words.reaching), at)
            found.update(stems[n] for n in range(at + 1, end) if said[n])
    return frozenset(found)


def _ends(word: str, words: Lexicon) -> bool:
    return word in words.clause or (not word[0].isalnum() and word != _DENIAL)
