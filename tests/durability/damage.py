"""Every damage that we can think of, made on purpose: a name, and what it does to the files.

`made` is the wiki that is damaged: pages by nights and by hand, loose and packed objects, consumed,
waiting, private and not yet anchored captures. A damage is a function of its folder, and of chance.
"""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.living import Living

Act = Callable[[Path, random.Random], object]


class Damage(NamedTuple):
    """One way to damage one kind of file."""

    name: str
    act: Act
    derivable: bool = False  # `doctor --repair` must make all well again


def made(root: Path) -> Living:
    """Make the wiki that is to be damaged."""
    wiki = Living(root)
    root.mkdir(parents=True)
    wiki.write("Garden.md", "# Garden\n\nTomatoes want sun. See [[Harbour]].\n")
    wiki.doc("init", ".")
    for night in range(3):
        wiki.ingest(f"The harbour opens at {night + 5}.", title="Harbour")
        wiki.ingest(
            *(
                f"Thing {night}{n} is by the {place}"
                for n, place in enumerate(("door", "wall", "sea"))
            )
        )
        wiki.doc("consolidate")
        if night == 1:
            wiki.git("repack", "-adq")
            wiki.git("pack-refs", "--all")
    wiki.append("Garden.md", "Beans climb.")
    wiki.doc("adopt")
    wiki.ingest("The harbour opens at nine.", title="Harbour")
    wiki.run("ingest", "only between us", "--scope", "private")
    wiki.doc("consolidate")
    wiki.ingest("A thought that waits", "Another one")
    return wiki


# -- ways ------------------------------------------------------------------------------------------


def flip(path: Path, chance: random.Random) -> None:
    """Flip one bit somewhere."""
    data = bytearray(path.read_bytes())
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    put(path, bytes(data))


