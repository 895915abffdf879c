"""Record every read in one append, as it was and on this machine only (MaM §5.3).

The next run decides what of it may go on record (`usage.record_in_run`). AUDIT's replays, `doctor`
and the benches call the functions that reads call, but not these, so they leave no trace. On the
hot path of every read.
"""

import os
from collections.abc import Iterable, Mapping
from itertools import islice

from companion.annotations import TYPE_CHECKING, Any
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
    """Record the first hits of a search; return what kept it from being recorded, else None."""
    hits = doc["results"]
    shown = [hit["id"] for hit in hits[:MOST_PLACES]]
    # A waiting note may be private, wherever it stands: the night must know that it was shown.
    shown += [hit["id"] for hit in hits[MOST_PLACES:] if hit["path"] is None]
    # An audit asks again for the words: fields and marks are none.
    words = doc["query"] if doc["plain"] else " ".join(doc["words"])
    return record_read(ws, "search", words, shown)


def record_ask(ws: Workspace, doc: _Document) -> str | None:
    """Record the notes that an answer rests on, or the passages shown instead of one.

    Return what kept it from being recorded, else None.
    """
    shown: list[str] = []
    for answer in doc["answers"]:
        for step in answer["path"]:
            shown += [source["capture"] for source in step["sources"]]
    shown += [passage["id"] for passage in doc["passages"]]
    return record_read(ws, "ask", doc["question"], shown)


def record_claims(ws: Workspace, doc: _Document) -> str | None:
    """Record the pages and notes of the claims shown, those told in private first.

    Return what kept it from being recorded, else None.
    """
    words = " ".join(filter(None, (doc["subject"], doc["predicate"])))
    claims = []
    for key in doc["keys"]:
        claims += key["claims"]
    # Whether the question is private depends on these: they must not be cut off.
    claims.sort(key=lambda claim: claim["scope"] != "private")
    shown = [claim["entry"] or claim["capture"] for claim in claims]
    return record_read(ws, "claims", words, shown)


def record_show(ws: Workspace, doc: _Document) -> str | None:
    """Record an opened page or capture; return what kept it from being recorded, else None."""
    return record_read(ws, "show", "", [doc["id"]])


def record_read(
    ws: Workspace, verb: str, words: str, shown: Iterable[str]
) -> str | None:
    """Record that *verb* showed the entries and captures with the ids *shown*, each once, in order.

    Never waits and never fails the read: returns what kept it from being recorded, else None.
    """
    ids = tuple(islice(dict.fromkeys(shown), MOST_SHOWN))
    kept_words = words_to_keep(ws, words)
    use = (_name_use(ws, verb, ids), ws.now(), ws.who, verb, kept_words, ids)
    return reads_file.append(ws.place, use)


def _name_use(ws: Workspace, verb: str, ids: tuple[str, ...]) -> str:
    """Return the id of a use.

    Where the clock stands still, the number of earlier reads keeps equal uses apart.
    """
    if not ws.is_clock_moved:
        return ws.fresh_id()
    from companion.storage.journal import reads

    try:
        journal = ws.journal()
        try:
            before = reads.count_reads(journal)
        finally:
            journal.close()
    except CompanionError:
        # The read itself reports a broken journal where it needs one.
        before = 0
    size = reads_file.measure_size(ws.place)
    return ws.fresh_id(verb, *ids, str(before), str(size))


def words_to_keep(ws: Workspace, words: str) -> str:
    """Return *words* cut to length; none of them where they hold words that were erased here."""
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
    """Move what reads appended into the journal, without words that hold a secret or were erased
    since.
    """
    from companion.privacy import secret_formats
    from companion.storage.journal import reads

    def clean(words: str) -> str:
        """Return the words of a read that may be kept."""
        kept = words_to_keep(ws, words)
        if secret_formats.find(kept):
            return ""
        return kept

    reads.take_reads(ws.place, journal, clean)
