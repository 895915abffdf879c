"""Print results, hints and progress: plain lines in a pipe, drawn ones on a terminal.

Every cold capture and search loads this file, so it loads rich only to draw on a terminal, and json
only to print a document.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

from companion.annotations import TYPE_CHECKING, Any
from companion.cli.lines import BIDI, Remark, as_unicode, clean
from companion.errors import CompanionError

if TYPE_CHECKING:
    from typing import IO, TextIO

    from companion.cli.results import (
        Failure,
    )
    from companion.cli.screen.progress import TerminalProgress
    from companion.cli.screen.side_by_side import Panel

# In JSON the same characters stay, written as escapes; they can only stand inside strings.
_ESCAPED = {
    code: f"\\u{code:04x}"
    for code in (*range(0x7F, 0xA0), *BIDI, 0x2028, 0x2029)
}


class Ui:
    """The global options of this call, and the two streams."""

    def __init__(
        self,
        *,
        wiki: str | None = None,
        json: bool = False,
        quiet: bool = False,
    ) -> None:
        self.wiki = wiki
        self.json = json
        self.quiet = quiet

    def result(self, doc: Mapping[str, Any], lines: Iterable[str]) -> None:
        """Print *doc* as the one JSON document, or the *lines* that say the same to a person."""
        if self.json:
            self.document(doc)
            return
        _write_lines(sys.stdout, lines)
        self.warn(doc)

    def document(
        self, doc: Mapping[str, Any], *, indent: int | None = 2
    ) -> None:
        """Print one JSON document."""
        _write(
            sys.stdout,
            dumps(doc, indent=indent, ascii_only=not _unicode(sys.stdout))
            + "\n",
        )

    def line(self, line: str) -> None:
        """Print one line of a result."""
        _write_lines(sys.stdout, [line])

    def panels(self, panels: "Sequence[Panel]") -> None:
        """Draw texts beside each other; only for a terminal."""
        from companion import workspace
        from companion.cli.screen.side_by_side import draw_panels

        width = _width(sys.stdout)
        colour = workspace.allows_colour()
        _write(sys.stdout, draw_panels(panels, width=width, colour=colour))

    def verbatim(self, text: str) -> None:
        """Print stored text as it is; on a terminal, without what a terminal would obey, and as
        whole lines.
        """
        if _terminal(sys.stdout):
            text = "\n".join(clean(line) for line in text.split("\n"))
            # The shell's next prompt would stand behind the last word.
            text += "" if text.endswith("\n") or not text else "\n"
        _write(sys.stdout, text)

    def copy(self, file: "IO[bytes]") -> None:
        """Print the bytes of *file* as they are."""
        self.flush()
        while chunk := file.read(1 << 20):
            sys.stdout.buffer.write(chunk)
        self.flush()

    def hint(self, text: str) -> None:
        """Say what to do next, on stderr; never in JSON, which says it in its own fields."""
        if not self.quiet:
            self._aside("hint", text)

    def hint_dry_run(self) -> None:
        """Say that this call only showed what would happen."""
        self.hint("Dry run: nothing was changed.")

    def hint_unrecorded(self, trouble: str | None) -> None:
        """Say what kept this read from being recorded, where something did."""
        if trouble is not None:
            self.hint(f"This read was not recorded: {trouble}")

    def warn(self, doc: Mapping[str, Any]) -> None:
        """Say on stderr what limits the answer in *doc*, also when only results are asked for."""
        self._aside("warning", doc.get("warning") or "")

    def _aside(self, kind: str, text: str) -> None:
        if text and not self.json:
            # Where both streams go to one file or pipe, the result belongs before what is said
            # about it.
            self.flush()
            _write_lines(sys.stderr, [Remark(f"{kind}: {text}")])

    def complain(self, error: CompanionError) -> None:
        """Print an error: on stderr, or as the one document on stdout."""
        if self.json:
            self.document({"error": failure(error)})
            return
        lines = [Remark(f"error: {error}")]
        if error.hint:
            lines.append(Remark(f"hint: {error.hint}"))
        _write_lines(sys.stderr, lines)

    def progress(self, label: str) -> "TerminalProgress | Unseen":
        """Return what shows the steps and counts of long work; on a terminal only."""
        if self.quiet or not _terminal(sys.stderr):
            return Unseen()
        from companion.cli.screen.progress import TerminalProgress

        return TerminalProgress(label)

    def flush(self) -> None:
        """Hand everything printed to the system; a full disk or a closed pipe shows here at the
        latest.
        """
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()


class Unseen:
    """Shows no progress: nobody looks at a pipe."""

    __slots__ = ()

    def __enter__(self) -> "Unseen":
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def begin(self, step: str, total: int | None = None) -> None:
        """Show nothing."""

    def __call__(self, done: int, /) -> None:
        """Show nothing."""


def dumps(
    doc: object, *, indent: int | None = 2, ascii_only: bool = False
) -> str:
    """Return *doc* as JSON text: readable Unicode, control characters escaped, always valid
    UTF-8.
    """
    import json

    whole = as_unicode(
        json.dumps(doc, ensure_ascii=False, indent=indent)
    ).translate(_ESCAPED)
    return json.dumps(json.loads(whole), indent=indent) if ascii_only else whole


def failure(error: CompanionError) -> "Failure":
    """Return what `--json` says of *error*."""
    return {
        "kind": error.kind,
        "message": str(error),
        "hint": error.hint,
        "exit_code": error.exit_code,
    }


def _terminal(stream: "TextIO | None") -> bool:
    return stream is not None and stream.isatty()


def _width(stream: "TextIO") -> int:
    """Return the columns of a terminal; 80 where it does not tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def _unicode(stream: "TextIO | None") -> bool:
    return stream is None or (stream.encoding or "utf-8").lower() in (
        "utf-8",
        "utf8",
    )


def _write_lines(stream: "TextIO | None", lines: Iterable[str]) -> None:
    if stream is None or not _terminal(stream):
        # A pipe gets each line as soon as it is known, and never wrapped: so `grep` works.
        for line in lines:
            _write(stream, clean(line) + "\n")
        return
    listed = list(lines)
    width = _width(stream)
    if all(_needs_no_drawing(line, width) for line in listed):
        _write(stream, "".join(clean(line) + "\n" for line in listed))
        return
    from companion import workspace
    from companion.cli.screen.terminal import draw

    colour = workspace.allows_colour()
    _write(stream, draw(listed, width=width, colour=colour))


def _needs_no_drawing(line: str, width: int) -> bool:
    """Tell whether *line* is plain and fits: then a capture on a terminal need not load rich."""
    columns = len(line) if line.isascii() else 2 * len(line)
    return type(line) is str and columns <= width


def _write(stream: "TextIO | None", text: str) -> None:
    # The interpreter starts with no stream where the shell closed the descriptor (`>&-`).
    if stream is None:
        raise OSError(9, "the output is closed")
    if not _unicode(stream):
        text = text.encode(stream.encoding, "replace").decode(stream.encoding)
    stream.write(text)
