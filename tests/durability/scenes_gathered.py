"""Wikis in which blocks are about to move: what the scenes of gathered pages start from.

A page begins, a series begins, a person says where a note belongs. Whatever goes wrong, each note
stands once afterwards, where it stands when nothing goes wrong.
"""

import hashlib
from pathlib import Path

from companion.pages.statements import read_mentions
from tests.living import Living
from tests.statements import check_blocks, list_blocks

BOILER = (
    "The boiler was serviced in March.",
    "Called about the boiler pressure",
    "the boiler is loud again",
)
WEIGHT = ("81.2 kg this morning", "weight 80.9 kg", "81.0 kg")
KEYS = "she wants the keys back by Friday"
SAW = "bought a saw"
SISTER = "Anna is my sister."


def capture_of(text: str) -> str:
    """Return the id of the capture of *text*."""
    return hashlib.sha256(text.encode()).hexdigest()


def _at(wiki: Living, when: str, *argv: str) -> None:
    wiki.doc(*argv, env={"COMPANION_NOW": f"{when}T08:00:00Z"})


def _started(root: Path) -> Living:
    """A wiki with a page of the person's, made before anything was told."""
    wiki = Living(root)
    wiki.write("Garden.md", "# Garden\n\nTomatoes want sun.\r\n")
    wiki.write("journal/Mine.md", "My own, beside the days.\n")
    _at(wiki, "2026-02-28", "init", ".")
    return wiki


def _live(wiki: Living, texts: tuple[str, ...]) -> None:
    """Tell one note a day, each with a night after it, and the last without."""
    for day, text in enumerate(texts, 1):
        _at(wiki, f"2026-03-0{day}", "ingest", text)
        if text != texts[-1]:
            _at(wiki, f"2026-03-0{day}", "consolidate")


def begins(root: Path) -> Living:
    """The third note of a thing waits: its page begins and two blocks move."""
    wiki = _started(root)
    _live(wiki, BOILER)
    return wiki


def begins_series(root: Path) -> Living:
    """The third value of a quantity waits: its table begins and two blocks move."""
    wiki = _started(root)
    _live(wiki, WEIGHT)
    return wiki


def astray(root: Path) -> Living:
    """A note stands on its day, and belongs on a page."""
    wiki = _started(root)
    _at(wiki, "2026-03-01", "ingest", SISTER, "--title", "Anna")
    _at(wiki, "2026-03-01", "ingest", KEYS)
    _at(wiki, "2026-03-01", "ingest", SAW)
    _at(wiki, "2026-03-01", "consolidate")
    return wiki


def begun(root: Path) -> Living:
    """A page has begun in the newest run."""
    wiki = begins(root)
    _at(wiki, "2026-03-03", "consolidate")
    return wiki


def boiler_stands_once(wiki: Living) -> None:
    """Its notes stand on its page, and their days link them there."""
    _stand_on(wiki, "Boiler", BOILER)
    _are_linked(wiki, "Boiler", ("2026-03-01", "2026-03-02"))


def weight_stands_once(wiki: Living) -> None:
    """Its values stand in its table, and their days link them there."""
    _stand_on(wiki, "Weight", WEIGHT)
    _are_linked(wiki, "Weight", ("2026-03-01", "2026-03-02"))


def keys_stand_with_anna(wiki: Living) -> None:
    """The note stands where it belongs; its neighbour has not moved."""
    _stand_on(wiki, "Anna", (SISTER, KEYS))
    _stand_on(wiki, "2026-03-01", (SAW,))
    _are_linked(wiki, "Anna", ("2026-03-01",))


def stand_on_their_days(wiki: Living) -> None:
    """The page is gone; the notes that it took stand on their days, and nothing links it."""
    check_blocks(wiki.files(), wiki.ledger())
    for day, text in enumerate(BOILER[:2], 1):
        _stand_on(wiki, f"2026-03-0{day}", (text,))
    assert not list(wiki.root.rglob("Boiler.md"))
    assert "[[Boiler" not in wiki.text()


def _stand_on(wiki: Living, name: str, texts: tuple[str, ...]) -> None:
    check_blocks(wiki.files(), wiki.ledger())
    [path] = wiki.root.rglob(f"{name}.md")
    words = dict(list_blocks(path.read_text()))
    expected = {capture_of(text)[:12]: text for text in texts}
    assert words == expected, (name, words)


def _are_linked(wiki: Living, name: str, days: tuple[str, ...]) -> None:
    for day in days:
        [path] = wiki.root.rglob(f"{day}.md")
        lines = read_mentions(path.read_text())
        assert [line.page for line in lines] == [name], (day, lines)
