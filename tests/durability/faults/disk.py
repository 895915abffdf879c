"""What a disk may hold after a power cut: recorded calls replayed, what was not synced dropped,
torn or kept.

The model is that of ALICE (Pillai et al., OSDI '14) and CrashMonkey (Mohan et al., OSDI '18), for
journaling file systems: fsync of a file saves its bytes, fsync of a folder saves the names in it,
and nothing else is saved. One rename or exchange is atomic; a pending one may come without an
earlier pending one, unless both concern one name. A name may come without the bytes: the file is
then empty, cut short, or has zeros where bytes should be.
"""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.durability.faults.calls import Op

Names = dict[str, int | str]  # path → file, or "dir"
Group = list[tuple[str, int | str | None]]  # names that change together


class State(NamedTuple):
    """A disk after a power cut."""

    at: int  # operations that had happened
    how: str
    said: bytes  # what the program had told by then
    files: dict[str, bytes | None]  # None: a folder
    same: dict[str, int]  # path → file: two names of one file stay so
    modes: dict[int, int]

    @property
    def id(self) -> int:
        """A hash, good in this process, of everything that the next command could find."""
        names: dict[int, str] = {}
        rows = [
            (
                path,
                data,
                names.setdefault(self.same[path], path)
                if path in self.same
                else "",
            )
            for path, data in sorted(self.files.items())
        ]
        return hash((self.said, *rows))

    def write(self, base: Path) -> None:
        """Make this the content of the empty folder *base*."""
        made: dict[int, Path] = {}
        for path in sorted(self.files):
            data, target = self.files[path], base / path
            if data is None:
                target.mkdir()
            elif self.same[path] in made:
                os.link(made[self.same[path]], target)
            else:
                target.write_bytes(data)
                target.chmod(self.modes[self.same[path]])
                made[self.same[path]] = target


