"""What stands around a passage is read by an index, whatever else was ever told."""

from pathlib import Path

from companion.lookup.index import current_index
from companion.storage.index.ranking.nearby import weigh_surroundings
from tests.wiki import Wiki

PAGES = {"A.md": "# A\n\nThe doctor bandaged the child.\n"}
WORDS = ("who", "bandaged", "the", "child")


def test_no_question_walks_all_that_was_ever_told(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", PAGES)
    wiki.ingest("Joanna rowed to the island.", source="Nate")
    wiki.consolidate()
    db = current_index(wiki.ws, wiki.ws.journal())
    assert db is not None
    docs = [doc for (doc,) in db.execute("SELECT doc FROM passages")]
    asked: list[str] = []

    db.set_trace_callback(asked.append)
    weigh_surroundings(db, dict.fromkeys(docs, 1.0), WORDS, True)
    db.set_trace_callback(None)

    told = [query for query in asked if "consumed" in query]
    steps = [
        step
        for query in told
        for *_, step in db.execute(f"EXPLAIN QUERY PLAN {query}")
    ]
    assert any("consumed_statement" in step for step in steps)
    walks = ("SCAN c", "SEARCH c USING INDEX consumed_told (told_at>?)")
    assert not [step for step in steps if step.startswith(walks)]
