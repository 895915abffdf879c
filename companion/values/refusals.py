"""The refusals of the readers and of TRIAGE, and the size that both call too large."""

import re

from companion.errors import CompanionError
from companion.tuples import NamedTuple
from companion.values.captures import has_controls
from companion.values.hashing import sha256

MAX_BYTES = 64 * 2**20  # of UTF-8, one capture; a book has about 1 MiB
LONGEST_AGENT = 200  # characters


class BadName(CompanionError):
    """This is no name of an agent."""

    exit_code = 2
    hint = (
        "Give `--agent` the name that the agent speaks under; "
        "leave it out to speak and read as yourself."
    )


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
    return Refusal(
        origin, "too-large", f"larger than {MAX_BYTES // 2**20} MiB", hint
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
        raise BadName(
            f"`--agent` has {len(name)} characters, more than {LONGEST_AGENT}"
        )
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
