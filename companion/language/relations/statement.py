"""Read a statement for the light relater: its matter, what it denies, the values it gives."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from companion.language.detect import WordSet
from companion.language.lexicon import Lexicon, NegationPhrase, lexicon_of
from companion.language.relations.quantities import Values, read_quantities

# a word with its inner marks ("3.5", "a@b.org", "can't"), a unit's sign, or a mark alone
_TOKEN = re.compile(
    r"[^\W_]+(?:(?:[.@':/+\-\u2013]|(?<=[0-9]),(?=[0-9]))[^\W_]+)*|[%$€£¥°¬]|[.,;:!?()\"\n]|--+|—"
)
# for the key: a word, the "#" of "C#", the minus of a number; or else one sign
_KEPT = re.compile(
    r"([^\W_]+|(?<=[^\W\d_])#|(?<![^\s(])-(?=[0-9]))|([^\w\s#-])"
)
# Addresses, link targets, footnote marks, embedded files, numbers that are names ("#12", "no. 7"):
# no values.
_NOISE = re.compile(
    r"https?://\S+|!\[\[[^\]]*\]\]|\]\([^)]*\)|\[\^[^\]]*\]"
    r"|(?<![\w#])#\d+\b|(?i:\bn[or]\.) ?\d+\b|№ ?\d+"
)
_DENIAL = "¬"  # stands for each word or phrase that denies
_LABEL = ":"  # behind what the words after it are said of
_LEFT_WITHIN = 6  # words between "from" and "to"


class Reading(NamedTuple):
    """One statement, read with one language's lexicon."""

    # its letters and digits alone, case folded: equal keys say the same
    key: str
    words: tuple[str, ...]  # lower case, without punctuation
    order: tuple[str, ...]  # stems of the words that carry matter, as they come
    content: WordSet
    # of each clause the stems of its words that carry matter; a label belongs to what it labels
    clauses: tuple[WordSet, ...]
    stems: WordSet  # the content, and the words of the values
    # stems of neighbouring words, joined by a space: phrases are looked up there
    pairs: WordSet
    # of each negation, the stems that it reaches
    denials: tuple[WordSet, ...]
    awaits: bool  # what it denies is waited for: "not paid yet"
    # stems of what it says was before: "from the second floor to the third"
    left: WordSet
    values: Values
    little: WordSet  # its words that carry no matter of their own
    changes: int  # phrases that state a change
    definite: bool  # it begins with somebody or something in particular


class _Word(NamedTuple):
    low: str
    stem: str
    has_matter: bool  # it is a word, and no little one


