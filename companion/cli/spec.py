"""The values that say how a command is called: its options, its argument, its help."""

from collections.abc import Callable

from companion.annotations import Any
from companion.tuples import NamedTuple

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
    minus: bool = False  # a word of it may begin with "-": `search gate -wood`


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


# Options that several commands share.

TARGET = Argument(
    "target",
    "TARGET",
    "An id or its beginning, a path, a file name, a title, or a note on a "
    "page: ^id.",
    True,
    True,
)
DRY_RUN = Option(
    "dry_run",
    ("--dry-run",),
    "Show what would happen; change nothing.",
    "flag",
    False,
)
PRIVATE = Option(
    "with_private",
    ("--with-private",),
    "Include private notes.",
    "flag",
    False,
)
WITH_PAGES = Option(
    "with_pages",
    ("--with-pages",),
    "Let `remote sync` merge and push pages, too.",
    "flag",
    False,
)
AS_OF = Option(
    "as_of",
    ("--as-of",),
    "Answer as of this time: 2026-03-01, or last friday; else now.",
    metavar="TIME",
)
LIMIT = ("-n", "--limit")
EXPLAIN = Option(
    "explain",
    ("--explain",),
    "Also show the numbers and rules behind each sentence.",
    "flag",
    False,
)
READER = Option(
    "agent",
    ("--agent",),
    "Read as this assistant; else it is you.",
    metavar="NAME",
)
FLEET = Option(
    "fleet",
    ("--fleet",),
    "Of all shards in this PostgreSQL database (`companion fleet project`).",
    metavar="DATABASE",
)
MAX_CALLS = Option(
    "max_calls",
    ("--max-calls",),
    "Ask a language model at most this often.",
    "count",
    metavar="N",
)

#: options that hold for every capture of one call
ORIGIN = (
    Option(
        "channel",
        ("--channel",),
        "The channel it came through, e.g. mail or chat.",
        metavar="NAME",
    ),
    Option(
        "source",
        ("--source",),
        "Who or what said it: a person, a URL, a document.",
        metavar="NAME",
    ),
    Option(
        "agent",
        ("--agent",),
        "The assistant that hands it over; else it is you.",
        metavar="NAME",
    ),
    Option(
        "scope",
        ("--scope",),
        "Who may read it: everybody, or only you.",
        "choice",
        default="shared",
        choices=("shared", "private"),
    ),
    Option(
        "priority",
        ("--priority",),
        "How important it is, from 0 to 1.",
        "share",
        default=0.5,
        metavar="P",
    ),
    Option(
        "redact",
        ("--redact",),
        "Replace secrets with a marker and store the rest.",
        "flag",
        False,
    ),
    Option(
        "store_anyway",
        ("--store-anyway",),
        "Store it even if it looks like a secret.",
        "flag",
        False,
    ),
)
