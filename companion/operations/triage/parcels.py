"""A file or an answer of the web that is no note, on its way to becoming an original."""

import os
import stat
from typing import BinaryIO, Literal, NamedTuple

from companion.errors import InputOutput
from companion.values.captures import Draft

#: how a file is opened that somebody else may exchange meanwhile: a FIFO must not block
OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
#: … and one that a walk met, which is no link
OPEN_MEMBER = OPEN | getattr(os, "O_NOFOLLOW", 0)


class NotAFile(InputOutput):
    """It is no file any more."""


class Answer(NamedTuple):
    """A server's words beside the bytes: address, status and headers."""

    url: str  # where the bytes came from, after all redirects
    status: int
    charset: str | None = None
    etag: str | None = None
    last_modified: str | None = None


class Parcel(NamedTuple):
    """One arrival at the door: its bytes lie in a file, or in *content*."""

    origin: str  # what to point at: the path as it was named
    name: str
    source: str
    media_type: str
    path: str = (
        ""  # "": an address that is to be fetched, unless there is *content*
    )
    content: bytes | None = None
    flags: int = OPEN
    agent: str | None = None
    scope: Literal["shared", "private"] = "shared"
    modified_at: str | None = None  # RFC 3339 UTC with microseconds
    utc_offset: int | None = None
    answer: Answer | None = None


def make_request(url: str, defaults: Draft) -> Parcel:
    """Return the parcel of an address that is to be fetched."""
    return Parcel(
        origin=show_path(url),
        name="",
        source=defaults.source or "",
        media_type="",
        agent=defaults.agent,
        scope=defaults.scope,
    )


def open_parcel(parcel: Parcel) -> BinaryIO:
    """Open the file of *parcel*, and nothing but a regular file. Raises NotAFile or OSError."""
    file = os.fdopen(os.open(parcel.path, parcel.flags), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise NotAFile(f"{parcel.origin} is no file any more")


def name_path(path: str) -> str:
    """Return *path* fit for a field: NFC, forward slashes, what cannot be shown escaped."""
    shown = show_path(path).replace(os.sep, "/")
    if shown.isascii():
        return shown
    import unicodedata

    return unicodedata.normalize("NFC", shown)


def show_path(path: str) -> str:
    """Return *path* with undecodable bytes and control characters as escapes."""
    if path.isprintable():
        return path
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode()
        for c in shown
    )
