"""What holds of the blocks of any gathered wiki: each note stands once, and derived lines lead
somewhere.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from companion.pages import page
from companion.pages.links import choose, key
from companion.pages.series_table import read_rows
from companion.pages.statements import (
    read_mentions,
    read_opening,
    read_statements,
)

#: folders of companion's own pages
_FOLDERS = ("entries/", "journal/")


class Block(NamedTuple):
    """A note where it stands."""

    path: str
    id: str  # empty: the opening of a page of one note
    words: str


def list_blocks(text: str) -> list[tuple[str, str]]:
    """Return the id and the words of each note of a page: its blocks and the rows of its table."""
    found = [(one.id, one.words) for one in read_statements(text)]
    found += [(row.id, row.words) for row in read_rows(text) if row.id]
    return found


def list_managed(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the text of every page of ours by its path."""
    found = {}
    for path, data in sorted(files.items()):
        text = data.decode("utf-8", "surrogateescape")
        if path.startswith(_FOLDERS) and page.read_front(text).meta.get("id"):
            found[path] = text
    return found


def read_blocks(files: Mapping[str, bytes]) -> list[Block]:
    """Return every note that stands on a page of ours."""
    found = []
    for path, text in list_managed(files).items():
        blocks = list_blocks(text)
        found += [Block(path, id, words) for id, words in blocks]
        opening = read_opening(text).strip()
        if opening and not blocks:
            found.append(Block(path, "", opening))
    return found


def check_blocks(
    files: Mapping[str, bytes], events: Iterable[Mapping[str, Any]]
) -> None:
    """Assert that no note stands twice, that each is of one capture, and that every derived line
    leads to the note that it names.
    """
    blocks = read_blocks(files)
    captures = Counter(
        event["capture"][:12] for event in events if event["e"] == "consumed"
    )
    places: dict[str, list[str]] = {}
    texts: dict[str, list[str]] = {}
    for block in blocks:
        texts.setdefault(block.words, []).append(block.path)
        if block.id:
            places.setdefault(block.id, []).append(block.path)
            times = captures[block.id]
            assert times == 1, f"{block} is of {times} captures"
    for id, paths in places.items():
        assert len(paths) == 1, f"{id} stands on {paths}"
    for words, paths in texts.items():
        assert len(set(paths)) == 1, f"{words!r} stands on {paths}"
    _check_mentions(files, places)


def _check_mentions(
    files: Mapping[str, bytes], places: Mapping[str, list[str]]
) -> None:
    names: dict[str, list[str]] = {}
    for path in files:
        if path.endswith(".md"):
            name = PurePosixPath(path).stem
            names.setdefault(key(name), []).append(path)
    for path, text in list_managed(files).items():
        for line in read_mentions(text):
            target = choose(line.page, path, names.get(key(line.page), ()))
            assert target is not None, f"{path}: {line} leads nowhere"
            if line.id:
                stands = places.get(line.id)
                assert stands == [target], f"{path}: {line}, it is on {stands}"
