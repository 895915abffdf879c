"""Tell what the arguments of `ingest` are: text, files, folders, or a stream."""

import os
from collections.abc import Iterable, Iterator, Sequence

from companion.annotations import TYPE_CHECKING
from companion.errors import CompanionError
from companion.values.captures import Draft
from companion.values.refusals import MAX_BYTES, Refusal, too_large

if TYPE_CHECKING:
    from typing import BinaryIO

    from companion.operations.triage.parcels import Parcel

Items = Iterator["Draft | Refusal | Parcel"]

_DOCUMENTS = (
    *(
        ".md",
        ".markdown",
        ".mdx",
        ".txt",
        ".text",
        ".rst",
        ".org",
        ".adoc",
        ".log",
    ),
    *(
        ".html",
        ".htm",
        ".xml",
        ".json",
        ".jsonl",
        ".ndjson",
        ".csv",
        ".tsv",
        ".yaml",
        ".yml",
    ),
    *(
        ".pdf",
        ".docx",
        ".pptx",
        ".xlsx",
        ".odt",
        ".rtf",
        ".epub",
        ".eml",
        ".mbox",
        ".ipynb",
    ),
)


class UnclearInput(CompanionError):
    """It is not clear what to capture."""

    exit_code = 2
    hint = 'Write `companion ingest "a thought"`, name a file or folder, or pipe text in.'


class NoSuchFile(CompanionError):
    """There is no such file."""

    exit_code = 2
    hint = "If this is the text itself, pipe it in: `echo TEXT | companion ingest -`."


def drafts(
    args: Sequence[str],
    *,
    lines: bool,
    jsonl: str | None,
    defaults: Draft,
    stdin: "BinaryIO | None",
) -> Items:
    """Return what *args* stand for, one draft per capture-to-be, in the order given.

    An argument that names an existing file or folder is read; an address (``https://…``) is
    fetched, unless it stands among other words; ``-`` is *stdin* (also when there is no argument at
    all and *stdin* is no terminal); one that looks like a path but does not exist raises
    `NoSuchFile`; anything else is text, and bare words are joined: ``buy milk`` is one capture.
    Bare words beside an existing path are ambiguous and raise `UnclearInput`. All of this is
    decided before the first draft is made, so a mistyped last argument captures nothing. *defaults*
    carries what was said of every capture; a field of a JSON line overrides it.
    """
    if defaults.event_time is not None:
        from companion.values.time import find_utc_offset, parse_instant

        defaults = defaults._replace(
            event_time=parse_instant(defaults.event_time),
            utc_offset=find_utc_offset(defaults.event_time),
        )
    if jsonl is not None:
        if args or lines:
            raise UnclearInput(
                "--jsonl names all there is to read",
                hint="Leave the rest of the line out.",
            )
        return _records(
            _opened(jsonl, stdin),
            None if jsonl == "-" else jsonl,
            _through("jsonl", defaults),
        )
    if not args and (stdin is None or stdin.isatty()):
        raise UnclearInput("nothing to capture")
    return _each(_classify(args or ["-"]), lines, defaults, stdin)


def looks_like_a_path(word: str) -> bool:
    """Return whether *word* can hardly be meant as text: it has a separator or a document's
    suffix.
    """
    if not word or any(char.isspace() for char in word) or "://" in word:
        return False
    return os.sep in word or word.lower().endswith(_DOCUMENTS)


def _classify(args: Sequence[str]) -> list[tuple[str, str]]:
    """Return ("stdin" | "path" | "address" | "text", argument) for each argument; bare words become
    one text.

    Raises NoSuchFile and UnclearInput.
    """
    kinds = [(_kind_of(arg), arg) for arg in args]
    texts = [arg for kind, arg in kinds if kind == "text"]
    bare_words = [text for text in texts if _is_bare_word(text)]
    is_sentence = 1 < len(bare_words) == len(args)
    _check_no_file_is_missing(texts, is_sentence=is_sentence)
    if not bare_words:
        return kinds
    if all(map(_is_address, texts)):
        return [_as_address(kind, arg) for kind, arg in kinds]
    if len(texts) < len(args):
        raise UnclearInput(
            f"both text ({bare_words[0]}) and files",
            hint="Quote the text, or capture text and files one by one.",
        )
    return [("text", " ".join(texts))]


