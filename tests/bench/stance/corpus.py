"""Read the corpus of pairs in `pairs/<split>/<domain>.jsonl`; `pairs/README.md` tells of it."""

import json
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from companion.language.stance.stance import LABELS, StanceLabel

FOLDER = Path(__file__).with_name("pairs")
Split = Literal["train", "dev", "score"]
SPLITS: tuple[Split, ...] = get_args(Split)


class Pair(NamedTuple):
    """A statement of a page and a note, with the label that its author gave it."""

    domain: str
    lang: str
    page: str
    old: str
    new: str
    label: StanceLabel
    how: str  # easy, medium, hard
    # the same note under another statement: the line of its first pair, from 1; else 0
    again: int


def read_pairs(split: Split) -> list[Pair]:
    """Return the pairs of *split*, by domain. Raises ValueError for an unknown label."""
    pairs: list[Pair] = []
    for path in sorted((FOLDER / split).glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            pairs.append(_pair(path.stem, line))
    return pairs


def read_second_reader() -> list[tuple[StanceLabel, StanceLabel]]:
    """Return the author's label and that of a second reader, of pairs from all splits."""
    authors = {}
    for split in SPLITS:
        for pair in read_pairs(split):
            authors[pair.domain, pair.old, pair.new] = pair.label
    found = []
    path = FOLDER / "second_reader.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        author = authors[row["domain"], row["old"], row["new"]]
        found.append((author, row["label"]))
    return found


def _pair(domain: str, line: str) -> Pair:
    row = json.loads(line)
    if row["label"] not in LABELS:
        raise ValueError(f"{domain}: {row['label']} is no label")
    return Pair(
        domain,
        row["lang"],
        row["page"],
        row["old"],
        row["new"],
        row["label"],
        row["how"],
        row.get("again", 0),
    )
