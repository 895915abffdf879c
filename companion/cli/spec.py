"""The values that say how a command is called: its options, its argument, its help."""

from collections.abc import Callable
from typing import Any, NamedTuple

#: the values of options and arguments, by name
Arguments = dict[str, Any]


class Option(NamedTuple):
    """One option of a command."""

    name: str  # the keyword argument of the command's `run`
    flags: tuple[str, ...]
    help: str
    # flag | text | count (an integer ≥ 1) | share (a float in [0, 1]) | choice
    kind: str = "text"
    default: Any = None
    metavar: str = ""
    choices: tuple[str, ...] = ()


class Argument(NamedTuple):
    """The positional argument of a command."""

    name: str
    metavar: str
    help: str
    many: bool = False
    required: bool = False


class Command(NamedTuple):
    """How a command is called: the `SPEC` of each file in `companion.cli.commands`."""

    help: str  # the first line stands in the list of commands
    argument: Argument | None = None
    options: tuple[Option, ...] = ()
    hot: bool = False  # leaves without tearing the interpreter down


class Verb(NamedTuple):
    """A command that is loaded: its name, how it is called, and what it runs."""

    name: str
    spec: Command
    run: Callable[..., int]  # run(ui, **arguments) -> exit code
