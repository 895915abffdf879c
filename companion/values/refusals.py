"""What both doors, the readers and TRIAGE, must agree on: how a refusal looks, and what is too
large.
"""

import re
from typing import NamedTuple

from companion.errors import CompanionError
from companion.values.captures import Capture, Sighting
from companion.values.hashing import sha256

MAX_BYTES = 64 * 2**20  # of UTF-8, one capture; a book has about 1 MiB
LONGEST_AGENT = 200  # characters


class BadName(CompanionError):
    """This is no name of an agent."""

    exit_code = 2
    hint = "Give `--agent` the name that the agent speaks under; leave it out to speak and read as yourself."


class Refusal(NamedTuple):
    """One input that was not taken, why, and what its owner can do (TRI-6). It never quotes the
    input.

    Kinds: `empty`, `too-large`, `structure` (NUL, lone surrogate), `field`, `secret` (judged by
    TRIAGE); `binary`, `encoding`, `json`, `unreadable`, `special-file`, `symlink` (met by a
    reader); and `not-text`, `hidden`, `duplicate`: files of a walked folder that were passed over,
    no fault of theirs.
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

    Only an ATX heading of the first level counts, and only on the very first line (a byte order
    mark may precede it). A heading that could not be a title, over 500 characters or with control
    characters, does not make the text unfit: it is simply no title.
    """
    line = text[:1000].lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    mark = line.lstrip(" ")
    if not mark.startswith(("# ", "#\t")) or len(line) - len(mark) > 3:
        return None
    title = _without_closing(mark[1:].strip(" \t"))
    return title if 0 < len(title) <= 500 and not has_controls(title) else None


def as_told(capture: Capture, first: Sighting) -> Capture:
    """Return *capture* as those know it who heard of it by *first*: what was said about it before
    is not theirs.

    A title, a channel or a priority given in private must not reach the shared buffer, the wiki or
    another agent with a later, shared telling of the same words.
    """
    if first.seen_at == capture.ingested_at:
        return capture
    title = heading(capture.content.decode())
    return capture._replace(
        ingested_at=first.seen_at, channel=first.channel, priority=0.5, title=title
    )


def plain_name(said: str) -> str:
    """Return a name of an agent as it is compared: two that look alike are one, whatever keyboard
    typed them.
    """
    said = said.strip()
    if said.isascii():
        return said
    from unicodedata import normalize

    return normalize("NFC", said)


def agent(said: str) -> str:
    """Return the name of the agent that reads or answers. Raises BadName: an empty one must not
    read as the person.
    """
    name = plain_name(said)
    if not name:
        raise BadName("`--agent` is empty")
    if len(name) > LONGEST_AGENT:
        raise BadName(f"`--agent` has {len(name)} characters, more than {LONGEST_AGENT}")
    if has_controls(name):
        raise BadName("`--agent` has control characters")
    return name


def private_name(agent: str) -> str:
    """Return the last part of the ref that holds what *agent* told in private.

    Two agents must never share one, also where file names have no case; and git has its own rules
    for names.
    """
    if re.fullmatch("[a-z0-9][a-z0-9_-]{0,60}", agent):
        return agent
    digest = sha256()
    digest.update(agent.encode())
    plain = re.sub("[^a-z0-9_]+", "-", agent.lower()).strip("-")[:40]
    return f"{plain or 'agent'}-{digest.hexdigest()[:12]}"


def has_controls(text: str) -> bool:
    """Return whether *text* holds a C0, DEL or C1 control, a line or paragraph separator or a lone
    surrogate.
    """
    if text.isprintable():
        return False
    return any(
        c < " " or "\x7f" <= c <= "\x9f" or c in "\u2028\u2029" or "\ud800" <= c <= "\udfff"
        for c in text
    )


def _without_closing(title: str) -> str:
    """Drop the closing sequence of an ATX heading: `#`s at the end, after a space or alone."""
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title
