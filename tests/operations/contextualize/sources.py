"""Originals for tests, put where the door puts them."""

from typing import Any

from companion.operations.contextualize.run import contextualize
from companion.storage.cold import originals, store_originals
from companion.storage.cold.originals import Original
from companion.storage.git.repo import Repo
from companion.storage.index import schema
from companion.storage.index.tables import sources
from companion.storage.index.tables.sources import Source
from companion.storage.ledger_file import decode
from tests.wiki import Wiki

PAPER = """# Sleep and memory

Memory consolidation happens in slow-wave sleep.

## Results

The hippocampus replays the day. The effect was 12 percent in 40 people.
"""


def drop(
    wiki: Wiki, name: str, content: str | bytes = PAPER, **about: Any
) -> Original:
    """Store an original as the door does."""
    wiki.tick()
    if isinstance(content, str):
        content = content.encode()
    item = originals.make_original(
        content,
        media_type=about.pop("media_type", "text/markdown"),
        name=name,
        source=about.pop("source", f"inbox/{name}"),
        received_at=wiki.ws.now(),
    )
    item = item._replace(**about)
    store_originals.put(Repo(wiki.ws.place), [(item, content)])
    return item


def read_sources(wiki: Wiki, **options: Any) -> Any:
    """Run CONTEXTUALIZE."""
    wiki.tick()
    return contextualize(wiki.ws, **options)


def find(wiki: Wiki, target: str) -> Source:
    """The source that *target* names, as the index has it."""
    db = schema.open_for_reading(wiki.ws.place.index_db)
    assert db is not None
    found = sources.find_source(db, target)
    db.close()
    assert found is not None
    return found


def events(wiki: Wiki, run: str) -> list[dict[str, Any]]:
    """The lines of the ledger file of *run*, without the first."""
    (path,) = (wiki.root / ".companion/ledger").rglob(f"{run}.jsonl")
    return list(decode(run, path.read_bytes()).events)


def page_of(wiki: Wiki, entry: str) -> str:
    """The text of the page of *entry*."""
    path = str(wiki.show(entry)["path"])
    return (wiki.root / path).read_text()
