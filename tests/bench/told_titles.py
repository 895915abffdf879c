"""`python -m tests.bench told-titles`: how many titles are names that their owner would keep.

The folder `titles_told` has conversations and small lives, each with the names that its writer would
accept, written before the program ran on them; behind a bar stand titles that the writer kept on
reading them. A conversation is named as a night names it; the lives are told a note of each subject a
day, with a night each. Rules are worked on with the half "dev"; of "score" only totals are printed,
and of what was written to be opened last.
"""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from companion.language.names.naming import list_keys
from companion.language.names.naming_conversations import name_conversation
from companion.lookup.index import current_index
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench.beginnings import START
from tests.bench.life import Life

FOLDER = Path(__file__).parent / "titles_told"
#: half -> the names of its files
FILES = {"dev": ("dev",), "score": ("score", "last")}
DAY = "2026-03-01"
_ALSO = " and "  # between the two matters of a conversation


class Item(NamedTuple):
    """What some notes tell, the names that would do for it, and those kept on reading."""

    names: tuple[str, ...]
    read: tuple[str, ...]
    notes: tuple[str, ...]


class Titled(NamedTuple):
    """A title, and whether it is one of the names that would do for what it is the title of."""

    title: str
    names: tuple[str, ...]  # none: a page of several things
    is_listed: bool
    is_kept: bool  # or kept on reading


def told_titles(half: str = "dev") -> None:
    """Print how many titles of *half* its writer would keep, and the others of the half "dev"."""
    for name in FILES[half]:
        for kind, list_titled in KINDS.items():
            titled = list_titled(name)
            listed, kept = count_kept(titled)
            print(f"{kind}, {name}: {listed} of {len(titled)}, {kept} as read")
            _print_others(titled if half == "dev" else ())


def _print_others(titled: Iterable[Titled]) -> None:
    for one in titled:
        if not one.is_kept:
            print(f"  {one.title}    [{'; '.join(one.names)}]")


def count_kept(titled: Sequence[Titled]) -> tuple[int, int]:
    """Return how many titles were listed beforehand, and how many were kept in the end."""
    listed = sum(one.is_listed for one in titled)
    return listed, sum(one.is_kept for one in titled)


def title_talks(name: str) -> list[Titled]:
    """Return the title of each conversation of a file."""
    titled = []
    for items in read_parts(FOLDER / f"{name}-talks.txt"):
        for item in items:
            title = name_conversation((), "chat", DAY, item.notes)
            listed = _is_called(title, item.names)
            kept = listed or _is_called(title, item.read)
            titled.append(Titled(title, item.names, listed, kept))
    return titled


def title_pages(name: str) -> list[Titled]:
    """Return the title of each page that begins in the lives of a file."""
    titled = []
    for items in read_parts(FOLDER / f"{name}-lives.txt"):
        for title, notes in _live(items):
            item = _find_item(items, notes)
            names, read = (item.names, item.read) if item else ((), ())
            listed = _is_one_of(title, names)
            kept = listed or _is_one_of(title, read)
            titled.append(Titled(title, names, listed, kept))
    return titled


def read_parts(path: Path) -> Iterator[list[Item]]:
    """Yield what stands in each part of a file."""
    for part in path.read_text("utf-8").split("@ ")[1:]:
        _, _, rest = part.partition("\n")
        yield [*map(_read_item, rest.strip().split("\n\n"))]


def _read_item(block: str) -> Item:
    names, *notes = block.split("\n")
    beforehand, _, read = names.partition(" | ")
    return Item(
        tuple(beforehand.split("; ")),
        tuple(read.split("; ")) if read else (),
        tuple(note.removeprefix("- ") for note in notes),
    )


def _is_called(title: str, names: tuple[str, ...]) -> bool:
    """Tell whether a conversation is called by one of *names*, or by two."""
    about = title.removeprefix("Conversation about ").removesuffix(f", {DAY}")
    parts = about.split(_ALSO)
    return _is_one_of(about, names) or all(
        _is_one_of(part, names) for part in parts
    )


def _is_one_of(title: str, names: tuple[str, ...]) -> bool:
    return list_keys(title) in set(map(list_keys, names))


def _live(items: list[Item]) -> list[tuple[str, list[str]]]:
    """Tell a note of each of *items* a day, and return each page with its notes."""
    with tempfile.TemporaryDirectory(prefix="companion-titles-") as folder:
        life = Life(Path(folder) / "wiki", format_instant(START))
        texts: dict[str | None, str] = {}
        for day in range(max(len(item.notes) for item in items)):
            morning = START + timedelta(days=day)
            told = [item.notes[day] for item in items if day < len(item.notes)]
            for place, text in enumerate(told):
                life.at(format_instant(morning + timedelta(hours=place)))
                texts.update(dict.fromkeys(life.tell([Draft(text)]), text))
            life.at(format_instant(morning + timedelta(hours=13)))
            life.night()
        return _list_pages(life, texts)


def _list_pages(
    life: Life, texts: dict[str | None, str]
) -> list[tuple[str, list[str]]]:
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    query = """
        SELECT e.title, c.capture FROM consumed c JOIN entries e ON e.id = c.entry
        WHERE e.managed AND NOT e.tombstone AND e.path NOT LIKE 'journal/%'
        """
    pages: dict[str, list[str]] = {}
    for title, capture in db.execute(query):
        pages.setdefault(title, []).append(texts[capture])
    return [*pages.items()]


def _find_item(items: list[Item], notes: list[str]) -> Item | None:
    """Return that of *items* of which most of a page's *notes* are."""
    most = max(items, key=lambda item: len(set(item.notes) & set(notes)))
    shared = len(set(most.notes) & set(notes))
    return most if 2 * shared > len(notes) else None


KINDS = {"conversations": title_talks, "pages": title_pages}
