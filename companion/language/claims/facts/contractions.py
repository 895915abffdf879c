"""The verb in "Tom's allergic to nuts": an 's that can be no genitive.

A genitive stands before a noun, and a note is often no more ("Tom's dentist on Friday"). So an 's
is a verb only where what follows it can begin no noun, and no other verb follows.
"""

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words

_LONGEST_SUBJECT = 5  # words
_MARKS = (",", ".", "!", ";", ")")


def write_out_copula(tokens: Words, grammar: Grammar) -> Words:
    """Return *tokens* with "is" or "has" in the place of an 's that surely is one."""
    if grammar.v2:
        return tokens
    for at in range(1, min(len(tokens), _LONGEST_SUBJECT + 1)):
        if tokens[at].low == "'s":
            verb = _read_verb(tokens, at, grammar)
            if not verb or _has_other_verb(tokens, at, grammar):
                return tokens
            word = tokens[at]._replace(text=verb, low=verb)
            rest = _without_got(tokens[at + 1 :], grammar)
            return [*tokens[:at], word, *rest]
    return tokens


def _without_got(words: Words, grammar: Grammar) -> Words:
    """Return *words* without the "got" of "Tom's got a bike": he has it."""
    if len(words) < 2 or words[0].low != "got":
        return words
    low = words[1].low
    is_object = low[:1].isdigit() or grammar.has_any(
        ("determiners", "numerals"), low
    )
    return words[1:] if is_object else words


def _read_verb(tokens: Words, at: int, grammar: Grammar) -> str:
    """Return the verb that the 's at *at* stands for, "" where it may be a genitive."""
    following = at + 1
    while _is_adverb(tokens, following, grammar):
        following += 1
    if following >= len(tokens):
        return ""
    word = tokens[following]
    if word.low in ("got", "been", "had"):
        return "" if _is_fragment(tokens, following, grammar) else "has"
    if grammar.has_any(("articles", "prepositions", "negations"), word.low):
        return "is"
    if _is_pronoun(tokens[at - 1], at, grammar):
        return _verb_of_pronoun(tokens, following, grammar)
    if not _ends_phrase(tokens, following + 1, grammar):
        return ""
    if grammar.has("predicatives", word.low):
        return "is"
    return _verb_of_participle(word, grammar)


def _is_fragment(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether no thing follows: "Daniel's got a lot going on"."""
    low = [word.low for word in tokens[at + 1 : at + 3]]
    return len(low) > 1 and grammar.has("fragments", low[1])


def _is_adverb(tokens: Words, at: int, grammar: Grammar) -> bool:
    return at < len(tokens) and grammar.has("between", tokens[at].low)


def _is_pronoun(word: Token, at: int, grammar: Grammar) -> bool:
    kinds = ("nominatives", "things")
    return at == 1 and grammar.has_any(kinds, word.low)


def _verb_of_pronoun(tokens: Words, at: int, grammar: Grammar) -> str:
    """Return the verb behind "he" or "it": "has" before a participle with its object."""
    word = tokens[at]
    if not grammar.participle(word.low) or word.low.endswith("ing"):
        return "is"
    for following in tokens[at + 1 : at + 2]:
        if grammar.has("determiners", following.low):
            return "has"
    return _verb_of_participle(word, grammar)


def _verb_of_participle(word: Token, grammar: Grammar) -> str:
    """Return "has" before the participle of a verb of moving, "is" before another: "broken"."""
    low = word.low
    if word.text != low or not grammar.participle(low) or low.endswith("ing"):
        return ""
    lemma = grammar.lemma(low) or ""
    return "has" if grammar.has("moving", lemma) else "is"


def _ends_phrase(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether no noun can follow at *at*: the end, a mark, a preposition."""
    if at >= len(tokens):
        return True
    low = tokens[at].low
    kinds = ("prepositions", "conjunctions", "between", "breaks")
    return low in _MARKS or grammar.has_any(kinds, low)


def _has_other_verb(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether a finite verb follows the 's at *at*: "Tom's sister lives in York"."""
    for place in range(at + 1, len(tokens)):
        if tokens[place].low in (*_MARKS, "and"):
            return False
        if _is_finite(tokens, place, grammar):
            return True
    return False


def _is_finite(tokens: Words, at: int, grammar: Grammar) -> bool:
    """Tell whether a verb with a subject stands at *at*, and no participle behind the 's."""
    low = tokens[at].low
    if grammar.participle(low) or low in ("been", "got", "had"):
        return False
    return grammar.finite(tokens, at)
