"""Sources as a night leaves them: an original, its cold object, the reading of it, and a page."""

from companion.operations.decay.rules import DECAY_RULES
from companion.reading.entry.show import show_target
from companion.runs.run import make_inputs, open_run
from companion.sources.read import Readers
from companion.storage import ledger_file
from companion.storage.cold import cold_memory, originals, store_originals
from companion.storage.cold.originals import Original
from tests.wiki import Wiki

TEXT = b"""# The ferry

The ferry leaves at seven.

In winter it leaves at nine, because the harbour freezes.

Dogs travel free of charge.
"""


def take_in(
    wiki: Wiki,
    content: bytes = TEXT,
    name: str = "ferry.md",
    media_type: str = "text/markdown",
    **more: object,
) -> Original:
    """Store an original, as the door does."""
    item = originals.make_original(
        content,
        media_type=media_type,
        name=name,
        source=f"inbox/{name}",
        received_at=wiki.ws.now(),
    )._replace(**more)  # type: ignore[arg-type]
    store_originals.put(wiki.repo(), [(item, content)])
    return item


def read_at_night(
    wiki: Wiki, item: Original, *kept: str, title: str = "The ferry"
) -> str:
    """Do what a night does with *item*, of which the sentences *kept* are kept; return the page."""
    with Readers() as readers:
        content = originals.read_bytes(wiki.repo(), item)
        reading = readers.read(content, item)
    text = reading.document.text
    (note,) = wiki.ingest("\n\n".join(kept), title=title)
    wiki.consolidate()
    entry = str(show_target(wiki.ws, title)["id"])
    spans = []
    for sentence in kept:
        at = text.index(sentence)
        spans.append([at, at + len(sentence), f"from {at}"])
    with open_run(wiki.ws, "contextualize") as run:
        at = run.moment()
        cold = cold_memory.make_cold(item, entry, at)
        cold_memory.put(run.repo, [(cold, None)])
        line = {
            "e": "contextualized",
            "source": item.url or item.source,
            "original": item.id,
            "cold": cold.id,
            "entry": entry,
            "kind": "document",
            "title": title,
            "media_type": item.media_type,
            "reader": reading.reader,
            "depth": "brief",
            "handed": [note["id"]],
            "spans": spans,
            "origin": item.source,
            "reason": "Few notes are near it.",
        }
        inputs = make_inputs(run, {}, DECAY_RULES)
        record = ledger_file.make_run("contextualize", at, inputs, [line])
        run.publish(record, [], "contextualize: 1 source", "")
        run.refold()
    return entry
