"""Read notes from files, folders and streams, one draft at a time.

What is no note comes as a `Parcel`. Whatever cannot be read is a `Refusal` in its place and the
rest goes on. Nothing is decoded by guess and no byte is changed: frontmatter, CRLF and a byte order
mark reach the capture as they stand in the file.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from companion.operations.triage.parcels import (
    OPEN,
    OPEN_MEMBER,
    Parcel,
    name_path,
    show_path,
)
from companion.operations.triage.sort import (
    refuse_encoding,
    refuse_unreadable,
    sort_file,
)
from companion.values.captures import Draft
from companion.values.refusals import MAX_BYTES, Refusal, too_large

_FILE = Draft("", channel="file")
_LINES = Draft("", channel="lines")


class Record(NamedTuple):
    """One line of a JSONL stream: a JSON value, and where it stood."""

    origin: str
    value: object


def read_path(
    path: str, *, defaults: Draft = _FILE
) -> Iterator[Draft | Parcel | Refusal]:
    """Yield what a file is, or the files of a folder in the order of their names.

    A file named here is taken whatever its suffix, through links. In a folder, notes and documents
    that a reader may read are taken, other files passed over by name (kind `not-text`), hidden
    folders (`.git`, `.companion`, `.obsidian`) never entered, and links not followed: one to a file
    inside is a `duplicate`, one that leads out is refused. What *defaults* says about source and
    title wins; otherwise the source is `source_of` and the title of a text that has no `# Title` is
    the file's name.
    """
    origin = show_path(path)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        yield refuse_unreadable(origin, error)
        return
    if stat.S_ISDIR(mode):
        yield from _read_folder(path, defaults)
    else:
        yield sort_file(path, source_of(path), defaults, OPEN)


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
    return name_path("/".join(part for part in parts[-2:] if part))


def _read_folder(
    root: str, defaults: Draft
) -> Iterator[Draft | Parcel | Refusal]:
    top = os.path.basename(os.path.abspath(root))
    real = os.path.realpath(root)
    from companion.sources.vaults import Vaults

    vaults = Vaults()
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
            yield refuse_unreadable(show_path(path), error)
            continue
        vaults.enter(path, below)
        waiting += [
            os.path.join(path, name)
            for name in below
            if not _is_hidden_folder(path, name)
        ]
        if not stat.S_ISDIR(mode):
            inside = name_path(path[len(root) :].lstrip(os.sep))
            source = name_path(top) + "/" + inside
            member = _read_member(path, mode, real, source, defaults)
            if isinstance(member, Draft):
                member = vaults.describe(member, path, defaults)
            yield member


def _is_hidden_folder(path: str, name: str) -> bool:
    return name.startswith(".") and os.path.isdir(os.path.join(path, name))


def _read_member(
    path: str, mode: int, real: str, source: str, defaults: Draft
) -> Draft | Parcel | Refusal:
    """Read one file of a folder whose real path is *real*."""
    origin, name = show_path(path), os.path.basename(path)
    if stat.S_ISLNK(mode):
        return _refuse_link(path, real, origin)
    if name.startswith("."):
        return Refusal(
            origin,
            "hidden",
            "a hidden file",
            "Name it on the command line to capture it.",
        )
    return sort_file(path, source, defaults, OPEN_MEMBER)


def _refuse_link(path: str, real: str, origin: str) -> Refusal:
    try:
        target = os.path.realpath(path)
    except OSError as error:  # /proc has links that may not even be looked at
        return refuse_unreadable(origin, error)
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


def _decoded(
    stream: BinaryIO, name: str | None
) -> Iterator[tuple[str, str | Refusal]]:
    """Yield origin and text of every line that is not blank, without its line end."""
    place = show_path(name) if name else "stdin"
    for number, line in enumerate(_bounded(stream), 1):
        origin = f"{place} line {number}"
        if line is None:
            yield origin, too_large(origin)
            continue
        body = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        try:
            text = body.decode()
        except UnicodeDecodeError as error:
            yield origin, refuse_encoding(origin, error)
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
