"""Numbers, units, dates and codes in a statement, in base units: 5 km and 5000 m are one value."""

import re
from collections.abc import Iterable, Sequence
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
        self.values.setdefault(kind, set()).add(value)
        self.places.update(places)

    def read(self) -> None:
        for at, token in enumerate(self.tokens):
            if at in self.places:
                continue
            low = self.lower[at]
            if any(c.isdigit() for c in token):
                self._read_digits(at, token)
            elif low in self.lexicon.numbers:
                self._read_spelled(at)
            elif low in self.lexicon.ordinals:
                noun = self._noun_behind(at)
                if noun:
                    self.add(
                        "nth " + noun, str(self.lexicon.ordinals[low]), [at]
                    )
            elif "@" in token[1:-1]:
                self.add("address", low, [at])

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
        unit = self._unit(match[2]) if match else None
        if match is None or unit is None:
            return False
        self._add_measure(self._number(match[1]), unit, [at])
        return True

    def _read_number(self, at: int, token: str) -> None:
        value = self._number(token)
        beside = self._unit_beside(at)
        if (
            value == int(value)
            and value <= 31
            and self._read_day(at, int(value))
        ):
            return
        if beside.unit.kind:
            self._add_measure(value, beside.unit, [at, *beside.places])
        elif _YEAR.fullmatch(token):
            self.add("year", token, [at])
        else:
            self.add("number " + self._noun_behind(at), _plain(value), [at])

    def _read_spelled(self, at: int) -> None:
        """Add the number whose words begin at *at*: "two thousand five hundred"."""
        end = at
        total, current = 0.0, 0.0
        while end < len(self.lower) and self.lower[end] in self.lexicon.numbers:
            value = self.lexicon.numbers[self.lower[end]]
            if value < 100:
                current += value
            else:
                current = max(current, 1.0) * value
            if value >= 1000:
                total += current
                current = 0.0
            end += 1
        beside = self._unit_beside(end - 1)
        places = list(range(at, end))
        if beside.unit.kind:
            self._add_measure(
                total + current, beside.unit, [*places, *beside.places]
            )
        else:
            self.add(
                "number " + self._noun_behind(end - 1),
                _plain(total + current),
                places,
            )

    def _add_measure(self, value: float, unit: Unit, places: list[int]) -> None:
        if not unit.kind.startswith("clock"):
            self.add(unit.kind, _plain(value * unit.factor), places)
            return
        hour = value % 12 + 12 if unit.kind == "clock-pm" else value
        self._add_clock(int(hour), 0, places)

    def _add_clock(self, hour: int, minute: int, places: list[int]) -> None:
        after = places[-1] + 1
        if after < len(self.lower) and self.lower[after] == "pm" and hour < 12:
            hour += 12
        self.add("clock", f"{hour}:{minute:02}", places)

    def _read_day(self, at: int, day: int) -> bool:
        """Add the date of a *day* that has a month beside it; return whether it has one."""
        if not 1 <= day <= 31:
            return False
        for place in (at - 1, at + 1, at - 2, at + 2):
            month = self._month_at(place)
            if not month or not self._only_little_between(at, place):
                continue
            after = max(at, place) + 1
            has_year = after < len(self.tokens) and _YEAR.fullmatch(
                self.tokens[after]
            )
            year = self.tokens[after] if has_year else ""
            self._add_date(
                month,
                day,
                year,
                [at, place, after] if has_year else [at, place],
            )
            return True
        return False

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
            unit = self._unit(self.tokens[place])
            if unit is not None and (
                place > at or self.tokens[place] in _BEFORE
            ):
                return _UnitBeside(unit, [place])
        return _UnitBeside(_NO_UNIT, [])

    def _unit(self, word: str) -> Unit | None:
        return unit_symbols().get(word) or self.lexicon.units.get(word.lower())

    def _noun_behind(self, at: int) -> str:
        """Return the stem of what the number at *at* counts; "" where none is near."""
        for word in self.lower[at + 1 : at + 1 + _NOUN_WITHIN]:
            if not word[0].isalnum():
                return ""
            if (
                word not in self.lexicon.function
                and word not in self.lexicon.negators
            ):
                return self.lexicon.stem(word)
        return ""

    def _number(self, text: str) -> float:
        """Return the number that *text* writes with the language's decimal sign."""
        if _GROUPED.fullmatch(text):
            return float(re.sub(r"[^0-9]", "", text))
        point, group = (",", ".") if self.lexicon.comma else (".", ",")
        plain = (
            text.replace(group, "")
            .replace(point, ".")
            .replace("'", "")
            .replace(" ", "")
        )
        return (
            float(plain)
            if plain.count(".") <= 1
            else float(plain.replace(".", ""))
        )


def read_quantities(tokens: Sequence[str], lexicon: Lexicon) -> Quantities:
    """Return the values in *tokens* by what they measure, and the places of their tokens.

    Kinds: those of the units ("length", "usd", …), "date" (month-day), "year", "clock", "code
    SHAPE" (letters with digits: two of one shape are of one kind), "address", and "number NOUN" or
    "nth NOUN" for counts and ranks of a noun's stem.
    """
    reader = _Reader(tokens, lexicon)
    reader.read()
    values = {kind: frozenset(found) for kind, found in reader.values.items()}
    return Quantities(values, reader.places)


def _shape(code: str) -> str:
    """Return *code* with 9 for each digit and A for each letter."""
    return "".join(_shape_of(c) for c in code)


def _shape_of(character: str) -> str:
    if character.isdigit():
        return "9"
    return "A" if character.isalpha() else character


def _plain(value: float) -> str:
    return format(value, ".9g")
