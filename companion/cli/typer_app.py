"""The Typer program, built from the files of commands: help, completion, and whatever the fast lane
did not understand.

Typer's own click is private, so only public names of Typer are used here.
"""

import inspect
import io
import os
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from typing import Annotated, Any, Literal

import typer
from typer.exceptions import TyperException

from companion.cli import commands
from companion.cli.completion.zsh import finish_script
from companion.cli.errors import Usage, suggest
from companion.cli.fast_lane import GLOBALS, Call
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command, Option, Verb

NAME = "companion"

Take = Callable[[Call], None]

EXIT_CODES = {
    0: "done",
    1: "nothing found",
    2: "the command line is wrong",
    10: "no wiki here",
    11: "this git repository cannot hold a wiki",
    65: "bad data or a secret was refused, or damage was found",
    69: "a model, or a part that is installed apart, is unavailable",
    70: "an error nobody expected: please report it",
    74: "the system could not read or write",
    75: "try later: another process is at work, or the repository is in the middle of something",
    130: "interrupted",
}

_HEAD = """Usage: companion [OPTIONS] COMMAND [ARGS]...

  A memory of your own: capture at once, sleep over it, and let git explain.

"""
_FOOT = """
Options: -C, --wiki DIR; --json; -q, --quiet; --version; --install-completion.
`companion COMMAND --help` tells more. COMPANION_WIKI names a wiki.
"""
_COLUMNS = 79  # of the overview
_LABEL = 10  # columns

_KINDS: Mapping[str, type] = {
    "flag": bool,
    "text": str,
    "count": int,
    "share": float,
}

MOST = 999_999_999  # of a count


def _hand_to_typer(words: Sequence[str], heard: Callable[[Call], None]) -> None:
    """Let Typer read *words* and tell *heard* of the call. Raises Usage."""
    try:
        program(heard, _choose(words)).main(
            args=[*words] or ["--help"],
            prog_name=NAME,
            standalone_mode=False,
        )
    except TyperException as error:
        raise _usage(error, words) from error


def understand(ui: Ui, words: Sequence[str]) -> Call | None:
    """Let Typer read *words*; None when it has answered itself (help). Nothing runs yet.

    A command line that cannot be understood raises `Usage`.
    """
    if ui.json and not words:
        raise Usage("no command given")
    calls: list[Call] = []
    printed = io.StringIO()
    # With --json even help is one document; otherwise Typer prints for itself, completion
    # included.
    with redirect_stdout(printed) if ui.json else nullcontext():
        _hand_to_typer(words, calls.append)
    if "--install-completion" in words:
        finish_script(os.path.expanduser("~"))
    if not words:
        ui.hint(
            "This folder is in no wiki. `companion init DIR` makes one; inside it, `companion`"
            " alone tells what waits."
        )
    if calls:
        return calls[0]
    if ui.json:
        ui.document({"help": printed.getvalue()})
    return None


class _Overview(typer.core.TyperGroup):
    """The commands together: their help is one screen."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write what companion is, and its commands."""
        columns = shutil.get_terminal_size().columns
        formatter.write(describe_commands(min(columns, _COLUMNS)))


def describe_commands(columns: int = _COLUMNS) -> str:
    """Return the overview: what is done every day, and the names of the rest by subject."""
    return _wrap(_HEAD + "\n".join(_list_commands()) + "\n" + _FOOT, columns)


def _list_commands() -> Iterator[str]:
    yield "Every day:"
    for name in commands.EVERY_DAY:
        verb = commands.load(name)
        short = verb.spec.help.splitlines()[0] if verb is not None else ""
        yield f"  {name:<{_LABEL}}{short}"
    for subject, names in commands.OTHERS.items():
        label = f"{subject}:".ljust(_LABEL + 2)
        yield label + ", ".join(names.split())


def _wrap(text: str, columns: int) -> str:
    """Return *text* with its long lines broken, and what follows indented as commands are."""
    lines: list[str] = []
    for line in text.splitlines():
        indent = " " * (_LABEL + 2)
        broken = textwrap.wrap(
            line, columns, subsequent_indent=indent, break_on_hyphens=False
        )
        lines += broken or [""]
    return "\n".join(lines) + "\n"


def _choose(words: Sequence[str]) -> dict[str, Verb]:
    """Return the command that *words* name, all where they name none: loading all takes time."""
    verb = commands.load(words[0]) if words else None
    return commands.load_all() if verb is None else {verb.name: verb}


