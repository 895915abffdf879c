"""Whatever is damaged, `doctor` names it or nothing is lost by it; a repair loses nothing; no verb
breaks down.
"""

import json
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pygit2
import pytest

from companion.maintenance.doctor import run as health
from companion.storage.git import layout
from companion.storage.git.objects import hash_blob
from companion.workspace import Workspace
from tests.durability.damage import SPECIAL, WAYS, Damage, everything, made
from tests.living import Living

VERBS = (
    ["status"],
    ["search", "harbour"],
    ["show", "Harbour"],
    ["why", "Harbour"],
    ["log"],
    ["consolidate", "--dry-run"],
    ["adopt", "--dry-run"],
    ["ingest", "one more"],
    ["consolidate"],
    ["rebuild"],
    ["undo", "2"],
)
ERRORS = {0, 1, 2, 10, 11, 65, 74, 75}
SAMPLE = 24


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Living:
    return made(tmp_path_factory.mktemp("sound") / "wiki")


def test_a_sound_wiki_is_found_sound(sound: Living, tmp_path: Path) -> None:
    assert examined(sound.copy(tmp_path / "copy")) == {
        "ok": True,
        "findings": [],
        "repaired": [],
    }
    assert len(words(sound)) > 12
    assert words(sound) == readable(sound, words(sound))


def test_a_sample_of_all_damages(sound: Living, tmp_path: Path) -> None:
    for damage in random.Random(20261121).sample(
        list(everything(sound.root)), SAMPLE
    ):
        check(sound, damage, tmp_path / damage.name)


def test_every_verb_says_that_the_record_of_a_run_is_damaged(
    sound: Living, tmp_path: Path
) -> None:
    # It came as "unexpected", with the advice to report it.
    check(
        sound,
        next(one for one in SPECIAL if one.name.startswith("intent")),
        tmp_path,
        verbs=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("way", [*(way.__name__ for way in WAYS), "special"])
def test_every_damage(sound: Living, tmp_path: Path, way: str) -> None:
    chosen = [
        damage
        for damage in everything(sound.root, rounds=4)
        if damage.name.startswith(way)
    ]
    for damage in chosen if way != "special" else SPECIAL:
        check(sound, damage, tmp_path / damage.name, verbs=True)


def check(
    sound: Living, damage: Damage, room: Path, *, verbs: bool = False
) -> None:
    """The laws of damage, for one of them."""
    hurt = sound.copy(room / "hurt")
    damage.act(hurt.root, random.Random(damage.name))
    wanted = words(sound)
    before = readable(hurt, wanted)
    if verbs:
        use(hurt.copy(room / "used"), damage)
    said = examined(hurt.copy(room / "examined"))
    assert not said["ok"] or before == wanted, (
        f"{damage.name}: not seen, and words are gone"
    )
    assert all(
        found["kind"] and found["what"] and found["hint"]
        for found in said["findings"]
    ), (
        damage.name,
        said,
    )
    done = examined(hurt, repair=True)
    assert readable(hurt, wanted) >= before, (
        f"{damage.name}: the repair lost words; {done}"
    )
    assert done["ok"] or not damage.derivable, (damage.name, done)
    shutil.rmtree(room)


def use(wiki: Living, damage: Damage) -> None:
    """Every verb works or says what is wrong, with a hint."""
    for argv in VERBS:
        done = wiki.run("--json", *argv)
        assert done.returncode in ERRORS and b"Traceback" not in done.stderr, (
            damage.name,
            argv,
            done,
        )
        if done.returncode > 2:
            error = json.loads(done.stdout)["error"]
            assert error["message"] and error["hint"], (
                damage.name,
                argv,
                error,
            )


def examined(wiki: Living, *, repair: bool = False) -> dict[str, Any]:
    found = layout.make_place(str(wiki.root))
    assert found is not None
    return health.doctor(Workspace(found), repair=repair)


def words(sound: Living) -> set[str]:
    """Return the blob ids of what a person wrote or told: the pages as they stand, and every
    capture.
    """
    pages = sound.git(
        "ls-tree", "-r", "--format=%(objectname) %(path)", "HEAD"
    ).splitlines()
    db = sqlite3.connect(
        f"file:{sound.root}/.git/companion/journal.db?mode=ro", uri=True
    )
    told = {blob for (blob,) in db.execute("SELECT blob FROM captures")}
    db.close()
    return told | {line[:40] for line in pages if line.endswith(".md")}


def readable(wiki: Living, wanted: set[str]) -> set[str]:
    """Return which of *wanted* are anywhere in the wiki and whole: git, journal, work tree, kept
    copies.
    """
    files = [
        path
        for path in wiki.root.rglob("*")
        if path.is_file() and path.suffix == ".md"
    ]
    here = {hash_blob(path.read_bytes()) for path in files} | _rows(wiki)
    odb = pygit2.Odb(str(wiki.root / ".git/objects"))
    return {id for id in wanted if id in here or _whole(odb, id)}


def _whole(odb: pygit2.Odb, id: str) -> bool:
    try:
        return hash_blob(odb.read(id)[1]) == id
    except (KeyError, pygit2.GitError):
        return False


def _rows(wiki: Living) -> set[str]:
    found = set()
    for name in ("journal.db", "index.db"):  # they may have been swapped
        copy = wiki.root.parent / "rows"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in (wiki.root / ".git/companion").glob("*.db*"):
            shutil.copy(file, copy)
        try:
            db = sqlite3.connect(copy / name)
            found |= {
                hash_blob(content)
                for (content,) in db.execute(
                    "SELECT content FROM captures WHERE content NOTNULL"
                )
            }
            db.close()
        except sqlite3.Error:
            continue  # then its rows are not readable: that is the answer
    return found
