"""Find with whom the teller of a note was, whose then is what only one person has.

"Lunch with Anna. The new job starts in Graz" tells of Anna's new job. "My job" is the teller's, and
an office or a deadline may be anybody's.
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
# between the names of several, or of one and what else there was
_BETWEEN = (",", "and", "und", "&")
# of whom a clause tells, or whose something is: no owner is to be guessed any more
_PERSONAL = ("me", "us", "possessives")
# words behind "a" among which is what it brings in: "a very small flat"
_REACH = 4
# who moves somewhere lives there: of a thing it says where it is
_HOMES = ("live in", "wohnen in")


def find_company(words: Words, grammar: Grammar) -> Words:
    """Return the name of the one with whom the teller was, of whom the sentence *words* says little
    else; empty where it says so of nobody, or of several.
    """
    for at in range(len(words)):
        if not _leads_to_company(words, at, grammar):
            continue
        length, name = _read_name(words[at:], grammar)
        rest = words[:at] + words[at + length :]
        is_one = length > 0 and not _goes_on(words, at + length, grammar)
        if is_one and _tells_little(rest, grammar):
            return name
    return []


def read_owner(text: str, language: str) -> Words:
    """Return the name of the one whose only thing the note *text* tells of without an owner, by the
    words of its *language*; empty where there is nobody.
    """
    grammar = grammar_of(language)
    company: Words = []
    has_thing = False
    for place, (start, end) in enumerate(find_sentences(text)):
        words = tokenize(text, start, end)
        if place == 0:
            company = find_company(words, grammar)
        elif ends_company(words, company, grammar):
            return []
        else:
            has_thing = has_thing or _opens_thing(words, grammar)
    return company if has_thing else []


def ends_company(words: Words, company: Words, grammar: Grammar) -> bool:
    """Tell whether behind the sentence or clause *words* nothing is of the *company* alone: it
    tells of another, of the teller, or of a thing that it brings in.
    """
    return (
        _names_another(words, company, grammar)
        or any(grammar.has_any(_PERSONAL, word.low) for word in words)
        or _brings_in_thing(words, grammar)
    )


def with_owner(words: Words, owner: Words, grammar: Grammar) -> Words:
    """Return the clause *words*, whose first thing is the *owner*'s if only one person has it, and
    the clause says nobody's.
    """
    if not owner or not _opens_thing(words, grammar):
        return words
    at = words[0].start
    # without places of their own in the text
    names = [Token(word.text, word.low, at, at) for word in owner]
    return [*names, Token("'s", "'s", at, at), *words[1:]]


def list_things_of_one() -> frozenset[str]:
    """Return the words for what a person has alone: "job", "Wohnung"."""
    return read_word_kinds(DATA)["of-one"]


def _names_another(words: Words, name: Words, grammar: Grammar) -> bool:
    """Tell whether the clause *words* begins with what may be a name, and another than *name*."""
    if not words or not words[0].text[:1].isupper():
        return False
    is_little = words[0].low in _little_words(grammar)
    return not is_little and words[0].low not in {word.low for word in name}


def _brings_in_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* have a thing that one person has behind "a": "a new job"."""
    for at, word in enumerate(words):
        is_article = grammar.has("articles", word.low)
        if not is_article or grammar.has("definite", word.low):
            continue
        behind = {one.low for one in words[at + 1 : at + 1 + _REACH]}
        if not behind.isdisjoint(list_things_of_one()):
            return True
    return False


def _leads_to_company(words: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the name at *at* is whom the teller was with: behind "with", behind "Saw" or
    "Spoke to" that a sentence begins with, and before "getroffen" as its only other word.
    """
    meeting = read_word_kinds(DATA)["meeting"]
    if not at:
        return grammar.v2 and [word.low in meeting for word in words[1:]] == [
            True
        ]
    if words[at - 1].low in _list_prepositions(grammar):
        return True
    between = words[1:at]
    are_little = all(grammar.has("prepositions", word.low) for word in between)
    return words[0].low in meeting and len(between) < 2 and are_little


def _list_prepositions(grammar: Grammar) -> frozenset[str]:
    """Return the language's prepositions before whom one is with, or at whose place."""
    kinds = read_word_kinds(DATA)
    own = grammar.words.get("prepositions", frozenset())
    return (kinds["company"] | kinds["visiting"]) & own


def _read_name(words: Words, grammar: Grammar) -> tuple[int, Words]:
    """Return how many of *words* are the name that they begin with, and the name, with a form of
    address before it; in German, where every noun has a capital, its first word. None has whom one
    sees for what they do: at "Dr. Klein" the knee is the teller's.
    """
    title = list(map(_plain_title, filter(_is_address, words[:1])))
    name: Words = []
    for word in words[len(title) :]:
        if not word.text[:1].isupper() or (name and grammar.v2):
            break
        if grammar.has("titles", word.low.rstrip(".")):
            return 0, []
        name.append(word)
    return (len(title) + len(name), title + name) if name else (0, [])


def _is_address(word: Token) -> bool:
    low = word.low.rstrip(".")
    kinds = read_word_kinds(DATA)
    return low in kinds["sir"] or low in kinds["madam"]


def _plain_title(word: Token) -> Token:
    """Return the form of address *word* as it stands alone: "Herr" for "Herrn"."""
    plain = word.low.removesuffix("n")
    if plain == word.low or plain not in read_word_kinds(DATA)["sir"]:
        return word
    return word._replace(text=word.text[: len(plain)], low=plain)


def _goes_on(words: Words, end: int, grammar: Grammar) -> bool:
    """Tell whether what the name owns follows it, which ends before *end*."""
    if end >= len(words):
        return False
    if words[end].low == "'s":
        return True
    has_ending = grammar.v2 and words[end - 1].low.endswith("s")
    return has_ending and words[end].text[:1].isupper()


def _tells_little(rest: Words, grammar: Grammar) -> bool:
    """Tell whether *rest*, a sentence without a name, says little, and nothing of anybody else."""
    if len(rest) > 1 and grammar.finite(rest, 1):
        return False  # "Tom had lunch"
    if any(_is_of_others(word, grammar) for word in rest):
        return False
    if not grammar.v2 and any(word.text[:1].isupper() for word in rest[1:]):
        return False
    return _count_telling(rest, grammar) <= _FEW


def _is_of_others(word: Token, grammar: Grammar) -> bool:
    return word.low in _BETWEEN or grammar.has_any(_PERSONAL, word.low)


def _count_telling(words: Words, grammar: Grammar) -> int:
    little = _little_words(grammar)
    return sum(
        word.low not in little and word.low[:1].isalpha() for word in words
    )


def _little_words(grammar: Grammar) -> frozenset[str]:
    return function_words().get(grammar.language, frozenset())


def _opens_thing(words: Words, grammar: Grammar) -> bool:
    """Tell whether a clause says something of what one person has, and not where it moved: "The new
    job starts", and not "The job of Tom", "The flat rate is".
    """
    if not words or not grammar.has("definite", words[0].low):
        return False
    at = 1
    if len(words) > 1 and grammar.has("timely", words[1].low):
        at = 2
    if at + 1 >= len(words) or words[at].low not in list_things_of_one():
        return False
    moves = any(_moves(word, grammar) for word in words[at + 1 :])
    return grammar.finite(words, at + 1) and not moves


def _moves(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* says that somebody goes to live elsewhere: "moved"."""
    lemma = grammar.lemma(word.low)
    return any(
        phrase.partition(" ")[0] == lemma and key in _HOMES
        for phrase, key in grammar.same_person.items()
    )
