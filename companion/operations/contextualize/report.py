"""Describe a pass over the originals: for `--json`, and for git."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.operations.contextualize.events import describe_reason
from companion.operations.contextualize.hand_over import Handed
from companion.operations.contextualize.identify import Identified
from companion.operations.contextualize.read_items import (
    SecretFound,
    UnreadItem,
)
from companion.operations.contextualize.refit import Look
from companion.operations.contextualize.represent import Fitted
from companion.values.events import PASSED_OVER
from companion.values.wording import many

if TYPE_CHECKING:
    from companion.operations.contextualize.results import (
        ContextualizedSource,
        LockedSource,
        UnreadSource,
    )

# sources that a commit message names; the ledger file in it has them all
_LISTED = 20


def describe_source(
    one: Identified, fit: Fitted, handed: Sequence[Handed]
) -> "ContextualizedSource":
    """Return what was done with a source."""
    read, representation = one.read, fit.representation
    return {
        "entry": one.entry,
        "source": one.key,
        "original": read.item.id,
        "title": representation.title,
        "kind": one.kind,
        "media_type": read.item.media_type,
        "reader": read.reader,
        "depth": fit.depth.step,
        "evidence": list(fit.depth.evidence),
        "sentences": representation.sentences,
        "kept": representation.kept,
        "dropped": dict(representation.dropped),
        "handed": len(handed),
        "again": one.before is not None,
        "reason": describe_reason(fit),
        "warnings": list(read.document.warnings),
    }


def describe_unread(one: UnreadItem) -> "UnreadSource":
    """Return why an original could not be read, and what to do."""
    return {
        "original": one.item.id,
        "origin": one.item.source,
        "code": one.code,
        "reason": one.reason,
        "hint": one.hint,
    }


def describe_locked(one: SecretFound) -> "LockedSource":
    """Return which secrets keep an original back."""
    return {
        "original": one.item.id,
        "origin": one.item.source,
        "kinds": list(one.kinds),
    }


def make_message(
    fitted: Sequence[tuple[Identified, Fitted, Sequence[Handed]]],
    unread: Sequence[UnreadItem],
    locked: Sequence[SecretFound],
    moves: Sequence[Look],
) -> tuple[str, str]:
    """Return the subject and the body of the commit."""
    # of a container its members are read
    fitted = [one for one in fitted if one[0].kind != "container"]
    subject = _make_subject(len(fitted), unread, len(locked), len(moves))
    lines = [
        f"{one.cold.entry}: {fit.depth.step}, {many(len(handed), 'text')}"
        for one, fit, handed in fitted[:_LISTED]
    ]
    lines += [f"{one.item.id[:12]}: {one.reason}" for one in unread[:_LISTED]]
    if len(fitted) > _LISTED or len(unread) > _LISTED:
        lines.append("… the ledger file has all of them")
    return f"contextualize: {subject}", "\n".join(lines)


def _make_subject(
    fitted: int, unread: Sequence[UnreadItem], locked: int, moves: int
) -> str:
    """Return the numbers of sources, each with what became of them, without those that are 0."""
    bad = sum(one.code not in PASSED_OVER for one in unread)
    passed = len(unread) - bad
    parts = [
        (fitted, f"read {many(fitted, 'source')}"),
        (bad, f"{bad:,} could not be read"),
        (passed, f"pass over {passed:,}"),
        (locked, f"{locked:,} wait for you"),
        (moves, f"{moves:,} may fit you otherwise now"),
    ]
    named = [words for number, words in parts if number]
    return ", ".join(named) or "keep containers"
