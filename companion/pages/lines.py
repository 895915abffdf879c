"""The lines of a page, and how they end. On the hot path of a search."""

import re


def lines_of(text: str) -> list[str]:
    """Return lines with their endings; only CR and LF end one, unlike `splitlines`."""
    if "\r" not in text:
        *ended, last = text.split("\n")
        lines = [f"{line}\n" for line in ended]
        return [*lines, last] if last else lines
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def eol_of(text: str) -> str:
    """Return the line ending that most of *text*'s lines have, LF where it has none."""
    crlf = text.count("\r\n")
    lf = text.count("\n")
    if crlf * 2 > lf:
        return "\r\n"
    if lf or "\r" not in text:
        return "\n"
    return "\r"