def truncate(path: Path, chance: random.Random) -> None:
    put(
        path,
        path.read_bytes()[: chance.randrange(1 + path.stat().st_size // 2)],
    )


def empty(path: Path, chance: random.Random) -> None:
    put(path, b"")


def zero(path: Path, chance: random.Random) -> None:
    put(path, bytes(path.stat().st_size))


def delete(path: Path, chance: random.Random) -> None:
    path.unlink()


def put(path: Path, data: bytes) -> None:
    """Write over a file in place, whatever its mode: objects of git's are read-only."""
    path.chmod(0o644)
    path.write_bytes(data)


WAYS = (flip, truncate, empty, zero, delete)


# -- what there is to damage -----------------------------------------------------------------------


def kinds(root: Path) -> dict[str, list[Path]]:
    """Return the files of *root* by kind; every kind has one."""
    git, state = root / ".git", root / ".git/companion"
    loose = {
        path.parent.name + path.name: path for path in git.glob("objects/??/*")
    }
    wiki = Living(root)
    by_type: dict[str, list[Path]] = {}
    for id, path in sorted(loose.items()):
        by_type.setdefault(
            "loose " + wiki.git("cat-file", "-t", id), []
        ).append(path)
    found = {
        **by_type,
        "pack": sorted(git.glob("objects/pack/*.pack")),
        "pack idx": sorted(git.glob("objects/pack/*.idx")),
        "branch": [git / "refs/heads/main"],
        "buffer ref": [git / "refs/companion/buffer"],
        "packed-refs": [git / "packed-refs"],
        "HEAD": [git / "HEAD"],
        "git config": [git / "config"],
        "git index": [git / "index"],
        "journal": [state / "journal.db"],
        "journal log": [state / "journal.db-wal"],
        "index": [state / "index.db"],
        "kept": sorted((state / "kept").iterdir()),
        "page": [root / "Garden.md", *sorted(root.glob("entries/**/*.md"))],
        "ledger": sorted(root.glob(".companion/ledger/**/*.jsonl")),
        "config": [root / ".companion/companion.yaml"],
    }
    assert all(found.values()), [
        kind for kind, paths in found.items() if not paths
    ]
    return found


def everything(root: Path, rounds: int = 1) -> Iterator[Damage]:
    """Yield the whole matrix for wikis that are copies of *root*."""
    derivable = {"index", "ledger"}
    for kind, paths in kinds(root).items():
        for way in WAYS:
            for turn in range(rounds if way in (flip, truncate) else 1):
                yield Damage(
                    f"{way.__name__} {kind} {turn}",
                    _at(root, paths, way),
                    kind in derivable,
                )
    yield from SPECIAL


def _at(root: Path, paths: list[Path], way: Act) -> Act:
    inside = [path.relative_to(root) for path in paths]
    return lambda copy, chance: way(copy / chance.choice(inside), chance)


# -- what is no file alone -------------------------------------------------------------------------


def _sql(name: str, *statements: str) -> Act:
    def act(root: Path, chance: random.Random) -> None:
        db = sqlite3.connect(root / ".git/companion" / name)
        for statement in statements:
            db.execute(statement)
        db.commit()
        db.close()

    return act


def _file(path: str, text: str) -> Act:
    return lambda root, chance: (root / path).write_text(text)


def _swap(one: str, other: str) -> Act:
    def act(root: Path, chance: random.Random) -> None:
        os.rename(root / one, root / "swapped")
        os.rename(root / other, root / one)
        os.rename(root / "swapped", root / other)

    return act


def _swap_loose(root: Path, chance: random.Random) -> None:
    one, other = chance.sample(sorted((root / ".git/objects").glob("??/*")), 2)
    _swap(str(one.relative_to(root)), str(other.relative_to(root)))(
        root, chance
    )


def _git(*args: str) -> Act:
    return lambda root, chance: Living(root).git(*args)


def _stale_index(root: Path, chance: random.Random) -> None:
    """Put an index of three commits ago in the place of today's."""
    Living(root).git("reset", "-q", "--hard", "HEAD~2")
    Living(root).doc("rebuild")
    Living(root).git("reset", "-q", "--hard", "ORIG_HEAD")


def _lose_state(root: Path, chance: random.Random) -> None:
    shutil.rmtree(root / ".git/companion")


def _leftover(root: Path, chance: random.Random) -> None:
    path = root / "entries/.companion-123-4"
    path.write_text("half a pa")
    os.utime(path, (1_000_000, 1_000_000))


_ROW = (
    "(SELECT seq FROM captures WHERE content IS NOT NULL ORDER BY seq LIMIT 1)"
)
_META = f"UPDATE meta SET value='{'a' * 40}'"
SPECIAL = (
    Damage("git's index is locked", _file(".git/index.lock", "")),
    Damage("the branch is locked", _file(".git/refs/heads/main.lock", "")),
    Damage("sleep.lock of a dead process", _file(".git/companion/sleep.lock", "999999 consolidate\n"), True),
    Damage("prefix that leads nowhere", _file(".git/companion/prefix", "a\0b"), True),
    Damage("prefix of another folder", _file(".git/companion/prefix", "elsewhere/"), True),
    Damage("a trigger is missing", _sql("journal.db", "DROP TRIGGER captures_stay"), True),
    Damage("an index of the journal is missing", _sql("journal.db", "DROP INDEX captures_open"), True),
    Damage("intent that is no intent", _sql("journal.db", "INSERT INTO meta VALUES ('intent', '{')")),
    Damage(
        "a capture's bytes changed",
        _sql("journal.db", "DROP TRIGGER content_immutable", f"UPDATE captures SET content = x'41' WHERE seq = {_ROW}"),
    ),
    Damage(
        "the journal forgot a capture",
        _sql("journal.db", "DROP TRIGGER captures_stay", "DELETE FROM captures WHERE anchored AND seq = 1"),
        True,
    ),
    Damage(
        "candidate edges that are no list",
        _sql("journal.db", "DROP TRIGGER captures_immutable", "UPDATE captures SET edges='{' WHERE seq = 1"),
    ),
    Damage("index behind", _stale_index, True),
    Damage("index ahead", _git("update-ref", "refs/heads/main", "HEAD~1"), True),
    Damage("index of a commit that is not here", _sql("index.db", f"{_META} WHERE key='commit'"), True),
    Damage("index of another tree", _sql("index.db", f"{_META} WHERE key='tree'"), True),
    Damage("index without its counts", _sql("index.db", "DELETE FROM meta WHERE key='tokens'"), True),
    Damage("index that lost an entry", _sql("index.db", "DELETE FROM entries WHERE title='Garden'"), True),
    Damage("words of another page", _sql("index.db", "INSERT INTO fts(rowid, body) VALUES (1, 'nonsense')"), True),
    Damage("full text without a segment", _sql("index.db", "DELETE FROM fts_data WHERE id > 10"), True),
    Damage("journal and index swapped", _swap(".git/companion/journal.db", ".git/companion/index.db")),
    Damage("two loose objects swapped", _swap_loose),
    Damage("the buffer ref is gone", _git("update-ref", "-d", "refs/companion/buffer"), True),
    Damage("the branch is gone", _git("update-ref", "-d", "refs/heads/main")),
    Damage("the state folder is gone", _lose_state, True),
    Damage("a leftover of a killed process", _leftover, True),
)  # fmt: skip
