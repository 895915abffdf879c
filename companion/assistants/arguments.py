"""Check the arguments of a tool: a model wrote them, perhaps led by somebody else's text.

Pure. A message names the argument and never quotes its value.
"""

from collections.abc import Mapping
from typing import NamedTuple

from companion.errors import CompanionError

LONGEST = 1000  # characters of an argument that says nothing else
#: characters of a note that one call may hand over
LONGEST_NOTE = 100_000
#: controls that belong into a text of several lines
_LINES = "\t\n\r"


class BadArgument(CompanionError):
    """This is not what the tool takes."""

    exit_code = 2
    hint = "The description of the tool says what it takes."


class Parameter(NamedTuple):
    """One argument of a tool."""

    name: str
    help: str = ""
    kind: str = "text"  # text | note (several lines) | count (1 to most) | flag
    required: bool = False
    most: int = LONGEST  # characters, or the greatest count
    default: int = 0  # of a count
    choices: tuple[str, ...] = ()


class Given:
    """The checked arguments of one call."""

    def __init__(self, values: Mapping[str, str | int | bool]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        """Return a required text."""
        return str(self._values[name])

    def optional(self, name: str) -> str | None:
        """Return a text, None where it was left out or is empty."""
        value = self._values.get(name)
        return str(value) if value else None

    def count(self, name: str) -> int:
        """Return a count, or its default."""
        return int(self._values[name])

    def flag(self, name: str) -> bool:
        """Tell whether a flag was set."""
        return bool(self._values.get(name, False))


def check_arguments(
    parameters: tuple[Parameter, ...], given: Mapping[str, object]
) -> Given:
    """Return the arguments of a call, with the defaults of those left out. Raises BadArgument."""
    known = {parameter.name for parameter in parameters}
    unknown = len(given.keys() - known)
    if unknown:
        names = ", ".join(parameter.name for parameter in parameters)
        raise BadArgument(
            f"{unknown} of the arguments are unknown; known are {names}"
        )
    values: dict[str, str | int | bool] = {}
    for parameter in parameters:
        value = given.get(parameter.name)
        if value is not None:
            values[parameter.name] = _check(parameter, value)
        elif parameter.required:
            raise BadArgument(f"`{parameter.name}` is missing")
        elif parameter.kind == "count":
            values[parameter.name] = parameter.default
    return Given(values)


def describe_parameters(
    parameters: tuple[Parameter, ...],
) -> dict[str, object]:
    """Return the JSON schema of the arguments."""
    schema: dict[str, object] = {
        "type": "object",
        "properties": {one.name: _describe(one) for one in parameters},
    }
    required = [one.name for one in parameters if one.required]
    if required:
        schema["required"] = required
    return schema


_TYPES = {
    "text": "string",
    "note": "string",
    "count": "integer",
    "flag": "boolean",
}


def _describe(parameter: Parameter) -> dict[str, object]:
    schema: dict[str, object] = {"type": _TYPES[parameter.kind]}
    if parameter.help:
        schema["description"] = parameter.help
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if parameter.kind == "count":
        schema["default"] = parameter.default
    return schema


def _check(parameter: Parameter, value: object) -> str | int | bool:
    """Return *value* if the parameter takes it. Raises BadArgument."""
    if parameter.kind == "flag":
        return _check_flag(parameter.name, value)
    if parameter.kind == "count":
        return _check_count(parameter, value)
    return _check_text(parameter, value)


def _check_flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadArgument(f"`{name}` is neither true nor false")
    return value


def _check_count(parameter: Parameter, value: object) -> int:
    # True is an integer in Python.
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadArgument(f"`{parameter.name}` is no whole number")
    if not 1 <= value <= parameter.most:
        raise BadArgument(
            f"`{parameter.name}` is not between 1 and {parameter.most:,}"
        )
    return value


def _check_text(parameter: Parameter, value: object) -> str:
    name = parameter.name
    if not isinstance(value, str):
        raise BadArgument(f"`{name}` is no text")
    if len(value) > parameter.most:
        raise BadArgument(
            f"`{name}` has {len(value):,} characters, more than {parameter.most:,}"
        )
    if parameter.required and not value.strip():
        raise BadArgument(f"`{name}` is empty")
    allowed = _LINES if parameter.kind == "note" else ""
    if any(_is_control(letter, allowed) for letter in value):
        raise BadArgument(f"`{name}` has control characters")
    if parameter.choices and value not in parameter.choices:
        raise BadArgument(f"`{name}` is none of {', '.join(parameter.choices)}")
    return value


def _is_control(letter: str, allowed: str) -> bool:
    """Tell whether *letter* is a control, or half of a character."""
    is_control = letter < " " or "\x7f" <= letter < "\xa0"
    is_half = "\ud800" <= letter <= "\udfff"
    return (is_control or is_half) and letter not in allowed
