"""Every read is recorded in one append, as it was and on this machine only (MaM §5.3;
`store.uses`).

What of it may go on record is decided by the night that takes it there (`app.ride`). AUDIT's
replays, `doctor` and benches call what reads call and not this, so they leave no trace. On the hot
path of every read.
"""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.storage.journal import reads_file
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        SearchResult,
    )

MOST_PLACES = 20  # of a search
MOST_SHOWN = 200  # ids
MOST_WORDS = 500  # characters

# the result of a room above this one
_Document = Mapping[str, Any]


def record_search(ws: Workspace, doc: "SearchResult") -> str | None:
    hits = doc["results"]
    # Notes that wait may be private, wherever they stand: the night must know that one was shown.
    waiting = (hit["id"] for hit in hits[MOST_PLACES:] if hit["path"] is None)
    return record_read(
        ws,
        "search",
        doc["query"],
        [*(hit["id"] for hit in hits[:MOST_PLACES]), *waiting],
    )


def record_ask(ws: Workspace, doc: _Document) -> str | None:
    """Record the notes that an answer rests on, or the passages that were given instead of one."""
    sources = (
        told["capture"]
        for each in doc["answers"]
        for step in each["path"]
        for told in step["sources"]
    )
    return record_read(
        ws,
        "ask",
        doc["question"],
        [*sources, *(passage["id"] for passage in doc["passages"])],
    )


def record_claims(ws: Workspace, doc: _Document) -> str | None:
    words = " ".join(filter(None, (doc["subject"], doc["predicate"])))
    told = [claim for key in doc["keys"] for claim in key["claims"]]
    # what decides whose the question is must not be cut off
    told.sort(key=lambda claim: claim["scope"] != "private")
    return record_read(
        ws,
        "claims",
        words,
        (claim["entry"] or claim["capture"] for claim in told),
    )


def record_show(ws: Workspace, doc: _Document) -> str | None:
    return record_read(ws, "show", "", [doc["id"]])


def record_read(
    ws: Workspace, verb: str, words: str, shown: Iterable[str]
) -> str | None:
    """Record that *verb* showed entries or captures, by their ids, the first one first, each once.

    Never waits, and never fails the read: returns what kept it from being recorded, None where
    nothing did.
    """
    ids = tuple(islice(dict.fromkeys(shown), MOST_SHOWN))
    return reads_file.append(
        ws.place,
        (
            _id(ws, verb, ids),
            ws.now(),
            ws.who,
            verb,
            words_to_keep(ws, words),
            ids,
        ),
    )


def _id(ws: Workspace, verb: str, ids: tuple[str, ...]) -> str:
    """Return what names a use: where the clock stands still, what came before it keeps it apart
    from its like.
    """
    if not ws.is_clock_moved:
        return ws.fresh_id()
    from companion.storage.journal import reads

    try:
        with closing(ws.journal()) as journal:
            before = reads.count_reads(journal)
    except CompanionError:  # the read says so itself where it needs the journal
        before = 0
    return ws.fresh_id(
        verb, *ids, str(before), str(reads_file.measure_size(ws.place))
    )


def words_to_keep(ws: Workspace, words: str) -> str:
    """Return *words* as they may be kept: cut to length, and none of them where they hold what was
    erased here.
    """
    plain = words.encode("utf-8", "replace").decode()[:MOST_WORDS]
    if not os.path.exists(os.path.join(ws.place.state, "erased.json")):
        return plain  # most wikis: a read pays for one look
    from companion.privacy import erased_words
    from companion.storage.erasure.remembered import read_erased_words

    known = read_erased_words(ws.place)
    if known is None or next(erased_words.find(plain, *known), None) is None:
        return plain
    return ""


def collect_reads(ws: Workspace, journal: Journal) -> None:
    """Let the journal have what reads appended; words that hold a secret, or what was erased since,
    go on the way.
    """
    from companion.privacy import secret_formats
    from companion.storage.journal import reads

    def clean(words: str) -> str:
        said = words_to_keep(ws, words)
        return "" if secret_formats.find(said) else said

    reads.take_reads(ws.place, journal, clean)
