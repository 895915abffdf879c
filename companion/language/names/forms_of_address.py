"""Words that stand before a name and belong to it: "Dr. Klein", "Frau Vogt", "Onkel Rolf".

No list of titles: it is the one word with a capital that nearly every note writes before the name.
"""

import re
from collections import Counter
from collections.abc import Sequence

from companion.language.detect import function_words

_SHARE = 2 / 3  # of the uses of the name
_LEAST = 2  # notes
_MOST_WORDS = 2
_BEFORE = r"(?<![\w'\u2019.-])([^\W\d_][^\W\d_]*\.?)[ \u00a0]"


def add_form_of_address(name: str, texts: Sequence[str]) -> str:
    """Return *name* with the words that *texts* write before it, where they are nearly always the
    same: "Prof. Dr. Adler".
    """
    longer = name
    for _ in range(_MOST_WORDS):
        longer = _add_word(longer, texts)
    return longer


def _add_word(name: str, texts: Sequence[str]) -> str:
    pattern = rf"(?:{_BEFORE})?(?<![\w-]){re.escape(name)}(?![\w-])"
    word = find_word_beside(pattern, name, texts)
    return name if word is None else f"{word} {name}"


def find_word_beside(
    pattern: str, name: str, texts: Sequence[str]
) -> str | None:
    """Return the word with a capital that *pattern* finds beside *name* in most notes that use it;
    None where there is none.
    """
    used = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    beside: Counter[str] = Counter()
    uses = 0
    for text in texts:
        uses += used.search(text) is not None
        words = {match[1] for match in re.finditer(pattern, text)}
        beside.update(word for word in words if _may_belong(word))
    if not beside:
        return None
    word, notes = min(beside.items(), key=lambda item: (-item[1], item[0]))
    return word if notes >= max(_LEAST, _SHARE * uses) else None


def _may_belong(word: str | None) -> bool:
    if word is None or not word[0].isupper():
        return False
    low = word.casefold().rstrip(".")
    return not any(low in words for words in function_words().values())
