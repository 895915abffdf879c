"""Wikis in which blocks are about to move: what the scenes of gathered pages start from.

A page begins, a series begins, a person says where a note belongs. Whatever goes wrong, each note
stands once afterwards, where it stands when nothing goes wrong.
"""

import hashlib
import subprocess
import sys
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
STAMPS = "Bought stamps"
RAIN = "Rain all day"
# names pages as companion did before they bore their titles
BY_SLUGS = """
from companion.__main__ import main
from companion.pages.names import file_name
from companion.pages.names.slug import slugify
file_name.make_file_name = slugify
raise SystemExit(main(["consolidate"]))
"""
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


def named_by_slugs(root: Path) -> Living:
    """Two pages bear the slugs of their titles, and one links the other by its title."""
    wiki = _started(root)
    _at(wiki, "2026-03-01", "ingest", "She rows.", "--title", "Anna Weber")
    words = "He sails with [[Anna Weber]]."
    _at(wiki, "2026-03-01", "ingest", words, "--title", "Paul Berg")
    env = {**wiki.env, "COMPANION_NOW": "2026-03-01T09:00:00Z"}
    subprocess.run(
        [sys.executable, "-c", BY_SLUGS], cwd=wiki.root, env=env, check=True
    )
    assert list(wiki.root.rglob("anna-weber.md"))
    return wiki


def both_wrote(root: Path) -> Living:
    """Two machines wrote one day's page; git has united their lines, as it does on request."""
    wiki = _started(root)
    other = Living(root.parent / "laptop")
    wiki.git("clone", "-q", ".", str(other.root))
    for one, text in ((wiki, STAMPS), (other, RAIN)):
        _at(one, "2026-03-01", "ingest", text)
        _at(one, "2026-03-01", "consolidate")
    (wiki.root / ".git/info/attributes").write_text("*.md merge=union\n")
    wiki.git("pull", "-q", "--no-rebase", "--no-edit", str(other.root))
    return wiki


def pages_bear_their_titles(wiki: Living) -> None:
    """Each page has the name of its title, and nothing else of it is changed."""
    check_blocks(wiki.files(), wiki.ledger())
    names = {path.name for path in wiki.root.rglob("entries/**/*.md")}
    assert names == {"Anna Weber.md", "Paul Berg.md"}
    assert "She rows." in wiki.text()
    assert "He sails with [[Anna Weber]]." in wiki.text()


def day_stands_once(wiki: Living) -> None:
    """The day has the notes of both machines, each once."""
    _stand_on(wiki, "2026-03-01", (STAMPS, RAIN))


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
