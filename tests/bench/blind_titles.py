"""`python -m tests.bench blind-titles --data DIR --keep FOLDER`: titles for a person to read who cannot
see what made them.

Worlds of plain notes are told without their headings, three notes a day with a night each, and the
titles of the pages that begin are mixed with those of conversations that no other reading had, and with
titles that no rule made: the first words of a note, the word that most of the notes have, and the title of
another page. `sheet.txt` in FOLDER has each with notes of its page, shuffled; `key.json` says what made it,
and is opened when everything is judged.
"""

import json
import random
import re
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from companion.lookup.index import current_index
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench import aboutness_sample, plain_worlds, titles
from tests.bench.beginnings import PER_DAY, START
from tests.bench.life import Life

SEED = 90210
_CONVERSATIONS = 60
_DECOYS = 72
_READ = (14, 5)  # seeds of `titles` whose conversations were read
_SAMPLES = range(1, 8)  # of `aboutness`; later ones were read
_QUOTE = 105  # characters of a note on the sheet
_QUOTED = 4  # notes on it
_COURSES = Path(__file__).parent / "notebook"
_HEADING = re.compile(r"\A# .*\n")
_WORD = re.compile(r"[\w'\u2019-]+")


class Item(NamedTuple):
    """A title, what made it, and the notes that it names."""

    made_by: str
    of: str  # the life, without its number
    title: str
    notes: tuple[str, ...]


def blind_titles(data: Path, folder: Path, seed: int | None = None) -> None:
    """Write titles and the notes that they name for a person to judge, without what made them."""
    chance = random.Random(SEED if seed is None else seed)
    items = [
        item for name, notes in _list_lives(data) for item in _live(name, notes)
    ]
    items += _choose_conversations(data, chance)
    items += _make_decoys(items, chance)
    chance.shuffle(items)
    folder.mkdir(parents=True, exist_ok=True)
    sheet = "".join(map(_write_item, range(1, len(items) + 1), items))
    (folder / "sheet.txt").write_text(sheet, "utf-8")
    key = json.dumps([item._asdict() for item in items], ensure_ascii=False)
    (folder / "key.json").write_text(key, "utf-8")
    print(f"{len(items)} titles in {folder / 'sheet.txt'}")


def _list_lives(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the notes of each life."""
    for sample in _SAMPLES:
        for half in aboutness_sample.HALVES:
            for world in aboutness_sample.worlds(half, sample):
                yield "aboutness", [note.text for note in world.notes]
    for path in sorted(plain_worlds.FOLDER.glob("*.txt")):
        told = plain_worlds.read_world(path.stem)
        yield "plain worlds", [_HEADING.sub("", note.text) for note in told]
    for path in sorted(_COURSES.glob("*.toml")):
        days = tomllib.loads(path.read_text("utf-8")).get("day", [])
        notes = [note for day in days for note in day["notes"]]
        if notes:
            yield "courses", notes
    for path in sorted((data / "worlds").glob("*.txt")):
        notes = [words for _, words in titles.read_world(path)]
        yield "given worlds", [_HEADING.sub("", words) for words in notes]


def _live(name: str, notes: Sequence[str]) -> list[Item]:
    """Tell *notes* a few a day, and return the pages that stand at the end, but for days."""
    with tempfile.TemporaryDirectory(prefix="companion-titles-") as folder:
        life = Life(Path(folder) / "wiki", format_instant(START))
        texts: dict[str | None, str] = {}
        for first in range(0, len(notes), PER_DAY):
            morning = START + timedelta(days=first // PER_DAY)
            for place, text in enumerate(notes[first : first + PER_DAY]):
                life.at(format_instant(morning + timedelta(hours=3 * place)))
                texts.update(dict.fromkeys(life.tell([Draft(text)]), text))
            life.at(format_instant(morning + timedelta(hours=13)))
            life.night()
        return _list_pages(life, name, texts)


def _list_pages(
    life: Life, name: str, texts: dict[str | None, str]
) -> list[Item]:
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    query = """
        SELECT e.id, e.title, c.capture FROM consumed c JOIN entries e ON e.id = c.entry
        WHERE e.managed AND NOT e.tombstone AND e.path NOT LIKE 'journal/%'
        """
    pages: dict[tuple[str, str], list[str]] = {}
    for entry, title, capture in db.execute(query):
        pages.setdefault((entry, title), []).append(texts[capture])
    return [
        Item("page", name, title, tuple(notes))
        for (_, title), notes in pages.items()
    ]


def _choose_conversations(data: Path, chance: random.Random) -> list[Item]:
    """Return conversations of differing titles that no reading of `titles` had."""
    found: dict[str, Item] = {}
    for half in ("dev", "score"):
        made = titles.list_made(data, half)
        read = {
            one for seed in _READ for one in titles.choose_sample(made, seed)
        }
        for one in made["conversation"]:
            if one not in read:
                item = Item("conversation", "talks", one.title, one.notes)
                found.setdefault(one.title, item)
    pool = sorted(found.values(), key=lambda item: item.title)
    return chance.sample(pool, min(_CONVERSATIONS, len(pool)))


def _make_decoys(items: Sequence[Item], chance: random.Random) -> list[Item]:
    """Return some of *items* under titles that no rule of ours made."""
    decoys = []
    for item in chance.sample(items, min(_DECOYS, len(items))):
        kind = chance.choice(("first words", "frequent word", "another page"))
        title = _make_title(kind, item, items, chance)
        if title.lower() != item.title.lower():
            decoys.append(item._replace(made_by=kind, title=title))
    return decoys


def _make_title(
    kind: str, item: Item, items: Sequence[Item], chance: random.Random
) -> str:
    if kind == "first words":
        count = chance.choice((3, 4, 5))
        return " ".join(_WORD.findall(item.notes[0])[:count])
    if kind == "another page":
        like = [one.title for one in items if one.of == item.of]
        return chance.choice(like)
    counted: Counter[str] = Counter()
    for note in item.notes:
        counted.update(dict.fromkeys(_WORD.findall(note.lower()), 1))
    long = [word for word, _ in counted.most_common() if len(word) > 3]
    return long[0].capitalize() if long else item.title


def _write_item(number: int, item: Item) -> str:
    notes = item.notes
    if len(notes) > _QUOTED:
        notes = (*notes[:2], notes[len(notes) // 2], notes[-1])
    lines = [f"   - {' '.join(note.split())[:_QUOTE]}\n" for note in notes]
    return f"{number}. {item.title}\n" + "".join(lines)
