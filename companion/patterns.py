"""Regular expressions that are compiled when they are first used.

Compiling one costs as much as importing a module, and a command uses a few of those that the
modules it loads have.
"""

import re

from companion.annotations import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import AnyStr


class _Pattern:
    """Stands for a regular expression; takes over each method that is asked for."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, method)
        return method


def lazy(text: "AnyStr", flags: int = 0) -> "re.Pattern[AnyStr]":
    """Return the pattern *text*, to be used by its own methods."""
    if TYPE_CHECKING:
        return re.compile(text, flags)
    return _Pattern(text, flags)
