"""Every verb with its arguments and options, said once.

The fast lane parses from this table without importing Typer (which costs as much as fifteen
captures), `companion.cli.typer_app` builds the Typer program from it, and `companion.cli.reference`
prints it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.cli import verbs, verbs_audit, verbs_fading, verbs_use
from companion.cli.spec import Argument as Argument
from companion.cli.spec import Option as Option
from companion.cli.spec import Verb as Verb


class Call(NamedTuple):
    """A command line, understood."""

    verb: Verb
    arguments: dict[str, Any]


TARGET = Argument(
    "target", "TARGET", "An id or its beginning, a path, a slug or a title.", True, True
)
DRY_RUN = Option("dry_run", ("--dry-run",), "Say what would happen; change nothing.", "flag", False)
PRIVATE = Option(
    "with_private", ("--with-private",), "Include what was told in private.", "flag", False
)
AS_OF = Option(
    "as_of", ("--as-of",), "What was so then, e.g. 2026-03-01; now when not given.", metavar="TIME"
)
LIMIT = ("-n", "--limit")
READER = Option("agent", ("--agent",), "Read as this assistant; else it is you.", metavar="NAME")
MAX_CALLS = Option(
    "max_calls", ("--max-calls",), "Ask a language model at most this often.", "count", metavar="N"
)

_ORIGIN = (
    Option("channel", ("--channel",), "Where it came through, e.g. mail or chat.", metavar="NAME"),
    Option(
        "source", ("--source",), "Who or what said it: a person, a URL, a document.", metavar="NAME"
    ),
    Option(
        "agent", ("--agent",), "The assistant that hands it over; else it is you.", metavar="NAME"
    ),
    Option(
        "scope",
        ("--scope",),
        "Who may read it: everybody, or only who tells it.",
        "choice",
        default="shared",
        choices=("shared", "private"),
    ),
    Option("priority", ("--priority",), "A hint from 0 to 1.", "share", default=0.5, metavar="P"),
    Option(
        "redact", ("--redact",), "Replace secrets by a marker and store the rest.", "flag", False
    ),
    Option(
        "store_anyway",
        ("--store-anyway",),
        "Store it although it looks like a secret.",
        "flag",
        False,
    ),
)

GLOBALS = (
    Option(
        "wiki",
        ("--wiki", "-C"),
        "The wiki to work in (else COMPANION_WIKI, else here).",
        metavar="DIR",
    ),
    Option("json", ("--json",), "Print exactly one JSON document, errors included.", "flag", False),
    Option("quiet", ("--quiet", "-q"), "Print results only: no hints, no progress.", "flag", False),
    Option("version", ("--version",), "Print the version and leave.", "flag", False),
)

VERBS: dict[str, Verb] = {
    "init": Verb(
        verbs.init,
        "Begin a wiki here, or adopt the notes that are here already.\n\n"
        "An existing vault or repository is adopted in place: only .companion/ is added.",
        Argument("directory", "DIR", "The folder; this one when not given."),
        (DRY_RUN,),
    ),
    "ingest": Verb(
        verbs.ingest,
        "Capture text, files or folders; safe on disk when it says so.\n\n"
        "An existing file or folder is read; - reads standard input; anything else is the text itself. "
        "A first line `# Title` is the title.",
        Argument("what", "TEXT|FILE|FOLDER|-", "What to capture.", many=True),
        (
            Option("lines", ("--lines",), "Every line is a capture of its own.", "flag", False),
            Option(
                "jsonl",
                ("--jsonl",),
                "Read captures as JSON lines; - is standard input.",
                metavar="FILE",
            ),
            Option("title", ("--title",), "Its title.", metavar="TITLE"),
            Option(
                "event_time",
                ("--event-time",),
                "When it was so, e.g. 2026-11-21T18:30Z.",
                metavar="TIME",
            ),
            *_ORIGIN,
        ),
        hot=True,
    ),
    "triage": Verb(
        verbs.triage,
        "Capture an endless stream, line by line, acknowledging each.\n\n"
        "Every line of standard input is durable before its acknowledgement is printed: `captured ID`, "
        "`seen ID` or `refused REASON` (with --json, one JSON object per line).",
        Argument("stream", "-", "Standard input, the only stream there is."),
        _ORIGIN,
        hot=True,
    ),
    "consolidate": Verb(
        verbs.consolidate,
        "One night: turn pending captures into pages, in one commit.\n\n"
        "What a run had consumed that a reset took off the branch is held: it comes back with the run, or when it is "
        "told again, or with --held.",
        options=(
            DRY_RUN,
            MAX_CALLS,
            Option("held", ("--held",), "Also take in what is held.", "flag", False),
        ),
    ),
    "decay": Verb(
        verbs_fading.decay,
        "Let fade what nobody needs any more, and protect what bears weight.\n\n"
        "A page whose vitality is low is compressed, its full text kept in cold memory; much later it is archived. "
        "What bears weight, is pinned, or is a page of your own keeps its text. --dry-run shows all that would fade, "
        "and why.",
        options=(DRY_RUN,),
    ),
    "audit": Verb(
        verbs_audit.audit,
        "Test what most rests on: suspend it, ask again, and record what that changes.\n\n"
        "Suspends one entry after the other, for nobody but itself, and asks what was asked before, with it and "
        "without it. Looks at the heaviest entries, at what is queued, and at what is decaying, each once a month. "
        "Records what it found and changes nothing else: `companion settle` does what follows.",
        options=(
            Option(
                "top", ("--top",), "So many entries, by gravity.", "count", default=10, metavar="N"
            ),
            Option(
                "entry",
                ("--entry",),
                "This entry only, however lately it was audited.",
                metavar="TARGET",
            ),
            Option("explain", ("--explain",), "Tell each audit as a report.", "flag", False),
            DRY_RUN,
        ),
    ),
    "settle": Verb(
        verbs_audit.settle,
        "Do what follows from the audits on record.\n\n"
        "What answers need keeps its gravity, or gets it back; what nobody needs loses half of it; what leads astray "
        "begins to decay, and is archived later. Closes minority branches whose incumbent proved load-bearing.",
        options=(DRY_RUN,),
    ),
    "recall": Verb(
        verbs_fading.recall,
        "Show the full text of a page that faded, from cold memory.\n\n"
        "--restore makes a compressed page whole again, and a new page of an archived one; `undo` takes that back.",
        TARGET,
        (
            Option("restore", ("--restore",), "Make it a page again.", "flag", False),
            DRY_RUN,
            READER,
        ),
    ),
    "pin": Verb(
        verbs_fading.pin,
        "Keep a page from fading: `pinned: true` in its frontmatter. Alone, list what is pinned.",
        TARGET._replace(required=False),
    ),
    "unpin": Verb(verbs_fading.unpin, "Let a pinned page fade like any other.", TARGET),
    "adopt": Verb(
        verbs.adopt,
        "Take pages you changed by hand into the wiki.",
        options=(DRY_RUN,),
    ),
    "undo": Verb(
        verbs.undo,
        "Take back what one run did, as a new run that says so.\n\n"
        "Pages go back to what they held before it; lines you changed since stay. Also undoes an undo.",
        Argument(
            "run", "RUN", "A run's name or its commit, or the beginning of either.", required=True
        ),
        (DRY_RUN,),
    ),
    "erase": Verb(
        verbs.erase,
        "Erase words that leaked, from everything on this machine.\n\n"
        "Shows every place first and changes nothing: pages, notes, ledger, all of git's history, stashes, logs. "
        "Then, confirmed by a word that the preview names, it rewrites all of that, keeps no backup, and refuses the "
        "words from then on. Clones and remotes are out of its reach.",
        Argument(
            "words",
            "WORDS|CAPTURE",
            "The words, or the id of a capture for all of its words.",
            many=True,
        ),
        (
            Option(
                "match",
                ("--match",),
                "Ask for the words unseen, or read them from a pipe.",
                metavar="-",
            ),
            Option(
                "confirm",
                ("--confirm",),
                "Erase what the preview of this word showed.",
                metavar="WORD",
            ),
        ),
    ),
    "search": Verb(
        verbs.search,
        "Find pages and pending captures.",
        Argument("query", "QUERY", "Words to look for.", many=True, required=True),
        (
            Option("limit", LIMIT, "At most this many results.", "count", default=10, metavar="N"),
            Option(
                "state",
                ("--state",),
                "Only results in this state.",
                "choice",
                choices=("pending", "active", "decaying", "archived", "minority"),
            ),
            READER,
        ),
        hot=True,
    ),
    "claims": Verb(
        verbs.claims,
        "Say what was told of somebody or something, and what stands.\n\n"
        "Current values first, both sides of what is disputed, each with the note it comes from.",
        Argument(
            "about",
            "SUBJECT [PREDICATE]",
            "Of whom, and what; several words in quotation marks.",
            many=True,
            required=True,
        ),
        (
            AS_OF,
            Option("known_at", ("--known-at",), "As it was known then.", metavar="TIME"),
            Option(
                "history",
                ("--history",),
                "Also what was so before, and what was taken back.",
                "flag",
                False,
            ),
            READER,
        ),
    ),
    "ask": Verb(
        verbs.ask,
        "Answer a question from what was told.\n\n"
        "The answer comes with the claims that lead to it and their notes; both sides of a dispute are there whatever "
        "the budget. What nobody told is not known: then come the passages nearest to the question, and exit code 1.",
        Argument("question", "QUESTION", "The question.", many=True, required=True),
        (
            AS_OF,
            Option(
                "budget",
                ("--budget",),
                "Tokens that the answers may take.",
                "count",
                default=500,
                metavar="N",
            ),
            Option(
                "phrase",
                ("--phrase",),
                "Have the language model in use phrase it, adding nothing.",
                "flag",
                False,
            ),
            READER,
        ),
    ),
    "feedback": Verb(
        verbs_use.feedback,
        "Say what you think of the last answer, or of an entry.\n\n"
        "Of the last answer or search, of the one whose ID follows, or of an entry. It goes to what you opened from "
        "it, else to all that was shown, the first place first. With no verdict, lists what was shown lately. No text "
        "is touched: the next run takes it on record, and it weighs in what fades.",
        Argument(
            "verdict",
            "VERDICT [ID|TARGET]",
            "good or useful, bad or wrong; and of what.",
            many=True,
        ),
        (READER,),
    ),
    "show": Verb(
        verbs.show,
        "Show one page or capture.",
        TARGET,
        (Option("raw", ("--raw",), "The stored text and nothing else.", "flag", False), READER),
        hot=True,
    ),
    "log": Verb(
        verbs.log,
        "What each run did, newest first.",
        options=(
            Option("limit", LIMIT, "At most this many runs.", "count", default=20, metavar="N"),
        ),
        hot=True,
    ),
    "why": Verb(
        verbs.why,
        "Every decision about a page or capture, with its reason; or what rests on it.",
        TARGET,
        (
            Option(
                "depends",
                ("--depends",),
                "All that rests on a page or a claim, with the path.",
                "flag",
                False,
            ),
            READER,
        ),
        hot=True,
    ),
    "status": Verb(
        verbs.status,
        "What is here, what waits, what is on this machine only.",
        options=(READER,),
        hot=True,
    ),
    "review": Verb(
        verbs.review,
        "What awaits your answer: contradictions, doubts, a new model's objections.\n\n"
        "`review show ID` shows both sides, `accept ID` says that the new words stand, `reject ID` that they do not, "
        "`prefer ID new|old` which of the two, `merge ID` that both are so. Where claims dispute each other, "
        "`prefer ID CLAIM` says which is so, for every read from then on. The next night weighs the "
        "answer; no text is touched by it.",
        Argument(
            "action",
            "ACTION",
            "show ID, accept ID, reject ID, merge ID, or prefer ID new|old|CLAIM.",
            many=True,
        ),
        (
            Option("all", ("--all",), "The answered questions, too.", "flag", False),
            Option(
                "agent", ("--agent",), "The assistant that answers; else it is you.", metavar="NAME"
            ),
        ),
    ),
    "branches": Verb(
        verbs.branches,
        "What stands against the wiki, and how hard it presses.\n\n"
        "What contradicts an entry that much rests on goes into a minority branch and must earn its way there. "
        "`branches show NAME` names its members, `diff NAME` says what would change if it won, and `open NAME` writes "
        "the wiki as it would look then into a new temporary folder.",
        Argument("action", "ACTION", "show NAME, diff NAME, or open NAME.", many=True),
    ),
    "quarantine": Verb(verbs.quarantine, "What waits beside the wiki, and why."),
    "models": Verb(
        verbs.models,
        "Who judges what notes say: what is installed, in use, and what it costs.\n\n"
        "`models use light|semantic[:CROSS-ENCODER]|llm:MODEL` switches, as a run of its own: no page changes, and the "
        "entries that most rests on and the new model contradicts are flagged for `review`.",
        Argument("action", "ACTION", "use NAME.", many=True),
        (DRY_RUN, MAX_CALLS),
    ),
    "remote": Verb(
        verbs.remote,
        "Keep your notes on another machine too: add a git remote, then sync.\n\n"
        "`remote add NAME URL` makes a git remote whose `git fetch` brings the notes as they were given, too. "
        "`remote sync [NAME]` unites the notes here and there, on both sides, and loses none; pages travel by "
        "`git push` and `git pull`.",
        Argument("action", "ACTION", "add NAME URL, or sync [NAME].", True, True),
        (PRIVATE,),
    ),
    "export": Verb(
        verbs.export,
        "Write everything to plain files in a new folder.",
        Argument("directory", "DIR", "A new or empty folder, outside the wiki.", required=True),
        (PRIVATE,),
    ),
    "import": Verb(
        verbs.import_,
        "Make a new wiki from an export: the same pages, notes and record.\n\n"
        "The wiki comes to be in the folder that --wiki names, else in this one; it must be new or empty.",
        Argument("directory", "DIR", "The folder that `companion export` wrote.", required=True),
    ),
    "doctor": Verb(
        verbs.doctor,
        "Check everything, and say of each damage what it is and what helps.\n\n"
        "Without --repair nothing is changed. With it, what can be derived is made again: the index, the journal's "
        "own indexes, ledger files in the work tree, what git and the journal can tell each other. What is replaced "
        "is kept in .git/companion/aside.",
        options=(
            Option(
                "repair", ("--repair",), "Mend what can be derived from the rest.", "flag", False
            ),
        ),
    ),
    "rebuild": Verb(verbs.rebuild, "Build the index anew from git."),
    "demo": Verb(
        verbs.demo,
        "Live through ten weeks of someone's notes in under a minute.",
        options=(
            Option("keep", ("--keep",), "Leave the demo wiki in this folder.", metavar="DIR"),
        ),
    ),
}

_TAKES_VALUE = {
    flag
    for options in (GLOBALS, *(verb.options for verb in VERBS.values()))
    for option in options
    if option.kind != "flag"
    for flag in option.flags
}


class _Unusual(Exception):
    """This command line is for Typer."""


def lift(argv: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Take the global options out of *argv*, wherever they stand before a ``--``.

    Returns their values by name and what is left. One that lacks its value stays, for Typer to
    name.
    """
    values: dict[str, Any] = {option.name: option.default for option in GLOBALS}
    ours = {flag: option for option in GLOBALS for flag in option.flags}
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--":
            return values, [*rest, word, *words]
        flag, glued = _split(word)
        option = ours.get(flag)
        if option is None or (option.kind == "flag" and glued is not None):
            rest.append(word)
            # The value of a verb's own option may look like a global one: `--title --json`.
            rest.extend(_next(words) if word in _TAKES_VALUE else ())
        elif option.kind == "flag":
            values[option.name] = True
        else:
            given = [glued] if glued is not None else _next(words)
            values[option.name] = given[0] if given else values[option.name]
            rest.extend(() if given else (word,))
    return values, rest


