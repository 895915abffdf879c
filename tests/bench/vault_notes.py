"""Plain notes told about the pages of somebody's vault: no file of theirs may change by a byte.

The vaults are read from a folder that is given, copied to a temporary one and adopted there. On each
of six days ten notes are told that name a page of theirs by its title. Nothing of a vault is printed
but counts.
"""

import random
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion.lookup.index import current_index
from companion.pages.links import choose, key
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench import bare
from tests.bench.life import Life
from tests.statements import list_managed
from tests.wiki import Wiki, check_index, check_statements

START = datetime(2026, 11, 2, 8, tzinfo=UTC)
SEED = 20261123
DAYS = 6
PER_DAY = 10
FORMS = (
    "{} is what I should read again before {}",
    "talked about {} with {}",
    "no progress on {} since {}",
    "{}: ask {} what changed",
    "[[{}]] was worth the hour, says {}",
    "heute an {} gearbeitet, {} Seiten",
)
OURS = "on a page of its own subject"
DAY = "on a day"
BESIDE = "beside a page of theirs"
FILL = ("Friday", "Monday", "Ines", "Olaf", "forty", "June", "eleven")


class Told(NamedTuple):
    """What became of the notes of one vault: how many of its files changed, and where notes stand."""

    changed: int
    homes: Counter[str]


def vault_notes(data: Path) -> list[Told]:
    """Tell notes about the pages of each vault under *data*; print and return what became of them."""
    bare.forget_durability()
    found = []
    for vault in sorted(path for path in data.iterdir() if path.is_dir()):
        with TemporaryDirectory(prefix="companion-bench-") as folder:
            found.append(_live(vault, Path(folder) / "wiki"))
    return found


def _live(vault: Path, root: Path) -> Told:
    shutil.copytree(vault, root)
    theirs = _read_files(root)
    life = Life(root, format_instant(START - timedelta(days=1)))
    chance = random.Random(SEED)
    titles = _list_titles(life)
    for day in range(DAYS):
        morning = START + timedelta(days=day)
        for n in range(PER_DAY):
            life.at(format_instant(morning + timedelta(minutes=n)))
            title = chance.choice(titles)
            form = chance.choice(FORMS)
            life.tell([Draft(form.format(title, chance.choice(FILL)))])
        life.at(format_instant(morning + timedelta(hours=12)))
        life.night()
    files = _read_files(root)
    changed = [path for path in theirs if files.get(path) != theirs[path]]
    print(f"{vault.name}: {len(theirs):,} files, {len(changed)} changed")
    homes = _print_homes(life, files)
    wiki = Wiki(root, START + timedelta(days=DAYS))
    check_statements(wiki)
    check_index(wiki)
    _print_links(life, files)
    return Told(len(changed), homes)


def _list_titles(life: Life) -> list[str]:
    """Return the titles of their pages that a sentence can name."""
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    rows = db.execute("SELECT title FROM pages ORDER BY path")
    titles = {title for (title,) in rows if title and len(title) < 60}
    return sorted(title for title in titles if title.isprintable())


def _print_homes(life: Life, files: Mapping[str, bytes]) -> Counter[str]:
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    query = (
        "SELECT entries.path, entries.title FROM consumed JOIN entries"
        " ON entries.id = consumed.entry"
    )
    homes: Counter[str] = Counter()
    for path, title in db.execute(query):
        place = OURS
        if path.startswith("journal/"):
            place = DAY
        elif title.endswith("(notes)"):
            place = BESIDE
        homes[place] += 1
    notes = sum(homes.values())
    for place, count in sorted(homes.items()):
        print(f"  notes {place}: {count} of {notes}")
    (mentions,) = db.execute("SELECT count(*) FROM mentions").fetchone()
    pages = len(list_managed(files))
    print(f"  pages of companion's: {pages}; concerns recorded: {mentions}")
    return homes


def _print_links(life: Life, files: Mapping[str, bytes]) -> None:
    """Print how many links on companion's pages resolve by file name."""
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    paths: dict[str, list[str]] = {}
    for (path,) in db.execute("SELECT path FROM pages WHERE branch IS NULL"):
        paths.setdefault(key(path), []).append(path)
    ours = list_managed(files)
    counted: Counter[str] = Counter()
    for page, target, to_path, kind in db.execute(
        "SELECT page, target, to_path, kind FROM links"
    ):
        if page not in ours or to_path is None:
            continue
        found = choose(target, page, paths.get(key(target), ()))
        counted["by name" if found else f"not by name ({kind})"] += 1
    for name, count in sorted(counted.items()):
        print(f"  links of companion's pages that have a page, {name}: {count}")


def _read_files(root: Path) -> dict[str, bytes]:
    """Return every file outside .git and companion's own folder."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith((".git/", ".companion/")):
            found[name] = path.read_bytes()
    return found
