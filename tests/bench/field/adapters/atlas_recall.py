"""atlas-recall as `pip install atlas-recall` has it: BM25 over a folder of notes, no dense path."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from atlas_recall.bm25 import build_index
from atlas_recall.config import Config
from atlas_recall.corpus import load_corpus
from atlas_recall.retrieval import score_docs

from tests.bench.field.adapters.haystack import Ranking, Talk, adapt


def rank(talk: Talk) -> Iterator[Ranking]:
    """Yield the ranking of each question of *talk*; it shows fifteen notes at most."""
    with TemporaryDirectory() as folder:
        for number, turn in enumerate(talk.turns):
            path = Path(folder, f"{number:06}.md")
            path.write_text(turn.note + "\n", "utf-8")
            told = datetime.fromisoformat(turn.said_at).timestamp()
            os.utime(path, (told, told))
        config = Config(notes_dir=folder)
        notes = load_corpus(folder)
        bm25, keys = build_index(notes)
        now = max(note["mtime"] for note in notes)
        for question in talk.questions:
            scored = score_docs(question, notes, config, bm25, keys, now=now)
            yield [
                (talk.turns[int(note["key"])].id, score)
                for note, score in scored
            ]


if __name__ == "__main__":
    adapt("atlas_recall", "atlas-recall", rank)
