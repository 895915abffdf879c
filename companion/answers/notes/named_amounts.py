"""Find the amount that a note gives right behind a name: "Zehnerkarte 135, Schüler 90"."""

from collections.abc import Collection, Sequence

from companion.answers.question import plain
from companion.language.words import snowball
from companion.language.words.stop_words import STOP_WORDS
from companion.patterns import lazy

_TOKEN = lazy(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[€$£%]|[^\w\s]")
_NUMBER = lazy(r"\d+(?:[.,]\d+)*")
_SIGNS = "€$£%"
# a number that is no part of a date, an hour or a name, and the word behind it
_BARE = lazy(
    r"(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w:/-])(?: ?([^\W\d_]+|[€$£%]))?"
)


def has_other_amount(
    text: str, names: Collection[str], value: str, language: str
) -> bool:
    """Tell whether *text* gives another number than *value* has right behind one of *names*, stems;
    with the unit of *value*, or none.
    """
    own = set(_NUMBER.findall(value))
    if not own:
        return False
    units = {plain(token) for token in _TOKEN.findall(value)} - own
    tokens = _TOKEN.findall(plain(text))
    stems = snowball.stem_words(tokens, language)
    for at, stem in enumerate(stems):
        if stem not in names:
            continue
        rest = _skip_little(tokens[at + 1 :], language)
        if not rest or _NUMBER.fullmatch(rest[0]) is None or rest[0] in own:
            continue
        if _has_unit_of(rest[1:2], units):
            return True
    return False


def has_bare_number(text: str, language: str) -> bool:
    """Tell whether *text* has a number of nothing: "more expensive, 110 now"."""
    little = STOP_WORDS[language]
    for number in _BARE.finditer(plain(text)):
        behind = number[1]
        if behind is None or behind in little:
            return True
    return False


def _skip_little(tokens: Sequence[str], language: str) -> Sequence[str]:
    """Return *tokens* without colons, signs of money and little words at their beginning."""
    little = STOP_WORDS[language]
    at = 0
    while at < len(tokens) and (
        tokens[at] in little or tokens[at] == ":" or tokens[at] in _SIGNS
    ):
        at += 1
    return tokens[at:]


def _has_unit_of(following: Sequence[str], units: Collection[str]) -> bool:
    """Tell whether what follows a number is one of *units*, or no unit."""
    return not any(
        (one.isalpha() or one in _SIGNS) and one not in units
        for one in following
    )