class Disk:
    """What is saved, and what is still in the machine's memory only."""

    def __init__(self) -> None:
        self.saved: Names = {}
        self.pending: list[Group] = []
        # the folders that each pending group still waits for
        self.unsynced: list[set[str]] = []
        self.old: dict[int, bytes] = {}  # what an fsync has saved of each file
        self.new: dict[int, bytes] = {}
        # files whose newest bytes a failed fsync dropped
        self.lost: set[int] = set()
        self.modes: dict[int, int] = {}
        self.said = b""
        self.done = 0
        # torn contents: one object each, hashed once
        self.made: dict[tuple[str, bytes, bytes], bytes] = {}

    def apply(self, op: Op) -> None:
        """Let one recorded operation happen."""
        self.done += 1
        getattr(self, "_" + op[0].replace(" ", "_"))(*op[1:])

    def _given(self, path: str, file: int | str, data: bytes) -> None:
        self.saved[path] = file
        if isinstance(file, int):
            self.old[file] = self.new[file] = data

    def _born(self, file: int, mode: int) -> None:
        self.old[file], self.new[file], self.modes[file] = b"", b"", mode

    def _names(self, group: Group) -> None:
        self.pending.append(group)
        self.unsynced.append({os.path.dirname(path) for path, _ in group})

    def _moved(self, a: str, b: str) -> None:
        """A folder gets another name; all that is in it goes with it, in one step."""
        names = self._names_with(set(range(len(self.pending))))
        inside = {
            path: file
            for path, file in names.items()
            if path == a or path.startswith(a + "/")
        }
        self.pending.append(
            [(path, None) for path in inside]
            + [(b + p[len(a) :], file) for p, file in inside.items()]
        )
        self.unsynced.append({os.path.dirname(a), os.path.dirname(b)})

    def _bytes(self, file: int, data: bytes) -> None:
        self.new[file] = data
        self.lost.discard(file)

    def _sync(self, file: int) -> None:
        if file not in self.lost:
            self.old[file] = self.new[file]

    def _lost(self, file: int | None) -> None:
        # The kernel calls the pages clean after a failed fsync: the next one succeeds and saves
        # nothing.
        if file is not None:
            self.lost.add(file)

    def _sync_folder(self, folder: str) -> None:
        for waits in self.unsynced:
            waits.discard(folder)
        due = {n for n, waits in enumerate(self.unsynced) if not waits}
        self._settle(self._with_earlier(due))

    def _sync_all(self) -> None:
        self._settle(set(range(len(self.pending))))
        for file in self.new:
            self._sync(file)

    def _said(self, piece: bytes) -> None:
        self.said += piece

    def _settle(self, due: set[int]) -> None:
        self.saved = self._names_with(due)
        left = [n for n in range(len(self.pending)) if n not in due]
        self.pending = [self.pending[n] for n in left]
        self.unsynced = [self.unsynced[n] for n in left]

    def _with_earlier(self, chosen: set[int]) -> set[int]:
        """Add the earlier pending groups that concern a name of a chosen one."""
        closed: set[int] = set()
        names: set[str] = set()
        for n in reversed(range(len(self.pending))):
            paths = {path for path, _ in self.pending[n]}
            if n in chosen or paths & names:
                closed.add(n)
                names |= paths
        return closed

    def _names_with(self, chosen: set[int]) -> Names:
        names = dict(self.saved)
        for n in sorted(chosen):
            for path, file in self.pending[n]:
                if file is None:
                    names.pop(path, None)
                else:
                    names[path] = file
        return names

    # -- power cuts --------------------------------------------------------------------------------

    def cuts(self, dice: random.Random, extra: int = 3) -> Iterator[State]:
        """Yield what may be there if the power fails now."""
        everything = set(range(len(self.pending)))
        yield self._state("nothing unsynced", set(), self._saved)
        yield self._state("names without bytes", everything, self._saved)
        yield self._state("bytes without names", set(), self._kept)
        yield self._state("half of the bytes", everything, self._torn)
        yield self._state("zeros for bytes", everything, self._zeros)
        for n in range(1, len(self.pending)):
            yield self._state(
                f"the first {n} names", set(range(n)), self._saved
            )
        for n in range(extra if self.pending else 1):
            chosen = self._with_earlier(
                {n for n in everything if dice.random() < 0.5}
            )
            kinds = {
                file: dice.choice(
                    (self._saved, self._kept, self._torn, self._zeros)
                )
                for file in sorted(self.new)
            }
            yield self._state(
                f"by chance {n}",
                chosen,
                lambda file, kinds=kinds: kinds[file](file),
            )  # type: ignore[misc]

    def _state(
        self, how: str, chosen: set[int], content: Callable[[int], bytes]
    ) -> State:
        names = self._names_with(chosen)
        files: dict[str, bytes | None] = {}
        same: dict[str, int] = {}
        for path in sorted(names):
            parent, file = os.path.dirname(path), names[path]
            if parent and files.get(parent, b"") is not None:
                continue  # its folder has no name
            if path.endswith("-shm"):
                continue  # SQLite makes it anew from the log
            files[path] = None if isinstance(file, str) else content(file)
            if isinstance(file, int):
                same[path] = file
        return State(self.done, how, self.said, files, same, self.modes)

    def _saved(self, file: int) -> bytes:
        return self.old[file]

    def _kept(self, file: int) -> bytes:
        return self.old[file] if file in self.lost else self.new[file]

    def _torn(self, file: int) -> bytes:
        return self._made(
            file,
            "torn",
            lambda old, new, same: (
                new[: (n := (same + len(new)) // 2)] + old[n:]
            ),
        )

    def _zeros(self, file: int) -> bytes:
        return self._made(
            file,
            "zeros",
            lambda old, new, same: new[:same] + bytes(len(new) - same),
        )

    def _made(
        self, file: int, how: str, make: Callable[[bytes, bytes, int], bytes]
    ) -> bytes:
        old, new = self.old[file], self._kept(file)
        if (how, old, new) not in self.made:
            self.made[how, old, new] = make(old, new, _alike(old, new))
        return self.made[how, old, new]


def _alike(a: bytes, b: bytes) -> int:
    """Return how many bytes *a* and *b* begin with in common."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if a[:middle] == b[:middle] else (low, middle - 1)
        )
    return low


def states(log: Sequence[Op], dice: random.Random) -> Iterator[State]:
    """Yield every distinct disk that a power cut in the course of *log* may leave."""
    disk, seen = Disk(), set()
    for op in log:
        disk.apply(op)
        if op[0] in ("given", "born"):
            continue
        for state in disk.cuts(dice):
            if state.id not in seen:
                seen.add(state.id)
                yield state
