"""companion: a local-first, git-backed memory for one person and their assistants."""

__version__ = "0.1.0"


class CompanionError(Exception):
    """Something went wrong that the person can do something about.

    A subclass lives beside the code that raises it and knows its exit code and its hint; the class
    docstring is the default message. Exit codes (CONTRIBUTING.md): 1 nothing found, 2 usage, 10 no
    wiki, 11 unsuitable repository, 65 bad data or a secret, 69 model unavailable, 74 I/O, 75 try
    later.
    """

    exit_code = 70
    hint = ""

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        doc = (type(self).__doc__ or "").strip().splitlines()
        super().__init__(message or (doc[0] if doc else type(self).__name__))
        if hint:
            self.hint = hint

    @property
    def kind(self) -> str:
        """The stable name of this error in `--json` output, e.g. ``not-a-wiki``."""
        name = type(self).__name__
        return "".join("-" + c.lower() if c.isupper() else c for c in name).lstrip("-")


class BadInput(CompanionError):
    """This input cannot be taken."""

    exit_code = 65
