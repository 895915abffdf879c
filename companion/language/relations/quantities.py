"""Numbers, units, dates and codes in a statement, in base units: 5 km and 5000 m are one value."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from companion.language.lexicon import Lexicon, Unit, unit_symbols

# what is measured → its values, normalised; both sides of a comparison alike
Values = dict[str, frozenset[str]]

_NUMBER = re.compile(r"[0-9]+(?:[.,' ][0-9]+)*")  # "12", "1,250.5"
# "5km", "20°C"
_WITH_UNIT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)([^\W\d_]+|[°%]\w?)")
# "3rd", "1er"
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th|er|ère|ème|º|ª|te|ten|e)")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[., ][0-9]{3})+")  # "1.250.000"
# units that stand before their number
_BEFORE = ("$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF")
_DAYS = range(1, 32)  # of a month
_NO_UNIT = Unit("", 1.0)
_NOUN_WITHIN = 3  # words after a number among which its noun is looked for


class Quantities(NamedTuple):
    """The values in a statement, and the places of the tokens that said them."""

    values: Values
    places: set[int]


class _UnitBeside(NamedTuple):
    unit: Unit
    places: list[int]


class _Reader:
    """The tokens of one statement, and the values found so far."""

    def __init__(self, tokens: Sequence[str], lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.lexicon = lexicon
        self.lower = [token.lower() for token in tokens]
        self.values: dict[str, set[str]] = {}
        self.places: set[int] = set()

    def add(self, kind: str, value: str, places: Iterable[int]) -> None:
        """Keep a value of a *kind*, and the *places* of the tokens that say it."""
        self.values.setdefault(kind, set()).add(value)
        self.places.update(places)

    def read(self) -> None:
        """Read all tokens."""
        for at, token in enumerate(self.tokens):
            if at not in self.places:
                self._read_token(at, token)

    def _read_token(self, at: int, token: str) -> None:
        low = self.lower[at]
        if any(character.isdigit() for character in token):
            self._read_digits(at, token)
        elif low in self.lexicon.numbers:
            self._read_spelled(at)
        elif low in self.lexicon.ordinals:
            self._read_ordinal(at, self.lexicon.ordinals[low])
        elif "@" in token[1:-1]:
            self.add("address", low, [at])

    def _read_ordinal(self, at: int, rank: int) -> None:
        noun = self._noun_behind(at)
        if noun:
            self.add("nth " + noun, str(rank), [at])

    def _read_digits(self, at: int, token: str) -> None:
        low = self.lower[at]
        if date := _DATE.fullmatch(token):
            self._add_date(int(date[2]), int(date[3]), date[1], [at])
        elif clock := _CLOCK.fullmatch(token):
            self._add_clock(int(clock[1]), int(clock[2]), [at])
        elif ordinal := _ORDINAL.fullmatch(low):
            if not self._read_day(at, int(ordinal[1])):
                self.add("nth " + self._noun_behind(at), ordinal[1], [at])
        elif _NUMBER.fullmatch(token):
            self._read_number(at, token)
        elif not self._read_joined_unit(at, token):
            self.add("code " + _shape(token), low, [at])

    def _read_joined_unit(self, at: int, token: str) -> bool:
        """Add the value of "5km"; return whether it is one."""
        match = _WITH_UNIT.fullmatch(token)
        if match is None:
            return False
        unit = self._unit(match[2])
        if unit is None:
            return False
        self._add_measure(self._number(match[1]), unit, [at])
        return True

    def _read_number(self, at: int, token: str) -> None:
        value = self._number(token)
        if value in _DAYS and self._read_day(at, int(value)):
            return
        beside = self._unit_beside(at)
        if beside.unit.kind:
            self._add_measure(value, beside.unit, [at, *beside.places])
        elif _YEAR.fullmatch(token):
            self.add("year", token, [at])
        else:
            self.add("number " + self._noun_behind(at), _plain(value), [at])

    def _read_spelled(self, at: int) -> None:
        """Add the number whose words begin at *at*: "two thousand five hundred"."""
        numbers = self.lexicon.numbers
        words = list(takewhile(numbers.__contains__, self.lower[at:]))
        value = _total([numbers[word] for word in words])
        end = at + len(words)
        places = list(range(at, end))
        beside = self._unit_beside(end - 1)
        if beside.unit.kind:
            self._add_measure(value, beside.unit, [*places, *beside.places])
        else:
            noun = self._noun_behind(end - 1)
            self.add("number " + noun, _plain(value), places)

    def _add_measure(self, value: float, unit: Unit, places: list[int]) -> None:
        if not unit.kind.startswith("clock"):
            self.add(unit.kind, _plain(value * unit.factor), places)
            return
        if unit.kind == "clock-pm":
            value = value % 12 + 12
        self._add_clock(int(value), 0, places)

    def _add_clock(self, hour: int, minute: int, places: list[int]) -> None:
        after = places[-1] + 1
        if after < len(self.lower) and self.lower[after] == "pm" and hour < 12:
            hour += 12
        self.add("clock", f"{hour}:{minute:02}", places)

    def _read_day(self, at: int, day: int) -> bool:
        """Add the date of a *day* that has a month beside it; return whether it has one."""
        if day not in _DAYS:
            return False
        for place in (at - 1, at + 1, at - 2, at + 2):
            month = self._month_at(place)
            if month and self._only_little_between(at, place):
                self._add_day_of_month(at, place, day, month)
                return True
        return False

    def _add_day_of_month(
        self, at: int, place: int, day: int, month: int
    ) -> None:
        """Add the date of the *day* at *at* and the month at *place*, with the year behind both."""
        places = [at, place]
        year = ""
        after = max(at, place) + 1
        if after < len(self.tokens) and _YEAR.fullmatch(self.tokens[after]):
            year = self.tokens[after]
            places.append(after)
        self._add_date(month, day, year, places)

    def _month_at(self, place: int) -> int | None:
        if not 0 <= place < len(self.lower):
            return None
        return self.lexicon.months.get(self.lower[place])

    def _only_little_between(self, one: int, other: int) -> bool:
        between = self.lower[min(one, other) + 1 : max(one, other)]
        return all(
            word == "." or word in self.lexicon.function for word in between
        )

    def _add_date(
        self, month: int, day: int, year: str, places: list[int]
    ) -> None:
        self.add("date", f"{month}-{day}", places)
        if year:
            self.add("year", year, [])

    def _unit_beside(self, at: int) -> _UnitBeside:
        """Return the unit behind the number at *at*, or a currency before it."""
        for place in (at + 1, at - 1):
            if not 0 <= place < len(self.tokens):
                continue
            word = self.tokens[place]
            if place < at and word not in _BEFORE:
                continue
            unit = self._unit(word)
            if unit is not None:
                return _UnitBeside(unit, [place])
        return _UnitBeside(_NO_UNIT, [])

    def _unit(self, word: str) -> Unit | None:
        return unit_symbols().get(word) or self.lexicon.units.get(word.lower())

    def _noun_behind(self, at: int) -> str:
        """Return the stem of what the number at *at* counts; "" where none is near."""
        lexicon = self.lexicon
        for word in self.lower[at + 1 : at + 1 + _NOUN_WITHIN]:
            if not word[0].isalnum():
                return ""
            if word not in lexicon.function and word not in lexicon.negators:
                return lexicon.stem(word)
        return ""

    def _number(self, text: str) -> float:
        """Return the number that *text* writes with the language's decimal sign."""
        if _GROUPED.fullmatch(text):
            return float(re.sub(r"[^0-9]", "", text))
        group = ","
        if self.lexicon.comma:
            group = "."
        plain = text.replace(group, "").replace(",", ".")
        plain = plain.replace("'", "").replace(" ", "")
        if plain.count(".") > 1:
            plain = plain.replace(".", "")
        return float(plain)


def read_quantities(tokens: Sequence[str], lexicon: Lexicon) -> Quantities:
    """Return the values in *tokens* by what they measure, and the places of their tokens.

    Kinds: those of the units ("length", "usd", …), "date" (month-day), "year", "clock", "code
    SHAPE" (letters with digits: two of one shape are of one kind), "address", and "number NOUN" or
    "nth NOUN" for counts and ranks of a noun's stem.
    """
    reader = _Reader(tokens, lexicon)
    reader.read()
    values = {kind: frozenset(read) for kind, read in reader.values.items()}
    return Quantities(values, reader.places)


def _shape(code: str) -> str:
    """Return *code* with 9 for each digit and A for each letter."""
    return "".join(_shape_of(c) for c in code)


def _shape_of(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "A"
    return character


def _total(values: list[float]) -> float:
    """Return the number that spelled *values* make together: 2, 1000, 5, 100 are 2500."""
    total = 0.0
    current = 0.0
    for value in values:
        if value < 100:
            current += value
        else:
            current = max(current, 1.0) * value
        if value >= 1000:
            total += current
            current = 0.0
    return total + current


def _plain(value: float) -> str:
    return format(value, ".9g")