def program(take: Take, verbs: Mapping[str, Verb] | None = None) -> Any:
    """Build the Typer command of *verbs*, else of all; every call it understands is handed to
    *take*, and nothing is run.
    """
    app = typer.Typer(
        cls=_Overview,
        # boxes follow the terminal's width, and help needs no rich
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(_signed(lambda **_: None, GLOBALS, None))
    for name, verb in (verbs or commands.load_all()).items():
        # The global options were taken out before Typer saw the line: it only documents and
        # completes them.
        function = _signed(
            _taking(verb, take),
            (*verb.spec.options, *GLOBALS),
            verb.spec.argument,
        )
        # Without a short help Typer cuts the first line of the help to the terminal's width.
        short = verb.spec.help.splitlines()[0]
        app.command(name, help=_help(verb.spec), short_help=short)(function)
    return typer.main.get_command(app)


def _help(spec: Command) -> str:
    about = spec.argument
    if about is None:
        return spec.help
    return f"{spec.help}\n\n{about.metavar}: {about.help}"


def _taking(verb: Verb, take: Take) -> Callable[..., None]:
    ours = {option.name for option in GLOBALS}

    def command(**values: Any) -> None:
        take(
            Call(
                verb,
                {
                    name: value
                    for name, value in values.items()
                    if name not in ours
                },
            )
        )

    return command


def _signed(
    function: Callable[..., None],
    options: Iterable[Option],
    argument: Argument | None,
) -> Callable[..., None]:
    """Give *function* the signature that Typer reads its parameters from."""
    parameters = [] if argument is None else [_positional(argument)]
    parameters += [_named(option) for option in options]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {
        parameter.name: parameter.annotation for parameter in parameters
    }
    return function


def _positional(argument: Argument) -> inspect.Parameter:
    # Hidden from the list of parameters, where Typer would name its Python type: `_help` describes
    # it.
    info = typer.Argument(
        metavar=argument.metavar, hidden=True, show_default=False
    )
    kind: Any = list[str] if argument.many else str | None
    default: Any = None
    if argument.required:
        default = inspect.Parameter.empty
    elif argument.many:
        default = []
    return _parameter(argument.name, Annotated[kind, info], default)


def _named(option: Option) -> inspect.Parameter:
    info = typer.Option(
        *option.flags,
        help=option.help,
        metavar=option.metavar or None,
        parser=_PARSERS.get(option.kind),
    )
    kind: Any = _KINDS.get(option.kind, str)
    if option.kind == "choice":
        kind = Literal[option.choices]
    if option.default is None:
        kind = kind | None
    return _parameter(option.name, Annotated[kind, info], option.default)


def _count(value: object) -> int:
    """Return a count that was typed; raises BadParameter."""
    try:
        count = int(str(value))
    except ValueError:
        count = 0
    if 1 <= count <= MOST:
        return count
    raise typer.BadParameter(f"{value!r} is no whole number from 1 on")


def _share(value: object) -> float:
    """Return a share that was typed; raises BadParameter."""
    try:
        share = float(str(value))
    except ValueError:
        share = -1.0
    if 0 <= share <= 1:
        return share
    raise typer.BadParameter(f"{value!r} is no number from 0 to 1")


# A type of Typer's own would show its range in the help: `1<=x<=999999999`.
_PARSERS: Mapping[str, Callable[[object], Any]] = {
    "count": _count,
    "share": _share,
}


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=annotation,
    )


def _usage(error: TyperException, words: Sequence[str]) -> Usage:
    message = error.format_message().rstrip(".").replace("Value error, ", "", 1)
    verb = ""
    hint = f"See `{NAME} --help`."
    if words and words[0] in commands.NAMES:
        verb = words[0]
        hint = f"See `{NAME} {verb} --help`."
        hint = f"{_suggest_value(words)} {hint}".lstrip()
    if message.startswith("No such option") and verb == "ingest":
        hint = 'Text that begins with a dash goes after `--`: companion ingest -- "-40 degrees".'
    return Usage(message[:1].lower() + message[1:], hint=hint)


def _suggest_value(words: Sequence[str]) -> str:
    """Return a question with what a mistyped value of an option may mean; empty for none."""
    verb = commands.load(words[0])
    assert verb is not None
    for option in verb.spec.options:
        if option.kind != "choice":
            continue
        for value in _list_given(option, words):
            meant = suggest(value, option.choices)
            if value not in option.choices and meant:
                return meant
    return ""


def _list_given(option: Option, words: Sequence[str]) -> Iterator[str]:
    """Yield the values that *words* give to *option*."""
    for place, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag in option.flags:
            yield from [value] if equals else words[place + 1 : place + 2]
