"""Words as the full-text index knows them: on the hot path of a search, so it imports only `re`."""

import re

_WORD = re.compile(r"[^\W_]+")
MAX_TERMS = 64  # of a query; the rest is ignored

#: scripts written without spaces between words: each character is a word of its own
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def searchable(text: str) -> str:
    """Return *text* as FTS5 should see it: scripts without spaces get one around every character."""
    return text if text.isascii() else re.sub(_UNSPACED, r" \g<0> ", text)  # compiled when first met


def folded(text: str) -> str:
    """Return *text* in lower case without diacritics, as FTS5's unicode61 folds it."""
    if text.isascii():
        return text.lower()
    import unicodedata

    plain = unicodedata.normalize("NFD", text.lower())
    return "".join(char for char in plain if not unicodedata.combining(char))


def words(text: str) -> list[str]:
    """Return the folded words of *text*, in order."""
    return _WORD.findall(searchable(folded(text)))


def phrases(query: str) -> list[tuple[str, ...]]:
    """Return the query's distinct terms, each a tuple of adjacent words (one, except in unspaced scripts)."""
    found = (tuple(words(chunk)) for chunk in _WORD.findall(folded(query)))
    return list(dict.fromkeys(phrase for phrase in found if phrase))[:MAX_TERMS]
