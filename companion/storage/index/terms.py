"""Words as the full-text index knows them: on the hot path of a search, so it imports only `re`."""

import re

from companion.patterns import lazy

_WORD = lazy(r"[^\W_]+")
# where a word with a capital letter inside has its next part
_CAMEL = lazy(r"(?<=[a-z0-9])(?=[A-Z])")
#: what is no word in ASCII, without white space
_ASCII_MARKS = (
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\0\x01\x02\x03\x04\x05\x06\x07\x08"
    "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x7f"
)
# parts words of ASCII as `_WORD` does, in a quarter of its time
_SPACES = str.maketrans(_ASCII_MARKS, " " * len(_ASCII_MARKS))
MAX_TERMS = 64  # of a query; the rest is ignored
# words of one term: a whole text in an unspaced script is no term, and SQL has its limits
LONGEST = 64

#: diacritics of the alphabets that are read without them; the vowel signs of Indic scripts are not
#: among these
_MARKS = (
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20ff\ufe20-\ufe2f]"
)
#: scripts written without spaces between words: each character is a word of its own
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
    "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def make_searchable(text: str) -> str:
    """Return *text* as FTS5 should see it: beyond ASCII the words as we part them, for its tables
    are of 2012. The parts of names such as `parseConfig` stand behind it.
    """
    text = add_parts(text)
    return text if text.isascii() else " ".join(split_words(text))


def add_parts(text: str) -> str:
    """Return *text*, and behind it the parts of names such as `parseConfig`, as programs write
    them.
    """
    if text.lower() == text or _CAMEL.search(text) is None:
        return text
    names = [word for word in text.split() if _CAMEL.search(word)]
    return f"{text} {_CAMEL.sub(' ', ' '.join(names))}"


def fold_text(text: str) -> str:
    """Return *text* casefolded, without diacritics, composed."""
    if text.isascii():
        return text.lower()
    import unicodedata

    plain = re.sub(_MARKS, "", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", plain)


def split_words(text: str) -> list[str]:
    """Return the folded words of *text*, in order; in scripts without spaces every character is
    one.
    """
    plain = fold_text(text)
    if plain.isascii():
        return plain.translate(_SPACES).split()
    return _WORD.findall(re.sub(_UNSPACED, r" \g<0> ", plain))


def split_phrases(query: str) -> list[tuple[str, ...]]:
    """Return the query's distinct terms, each a tuple of adjacent words (one, except in unspaced
    scripts).
    """
    found = (
        tuple(split_words(chunk))[:LONGEST]
        for chunk in _WORD.findall(fold_text(query))
    )
    return list(dict.fromkeys(phrase for phrase in found if phrase))[:MAX_TERMS]
