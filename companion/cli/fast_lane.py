"""The fast lane: understands everyday command lines without Typer.

Importing Typer costs as much as fifteen captures. What is not understood here (help, completion, a
misspelling, an invalid value) is left to `companion.cli.typer_app`.
"""

from collections.abc import Iterator, Sequence

from companion.annotations import Any
from companion.cli import commands
from companion.cli.spec import Argument, Arguments, Option, Verb
from companion.tuples import NamedTuple


class Call(NamedTuple):
    """A command line, understood."""

    verb: Verb
    arguments: Arguments


GLOBALS = (
    Option(
        "wiki",
        ("--wiki", "-C"),
        "The wiki to work in (else COMPANION_WIKI, else here).",
        metavar="DIR",
    ),
    Option(
        "json",
        ("--json",),
        "Print exactly one JSON document, errors included.",
        "flag",
        False,
    ),
    Option(
        "quiet",
        ("--quiet", "-q"),
        "Print results only: no hints, no progress.",
        "flag",
        False,
    ),
    Option(
        "version", ("--version",), "Print the version and leave.", "flag", False
    ),
)


class _Unusual(Exception):
    """This command line is for Typer."""


def lift(argv: Sequence[str]) -> tuple[Arguments, list[str]]:
    """Take the global options out of *argv*, wherever they stand before a ``--``.

    Return their values by name, and the words that are left. A global option without its value
    stays among these words, so that Typer names it.
    """
    values = _defaults(GLOBALS)
    known = _by_flag(GLOBALS)
    rest: list[str] = []
    own_flags: frozenset[str] = frozenset()
    words = iter(argv)
    for word in words:
        if word == "--":
            return values, [*rest, word, *words]
        flag, glued = _split(word)
        option = known.get(flag)
        if option is not None and _read_global(option, glued, words, values):
            continue
        if not rest:
            own_flags = _flags_with_a_value(word)
        rest.append(word)
        if word in own_flags:
            # The value of a command's own option may look like a global one: `--title --json`.
            rest += _next(words)
    return values, rest


def _read_global(
    option: Option, glued: str | None, words: Iterator[str], values: Arguments
) -> bool:
    """Put the value of a global option into *values*; return whether it has the one it needs."""
    if option.kind == "flag":
        if glued is not None:
            return False
        values[option.name] = True
        return True
    given = [glued] if glued is not None else _next(words)
    if not given:
        return False
    values[option.name] = given[0]
    return True


def parse(words: Sequence[str]) -> Call | None:
    """Understand a command and its arguments, or return None where Typer has to.

    None is no error: help, completion, a misspelling and every invalid value are Typer's to answer.
    Whatever is understood here, Typer understands in the same way (a test holds the two together).
    """
    verb = commands.load(words[0]) if words else None
    if verb is None:
        return None
    try:
        return Call(verb, _arguments(verb, words[1:]))
    except _Unusual:
        return None


def part_minus_words(words: list[str]) -> list[str]:
    """Return *words* with those of an argument behind a "--" where one of these begins with "-",
    as in `search gate -wood`.

    A "-" and one letter is always an option, and so is what begins with "--".
    """
    verb = commands.load(words[0]) if words else None
    if verb is None or "--" in words or verb.spec.argument is None:
        return words
    if not verb.spec.argument.minus:
        return words
    options, positional = _part(words[1:], _by_flag(verb.spec.options))
    if not any(word.startswith("-") for word in positional):
        return words
    return [words[0], *options, "--", *positional]


def _part(
    words: list[str], known: dict[str, Option]
) -> tuple[list[str], list[str]]:
    """Return the options among *words*, each with its value, and the rest."""
    options: list[str] = []
    positional: list[str] = []
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or _is_minus_word(word, known):
            positional.append(word)
            continue
        options.append(word)
        flag, glued = _split(word)
        option = known.get(flag)
        if option is not None and option.kind != "flag" and glued is None:
            options += _next(rest)
    return options, positional


def _is_minus_word(word: str, known: dict[str, Option]) -> bool:
    """Tell whether *word*, which begins with "-", is no option."""
    if word.startswith("--") or len(word) <= 2:
        return False
    option = known.get(word[:2])
    if option is None:
        return True
    return option.kind == "count" and not _is_whole(word[2:])


def _flags_with_a_value(name: str) -> frozenset[str]:
    """Return the flags of the command *name* that take a value; none where there is no such."""
    verb = commands.load(name)
    if verb is None:
        return frozenset()
    valued = [option for option in verb.spec.options if option.kind != "flag"]
    return frozenset(_by_flag(valued))


def _defaults(options: Sequence[Option]) -> Arguments:
    return {option.name: option.default for option in options}


def _by_flag(options: Sequence[Option]) -> dict[str, Option]:
    found: dict[str, Option] = {}
    for option in options:
        found.update(dict.fromkeys(option.flags, option))
    return found


def _arguments(verb: Verb, words: Sequence[str]) -> Arguments:
    values = _defaults(verb.spec.options)
    known = _by_flag(verb.spec.options)
    positional: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            positional.extend(rest)
        elif word == "-" or not word.startswith("-"):
            positional.append(word)
        else:
            flag, glued = _split(word)
            option = known.get(flag)
            if option is None:
                raise _Unusual
            values[option.name] = _value(option, glued, rest)
    return values | _positional(verb.spec.argument, positional)


def _positional(argument: Argument | None, words: list[str]) -> Arguments:
    if argument is None:
        if words:
            raise _Unusual
        return {}
    if argument.required and not words:
        raise _Unusual
    if argument.many:
        return {argument.name: words}
    if len(words) > 1:
        raise _Unusual
    return {argument.name: words[0] if words else None}


def _value(option: Option, glued: str | None, rest: Iterator[str]) -> Any:
    if option.kind == "flag":
        if glued is not None:
            raise _Unusual
        return True
    given = [glued] if glued is not None else _next(rest)
    if not given:
        raise _Unusual
    return _typed(option, given[0])


def _typed(option: Option, text: str) -> Any:
    if option.kind == "text":
        return text
    if option.kind == "choice" and text in option.choices:
        return text
    if option.kind == "count" and _is_whole(text) and int(text) >= 1:
        return int(text)
    if option.kind == "share" and _is_decimal(text) and float(text) <= 1:
        return float(text)
    raise _Unusual


def _is_decimal(text: str) -> bool:
    return all(_is_whole(part) for part in text.split(".", 1))


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _split(word: str) -> tuple[str, str | None]:
    """Split ``--name=value`` and ``-nvalue`` into flag and value."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        return flag, value if equals else None
    return word[:2], word[2:] or None


def _next(words: Iterator[str]) -> list[str]:
    """Return the next word in a list of one, or an empty list at the end."""
    for word in words:
        return [word]
    return []
