"""Find the amount that a note gives beside a name: "Schüler 90", "12 for tickets"."""

from collections.abc import Collection, Sequence

from companion.answers.question import plain
from companion.language.words import snowball
from companion.language.words.stop_words import STOP_WORDS
from companion.patterns import lazy

_TOKEN = lazy(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[€$£%]|[^\w\s]")
_NUMBER = lazy(r"\d+(?:[.,]\d+)*")
_SIGNS = "€$£%"
_THOUSANDS = 3  # digits behind a mark that parts thousands
# what may follow a bare number, without accents
_DAYS = frozenset(("today", "heute", "yesterday", "gestern", "now", "jetzt"))
# before a number that is surely an amount, though it has no unit: "decided on 12"
_DECIDED = frozenset(("on", "auf", ",", ":"))
# between an amount and what it is paid for, without accents
_PAID_FOR = frozenset(("for", "fur", "pour", "para", "per", "voor"))
# a number that is no part of a date, an hour or a name, and the word behind it
_BARE = lazy(
    r"(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w:/-])(?: ?([^\W\d_]+|[€$£%]))?"
)


def has_other_amount(
    text: str, names: Collection[str], value: str, language: str
) -> bool:
    """Tell whether *text* gives another number than *value* has beside one of *names*, stems: right
    behind it, or before "for" it; with the unit of *value*, or none.
    """
    numbers = set(_NUMBER.findall(value))
    if not numbers:
        return False
    own = {_as_number(number) for number in numbers}
    units = frozenset(map(plain, _TOKEN.findall(value))) - numbers
    tokens = _TOKEN.findall(plain(text))
    stems = snowball.stem_words(tokens, language)
    for at, stem in enumerate(stems):
        if stem not in names:
            continue
        beside = (
            _skip_little(tokens[at + 1 :], language),
            _find_paid(tokens[:at], units, language),
        )
        if any(_is_other(amount, own, units) for amount in beside):
            return True
    return False


def _is_other(
    tokens: Sequence[str], own: Collection[str], units: frozenset[str]
) -> bool:
    """Tell whether *tokens* begin with a number that is none of *own*, with one of *units*."""
    if not tokens or _NUMBER.fullmatch(tokens[0]) is None:
        return False
    if _as_number(tokens[0]) in own:
        return False
    return _has_unit_of(tokens[1:2], units | _DAYS)


def _as_number(written: str) -> str:
    """Return a number as its digits: "1.840" and "1,840" are one, "15,00" is 15."""
    whole, mark, rest = written.replace(".", ",").rpartition(",")
    if mark and len(rest) != _THOUSANDS:
        rest = rest.rstrip("0")
        return f"{whole.replace(',', '')}.{rest}".rstrip(".")
    return f"{whole}{rest}".replace(",", "")


def _find_paid(
    before: Sequence[str], units: Collection[str], language: str
) -> Sequence[str]:
    """Return the number and its unit that stand *before* "for": "12 euros for the" tickets."""
    little = STOP_WORDS[language]
    end = len(before)
    while (
        end and before[end - 1] in little and before[end - 1] not in _PAID_FOR
    ):
        end -= 1
    if not end or before[end - 1] not in _PAID_FOR:
        return ()
    if before[end - 2 : end - 1] and before[end - 2] in units:
        return before[end - 3 : end - 1]
    # an hour, or so many people: "meet at 5 for the tickets"
    is_amount = before[end - 3 : end - 2] and before[end - 3] in _DECIDED
    return before[end - 2 : end - 1] if is_amount else ()


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
