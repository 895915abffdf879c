"""Find with whom the teller of a note was, whose then is what nobody is said to own.

"Lunch with Anna. The new job starts in Graz" tells of Anna's new job. "My job" is the teller's.
"""

from companion.language.claims.grammar import Grammar, grammar_of
from companion.language.detect import function_words
from companion.language.sentences import (
    Token,
    Words,
    find_sentences,
    tokenize,
)
from companion.language.word_kinds import read_word_kinds
from companion.language.words.roles import DATA

# words that the sentence tells beside the name: "Had a long lunch with Anna at the lake"
_FEW = 3
# between the names of several
_BETWEEN = (",", "and", "und", "&")
# words in which the subject of a clause says whose it is: "the brother of Tom"
_REACH = 5


def find_company(words: Words, grammar: Grammar) -> Words:
    """Return the name of the one with whom the teller was, of whom the sentence *words* says little
    else; empty where it says so of nobody, or of several.
    """
    for at in range(1, len(words)):
        if words[at - 1].low not in _list_prepositions():
            continue
        name = _read_name(words[at:], grammar)
        end = at + len(name)
        rest = words[:at] + words[end:]
        is_one = bool(name) and not _goes_on(words, end, grammar)
        if is_one and _count_telling(rest, grammar) <= _FEW:
            return name
    return []


def read_company(text: str, language: str) -> Words:
    """Return the name of the one with whom the teller of the note *text* was, by the words of its
    *language*; empty where its first sentence says so of nobody.
    """
    for start, end in find_sentences(text):
        return find_company(tokenize(text, start, end), grammar_of(language))
    return []


def with_owner(words: Words, owner: Words, grammar: Grammar) -> Words:
    """Return the clause *words*, whose first thing is the *owner*'s if nobody's is said."""
    if not owner or not _opens_thing(words, grammar):
        return words
    at = words[0].start
    # without places of their own in the text
    names = [Token(word.text, word.low, at, at) for word in owner]
    return [*names, Token("'s", "'s", at, at), *words[1:]]


def names_another(words: Words, name: Words, grammar: Grammar) -> bool:
    """Tell whether the clause *words* begins with what may be a name, and another than *name*."""
    if not words or not words[0].text[:1].isupper():
        return False
    is_little = words[0].low in _little_words(grammar)
    return not is_little and words[0].low not in {word.low for word in name}


def _list_prepositions() -> frozenset[str]:
    """Return the prepositions before whom one is with, or at whose place."""
    kinds = read_word_kinds(DATA)
    return kinds["company"] | kinds["visiting"]


def _read_name(words: Words, grammar: Grammar) -> Words:
    """Return the name that *words* begin with, with a title before it; in German, where every noun
    has a capital, its first word.
    """
    title = [
        word
        for word in words[:1]
        if grammar.has("titles", word.low.rstrip("."))
    ]
    name: Words = []
    for word in words[len(title) :]:
        if not word.text[:1].isupper() or (name and grammar.v2):
            break
        name.append(word)
    return title + name if name else []


def _goes_on(words: Words, end: int, grammar: Grammar) -> bool:
    """Tell whether another name follows the one that ends before *end*, or what it owns."""
    if end >= len(words):
        return False
    following = words[end]
    if following.low == "'s":
        return True
    if grammar.v2 and words[end - 1].low.endswith("s"):
        return following.text[:1].isupper()
    is_more = following.low in _BETWEEN
    return is_more and any(word.text[:1].isupper() for word in words[end:])


def _count_telling(words: Words, grammar: Grammar) -> int:
    little = _little_words(grammar)
    return sum(
        word.low not in little and word.low[:1].isalpha() for word in words
    )


def _little_words(grammar: Grammar) -> frozenset[str]:
    return function_words().get(grammar.language, frozenset())


def _opens_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether a clause begins with "the" and a thing of which it says no owner."""
    if len(words) < 3 or not grammar.has("definite", words[0].low):
        return False
    start = words[1:_REACH]
    if grammar.v2:
        return _opens_german_thing(start, grammar)
    is_owned = any(
        word.low == "'s" or grammar.has("of", word.low) for word in start
    )
    return start[0].text.islower() and not is_owned


def _opens_german_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether a noun stands among the first two *words*, and no genitive or "von" behind."""
    for at, word in enumerate(words[:2]):
        if word.text[:1].isupper():
            following = words[at + 1].low if at + 1 < len(words) else ""
            kinds = ("definite", "of")
            return not grammar.has_any(kinds, following)
    return False
