"""One command is one file: `SPEC` says how it is called, `run` does it, `text` says what a person
reads.

A cold start loads the one file of the command that was called; help and the reference load all.
"""

from companion.cli.spec import Verb

#: the commands of every day, which the help describes
EVERY_DAY = (
    "add",
    "today",
    "search",
    "ask",
    "list",
    "show",
    "edit",
    "links",
    "undo",
)
#: the others by subject, which the help only names
OTHERS = {
    "Bring in": "init demo ingest adopt triage sources import feedback",
    "Look": "web status review open log why claims report examine",
    "Keep": "drop pin unpin myself recall restore rename erase doctor",
    "Nights": "sleep morning schedule contextualize consolidate decay audit settle"
    " branches quarantine models rebuild",
    "Elsewhere": "remote federation fleet export agent context mcp uninstall",
}
#: every command, in the order of the help; each has a file of its name, see `file_of`
NAMES = (*EVERY_DAY, *" ".join(OTHERS.values()).split())


def load(name: str) -> Verb | None:
    """Return the command called *name*, None where there is none."""
    if name not in NAMES:
        return None
    module = __import__(f"{__name__}.{file_of(name)}", fromlist=("SPEC", "run"))
    return Verb(name, module.SPEC, module.run)


def load_all() -> dict[str, Verb]:
    """Return every command by its name, in the order of the help."""
    return {name: verb for name in NAMES if (verb := load(name)) is not None}


def file_of(name: str) -> str:
    """Return the name of a command's file: some are words of Python."""
    return f"{name}_" if name in ("import", "list", "open") else name
