"""Build the patterns of time phrases out of the words of one language.

A phrase is matched by a form; the groups of its pattern are its fields.
"""

import re
from collections.abc import Iterable, Iterator

from companion.language.detect import LanguageData
from companion.language.times.telling import LISTED_FIELDS
from companion.tuples import NamedTuple

# in every language; a letter after % is a field, as strftime names them
_NUMERIC = (
    r"%Y-%m-%d[T ]%H:%M(?::%S(?:\.\d+)?)? ?(?:Z|UTC|(?P<zone>[+-]\d\d:?\d\d))?",
    r"%Y-%m-%d",
    r"%Y/%m/%d",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.%Y",
    r"(?P<first>\d{1,2})/(?P<other>\d{1,2})/%Y",
    r"%Y-%m",
    r"Q(?P<q>[1-4])[ /-]%Y",
)
_FIELDS = {"%Y": r"(?P<y>\d{4})"} | {
    f"%{name}": rf"(?P<{name}>\d{{2}})" for name in "mdHMS"
}
# four digits that may be a year, and are no part of an amount, a time or a date
_YEAR = (
    r"(?<![\w.,/:$€£#])(?<!\D-)(?P<y>1[0-9]{3}|20[0-9]{2})"
    r"(?![\w/:%$€£]|[.,]\d|-\d{1,2}(?!\d))"
)
# "5 pm", "17:30", "17:30 Uhr", "17 Uhr"
_CLOCK = (
    r"(?P<H>\d{1,2})(?::(?P<M>\d{2}))? ?(?P<half>[ap]\.?m\.?)"
    r"|(?P<H24>\d{1,2}):(?P<M24>\d{2})(?: ?Uhr)?|(?P<hour>\d{1,2}) Uhr"
)


class Form(NamedTuple):
    """One form of a time phrase."""

    kind: str
    pattern: re.Pattern[str]


class Joins(NamedTuple):
    """How a language joins two times, and shows that a word is one."""

    between: re.Pattern[str]  # "to" of "2019 to 2021"
    year_before: re.Pattern[str]  # "2019 to" right before
    year_behind: re.Pattern[str]  # "to 2021" right behind
    time_before: re.Pattern[str]
    time_behind: re.Pattern[str]
    onward: re.Pattern[str]  # "on" of "from March on"


def build_forms(
    raw: LanguageData, lists: dict[str, LanguageData]
) -> list[Form]:
    """Return all forms of a language; of two that match, the earlier counts. The last is a year."""
    forms = list(_numeric_forms())
    fields = _fields_in_braces(lists)
    for form in raw["forms"]:
        pattern = re.sub(
            r"\{(\w+)\}", lambda match: fields[match[1]], form["is"]
        )
        forms.append(Form(form["kind"], _ignoring_case(pattern)))
    forms.append(Form("clock", _ignoring_case(_CLOCK)))
    forms.append(Form("year", re.compile(_YEAR)))
    return forms


def scan_pattern(forms: list[Form]) -> re.Pattern[str]:
    """Return a pattern that finds any of *forms*; the last one, a year, has its own edges."""
    *whole, year = [_without_names(form.pattern) for form in forms]
    parts: list[str] = []
    for number, form in enumerate(whole):
        parts.append(f"(?P<f{number}>(?<![\\w-])(?:{form})(?![\\w]))")
    parts.append(f"(?P<f{len(whole)}>{year})")
    return _ignoring_case("|".join(parts))


def role_pattern(raw: LanguageData) -> re.Pattern[str]:
    """Return what stands before a time and says what it is for: "since early"."""
    beginnings: list[str] = []
    for words in raw["roles"].values():
        beginnings += words
    fill = _either(raw["words"]["fill"])
    return _ignoring_case(
        rf"(?<![\w-])(?:(?P<role>{_either(beginnings)})\s+)?(?:(?:{fill})\s+)*$"
    )


def joins_of(words: dict[str, list[str]], months: Iterable[str]) -> Joins:
    """Return how a language with these *words* and *months* joins two times."""
    join = f"(?:{_either(words['join'])})"
    month = _either(months)
    return Joins(
        between=_ignoring_case(rf"\s*{join}\s*"),
        year_before=_ignoring_case(rf"\d{{4}}\s*{join}\s*$"),
        year_behind=_ignoring_case(rf"\s*{join}\s*\d{{4}}(?!\w)"),
        time_before=_ignoring_case(rf"(?:{month}|\d)\.?\s*{join}\s*$"),
        time_behind=_ignoring_case(rf"\s*{join}\s*(?:{month}|\d)"),
        onward=_ignoring_case(rf"\s+(?:{_either(words['onward'])})(?!\w)"),
    )


def _numeric_forms() -> Iterator[Form]:
    for shape in _NUMERIC:
        pattern = re.sub(r"%[YmdHMS]", lambda match: _FIELDS[match[0]], shape)
        yield Form("numeric", _ignoring_case(pattern))


def _fields_in_braces(lists: dict[str, LanguageData]) -> dict[str, str]:
    """Return the pattern of each word that stands in braces in a form: one of a list, a number."""
    fields = {
        "y": _FIELDS["%Y"],
        "d": r"(?P<d>\d{1,2})",
        "n": rf"(?P<n>\d{{1,4}}|{_either(lists['numbers'])})",
    }
    for field, name in LISTED_FIELDS.items():
        fields[field] = f"(?P<{field}>{_either(lists[name])})"
    return fields


def _ignoring_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _without_names(pattern: re.Pattern[str]) -> str:
    """Return the source of *pattern* with unnamed groups."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)


def _either(words: Iterable[str]) -> str:
    """Return a pattern for one of *words*, the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace("\\ ", r"\s+") for word in ordered)
