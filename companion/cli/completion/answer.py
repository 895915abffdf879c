"""Answer a shell: nothing but names on standard output, whatever happens."""

import sys
from collections.abc import Mapping

from companion.cli.completion.candidates import complete
from companion.cli.completion.shells import read_line, write_names
from companion.errors import CompanionError


def answer(shell: str, environment: Mapping[str, str]) -> int | None:
    """Print the names that can stand at the cursor; return the exit code, None for a shell whose
    protocol is Typer's to speak.
    """
    line = read_line(shell, environment)
    if line is None:
        return None
    try:
        names = complete(line)
    # no wiki, or a damaged one: the command itself says so, not the shell's prompt
    except CompanionError:
        names = []
    printed, code = write_names(shell, names, line, environment)
    if printed:
        data = (printed + "\n").encode("utf-8", "replace")
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    return code
