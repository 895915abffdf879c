"""Numbers, units, dates and codes in a statement, in base units, so that 5 km and 5000 m are one
value.
"""

import re
from collections.abc import Sequence

from companion.language.lexicon import Lexicon, Unit, symbols

# what is measured → its values, normalised; both sides of a comparison alike
Quantities = dict[str, frozenset[str]]

_NUMBER = re.compile(r"[0-9]+(?:[.,' ][0-9]+)*")
_WITH_UNIT = re.compile(r"([0-9]+(?:[.,][0-9]+)?)([^\W\d_]+|[°%]\w?)")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th|er|ère|ème|º|ª|te|ten|e)")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[., ][0-9]{3})+")
_BEFORE = ("$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF")  # units that stand before their number
_NONE = Unit("", 1.0)
_NOUN_WITHIN = 3  # words after a number among which its noun is looked for


class _Reader:
    def __init__(self, tokens: Sequence[str], words: Lexicon) -> None:
        self.tokens, self.words = tokens, words
        self.lower = [token.lower() for token in tokens]
        self.found: dict[str, set[str]] = {}
        self.taken: set[int] = set()

    def add(self, kind: str, value: str, *places: int) -> None:
        self.found.setdefault(kind, set()).add(value)
        self.taken.update(places)

    def read(self) -> None:
        for at, token in enumerate(self.tokens):
            if at in self.taken:
                continue
            if any(c.isdigit() for c in token):
                self._digits(at, token)
            elif self.lower[at] in self.words.numbers:
                self._spelled(at)
            elif self.lower[at] in self.words.ordinals and (noun := self._noun(at)):
                self.add("nth " + noun, str(self.words.ordinals[self.lower[at]]), at)
            elif "@" in token[1:-1]:
                self.add("address", self.lower[at], at)

    def _digits(self, at: int, token: str) -> None:
        if (date := _DATE.fullmatch(token)) is not None:
            self._date(int(date[2]), int(date[3]), date[1], at)
        elif (clock := _CLOCK.fullmatch(token)) is not None:
            self._clock(int(clock[1]), int(clock[2]), at)
        elif (ordinal := _ORDINAL.fullmatch(self.lower[at])) is not None:
            if not self._dated(at, int(ordinal[1])):
                self.add("nth " + self._noun(at), ordinal[1], at)
        elif _NUMBER.fullmatch(token):
            self._number(at, token)
        elif (joined := _WITH_UNIT.fullmatch(token)) is not None and (
            unit := self._unit(joined[2])
        ) is not None:
            self._measured(self._value(joined[1]), unit, at)
        else:
            self.add("code " + _shape(token), self.lower[at], at)

    def _number(self, at: int, token: str) -> None:
        value = self._value(token)
        unit, places = self._unit_beside(at)
        if value == int(value) and value <= 31 and self._dated(at, int(value)):
            return
        if unit.kind:
            self._measured(value, unit, at, *places)
        elif _YEAR.fullmatch(token):
            self.add("year", token, at)
        else:
            self.add("number " + self._noun(at), _plain(value), at)

    def _spelled(self, at: int) -> None:
        end, total, current = at, 0.0, 0.0
        while (
            end < len(self.lower) and (value := self.words.numbers.get(self.lower[end])) is not None
        ):
            if value >= 100:
                current = max(current, 1.0) * value
                total, current = (total + current, 0.0) if value >= 1000 else (total, current)
            else:
                current += value
            end += 1
        unit, places = self._unit_beside(end - 1)
        self._measured(total + current, unit, *range(at, end), *places) if unit.kind else self.add(
            "number " + self._noun(end - 1), _plain(total + current), *range(at, end)
        )

    def _measured(self, value: float, unit: Unit, *places: int) -> None:
        if unit.kind.startswith("clock"):
            hour = value % 12 + 12 if unit.kind == "clock-pm" else value
            self._clock(int(hour), 0, *places)
        else:
            self.add(unit.kind, _plain(value * unit.factor), *places)

    def _clock(self, hour: int, minute: int, *places: int) -> None:
        after = places[-1] + 1
        if after < len(self.lower) and self.lower[after] == "pm" and hour < 12:
            hour += 12
        self.add("clock", f"{hour}:{minute:02}", *places)

    def _dated(self, at: int, day: int) -> bool:
        for place in (at - 1, at + 1, at - 2, at + 2):
            month = (
                self.words.months.get(self.lower[place]) if 0 <= place < len(self.lower) else None
            )
            between = self.lower[min(at, place) + 1 : max(at, place)] if month else []
            if (
                month
                and 1 <= day <= 31
                and all(word in self.words.function or word == "." for word in between)
            ):
                year = max(at, place) + 1
                stated = (
                    self.tokens[year]
                    if year < len(self.tokens) and _YEAR.fullmatch(self.tokens[year])
                    else ""
                )
                self._date(month, day, stated, at, place, *([year] if stated else []))
                return True
        return False

    def _date(self, month: int, day: int, year: str, *places: int) -> None:
        self.add("date", f"{month}-{day}", *places)
        if year:
            self.add("year", year)

    def _unit_beside(self, at: int) -> tuple[Unit, list[int]]:
        for place in (at + 1, at - 1):
            unit = self._unit(self.tokens[place]) if 0 <= place < len(self.tokens) else None
            if unit is not None and (place > at or self.tokens[place] in _BEFORE):
                return unit, [place]
        return _NONE, []

    def _unit(self, word: str) -> Unit | None:
        return symbols().get(word) or self.words.units.get(word.lower())

    def _noun(self, at: int) -> str:
        for word in self.lower[at + 1 : at + 1 + _NOUN_WITHIN]:
            if not word[0].isalnum():
                return ""
            if word not in self.words.function and word not in self.words.negators:
                return self.words.stem(word)
        return ""

    def _value(self, text: str) -> float:
        if _GROUPED.fullmatch(text):
            return float(re.sub(r"[^0-9]", "", text))
        point, group = (",", ".") if self.words.comma else (".", ",")
        plain = text.replace(group, "").replace(point, ".").replace("'", "").replace(" ", "")
        return float(plain) if plain.count(".") <= 1 else float(plain.replace(".", ""))


def quantities(tokens: Sequence[str], words: Lexicon) -> tuple[Quantities, set[int]]:
    """Return the values in *tokens* by what they measure, and the places of the tokens that said
    them.

    Kinds: those of the units ("length", "usd", …), "date" (month-day), "year", "clock", "code
    SHAPE" (letters with digits: two of one shape are of one kind), "address", and "number NOUN" or
    "nth NOUN" for counts and ranks of a noun's stem.
    """
    reader = _Reader(tokens, words)
    reader.read()
    return {kind: frozenset(values) for kind, values in reader.found.items()}, reader.taken


def _shape(code: str) -> str:
    return "".join("9" if c.isdigit() else "A" if c.isalpha() else c for c in code)


def _plain(value: float) -> str:
    return format(value, ".9g")
