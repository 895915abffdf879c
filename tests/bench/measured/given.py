"""What benches of public data return, as tables of docs/quality/benches.md; the data is given."""

from collections import Counter
from pathlib import Path

from tests.bench.evidence import evidence
from tests.bench.extraction import extraction
from tests.bench.measured.plain import Found
from tests.bench.vault_notes import BESIDE, DAY, OURS, vault_notes

PLACES = ("first", "second", "third", "fourth", "fifth")
#: how a measure of the bench is called in the table, with how many it read
READ = {
    "keys": "keys and objects of {} facts of FactConsolidation",
    "spans": "values of {} operations of MemOps, in part",
    "prose": "values of {} paragraphs of prose, in part",
    "moods": "whether a statement is sure, tentative or taken back, of {}",
}


def measure_evidence(data: Path) -> dict[str, Found]:
    """Return how often the evidence is among the passages, and what claims answer."""
    found = evidence(data)
    rows = [
        (place, _share(one["shown"], one["asked"]))
        for place, one in zip(PLACES, found, strict=False)
    ]
    total = sum(found, Counter[str]())
    rows.append(("all", _share(total["shown"], total["asked"])))
    answered = total["right"] + total["wrong"]
    claims = (
        f"{answered} of {total['asked']}: {total['right']} rightly,"
        f" {total['wrong']} wrongly"
    )
    rows.append(("all: claims answer", claims))
    names = ["conversation", "evidence among the passages"]
    return {"evidence": Found(names, rows)}


def _share(count: int, total: int) -> str:
    return f"{count} of {total} ({_shorten(count / total)})"


def measure_extraction(data: Path) -> dict[str, Found]:
    """Return how much of what is known is read out of texts, and how much of that is right."""
    reads = extraction(data)
    rows = []
    for name, told in READ.items():
        read = reads[name]
        right = "" if read.precision is None else _shorten(read.precision)
        rows.append((told.format(read.items), _shorten(read.found), right))
        if read.exactly is not None:
            rows.append(("the same, exactly", _shorten(read.exactly), ""))
    names = ["what, both halves", "found", "of what is read, right"]
    return {"extraction": Found(names, rows)}


def _shorten(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def measure_vaults(data: Path) -> dict[str, Found]:
    """Return what became of notes about the pages of each vault."""
    rows = []
    for place, told in zip(PLACES, vault_notes(data), strict=False):
        homes = [told.homes[where] for where in (BESIDE, DAY, OURS)]
        rows.append((place, told.changed, told.homes.total(), *homes))
    names = [
        "vault",
        "files of theirs that changed",
        "notes",
        "beside a page of theirs",
        "on a day",
        "on a page of companion's",
    ]
    return {"vaults": Found(names, rows)}
