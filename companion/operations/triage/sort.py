"""Tell what a file is: a note, a document, or nothing that companion takes.

A plain text up to the size of a long note is a note. Any other file is a `Parcel`: an external
source, whose bytes are kept as they are. Nothing is decoded by guess and no byte is changed.
"""

import os
import re
import stat

from companion.operations.triage import media_types
from companion.operations.triage.parcels import (
    OPEN,
    NotAFile,
    Parcel,
    name_path,
    open_parcel,
    show_path,
)
from companion.sources.transcripts import is_transcript
from companion.values.captures import Draft, heading
from companion.values.refusals import Refusal

TEXT_SUFFIXES = frozenset(
    {".md", ".markdown", ".txt", ".text", ".org", ".rst", ""}
)
LONGEST_NOTE = 256 * 2**10  # bytes; a longer text is a document
_SNIFF = 8192  # bytes in which a NUL says "binary", as git does
# what a web clipper writes above the text that it saved
_CLIPPED = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?:(?!---)[^\n]*\n){0,60}?"
    r"(?:source|url):[ \t]*[\"']?https?://",
    re.IGNORECASE,
)


def sort_file(
    path: str, source: str, defaults: Draft, flags: int
) -> Draft | Parcel | Refusal:
    """Return what the file *path* is; *flags* tell whether a walk met it or somebody named it."""
    origin = show_path(path)
    parcel = Parcel(
        origin=origin,
        name=name_path(os.path.basename(path)),
        source=defaults.source or source,
        media_type="",
        path=path,
        flags=flags,
        agent=defaults.agent,
        scope=defaults.scope,
    )
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            return _refuse_special(origin, status.st_mode)
        return _sort(parcel, status, defaults)
    except (OSError, ValueError) as error:
        return refuse_unreadable(origin, error)
    except NotAFile:
        return _refuse_special(origin, os.stat(path).st_mode)


def _sort(
    parcel: Parcel, status: os.stat_result, defaults: Draft
) -> Draft | Parcel | Refusal:
    """Tell a note from a document, and from what nobody reads."""
    with open_parcel(parcel) as file:
        head = file.read(_SNIFF)
        media_type = media_types.tell_media_type(head, parcel.name)
        parcel = parcel._replace(
            media_type=media_type, modified_at=_time_of(status.st_mtime)
        )
        if _may_be_note(parcel):
            if status.st_size <= LONGEST_NOTE:
                content = head + file.read(LONGEST_NOTE + 1)
                return _read_note(parcel, content, defaults)
            if not media_types.looks_like_text(head):
                # the reason why it is no text
                content = head + file.read(LONGEST_NOTE)
                refusal = _text(content, parcel.origin)
                if isinstance(refusal, Refusal):
                    return refusal
            return _limit(parcel, status.st_size)
    return _sort_other(parcel, status.st_size)


def _may_be_note(parcel: Parcel) -> bool:
    """Tell whether the name is a note's, and the bytes are no other kind of file's."""
    suffix = os.path.splitext(parcel.name)[1].lower()
    if suffix not in TEXT_SUFFIXES:
        return False
    expected = media_types.READ.get(suffix, media_types.PLAIN)
    return parcel.media_type in (expected, media_types.BINARY)


def _read_note(
    parcel: Parcel, content: bytes, defaults: Draft
) -> Draft | Parcel | Refusal:
    text = _text(content, parcel.origin)
    if isinstance(text, Refusal):
        return text
    if parcel.media_type == media_types.MARKDOWN and _CLIPPED.match(text):
        return parcel
    # others speak in a chat: its words are not the owner's
    if is_transcript(text, parcel.name):
        return parcel
    title = defaults.title
    if title is None and heading(text) is None:
        title = name_path(os.path.splitext(os.path.basename(parcel.path))[0])
    return defaults._replace(
        text=text, title=title, source=parcel.source, origin=parcel.origin
    )


def _sort_other(parcel: Parcel, size: int) -> Parcel | Refusal:
    """Return a file that is no note, or why it is not taken."""
    is_named = parcel.flags == OPEN
    is_wanted = media_types.is_wanted(parcel.media_type, parcel.name)
    if size == 0 and (is_named or is_wanted):
        return Refusal(parcel.origin, "empty", "empty", "Give it some text.")
    if is_wanted:
        return _limit(parcel, size)
    kind = media_types.name_kind(parcel.media_type)
    if not is_named:
        hint = "Name it on the command line to keep it."
        return Refusal(parcel.origin, "not-text", kind, hint)
    if media_types.is_keepsake(parcel.media_type):
        return _limit(parcel, size)
    hint = "companion keeps texts, documents and pictures: unpack or export it first."
    return Refusal(parcel.origin, "binary", f"no reader reads {kind}", hint)


def _limit(parcel: Parcel, size: int) -> Parcel | Refusal:
    """Refuse a document that is too large, unread; what may be a container has no limit."""
    is_container = media_types.may_be_split(parcel.media_type)
    limit = media_types.limit_of(parcel.media_type)
    if is_container or size <= limit:
        return parcel
    return media_types.refuse_large(parcel.origin, limit)


def _time_of(seconds: float) -> str | None:
    """Return the time of a file; None where its clock was nonsense."""
    from datetime import datetime, timezone

    from companion.values.time import format_instant

    try:
        return format_instant(
            datetime.fromtimestamp(seconds, timezone.utc)  # noqa: UP017
        )
    except (OverflowError, ValueError, OSError):
        return None


def _refuse_special(origin: str, mode: int) -> Refusal:
    hint = "Send its output to companion by a pipe: `… | companion ingest -`."
    return Refusal(origin, "special-file", f"{_what(mode)}, not a file", hint)


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
        return refuse_encoding(origin, error)


def refuse_encoding(origin: str, error: UnicodeDecodeError) -> Refusal:
    reason = f"not UTF-8: byte 0x{error.object[error.start]:02x} at byte offset {error.start}"
    hint = (
        "Re-encode it, for example `iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW`."
    )
    return Refusal(origin, "encoding", reason, hint)


def refuse_unreadable(origin: str, error: OSError | ValueError) -> Refusal:
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
