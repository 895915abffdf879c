"""agentrecall-db as `pip install agentrecall-db` has it: SQLite's FTS5, without the extra."""

from collections.abc import Iterator

from agentrecall import Memory

from tests.bench.field.adapters.haystack import MOST, Ranking, Talk, adapt


def rank(talk: Talk) -> Iterator[Ranking]:
    """Yield the ranking of each question of *talk*."""
    with Memory(":memory:") as memory:
        records = memory.add_many([turn.note for turn in talk.turns])
        turn_of = {
            record.id: turn.id
            for record, turn in zip(records, talk.turns, strict=True)
        }
        for question in talk.questions:
            hits = memory.search(question, k=MOST)
            yield [(turn_of[hit.record.id], hit.score) for hit in hits]


if __name__ == "__main__":
    adapt("agentrecall", "agentrecall-db", rank)