def parse(words: Sequence[str]) -> Call | None:
    """Understand a verb and its arguments, or return None where Typer should have its say.

    None is no error: help, completion, a misspelling and every invalid value are Typer's to answer.
    Whatever is understood here, Typer understands in the same way (a test holds the two together).
    """
    verb = VERBS.get(words[0]) if words else None
    if verb is None:
        return None
    try:
        return Call(verb, _arguments(verb, words[1:]))
    except _Unusual:
        return None


def _arguments(verb: Verb, words: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {option.name: option.default for option in verb.options}
    known = {flag: option for option in verb.options for flag in option.flags}
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
    return values | _positional(verb.argument, positional)


def _positional(argument: Argument | None, words: list[str]) -> dict[str, Any]:
    limit = 0 if argument is None else len(words) if argument.many else 1
    if len(words) > limit:
        raise _Unusual
    if argument is None:
        return {}
    if argument.required and not words:
        raise _Unusual
    return {argument.name: words if argument.many else words[0] if words else None}


def _value(option: Option, glued: str | None, rest: Any) -> Any:
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
    if option.kind == "count" and _digits(text) and int(text) >= 1:
        return int(text)
    if option.kind == "share" and all(map(_digits, text.split(".", 1))) and float(text) <= 1:
        return float(text)
    raise _Unusual


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _split(word: str) -> tuple[str, str | None]:
    """Split ``--name=value`` and ``-nvalue`` into flag and value."""
    if word.startswith("--"):
        flag, equals, value = word.partition("=")
        return flag, value if equals else None
    return word[:2], word[2:] or None


def _next(words: Any) -> list[str]:
    """Return the next word in a list of one, or an empty list at the end."""
    return [word for word in (next(words, None),) if word is not None]
