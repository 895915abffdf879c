"""Print results, hints and progress: plain lines in a pipe, drawn ones on a terminal.

Every cold capture and search loads this file, so it loads rich only to draw on a terminal, and json
only to print a document.
"""

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from companion.cli.lines import BIDI, Remark, as_unicode, clean
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.cli.results import (
        Failure,
    )

# In JSON the same characters stay, written as escapes; they can only stand inside strings.
_ESCAPED = {
    code: f"\\u{code:04x}"
    for code in (*range(0x7F, 0xA0), *BIDI, 0x2028, 0x2029)
}

# seconds of work before a progress bar is worth loading rich for
PATIENCE = 0.7


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

    def verbatim(self, text: str) -> None:
        """Print stored text as it is; on a terminal, without what a terminal would obey, and as
        whole lines.
        """
        if _terminal(sys.stdout):
            text = "\n".join(clean(line) for line in text.split("\n"))
            # The shell's next prompt would stand behind the last word.
            text += "" if text.endswith("\n") or not text else "\n"
        _write(sys.stdout, text)

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

    def progress(self, label: str) -> "Progress":
        """Return a counter for long work; it shows on a terminal only."""
        return Progress(label, shown=not self.quiet and _terminal(sys.stderr))

    def flush(self) -> None:
        """Hand everything printed to the system; a full disk or a closed pipe shows here at the
        latest.
        """
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()


class Progress:
    """Counts done items on stderr; loads rich only when the work has lasted a while."""

    def __init__(self, label: str, *, shown: bool) -> None:
        self.label = label
        self.shown = shown
        self.begun = time.monotonic()
        self.done = 0
        self.bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        return self.advance

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def advance(self, done: int) -> None:
        """Show that *done* more items are done."""
        self.done += done
        if not self.shown or time.monotonic() - self.begun < PATIENCE:
            return
        if self.bar is None:
            self.bar = _bar(self.label)
        self.bar.update(self.bar.task_ids[0], completed=self.done)


def _bar(label: str) -> Any:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description} {task.completed:,.0f}"),
        TimeElapsedColumn(),
    )
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(label, total=None)
    bar.start()
    return bar


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


def _terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _width(stream: TextIO) -> int:
    """Return the columns of a terminal; 80 where it does not tell."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def _unicode(stream: TextIO | None) -> bool:
    return stream is None or (stream.encoding or "utf-8").lower() in (
        "utf-8",
        "utf8",
    )


def _write_lines(stream: TextIO | None, lines: Iterable[str]) -> None:
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
    from companion.cli.terminal import draw

    colour = workspace.allows_colour()
    _write(stream, draw(listed, width=width, colour=colour))


def _needs_no_drawing(line: str, width: int) -> bool:
    """Tell whether *line* is plain and fits: then a capture on a terminal need not load rich."""
    columns = len(line) if line.isascii() else 2 * len(line)
    return type(line) is str and columns <= width


def _write(stream: TextIO | None, text: str) -> None:
    # The interpreter starts with no stream where the shell closed the descriptor (`>&-`).
    if stream is None:
        raise OSError(9, "the output is closed")
    if not _unicode(stream):
        text = text.encode(stream.encoding, "replace").decode(stream.encoding)
    stream.write(text)
