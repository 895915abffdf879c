"""MemPalace: its databases: chroma.sqlite3, sqlite_exact.sqlite3 and knowledge_graph.sqlite3."""

from companion.sources.document import Document, Memory
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_text,
    load_json,
)
from companion.sources.stores.databases import name_tables, open_database
from companion.sources.stores.mempalace import AGENT, TITLE, make_memory
from companion.storage.foreign import ForeignDatabase

_PALACE = "mempalace"  # how the names of its collections begin
_WORDS = "chroma:document"
_VALUES = ("string_value", "int_value", "float_value", "bool_value")


def recognise_database(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a database of MemPalace."""
    return (
        name_tables(head, "embedding_metadata", "collections")
        or (name_tables(head, "documents") and b"metadata_json" in head)
        or (name_tables(head, "triples") and b"source_closet" in head)
    )


def read_database(content: bytes, name: str) -> Document:
    """Return the drawers, or the facts, of *content*. Raises Unreadable."""
    omissions = Omissions()
    with open_database(content) as database:
        if database.columns("embedding_metadata"):
            memories = _read_chroma(database, omissions)
        elif "metadata_json" in database.columns("documents"):
            memories = _read_exact(database, omissions)
        elif database.columns("triples"):
            memories = _read_facts(database, omissions)
        else:
            raise changed("none of the tables of MemPalace was found")
    return Document(
        title=TITLE,
        memories=tuple(memories),
        site="MemPalace",
        warnings=omissions.sentences(),
    )


def _find_collections(
    database: ForeignDatabase, omissions: Omissions
) -> set[object]:
    """Return the ids of the collections with drawers. Raises Unreadable where there is none."""
    found: set[object] = set()
    for row in database.rows("collections", ("id", "name")):
        name = get_text(row.values, "name")
        if name.startswith(_PALACE) and "closet" not in name:
            found.add(row.values["id"])
        else:
            omissions.say(f'the collection "{name[:60]}" holds no drawers')
    if not found:
        raise changed('the collection "mempalace_drawers" was expected')
    return found


def _read_chroma(
    database: ForeignDatabase, omissions: Omissions
) -> list[Memory]:
    """Read a database of Chroma: a row for each field of each drawer."""
    collections = _find_collections(database, omissions)
    segments = {
        row.values["id"]
        for row in database.rows("segments", ("id", "collection"))
        if row.values.get("collection") in collections
    }
    drawers: dict[object, Record] = {
        row.values["id"]: {}
        for row in database.rows("embeddings", ("id", "segment_id"))
        if row.values.get("segment_id") in segments
    }
    for row in database.rows("embedding_metadata", ("id", "key", *_VALUES)):
        drawer = drawers.get(row.values["id"])
        if drawer is not None:
            drawer[get_text(row.values, "key")] = _find_value(row.values)
    memories: list[Memory] = []
    for drawer in drawers.values():
        text = get_text(drawer, _WORDS)
        omissions.count("drawers without words", number=not text)
        if text:
            place = f"drawer {len(memories) + 1}"
            memories.append(make_memory(text, drawer, place))
    return memories


def _find_value(values: Record) -> object:
    return next(
        (values[key] for key in _VALUES if values.get(key) is not None), None
    )


def _read_exact(
    database: ForeignDatabase, omissions: Omissions
) -> list[Memory]:
    """Read a database of MemPalace's own backend."""
    collections = _find_collections(database, omissions)
    memories: list[Memory] = []
    columns = ("collection_id", "document", "metadata_json", "created_at")
    for row in database.rows("documents", columns):
        text = get_text(row.values, "document")
        if row.values.get("collection_id") not in collections or not text:
            continue
        metadata = load_json(get_text(row.values, "metadata_json").encode())
        fields = metadata if isinstance(metadata, dict) else {}
        place = f"drawer {len(memories) + 1}"
        memory = make_memory(text, fields, place)
        at = memory.at or read_time(row.values.get("created_at"))
        memories.append(memory._replace(at=at))
    return memories


def _read_facts(
    database: ForeignDatabase, omissions: Omissions
) -> list[Memory]:
    """Read the facts that still hold as three words each; MemPalace keeps no sentence of them."""
    names = {
        row.values["id"]: get_text(row.values, "name")
        for row in database.rows("entities", ("id", "name"))
    }
    memories: list[Memory] = []
    columns = ("subject", "predicate", "object", "valid_from", "valid_to")
    for row in database.rows("triples", (*columns, "extracted_at")):
        values = row.values
        if values.get("valid_to"):
            omissions.count("facts that have ended")
            continue
        subject = names.get(values["subject"]) or get_text(values, "subject")
        target = names.get(values["object"]) or get_text(values, "object")
        predicate = get_text(values, "predicate").replace("_", " ")
        at = get_first(values, "valid_from", "extracted_at")
        place = f"fact {len(memories) + 1}"
        text = f"{subject} {predicate} {target}"
        memories.append(Memory(text, read_time(at), subject, AGENT, place))
    return memories


READER = Reader(
    "mempalace database",
    1,
    ("application/vnd.sqlite3",),
    recognise_database,
    read_database,
)
