"""What a verb, an argument and an option are."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option of a verb."""

    name: str  # the keyword argument of the verb's function
    flags: tuple[str, ...]
    help: str
    kind: str = "text"  # flag | text | count (an integer ≥ 1) | share (a float in [0, 1]) | choice
    default: Any = None
    metavar: str = ""
    choices: tuple[str, ...] = ()


class Argument(NamedTuple):
    """The positional argument of a verb."""

    name: str
    metavar: str
    help: str
    many: bool = False
    required: bool = False


class Verb(NamedTuple):
    """One verb: what it runs and how it is called."""

    run: Callable[..., int]  # run(ui, **arguments) -> exit code
    help: str  # the first line stands in the list of verbs
    argument: Argument | None = None
    options: tuple[Option, ...] = ()
    hot: bool = False  # leaves without tearing the interpreter down
