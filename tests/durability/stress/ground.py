"""The folders that the hands share, the courtesies between them, and the book in which each writes
what it did.
"""

import fcntl
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

TOKEN = re.compile(rb"zq[a-z]+x\d+x\d{6}z")
SKIPPED = {".git", ".companion"}


class Ground:
    """The scratch folder of one stress: the wiki, the remote, a second clone, the trash, and the
    books.
    """

    def __init__(self, folder: Path, mutant: str | None = None) -> None:
        self.folder, self.mutant = folder, mutant
        self.wiki, self.hub, self.second = (
            folder / "wiki",
            folder / "hub.git",
            folder / "second",
        )
        self.trash, self.books, self.locks = (
            folder / "trash",
            folder / "books",
            folder / "locks",
        )

    def make(self) -> None:
        for path in (self.trash, self.books, self.locks):
            path.mkdir(parents=True)

    # -- courtesies between the person's own hands -------------------------------------------------

    @contextmanager
    def saving(self) -> Iterator[None]:
        """While an editor saves: no git command of theirs rewrites the work tree meanwhile."""
        with self._lock("turnstile", fcntl.LOCK_EX):
            room = self._open("room", fcntl.LOCK_SH)
        try:
            yield
        finally:
            os.close(room)

    @contextmanager
    def commanding(self) -> Iterator[None]:
        """While a git command of theirs rewrites the work tree: nobody saves meanwhile."""
        with (
            self._lock("turnstile", fcntl.LOCK_EX),
            self._lock("room", fcntl.LOCK_EX),
        ):
            yield

    @contextmanager
    def opened(self, page: Path) -> Iterator[bool]:
        """A page is open in one editor at a time; False where another has it, or where there is
        none.
        """
        with self.claimed(page) as mine:
            yield mine and page.exists()

    @contextmanager
    def claimed(self, page: Path) -> Iterator[bool]:
        """Have a path to oneself among the editors; False where another has it."""
        name = sha256(os.fsencode(page)).hexdigest()[:24]
        fd = os.open(self.locks / name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            yield True
        finally:
            os.close(fd)

    @contextmanager
    def _lock(self, name: str, how: int) -> Iterator[None]:
        fd = self._open(name, how)
        try:
            yield
        finally:
            os.close(fd)

    def _open(self, name: str, how: int) -> int:
        fd = os.open(self.locks / name, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
        fcntl.flock(fd, how)
        return fd

    # -- what is there -----------------------------------------------------------------------------

    def files(self) -> Iterator[Path]:
        """Yield every file of the work tree that is not git's or companion's own."""
        for folder, folders, names in os.walk(self.wiki):
            folders[:] = [name for name in folders if name not in SKIPPED]
            yield from (Path(folder, name) for name in names)

    def pages(self) -> list[Path]:
        return sorted(
            path for path in self.files() if path.suffix.lower() == ".md"
        )

    def inodes(self) -> set[int]:
        """Return the inodes of the work tree's files and of those that nights replaced and keep."""
        kept = self.wiki / ".git/companion/kept"
        found = set()
        for path in (*self.files(), *(kept.iterdir() if kept.exists() else ())):
            try:
                found.add(path.lstat().st_ino)
            except FileNotFoundError:
                pass  # moved by a night while we looked
        return found


def tokens_in(paths: Iterator[Path] | list[Path]) -> set[str]:
    """Return every token in these files; one that vanishes meanwhile holds none."""
    found: set[str] = set()
    for path in paths:
        try:
            found |= tokens(path.read_bytes())
        except (FileNotFoundError, IsADirectoryError):
            pass  # moved by a night while we looked
    return found


def tokens(data: bytes) -> set[str]:
    return {token.decode() for token in TOKEN.findall(data)}


class Hand:
    """One process of the person or of companion: it does something again and again until the time
    is over.
    """

    kind = "hand"

    def __init__(
        self, ground: Ground, number: int, seed: int, until: float
    ) -> None:
        self.ground, self.number, self.until = ground, number, until
        self.random = random.Random(f"{seed} {self.kind} {number}")
        self.serial = 0
        self.book = (ground.books / f"{self.kind}-{number}.jsonl").open(
            "a", buffering=1
        )

    def token(self) -> str:
        self.serial += 1
        return f"zq{self.kind}x{self.number}x{self.serial:06}z"

    def note(self, event: str, **values: Any) -> None:
        """Write one line into the book; unbuffered, so that nothing is forgotten when the hand is
        cut off.
        """
        self.book.write(
            json.dumps({"e": event, "at": time.time(), **values}) + "\n"
        )

    def over(self) -> bool:
        return time.time() >= self.until

    def rest(self, least: float, most: float) -> None:
        time.sleep(
            max(
                0.0,
                min(self.random.uniform(least, most), self.until - time.time()),
            )
        )

    def work(self) -> None:
        """Do things until the time is over; a failure is noted and ends this hand."""
        try:
            while not self.over():
                self.once()
            self.leave()
        except Exception as error:
            import traceback

            self.note(
                "failed",
                what=f"{type(error).__name__}: {error}",
                trace=traceback.format_exc(),
            )
            raise

    def once(self) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        """Tidy up at the end."""


def some(choices: dict[Callable[[], None], int], chance: random.Random) -> None:
    """Do one of *choices*, by its weight."""
    (act,) = chance.choices(list(choices), list(choices.values()))
    act()
