"""The names that can stand at the cursor: commands, options, their values, pages, runs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from companion.cli import commands
from companion.cli.completion.shells import Line
from companion.cli.fast_lane import GLOBALS, lift
from companion.cli.spec import Option, Verb
from companion.lookup.complete import LISTS, Name

_MOST = 60
# the kinds of names that a placeholder in the help stands for
_KINDS = {"TARGET": "target", "PAGE": "target", "TAG": "tag", "RUN": "run"}
_TIMES = ("today", "yesterday", "last week", "last month", "last friday")
_REVIEW = ("show", "accept", "reject", "merge", "prefer", "undo")


def complete(line: Line) -> list[Name]:
    """Return the names that can stand in place of the last word of *line*."""
    options, words = lift(line.words)
    if words and words[-1] in ("-C", "--wiki"):
        return []  # folders: the shell knows them
    if not words:
        return [*_begin(_list_verbs(), line.last), *_list_flags((), line.last)]
    verb = commands.load(words[0])
    if verb is None:
        return []
    names = _list_names(verb, words[1:], line, options["wiki"])
    return list(islice(names, _MOST))


def _list_verbs() -> Iterator[Name]:
    for name in commands.NAMES:
        yield Name(name)


def _list_flags(options: Iterable[Option], last: str) -> Iterator[Name]:
    if last.startswith("-"):
        for option in (*options, *GLOBALS):
            for flag in option.flags:
                if flag.startswith(last):
                    yield Name(flag, option.help)


def _list_valued(options: Iterable[Option]) -> dict[str, Option]:
    """Return the options that take a value, by each of their flags."""
    valued = {}
    for option in options:
        if option.kind != "flag":
            valued.update(dict.fromkeys(option.flags, option))
    return valued


def _list_names(
    verb: Verb, words: Sequence[str], line: Line, wiki: str | None
) -> Iterator[Name]:
    valued = _list_valued(verb.spec.options)
    flag, equals, value = line.last.partition("=")
    if words and words[-1] in valued:
        yield from _list_values(valued[words[-1]], line.last, wiki)
    elif equals and flag in valued:
        for name in _list_values(valued[flag], value, wiki):
            yield Name(f"{flag}={name.text}", name.about)
    elif line.last.startswith("-") and "--" not in words:
        yield from _list_flags(verb.spec.options, line.last)
    else:
        before = _list_positional(words, valued.keys())
        yield from _list_arguments(verb, before, line.last, wiki)


def _list_positional(words: Sequence[str], valued: Iterable[str]) -> list[str]:
    """Return the words of *words* that are neither flags nor their values."""
    found = []
    flags = frozenset(valued)
    is_value = False
    for word in words:
        if not is_value and not word.startswith("-"):
            found.append(word)
        is_value = word in flags
    return found


def _list_values(
    option: Option, prefix: str, wiki: str | None
) -> Iterator[Name]:
    if option.kind == "choice":
        yield from _begin(map(Name, option.choices), prefix)
    elif option.metavar == "TIME":
        yield from _begin(map(Name, _TIMES), prefix)
    elif option.metavar in _KINDS:
        yield from _list_kind(_KINDS[option.metavar], prefix, wiki)


def _list_arguments(
    verb: Verb, before: Sequence[str], last: str, wiki: str | None
) -> Iterator[Name]:
    argument = verb.spec.argument
    if verb.name == "review":
        yield from _list_review(before, last, wiki)
    elif verb.name == "drop":
        yield from _list_kind("note", last, wiki)
    elif argument is not None and argument.metavar == "DAY":
        yield from _list_times(before, last)
    elif argument is not None and argument.metavar in _KINDS:
        kind = _KINDS[argument.metavar]
        if argument.many and before:
            # the words of a title need no quotation marks
            yield from _list_rest(" ".join(before) + " ", last, wiki)
        elif not before:
            yield from _list_kind(kind, last, wiki)


def _list_rest(begun: str, last: str, wiki: str | None) -> Iterator[Name]:
    """Yield what is left of the titles that begin with *begun* and *last*."""
    for name in _list_kind("target", begun + last, wiki):
        if name.text.casefold().startswith(begun.casefold()):
            yield Name(name.text[len(begun) :], name.about)


def _list_times(before: Sequence[str], last: str) -> Iterator[Name]:
    """Yield what is left of the times that begin with these words."""
    begun = "".join(f"{word} " for word in before)
    for name in _begin(map(Name, _TIMES), begun + last):
        yield Name(name.text[len(begun) :])


def _list_review(
    before: Sequence[str], last: str, wiki: str | None
) -> Iterator[Name]:
    if not before:
        yield from _begin(map(Name, _REVIEW), last)
    elif len(before) == 1:
        yield from _list_kind("question", last, wiki)
    elif before[0] == "prefer":
        yield from _begin(map(Name, ("new", "old")), last)


def _list_kind(kind: str, prefix: str, wiki: str | None) -> Iterator[Name]:
    from companion.workspace import open_workspace

    yield from LISTS[kind](open_workspace(wiki), prefix)


def _begin(names: Iterable[Name], prefix: str) -> Iterator[Name]:
    return (name for name in names if name.text.startswith(prefix))
