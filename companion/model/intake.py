"""What both doors, the readers and TRIAGE, must agree on: how a refusal looks, and what is too large."""

from typing import NamedTuple

MAX_BYTES = 64 * 2**20  # of UTF-8, one capture; a book has about 1 MiB


class Refusal(NamedTuple):
    """One input that was not taken, why, and what its owner can do (TRI-6). It never quotes the input.

    Kinds: `empty`, `too-large`, `structure` (NUL, lone surrogate), `field`, `secret` (judged by TRIAGE);
    `binary`, `encoding`, `json`, `unreadable`, `special-file`, `symlink` (met by a reader); and
    `not-text`, `hidden`, `duplicate`: files of a walked folder that were passed over, no fault of theirs.
    """

    origin: str  # what to point at: "notes.jsonl line 7"
    kind: str
    reason: str
    hint: str


PASSED_OVER = frozenset({"not-text", "hidden", "duplicate"})


def too_large(origin: str) -> Refusal:
    """Refuse an input of more than `MAX_BYTES`."""
    hint = "Split it, for example with `split -C 60m`, and capture the parts."
    return Refusal(origin, "too-large", f"larger than {MAX_BYTES // 2**20} MiB", hint)


def heading(text: str) -> str | None:
    """Return the title that the first line of *text* carries, `# Title`, or None.

    Only an ATX heading of the first level counts, and only on the very first line (a byte order mark may
    precede it). A heading that could not be a title, over 500 characters or with control characters, does
    not make the text unfit: it is simply no title.
    """
    line = text[:1000].lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    mark = line.lstrip(" ")
    if not mark.startswith(("# ", "#\t")) or len(line) - len(mark) > 3:
        return None
    title = _without_closing(mark[1:].strip(" \t"))
    return title if 0 < len(title) <= 500 and not has_controls(title) else None


def has_controls(text: str) -> bool:
    """Return whether *text* holds a C0, DEL or C1 control, a line or paragraph separator or a lone surrogate."""
    if text.isprintable():
        return False
    return any(c < " " or "\x7f" <= c <= "\x9f" or c in "\u2028\u2029" or "\ud800" <= c <= "\udfff" for c in text)


def _without_closing(title: str) -> str:
    """Drop the closing sequence of an ATX heading: `#`s at the end, after a space or alone."""
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title
