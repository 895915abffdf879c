"""Titles of works that hold marks: "Ender's Game" is nothing of Ender's, "Alien: Covenant" one
name.
"""

from companion.language.claims.grammar import Grammar
from companion.language.sentences import Token, Words, tokenize
from companion.language.words.roles import role_of

_GENITIVE = "'s"
_COLON = ":"


def join_titles(words: Words, text: str, grammar: Grammar) -> Words:
    """Return *words* with each title that holds a genitive or a colon as one word of *text*.

    What stands before the mark and all behind it must have capitals, and no common noun may follow:
    "Anna's Berlin flat" is a flat. In German every noun has a capital: nothing is joined.
    """
    if grammar.v2:
        return words
    joined: Words = []
    at = 0
    while at < len(words):
        end = _end_of_title(words, at, grammar)
        if end is None:
            joined.append(words[at])
            at += 1
            continue
        joined.append(_as_one(words[at:end], text))
        at = end
    return joined


def goes_on_in_title(before: str, after: str, grammar: Grammar) -> bool:
    """Tell whether a colon between *before* and *after* stands inside a title."""
    words = tokenize(before, 0, len(before))
    at = len(words) - 1
    if grammar.v2 or at < 1:
        return False
    whole = f"{before}: {after}"
    words = tokenize(whole, 0, len(whole))
    if words[at + 1 : at + 2] == [] or words[at + 1].low != _COLON:
        return False
    return _end_of_title(words, at, grammar) is not None


def _end_of_title(words: Words, at: int, grammar: Grammar) -> int | None:
    """Return where the title ends whose last word before its mark is at *at*; None: none is
    there.
    """
    if at + 2 >= len(words) or not _is_name_word(words[at], grammar):
        return None
    end = at + 2
    while end < len(words) and words[end].text[0].isupper():
        end += 1
    if end == at + 2 or not _is_mark(words, at, end, grammar):
        return None
    return end if _may_end(words[end:], grammar) else None


def _is_mark(words: Words, at: int, end: int, grammar: Grammar) -> bool:
    """Tell whether what follows *at* may be the mark inside a title."""
    mark = words[at + 1].low
    if mark == _COLON:
        return _is_colon_of_title(words, at, end, grammar)
    return mark == _GENITIVE and not _names_kin(words[at + 2], grammar)


def _is_colon_of_title(
    words: Words, at: int, end: int, grammar: Grammar
) -> bool:
    """Tell whether a colon stands inside a title: behind "of" or "for", and not behind a label."""
    first = at
    while first and _is_name_word(words[first - 1], grammar):
        first -= 1
    if not first or not grammar.has("prepositions", words[first - 1].low):
        return False
    opens = grammar.has("definite", words[0].low)
    return end == len(words) or opens


def _is_name_word(word: Token, grammar: Grammar) -> bool:
    text = word.text
    if not text[0].isupper() or grammar.has("little", word.low):
        return False
    return text == "I" or not text.isupper()


def _names_kin(word: Token, grammar: Grammar) -> bool:
    """Tell whether *word* is somebody or a time of somebody's: "Anna's Mum", "Tom's Monday"."""
    return grammar.has("kin", word.low) or role_of(word.low) is not None


def _may_end(behind: Words, grammar: Grammar) -> bool:
    """Tell whether a title may end before the words *behind* it."""
    if not behind:
        return True
    following = behind[0].low
    if following == _GENITIVE:
        return False
    if following == "," or grammar.has("little", following):
        return True
    return grammar.finite(behind, 0)


def _as_one(words: Words, text: str) -> Token:
    start, end = words[0].start, words[-1].end
    said = text[start:end]
    return Token(said, said.lower(), start, end)