def _as_address(kind: str, arg: str) -> tuple[str, str]:
    return ("address" if kind == "text" else kind, arg)


def _check_no_file_is_missing(
    texts: Iterable[str], *, is_sentence: bool
) -> None:
    """Raise NoSuchFile for the first of *texts* that must be meant as a path."""
    for text in texts:
        # Between bare words a slash is punctuation (TCP/IP, and/or) unless the word is a path all
        # over.
        if is_sentence and _is_punctuated(text):
            continue
        if looks_like_a_path(text):
            raise NoSuchFile(f"no such file: {text}")


def _kind_of(arg: str) -> str:
    if arg == "-":
        return "stdin"
    if os.path.lexists(arg):
        return "path"
    return "text"


def _is_address(text: str) -> bool:
    """Tell whether *text* is nothing but the address of a web page."""
    return _is_bare_word(text) and text.lower().startswith(
        ("http://", "https://")
    )


def _is_bare_word(text: str) -> bool:
    return text != "" and not any(char.isspace() for char in text)


def _is_punctuated(word: str) -> bool:
    return (
        not word.lower().endswith(_DOCUMENTS)
        and not word.startswith((".", "~", os.sep))
        and word[-1] != os.sep
    )


def _each(
    kinds: list[tuple[str, str]],
    lines: bool,
    defaults: Draft,
    stdin: "BinaryIO | None",
) -> Items:
    for kind, arg in kinds:
        if lines:
            yield from _lines(kind, arg, _through("lines", defaults), stdin)
        elif kind == "text":
            yield defaults._replace(text=arg)
        elif kind == "address":
            from companion.operations.triage.parcels import make_request

            yield make_request(arg, defaults)
        elif kind == "stdin":
            yield _whole(_opened("-", stdin), _through("stdin", defaults))
        else:
            from companion.operations.triage import readers

            yield from readers.read_path(
                arg, defaults=_through("file", defaults)
            )


def _lines(
    kind: str, arg: str, defaults: Draft, stdin: "BinaryIO | None"
) -> Items:
    from companion.operations.triage import readers

    if kind in ("text", "address"):
        yield from (
            defaults._replace(text=line)
            for line in arg.splitlines()
            if line.strip()
        )
        return
    with _opened(arg, stdin) as stream:
        yield from readers.read_lines(
            stream, name=arg if kind == "path" else None, defaults=defaults
        )


def _records(stream: "BinaryIO", name: str | None, defaults: Draft) -> Items:
    from companion.operations.triage import readers
    from companion.operations.triage.filter import from_record

    with stream:
        for item in readers.read_jsonl(stream, name=name):
            if isinstance(item, Refusal):
                yield item
            else:
                yield from_record(
                    item.value, origin=item.origin, defaults=defaults
                )


def _whole(stream: "BinaryIO", defaults: Draft) -> Draft | Refusal:
    """Return all of standard input as one draft; one too large is not held in memory."""
    content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        return too_large("stdin")
    try:
        return defaults._replace(text=content.decode(), origin="stdin")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte 0x{content[error.start]:02x} at byte offset {error.start}"
        return Refusal(
            "stdin",
            "encoding",
            reason,
            "Re-encode it, for example with `iconv -t UTF-8`.",
        )


def _opened(name: str, stdin: "BinaryIO | None") -> "BinaryIO":
    if name == "-":
        if stdin is None:
            raise UnclearInput("standard input is closed")
        return stdin
    if not os.path.lexists(name):
        raise NoSuchFile(f"no such file: {name}")
    return open(name, "rb")


def _through(channel: str, defaults: Draft) -> Draft:
    """Return *defaults* with the channel that the text came through, unless the person named
    one.
    """
    if defaults.channel != Draft("").channel:
        return defaults
    return defaults._replace(channel=channel)
