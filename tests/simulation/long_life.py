"""`python -m tests.simulation.long_life [--nights 730] [--seed S]`: find every captured byte again.

One wiki lives that many days. Notes come in several scripts and line ends, as copies, in private; a
person edits pages; the index is deleted; nights are killed at a random moment; a second machine tells
notes and sleeps, and both are merged. In the end each acknowledged note is compared byte for byte,
here and in a fresh clone. Exit code 1 where one is not there.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from companion.errors import CompanionError
from companion.maintenance.remotes import remote
from companion.storage.git.objects import hash_blob
from tests.bench.bare import forget_durability
from tests.wiki import Wiki, check_captures, check_health, git

_SUBJECTS = (
    "The boiler",
    "Minka",
    "Der Keller",
    "家の鍵",
    "Ключ",
    "Ana's bike",
)
_ENDS = (
    "was seen again",
    "costs {} euros",
    "steht bei {}",
    "は{}番です",
    "is no longer {}",
)


class LongLife:
    """A wiki, a second machine, and everything that was acknowledged."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.shelf = folder / "shelf.git"
        git(folder, "init", "-q", "--bare", "-b", "main", str(self.shelf))
        self.home = Wiki.new(folder / "home")
        remote.add(self.home.ws, "shelf", str(self.shelf))
        self.home.git("push", "-q", "shelf", "HEAD")
        self.away = self.home.clone(folder / "away")
        remote.add(self.away.ws, "shelf", str(self.shelf))
        # what each machine acknowledged, and how much of it is private there
        self.told: dict[Wiki, dict[str, bytes]] = {self.home: {}, self.away: {}}
        self.private: set[str] = set()
        self.killed = self.edited = self.merged = 0

    def live(self, nights: int) -> None:
        """Live *nights* days, each with its night."""
        for number in range(1, nights + 1):
            self.home.tick(hours=24)
            self._tell(self.home)
            if number % 5 == 0:
                self._edit()
            if number % 11 == 0:
                _forget_index(self.home)
            if number % 7 == 0:
                self._kill_a_night()
            self.home.consolidate()
            if number % 30 == 0:
                self._meet()
        self._meet()

    def _tell(self, wiki: Wiki) -> None:
        for _ in range(self.chance.randint(1, 4)):
            text = self._write()
            is_private = self.chance.random() < 0.1
            scope = {"scope": "private"} if is_private else {}
            (done,) = wiki.ingest(text, **scope)
            self.told[wiki][done["id"]] = text.encode()
            if is_private:
                self.private.add(done["id"])

    def _write(self) -> str:
        """Return a note: a line or many, sometimes the words of an earlier one."""
        known = list(self.told[self.home].values())
        if known and self.chance.random() < 0.1:
            return self.chance.choice(known).decode()
        lines = []
        for _ in range(self.chance.choice((1, 1, 1, 2, 40))):
            end = self.chance.choice(_ENDS).format(self.chance.randint(1, 999))
            lines.append(f"{self.chance.choice(_SUBJECTS)} {end}.")
        return self.chance.choice(("\n", "\r\n")).join(lines)

    def _edit(self) -> None:
        """Add a line to a page, as an editor does; sometimes commit it."""
        pages = sorted(self.home.root.glob("[ej]*/**/*.md"))
        if not pages:
            return
        page = self.chance.choice(pages)
        line = f"\nA line of mine, number {self.edited}.\n"
        page.write_bytes(page.read_bytes() + line.encode())
        self.edited += 1
        if self.chance.random() < 0.5:
            self.home.commit()
        self.home.adopt()

    def _kill_a_night(self) -> None:
        """Begin a night in a process of its own, and kill it at some moment."""
        child = os.fork()
        if child == 0:
            try:
                self.home.consolidate()
            finally:
                os._exit(0)
        time.sleep(self.chance.uniform(0.0, 0.4))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.killed += 1

    def _meet(self) -> None:
        """Let the second machine tell notes and sleep; then merge both."""
        self.away.now = self.home.now
        self._tell(self.away)
        self.away.consolidate()
        for wiki in (self.away, self.home, self.away):
            remote.sync(wiki.ws, "shelf")
        self.home.git("fetch", "-q", str(self.away.root))
        self.home.git("add", "-A")
        if self.home.git("status", "--porcelain"):
            self.home.commit()
        self.home.git("merge", "-q", "FETCH_HEAD", check=False)
        # whoever merges two pages of one name in a hurry commits git's marks
        self.home.git("add", "-A")
        if self.home.git("status", "--porcelain"):
            self.home.commit("together")
        self.home.tick()
        self.home.consolidate()
        self.away.git("pull", "-q", "--ff-only", str(self.home.root), "main")
        self.merged += 1


def _forget_index(wiki: Wiki) -> None:
    for path in Path(wiki.ws.place.state).glob("index.db*"):
        path.unlink()


def check(life: LongLife, folder: Path) -> None:
    """Compare everything acknowledged, here and in a fresh clone. Raises AssertionError."""
    check_captures(life.home, life.told[life.home])
    check_health(life.home)
    for id, content in life.told[life.away].items():
        assert _read(life.away, id) == content, f"the other machine lacks {id}"
    remote.sync(life.home.ws, "shelf")
    life.home.git("push", "-q", "shelf", "HEAD")
    fresh = Wiki(folder / "fresh", life.home.now)
    git(folder, "clone", "-q", str(life.shelf), str(fresh.root))
    remote.add(fresh.ws, "origin", str(life.shelf))
    remote.sync(fresh.ws, "origin")
    repo = fresh.repo()
    for told in life.told.values():
        for id in told.keys() - life.private:
            content = told[id]
            found = repo.blob(hash_blob(content))
            assert found == content, f"a fresh clone lacks {id}"


def _read(wiki: Wiki, id: str) -> bytes:
    """Return the bytes of a note as the machine that heard it has them."""
    with closing(wiki.journal()) as journal:
        (kept,) = journal.capture(id)
    # once git has the note, the journal keeps its name and no bytes
    return kept.content or wiki.repo().blob(kept.blob)


def main(argv: Sequence[str] | None = None) -> int:
    """Live, compare, print what happened."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation.long_life", description=__doc__
    )
    parser.add_argument("--nights", type=int, default=730)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(argv)
    forget_durability()
    folder = Path(tempfile.mkdtemp(prefix="long-life-"))
    life = LongLife(folder, options.seed)
    try:
        life.live(options.nights)
        check(life, folder)
    except (AssertionError, CompanionError) as error:
        print(f"LOST: {error}; everything is kept in {folder}")
        return 1
    shutil.rmtree(folder)
    told = [text for each in life.told.values() for text in each.values()]
    notes, count = len(told), sum(map(len, told))
    print(
        f"{options.nights} nights, {life.killed} of them killed first, {life.edited} edits,"
        f" {life.merged} merges: all {notes:,} notes, {count:,} bytes, are there to the byte"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
