"""Read text from files, folders and streams, one draft at a time.

Whatever cannot be read is a `Refusal` in its place and the rest goes on. Nothing is decoded by
guess and no byte is changed: frontmatter, CRLF and a byte order mark reach the capture as they
stand in the file.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from companion.values.captures import Draft, heading
from companion.values.refusals import MAX_BYTES, Refusal, too_large

TEXT_SUFFIXES = frozenset(
    {".md", ".markdown", ".txt", ".text", ".org", ".rst", ""}
)
_FILE = Draft("", channel="file")
_LINES = Draft("", channel="lines")
_SNIFF = 8192  # bytes in which a NUL says "binary", as git does
_PLAIN = (
    os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
)


class Record(NamedTuple):
    """One line of a JSONL stream: a JSON value, and where it stood."""

    origin: str
    value: object


def read_path(
    path: str, *, defaults: Draft = _FILE
) -> Iterator[Draft | Refusal]:
    """Yield the drafts of a file, or of the text files of a folder in the order of their names.

    A file named here is read whatever its suffix, through links. In a folder, `TEXT_SUFFIXES` are
    read, other files passed over by name (kind `not-text`), hidden folders (`.git`, `.companion`,
    `.obsidian`) never entered, and links not followed: one to a file inside is a `duplicate`, one
    that leads out is refused. What *defaults* says about source and title wins; otherwise the
    source is `source_of` and the title of a text that has no `# Title` is the file's name.
    """
    origin = _shown(path)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        yield _unreadable(origin, error)
        return
    if stat.S_ISDIR(mode):
        yield from _read_folder(path, defaults)
    else:
        yield _read_file(path, source_of(path), defaults, _PLAIN)


def read_lines(
    stream: BinaryIO, *, name: str | None = None, defaults: Draft = _LINES
) -> Iterator[Draft | Refusal]:
    """Yield one draft per line that is not blank, as the lines arrive; *name* is the file's, None
    for stdin.
    """
    source = defaults.source or (source_of(name) if name else None)
    for origin, line in _decoded(stream, name):
        yield (
            line
            if isinstance(line, Refusal)
            else defaults._replace(text=line, source=source, origin=origin)
        )


def read_jsonl(
    stream: BinaryIO, *, name: str | None = None
) -> Iterator[Record | Refusal]:
    """Yield the JSON value of every line that is not blank, as the lines arrive."""
    import json

    hint = "Write one JSON object per line; `jq -c '.[]' FILE` makes lines of an array."
    for origin, line in _decoded(stream, name):
        if isinstance(line, Refusal):
            yield line
            continue
        try:
            yield Record(origin, json.loads(line, parse_constant=_no_constant))
        except json.JSONDecodeError as error:
            yield Refusal(
                origin,
                "json",
                f"not JSON: {error.msg}, character {error.colno}",
                hint,
            )
        # numbers of 5,000 digits, NaN, 100,000 brackets
        except (ValueError, RecursionError):
            yield Refusal(
                origin,
                "json",
                "not JSON that can be read: a number or a nesting is out of range",
                hint,
            )


def source_of(path: str) -> str:
    """Return the name a file is known by as a source: its folder's name and its own.

    Files of an imported folder keep the way from the folder's parent (`notes/2026/a.md`), wherever
    the folder lies and however it was named, so that importing it again, or on another machine,
    tells the same story. In NFC with forward slashes.
    """
    parts = os.path.abspath(path).split(os.sep)
    return _named("/".join(part for part in parts[-2:] if part))


def _read_folder(root: str, defaults: Draft) -> Iterator[Draft | Refusal]:
    top = os.path.basename(os.path.abspath(root))
    real = os.path.realpath(root)
    waiting = [root]
    while waiting:
        path = waiting.pop()
        try:
            mode = os.lstat(path).st_mode if path != root else stat.S_IFDIR
            # Last in, first out: reversed, the names come in order and folders where they belong.
            below = (
                sorted(os.listdir(path), reverse=True)
                if stat.S_ISDIR(mode)
                else []
            )
        except OSError as error:
            yield _unreadable(_shown(path), error)
            continue
        waiting += [
            os.path.join(path, name)
            for name in below
            if not _is_hidden_folder(path, name)
        ]
        if not stat.S_ISDIR(mode):
            source = _named(os.path.join(top, path[len(root) :].lstrip(os.sep)))
            yield _read_member(path, mode, real, source, defaults)


def _is_hidden_folder(path: str, name: str) -> bool:
    return name.startswith(".") and os.path.isdir(os.path.join(path, name))


def _read_member(
    path: str, mode: int, real: str, source: str, defaults: Draft
) -> Draft | Refusal:
    """Read one file of a folder whose real path is *real*."""
    origin, name = _shown(path), os.path.basename(path)
    if stat.S_ISLNK(mode):
        return _refuse_link(path, real, origin)
    suffix = os.path.splitext(name)[1].lower()
    if name.startswith("."):
        return Refusal(
            origin,
            "hidden",
            "a hidden file",
            "Name it on the command line to capture it.",
        )
    if stat.S_ISREG(mode) and suffix not in TEXT_SUFFIXES:
        hint = "If it is text, name it on the command line."
        return Refusal(origin, "not-text", "not a text document yet", hint)
    return _read_file(
        path, source, defaults, _PLAIN | getattr(os, "O_NOFOLLOW", 0)
    )


def _refuse_link(path: str, real: str, origin: str) -> Refusal:
    try:
        target = os.path.realpath(path)
    except OSError as error:  # /proc has links that may not even be looked at
        return _unreadable(origin, error)
    if not os.path.exists(target):
        return Refusal(
            origin, "symlink", "a link that leads nowhere", "Mend or remove it."
        )
    if os.path.commonpath([real, target]) == real:
        return Refusal(
            origin,
            "duplicate",
            "a link into the same folder",
            "It is read where it stands.",
        )
    return Refusal(
        origin,
        "symlink",
        "a link that leads out of the folder",
        "Name its target itself to capture it.",
    )


def _read_file(
    path: str, source: str, defaults: Draft, flags: int
) -> Draft | Refusal:
    origin = _shown(path)
    try:
        content = _content(path, origin, flags)
    except (OSError, ValueError) as error:
        return _unreadable(origin, error)
    text = content if isinstance(content, Refusal) else _text(content, origin)
    if isinstance(text, Refusal):
        return text
    title = defaults.title
    if title is None and heading(text) is None:
        title = _named(os.path.splitext(os.path.basename(path))[0])
    return defaults._replace(
        text=text, title=title, source=defaults.source or source, origin=origin
    )


def _content(path: str, origin: str, flags: int) -> bytes | Refusal:
    """Return the bytes of a regular file of at most `MAX_BYTES`; nothing else is opened."""
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode):
        hint = (
            "Send its output to companion by a pipe: `… | companion ingest -`."
        )
        return Refusal(
            origin, "special-file", f"{_what(status.st_mode)}, not a file", hint
        )
    if status.st_size > MAX_BYTES:
        return too_large(origin)
    # Without blocking, in case a FIFO took the file's place since we looked.
    with os.fdopen(os.open(path, flags), "rb") as file:
        content = file.read(MAX_BYTES + 1)
    return content if len(content) <= MAX_BYTES else too_large(origin)


def _what(mode: int) -> str:
    kinds = (
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISDIR, "a folder"),
    )
    return next((name for test, name in kinds if test(mode)), "a device")


def _text(content: bytes, origin: str) -> str | Refusal:
    if not content:
        return Refusal(origin, "empty", "empty", "Give it some text.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "Re-encode it: `iconv -f UTF-16 -t UTF-8 FILE > NEW`."
        return Refusal(
            origin, "encoding", "UTF-16, not UTF-8: byte offset 0", hint
        )
    if b"\0" in content[:_SNIFF]:
        hint = "companion keeps text: export the document as text or Markdown first."
        return Refusal(
            origin,
            "binary",
            f"a binary file: NUL at byte offset {content.index(0)}",
            hint,
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        return _not_utf8(origin, error)


def _not_utf8(origin: str, error: UnicodeDecodeError) -> Refusal:
    reason = f"not UTF-8: byte 0x{error.object[error.start]:02x} at byte offset {error.start}"
    hint = (
        "Re-encode it, for example `iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW`."
    )
    return Refusal(origin, "encoding", reason, hint)


def _decoded(
    stream: BinaryIO, name: str | None
) -> Iterator[tuple[str, str | Refusal]]:
    """Yield origin and text of every line that is not blank, without its line end."""
    place = _shown(name) if name else "stdin"
    for number, line in enumerate(_bounded(stream), 1):
        origin = f"{place} line {number}"
        if line is None:
            yield origin, too_large(origin)
            continue
        body = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            yield origin, _not_utf8(origin, error)
            continue
        if text and not text.isspace():
            yield origin, text


def _bounded(stream: BinaryIO) -> Iterable[bytes | None]:
    """Yield the lines of *stream* without their ends; None for one over `MAX_BYTES`, which is never
    held in memory.
    """
    while line := stream.readline(MAX_BYTES + 2):
        body = line.removesuffix(b"\n").removesuffix(b"\r")
        if len(body) <= MAX_BYTES:
            yield body
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(2**20)
        yield None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _unreadable(origin: str, error: OSError | ValueError) -> Refusal:
    reason = (
        error.strerror
        if isinstance(error, OSError) and error.strerror
        else "not a path"
    )
    return Refusal(
        origin,
        "unreadable",
        f"cannot be read: {reason}",
        "See that it exists and that you may read it.",
    )


def _named(path: str) -> str:
    """Return *path* fit for a field: NFC, forward slashes, what cannot be shown escaped."""
    shown = _shown(path).replace(os.sep, "/")
    if shown.isascii():
        return shown
    import unicodedata

    return unicodedata.normalize("NFC", shown)


def _shown(path: str) -> str:
    """Return *path* with undecodable bytes and control characters as escapes."""
    if path.isprintable():
        return path
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode()
        for c in shown
    )
