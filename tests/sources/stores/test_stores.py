"""Stores of other programs: each memory with who wrote it, and what no longer holds left out."""

import pytest

from companion.sources.document import Document, Unreadable
from companion.sources.stores.mem0_history import READER as HISTORY
from companion.sources.stores.mempalace_database import READER as PALACE
from tests.sources.exports import load, read_sample


def _say(document: Document) -> list[tuple[str, str | None]]:
    return [(memory.text, memory.agent) for memory in document.memories]


def test_what_mem0_concluded_is_its_word_and_a_message_kept_whole_is_the_owners():
    document = read_sample("mem0/get_all.json")

    assert _say(document) == [
        ("Is allergic to walnuts", "mem0"),
        ("I moved to Ghent in May", None),
        ("ada lives in ghent", "mem0"),
    ]
    assert document.memories[1].at == "2025-08-03T16:00:00.000000Z"


def test_of_a_history_the_last_values_are_read_and_what_was_deleted_is_not():
    document = read_sample("mem0/history.db")

    assert _say(document) == [("Likes rye bread and butter", "mem0")]
    assert document.memories[0].at == "2025-09-01T16:00:00.000000Z"
    assert document.warnings == (
        "not read: earlier values (2), recent messages (1), deleted memories (1)",
    )


@pytest.mark.parametrize("version", ["0.0.9", "0.1.0"])
def test_histories_of_older_programs_have_other_columns(version):
    document = read_sample(f"mem0/history-{version}.db")

    assert _say(document) == [("Plays the viola and sings", "mem0")]
    assert document.memories[0].at is not None


@pytest.mark.parametrize(
    "path", ["mempalace/export.jsonl", "mempalace/chroma.sqlite3"]
)
def test_a_drawer_keeps_its_words_and_is_called_after_its_room(path):
    memory = read_sample(path).memories[0]

    assert (
        memory.text
        == "We chose SQLite because the ship has no network for days."
    )
    assert memory.title == "ferry / storage"
    assert memory.agent == "mempalace"
    assert memory.at == "2026-04-09T10:11:12.000000Z"


def test_closets_are_made_from_drawers_and_not_read():
    document = read_sample("mempalace/chroma.sqlite3")

    assert len(document.memories) == 2
    assert document.warnings == (
        'the collection "mempalace_closets" holds no drawers',
    )


def test_the_other_databases_of_mempalace_are_read():
    drawers = read_sample("mempalace/sqlite_exact.sqlite3")
    facts = read_sample("mempalace/knowledge_graph.sqlite3")

    assert _say(drawers) == _say(read_sample("mempalace/chroma.sqlite3"))
    assert _say(facts) == [("Ruth keeps spare key", "mempalace")]
    assert facts.warnings == ("not read: facts that have ended (1)",)


def test_a_graph_of_the_memory_server_is_its_observations_and_relations():
    document = read_sample("mcp_memory/memory.jsonl")

    assert [(memory.title, memory.text) for memory in document.memories] == [
        ("Ruth_Berg", "Keeps the spare key"),
        ("Ruth_Berg", "Prefers email"),
        ("Ruth_Berg", "Ruth_Berg works on Ferry"),
    ]


def test_a_note_of_basic_memory_loses_no_word_but_its_headings():
    document = read_sample("basic_memory/Coffee Brewing.md")

    assert [(memory.text, memory.place) for memory in document.memories] == [
        ("What I learned on the old machine.", "line 12"),
        (
            "[method] Pour over keeps more flavour #brewing (with a paper filter)",
            "line 16",
        ),
        ("[tip] Grind on the day #beans", "line 17"),
        ("relates_to [[Coffee Beans]]", "line 21"),
    ]
    assert document.key == "basic-memory:notes/coffee-brewing"


@pytest.mark.parametrize("reader", [HISTORY, PALACE], ids=["mem0", "mempalace"])
def test_a_damaged_database_is_an_error_that_says_what_to_do(reader):
    path = (
        "mem0/history.db" if reader is HISTORY else "mempalace/chroma.sqlite3"
    )
    whole = load(path)
    torn = whole[:200] + b"\xff" * (len(whole) - 200)

    for content in (torn, whole[:50]):
        with pytest.raises(Unreadable) as caught:
            reader.read(content, "x.db")
        assert caught.value.code == "damaged"
        assert "copy the file again" in caught.value.hint