def key_of(text: str) -> str:
    """Return *text* without case, space and punctuation; empty when nothing else is in it.

    Signs that carry a meaning stay: the minus of a number, "%", the "#" of C#, mathematical and
    currency signs.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
    kept: list[str] = []
    for word, sign in _KEPT.findall(plain.casefold()):
        if word or _means(sign):
            kept.append(word or sign)
    return " ".join(kept)


@lru_cache(maxsize=4096)
def read_statement(text: str, language: str) -> Reading:
    """Return *text* read as *language*."""
    lexicon = lexicon_of(language)
    plain = _tokenize(_NOISE.sub(" ", unicodedata.normalize("NFKC", text)))
    tokens = _mark_denials(plain, lexicon)
    quantities = read_quantities(tokens, lexicon)
    words = [_word(token.lower(), lexicon) for token in tokens]
    order = _stems_of_matter(words, quantities.places)
    lows = [word.low for word in words]
    stems = [word.stem for word in words]
    spoken = tuple(low for low in lows if low[0].isalnum())
    words_of_change = len(lexicon.change.intersection(stems))
    return Reading(
        key=key_of(text),
        words=spoken,
        order=order,
        content=frozenset(order),
        clauses=tuple(_split_clauses(words, lexicon)),
        stems=_stems_with_matter(words),
        pairs=frozenset(f"{one} {other}" for one, other in pairwise(stems)),
        denials=_denied_stems(words, lexicon),
        awaits=_awaits(lows, lexicon),
        left=_left_stems(words, lexicon),
        values=quantities.values,
        little=lexicon.function.intersection(lows),
        changes=words_of_change + _count_phrases_of_change(plain, lexicon),
        definite=_is_definite(spoken, lows, lexicon),
    )


def _stems_of_matter(
    words: list[_Word], quantities: set[int]
) -> tuple[str, ...]:
    """Return the stems of the words that carry matter and are not at the places of *quantities*."""
    stems: list[str] = []
    for at, word in enumerate(words):
        if word.has_matter and at not in quantities:
            stems.append(word.stem)
    return tuple(stems)


def _count_phrases_of_change(tokens: list[str], lexicon: Lexicon) -> int:
    """Return how many phrases of change *tokens* have, before denials replace "no longer"."""
    line = f" {' '.join(tokens)} ".lower()
    phrases = lexicon.change_phrases
    return sum(f" {phrase} " in line for phrase in phrases)


def _means(sign: str) -> bool:
    if sign in "|~":
        return False
    return sign == "%" or unicodedata.category(sign) in ("Sm", "Sc")


def _word(low: str, lexicon: Lexicon) -> _Word:
    return _Word(
        low, lexicon.stem(low), low[0].isalnum() and low not in lexicon.function
    )


def _is_definite(
    spoken: tuple[str, ...], lows: list[str], lexicon: Lexicon
) -> bool:
    if not spoken or spoken[0] in lexicon.indefinite:
        return False
    return lows[0] not in lexicon.numbers


def _tokenize(text: str) -> list[str]:
    tokens: list[str] = []
    for token in _TOKEN.findall(text.replace("\u2019", "'")):
        tokens += _parts(token)
    return tokens


def _parts(token: str) -> list[str]:
    """Return the words of a token: "isn't" is "is" and "n't", "and/or" two words."""
    if token.lower().endswith("n't"):
        return [part for part in (token[:-3], "n't") if part]
    if "@" in token or any(c.isdigit() for c in token):
        return token.split("/")
    return [part for part in re.split(r"['/\-\u2013+:]", token) if part]


def _mark_denials(tokens: list[str], lexicon: Lexicon) -> list[str]:
    """Return *tokens* with a mark for each denial.

    Phrases go first: "not only" denies nothing, "no longer" denies as a whole.
    """
    lows = [token.lower() for token in tokens]
    marked: list[str] = []
    at = 0
    while at < len(tokens):
        phrase = _phrase_at(lows, at, lexicon)
        if phrase is not None:
            if phrase.denies:
                marked.append(_DENIAL)
            at += len(phrase.words)
            continue
        if lows[at] in lexicon.negators:
            marked.append(_DENIAL)
        else:
            marked.append(tokens[at])
        at += 1
    return marked


def _phrase_at(
    lows: list[str], at: int, lexicon: Lexicon
) -> NegationPhrase | None:
    for phrase in lexicon.phrases.get(lows[at], ()):
        if lows[at : at + len(phrase.words)] == phrase.words:
            return phrase
    return None


def _awaits(lows: list[str], lexicon: Lexicon) -> bool:
    """Tell whether "yet" stands beside a denial, or ends a clause behind one."""
    for at, low in enumerate(lows):
        if low not in lexicon.awaited:
            continue
        following = lows[at + 1 : at + 2]
        if _DENIAL in (*lows[max(0, at - 1) : at], *following):
            return True
        if _DENIAL in lows[:at] and _ends_clause(following, lexicon):
            return True
    return False


def _ends_clause(following: list[str], lexicon: Lexicon) -> bool:
    """Tell whether a clause ends before what is *following*."""
    return all(
        not low[0].isalnum() or low in lexicon.clause for low in following
    )


def _denied_stems(words: list[_Word], lexicon: Lexicon) -> tuple[WordSet, ...]:
    """Return of each denial the stems that it reaches."""
    reaches: list[WordSet] = []
    for at, word in enumerate(words):
        if word.low == _DENIAL:
            reaches.append(_reach_of_denial(words, at, lexicon))
    return tuple(reaches)


def _reach_of_denial(words: list[_Word], at: int, lexicon: Lexicon) -> WordSet:
    """Return the stems behind the denial at *at* up to the end of the clause; else those before."""
    end = at + 1
    while end < len(words) and not _ends_reach(words[end].low, lexicon):
        end += 1
    reach = _stems_with_matter(words[at + 1 : end])
    if reach:
        return reach
    # "… does not." and the verb-final languages: what stands before it
    start = at
    while start and not _ends_reach(words[start - 1].low, lexicon):
        start -= 1
    return _stems_with_matter(words[start:at])


def _left_stems(words: list[_Word], lexicon: Lexicon) -> WordSet:
    """Return the stems between "from" and "to"."""
    stems: set[str] = set()
    for at, word in enumerate(words):
        if word.low not in lexicon.leaving:
            continue
        window = words[at + 1 : at + 2 + _LEFT_WITHIN]
        for distance, other in enumerate(window):
            if other.low in lexicon.reaching:
                stems |= _stems_with_matter(window[:distance])
                break
    return frozenset(stems)


def _stems_with_matter(words: list[_Word]) -> WordSet:
    return frozenset(word.stem for word in words if word.has_matter)


def _split_clauses(words: list[_Word], lexicon: Lexicon) -> Iterator[WordSet]:
    """Yield the stems of each clause that carries matter."""
    start = 0
    for at, word in enumerate(words):
        if word.low != _LABEL and _ends_reach(word.low, lexicon):
            yield _stems_with_matter(words[start:at])
            start = at + 1
    yield _stems_with_matter(words[start:])


def _ends_reach(word: str, lexicon: Lexicon) -> bool:
    """Tell whether the reach of a denial ends at *word*."""
    if word in lexicon.clause:
        return True
    return not word[0].isalnum() and word != _DENIAL
