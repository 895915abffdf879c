"""The base of every error, and the errors that any command may end with."""

INTERRUPTED = 130  # 128 + SIGINT, as shells expect

#: errors of reading JSON that somebody else wrote: no JSON, or of another shape
MALFORMED = (
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    RecursionError,
    OverflowError,  # of a number without an end, which JSON knows as 1e999
)


class CompanionError(Exception):
    """Something went wrong that the person can do something about.

    A subclass lives beside the code that raises it and knows its exit code and its hint; the class
    docstring is the default message. Messages are printed after "error: ", so they begin in lower
    case and end without a full stop; hints are sentences. Exit codes
    (docs/reference/exit-codes.md): 1 nothing found, 2 usage, 10 no wiki, 11 unsuitable repository,
    65 bad data or a secret, 69 model unavailable, 74 I/O, 75 try later.
    """

    exit_code = 70
    hint = ""
    #: what a name may mean, where it means several things: a terminal asks which
    choices: tuple[str, ...] = ()
    named = ""  # that name

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message or _default_message(type(self)))
        if hint:
            self.hint = hint

    @property
    def kind(self) -> str:
        """The stable name of this error in `--json` output, e.g. ``not-a-wiki``."""
        kind = ""
        for letter in type(self).__name__:
            if letter.isupper():
                kind += "-"
            kind += letter.lower()
        return kind.lstrip("-")


def _default_message(error: type[CompanionError]) -> str:
    """Return the first line of the class docstring as a message, else the name of the class."""
    doc = (error.__doc__ or "").strip()
    if not doc:
        return error.__name__
    message = doc.splitlines()[0].removesuffix(".")
    if message[:2].isupper():
        # the name of a variable, as COMPANION_NOW
        return message
    return message[0].lower() + message[1:]


class BadInput(CompanionError):
    """This input cannot be taken."""

    exit_code = 65


class InputOutput(CompanionError):
    """The system could not read or write."""

    exit_code = 74
    hint = (
        "Check the disk (is it full?) and the folder's permissions, "
        "then run the same command again."
    )


class DatabaseTrouble(CompanionError):
    """A database of companion cannot be used."""

    exit_code = 74
    hint = (
        "`companion doctor` says what is wrong; "
        "git holds what happened, `companion rebuild` makes the rest again."
    )


class TryLater(CompanionError):
    """This needs more room or time than there is now."""

    exit_code = 75
    hint = "Try again in a moment."


class Interrupted(CompanionError):
    """Interrupted."""

    exit_code = INTERRUPTED


class Unexpected(CompanionError):
    """Something went wrong that companion did not expect."""

    exit_code = 70
    hint = "Please report it, with the output under COMPANION_DEBUG=1."
