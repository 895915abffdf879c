"""Run the command that a command line names, and turn errors into exit codes."""

import gc
import os
import sys
from collections.abc import Callable, Sequence

from companion import __version__
from companion.cli import commands
from companion.cli.errors import known_error, no_such_command
from companion.cli.fast_lane import Call, lift, parse, part_minus_words
from companion.cli.output import Ui
from companion.cli.spec import Arguments, Verb
from companion.errors import CompanionError, Unexpected

PIPE_CLOSED = 141  # 128 + SIGPIPE
# objects that are made before Python looks for circles: what a command makes mostly stays, and an
# index of many pages is looked through in vain
_OBJECTS = 100_000


def run(argv: Sequence[str] | None = None) -> int:
    """Do what `companion.__main__.main` says."""
    is_program = argv is None
    if argv is None:
        argv = sys.argv[1:]
    if is_program and not argv:
        code = _complete()
        if code is not None:
            return code
    options, words = lift(argv)
    ui = Ui(wiki=options["wiki"], json=options["json"], quiet=options["quiet"])
    words = _complete_words(words, options)
    call = parse(words)
    is_hot = is_program and _is_hot(call)
    if is_program:
        gc.set_threshold(_OBJECTS)

    def work() -> int:
        """Print the version, or run the command."""
        if options["version"]:
            return _version(ui)
        return _run(ui, call, words)

    code = _guarded(ui, work)
    if is_hot:
        # Everything promised is on disk by now. Tearing the interpreter down would cost a capture a
        # third of its time, and closing SQLite would checkpoint the WAL, which only a night may do.
        os._exit(code)
    return code


def _complete_words(words: list[str], options: Arguments) -> list[str]:
    """Return the words as a command understands them: `help VERB` asks for help, no word at all
    for the morning.
    """
    if not words and _wants_morning(options):
        words = ["morning"]
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    return part_minus_words(words)


def _is_hot(call: Call | None) -> bool:
    return call is not None and call.verb.spec.hot


def _complete() -> int | None:
    """Answer a shell that asks how the line goes on; None where none does."""
    from companion import workspace

    asked = workspace.find_completion()
    if asked is None:
        return None
    from companion.cli.completion.answer import answer

    return answer(*asked)


def _wants_morning(options: Arguments) -> bool:
    """Tell whether a call without a command is one for the morning: in a wiki, or for one."""
    if options["version"]:
        return False
    from companion import workspace

    return not workspace.is_completing() and workspace.is_wiki_meant(
        options["wiki"]
    )


def _run(ui: Ui, call: Call | None, words: Sequence[str]) -> int:
    if call is None and words and _is_unknown(words[0]):
        raise no_such_command(words[0], commands.NAMES)
    verb = _find_helped(words) if call is None else None
    if verb is not None:
        return _help(ui, verb)
    if call is None:
        from companion.cli import typer_app

        call = typer_app.understand(ui, words)
    if call is None:
        return 0
    try:
        return call.verb.run(ui, **call.arguments)
    except CompanionError as error:
        chosen = _ask_which(ui, call, error)
        if chosen is None:
            raise
        return call.verb.run(ui, **chosen)


def _find_helped(words: Sequence[str]) -> Verb | None:
    """Return the command whose help *words* ask for, and nothing else; None where they do not."""
    if len(words) != 2 or words[1] not in ("-h", "--help"):
        return None
    return commands.load(words[0])


def _help(ui: Ui, verb: Verb) -> int:
    """Print the help of *verb*."""
    import shutil

    from companion.cli.calls.help import describe_command

    text = describe_command(verb, shutil.get_terminal_size().columns) + "\n"
    if ui.json:
        ui.document({"help": text})
    else:
        ui.verbatim(text)
    return 0


def _is_unknown(word: str) -> bool:
    """Tell whether *word* stands for a command and is none; options are Typer's to read."""
    return not word.startswith("-") and word not in commands.NAMES


def _ask_which(ui: Ui, call: Call, error: CompanionError) -> Arguments | None:
    """Return the arguments of *call* with what the person chose of several; None where nothing is
    to choose.
    """
    if not error.choices:
        return None
    from companion.cli.screen.choose import choose_meaning

    return choose_meaning(ui, call.arguments, error)


def _version(ui: Ui) -> int:
    if ui.json:
        ui.document({"version": __version__})
    else:
        ui.line(f"companion {__version__}")
    return 0


def _guarded(ui: Ui, work: Callable[[], int]) -> int:
    """Run *work* and print its output; an error becomes a message and an exit code."""
    try:
        try:
            return work()
        finally:
            ui.flush()
    except BrokenPipeError:
        return _silence()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - nobody else would report it
        return _report(ui, error)


def _report(ui: Ui, error: BaseException) -> int:
    known = known_error(error)
    try:
        ui.complain(known)
        if isinstance(known, Unexpected):
            _trace(error)
        ui.flush()
    except OSError:
        # Nowhere left to say it (a full disk, a closed stream): the exit code is all that remains.
        _silence()
    return known.exit_code


def _trace(error: BaseException) -> None:
    from companion import workspace

    if workspace.is_debugging():
        import traceback

        traceback.print_exception(error)


def _silence() -> int:
    """Send what is left of the output nowhere: the reader of our pipe has gone, as `head` does."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
    return PIPE_CLOSED
