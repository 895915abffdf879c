"""Find the one person whom a clause speaks of, so that "she" behind it means somebody.

By where the name stands, and not by a list of names: "Met Priya for coffee", "Theo came by",
"talked to Ben". In German, where every noun has a capital, nobody is found.
"""

from companion.language.claims.grammar import Grammar
from companion.language.detect import function_words, read_language_data
from companion.language.sentences import Words, joined
from companion.language.word_kinds import read_word_kinds
from companion.language.words.roles import DATA

_TO = "to"  # before whom one speaks to, unless one goes there
_AND = ("and", ",", "&")
_LEADING_AWAY = ("moving", "onset")  # kinds of verbs: "moved to Graz"


def find_people(words: Words, text: str, grammar: Grammar) -> list[str]:
    """Return the names of those whom the clause *words* of *text* surely speaks of, each once."""
    found: dict[str, None] = {}
    if grammar.v2:
        return []
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and _may_be_name(words, end, grammar):
            end += 1
        goes_on = bool(found) and words[at - 1].low in _AND
        if end > at and (goes_on or _is_of_person(words, at, end, grammar)):
            found[joined(words[at:end], text)] = None
        at = max(end, at + 1)
    return list(found)


def _may_be_name(words: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether the word at *at* may be a part of a name: neither "Met" nor "Friday"."""
    word = words[at]
    if not word.text[:1].isupper() or not word.text[-1:].isalpha():
        return False
    if word.low in function_words()[grammar.language]:
        return False
    if grammar.has("weekdays", word.low) or _is_month(word.low, grammar):
        return False
    return at > 0 or grammar.lemma(word.low) is None


def _is_month(low: str, grammar: Grammar) -> bool:
    return low in read_language_data(grammar.language, "time")["months"]


def _is_of_person(words: Words, at: int, end: int, grammar: Grammar) -> bool:
    """Tell whether the name [at, end) stands where a person does: before the verb, behind "with" or
    right behind what is done to them.
    """
    if not at:
        return end < len(words) and grammar.finite(words, end)
    if end < len(words) and words[end].low == "'s":
        return False  # "met Anna's boss"
    before = words[at - 1].low
    if before in read_word_kinds(DATA)["company"]:
        return True
    if before == _TO:
        return not _leads_away(words[: at - 1], grammar)
    return grammar.lemma(before) is not None and not grammar.auxiliary(before)


def _leads_away(words: Words, grammar: Grammar) -> bool:
    """Tell whether *words* say that somebody goes somewhere, or begins there."""
    lemmas = [grammar.lemma(word.low) or "" for word in words]
    return any(grammar.has_any(_LEADING_AWAY, lemma) for lemma in lemmas)
