"""Make the ledger lines of a pass over the originals."""

from collections.abc import Iterable, Sequence

from companion.operations.contextualize.hand_over import Handed
from companion.operations.contextualize.identify import Identified
from companion.operations.contextualize.read_items import (
    SecretFound,
    UnreadItem,
)
from companion.operations.contextualize.represent import Fitted
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.events import LedgerLine
from companion.values.wording import many


def make_line(
    one: Identified,
    fit: Fitted,
    handed: Sequence[Handed],
    captures: Sequence[str],
    *,
    is_asked: bool,
) -> LedgerLine:
    """Return the ledger's line for a source that was read and handed over."""
    read, item = one.read, one.read.item
    representation = fit.representation
    line: LedgerLine = {
        "e": "contextualized",
        "source": one.key,
        "original": item.id,
        "cold": one.cold.id,
        "entry": one.entry,
        "kind": one.kind,
        "title": representation.title,
        "media_type": item.media_type,
        "reader": read.reader,
        "depth": fit.depth.step,
        "score": fit.depth.score,
        "evidence": list(fit.depth.evidence),
        "interests": list(fit.fitting.interests),
        "handed": list(captures),
        "spans": [[span.start, span.end, span.place] for span in fit.spans],
        "origin": item.source,
        "size": item.size,
        "received": item.received_at,
        "kept": [representation.kept, representation.sentences],
        "dropped": dict(representation.dropped),
        "distortion": representation.distortion,
        "reason": describe_reason(fit),
    }
    if one.kind == "chat":
        line["turns"] = [turn.turn for turn in handed]
    if representation.refused:
        line["refused"] = representation.refused
    optional = {
        "url": read.document.url or item.url,
        "previous": one.cold.previous,
        "published": read.document.published_at,
    }
    line.update({name: value for name, value in optional.items() if value})
    if is_asked:
        # no later night has to look whether another depth would fit
        line["asked"] = 1
    if read.document.authors:
        line["authors"] = list(read.document.authors)
    return line


def describe_reason(fit: Fitted) -> str:
    """Return why a source has the depth that it has."""
    evidence = " ".join(fit.depth.evidence)
    return (
        f"Fitted to {fit.depth.step}. {evidence} (score {fit.depth.score:.2f})"
    )


def make_unread_line(one: UnreadItem, readers: str) -> LedgerLine:
    """Return the ledger's line for an original that *readers* cannot read."""
    return {
        "e": "unread",
        "original": one.item.id,
        "code": one.code,
        "reader": readers,
        "hint": one.hint,
        "origin": one.item.source,
        "reason": one.reason,
    }


def make_locked_line(one: SecretFound) -> LedgerLine:
    """Return the ledger's line for an original that waits for its owner."""
    return {
        "e": "locked",
        "original": one.item.id,
        "kinds": list(one.kinds),
        "reader": one.reader,
        "origin": one.item.source,
        "reason": f"It holds {many(len(one.kinds), 'kind')} of secrets.",
    }


def make_verdict_lines(
    log: Verdicts, fits: Iterable[Fitted]
) -> list[LedgerLine]:
    """Return the lines of the model's answers that no ledger file has yet, by their keys."""
    used: dict[str, Logged] = {}
    for fit in fits:
        used.update(fit.verdicts)
    recorded = log.told(used)
    lines: list[LedgerLine] = []
    for key, logged in sorted(used.items()):
        if key not in recorded:
            lines.append(
                {
                    "e": "verdict",
                    "key": key,
                    "task": logged.task,
                    "judge": logged.judge,
                    "answer": logged.answer,
                    "reason": f"{logged.judge} shortened a paragraph.",
                }
            )
    return lines
